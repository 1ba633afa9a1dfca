package cli

import (
	"fmt"
	"io"
	"math"

	"onlooker/cmd/internal/agent/see"
	"onlooker/vision/posterior"
)

// Explain writes what was made of a picture: of every candidate how likely it is by itself
// and what that is made of, and then what was decided.
func Explain(to io.Writer, sight *see.Sight, model posterior.Model) {
	if sight == nil {
		return
	}
	for i, r := range sight.Candidates {
		if r.Err != nil {
			fmt.Fprintf(to, "%d: %s, refused: %s\n", i+1, r.Game.Name, OneLine(r.Err.Error()))
			continue
		}
		fmt.Fprintf(to, "%d: %s, look %s, %.1f %% alone:\n", i+1, r.Game.Name, r.Profile.Name, 100*r.Alone(model))
		for _, n := range r.Evidence.Names() {
			if by := model[r.Game.Name].By[n] * r.Evidence[n]; math.Abs(by) >= 0.1 {
				fmt.Fprintf(to, "   %+.1f  %s %.2f\n", by, n, r.Evidence[n])
			}
		}
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			fmt.Fprintf(to, "given: %s, %.1f %% of all that was tried here\n", r.Game.Name, 100*r.Confidence)
			continue
		}
		fmt.Fprintf(to, "refused: as %s: %s", r.Game.Name, OneLine(r.Err.Error()))
		if r.Odds != 0 {
			fmt.Fprintf(to, " (log-odds of its being one: %+.1f)", r.Odds)
		}
		fmt.Fprintln(to)
	}
}
