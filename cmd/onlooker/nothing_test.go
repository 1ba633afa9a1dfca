package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
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
	const blue = "grid 5x5\n*ooo*\n*ooo*\no***o\noo*oo\noo*oo\n"
	eye := autoEye(t)
	for _, row := range []struct{ folder, file, want string }{
		{"lights", "lights-blue-on-light-300x300.png", blue},
		{"lights", "lights-red-on-white-300x300.png", blue},
		{"lights", "lights-blue-on-dark-300x300.png", blue},
		{"live", "cherche4-beyond.png", "grid 4x4\nooo*\n***o\no*oo\noo**\n"},
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
		{nil, "all are wanted on, since the board does not tell (see --goal)\nall on, 12 flips, the fewest\n"},
		{[]string{"--goal", "off"}, "\nall off, 5 flips, the fewest\n"},
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
	s.SetColor(s.faint())
	s.lines(1)
	for k, e := range p.Pairs() {
		s.SetColor(hueOf(k))
		for _, at := range e {
			s.disc(float64(at.X)+0.5, float64(at.Y)+0.5, 0.34)
			s.Fill()
		}
	}
	s.SetColor(s.ink)
	s.words("level", 0.6, -0.45, 0.45)
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
		s.disc(float64(i%5)+0.5, float64(i/5)+0.5, 0.36)
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
		case row.want != nil && (len(read) != 1 || textOf(read[0].Puzzle) != textOf(row.want)):
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
