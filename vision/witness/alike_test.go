package witness

import (
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/bank"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/unknown"
	"onlooker/vision/witness/view"
)

// TestClearPlaces: a place in doubt is what those clear ones are that it looks like as much
// as these do like each other, and none of them where it looks like none.
func TestClearPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	around := func(level, noise int) (a look.Appearance) {
		for range 60 {
			a = append(a, uint8(level+rng.IntN(2*noise+1)-noise))
		}
		return a
	}
	c := &look.Pool{}
	if label, likely := c.Tell(around(40, 6)); likely > 0.5 {
		t.Errorf("with no clear place %q, %.2f", label, likely)
	}
	for range 8 {
		c.Add(look.SeenWhole, around(40, 6), 0.02)
	}
	for range 3 {
		c.Add(look.SeenBroken, around(200, 6), 0.02)
	}
	c.Bound(0.02)
	for _, row := range []struct {
		level int
		want  string
	}{{40, look.SeenWhole}, {200, look.SeenBroken}, {120, ""}, {60, ""}} {
		label, likely := c.Tell(around(row.level, 6))
		if likely < view.UnknownRate {
			label = ""
		}
		if label != row.want {
			t.Errorf("about %d: %q, %.2f, want %q", row.level, label, likely, row.want)
		}
	}
}

// TestManyEnds: a board with ends nearly everywhere has lines that pass for caps.
func TestManyEnds(t *testing.T) {
	f := &unknown.Reader{Panel: witness.New(3, 3, false)}
	for i, at := range []image.Point{{X: 6}, {X: 0}, {X: 2}, {X: 4}} {
		f.Panel.At(at).Cap = image.Pt(0, -1)
		if err := f.ManyEnds(); (err != nil) != (i == 3) {
			t.Errorf("%d ends at 16 nodes: %v", i+1, err)
		}
	}
}

// TestAsOthers: a symbol in doubt is as the clear ones of the board where it is as like them
// as they are like each other, and stays in doubt where it is less.
func TestAsOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	held := func(kind witness.Kind, fail error, gap float64) *unknown.Holding {
		v := &look.Cell{Inner: 0.4, Reach: 0.4, Strong: 1, Most: 1, Off: vision.NewMap(look.CellSide, look.CellSide)}
		for k := range v.Off.V {
			x, y := look.Offset(k%look.CellSide), look.Offset(k/look.CellSide)
			if max(math.Abs(x), math.Abs(y)) < 0.2 && min(math.Abs(x), math.Abs(y)) >= gap {
				v.Off.V[k] = 1
			}
		}
		v.Off = shape.BlurMap(v.Off, 0.8)
		for k := range v.Off.V {
			v.Off.V[k] += float32(0.02 * rng.NormFloat64())
		}
		v.Shown = v.Off
		return &unknown.Holding{View: v, Figures: []*bank.Figure{{}}, Fail: fail, Found: &bank.Match{Symbol: witness.Symbol{Kind: kind}}}
	}
	doubt := errors.New("in doubt")
	all := []*unknown.Holding{
		held(witness.Square, nil, 0), held(witness.Square, nil, 0), held(witness.Square, nil, 0),
		held(witness.Star, doubt, 0), held(witness.Star, doubt, 0.03),
	}
	f := &unknown.Cells{Model: &look.Model{}}
	if err := f.AsOthers(all); err != nil {
		t.Fatal(err)
	}
	if h := all[3]; h.Fail != nil || h.Found.Symbol.Kind != witness.Square {
		t.Errorf("one like the others: %s, %v", witness.SymbolName(h.Found.Symbol), h.Fail)
	}
	if h := all[4]; h.Fail == nil {
		t.Errorf("four squares side by side, as others that are one: %s", witness.SymbolName(h.Found.Symbol))
	}
}
