package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/witnesstest"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// looked is what a picture is read as: the boards, and why others are refused.
func looked(t *testing.T, eye *see.Eye, m image.Image) (read []see.Reading, refused string) {
	t.Helper()
	sight, err := eye.Look(m, see.Millis{})
	if err != nil {
		return nil, err.Error()
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			read = append(read, r)
			continue
		}
		refused += fmt.Sprintf("%s: %v; ", r.Game.Name, r.Err)
	}
	return read, refused
}

// unfitted is the first seed of drawn pictures that the model was not fitted to.
const unfitted = 1_000_000

// TestEverydayDrawings: of everyday pictures that we draw ourselves none is read as a
// puzzle; nothing was fitted to these.
func TestEverydayDrawings(t *testing.T) {
	eye := autoEye(t)
	kinds := everydays()
	kinds["thumbnails"] = drawnThumbnails
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		for seed := range uint64(4) {
			m := kinds[kind](rand.New(rand.NewPCG(unfitted+seed, hashed(kind))))
			read, _ := looked(t, eye, m)
			for _, r := range read {
				t.Errorf("%s %d: got %s, %.3f sure, want nothing:\n%s", kind, seed, r.Game.Name, r.Confidence, textOf(r.Puzzle))
			}
		}
	}
}

// outside is a folder of ../shared/outside; it skips where there is none.
func outside(t *testing.T, folder string) string {
	t.Helper()
	dir := solvetest.Shared("outside", folder)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no pictures from outside: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	return dir
}

// An outsidePicture is a picture with what it shows: how a family's text of that begins, or a part
// of the reason for which it is refused.
type outsidePicture struct{ file, family, want, refused string }

func outsidePictures() []outsidePicture {
	return []outsidePicture{
		{"witness-with-line.png", "", "", "4×4 places like cells"},
		{"witness-without-line.png", "witness", "panel 4x4", ""},
		{"tiles-with-marks.png", "", "", ""},
		{"phone-ad-no-board.png", "", "", ""},
		{"witness-illustration.png", "", "", ""},
		{"flow-text-above.png", "flow", "flow 8x8", ""},
		{"flow-hidden-reason.png", "flow", "flow 8x8", ""},
		{"lights-rings.png", "switches", "grid 5x5\nooo**\n*oo**\no*o**\no*oo*\n*oo**", ""},
		{"lights-rings-small.png", "switches", "grid 5x5\nooo**\n*oo**\no*o**\no*oo*\n*oo**", ""},
		{"alcazar-cut-right.png", "", "", "cuts off"},
		{"numberlink-cut-both.png", "", "", "cuts off"},
		{"lights-cut-sides.png", "", "", "cuts off"},
		{"not-a-witness-panel.png", "", "", ""},
		{"flow-phone-icon-above.png", "flow", "flow 5x6\n.A..B\n....C\n..C.D\n..D..\n.....\n...AB", ""},
	}
}

// TestOutsideReasons: pictures from outside are refused for the reason in their table. What the
// others are read as the record says (make outside).
func TestOutsideReasons(t *testing.T) {
	eye := autoEye(t)
	for _, row := range outsidePictures() {
		if row.refused == "" {
			continue
		}
		read, refused := looked(t, eye, openPicture(t, filepath.Join(outside(t, "pictures"), row.file)))
		if len(read) > 0 || !strings.Contains(refused, row.refused) {
			t.Errorf("%s: %d boards are read, refused by %q, want %q in it", row.file, len(read), refused, row.refused)
		}
	}
}

