package witness

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// RuleDocs lists the options of the Witness's rule sets, with the sets in
// which each is on.
func RuleDocs() []solve.Rule {
	var list []solve.Rule
	for _, o := range board.RuleOptions() {
		var on []string
		for _, set := range board.RuleSets() {
			if o.In(set) {
				on = append(on, set.Name)
			}
		}
		in := "off in all sets"
		if len(on) > 0 {
			in = "on in " + strings.Join(on, ", ")
		}
		list = append(list, solve.Rule{Name: o.Name, Doc: o.Doc + " (" + in + ")"})
	}
	return list
}

// OneLine is a flat symmetric panel as one with a single line, and its starts: the
// game draws no sign of symmetry but starts and ends that mirror each other, which a
// panel with one line may have too. Dots of one of the lines are a sign; then it is nil.
func OneLine(p solve.Puzzle) (solve.Puzzle, []image.Point) {
	panel := board.Of(p)
	if panel == nil || panel.Symmetry == board.NoSymmetry || panel.Pillar {
		return nil, nil
	}
	one := panel.Clone()
	one.Symmetry = board.NoSymmetry
	var starts []image.Point
	for at := range one.Points() {
		s := one.At(at)
		if s.Dot.On && s.Dot.Line != board.AnyLine {
			return nil, nil
		}
		if s.Start {
			starts = append(starts, at)
		}
	}
	return Of(one), starts
}

// UnderRules puts a panel under another rule set. A panel that is under it
// already keeps its own options: its file says them.
func UnderRules(p solve.Puzzle, rules string) (solve.Puzzle, error) {
	set, err := board.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	panel := board.Of(p)
	if panel == nil {
		return nil, fmt.Errorf("a %T, want a panel", p)
	}
	if slices.Contains(board.RuleSets(), set) && set.Name == panel.Rules.Name {
		return p, nil
	}
	panel = panel.Clone()
	panel.Rules, panel.Stated = set, panel.Rules
	return Of(panel), nil
}

// FloorMaze tells whether a panel is the Challenge's pedestal, seen from the
// player's side: 5×5 from the top left to the bottom right corner, with two
// dots on edges and nothing else. It is the map of the floor maze, and its dots
// are where the two triangle panels stand, as players tell.
func FloorMaze(p solve.Puzzle) (title string, marks []image.Point) {
	panel := board.Of(p)
	if panel == nil || panel.Cols != 5 || panel.Rows != 5 || panel.Pillar {
		return "", nil
	}
	for at := range panel.Points() {
		s := panel.At(at)
		if s.Start != (at == image.Point{}) || s.IsEnd() != (at == image.Pt(10, 10)) || s.Kind != board.NoSymbol || s.Dot.On && !board.IsEdge(at) {
			return "", nil
		}
		if s.Dot.On {
			marks = append(marks, at)
		}
	}
	if len(marks) != 2 {
		return "", nil
	}
	return "the floor maze, entered at the top left; ▲ its two triangle panels", marks
}

// A Mate is how a panel belongs to others that are seen with it.
type Mate struct {
	Set     int // of panels of which one has an answer, from 1; 0: it stands alone
	Place   string
	Partial bool // only some of the set are seen
}

// Triples finds three panels side by side that are alike but for their
// squares: of those in the Challenge exactly one has an answer. Two of them are most of
// such a set, of which the third is not lit yet or not read. Two others of one size, with
// nothing beside them, are called doors.
func Triples(boards []solve.Puzzle) []Mate {
	verdicts := make([]Mate, len(boards))
	if len(boards) == 2 && doors(board.Of(boards[0]), board.Of(boards[1])) {
		verdicts[0].Place, verdicts[1].Place = "left door", "right door"
	}
	sets := 0
	for i := 0; i+3 <= len(boards); {
		if !alike(boards[i], boards[i+1]) || !alike(boards[i], boards[i+2]) {
			i++
			continue
		}
		sets++
		for j, place := range []string{"left", "centre", "right"} {
			verdicts[i+j] = Mate{Set: sets, Place: place}
		}
		i += 3
	}
	for i := 0; i+2 <= len(boards); i++ {
		if verdicts[i].Set > 0 || verdicts[i+1].Set > 0 || !alike(boards[i], boards[i+1]) {
			continue
		}
		sets++
		for j, place := range []string{"left of the two", "right of the two"} {
			verdicts[i+j] = Mate{Set: sets, Place: place, Partial: true}
		}
	}
	return verdicts
}

func doors(p, q *board.Panel) bool {
	return p != nil && q != nil && p.Cols == q.Cols && p.Rows == q.Rows && !p.Pillar && !q.Pillar
}

// alike tells whether two panels have the same lines, starts and ends, no dots,
// and as many squares, and nothing else in their cells.
func alike(a, b solve.Puzzle) bool {
	p, q := board.Of(a), board.Of(b)
	if p == nil || q == nil || p.Cols != q.Cols || p.Rows != q.Rows || p.Pillar || q.Pillar || p.Symmetry != q.Symmetry {
		return false
	}
	squares := 0
	for at := range p.Points() {
		s, t := p.At(at), q.At(at)
		for _, spot := range []*board.Spot{s, t} {
			if spot.Dot.On || spot.Kind != board.NoSymbol && spot.Kind != board.Square {
				return false
			}
		}
		if s.Start != t.Start || s.Cap != t.Cap || s.Gap != t.Gap {
			return false
		}
		if s.Kind == board.Square {
			squares++
		}
		if t.Kind == board.Square {
			squares--
		}
	}
	text, err := a.MarshalText()
	other, err2 := b.MarshalText()
	return squares == 0 && (err != nil || err2 != nil || string(text) != string(other))
}
