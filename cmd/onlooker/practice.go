package main

import (
	"context"
	"net/url"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/practice"
	"onlooker/cmd/internal/program"
)

func newPractice(p *program.Program) *cobra.Command {
	var port int
	var seed, look, part string
	var sensitivity float64
	var quiet bool
	c := &cobra.Command{
		Use:   "practice",
		Short: "Play the Challenge in the browser",
		Long: `practice serves the whole Challenge as a page for the browser, on this machine
only: 14 solves dealt from a seed, answers judged by the rules, a clock, and
the game's ways of failing. A part of it can be trained by itself: six puzzles
without a clock, with a best time of its own.`,
		Args: misuse.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error {
			query := url.Values{}
			if seed != "" {
				if _, err := strconv.ParseUint(seed, 10, 64); err != nil {
					return misuse.Errorf("--seed is %q, want a number from 0 up", seed)
				}
				query.Set("seed", seed)
			}
			if look != "" {
				names := practice.Looks()
				if n, err := strconv.Atoi(look); !slices.Contains(names, look) && (err != nil || n < 0 || n >= len(names)) {
					return misuse.Errorf("--look %q, want one of %s, or a number from 0 to %d", look, strings.Join(names, ", "), len(names)-1)
				}
				query.Set("look", look)
			}
			if part != "" {
				if !slices.Contains(practice.PartNames(), part) {
					return misuse.Errorf("--part %q, want one of %s", part, strings.Join(practice.PartNames(), ", "))
				}
				query.Set("part", part)
			}
			if sensitivity <= 0 {
				return misuse.Errorf("--sensitivity is %g, want more than 0", sensitivity)
			}
			if sensitivity != 1 {
				query.Set("sens", strconv.FormatFloat(sensitivity, 'g', -1, 64))
			}
			return serveLocal(ctx, p, "practice", port, quiet, practice.NewServer(answer.Judge), query)
		}),
	}
	f := c.Flags()
	f.IntVar(&port, "port", 0, "port on 127.0.0.1; 0 takes a free one")
	f.StringVar(&seed, "seed", "", "deal this seed instead of a random one")
	f.StringVar(&part, "part", "", "train this part alone: "+strings.Join(practice.PartNames(), ", "))
	f.StringVar(&look, "look", "", "a look's name or number, 0 to 9; by the seed without it")
	f.Float64Var(&sensitivity, "sensitivity", 1, "pixels of the page per pixel of the mouse")
	f.BoolVar(&quiet, "no-open", false, "print the page's address and open no browser")
	return c
}

// browse opens an address in the user's browser.
func browse(ctx context.Context, address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address).Start()
	case "darwin":
		return exec.CommandContext(ctx, "open", address).Start()
	}
	path, err := exec.LookPath("xdg-open")
	if err != nil {
		return err
	}
	return exec.CommandContext(ctx, path, address).Start()
}