// TestOutsideLamps: lamps and flow boards from outside are read as their tables say, which colour is
// lit too; a look that is named says what is wanted whatever its colours, and answers say it.
func TestOutsideLamps(t *testing.T) {
	const blue = "grid 5x5\n*ooo*\n*ooo*\no***o\noo*oo\noo*oo\nwant: all=0\n"
	eye := autoEye(t)
	for _, row := range []struct{ folder, file, want string }{
		{"lights", "lights-blue-on-light-300x300.png", blue},
		{"lights", "lights-red-on-white-300x300.png", blue},
		{"lights", "lights-blue-on-dark-300x300.png", blue},
		{"live", "cherche4-beyond.png", "grid 4x4\nooo*\n***o\no*oo\noo**\nwant: all=0\n"},
		{"flow", "flow-edge-1px-refused.png", "flow 9x9\n......ABC\n.D.......\nE..A.....\n...B.....\n.C.....F.\n....G....\n......H.H\n...E..GFI\nD....I...\n"},
	} {
		read, refused := looked(t, eye, openPicture(t, filepath.Join(outside(t, row.folder), row.file)))
		if len(read) != 1 || strings.TrimSpace(textOf(read[0].Puzzle)) != strings.TrimSpace(row.want) {
			t.Errorf("%s: got %d boards, refused %q, want %s", row.file, len(read), refused, row.want)
		}
	}
	light := filepath.Join(outside(t, "lights"), "lights-blue-on-light-300x300.png")
	for _, row := range []struct {
		args []string
		want string
	}{
		{nil, "all are taken to be wanted off (see --goal)\nall off, 5 flips, the fewest\n"},
		{[]string{"--goal", "on"}, "\nall on, 12 flips, the fewest\n"},
		{[]string{"--profile", "lightsoff"}, "\nall off, 5 flips, the fewest\n"},
	} {
		if out := want(t, "", append([]string{"solve", "--no-store", light}, row.args...)...); !strings.Contains(out, row.want) {
			t.Errorf("%v: it says %s, want %q in it", row.args, out, row.want)
		}
	}
}

// TestBesideIsNoFailure: a board that is read ends with status 0 where what may be a board stands
// beside it, which is said; alone that is a failure.
func TestBesideIsNoFailure(t *testing.T) {
	tools := openPicture(t, filepath.Join(outside(t, "flow"), "flow-toolbar-160x120.png"))
	lamps := openPicture(t, filepath.Join(outside(t, "lights"), "lights-blue-on-dark-300x300.png"))
	both := image.NewRGBA(image.Rect(0, 0, 300, 500))
	draw.Draw(both, both.Rect, image.NewUniform(color.Gray{36}), image.Point{}, draw.Src)
	draw.Draw(both, lamps.Rect, lamps, image.Point{}, draw.Src)
	draw.Draw(both, tools.Rect.Add(image.Pt(0, 360)), tools, image.Point{}, draw.Src)
	for _, row := range []struct {
		m    *image.RGBA
		code int
		says string
	}{{both, 0, "more places that may be boards, not read: 1"}, {tools, 1, "of no family in particular"}} {
		name := filepath.Join(t.TempDir(), "p.png")
		solvetest.OK(t, cli.WritePicture(name, row.m))
		for _, args := range [][]string{{"solve", "--no-store", name}, {"solve", "--no-store", "--json", name}, {"read", "--no-store", name}} {
			out, said, code := onlooker(t, "", args...)
			if code != row.code || args[0] == "solve" && len(args) == 3 && !strings.Contains(said, row.says) {
				t.Errorf("%v: status %d, want %d, and %q in %s%s", args, code, row.code, row.says, out, said)
			}
		}
	}
}

