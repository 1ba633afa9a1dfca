// Package solving has the commands that answer puzzles, solve and batch, and the one that
// judges answers, check.
package solving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/gif"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
)

// NewSolve is the command that solves puzzles.
func NewSolve(p *program.Program) *cobra.Command {
	o := Options{Program: p}
	c := &cobra.Command{
		Use:   "solve INPUT…",
		Short: "Solve puzzles from files, links, codes or pictures",
		Long: `Solve puzzles. An INPUT is a text file (it may hold many boards), a board, link
or code as it is (The Windmill, puzz.link, Flip), witnesspuzzles JSON, a
picture, or - for standard input; onlooker games lists the forms of text. Every
answer is checked by code that shares nothing with the solver before it is
shown, and "no solution" is said only when it is proved. Rows of 0 and 1 are
Lights Out: 1 is lit, and all are wanted off unless --goal says otherwise.

What was solved before is answered from the store, and what is solved is kept
there (see onlooker export), unless --no-store is given.

Without --rules a link is solved by the rules of The Windmill, JSON by those of
witnesspuzzles.com, and pictures and text by those of the game.

The exit status is 0 when every board was answered or proved to have no answer,
1 when one was not, and 2 after a wrong use of the command line. What may be a
board beside those of a picture that were read, as buttons are, is said, and is
no failure.`,
		Example: `  onlooker solve screenshot.png
  onlooker solve --json --timeout 5s --lines links.txt
  onlooker solve --views pillar-0.png pillar-1.png pillar-2.png
  onlooker solve --count --rules windmill panel.txt
  onlooker solve --proof page.html impossible.txt
  xclip -o | onlooker solve -`,
		RunE: program.Runs(o.run),
	}
	o.Flags.Register(c)
	o.LinesFlag(c)
	o.StoreFlags.Register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object for each board")
	cli.DurationVar(c.Flags(), &o.timeout, "timeout", 0, "give up on a board, on looking at a picture and on drawing a search after so many seconds, or as in 2m (0: never)")
	c.Flags().BoolVar(&o.count, "count", false, "say how many answers there are")
	c.Flags().BoolVar(&o.all, "all", false, "print every answer")
	c.Flags().IntVar(&o.limit, "limit", 0, "with --count or --all: at most this many (0: all)")
	c.Flags().StringVar(&o.picture, "picture", "", "of one screenshot: write it with the answers drawn on it to `OUT`, a PNG or JPEG; - is standard output")
	c.Flags().BoolVar(&o.views, "views", false, "all pictures are views of one board, as the sides of a pillar")
	c.Flags().BoolVar(&o.trace, "trace", false, "draw the search for each panel of The Witness in the terminal as it goes, slowly at first")
	c.Flags().BoolVar(&o.hint, "hint", false, "print the first step of an answer instead of the answer")
	c.Flags().BoolVar(&o.why, "why", false, "say why there is no answer")
	c.Flags().StringVar(&o.proof, "proof", "", "of a board without an answer: write a page that proves it to `FILE`")
	return c
}

// misused is what is wrong with the flags for these inputs.
func (o *Options) misused(args []string) error {
	if o.limit < 0 || o.timeout < 0 {
		return cli.Misusef("--limit and --timeout must not be negative")
	}
	if o.hint && (o.all || o.count || o.json || o.trace || o.picture != "") {
		return cli.Misusef("--hint gives no answer away: take it without --all, --count, --json, --trace and --picture")
	}
	if o.count && o.all {
		return cli.Misusef("--count and --all: take one or the other")
	}
	if o.picture != "" && (len(args) != 1 || o.all) {
		return cli.Misusef("--picture draws one answer each on one screenshot: name one, without --all")
	}
	if o.trace && (o.json || !cli.Terminal(o.Out)) {
		return cli.Misusef("--trace draws in a terminal that can be written over: standard output is none, TERM is dumb, or --json is given")
	}
	if o.proof == program.Stream || o.proof != "" && (len(args) != 1 || o.all) {
		return cli.Misusef("--proof: name a file, and one input, without --all")
	}
	if o.views && (o.Lines != "" || o.picture != "" || len(args) < 2) {
		return cli.Misusef("--views: name two pictures or more, without --lines and --picture")
	}
	return nil
}

func (o *Options) run(ctx context.Context, args []string) error {
	if err := o.misused(args); err != nil {
		return err
	}
	for _, output := range []string{o.picture, o.proof} {
		if err := o.Spare(output, o.File, append(args, o.Lines)...); err != nil {
			return err
		}
	}
	d, err := intake.NewDecoder(ctx, o.Games, o.In, o.Flags)
	if err != nil {
		return err
	}
	d.Timeout = o.timeout
	given := args
	if o.views {
		d.Views, given = args, args[:1]
	}
	inputs, err := d.Inputs(given)
	if err != nil {
		return err
	}
	to := o.Out
	if o.picture == program.Stream {
		all := *o.Program
		all.Out = o.Err
		o.Program = &all
	}

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	line := o.Progress()
	d.Slow = line.During
	service, closeStore := o.Service(o.StoreFlags)
	defer closeStore()
	desk := &desk{Desk: answer.NewDesk(runtime.NumCPU()), options: o, decoder: d, service: service, slow: line, workers: runtime.NumCPU()}
	var broken error // read after results is closed
	results := desk.run(ctx, inputs, &broken)
	drawn, seen := &marked{}, &triple{}
	defer line.Clear()
	failed := false
	var none []intake.Board
	for done := range results {
		one := <-done
		if len(one.lines) > 0 && one.lines[0].line.Status == answer.Unsolvable {
			none = append(none, one.board)
		}
		drawn.add(one)
		if err == nil {
			err = o.drawSearch(ctx, one.board)
		}
		wrong, broke := o.printAll(one, seen, line, err == nil)
		failed = failed || wrong
		if broke != nil {
			err = broke
			cancel()
		}
	}
	switch {
	case err != nil:
		return err
	case !o.json:
		if err := seen.end(o.Out, o.Err); err != nil {
			return err
		}
	}
	switch {
	case broken != nil:
		return broken
	case ctx.Err() != nil:
		return errors.New("interrupted")
	}
	if o.picture != "" {
		if err := drawn.write(o.picture, to); err != nil {
			return err
		}
	}
	if o.proof != "" {
		if err := o.writeProofs(ctx, none); err != nil {
			return err
		}
	}
	if failed {
		if seen.draft != "" && seen.draft != program.Stream && !o.json {
			if n := frames(seen.draft); n > 1 {
				fmt.Fprintf(o.Err, "onlooker: only the first of its %d frames was read\n", n)
			}
			fmt.Fprintf(o.Err, "onlooker: to put it right by hand: onlooker serve %s\n", cli.Quoted(seen.draft))
		}
		return program.ErrFailed
	}
	return nil
}

// frames counts the frames of a file that is a GIF; 0 of others.
func frames(name string) int {
	data, _ := os.ReadFile(name)
	all, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		return 0
	}
	return len(all.Image)
}
