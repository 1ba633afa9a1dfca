package witness

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/picture/witness/made"
)

// Calibrate learns the look that the shots show by a Course whose questions ask answers.
func Calibrate(base *calibrations.Profile, shots []Shot, ask func(*Question) (string, error)) (*Calibration, error) {
	return (&Calibration{drawn: drawing.Known()}).calibrate(base, shots, ask)
}

// calibrate is Calibrate for symbols of some forms.
func (c *Calibration) calibrate(base *calibrations.Profile, shots []Shot, ask func(*Question) (string, error)) (*Calibration, error) {
	course := &Course{base: base, drawn: c.drawn}
	for _, s := range shots {
		if err := course.Add(s); err != nil {
			return nil, err
		}
	}
	if err := course.Ask(ask); err != nil {
		return nil, err
	}
	return course.Learn()
}

// shown is a picture of a panel in the middle of a plain wall.
func shown(p *witness.Panel, s drawing.Style, pitch float64) image.Image {
	board := drawing.Draw(p, s, pitch)
	m := image.NewRGBA(image.Rect(0, 0, board.Rect.Dx()+160, board.Rect.Dy()+120))
	draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{s.Around.R / 2, s.Around.G / 2, s.Around.B / 2, 255}), image.Point{}, draw.Src)
	draw.Draw(m, board.Rect.Add(image.Pt(80, 60)), board, image.Point{}, draw.Over)
	return m
}

// sampler is a panel with squares, stars, an eraser, triangles, a break and a
// dot on it: what a look is measured by.
func sampler() *witness.Panel {
	return made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1),
		made.Gap(witness.Broken, image.Pt(3, 0), image.Pt(4, 3)), made.Dot(witness.Dot{}, image.Pt(6, 3)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 1), image.Pt(3, 3)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(5, 1)),
		made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Black}, image.Pt(7, 1), image.Pt(1, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Triangle, Count: 2, Colour: witness.Orange}, image.Pt(3, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Triangle, Count: 3, Colour: witness.Orange}, image.Pt(5, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {X: 1}, {X: 2}}}, image.Pt(7, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {Y: 1}}}, image.Pt(7, 3)))
}

func never(t *testing.T) func(*Question) (string, error) {
	return func(q *Question) (string, error) {
		t.Errorf("asked for a %s at %v, which the truth or what is read tells", q.Sort, q.Places[0])
		return DoNotKnow, nil
	}
}

// TestCalibrateMeasuresALook measures a look that is known, with the truth and
// without, which reads the board without help. With either the look reads another board.
func TestCalibrateMeasuresALook(t *testing.T) {
	base := challengeLook(t)
	style := inventedLooks(base)["saturated"]
	style.Symbols.Square, style.Symbols.Star = 0.3, 0.42
	panel := sampler()
	for _, told := range []bool{true, false} {
		shot := Shot{Name: "sampler", Frame: shown(panel, style, 56)}
		if told {
			shot.Truth = []Truth{{Panel: panel}}
		}
		c, err := Calibrate(base, []Shot{shot}, never(t))
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
		b := only(t, shown(other, style, 48), c.Profile)
		r := NewReader(c.Profile)
		if err := r.Add(b); err != nil {
			t.Fatal(err)
		}
		if got, err := r.Panel(); err != nil {
			t.Errorf("another board: %v", err)
		} else if d := witness.Differ(other, got); d != "" {
			t.Errorf("another board: %s", d)
		}
		if missing := []string{"blue piece", "eraser"}; !slices.Equal(c.Missing, missing) {
			t.Errorf("truth told %v: missing %v, want %v", told, c.Missing, missing)
		}
		if d := witness.Differ(panel, c.Read[0][0]); d != "" {
			t.Errorf("truth told %v: read back: %s", told, d)
		}
		if err := drawing.CheckLook(c.Profile); err != nil {
			t.Errorf("truth told %v: %v", told, err)
		}
		if _, err := calibrations.Write(c.Profile, "a test"); err != nil {
			t.Errorf("truth told %v: %v", told, err)
		}
	}
}

// only is the one board of a frame.
func only(t *testing.T, frame image.Image, look *calibrations.Profile) *vision.Board {
	t.Helper()
	located, err := vision.Locate(frame, look.Board)
	if err != nil || len(located) != 1 {
		t.Fatalf("%d boards, %v; want one", len(located), err)
	}
	return located[0]
}

// TestCalibrateRefuses gives it what nothing can be learnt from.
func TestCalibrateRefuses(t *testing.T) {
	base := challengeLook(t)
	style := inventedLooks(base)["saturated"]
	panel := sampler()
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
		{"nothing to tell colours apart by", shown(bare, style, 56), nil, "too few to tell colours apart"},
		{"a symbol that is not there", shown(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Black}, image.Pt(3, 1))), "a symbol at column 2 row 1 of shot shows less"},
		{"a break that is not there", shown(panel, style, 56), wrong(made.Gap(witness.Broken, image.Pt(1, 0))), "your pictures showed no edge like this one"},
		{"a board of another size", shown(panel, style, 56), bare, "3x3 cells"},
		{"a square said to be a star", shown(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.White}, image.Pt(1, 1))), ""},
		{"colours the other way about", shown(panel, style, 56), wrong(made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(1, 1))), ""},
	} {
		shot := Shot{Name: "shot", Frame: row.frame}
		if row.truth != nil {
			shot.Truth = []Truth{{Panel: row.truth}}
		}
		c, err := Calibrate(base, []Shot{shot}, never(t))
		if err == nil {
			t.Errorf("%s: calibrated %v", row.why, c.Measured)
			continue
		}
		if !strings.Contains(err.Error(), row.want) || strings.Contains(fmt.Sprint(err), "\n\n") {
			t.Errorf("%s: got %q, want %q in it", row.why, err, row.want)
		}
	}
}