// TestLookingEnds: no time for looking ends read, solve and check with that word, of a picture with
// much to look at; what was read till then is given.
func TestLookingEnds(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	rng := rand.New(rand.NewPCG(62, 6))
	for y := range 72 {
		for x := range 128 {
			draw.Draw(m, image.Rect(10*x, 10*y, 10*x+10, 10*y+10), image.NewUniform(color.Gray{uint8(rng.IntN(256))}), image.Point{}, draw.Src)
		}
	}
	name := filepath.Join(t.TempDir(), "blocks.png")
	solvetest.OK(t, cli.WritePicture(name, m))
	for _, args := range [][]string{{"read", name}, {"solve", name}, {"solve", "--json", name}, {"check", name, "[[[0,0],[2,0]]]"}} {
		out, said, code := onlooker(t, "", append(args, "--timeout", "1us")...)
		if code != 1 || !strings.Contains(out+said, "no time is left; till then 0 boards were read") {
			t.Errorf("%v: status %d, it says %s%s", args, code, out, said)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := autoEye(t).Within(ended).Look(m, see.Millis{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a look that is ended before it begins: %v, %v", s, err)
	}
}

// TestAsked: a board that may as well be none is refused, and read where somebody says its family;
// with its size it is told from a row of the same lattice beside it; of a region that alone is seen.
func TestAsked(t *testing.T) {
	rows := []string{"*o***", "****o", "***oo", "**oo*", "***o*"}
	page := func(title bool) string {
		m := image.NewRGBA(image.Rect(0, 0, 900, 700))
		draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
		fill := func(x, y int, c color.Color) {
			draw.Draw(m, image.Rect(100+60*x, 100+60*y, 161+60*x, 161+60*y), image.Black, image.Point{}, draw.Src)
			draw.Draw(m, image.Rect(101+60*x, 101+60*y, 160+60*x, 160+60*y), image.NewUniform(c), image.Point{}, draw.Src)
		}
		for y, row := range rows {
			for x, ch := range row {
				fill(x, y, map[rune]color.Color{'*': color.White, 'o': color.Gray{46}}[ch])
			}
			if title {
				fill(y, -1, color.RGBA{200, 40, 40, 255})
			}
		}
		name := filepath.Join(t.TempDir(), "page.png")
		solvetest.OK(t, cli.WritePicture(name, m))
		return name
	}
	plain, titled := page(false), page(true)
	board := `"text":"grid 5x5\n` + strings.Join(rows, `\n`)
	for _, row := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{plain}, 1, "unsure"},
		{[]string{plain, "--family", "switches"}, 0, board},
		{[]string{titled, "--family", "switches"}, 1, "unsure"},
		{[]string{titled, "--family", "switches", "--size", "5x5"}, 0, board},
		{[]string{titled, "--family", "switches", "--region", "80,99,360,400"}, 0, board},
		{[]string{plain, "--family", "switches", "--region", "500,0,300,300"}, 1, "no board found"},
		{[]string{plain, "--family", "switches", "--size", "7x7"}, 1, "no board found of 7x7; there is one of 5x5"},
		{[]string{plain, "--region", "900,0,30,30"}, 1, "--region 900,0,30,30 lies outside the picture, want a part of 0,0,900,700"},
		{[]string{plain, "--family", "lamps"}, 2, "no such family"},
		{[]string{plain, "--size", "5"}, 2, "want COLSxROWS"},
		{[]string{plain, "--region", "1,2"}, 2, "want X,Y,W,H"},
	} {
		out, said, code := onlooker(t, "", append([]string{"read", "--json", "--no-store"}, row.args...)...)
		if code != row.code || !strings.Contains(out+said, row.want) {
			t.Errorf("%v: status %d, want %d, and %q in %s%s", row.args[1:], code, row.code, row.want, out, said)
		}
	}
	jer := filepath.Join(outside(t, "live"), "jer-refused.png")
	if out := want(t, "", "read", "--json", "--no-store", "--family", "switches", jer); !strings.Contains(out, board) {
		t.Errorf("%s: got %s", jer, out)
	}
}

// withTitle is a board of pairs with words right above a column, as high as a cell.
func withTitle(t *testing.T) (*image.RGBA, solve.Puzzle) {
	t.Helper()
	text := "flow 8x8\nA.......\nB.......\n..A.....\n........\n........\n..B.....\n........\n........\n"
	p := decode(t, &see.Game{Family: &flow.Family}, text).(*flow.Puzzle)
	s := newSketch(rand.New(rand.NewPCG(3, 3)), 8, 8)
	s.lines(s.faint(), 1)
	for k, e := range p.Pairs() {
		for _, at := range e {
			s.disc(hueOf(k), float64(at.X)+0.5, float64(at.Y)+0.5, 0.34)
		}
	}
	s.words(s.ink, "level", 0.6, -0.45, 0.45)
	s.DrawRectangle(s.x, s.y-0.9*s.cell, 0.95*s.cell, 0.85*s.cell)
	s.SetLineWidth(1)
	s.Stroke()
	return s.picture(), p
}

// rings is a board of lamps that are discs and rings, so many pixels from one to the next.
func rings(t *testing.T, pitch float64) (*image.RGBA, solve.Puzzle) {
	t.Helper()
	p := solvetest.Must(switches.Family.Parse("grid 5x5\nooo**\n*oo**\no*o**\no*oo*\n*oo**\n"))(t)
	s := &sketch{Context: gg.NewContext(int(9*pitch), int(8*pitch)), cols: 5, rows: 5, cell: pitch, x: 2 * pitch, y: 1.5 * pitch}
	s.SetColor(color.Gray{40})
	s.Clear()
	s.SetColor(color.Gray{221})
	for i, n := range p.(*switches.Puzzle).Spec().Nodes {
		s.DrawCircle(s.x+(float64(i%5)+0.5)*pitch, s.y+(float64(i/5)+0.5)*pitch, 0.36*pitch)
		if n.Now == 1 {
			s.FillPreserve()
		}
		s.SetLineWidth(0.09 * pitch)
		s.Stroke()
	}
	return s.picture(), p
}

// TestDrawnKinds: what pictures from outside showed, in pictures that we draw ourselves.
func TestDrawnKinds(t *testing.T) {
	eye := autoEye(t)
	titled, pairs := withTitle(t)
	large, lamps := rings(t, 100)
	small, _ := rings(t, 60)
	for _, row := range []struct {
		why     string
		m       image.Image
		want    solve.Puzzle // nil: nothing
		refused string
	}{
		{"words above a column are no cell", titled, pairs, ""},
		{"rings and discs", large, lamps, ""},
		{"rings and discs of 43 pixels", small, lamps, ""},
		{"lamps cut at two sides", cutMiddle(large, 0.32), nil, ""},
		{"a card over a wall", cardOver(), nil, ""},
	} {
		read, refused := looked(t, eye, row.m)
		switch {
		case row.want == nil && (len(read) > 0 || !strings.Contains(refused, row.refused)):
			t.Errorf("%s: got %d boards, refused by %q, want %q", row.why, len(read), refused, row.refused)
		case row.want != nil && (len(read) != 1 || alone(t, read[0].Puzzle) != alone(t, row.want)):
			t.Errorf("%s: got %d boards, refused by %q, want\n%s", row.why, len(read), refused, textOf(row.want))
			for _, r := range read {
				t.Logf("got %s, %.3f sure:\n%s", r.Game.Name, r.Confidence, textOf(r.Puzzle))
			}
		}
	}
}

// cardOver is a board of walls with a card of some words over one.
func cardOver() image.Image {
	rng := rand.New(rand.NewPCG(unfitted+404, hashed("alcazar")))
	m, box, _ := drawnBoard("alcazar", rng)
	cropped(rng, m, box) // takes its numbers
	return covered(rng, m, box)
}

// cutMiddle is a picture without a share of it at its left and right.
func cutMiddle(m *image.RGBA, share float64) image.Image {
	off := int(share * float64(m.Rect.Dx()))
	return m.SubImage(image.Rect(off, 0, m.Rect.Dx()-off, m.Rect.Dy()))
}

// TestCrops: of the crops of every shared screen that shows one board, none is read as a whole
// one: each third of three, with ONLOOKER_MORE all.
func TestCrops(t *testing.T) {
	eye := cellEye(t)
	crops := 0
	screenSamples(t, func(p samplePicture) {
		if !strings.HasPrefix(p.name, "crop") {
			return
		}
		if crops++; solvetest.More() == 1 && crops%3 != 0 {
			return
		}
		read, _ := looked(t, eye, p.frame)
		for _, r := range read {
			t.Errorf("%s: got %s, %.3f sure, want nothing:\n%s", p.name, r.Game.Name, r.Confidence, textOf(r.Puzzle))
		}
	})
	if crops < 80 {
		t.Errorf("%d crops, want 80 and more", crops)
	}
	t.Logf("%d crops", crops)
}

// TestDrawnCrops: of boards that we draw ourselves, cut at a side or two, none is read as a
// whole one; nothing was fitted to these.
func TestDrawnCrops(t *testing.T) {
	eye := cellEye(t)
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		for seed := range uint64(15) {
			rng := rand.New(rand.NewPCG(unfitted+seed, hashed(family)))
			m, box, _ := drawnBoard(family, rng)
			read, _ := looked(t, eye, cropped(rng, m, box))
			for _, r := range read {
				t.Errorf("%s %d: got %s, %.3f sure, want nothing:\n%s", family, seed, r.Game.Name, r.Confidence, textOf(r.Puzzle))
			}
		}
	}
}

