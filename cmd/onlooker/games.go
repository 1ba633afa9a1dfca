package main

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/edit"
	"onlooker/vision"
	visionalcazar "onlooker/vision/alcazar"
	visionfans "onlooker/vision/fans"
	visionflow "onlooker/vision/flow"
	drawingalcazar "onlooker/vision/picture/alcazar"
	drawingfans "onlooker/vision/picture/fans"
	drawingflow "onlooker/vision/picture/flow"
	drawingswitches "onlooker/vision/picture/switches"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/posterior"
	visionswitches "onlooker/vision/switches"
	visionwitness "onlooker/vision/witness"
)

// games is THE list of what onlooker plays: one entry a family, and all
// subcommands know it.
func games() []agent.Game {
	read := visionwitness.Readers()
	return []agent.Game{
		{
			Family:    &witness.Family,
			NewReader: func(p *calibrations.Profile) agent.Reader { return panelReader{read(p)} },
			CheckLook: drawing.CheckLook,
			Structure: visionwitness.Structure,
			Explain: func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle, why error) image.Image {
				return visionwitness.Explain(look, b, panels.Of(puzzle), why) // nil where it was not read
			},
			Explained: func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) float64 {
				return visionwitness.Explained(look, b, panels.Of(puzzle))
			},
			Account: func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) posterior.Evidence {
				return visionwitness.Account(look, b, panels.Of(puzzle))
			},
			Picture:   drawing.Picture,
			Otherwise: asymmetric,
			Group:     triples,
			Map:       floorMaze,
			Editor:    &witness.Editor,
			Hand:      edit.Hand,
			Record:    "witnesspuzzles",
			Variant:   underRules,
			CheckVariant: func(rules string) error {
				_, err := panels.ParseRules(rules)
				return err
			},
			VariantOptions: ruleOptions(),
		},
		{Family: &fans.Family, Scan: visionfans.NewReader().Scan, Teach: visionfans.Teach, Picture: drawingfans.Picture, Editor: &fans.Editor, Hand: fans.Hand},
		{Family: &switches.Family, Scan: visionswitches.Scan, Teach: visionswitches.Teach, Goals: visionswitches.Goals(), Picture: drawingswitches.Picture, Place: drawingswitches.Place, Editor: &switches.Editor, Hand: switches.Hand},
		{
			Family: &flow.Family, Scan: visionflow.Scan, Teach: visionflow.Teach, Goals: visionflow.Goals(), Picture: drawingflow.Picture, Editor: &flow.Editor, Hand: flow.Hand, Variant: demanding,
			CheckVariant: func(rules string) error {
				_, err := flow.ParseRules(rules)
				return err
			},
			VariantOptions: flow.RuleOptions(),
		},
		{Family: &alcazar.Family, Scan: visionalcazar.Scan, Teach: visionalcazar.Teach, Picture: drawingalcazar.Picture, Editor: &alcazar.Editor, Hand: alcazar.Hand},
	}
}

// A panelReader's puzzle is the panel that it reads.
type panelReader struct{ *visionwitness.Reader }

func (r panelReader) Puzzle() (solve.Puzzle, error) {
	panel, err := r.Panel()
	if err != nil {
		return nil, err
	}
	return witness.Of(panel), nil
}

