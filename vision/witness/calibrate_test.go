package witness

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/looktest"
)

// Calibrate learns the look that the shots show.
func Calibrate(base *calibrations.Profile, shots []learn.Shot) (*learn.Calibration, error) {
	return calibrateWith(drawing.Known(), base, shots)
}

// calibrateWith is Calibrate for symbols of some forms.
func calibrateWith(forms drawing.Forms, base *calibrations.Profile, shots []learn.Shot) (*learn.Calibration, error) {
	return (&learn.Course{Base: base, Forms: forms, Read: Read}).Learn(shots)
}

// TestCalibrateMeasuresALook measures a look that is known, with the truth and
// without, which reads the board without help. With either the look reads another board.
func TestCalibrateMeasuresALook(t *testing.T) {
	base := challengeLook(t)
	style := inventedLooks(base)["saturated"]
	style.Symbols.Square, style.Symbols.Star = 0.3, 0.42
	panel := made.Sampler()
	for _, told := range []bool{true, false} {
		shot := learn.Shot{Name: "sampler", Frame: looktest.OnWall(panel, style, 56)}
		if told {
			shot.Truth = []learn.Truth{{Panel: panel}}
		}
		c, err := Calibrate(base, []learn.Shot{shot})
		if err != nil {
			t.Errorf("truth told %v: %v", told, err)
			continue
		}
		for _, row := range []struct {
			name string
			got  calibrations.Range
			want float64
		}{{"line", c.Profile.Board.Line, style.Line}, {"start", c.Profile.Board.Start, style.Start}, {"cap", c.Profile.Board.Cap, style.Cap}, {"gap", c.Profile.Board.Gap, style.Gap}} {
			if !row.got.Has(row.want) || row.got[1] > 2*row.want {
				t.Errorf("truth told %v: %s is %v, want a range round %.2f", told, row.name, row.got, row.want)
			}
		}
		other := made.Panel(3, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(6, 0, 0, -1), made.Gap(witness.Broken, image.Pt(4, 3)),
			made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.White}, image.Pt(1, 3)), made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(5, 1)),
			made.Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {Y: 1}, {X: 1, Y: 1}}}, image.Pt(3, 5)))
		b := only(t, looktest.OnWall(other, style, 48), c.Profile)
		if got, err := readPanel(t, c.Profile, b); err != nil {
			t.Errorf("another board: %v", err)
		} else if d := witness.Differ(other, got); d != "" {
			t.Errorf("another board: %s", d)
		}
		if missing := []string{"blue piece", "eraser"}; !slices.Equal(c.Missing, missing) {
			t.Errorf("truth told %v: missing %v, want %v", told, c.Missing, missing)
		}
		solvetest.Same(t, witness.Differ(panel, c.Read[0][0]), "", "truth told %v: read back", told)
		solvetest.Fine(t, drawing.CheckLook(c.Profile), fmt.Sprintf("truth told %v", told))
		if _, err := calibrations.Write(c.Profile, "a test"); err != nil {
			t.Errorf("truth told %v: %v", told, err)
		}
	}
}

// only is the one board of a frame.
func only(t *testing.T, frame image.Image, look *calibrations.Profile) *vision.Board {
	t.Helper()
	all := located(t, frame, look)
	if len(all) != 1 {
		t.Fatalf("%d boards; want one", len(all))
	}
	return all[0]
}

func located(t testing.TB, frame image.Image, look *calibrations.Profile) []*vision.Board {
	t.Helper()
	return solvetest.Must(locate.Boards(frame, look.Board))(t)
}

