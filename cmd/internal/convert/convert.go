// Package convert has the commands that write puzzles in a format: those that there are, and new ones.
package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// Options are what convert is asked for.
type Options struct {
	*program.Program
	intake.Flags
	to, output string
	json       bool
	answer     bool
}

// New is the command that writes puzzles in another format.
func New(p *program.Program) *cobra.Command {
	o := Options{Program: p}
	c := &cobra.Command{
		Use:   "convert --to FORMAT INPUT…",
		Short: "Write puzzles in another format, or as pictures",
		Long: `Write puzzles in another format: one of the family's (see onlooker games; text
is the first of each), link, or the pictures svg and png. Text goes to standard
output, bare, or to the file -o names; pictures go to the file -o names, or,
where it is a folder or there are several boards, into it with a number each.
Without --to the name after -o tells: .svg or .png.`,
		Example: `  onlooker convert --to witnesspuzzles panel.txt
  onlooker convert --to windmill --lines codes.txt
  onlooker convert --to png --answer -o answer.png screenshot.png`,
		RunE: program.Runs(o.run),
	}
	o.Register(c)
	o.LinesFlag(c)
	c.Flags().StringVar(&o.to, "to", "", "the `FORMAT`: one of the family's, text, svg or png")
	c.Flags().StringVarP(&o.output, "output", "o", "", "the `FILE` or folder to write to")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object for each board")
	c.Flags().BoolVar(&o.answer, "answer", false, "solve the puzzle, and draw its answer in the picture")
	return c
}

func (o *Options) run(ctx context.Context, args []string) (err error) {
	if o.to == "" {
		o.to = PictureFormat(o.output)
	}
	picture := o.to == "svg" || o.to == "png"
	if o.to == "" {
		return cli.Misusef("--to is missing: name a format")
	}
	if !picture && o.to != "text" && !slices.Contains(FormatNames(o.Games.List), o.to) {
		return unwritten(o.Games.List, o.to)
	}
	if o.to == "png" && o.output == "" {
		return cli.Misusef("--to png: name a file or folder with -o, or - for standard output")
	}
	if o.output == program.Stream {
		o.output = ""
	}
	if o.answer && !picture {
		return cli.Misusef("--answer: only pictures show an answer")
	}
	d, err := intake.NewDecoder(ctx, o.Games, o.In, o.Flags)
	if err != nil {
		return err
	}
	if err := o.Spare(o.output, "", o.Lines); err != nil {
		return err
	}
	inputs, err := d.Inputs(args)
	if err == nil {
		inputs, err = o.SpareAll(o.output, inputs)
	}
	if err != nil {
		return err
	}

	// Several boards need a folder. That there are several is known with the
	// second, so the first is held back.
	out := Output{Program: o.Program, To: o.to, File: o.output, JSON: o.json, Inputs: args}
	defer func() {
		if out.file != nil {
			err = out.end(err)
		}
	}()
	failed := false
	slow := o.Progress()
	for input, err := range inputs {
		if err != nil {
			return err
		}
		done := slow.During("converting " + input)
		wrong, err := o.input(ctx, d, input, &out, slow)
		done()
		if err != nil {
			return err
		}
		failed = failed || wrong
	}
	if err := out.Done(nil); err != nil {
		return err
	}
	if failed {
		return program.ErrFailed
	}
	return nil
}

// input writes the boards of one input; failed: one of them could not be had.
func (o *Options) input(ctx context.Context, d *intake.Decoder, input string, out *Output, slow *program.Progress) (failed bool, err error) {
	for b := range d.Boards(input) {
		if ctx.Err() != nil {
			return failed, errors.New("interrupted")
		}
		line := Line{Input: b.Input, Format: o.to}
		if b.Index >= 0 {
			line.Board = &b.Index
		}
		if b.Game != nil {
			line.Family = b.Game.Name
		}
		var data []byte
		err := b.Err
		if err == nil {
			data, err = Encode(ctx, b, o.to, o.answer)
		}
		if err != nil {
			failed = true
			line.Error = cli.Plainly(err)
		}
		slow.Clear()
		if err := out.Put(line, data); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// PictureFormat is the format that a file's name asks for: svg, png, or ""
// for any other.
func PictureFormat(file string) string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png":
		return ext[1:]
	default:
		return ""
	}
}

// FormatNames are the formats that a family of the list is written in.
func FormatNames(games []see.Game) []string {
	names := []string{"text", "link", "svg", "png"}
	for _, g := range games {
		for _, f := range g.Formats {
			if f.Encode != nil && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// unwritten says that a format is not one that is written.
func unwritten(games []see.Game, to string) error {
	what := "no such format"
	for _, g := range games {
		if slices.ContainsFunc(g.Formats, func(f solve.Format) bool { return f.Name == to }) {
			what = "a form that is read only"
		}
	}
	return cli.Misusef("--to %s: %s; there are %s", to, what, strings.Join(FormatNames(games), ", "))
}

// Encode writes a board in a format, a picture with its answer if that is wanted.
func Encode(ctx context.Context, b intake.Board, to string, answered bool) ([]byte, error) {
	var out bytes.Buffer
	if to == "svg" || to == "png" {
		var found answer.Result
		if answered {
			if found = (&answer.Service{}).Answer(ctx, answer.Question{Family: b.Game.Name, Puzzle: b.Puzzle}); found.Err != nil {
				return nil, fmt.Errorf("%s: %w", cli.Shorten(b.Input), found.Err)
			}
		}
		s, err := cli.Shapes(b.Game, b.Puzzle, found.Solution)
		if err != nil {
			return nil, err
		}
		if to == "svg" {
			err = picture.SVG(&out, s, cli.PixelsPerHalfCell)
		} else {
			err = picture.PNG(&out, s, cli.PNGScale(s))
		}
		return out.Bytes(), err
	}
	for i := range b.Game.Formats {
		format := &b.Game.Formats[i]
		if format.Name != to && !(to == "text" && i == 0) && !(to == "link" && format.Link != "") {
			continue
		}
		if format.Encode == nil {
			return nil, fmt.Errorf("%s: %s is only read", b.Game.Name, format.Name)
		}
		if err := format.Encode(&out, b.Puzzle); err != nil {
			return nil, fmt.Errorf("%s: %w", cli.Shorten(b.Input), err)
		}
		text := append(bytes.TrimRight(out.Bytes(), "\n"), '\n')
		if to == "link" && !bytes.HasPrefix(text, []byte(format.Link)) {
			text = append([]byte(format.Link), text...)
		}
		return text, nil
	}
	return nil, fmt.Errorf("%s: %s has no format %q", cli.Shorten(b.Input), b.Game.Name, to)
}
