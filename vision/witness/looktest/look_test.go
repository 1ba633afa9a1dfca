package looktest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
)

// everything is a panel with all that a look can draw, in rows of one thing
// each.
func everything() *witness.Panel {
	p := witness.New(4, 3, false)
	p.Symmetry = witness.Mirror
	p.At(image.Pt(0, 6)).Start, p.At(image.Pt(8, 6)).Start = true, true
	p.At(image.Pt(0, 0)).Cap, p.At(image.Pt(8, 0)).Cap = image.Pt(-1, 0), image.Pt(1, 0)
	p.At(image.Pt(3, 0)).Gap, p.At(image.Pt(3, 6)).Gap = witness.Broken, witness.Missing
	for i, line := range []witness.Line{witness.AnyLine, witness.OwnLine, witness.OtherLine} {
		p.At(image.Pt(2+2*i, 2)).Dot = witness.Dot{On: true, Line: line}
	}
	bent := []image.Point{{}, {X: 1}, {X: 1, Y: 1}}
	for i, s := range []witness.Symbol{
		{Kind: witness.Square, Colour: witness.Black}, {Kind: witness.Star, Colour: witness.White},
		{Kind: witness.Eraser, Colour: witness.Green}, {Kind: witness.Triangle, Count: 3, Colour: witness.Orange},
		{Kind: witness.Polyomino, Shape: bent, Colour: witness.Yellow}, {Kind: witness.Polyomino, Shape: bent, Turnable: true, Colour: witness.Yellow},
		{Kind: witness.Negative, Shape: bent, Colour: witness.Blue},
	} {
		p.At(image.Pt(1+2*(i%4), 1+2*(i/4))).Symbol = s
	}
	return p
}

// TestLooksDrawAll draws every thing in every look of the list and in some
// random ones: each must leave its mark, and the page must be well-formed.
func TestLooksDrawAll(t *testing.T) {
	looks := solvetest.Must(Looks())(t)
	if len(looks) < 24 {
		t.Errorf("%d looks, want 24 or more", len(looks))
	}
	for seed := range uint64(50) {
		looks = append(looks, Random(seed))
	}
	seen := map[string]bool{}
	for _, l := range looks {
		if seen[l.Name] || strings.ContainsAny(l.Name, "-/ ") || l.Name == "" {
			t.Errorf("the name %q is used twice, empty, or not fit for a file's", l.Name)
		}
		seen[l.Name] = true
		whole := len(drawn(&l, everything()))
		for at := range everything().Points() {
			less := everything()
			s := less.At(at)
			if s.Kind == witness.NoSymbol && !s.Dot.On && !s.Start && !s.IsEnd() && s.Gap == witness.Whole {
				continue
			}
			*s = witness.Spot{}
			if len(drawn(&l, less)) == whole {
				t.Errorf("%s: what is at %v leaves no mark", l.Name, at)
			}
		}
		page := NewTile(&l, everything(), rand.New(rand.NewPCG(1, 2)), 10)
		solvetest.Fine(t, wellFormed(drawn(&l, everything())), l.Name)
		if strings.Contains(page.html, "NaN") || strings.Contains(page.html, "%!") {
			t.Errorf("%s: a number that is none", l.Name)
		}
		if again := NewTile(&l, everything(), rand.New(rand.NewPCG(1, 2)), 10); again.html != page.html || again.Quad != page.Quad {
			t.Errorf("%s: drawn twice it is not the same", l.Name)
		}
	}
}

func drawn(l *Look, p *witness.Panel) string {
	c := &canvas{look: l, panel: p}
	c.board()
	return c.String()
}

func wellFormed(svg string) error {
	for d := xml.NewDecoder(strings.NewReader("<svg>" + svg + "</svg>")); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("not well-formed: %w", err)
		}
	}
}

// TestViewIsTheBrowsers compares a corner with what CSS says of a box that is
// turned about one axis: the far side is smaller.
func TestViewIsTheBrowsers(t *testing.T) {
	v := view{cx: 100, cy: 50, far: 400, yaw: 0.5}
	left, right := v.screen(0, 0), v.screen(200, 0)
	// rotateY turns the left side towards the viewer's far side when the angle
	// is below zero; here it is above, and the left comes nearer.
	if !(left[1] < 0 && right[1] > 0) {
		t.Errorf("left corner at %v, right corner at %v: want the left one larger", left, right)
	}
	solvetest.Same(t, v.screen(100, 50), [2]float64{100, 50}, "the middle is seen at")
}
