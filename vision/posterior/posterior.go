// Package posterior tells how likely a reading of a picture is right: one probability that
// means the same for all families of puzzles, and which reading of a place to take, or
// none. It knows no family and no picture: a reader hands in evidence, numbers by name,
// and the weights of each name come out of a fit to readings of which it is known whether
// they are right; see Fit.
//
// "No board" is a candidate as well: the fit is to pictures of which a measured share
// shows no board, so that its prior is in each family's bias.
package posterior

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Evidence is what a reading explains of a picture and what it leaves, by name. The
// names are words that a user reads: "labels beside". What is not named is 0.
type Evidence map[string]float64

// Names lists the names in order.
func (e Evidence) Names() []string {
	var out []string
	for n := range e {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// String is the evidence as one line, in order of names.
func (e Evidence) String() string {
	var out []string
	for _, n := range e.Names() {
		out = append(out, fmt.Sprintf("%s %.2f", n, e[n]))
	}
	return strings.Join(out, ", ")
}

// Weights are what each name of evidence adds to the log-odds of a reading of one family.
type Weights struct {
	Bias float64            `json:"bias"`
	By   map[string]float64 `json:"by"`
	// Most is the greatest probability that is stated: by the rule of succession what so
	// many readings as were fitted allow.
	Most float64 `json:"most"`
}

// A Model holds the weights of each family.
type Model map[string]Weights

//go:embed model.json
var fitted []byte

// refused has the weights of evidence that a board which could not be read is one of a family's.
//
//go:embed refused.json
var refused []byte

// Refused is the name in the model of boards of a family that could not be read, and in their
// evidence that of what could not be told.
func Refused(what string) string { return "refused: " + what }

// Fitted is the model that comes with the program; TestFit makes it.
func Fitted() (Model, error) {
	m := Model{}
	for name, data := range map[string][]byte{"model.json": fitted, "refused.json": refused} {
		if err := json.Unmarshal(data, &m); err != nil {
			return nil, fmt.Errorf("posterior: %s: %w", name, err)
		}
	}
	return m, nil
}

// Of is the probability that a reading of a family with some evidence is right, other
// readings of the same place left aside. A family that the model does not have gets 0.
func (m Model) Of(family string, e Evidence) float64 {
	return min(m[family].Most, logistic(m.LogOdds(family, e)))
}

// LogOdds are those of a reading, without a bound.
func (m Model) LogOdds(family string, e Evidence) float64 {
	w, ok := m[family]
	if !ok {
		return math.Inf(-1)
	}
	sum := w.Bias
	for _, n := range e.Names() { // in order: the same to the last bit
		sum += w.By[n] * e[n]
	}
	return sum
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Logit are the log-odds of a probability; they are never infinite: nothing is as sure as that.
func Logit(p float64) float64 {
	p = min(max(p, 1e-9), 1-1e-9)
	return math.Log(p / (1 - p))
}

// Shared are the probabilities of readings of one place, of which at most one is right:
// the odds of each against none and all others.
func Shared(alone []float64) []float64 {
	out := make([]float64, len(alone))
	all := 1.0
	for i, p := range alone {
		out[i] = p / max(1e-9, 1-p)
		all += out[i]
	}
	for i := range out {
		out[i] /= all
	}
	return out
}
