package witness

import (
	"errors"
	"image"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/pointer"
)

// TestByColour: a piece that may be a blue one is what all pieces of its colour are likeliest
// to be, if that is clear and it is a piece at all.
func TestByColour(t *testing.T) {
	profile := challengeLook(t)
	_, _, b := stars(t, profile, drawing.Typical(profile), "magenta")
	s := NewReader(profile).game(pointer.Cleared(b, profile, drawing.Known()))
	blue, yellow := vision.RGB{40, 30, 200}, vision.RGB{230, 210, 40}
	cells := []image.Point{{X: 3, Y: 1}, {X: 7, Y: 1}, {X: 1, Y: 3}, {X: 1, Y: 5}}
	paler := func(c vision.RGB, at image.Point) vision.RGB { // half of the cell's colour shows through
		p := s.Ground(at.X, at.Y)
		return vision.RGB{(c[0] + p[0]) / 2, (c[1] + p[1]) / 2, (c[2] + p[2]) / 2}
	}
	doubt, clear := errors.New("a doubt"), s.Odds.Clear()
	type other struct {
		kind     witness.Kind
		colour   vision.RGB
		evidence float64
		besides  float64
	}
	piece, hollow := witness.Polyomino, witness.Negative
	for _, row := range []struct {
		why      string
		kind     witness.Kind
		evidence float64 // in shares of what is clear
		besides  float64
		others   []other
		want     witness.Kind // NoSymbol: the doubt stays
	}{
		{"nothing else", piece, 0.07, 1.3, nil, witness.NoSymbol},
		{"one of its colour, the same", hollow, 0.13, 1.3, []other{{hollow, blue, 0.67, 1.3}}, hollow},
		{"one of its colour, the other", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 1.3}, {piece, yellow, 0.67, 1.3}}, hollow},
		{"one of another colour", piece, 0.07, 1.3, []other{{piece, yellow, 0.67, 1.3}}, witness.NoSymbol},
		{"two that do not agree", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 1.3}, {piece, blue, 0.67, 1.3}}, witness.NoSymbol},
		{"two that are hardly clear", piece, 0.07, 1.3, []other{{piece, blue, 0.08, 1.3}, {piece, blue, 0.08, 1.3}}, piece},
		{"one that is hardly clear", piece, 0.07, 1.3, []other{{hollow, blue, 0.17, 1.3}}, witness.NoSymbol},
		{"as much for it", piece, 0.19, 1.3, []other{{hollow, blue, 0.27, 1.3}}, witness.NoSymbol},
		{"one that may be something else", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 0.1}}, witness.NoSymbol},
		{"another shape as likely", hollow, 0.07, 0.07, []other{{hollow, blue, 0.67, 1.3}}, witness.NoSymbol},
		{"another shape as likely as its twin", piece, 0.13, 0.4, []other{{hollow, blue, 0.67, 1.3}}, witness.NoSymbol},
	} {
		w := func(kind witness.Kind, evidence, besides float64) cell.Weighed {
			return cell.Weighed{Symbol: witness.Symbol{Kind: kind}, Evidence: evidence * clear, Rivalled: true, Twin: evidence * clear, Besides: besides * clear}
		}
		seen := []cell.Seen{{Stain: &cell.Stain{Col: paler(blue, cells[0])}, Weighed: w(row.kind, row.evidence, row.besides)}}
		for _, o := range row.others {
			seen = append(seen, cell.Seen{Stain: &cell.Stain{Col: o.colour}, Weighed: w(o.kind, o.evidence, o.besides)})
		}
		got := s.ByColour(cells, seen, 0, doubt)
		switch {
		case row.want == witness.NoSymbol:
			if got != doubt || seen[0].Symbol.Kind != row.kind {
				t.Errorf("%s: %s, %v, want the doubt", row.why, seen[0].Symbol.Kind.Called(), got)
			}
		case got != nil || seen[0].Symbol.Kind != row.want:
			t.Errorf("%s: %s, %v, want %s", row.why, seen[0].Symbol.Kind.Called(), got, row.want.Called())
		}
	}
}
