package witness

import (
	"errors"
	"image"
	"maps"
	"slices"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// panelOf builds the board. A pillar is turned so that its symmetry is the
// model's, since which column is 0 there was anybody's choice.
func panelOf(t *testing.T, b *solvetest.CapturedBoard) *board.Panel {
	p := board.New(b.Size[0], b.Size[1], b.Pillar)
	shift := 0
	switch b.Symmetry {
	case "", "none":
	case "parallel":
		p.Symmetry = board.Parallel
	case "rotparallel":
		p.Symmetry = board.Turned
	case "rot180":
		p.Symmetry = board.Rotation
	case "mirror", "rot":
		p.Symmetry = map[string]board.Symmetry{"mirror": board.Mirror, "rot": board.Rotation}[b.Symmetry]
		if b.Pillar { // the two starts' images are each other
			for shift = 0; shift < p.Width(); shift += 2 {
				if image, _ := p.Image(image.Pt(b.Starts[0][0]+shift, b.Starts[0][1])); image == p.Wrap(pointOf(b.Starts[1]).Add(shiftBy(shift))) {
					break
				}
			}
		}
	default:
		t.Fatalf("symmetry %q", b.Symmetry)
	}
	spot := func(at [2]int) *board.Spot { return p.At(pointOf(at).Add(shiftBy(shift))) }
	for _, at := range b.Starts {
		spot(at).Start = true
	}
	for _, e := range b.Ends {
		cap := image.Pt(0, -1) // a pillar's truth leaves it out
		for _, d := range forms.Directions() {
			if d.Name == e.Cap {
				cap = d.Cap
			}
		}
		spot(e.At).Cap = cap
	}
	for _, at := range b.Breaks {
		spot(at).Gap = board.Broken
	}
	for _, at := range b.Missing {
		spot(at).Gap = board.Missing
	}
	// Of two lines' dots black ones are of either; of the two other colours
	// one is the player's.
	colours := map[string]board.Line{}
	for _, d := range b.Dots {
		dot := board.Dot{On: true}
		if d.Colour != "black" && p.Symmetry != board.NoSymmetry {
			if _, ok := colours[d.Colour]; !ok {
				colours[d.Colour] = board.Line(len(colours)) + board.OwnLine
			}
			dot.Line = colours[d.Colour]
		}
		spot(d.At).Dot = dot
	}
	for _, s := range b.Symbols {
		symbol := board.Symbol{Colour: board.Colour(s.Colour), Count: s.Count, Turnable: s.Turnable}
		kinds := map[string]board.Kind{"square": board.Square, "star": board.Star, "poly": board.Polyomino, "triangle": board.Triangle}
		symbol.Kind = kinds[s.Kind]
		for _, q := range s.Shape {
			symbol.Shape = append(symbol.Shape, pointOf(q))
		}
		symbol.Shape = board.NormalShape(symbol.Shape)
		// Colours there are free text; only which are equal matters.
		symbol.Colour = board.Colour("#" + hex(s.Colour))
		spot(s.At).Symbol = symbol
	}
	return p
}

func pointOf(xy [2]int) image.Point { return image.Pt(xy[0], xy[1]) }

func shiftBy(x int) image.Point { return image.Pt(x, 0) }

// hex makes six digits of a word.
func hex(word string) string {
	sum := uint32(0)
	for _, r := range word {
		sum = sum*31 + uint32(r)
	}
	digits := []byte("000000")
	for i := range digits {
		digits[i] = "0123456789abcdef"[sum>>(4*i)&15]
	}
	return string(digits)
}

// Every panel of the game that was written down has an answer under the game's
// rules, but for the decoys, which have none.
func TestPanelsOfTheGame(t *testing.T) {
	_, truth := solvetest.Captures(t)
	seen := map[string]bool{}
	boards, decoys, pillars := 0, 0, 0
	for _, file := range slices.Sorted(maps.Keys(truth)) {
		for _, b := range truth[file].Boards {
			if b.Set != "" && seen[b.Set] || b.Solvable == nil && !b.Pillar {
				continue
			}
			seen[b.Set] = true
			p := panelOf(t, &b)
			answer, err := Of(p).Solve(t.Context())
			switch {
			case b.Solvable != nil && !*b.Solvable:
				decoys++
				if !errors.Is(err, solve.ErrUnsolvable) {
					t.Errorf("%s: a decoy: %v\n%s", file, err, Of(p))
				}
				continue
			case err != nil:
				t.Errorf("%s: %v\n%s", file, err, Of(p))
				continue
			}
			if err := Of(p).Check(t.Context(), answer); err != nil {
				t.Errorf("%s: %v\n%s", file, err, Of(p))
			}
			boards++
			if b.Pillar {
				pillars++
			}
		}
	}
	t.Logf("%d with an answer, %d of them pillars, %d decoys without one", boards, pillars, decoys)
}
