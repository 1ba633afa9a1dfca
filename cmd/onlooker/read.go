package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
)

func newRead(p *program.Program) *cobra.Command {
	var asJSON, views, explained bool
	var timeout time.Duration
	var look intake.LookFlags
	var kept program.StoreFlags
	c := &cobra.Command{
		Use:   "read IMAGE…",
		Short: "Read the boards in pictures",
		Long: `Read every board in each picture. What cannot be told for sure is refused, with
what it is and where.

The exit status is 1 when a picture could not be read. What may be a board
beside those that were read, as buttons are, is said, and is no failure.`,
		Example: `  onlooker read screenshot.png
  onlooker read --json *.png
  onlooker read --explain screenshot.png
  onlooker read --views pillar-0.png pillar-1.png pillar-2.png`,
		RunE: program.Runs(func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return cli.Misusef("no picture: name one, or - for standard input")
			}
			if timeout < 0 {
				return cli.Misusef("--timeout must not be negative")
			}
			eye, err := look.Eye(p.Games)
			if err != nil {
				return err
			}
			groups := [][]string{args}
			if !views {
				groups = groups[:0]
				for _, name := range args {
					groups = append(groups, []string{name})
				}
			}
			failed := false
			slow := p.Progress()
			service, closeStore := p.Service(kept)
			defer closeStore()
			for _, names := range groups {
				done := slow.During("reading " + names[0])
				bounded, cancel := intake.Limited(ctx, timeout)
				line, sight := intake.ReadPictures(p.In, eye.Within(bounded), names)
				cancel()
				done()
				keepSight(service, names[0], sight)
				if explained {
					cli.Explain(p.Err, sight, eye.Model)
				}
				if views && len(names) > 1 {
					line.Images, line.Image = names, ""
				}
				if line.Error != "" || line.Unsure != "" && (sight == nil || !see.Beside(sight.Readings)) {
					failed = true
				}
				if asJSON {
					err = cli.WriteJSON(p.Out, line)
				} else {
					err = printRead(p, line, sight)
				}
				if err != nil {
					return err
				}
			}
			if failed {
				return program.ErrFailed
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each picture")
	c.Flags().BoolVar(&explained, "explain", false, "say what all readers took the boards for, how likely each is, and by what")
	cli.DurationVar(c.Flags(), &timeout, "timeout", 0, "give up on a picture after so many seconds, or as in 2m (0: never); what was seen till then is read")
	c.Flags().BoolVar(&views, "views", false, "all pictures are views of one board")
	look.Register(c)
	look.RegionFlag(c)
	kept.Register(c)
	return c
}

// keepSight keeps the puzzles that a picture shows.
func keepSight(service *answer.Service, name string, sight *see.Sight) {
	if sight == nil {
		return
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			// What goes wrong with the store is told once, by itself.
			service.Begin(service.News(r.Game.Name, r.Puzzle, nil, intake.SeenNow(store.Picture, intake.FullName(name))))
		}
	}
}

func printRead(p *program.Program, line intake.Sight, sight *see.Sight) error {
	name := line.Image
	if len(line.Images) > 0 {
		name = fmt.Sprintf("%s and %d more", line.Images[0], len(line.Images)-1)
	}
	name = cli.OneLine(name)
	if sight != nil {
		places := see.PlacesOf(sight.Readings)
		for i, r := range sight.Readings {
			if r.Err != nil {
				continue
			}
			drawn := ""
			if r.Board.Solved {
				drawn = ", a line is drawn on it"
			}
			sure := ""
			if r.Confidence > 0 {
				sure = fmt.Sprintf(", %.0f %% sure", math.Floor(100*r.Confidence))
			}
			number := fmt.Sprintf("board %d", i+1)
			if places[i].Place != "" {
				number += ", " + places[i].Place
			}
			fmt.Fprintf(p.Out, "%s, %s: %s, look %s%s%s\n", name, number, r.Game.Name, cli.OneLine(r.Profile.Name), sure, drawn)
			if err := cli.DrawBoard(p.Out, r.Game, r.Puzzle, nil); err != nil {
				return err
			}
			fmt.Fprintln(p.Out)
		}
	}
	for _, why := range []string{line.Unsure, line.Error} {
		if why != "" {
			fmt.Fprintf(p.Err, "onlooker: %s\n", cli.Prefixed(name, why))
		}
	}
	return nil
}

func newCalibrate(p *program.Program) *cobra.Command {
	var out, truth, family string
	c := &cobra.Command{
		Use:   "calibrate IMAGE…",
		Short: "Learn a look from screenshots",
		Long: `Learn how the panels of The Witness look in some client from a few screenshots:
find the boards, learn lines, circles, caps, breaks, dots and symbols, and
write a profile. --truth says what the screenshots show, as read --json prints
it; without it what can be read without help counts. In the page of onlooker
serve a board that was not read is put right by clicks, and taught.

The profile's folder holds the screenshots too, and what was read from each. If
the folder has a profile already, it is extended: it goes on reading what it
read before. Nothing is written unless the new profile reads every screenshot
back.

With --family the boards of cells of another family: their forms, colours, sizes
and what is wanted. Then --truth has each board by its "text", as onlooker
convert writes it, and its "quad", the outline of its cells, from the top left.
Nothing is written unless most are read back. A line of it, broken here:

  {"image": "shot-1.png", "boards": [{"text": "flow 3x2\nA.B\nA.B\n",
    "quad": [[40,60], [340,60], [340,260], [40,260]]}]}`,
		Example: `  onlooker calibrate --family fans \
    --truth what-they-show.jsonl -o myfans shot-*.png
  onlooker calibrate -o mylook shot-*.png
  onlooker calibrate --truth what-they-show.jsonl -o mylook shot-*.png
  onlooker read --profile ./mylook another.png`,
		RunE: program.Runs(func(_ context.Context, args []string) error {
			if len(args) == 0 {
				return cli.Misusef("no screenshot: name one or more")
			}
			if out == "" {
				return cli.Misusef("no folder to write the profile to: -o FOLDER")
			}
			c := &calibrate.Calibrator{Games: p.Games, In: p.In, Out: p.Out, Progress: p.Progress()}
			return c.Run(family, out, truth, args)
		}),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the profile's `FOLDER`")
	c.Flags().StringVar(&family, "family", "", "the `FAMILY` whose boards the screenshots show; without it The Witness")
	c.Flags().StringVar(&truth, "truth", "", "what the screenshots show: a `FILE` of lines as read --json prints them")
	return c
}
