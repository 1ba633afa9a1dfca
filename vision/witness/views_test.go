package witness

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	family "onlooker/solve/witness"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// framed is a frame of a size and one colour with a picture in it, whose upper left is at a
// place.
func framed(m *image.RGBA, size, at image.Point, around color.Color) *image.RGBA {
	frame := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(frame, frame.Rect, image.NewUniform(around), image.Point{}, draw.Src)
	draw.Draw(frame, m.Rect.Sub(m.Rect.Min).Add(at), m, m.Rect.Min, draw.Over)
	return frame
}

// onWall draws a panel before a grey wall, 48 pixels a cell, in a frame as high
// as the pointer that pointer draws asks for.
func onWall(panel *witness.Panel, look *calibrations.Profile) *image.RGBA {
	return styled(panel, drawing.Typical(look))
}

// styled is onWall in a style.
func styled(panel *witness.Panel, style drawing.Style) *image.RGBA {
	m := drawing.Draw(panel, style, 48)
	return framed(m, image.Pt(m.Rect.Dx()+80, 1080), image.Pt(40, 40), color.RGBA{70, 66, 60, 255})
}

// boardIn is the largest board of a frame, or nil.
func boardIn(t *testing.T, frame *image.RGBA, profile *calibrations.Profile) *vision.Board {
	t.Helper()
	boards := located(t, frame, profile)
	if len(boards) == 0 {
		return nil
	}
	return boards[0]
}

// over lays a colour over each pixel of a copy, as much as alpha says.
func over(frame *image.RGBA, c [3]float64, alpha func(x, y float64) float64) *image.RGBA {
	out := image.NewRGBA(frame.Rect)
	copy(out.Pix, frame.Pix)
	for y := range frame.Rect.Dy() {
		for x := range frame.Rect.Dx() {
			a := alpha(float64(x), float64(y))
			p := out.Pix[y*out.Stride+4*x:]
			for k := range 3 {
				p[k] = uint8(float64(p[k])*(1-a) + a*c[k] + 0.5)
			}
		}
	}
	return out
}

// smudge hides what is in a circle, all but its border.
func smudge(frame *image.RGBA, at vision.Point, radius float64) *image.RGBA {
	return over(frame, [3]float64{235, 235, 240}, func(x, y float64) float64 {
		return max(0, min(1, radius-math.Hypot(x-at.X, y-at.Y)+0.5))
	})
}

// TestViewsComplete: what one frame hides another tells. A smudge lies over one
// symbol and then over another, the veil of entering lies there and then is
// gone, one side of the panel is nearly dark and then all is lit; each frame alone may be unsure, together they are the panel.
func TestViewsComplete(t *testing.T) {
	profile := challengeLook(t)
	unsure, completed := 0, 0
	for seed := range uint64(2) {
		for _, kind := range []string{"squares", "polyominoes", "stars", "triangles-6"} {
			deal, err := family.DealChallenge(t.Context(), rand.New(rand.NewPCG(seed, 3)), kind)
			solvetest.OK(t, err)
			panel := deal.Panels[0]
			frame := onWall(panel, profile)
			plain := boardIn(t, frame, profile)
			if r := NewReader(profile); r.Add(plain) != nil {
				t.Fatal("a first view is refused")
			} else if p, err := r.Panel(); err != nil || witness.Differ(panel, p) != "" {
				continue // a dot under a start circle is not seen in any frame
			}
			// Where something stands.
			var marks []vision.Point
			for at := range panel.Points() {
				if panel.At(at).Kind != witness.NoSymbol {
					marks = append(marks, plain.ScreenPoint(float64(at.X), float64(at.Y)))
				}
			}
			rng := rand.New(rand.NewPCG(seed, 4))
			rng.Shuffle(len(marks), func(i, j int) { marks[i], marks[j] = marks[j], marks[i] })
			left, right := plain.Quad[0].X, plain.Quad[1].X
			dark := over(frame, [3]float64{}, func(x, y float64) float64 {
				return 0.7 * max(0, min(1, (x-left)/(right-left)))
			})
			for name, frames := range map[string][2]*image.RGBA{
				"smudge":  {smudge(frame, marks[0], 16), smudge(frame, marks[1], 16)},
				"pointer": {drawPointer(frame, marks[0]), drawPointer(frame, marks[1])},
				"entry": {drawPointer(over(frame, [3]float64{255, 255, 255}, func(x, y float64) float64 {
					return 0.5 * max(0, min(1, 60.5-math.Hypot(x-marks[0].X, y-marks[0].Y)))
				}), marks[0]), frame},
				"fading": {dark, over(frame, [3]float64{}, func(x, y float64) float64 { return 0.2 })},
			} {
				var alone [2]*witness.Panel
				together := NewReader(profile)
				for i, f := range frames {
					b := boardIn(t, f, profile)
					if b == nil {
						continue
					}
					r := NewReader(profile)
					solvetest.OK(t, r.Add(b))
					if err := together.Add(b); err != nil {
						t.Logf("seed %d, %s, %s: %v", seed, kind, name, err) // the dark side is not seen at all
					}
					if alone[i], err = r.Panel(); err != nil && !errors.As(err, new(*vision.UnsureError)) {
						t.Fatal(seed, kind, name, err)
					}
				}
				if alone[0] == nil {
					unsure++
				} else if d := witness.Differ(panel, alone[0]); d != "" {
					t.Errorf("seed %d, %s, %s: the first frame alone: %s", seed, kind, name, d)
				}
				got, err := together.Panel()
				switch {
				case err != nil:
					t.Logf("seed %d, %s, %s: %v", seed, kind, name, err)
				case witness.Differ(panel, got) != "":
					t.Errorf("seed %d, %s, %s: %s", seed, kind, name, witness.Differ(panel, got))
				case alone[0] == nil || alone[1] == nil:
					completed++
				}
			}
		}
	}
	t.Logf("%d first frames unsure, %d panels completed", unsure, completed)
	if unsure < 10 || completed < 10 {
		t.Errorf("%d first frames unsure, %d panels completed: want 10 of each, or this shows nothing", unsure, completed)
	}
}

