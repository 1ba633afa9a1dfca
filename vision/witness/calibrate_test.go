package witness

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
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
	all := located(t, frame, look)
	if len(all) != 1 {
		t.Fatalf("%d boards; want one", len(all))
	}
	return all[0]
}

func located(t testing.TB, frame image.Image, look *calibrations.Profile) []*vision.Board {
	t.Helper()
	all := solvetest.Must(locate.Boards(frame, look.Board))(t)
	return all
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