// TestCalibrateRefuses gives it what nothing can be learnt from.
func TestCalibrateRefuses(t *testing.T) {
	base := challengeLook(t)
	style := inventedLooks(base)["saturated"]
	panel := made.Sampler()
	wall := randomWall(rand.New(rand.NewPCG(1, 1)), image.Pt(600, 400), style.Around)
	bare := made.Panel(3, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(6, 0, 0, -1))
	wrong := func(c made.Change) *witness.Panel {
		p := panel.Clone()
		c(p)
		return p
	}
	for _, row := range []struct {
		why   string
		frame image.Image
		truth *witness.Panel
		want  string
	}{
		{"no board at all", wall, nil, "no board"},
		{"nothing to tell colours apart by", looktest.OnWall(bare, style, 56), nil, "too few to tell colours apart"},
		{"a symbol that is not there", looktest.OnWall(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Black}, image.Pt(3, 1))), "a symbol at column 2 row 1 of shot shows less"},
		{"a break that is not there", looktest.OnWall(panel, style, 56), wrong(made.Gap(witness.Broken, image.Pt(1, 0))), "your pictures showed no edge like this one"},
		{"a board of another size", looktest.OnWall(panel, style, 56), bare, "3x3 cells"},
		{"a square said to be a star", looktest.OnWall(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.White}, image.Pt(1, 1))), ""},
		{"colours the other way about", looktest.OnWall(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(1, 1))), ""},
	} {
		shot := learn.Shot{Name: "shot", Frame: row.frame}
		if row.truth != nil {
			shot.Truth = []learn.Truth{{Panel: row.truth}}
		}
		c, err := Calibrate(base, []learn.Shot{shot})
		if err == nil {
			t.Errorf("%s: calibrated %v", row.why, c.Measured)
			continue
		}
		if !strings.Contains(err.Error(), row.want) || strings.Contains(fmt.Sprint(err), "\n\n") {
			t.Errorf("%s: got %q, want %q in it", row.why, err, row.want)
		}
	}
}

// inventedLooks are two looks that no game has, in sizes and colours of their
// own.
func inventedLooks(p *calibrations.Profile) map[string]drawing.Style {
	base := drawing.Typical(p)
	inks := map[witness.Colour]color.NRGBA{
		witness.Black: made.RGB(16, 16, 20), witness.White: made.RGB(250, 250, 250), witness.Magenta: made.RGB(225, 40, 190),
		witness.Green: made.RGB(40, 170, 60), witness.Yellow: made.RGB(240, 200, 20), witness.Blue: made.RGB(50, 70, 230), witness.Orange: made.RGB(235, 120, 20),
	}
	look := func(line, gap, start, cap, size float64, ground, lines, around, dot color.NRGBA) drawing.Style {
		s := base
		s.Line, s.Gap, s.Start, s.Cap, s.Margin, s.Border = line, gap, start, cap, 0.45, 0.05
		s.Ground, s.Lines, s.Around, s.Dot, s.Inks = ground, lines, around, dot, maps.Clone(inks)
		s.Trace, s.Second = made.RGB(30, 150, 255), made.RGB(255, 130, 20) // of dots for one of two lines
		y := &s.Symbols
		for _, v := range []*float64{&y.Square, &y.Star, &y.Block, &y.Spacing, &y.Triangle[0], &y.Triangle[1], &y.TriangleSpacing, &y.TriangleRise, &y.Eraser} {
			*v *= size
		}
		return s
	}
	looks := map[string]drawing.Style{
		"dark on light": look(0.22, 0.24, 1.25, 1.8, 1.0, made.RGB(205, 214, 220), made.RGB(72, 76, 84), made.RGB(180, 186, 190), made.RGB(8, 8, 10)),
		"saturated":     look(0.24, 0.3, 1.25, 1.9, 1.0, made.RGB(0, 150, 215), made.RGB(255, 225, 0), made.RGB(0, 120, 180), made.RGB(20, 0, 40)),
	}
	// Blue on its blue ground could not be seen by anybody.
	looks["saturated"].Inks[witness.Blue] = made.RGB(24, 16, 120)
	// Nor would a blue dot, or an orange one on its yellow lines.
	saturated := looks["saturated"]
	saturated.Trace, saturated.Second = made.RGB(150, 20, 255), made.RGB(240, 50, 30)
	looks["saturated"] = saturated
	return looks
}

// screenshot is a page as Chromium shows it, in CSS pixels times zoom.
func screenshot(t testing.TB, html []byte, size image.Point, zoom float64) image.Image {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium here to draw with")
	}
	dir := t.TempDir()
	source, shot := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	solvetest.OK(t, os.WriteFile(source, html, 0o644))
	ctx, stop := context.WithTimeout(context.Background(), 90*time.Second)
	defer stop()
	said, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(dir, "profile"), fmt.Sprintf("--window-size=%d,%d", size.X, size.Y),
		fmt.Sprintf("--force-device-scale-factor=%g", zoom), "--screenshot="+shot, "file://"+source).CombinedOutput()
	if err != nil {
		t.Fatalf("chromium: %v: %s", err, said)
	}
	f := solvetest.Must(os.Open(shot))(t)
	defer f.Close()
	return solvetest.Must(png.Decode(f))(t)
}

