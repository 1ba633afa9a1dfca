package board

import (
	rand "math/rand/v2"
	"strings"
	"testing"
)

func TestRulesRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, base := range RuleSets() {
		got, err := ParseRules(base.Name)
		if err != nil || got != base || base.String() != base.Name {
			t.Errorf("%s reads as %v, %v", base, got, err)
		}
		for range 200 {
			r := base
			for _, o := range RuleOptions() {
				r = o.With(r, rng.IntN(2) == 0)
			}
			got, err := ParseRules(r.String())
			if err != nil || got != r {
				t.Fatalf("%s reads as %s, %v", r, got, err)
			}
		}
	}
}

// Every option is a field of its own: switching it changes nothing else.
func TestOptionsAreSeparate(t *testing.T) {
	for _, a := range RuleOptions() {
		for _, b := range RuleOptions() {
			for _, base := range RuleSets() {
				changed := a.With(base, !a.In(base))
				if (b.In(changed) != b.In(base)) != (a.Name == b.Name) {
					t.Errorf("switching %s in %s changes %s", a.Name, base.Name, b.Name)
				}
			}
		}
	}
}

func TestParseRulesErrors(t *testing.T) {
	for _, row := range []struct{ text, want string }{
		{"", `rule set ""`},
		{"Windmill", `rule set "Windmill"`},
		{"game,flying=on", `"flying"`},
		{"game,overhang", `overhang is ""`},
		{"game,overhang=yes", `overhang is "yes"`},
		{"game,", `rule option ""`},
	} {
		if _, err := ParseRules(row.text); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%q: %v, want an error with %s", row.text, err, row.want)
		}
	}
}
