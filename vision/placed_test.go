package vision

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"onlooker/solve/solvetest"
)

func TestPlaced(t *testing.T) {
	quad := [4]Point{{100, 50}, {520, 80}, {480, 310}, {90, 260}}
	b := solvetest.Must(Placed(image.Pt(640, 480), 7, 3, quad))(t)
	for i, at := range []Point{{0, 0}, {14, 0}, {14, 6}, {0, 6}} {
		if p := b.ScreenPoint(at.X, at.Y); math.Hypot(p.X-quad[i].X, p.Y-quad[i].Y) > 1e-6 {
			t.Errorf("corner %d: got %v, want %v", i, p, quad[i])
		}
	}
	// The diagonals cross in the middle of the board.
	if p := b.ScreenPoint(7, 3); math.Abs((p.X-100)/(480-100)-(p.Y-50)/(310-50)) > 1e-9 {
		t.Errorf("the middle is at %v, off a diagonal", p)
	}
	if _, err := Placed(image.Pt(640, 480), 7, 3, [4]Point{{1, 1}, {2, 2}, {3, 3}, {4, 4}}); err == nil {
		t.Error("an outline without area was taken")
	}
}

// TestGoesOn: a board whose picture ends near its border goes on there where its lines do, or where
// nothing is seen beyond them.
func TestGoesOn(t *testing.T) {
	ink, paper, page := color.RGBA{20, 20, 20, 255}, color.RGBA{220, 220, 220, 255}, color.RGBA{90, 120, 200, 255}
	for _, row := range []struct {
		why            string
		beyond         int // pixels to the right of the last line's middle, of a pitch of 40
		on             bool
		ground         color.RGBA
		border, goesOn float64
	}{
		{"far from the border", 30, false, paper, 0, 0},
		{"ground beyond it", 16, false, paper, 0.25, 0},
		{"a page of the lines' colour beyond it", 16, false, ink, 0.25, 0},
		{"another page beyond it", 16, false, page, 0.25, 0},
		{"lines that go on", 16, true, paper, 0.25, 0.25},
		{"cut at the line", 4, false, paper, 0.25, 0.25},
	} {
		const pitch, from = 40, 60
		m := image.NewRGBA(image.Rect(0, 0, from+3*pitch+row.beyond, 240))
		fill := func(r image.Rectangle, c color.Color) {
			draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
		}
		fill(m.Rect, row.ground)
		fill(image.Rect(from, from, from+3*pitch, from+3*pitch), paper)
		right := from + 3*pitch + 4
		if row.on {
			right = m.Rect.Max.X
		}
		for i := range 4 {
			fill(image.Rect(from-4, from+i*pitch-4, right, from+i*pitch+4), ink)
			fill(image.Rect(from+i*pitch-4, from-4, from+i*pitch+4, from+3*pitch+4), ink)
		}
		b := solvetest.Must(Placed(m.Rect.Size(), 3, 3, [4]Point{{from, from}, {from + 3*pitch, from}, {from + 3*pitch, from + 3*pitch}, {from, from + 3*pitch}}))(t)
		b.Line, b.Ink, b.Paper, b.Pitch, b.Margin = 0.2, RGB{20, 20, 20}, RGB{220, 220, 220}, pitch, pitch
		b.Flat = image.NewRGBA(image.Rect(0, 0, 5*pitch+1, 5*pitch+1))
		draw.Draw(b.Flat, b.Flat.Rect, m, image.Pt(from-pitch, from-pitch), draw.Src)
		solvetest.Same(t, b.AtBorder(), row.border, "%s: of the sides at the border", row.why)
		if got := b.GoesOn(); math.Abs(got-row.goesOn) > 0.01 {
			t.Errorf("%s: goes on at %.2f, want %.2f", row.why, got, row.goesOn)
		}
	}
}

// A panic in one of several goroutines reaches who waits for them, with its place,
// and the others end first.
func TestSideBySideForwardsPanics(t *testing.T) {
	var done atomic.Int64
	var fault *Fault
	func() {
		defer func() { fault = Caught(recover()) }()
		SideBySide(8, func(outer int) {
			SideBySide(4, func(i int) {
				if outer == 3 && i == 2 {
					var none []int
					_ = none[i]
				}
				done.Add(1)
			})
		})
	}()
	var err error = fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "index out of range") || !strings.Contains(err.Error(), "placed_test.go:") {
		t.Errorf("got %v, want the index out of range, in this file", err)
	}
	if done.Load() == 0 {
		t.Error("nothing else was done")
	}
}

func TestCaughtNothing(t *testing.T) {
	func() {
		defer func() {
			if f := Caught(recover()); f != nil {
				t.Errorf("got %v where nothing panicked", f)
			}
		}()
	}()
}

// TestRanked: every rank is what sorting gives, with equal values as well, and
// what is no number is gone through to an end.
func TestRanked(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rng.IntN(n))
		}
		sorted := slices.Sorted(slices.Values(v))
		for k := range v {
			if got := Ranked(slices.Clone(v), k); got != sorted[k] {
				t.Fatalf("rank %d of %v: %v, want %v", k, v, got, sorted[k])
			}
		}
		solvetest.Same(t, Median(v), sorted[n/2], "median of %v", sorted)
	}
	zero := 0.0
	Ranked([]float64{1, zero / zero, 3, zero / zero, 2}, 2)
	solvetest.Same(t, Median(nil), 0, "median of nothing")
}

// TestQuestion: a refusal asks the same of all boards.
func TestQuestion(t *testing.T) {
	for _, row := range []struct{ what, want string }{
		{"a board of 12x12 cells, or of more or fewer: -0.85 log-odds, want 0.85", "a board of cells, or of more or fewer: log-odds, want"},
		{"a board of 7x3 cells, or of more or fewer: -Inf log-odds, want 0.85", "a board of cells, or of more or fewer: log-odds, want"},
		{"a form like 6, want one of half-cells", "a form like want one of half-cells"},
		{"no end cap", "no end cap"},
	} {
		solvetest.Same(t, (&UnsureError{What: row.what}).Question(), row.want, "%q", row.what)
	}
}

// TestSlide moves a page of rectangles in its window, whose bars stay.
func TestSlide(t *testing.T) {
	page := image.NewRGBA(image.Rect(-400, -400, 1200, 1000))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x, y, c := rng.IntN(1600)-400, rng.IntN(1400)-400, color.RGBA{uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)), 255}
		for dy := range 40 {
			for dx := range 60 {
				page.SetRGBA(x+dx, y+dy, c)
			}
		}
	}
	shown := func(at image.Point, blank bool) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 800, 600))
		for y := range 600 {
			for x := range 800 {
				if y >= 60 && x < 780 && !blank {
					m.SetRGBA(x, y, page.RGBAAt(x-at.X, y-at.Y))
				}
			}
		}
		return m
	}
	for _, c := range []struct {
		name  string
		by    image.Point
		blank bool
		want  image.Point
	}{
		{"down", image.Pt(0, -53), false, image.Pt(0, -53)},
		{"to the left", image.Pt(120, 0), false, image.Pt(120, 0)},
		{"not at all", image.Point{}, false, image.Point{}},
		{"nothing is shown", image.Pt(0, -53), true, image.Point{}},
	} {
		got := Slide(shown(image.Point{}, c.blank), shown(c.by, c.blank))
		if off := got.Sub(c.want); max(off.X, -off.X, off.Y, -off.Y) > 1 {
			t.Errorf("%s: moved by %v, got %v, want %v", c.name, c.by, got, c.want)
		}
	}
}
