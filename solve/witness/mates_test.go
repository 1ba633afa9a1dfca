package witness

import (
	"errors"
	"image"
	"math/rand/v2"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
)

// TestTriples deals the Challenge's triples and puts them among others.
func TestTriples(t *testing.T) {
	deal := func(kind string, seed uint64) []solve.Puzzle {
		d := solvetest.Must(DealChallenge(t.Context(), rand.New(rand.NewPCG(seed, 3)), kind))(t)
		var all []solve.Puzzle
		for _, p := range d.Panels {
			all = append(all, Of(p))
		}
		return all
	}
	maze, stars := deal("maze-3", 1)[0], deal("stars", 1)[0]
	two, three := deal("triple-2", 1), deal("triple-3", 1)
	other := board.Of(two[2]).Clone()
	other.At(image.Pt(0, 8)).Start = false
	other.At(image.Pt(2, 8)).Start = true
	for _, row := range []struct {
		why    string
		boards []solve.Puzzle
		want   []int // each board's set; negative where not all of it are there, 9 for a door
	}{
		{"nothing", nil, nil},
		{"a triple", two, []int{1, 1, 1}},
		{"two of a triple", two[:2], []int{-1, -1}},
		{"a triple with neighbours", []solve.Puzzle{maze, two[0], two[1], two[2], stars}, []int{0, 1, 1, 1, 0}},
		{"two triples", append(append([]solve.Puzzle{}, two...), three...), []int{1, 1, 1, 2, 2, 2}},
		{"a double door", []solve.Puzzle{stars, deal("stars", 2)[0]}, []int{9, 9}},
		{"two sizes", []solve.Puzzle{maze, stars}, []int{0, 0}},
		{"another start", []solve.Puzzle{two[0], two[1], Of(other)}, []int{-1, -1, 0}},
		{"one panel three times", []solve.Puzzle{two[0], two[0], two[0]}, []int{0, 0, 0}},
		{"three of different kinds", []solve.Puzzle{maze, two[0], three[1]}, []int{0, 0, 0}},
	} {
		got := Triples(row.boards)
		if len(got) != len(row.want) {
			t.Errorf("%s: %d verdicts, want %d", row.why, len(got), len(row.want))
			continue
		}
		for i, v := range got {
			set := v.Set
			if v.Partial {
				set = -set
			} else if v.Set == 0 && v.Place == []string{"left door", "right door"}[i%2] {
				set = 9
			}
			if set != row.want[i] || (set != 0) != (v.Place != "") {
				t.Errorf("%s: board %d is %+v, want set %d", row.why, i, v, row.want[i])
			}
		}
	}
}

// TestAsymmetric has a panel that is symmetric by its starts and ends, and has no
// answer so: both lines would take the middle.
func TestAsymmetric(t *testing.T) {
	read := func(symmetry board.Symmetry, dot board.Line) *board.Panel {
		p := board.New(2, 2, false)
		p.Symmetry = symmetry
		p.At(image.Pt(0, 4)).Start, p.At(image.Pt(4, 4)).Start = true, true
		p.At(image.Pt(0, 0)).Cap, p.At(image.Pt(4, 0)).Cap = image.Pt(0, -1), image.Pt(0, -1)
		p.At(image.Pt(2, 2)).Dot = board.Dot{On: true, Line: dot}
		return p
	}
	two := read(board.Mirror, board.AnyLine)
	if _, err := Of(two).Solve(t.Context()); !errors.Is(err, solve.ErrUnsolvable) {
		t.Fatalf("with two lines: %v, want %v", err, solve.ErrUnsolvable)
	}
	one, starts := OneLine(Of(two))
	if len(starts) != 2 {
		t.Errorf("starts %v, want two", starts)
	}
	answer := solvetest.Must(one.Solve(t.Context()))(t)
	if err := one.Check(t.Context(), answer); err != nil {
		t.Error(err)
	}
	for why, p := range map[string]*board.Panel{
		"a panel with one line":   read(board.NoSymmetry, board.AnyLine),
		"a dot of one of the two": read(board.Mirror, board.OwnLine),
	} {
		if other, _ := OneLine(Of(p)); other != nil {
			t.Errorf("%s shows another one", why)
		}
	}
}