// ruleOptions lists the options of the Witness's rule sets, with the sets in
// which each is on.
func ruleOptions() []solve.Rule {
	var list []solve.Rule
	for _, o := range panels.RuleOptions() {
		var on []string
		for _, set := range panels.RuleSets() {
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

// asymmetric is a flat symmetric panel as one with a single line, and its starts: the
// game draws no sign of symmetry but starts and ends that mirror each other, which a
// panel with one line may have too. Dots of one of the lines are a sign; then it is nil.
func asymmetric(p solve.Puzzle) (solve.Puzzle, []image.Point) {
	panel := panels.Of(p)
	if panel == nil || panel.Symmetry == panels.NoSymmetry || panel.Pillar {
		return nil, nil
	}
	one := panel.Clone()
	one.Symmetry = panels.NoSymmetry
	var starts []image.Point
	for at := range one.Points() {
		s := one.At(at)
		if s.Dot.On && s.Dot.Line != panels.AnyLine {
			return nil, nil
		}
		if s.Start {
			starts = append(starts, at)
		}
	}
	return witness.Of(one), starts
}

// underRules puts a panel under another rule set. A panel that is under it
// already keeps its own options: its file says them.
func underRules(p solve.Puzzle, rules string) (solve.Puzzle, error) {
	set, err := panels.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	panel := panels.Of(p)
	if panel == nil {
		return nil, fmt.Errorf("a %T, want a panel", p)
	}
	if slices.Contains(panels.RuleSets(), set) && set.Name == panel.Rules.Name {
		return p, nil
	}
	panel = panel.Clone()
	panel.Rules = set
	return witness.Of(panel), nil
}

// demanding puts a flow board under other demands.
func demanding(p solve.Puzzle, rules string) (solve.Puzzle, error) {
	change, err := flow.ParseRules(rules)
	if err != nil {
		return nil, err
	}
	board, ok := p.(*flow.Puzzle)
	if !ok {
		return nil, fmt.Errorf("a %T, want a flow board", p)
	}
	return board.With(change(board.Options())), nil
}

// floorMaze tells whether a panel is the Challenge's pedestal, seen from the
// player's side: 5×5 from the top left to the bottom right corner, with two
// dots on edges and nothing else. It is the map of the floor maze, and its dots
// are where the two triangle panels stand, as players tell.
func floorMaze(p solve.Puzzle) (title string, marks []image.Point) {
	panel := panels.Of(p)
	if panel == nil || panel.Cols != 5 || panel.Rows != 5 || panel.Pillar {
		return "", nil
	}
	for at := range panel.Points() {
		s := panel.At(at)
		if s.Start != (at == image.Point{}) || s.IsEnd() != (at == image.Pt(10, 10)) || s.Kind != panels.NoSymbol || s.Dot.On && !panels.IsEdge(at) {
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

// triples finds three panels side by side that are alike but for their
// squares: of those in the Challenge exactly one has an answer. Two of them are most of
// such a set, of which the third is not lit yet or not read.
func triples(boards []solve.Puzzle) []agent.Verdict {
	verdicts := make([]agent.Verdict, len(boards))
	sets := 0
	for i := 0; i+3 <= len(boards); {
		if !alike(boards[i], boards[i+1]) || !alike(boards[i], boards[i+2]) {
			i++
			continue
		}
		sets++
		for j, place := range []string{"left", "centre", "right"} {
			verdicts[i+j] = agent.Verdict{Set: sets, Place: place}
		}
		i += 3
	}
	for i := 0; i+2 <= len(boards); i++ {
		if verdicts[i].Set > 0 || verdicts[i+1].Set > 0 || !alike(boards[i], boards[i+1]) {
			continue
		}
		sets++
		for j, place := range []string{"left of the two", "right of the two"} {
			verdicts[i+j] = agent.Verdict{Set: sets, Place: place, Partial: true}
		}
	}
	return verdicts
}

// alike tells whether two panels have the same lines, starts and ends, no dots,
// and as many squares, and nothing else in their cells.
func alike(a, b solve.Puzzle) bool {
	p, q := panels.Of(a), panels.Of(b)
	if p == nil || q == nil || p.Cols != q.Cols || p.Rows != q.Rows || p.Pillar || q.Pillar || p.Symmetry != q.Symmetry {
		return false
	}
	squares := 0
	for at := range p.Points() {
		s, t := p.At(at), q.At(at)
		for _, spot := range []*panels.Spot{s, t} {
			if spot.Dot.On || spot.Kind != panels.NoSymbol && spot.Kind != panels.Square {
				return false
			}
		}
		if s.Start != t.Start || s.Cap != t.Cap || s.Gap != t.Gap {
			return false
		}
		if s.Kind == panels.Square {
			squares++
		}
		if t.Kind == panels.Square {
			squares--
		}
	}
	return squares == 0 && !same(a, b)
}

// same tells whether two puzzles are the same one.
func same(a, b solve.Puzzle) bool {
	s, err1 := a.MarshalText()
	t, err2 := b.MarshalText()
	return err1 == nil && err2 == nil && string(s) == string(t)
}
