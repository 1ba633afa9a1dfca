package main

import (
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/solve/fans"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/fans"
)

// formBoards is how many boards there are of the look of our own.
const formBoards = 26

// taught is how many pictures a look is taught with.
const taught = 6

// teachLine is a line of a truth file.
func teachLine(t *testing.T, file string, boards []screenBoard) string {
	t.Helper()
	type board struct {
		Quad [4][2]float64 `json:"quad"`
		Text string        `json:"text"`
	}
	line := struct {
		Image  string  `json:"image"`
		Boards []board `json:"boards"`
	}{Image: file}
	for _, b := range boards {
		x, y, w, h := b.Box[0], b.Box[1], b.Box[2], b.Box[3]
		line.Boards = append(line.Boards, board{[4][2]float64{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}, b.Text})
	}
	out := solvetest.Must(json.Marshal(line))(t)
	return string(out)
}

// teach calibrates a look of a family with pictures and what they show, and loads
// it.
func teach(t *testing.T, family string, files []string, list map[string]screen) *calibrations.Profile {
	t.Helper()
	folder := t.TempDir()
	var lines []string
	for _, f := range files {
		lines = append(lines, teachLine(t, f, list[filepath.Base(f)].Boards))
	}
	truth := filepath.Join(folder, "truth.jsonl")
	solvetest.OK(t, os.WriteFile(truth, []byte(strings.Join(lines, "\n")), 0o644))
	own := filepath.Join(folder, "own")
	want(t, "", append([]string{"calibrate", "--family", family, "--truth", truth, "-o", own}, files...)...)
	p := solvetest.Must(calibrations.Load(own + string(filepath.Separator)))(t)
	return p
}

// TestCalibrateScreens teaches a look of each family with six pictures and reads
// its others with what was learned.
func TestCalibrateScreens(t *testing.T) {
	for _, row := range []struct{ family, look string }{
		{"flow", "dom111"}, {"switches", "sgt-flip"}, {"switches", "lightsoff"}, {"alcazar", "openalcazar"},
	} {
		t.Run(row.look, func(t *testing.T) {
			dir, all := screensOf(t, row.family)
			var names []string
			for _, name := range slices.Sorted(maps.Keys(all)) {
				// Pictures in which something hides the board teach nothing.
				if s := all[name]; s.Look == row.look && !slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return b.Cut }) {
					names = append(names, name)
				}
			}
			var files []string
			for _, name := range names[:taught] {
				files = append(files, filepath.Join(dir, name))
			}
			look := teach(t, row.family, files, all)
			eye := &see.Eye{Games: games.Of(), Profiles: []*calibrations.Profile{look}}
			total := screenTally{}
			for _, name := range names[taught:] {
				file := filepath.Join(dir, name)
				total.add(judge(t, eye, row.family, file, openPicture(t, file), all[name]))
			}
			t.Log(total)
			// Of four and six others one each is half hidden.
			if total.wrong > 0 || 4*total.exact < 3*(total.exact+total.unsure) {
				t.Errorf("got %v, want three quarters exact at the least and none wrong", total)
			}
		})
	}
}

// TestCalibrateForms teaches how fans and turbines are drawn in a look that nobody
// knows, our own: discs and wheels.
func TestCalibrateForms(t *testing.T) {
	folder := t.TempDir()
	rng := rand.New(rand.NewPCG(17, 1))
	list := map[string]screen{}
	var files []string
	for i := range formBoards {
		p, text := solvableFans(t, rng, "FTTT..")
		cols, rows := p.Size()
		scale := 16 + 8*rng.Float64()
		shapes := drawing.Picture(p, nil)
		board := picture.Image(shapes, scale)
		least, _ := picture.Extent(shapes)
		m := image.NewRGBA(image.Rect(0, 0, board.Rect.Dx()+160, board.Rect.Dy()+120))
		draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{90, 100, 110, 255}), image.Point{}, draw.Src)
		draw.Draw(m, board.Rect.Add(image.Pt(80, 60)), board, image.Point{}, draw.Over)
		name := filepath.Join(folder, string(rune('a'+i))+".png")
		solvetest.OK(t, cli.WritePicture(name, m))
		list[filepath.Base(name)] = screen{Boards: []screenBoard{{
			Box:  [4]float64{80 - least.X*scale, 60 - least.Y*scale, 2 * float64(cols) * scale, 2 * float64(rows) * scale},
			Text: strings.Join(text, "\n") + "\n",
		}}}
		files = append(files, name)
	}
	look := teach(t, "fans", files[:taught], list)
	eye := &see.Eye{Games: games.Of(), Profiles: []*calibrations.Profile{look}}
	total := screenTally{}
	for _, file := range files[taught:] {
		total.add(judge(t, eye, "fans", file, openPicture(t, file), list[filepath.Base(file)]))
	}
	t.Log(total)
	if total.wrong > 0 || 10*total.exact < 9*len(files[taught:]) {
		t.Errorf("got %v, want nine in ten exact and none wrong", total)
	}
}

// solvableFans is a board of some cells that has an answer.
func solvableFans(t *testing.T, rng *rand.Rand, cells string) (p *fans.Puzzle, text []string) {
	t.Helper()
	cols, rows := 4+rng.IntN(4), 3+rng.IntN(4)
	for {
		text = nil
		for range rows {
			row := make([]byte, cols)
			for c := range row {
				row[c] = cells[rng.IntN(len(cells))]
			}
			text = append(text, string(row))
		}
		text[0] = "F" + text[0][1:]
		text[rows-1] = text[rows-1][:cols-1] + "T"
		p := solvetest.Must(fans.New(text...))(t)
		if _, err := p.Solve(t.Context()); err == nil {
			return p, text
		}
	}
}

// TestCalibrateFamilyRefuses: what teaches nothing is said, and nothing written.
func TestCalibrateFamilyRefuses(t *testing.T) {
	folder := t.TempDir()
	blank := filepath.Join(folder, "blank.png")
	solvetest.OK(t, cli.WritePicture(blank, image.NewRGBA(image.Rect(0, 0, 200, 200))))
	truth := filepath.Join(folder, "truth.jsonl")
	line := teachLine(t, blank, []screenBoard{{Box: [4]float64{20, 20, 160, 160}, Text: "FT\nTF\n"}})
	solvetest.OK(t, os.WriteFile(truth, []byte(line), 0o644))
	own := filepath.Join(folder, "own")
	for _, args := range [][]string{
		{"calibrate", "--family", "fans", "--truth", truth, "-o", own, blank}, // F and T look alike
		{"calibrate", "--family", "fans", "-o", own, blank},                   // nothing to be read
		{"calibrate", "--family", "chess", "-o", own, blank},
	} {
		if _, _, code := onlooker(t, "", args...); code == 0 {
			t.Errorf("%v succeeded, want an error", args)
		}
	}
	if _, err := os.Stat(filepath.Join(own, calibrations.File)); err == nil {
		t.Error("a profile was written, want none")
	}
}