// drawPointer lays the game's pointer over a frame of 1080 lines' scale.
func drawPointer(frame *image.RGBA, at vision.Point) *image.RGBA {
	return pointerOf(frame, at, 1, 0.4, 0.5)
}

// pointerOf lays a pointer of a scale, an opacity and a ring's over a frame.
func pointerOf(frame *image.RGBA, at vision.Point, scale, alpha, dark float64) *image.RGBA {
	disc := over(frame, [3]float64{255, 255, 255}, func(x, y float64) float64 {
		return alpha * max(0, min(1, 14*scale+0.5-math.Hypot(x-at.X, y-at.Y)))
	})
	return over(disc, [3]float64{}, func(x, y float64) float64 {
		r := math.Hypot(x-at.X, y-at.Y)
		return dark * max(0, min(1, min(r-14*scale, 17*scale-r)))
	})
}

// TestViewsContradict: views of two panels are an error that names the place.
func TestViewsContradict(t *testing.T) {
	profile := challengeLook(t)
	const text = "panel 3x3\n+-+-+-^\n|a| |b|\n+-+-+-+\n| |a|b|\n+-+-+-+\n|a| |b|\n@-+-+-+\na = black square\nb = white square\n"
	for _, c := range []struct{ other, want string }{
		{strings.Replace(text, "|a| |b|", "|b| |b|", 1), "column 1 row 1"}, // as bright as the others, and not
		{strings.Replace(text, "| |a|b|", "| | |b|", 1), "column 2 row 2"},
		{strings.Replace(text, "@-+-+-+", "@-+-@-+", 1), "corner column 3 row 4"},
		{strings.Replace(text, "+-+-+-^", "+-+-+-+", 1), "end"},
		{strings.Replace(text, "+-+-+-+", "+-+ +-+", 1), "edge under column 2 row 1"},
	} {
		r := NewReader(profile)
		for _, s := range []string{text, c.other} {
			panel := solvetest.Must(forms.Parse([]byte(s)))(t)
			solvetest.OK(t, r.Add(boardIn(t, onWall(panel, profile), profile)))
		}
		p, err := r.Panel()
		switch {
		case c.want == "end": // a view without an end tells nothing about ends
			if err != nil || !p.At(image.Pt(6, 0)).IsEnd() {
				t.Errorf("no end in one of two views: %v", err)
			}
		case err == nil || errors.As(err, new(*vision.UnsureError)) || !strings.Contains(err.Error(), c.want):
			t.Errorf("got %v, want a contradiction at %s", err, c.want)
		}
	}
}

// challengeLook is the look of the game's own Challenge, freshly loaded: what a test
// changes in it is changed for nobody else.
func challengeLook(t testing.TB) *calibrations.Profile {
	t.Helper()
	return solvetest.Must(calibrations.Load("witness-challenge"))(t)
}