// mostProcessor is how long a picture may take, in seconds of the processor: 3 s by the
// clock on two cores.
const mostProcessor = 6

// TestLargePictures: a large picture full of small things takes no longer than it may, and
// nothing on it is read.
func TestLargePictures(t *testing.T) {
	// In a process of its own: collections go through what other tests leave alive here.
	const alone = "ONLOOKER_TEST_ALONE"
	if os.Getenv(alone) == "" {
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestLargePictures$", "-test.v")
		c.Env = append(os.Environ(), alone+"=1")
		out, err := c.CombinedOutput()
		t.Logf("%s", out)
		if err != nil || !bytes.Contains(out, []byte("--- PASS: TestLargePictures")) {
			t.Error(err)
		}
		return
	}
	defer program.LeaveGarbage()() // as the program does
	eye := autoEye(t)
	for _, row := range []struct {
		why  string
		draw func(*sketch, func() (x, y float64))
	}{
		{"dots of a few sizes", func(s *sketch, at func() (x, y float64)) {
			for k := range 12000 {
				x, y := at()
				s.DrawCircle(x, y, float64(3+k%4))
				s.Fill()
			}
		}},
		{"roads and houses", func(s *sketch, at func() (x, y float64)) {
			s.SetLineWidth(2)
			for k := range 1500 {
				x, y := at()
				u, v := at()
				s.DrawLine(x, y, x+(u-x)/8, y+(v-y)/8)
				s.Stroke()
				for h := range 5 {
					s.SetColor(s.hue(k%7, 7))
					s.DrawRectangle(x+float64(14*h), y, 11, 9)
					s.Fill()
				}
			}
		}},
		{"a pattern", func(s *sketch, _ func() (x, y float64)) {
			for y := 6.0; y < 2569; y += 16 {
				for x := 6.0; x < 3679; x += 16 {
					s.DrawRectangle(x, y, 5, 5)
					s.Fill()
				}
			}
		}},
	} {
		rng := rand.New(rand.NewPCG(49, 8))
		s := &sketch{Context: gg.NewContext(3679, 2569), rng: rng}
		s.SetColor(color.Gray{240})
		s.Clear()
		s.SetColor(color.Gray{70})
		row.draw(s, func() (x, y float64) { return 3679 * rng.Float64(), 2569 * rng.Float64() })
		used := solvetest.ProcessorTime()
		read, _ := looked(t, eye, s.picture())
		took := (solvetest.ProcessorTime() - used).Seconds()
		t.Logf("%s: %.1f s of the processor", row.why, took)
		if took > mostProcessor {
			t.Errorf("%s: %.1f s of the processor, want %d at the most", row.why, took, mostProcessor)
		}
		for _, r := range read {
			t.Errorf("%s: got %s, %.3f sure, want nothing", row.why, r.Game.Name, r.Confidence)
		}
	}
}

