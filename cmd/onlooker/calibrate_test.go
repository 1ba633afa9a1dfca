package main

import (
	_ "embed"
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
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve/fans"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	fanpicture "onlooker/vision/picture/fans"
	drawing "onlooker/vision/picture/witness"
)

// violet is a look that no profile has: thin bright lines, small symbols.
func violet(t *testing.T) drawing.Style {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	s := drawing.Typical(look)
	s.Line, s.Start, s.Cap = 0.16, 1.5, 2.1
	s.Ground, s.Lines, s.Around = color.NRGBA{92, 60, 130, 255}, color.NRGBA{200, 190, 225, 255}, color.NRGBA{70, 48, 96, 255}
	s.Symbols.Square, s.Symbols.Star = 0.3, 0.33
	return s
}

// panelOf is a panel given as text.
func panelOf(t *testing.T, text string) *panels.Panel {
	t.Helper()
	return panels.Of(solvetest.Must(witness.Family.Parse(text))(t))
}

// shotOf draws a panel given as text before a wall, and gives the picture's
// name.
func shotOf(t *testing.T, folder, name, text string, s drawing.Style, pitch float64) string {
	t.Helper()
	board := drawing.Draw(panelOf(t, text), s, pitch)
	m := image.NewRGBA(image.Rect(0, 0, board.Rect.Dx()+200, board.Rect.Dy()+140))
	draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{40, 44, 52, 255}), image.Point{}, draw.Src)
	draw.Draw(m, board.Rect.Add(image.Pt(90, 60)), board, image.Point{}, draw.Over)
	file := filepath.Join(folder, name)
	solvetest.OK(t, cli.WritePicture(file, m))
	return file
}

//go:embed testdata/files/look-squares.txt
var squaresText string

//go:embed testdata/files/look-stars.txt
var starsText string

//go:embed testdata/files/look-empty.txt
var emptyText string

// texts are the boards that read --json gives of pictures.
func texts(t *testing.T, profile string, pictures ...string) []string {
	t.Helper()
	var all []string
	for _, line := range strings.Split(strings.TrimSpace(want(t, "", append([]string{"read", "--json", "--profile", profile}, pictures...)...)), "\n") {
		var l intake.Sight
		solvetest.OK(t, json.Unmarshal([]byte(line), &l))
		for _, b := range l.Boards {
			all = append(all, b.Text)
		}
	}
	return all
}

