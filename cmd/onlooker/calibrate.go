package main

import (
	"context"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
)

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
				return misuse.Errorf("no screenshot: name one or more")
			}
			if out == "" {
				return misuse.Errorf("no folder to write the profile to: -o FOLDER")
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