// TestBesideAnAnswer: what may be another board and was not read is told in one line after the
// answer, whole where nothing was answered, and whole in JSON.
func TestBesideAnAnswer(t *testing.T) {
	const width, height = 800, 600
	two := image.NewRGBA(image.Rect(0, 0, 2*width, height))
	board := scene(t, "maze-3", width, height, 1)
	covered := image.NewRGBA(board.Rect)
	draw.Draw(covered, covered.Rect, board, image.Point{}, draw.Src)
	// The second has lost its start.
	draw.Draw(covered, image.Rect(250, 392, 308, 448), image.NewUniform(board.At(300, 450)), image.Point{}, draw.Src)
	draw.Draw(two, board.Rect, board, image.Point{}, draw.Src)
	draw.Draw(two, board.Rect.Add(image.Pt(width, 0)), covered, image.Point{}, draw.Src)
	dir := t.TempDir()
	one, both := filepath.Join(dir, "one.png"), filepath.Join(dir, "both.png")
	for name, m := range map[string]*image.RGBA{one: covered, both: two} {
		solvetest.OK(t, cli.WritePicture(name, m))
	}
	const line = ": more places that may be boards, not read: 1; onlooker read says why\n"
	out, errOut, status := onlooker(t, "", "solve", "--no-store", both)
	if status != 0 || strings.Count(out, "solved in") != 1 || strings.Count(errOut, "\n") != 1 || !strings.HasSuffix(errOut, line) {
		t.Errorf("two boards: status %d, %s%s", status, out, errOut)
	}
	out, errOut, _ = onlooker(t, "", "solve", "--no-store", one)
	if out != "" || strings.Contains(errOut, "more places") || !strings.Contains(errOut, "most like") {
		t.Errorf("one that is not read: %s%s", out, errOut)
	}
	out, errOut, _ = onlooker(t, "", "solve", "--no-store", "--json", both)
	statuses := ""
	for text := range strings.Lines(out) {
		var l struct{ Status string }
		solvetest.OK(t, json.Unmarshal([]byte(text), &l))
		statuses += l.Status + " "
	}
	if statuses != "solved unsure " || errOut != "" {
		t.Errorf("in JSON: %s, %s", statuses, errOut)
	}
	if _, errOut, _ = onlooker(t, "", "read", both); !strings.Contains(errOut, "most like") {
		t.Errorf("read does not say why: %s", errOut)
	}
}

