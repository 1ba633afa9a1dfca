package cli

import (
	"errors"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// TestExplain: what speaks for a reading and against it is said with its weight, why another was
// refused, and what was decided.
func TestExplain(t *testing.T) {
	game := &see.Game{Family: &solve.Family{Name: "toy"}}
	model := posterior.Model{"toy": {Most: 1, By: map[string]float64{"clear": 2, "labels": -4, "hardly": 0.01}}}
	read := see.Reading{Game: game, Profile: &calibrations.Profile{Name: "plain"}, Board: &vision.Board{},
		Evidence: posterior.Evidence{"clear": 1.5, "labels": 0.5, "hardly": 1}, Confidence: 0.5}
	refused := see.Reading{Game: game, Err: errors.New("a dot\nor none"), Odds: -1}
	var out strings.Builder
	Explain(&out, &see.Sight{Candidates: []see.Reading{read, refused}, Readings: []see.Reading{read, refused}}, model)
	solvetest.Same(t, out.String(), `1: toy, look plain, 73.3 % alone:
   +3.0  clear 1.50
   -2.0  labels 0.50
2: toy, refused: a dot; or none
given: toy, 50.0 % of all that was tried here
refused: as toy: a dot; or none (log-odds of its being one: -1.0)
`, "said")
}
