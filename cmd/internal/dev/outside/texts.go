package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A told is a small input with what is right of it.
type told struct {
	file   string
	flags  []string
	status string // of `solve --json --count`
	family string // "": any
	count  int    // -1: any
}

// texts are small inputs of the kinds that people keep; see outside/README.md
// there, whose table this is.
func texts(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	return tellings(p, folder, pick, []told{
		{"lights-01-rows.txt", nil, "solved", "switches", 1},
		{"lights-size-line.txt", nil, "solved", "switches", 1},
		{"lights-two-lit.txt", nil, "", "switches", -1},
		{"lights-lists.txt", nil, "solved", "switches", 1},
		{"site-2018-start-end.json", nil, "solved", "witness", 2},
		{"site-2018-points.json", nil, "solved", "witness", -1},
		{"site-2018-dots-gaps.json", nil, "unsolvable", "witness", -1},
		{"site-open-triangles.json", []string{"--rules", "witnesspuzzles"}, "unsolvable", "witness", -1},
		{"site-erasers-pieces.json", []string{"--rules", "witnesspuzzles"}, "solved", "witness", -1},
		{"flow-spaced.txt", nil, "unsolvable", "flow", -1},
		{"flow-tight.txt", nil, "unsolvable", "flow", -1},
		{"flow-dashes.txt", nil, "unsolvable", "flow", -1},
		{"numberlink-list.txt", nil, "solved", "flow", -1},
		{"pzprv3-numlin.txt", nil, "solved", "flow", -1},
		{"pzpr-link.txt", nil, "solved", "flow", -1},
		{"sgt-flip-id.txt", nil, "solved", "switches", 1},
		{"alcazar-plus-minus.txt", nil, "unsolvable", "alcazar", -1},
		{"alcazar-box.txt", nil, "solved", "alcazar", -1},
	})
}

// breaks are inputs that once broke the program; see outside/break/README.md
// there.
func breaks(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	return tellings(p, folder, pick, []told{
		{"min.txt", nil, "solved", "witness", -1},
		{"no.txt", nil, "solved", "witness", -1},
		{"no3.txt", nil, "solved", "witness", -1},
		{"no3.json", []string{"--rules", "witnesspuzzles"}, "solved", "witness", -1},
		{"ie.txt", nil, "unsolvable", "witness", -1},
		{"ie2.txt", nil, "solved", "witness", -1},
		{"n2.txt", nil, "error", "", -1},
		{"nul.txt", nil, "error", "", -1},
		{"why2.txt", nil, "unsolvable", "witness", -1},
	})
}

func tellings(p *onlooker, folder string, pick func(int) bool, all []told) ([]result, error) {
	var results []result
	for _, t := range some(all, pick) {
		file := filepath.Join(folder, t.file)
		answers, err := lines[answer](p, "", append([]string{"solve", "--json", "--no-store", "--count", "--timeout", "20s", file}, t.flags...)...)
		if err != nil {
			return nil, err
		}
		if len(answers) != 1 {
			return nil, fmt.Errorf("%s: %d answers, want one", t.file, len(answers))
		}
		a := answers[0]
		var differs []string
		if t.status != "" && a.Status != t.status {
			differs = append(differs, fmt.Sprintf("%s, want %s", a.Status, t.status))
		}
		if t.family != "" && a.Family != t.family && a.Status != "error" {
			differs = append(differs, fmt.Sprintf("taken for %s, want %s", a.Family, t.family))
		}
		if t.count >= 0 && (a.Count == nil || *a.Count != t.count) {
			data, _ := json.Marshal(a.Count)
			differs = append(differs, fmt.Sprintf("%s answers, want %d", data, t.count))
		}
		switch {
		case a.Status == "timeout":
			results = append(results, result{name: t.file, verdict: late, mark: "late", why: a.Error})
		case len(differs) > 0 && a.Status == "error" && !slices.Contains([]string{"error", ""}, t.status):
			results = append(results, refused(t.file, a.Error))
		default:
			results = append(results, given(t.file, a.Status+a.Family+string(a.Strokes), strings.Join(differs, "; ")))
		}
	}
	return results, nil
}