// webPage is a page of boards among headings, buttons and pictures, in a look
// whose lines are hardly darker than the frame round a board.
func webPage(t testing.TB, panels []*witness.Panel, style drawing.Style, zoom float64) image.Image {
	t.Helper()
	var html bytes.Buffer
	html.WriteString(`<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#f4f2ee;font:16px sans-serif}nav{background:#345;color:#fff;padding:12px}.b{display:inline-block;margin:24px}.p{display:inline-block;width:150px;height:110px;margin:8px;background:repeating-linear-gradient(45deg,#bcd,#bcd 12px,#89a 12px,#89a 24px)}table td{border:2px solid #999;width:34px;height:26px}</style><nav>Puzzles of the day <button>New</button> <button>Check</button></nav><h1>Three boards</h1>`)
	for i, p := range panels {
		fmt.Fprintf(&html, `<div class="b"><h3>No. %d</h3>`, i+1)
		solvetest.OK(t, picture.SVG(&html, drawing.Shapes(p, nil, style), 23))
		html.WriteString(`<p><button>Solve</button> <a href="#">Share</a></p></div>`)
	}
	html.WriteString(`<p>Seen lately:</p><div class="p"></div><div class="p" style="border-radius:50%"></div><table><tr><td>1<td>2<td>3</table>`)
	return screenshot(t, html.Bytes(), image.Pt(1180, 820), zoom)
}

// TestCalibrateFromAWebPage learns a look of low contrast from one page, with
// the truth and without, and reads another page at a zoom of 150 %.
func TestCalibrateFromAWebPage(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	base := challengeLook(t)
	style := inventedLooks(base)["dark on light"]
	style.Ground, style.Lines, style.Around = made.RGB(222, 224, 226), made.RGB(164, 168, 174), made.RGB(176, 180, 186)
	style.Border = 0.2
	second := made.Panel(3, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(6, 0, 1, -1), made.Gap(witness.Broken, image.Pt(2, 3)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Magenta}, image.Pt(1, 1)), made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(3, 3), image.Pt(5, 1)))
	third := made.Panel(4, 4, false, witness.NoSymmetry, made.Starts(image.Pt(0, 8)), made.End(8, 0, 0, -1), made.Dot(witness.Dot{}, image.Pt(4, 4)),
		made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Magenta}, image.Pt(1, 1), image.Pt(5, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Black}, image.Pt(7, 3), image.Pt(3, 7)))
	first := []*witness.Panel{made.Sampler(), second, third}
	next := webPage(t, []*witness.Panel{third, made.Sampler(), second}, style, 1.5)
	want := []*witness.Panel{third, made.Sampler(), second}
	for _, told := range []bool{true, false} {
		shot := learn.Shot{Name: "page", Frame: webPage(t, first, style, 1.5)}
		if told {
			for _, p := range first {
				shot.Truth = append(shot.Truth, learn.Truth{Panel: p})
			}
		}
		c, err := Calibrate(base, []learn.Shot{shot})
		if err != nil {
			keep(t, "web-page", shot.Frame)
			t.Fatalf("truth told %v: %v", told, err)
		}
		solvetest.Same(t, len(c.Read[0]), len(first), "truth told %v: boards read back", told)
		for _, tr := range c.Shots[0].Truth {
			if !slices.ContainsFunc(first, func(w *witness.Panel) bool {
				return witness.Differ(witness.Untwisted(w), witness.Untwisted(tr.Panel)) == ""
			}) {
				text, _ := forms.MarshalText(tr.Panel)
				t.Errorf("truth told %v: it takes for the truth what no board of the page shows:\n%s", told, text)
			}
		}
		boards := solvetest.Must(locate.Boards(next, c.Profile.Board))(t)
		read := 0
		for _, b := range boards {
			got, err := readPanel(t, c.Profile, b)
			if err != nil {
				t.Logf("truth told %v: at (%.0f,%.0f): %v", told, b.Quad[0].X, b.Quad[0].Y, err)
				continue
			}
			read++
			if !slices.ContainsFunc(want, func(w *witness.Panel) bool { return witness.Differ(w, got) == "" }) {
				t.Errorf("truth told %v: at (%.0f,%.0f) it reads what no board of the page shows: %v", told, b.Quad[0].X, b.Quad[0].Y, forms.String(got))
			}
		}
		solvetest.Same(t, read, len(want), "truth told %v: boards of the next page read", told)
	}
}
