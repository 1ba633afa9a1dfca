package main

import (
	"onlooker/calibrations"
	"onlooker/cmd/internal/agent"
	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/solve/switches"
	visionwitness "onlooker/vision/witness"
)

// games is THE list of what onlooker plays: one entry a family, and all
// subcommands know it.
func games() []agent.Game {
	return []agent.Game{
		{
			Family:    &solve.Family{Name: "witness", Doc: "panels of The Witness"},
			NewReader: func(p *calibrations.Profile) agent.Reader { return visionwitness.NewReader(p) },
			Picture:   visionwitness.Picture,
			Record:    "witnesspuzzles",
		},
		{Family: &fans.Family},
		{Family: &switches.Family},
	}
}
