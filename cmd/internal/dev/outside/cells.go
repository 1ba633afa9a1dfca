package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
)

// A screen is what a picture of boards of cells shows.
type screen struct {
	Look, State string
	Boards      []struct {
		Box     [4]float64 `json:"bbox"` // left, top, width and height
		Text    string
		Cut     bool // by the picture's edge
		Centres [][2]float64
	}
}

// screens are real screens of a family's programs.
func screens(family string) func(*onlooker, string, func(int) bool) ([]result, error) {
	return func(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
		truth, err := readTruth[screen](filepath.Join(folder, "truth.json"))
		if err != nil {
			return nil, err
		}
		names := some(slices.Sorted(maps.Keys(truth)), pick)
		readings, err := p.named(folder, names)
		if err != nil {
			return nil, err
		}
		var all []result
		for _, name := range names {
			r := readings[name]
			if len(truth[name].Boards) == 0 {
				all = append(all, empty(name, r))
			}
			for i, want := range truth[name].Boards {
				one := fmt.Sprintf("%s#%d", name, i)
				box := want.Box
				at := slices.IndexFunc(r.Boards, func(b seenBoard) bool {
					x, y := middle(b.Quad)
					return x > box[0]-box[2]/8 && x < box[0]+box[2]*9/8 && y > box[1]-box[3]/8 && y < box[1]+box[3]*9/8
				})
				switch {
				case at < 0 && want.Cut:
					all = append(all, result{name: one, verdict: exact, mark: "cut"})
				case at < 0:
					all = append(all, refused(one, r.refusal()))
				case len(want.Centres) > 0 && r.Boards[at].Family == family:
					// Which bulb is which goes by its place; TestScreens compares those.
					all = append(all, result{name: one, verdict: unsure, mark: "bulbs", why: "bulbs joined by lines are not compared here"})
				default:
					wants, err := unmarked(family, want.Text)
					if err != nil {
						return nil, fmt.Errorf("%s: its truth: %w", one, err)
					}
					got, err := unmarked(r.Boards[at].Family, r.Boards[at].Text)
					if err != nil {
						return nil, fmt.Errorf("%s: the reading: %w", one, err)
					}
					differs := ""
					if r.Boards[at].Family != family {
						differs = "read as " + r.Boards[at].Family
					} else if got != wants {
						differs = fmt.Sprintf("read as %q, want %q", got, wants)
					}
					all = append(all, given(one, got, differs))
				}
			}
		}
		return all, nil
	}
}

// unmarked is a board's canonical text without what no picture tells: what is
// wanted of lamps, and whether cells may stay empty.
func unmarked(family, text string) (string, error) {
	families := map[string]solve.Family{"flow": flow.Family, "alcazar": alcazar.Family, "switches": switches.Family, "fans": fans.Family}
	f, ok := families[family]
	if !ok {
		return text, nil
	}
	p, err := f.Parse(text)
	if err != nil {
		return "", err
	}
	if o, ok := p.(*flow.Puzzle); ok {
		p = o.With(flow.Options{})
	}
	data, err := p.MarshalText()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		if !strings.HasPrefix(line, "want") {
			out.WriteString(line)
		}
	}
	return out.String(), nil
}

// A shown is what one of outside/pictures shows.
type shown struct {
	file   string
	family string // "": nothing that may be read
	text   string // without the end of lines; "": any board of the family
}

// pictures are small pictures that once were read as what they are not; see
// outside/README.md there, whose table this is.
func pictures(p *onlooker, folder string, pick func(i int) bool) ([]result, error) {
	const rings = "grid 5x5/ooo**/*oo**/o*o**/o*oo*/*oo**"
	table := some([]shown{
		{"witness-with-line.png", "witness", ""}, {"witness-without-line.png", "witness", ""},
		{"tiles-with-marks.png", "", ""}, {"phone-ad-no-board.png", "", ""}, {"witness-illustration.png", "", ""}, {"not-a-witness-panel.png", "", ""},
		{"flow-text-above.png", "flow", ""}, {"flow-hidden-reason.png", "flow", ""},
		{"flow-phone-icon-above.png", "flow", "flow 5x6/.Y..R/....G/..G.B/..B../...../...YR"},
		{"lights-rings.png", "switches", rings}, {"lights-rings-small.png", "switches", rings},
		{"alcazar-cut-right.png", "", ""}, {"numberlink-cut-both.png", "", ""}, {"lights-cut-sides.png", "", ""},
	}, pick)
	var names []string
	for _, s := range table {
		names = append(names, s.file)
	}
	readings, err := p.named(folder, names)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, s := range table {
		r := readings[s.file]
		switch {
		case s.family == "":
			all = append(all, empty(s.file, r))
		case len(r.Boards) == 0:
			all = append(all, refused(s.file, r.refusal()))
		case r.Boards[0].Family != s.family:
			all = append(all, given(s.file, r.Boards[0].Text, "read as "+r.Boards[0].Family))
		default:
			got, err := unmarked(s.family, r.Boards[0].Text)
			if err != nil {
				return nil, fmt.Errorf("%s: the reading: %w", s.file, err)
			}
			differs := ""
			if s.text != "" {
				want, err := unmarked(s.family, strings.ReplaceAll(s.text, "/", "\n")+"\n")
				if err != nil {
					return nil, fmt.Errorf("%s: its truth: %w", s.file, err)
				}
				if got != want {
					differs = fmt.Sprintf("read as %q", got)
				}
			}
			all = append(all, given(s.file, got, differs))
		}
	}
	return all, nil
}