// TestCalibrate learns a look, reads another picture by it, and learns the
// same look from a larger picture with thicker lines: what was read before must
// read the same.
func TestCalibrate(t *testing.T) {
	folder := t.TempDir()
	s := violet(t)
	first, second := shotOf(t, folder, "a.png", squaresText, s, 48), shotOf(t, folder, "b.png", starsText, s, 61)
	look := filepath.Join(folder, "look")
	out := want(t, "", "calibrate", "-o", look, first)
	if !strings.Contains(out, "1 board in 1 screenshot read back") || !strings.Contains(out, "your pictures showed no blue piece: calibrate with one") {
		t.Errorf("it says %q", out)
	}
	if p, err := calibrations.Load(look + string(filepath.Separator)); err != nil || p.Motion.Pointer != calibrations.Tried || p.Keys != (calibrations.Keys{}) {
		t.Errorf("the new look has the pointer %q and the keys %+v (%v); a picture tells neither", p.Motion.Pointer, p.Keys, err)
	}
	before := texts(t, look, first, second)
	if len(before) != 2 {
		t.Fatalf("%d boards read, want 2", len(before))
	}
	s.Line, s.Cap, s.Symbols.Square = 0.3, 1.4, 0.34
	third := shotOf(t, folder, "c.png", starsText, s, 70)
	truth := filepath.Join(folder, "truth.jsonl")
	var told []string
	for _, line := range strings.Split(want(t, "", "read", "--json", third), "\n") {
		if line != "" {
			told = append(told, line)
		}
	}
	solvetest.OK(t, os.WriteFile(truth, []byte(strings.Join(told, "\n")), 0o644))
	out = want(t, "", "calibrate", "--truth", truth, "-o", look, third)
	if !strings.Contains(out, "2 boards in 2 screenshots read back") {
		t.Errorf("extending says %q", out)
	}
	after := texts(t, look, first, second, third)
	if len(after) != 3 || after[0] != before[0] || after[1] != before[1] {
		t.Errorf("after extending it reads\n%s\nwant first\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
	}
	for _, name := range []string{"frame-001.png", "frame-002.png", "want-001.txt", "want-002.txt", calibrations.File} {
		if _, err := os.Stat(filepath.Join(look, name)); err != nil {
			t.Error(err)
		}
	}
}

// barred is a style whose stars are two thin bars.
func barred(s drawing.Style) drawing.Style {
	s.Forms = slices.Clone(drawing.Known())
	for i, f := range s.Forms {
		if f.Kind == panels.Star {
			s.Forms[i].Outline = func(*drawing.Sizes) (out []picture.Shape) {
				for _, x := range []float64{-0.3, 0.2} {
					out = append(out, picture.Shape{Kind: picture.Polygon, Points: picture.Box(x, -0.4, x+0.1, 0.4), Fine: true})
				}
				return out
			}
		}
	}
	return s
}

// TestCalibrateRefuses gives it what nothing can be learnt from: each time it
// says why, and leaves nothing behind.
func TestCalibrateRefuses(t *testing.T) {
	folder := t.TempDir()
	s := violet(t)
	shot := shotOf(t, folder, "a.png", squaresText, s, 52)
	other := shotOf(t, folder, "b.png", starsText, s, 52)
	empty := shotOf(t, folder, "empty.png", emptyText, s, 52)
	wall := filepath.Join(folder, "wall.png")
	solvetest.OK(t, cli.WritePicture(wall, image.NewRGBA(image.Rect(0, 0, 300, 200))))
	read := want(t, "", "read", "--json", shot)
	line := func(edit func(string) string) string {
		name := filepath.Join(folder, "truth.jsonl")
		solvetest.OK(t, os.WriteFile(name, []byte(edit(read)), 0o644))
		return name
	}
	for _, row := range []struct {
		why  string
		edit func(string) string // nil: without truth
		args []string
		want string
	}{
		{"a wall", nil, []string{wall}, "no board found"},
		{"a board without symbols", nil, []string{empty}, "too few to tell colours apart"},
		{"no such picture", nil, []string{"nowhere.png"}, "nowhere.png"},
		{"the truth of another picture", func(s string) string { return strings.ReplaceAll(s, "a.png", "b.png") }, []string{other}, "the truth has a board of 4x3 cells"},
		{"no truth for a picture", func(s string) string { return s }, []string{other}, "no line for"},
		{"a square said to be a star", func(s string) string { return strings.Replace(s, `"square"`, `"star"`, 1) }, []string{shot}, "nothing written"},
		{"a break said to be none", func(s string) string { return strings.Replace(s, `"gap":1`, `"gap":0`, 1) }, []string{shot}, "no line is seen at"},
		{"two truths of one picture", func(s string) string { return s + s }, []string{shot}, "again"},
		{"two truths of one board", func(s string) string {
			at := strings.Index(s, `"boards":[`) + len(`"boards":[`)
			end := strings.Index(s, `],"profile"`)
			return s[:at] + s[at:end] + "," + s[at:end] + s[end:]
		}, []string{shot}, "twice"},
		{"a board without a puzzle", func(s string) string { return `{"image":"a.png","boards":[{}]}` }, []string{shot}, `line 1: a board of a.png without "puzzle"`},
		{"no JSON", func(string) string { return "a.png: 4x3" }, []string{shot}, "line 1"},
	} {
		look := filepath.Join(folder, "look")
		args := []string{"calibrate", "-o", look}
		if row.edit != nil {
			args = append(args, "--truth", line(row.edit))
		}
		out, errOut, code := onlooker(t, "", append(args, row.args...)...)
		if code != 1 || !strings.Contains(errOut, row.want) || strings.Count(strings.TrimSpace(errOut), "\n") > 0 {
			t.Errorf("%s: status %d, %q %q, want %q", row.why, code, out, errOut, row.want)
		}
		if _, err := os.Stat(look); err == nil {
			t.Errorf("%s: something was written", row.why)
		}
	}
}

// TestReadWithoutProfile draws looks outside every profile's ranges: the
// structure alone tells what they show, and says so.
func TestReadWithoutProfile(t *testing.T) {
	folder := t.TempDir()
	thin := violet(t)
	thin.Line, thin.Start, thin.Cap, thin.Gap = 0.08, 2, 3.6, 0.3
	fat := violet(t)
	fat.Line, fat.Start, fat.Cap, fat.Gap = 0.5, 1.1, 1.3, 0.3
	fat.Symbols.Square, fat.Symbols.Star = 0.25, 0.28
	for _, row := range []struct {
		name, text string
		style      drawing.Style
	}{{"thin.png", starsText, thin}, {"fat.png", squaresText, fat}} {
		shot := shotOf(t, folder, row.name, row.text, row.style, 61)
		if out, errOut, code := onlooker(t, "", "read", "--profile", "witness-challenge", shot); code != 1 {
			t.Errorf("%s: the Challenge's look reads it: %s%s", row.name, out, errOut)
		}
		var l intake.Sight
		solvetest.OK(t, json.Unmarshal([]byte(want(t, "", "read", "--json", shot)), &l))
		if l.Profile != "structure alone" || len(l.Boards) != 1 || l.Boards[0].Confidence < 0.7 {
			t.Errorf("%s: read by %q: %+v", row.name, l.Profile, l.Boards)
			continue
		}
		got, want := panelOf(t, l.Boards[0].Text), panelOf(t, row.text)
		if got.Cols != want.Cols || got.Rows != want.Rows {
			t.Errorf("%s: %dx%d cells, want %dx%d", row.name, got.Cols, got.Rows, want.Cols, want.Rows)
			continue
		}
		for at := range want.Points() {
			// Names of colours are free.
			if g, w := got.At(at), want.At(at); g.Gap != w.Gap || g.Start != w.Start || g.Cap != w.Cap || g.Kind != w.Kind {
				t.Errorf("%s: %v reads %+v, want %+v", row.name, at, *g, *w)
			}
		}
	}
}

// TestBoardsTeach: boards that are put right teach a look, one after the other; one that is
// called otherwise than it looks is named with its place, and teaches nothing.
func TestBoardsTeach(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	folder, s := t.TempDir(), barred(violet(t))
	games := &intake.Games{List: games.Of()}
	eye := solvetest.Must(games.PictureEye("auto"))(t)
	keep := func(file, text string) (string, error) {
		frame := solvetest.Must(intake.LoadPicture(nil, file))(t)
		size := frame.Rect.Size()
		w, h := float64(size.X-1), float64(size.Y-1)
		at := eye.Found(frame, see.Outline{Game: games.Find("witness"), Quad: [4]vision.Point{{}, {X: w}, {X: w, Y: h}, {Y: h}}})
		b := solvetest.Must(vision.Placed(size, at.Cols, at.Rows, at.Quad))(t)
		return (&calibrate.Calibrator{Games: games}).Keep(see.Reading{Game: at.Game, Board: b, Puzzle: witness.Of(panelOf(t, text))}, frame, "bars")
	}
	pictures := []string{shotOf(t, folder, "a.png", squaresText, s, 60), shotOf(t, folder, "b.png", starsText, s, 60)}
	third := shotOf(t, folder, "c.png", strings.ReplaceAll(starsText, "black square", "black star"), s, 55)
	for i, row := range []struct{ text, want string }{{squaresText, "learned: 1 board of this look, bars"}, {starsText, "learned: 2 boards of this look, bars"}} {
		solvetest.Same(t, solvetest.Must(keep(pictures[i], row.text))(t), row.want, "picture %d", i+1)
	}
	if got := texts(t, "bars", append(pictures, third)...); len(got) != 3 || strings.Count(got[2], "star") != 2 || strings.Contains(got[2], "square") {
		t.Errorf("it reads %q", got)
	}
	wrong := strings.Replace(squaresText, "c = black star", "c = black square", 1)
	said, err := keep(shotOf(t, folder, "d.png", squaresText, s, 52), wrong)
	if err == nil || !strings.Contains(err.Error(), "column 3 row 2 is called a square here and looks like a star of the other pictures") {
		t.Errorf("a star called a square: %q, %v", said, err)
	}
	solvetest.Same(t, len(texts(t, "bars", third)), 1, "boards read after that")
}

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
	return solvetest.Must(calibrations.Load(own + string(filepath.Separator)))(t)
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
		shapes := fanpicture.Picture(p, nil)
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