// TestChoiceOfLook: of looks that read the same picture the one is taken that explains it
// best, whatever their order.
func TestChoiceOfLook(t *testing.T) {
	site := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	style := drawing.Typical(site)
	style.Line, style.Gap, style.Start, style.Cap = 24./82, 17./82, 1, 1.5
	style.Ground, style.Lines, style.Around, style.Dot = color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, color.NRGBA{A: 255}
	p := witness.New(3, 3, false)
	p.At(image.Pt(0, 6)).Start, p.At(image.Pt(0, 6)).Dot.On = true, true
	p.At(image.Pt(6, 0)).Cap, p.At(image.Pt(6, 4)).Cap = image.Pt(0, -1), image.Pt(1, 0)
	m := drawing.Draw(p, style, 82)
	frame := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.Draw(frame, frame.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(frame, m.Rect.Add(image.Pt(400, 150)), m, image.Point{}, draw.Over)
	eye := solvetest.Must((&intake.Games{List: games.Of()}).PictureEye("auto"))(t)
	for range 2 {
		sight := solvetest.Must(eye.Look(frame, see.Millis{}))(t)
		if sight.Read() != 1 || sight.Profile.Name != "witnesspuzzles" {
			t.Fatalf("%d boards read in the look %s, want one in witnesspuzzles", sight.Read(), sight.Profile.Name)
		}
		got := witness.Of(sight.Readings[0].Puzzle)
		if !got.At(image.Pt(0, 6)).Dot.On || !got.At(image.Pt(6, 0)).IsEnd() || !got.At(image.Pt(6, 4)).IsEnd() {
			t.Error("a dot on a start, or an end, is lost")
		}
		other := eye.Profiles // the other order
		for i, j := 0, len(other)-1; i < j; i, j = i+1, j-1 {
			other[i], other[j] = other[j], other[i]
		}
	}
}

// TestCutClosely: a panel that is cut out with half a cell about it is one, and one whose lines go
// on to the picture's border is none.
func TestCutClosely(t *testing.T) {
	site := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(4, 4, image.Pt(0, -1))
	p.At(image.Pt(3, 3)).Kind, p.At(image.Pt(3, 3)).Colour = witness.Square, "red"
	p.At(image.Pt(5, 3)).Kind, p.At(image.Pt(5, 3)).Colour = witness.Square, "blue"
	const pitch = 60
	m := drawing.Draw(p, drawing.Typical(site), pitch)
	about := (m.Rect.Dx() - 4*pitch) / 2
	eye := autoEye(t)
	for _, row := range []struct {
		why   string
		inset int
		right int // pixels more at the right
		want  int
	}{
		{"all about it", 0, 0, 1},
		{"0.45 of a cell about it", about - 27, 0, 1},
		{"a half of its last column", about - 27, 27 + pitch/2, 0},
	} {
		box := m.Rect.Inset(row.inset)
		box.Max.X -= row.right
		sight := solvetest.Must(eye.Look(kept(m, box), see.Millis{}))(t)
		solvetest.Same(t, sight.Read(), row.want, "%s: boards read: %+v", row.why, sight.Readings)
	}
}

// A tiling draws cells of other shapes than squares, some of which hold ends of pairs.
type tiling struct {
	*gg.Context
	side    float64
	line    color.Color
	centres []vision.Point
}

func newTiling(w, h, side float64, dark bool) *tiling {
	t := &tiling{Context: gg.NewContext(int(w), int(h)), side: side, line: color.Gray{130}}
	t.SetColor(color.Gray{250})
	if dark {
		t.SetColor(color.Gray{8})
		t.line = color.Gray{90}
	}
	t.Clear()
	t.SetLineWidth(2)
	return t
}

// cell draws a cell by its corners.
func (t *tiling) cell(corners ...vision.Point) {
	var c vision.Point
	for i, p := range corners {
		c.X, c.Y = c.X+p.X/float64(len(corners)), c.Y+p.Y/float64(len(corners))
		if i == 0 {
			t.MoveTo(p.X, p.Y)
		} else {
			t.LineTo(p.X, p.Y)
		}
	}
	t.ClosePath()
	t.SetColor(t.line)
	t.Stroke()
	for _, o := range t.centres {
		if c.Dist(o) < 3 {
			return
		}
	}
	t.centres = append(t.centres, c)
}

// regular are the corners of a regular polygon, the first at an angle.
func regular(n int, x, y, radius, first float64) []vision.Point {
	out := make([]vision.Point, n)
	for k := range out {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(n))
		out[k] = vision.Point{X: x + radius*cos, Y: y + radius*sin}
	}
	return out
}

