// Package games is THE list of what onlooker plays.
package games

import (
	"fmt"
	"io"
	"slices"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/edit"
	"onlooker/solve/witness/symbols"
	"onlooker/vision"
	visionalcazar "onlooker/vision/alcazar"
	visionfans "onlooker/vision/fans"
	visionflow "onlooker/vision/flow"
	"onlooker/vision/grid/form"
	drawingalcazar "onlooker/vision/picture/alcazar"
	drawingfans "onlooker/vision/picture/fans"
	drawingflow "onlooker/vision/picture/flow"
	drawingswitches "onlooker/vision/picture/switches"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/posterior"
	visionswitches "onlooker/vision/switches"
	visionwitness "onlooker/vision/witness"
	"onlooker/vision/witness/look"
)

// Of is the list: one entry a family, and all subcommands know it. Panels may have
// symbols of these kinds more.
func Of(more ...panels.Kind) []see.Game {
	read := visionwitness.Readers(more...)
	kinds := append(panels.Kinds(), more...)
	family, editor := witness.NewFamily(kinds, nil), witness.NewEditor(kinds, nil)
	return []see.Game{
		{
			Family:    &family,
			Title:     "The Witness",
			NewReader: func(p *calibrations.Profile) see.Reader { return panelReader{read(p), p.Rules} },
			CheckLook: func(p *calibrations.Profile) error { return drawing.CheckLook(p, more...) },
			Structure: look.Structure,
			Draft: func(s *form.Sheet, looks []*calibrations.Profile) (*form.Draft, error) {
				panel, d, err := visionwitness.Draft(s, looks, more...)
				if err == nil {
					d.Puzzle = witness.Of(panel)
				}
				return d, err
			},
			Explained: func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) float64 {
				return visionwitness.Explained(look, b, panels.Of(puzzle))
			},
			Account: func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) posterior.Evidence {
				return visionwitness.Account(look, b, panels.Of(puzzle))
			},
			Picture:   drawing.Picture,
			Otherwise: witness.OneLine,
			Shows: func(puzzle solve.Puzzle, kinds []string) bool {
				return slices.ContainsFunc(panels.Of(puzzle).Spots, func(s panels.Spot) bool { return slices.Contains(kinds, s.Kind.String()) })
			},
			Group: func(boards []solve.Puzzle) []see.Verdict {
				var verdicts []see.Verdict
				for _, v := range witness.Triples(boards) {
					verdicts = append(verdicts, see.Verdict(v))
				}
				return verdicts
			},
			Map:     witness.FloorMaze,
			Editor:  &editor,
			Hand:    edit.Hand,
			Record:  "witnesspuzzles",
			Variant: witness.UnderRules,
			CheckVariant: func(rules string) error {
				_, err := panels.ParseRules(rules)
				return err
			},
			VariantOptions: witness.RuleDocs(),
		},
		{Family: &fans.Family, Title: "fans", Scan: visionfans.NewReader().Scan, Teach: visionfans.Teach, Learned: form.Learned, Tries: []string{"fan", "turbine"}, Picture: drawingfans.Picture, Editor: &fans.Editor, Hand: fans.Hand},
		{Family: &switches.Family, Title: "Lights Out", Unsolved: true, Scan: visionswitches.Scan, Teach: visionswitches.Teach, Draft: drafted(visionswitches.Draft), Tries: []string{"bulb"}, Learned: visionswitches.Learned, Goals: visionswitches.Goals(), Picture: drawingswitches.Picture, Place: drawingswitches.Place, Editor: &switches.Editor, Hand: switches.Hand},
		{
			Family: &flow.Family, Title: "Flow (Numberlink)", Scan: visionflow.Scan, Teach: visionflow.Teach, Draft: drafted(visionflow.Draft), Tries: []string{}, Learned: visionflow.Learned, Goals: visionflow.Goals(), Picture: drawingflow.Picture, Editor: &flow.Editor, Hand: flow.Hand, Variant: demanding,
			CheckVariant: func(rules string) error {
				_, err := flow.ParseRules(rules)
				return err
			},
			VariantOptions: flow.RuleOptions(),
		},
		{Family: &alcazar.Family, Title: "Alcazar", Scan: visionalcazar.Scan, Teach: visionalcazar.Teach, Draft: drafted(visionalcazar.Draft), Learned: form.Learned, Picture: drawingalcazar.Picture, Editor: &alcazar.Editor, Hand: alcazar.Hand},
	}
}

// All are the games with the symbols that come along in files and the user's own;
// what is wrong in a file is told.
func All(errOut io.Writer) []see.Game {
	own, wrong := symbols.All()
	for _, err := range wrong {
		fmt.Fprintf(errOut, "onlooker: %s; going on without it\n", cli.Plainly(err))
	}
	return Of(own...)
}

// drafted guesses whatever looks there are.
func drafted(guess func(*form.Sheet) (*form.Draft, error)) func(*form.Sheet, []*calibrations.Profile) (*form.Draft, error) {
	return func(s *form.Sheet, _ []*calibrations.Profile) (*form.Draft, error) { return guess(s) }
}

// A panelReader's puzzle is the panel that it reads.
type panelReader struct {
	*visionwitness.Reader
	rules string // that it is under; "" for the usual
}

func (r panelReader) Puzzle() (solve.Puzzle, error) {
	panel, err := r.Panel()
	if err != nil {
		return nil, err
	}
	if r.rules != "" {
		return witness.UnderRules(witness.Of(panel), r.rules)
	}
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
