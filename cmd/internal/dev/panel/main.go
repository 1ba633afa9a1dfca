// Command panel is a small game for tests on Windows: a window with panels of
// The Witness, played by the mouse's own motion (WM_INPUT), which draws its own pointer and
// judges each line by package witness. It ends well once every panel was
// solved and no line was refused.
package main

import (
	"context"
	"flag"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	witnessdeal "onlooker/solve/witness/deal"
)

func main() {
	boards := flag.Int("boards", 10, "how many panels to show")
	seed := flag.Uint64("seed", 1, "of the panels")
	limit := flag.Duration("timeout", 5*time.Minute, "when to give up")
	flag.Parse()
	if err := play(*boards, *seed, *limit); err != nil {
		fmt.Fprintf(os.Stderr, "panel: %v\n", err)
		os.Exit(1)
	}
}

func play(boards int, seed uint64, limit time.Duration) error {
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		return err
	}
	panels, err := deal(context.Background(), boards, seed)
	if err != nil {
		return err
	}
	g := newGame(panels, image.Pt(1000, 750), profile, solve.Judge)
	if err := show(g, time.Now().Add(limit)); err != nil {
		return err
	}
	if g.accepted < boards || g.refused > 0 {
		return fmt.Errorf("%d of %d panels solved, %d lines refused", g.accepted, boards, g.refused)
	}
	return nil
}

// deal is a number of the Challenge's panels that stand alone, are flat and
// have one line.
func deal(ctx context.Context, n int, seed uint64) ([]*board.Panel, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var panels []*board.Panel
	for len(panels) < n {
		was := len(panels)
		for _, kind := range witnessdeal.ChallengeKinds() {
			d, err := witness.DealChallenge(ctx, rng, kind)
			if err != nil {
				return nil, err
			}
			if p := d.Panels[0]; len(d.Panels) == 1 && !p.Pillar && p.Symmetry == board.NoSymmetry && len(panels) < n {
				panels = append(panels, p)
			}
		}
		if len(panels) == was {
			return nil, fmt.Errorf("the Challenge has no flat panel that stands alone")
		}
	}
	return panels, nil
}