// ends draws pairs of discs into cells.
func (t *tiling) ends(rng *rand.Rand, pairs int) *image.RGBA {
	for i, k := range rng.Perm(len(t.centres))[:2*pairs] {
		t.DrawCircle(t.centres[k].X, t.centres[k].Y, 0.27*t.side)
		t.SetColor(hueOf(i / 2))
		t.Fill()
	}
	return t.Image().(*image.RGBA)
}

// cubes is a board of rhombs, three of which look like a cube.
func cubes(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * math.Sqrt(3)
	t := newTiling(wide*(float64(cols)+1.5)+60, side*1.5*(float64(rows)+1)+60, side, dark)
	for r := range rows {
		for c := range cols {
			x, y := 30+wide*(float64(c)+0.6+float64(r%2)/2), 30+side*(1.5*float64(r)+1)
			p := regular(6, x, y, side, math.Pi/6)
			for _, k := range []int{1, 3, 5} {
				t.cell(vision.Point{X: x, Y: y}, p[k-1], p[k], p[(k+1)%6])
			}
		}
	}
	return t.ends(rng, 6)
}

// hexesAndSquares is a board of hexagons with squares and triangles between them.
func hexesAndSquares(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * (1 + math.Sqrt(3))
	t := newTiling(wide*(float64(cols)+1), wide*math.Sqrt(3)/2*(float64(rows)+0.8), side, dark)
	for r := range rows {
		for c := range cols {
			x, y := wide*(float64(c)+0.6+float64(r%2)/2), wide*math.Sqrt(3)/2*(float64(r)+0.8)
			p := regular(6, x, y, side, math.Pi/6)
			t.cell(p...)
			for k := range p {
				a, b := p[k], p[(k+1)%6]
				sin, cos := math.Sincos(math.Pi / 3 * float64(k+1))
				off := vision.Point{X: side * cos, Y: side * sin}
				t.cell(a, b, vision.Point{X: b.X + off.X, Y: b.Y + off.Y}, vision.Point{X: a.X + off.X, Y: a.Y + off.Y})
			}
		}
	}
	return t.ends(rng, 6)
}

// octagonsAndSquares is a board of octagons with squares between them.
func octagonsAndSquares(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA {
	wide := side * (1 + math.Sqrt2)
	t := newTiling(wide*(float64(cols)+1), wide*(float64(rows)+1), side, dark)
	for r := range rows {
		for c := range cols {
			x, y := wide*(float64(c)+1), wide*(float64(r)+1)
			t.cell(regular(8, x, y, side/2/math.Sin(math.Pi/8), math.Pi/8)...)
			if c < cols-1 && r < rows-1 {
				t.centres = append(t.centres, vision.Point{X: x + wide/2, Y: y + wide/2})
			}
		}
	}
	return t.ends(rng, 6)
}

// tiled draws a board of cells of several shapes.
type tiled func(rng *rand.Rand, side float64, cols, rows int, dark bool) *image.RGBA

// tilings are those that are drawn, by name.
func tilings() map[string]tiled {
	return map[string]tiled{"cubes": cubes, "hexagons and squares": hexesAndSquares, "octagons and squares": octagonsAndSquares}
}

// drawn draws one by a seed.
func (d tiled) drawn(k int, name string) *image.RGBA {
	rng := rand.New(rand.NewPCG(uint64(k), hashed(name)))
	return d(rng, 34+50*rng.Float64(), 3+rng.IntN(3), 3+rng.IntN(4), k%2 == 0)
}

// TestOtherTilings: boards of cells of several shapes, and of slanted cubes, are not read.
func TestOtherTilings(t *testing.T) {
	eye := cellEye(t)
	for kind, tiled := range tilings() {
		for k := range 12 {
			m := tiled.drawn(k, kind)
			name := fmt.Sprintf("%s %d", kind, k)
			read, _ := looked(t, eye, m)
			for _, r := range read {
				t.Errorf("%s: got %s, %.3f sure, want nothing:\n%s", name, r.Game.Name, r.Confidence, textOf(r.Puzzle))
			}
		}
	}
}
