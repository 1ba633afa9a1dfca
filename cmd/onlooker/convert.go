package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/whole"
	"onlooker/vision/picture"
)

// A convertLine is what convert prints for one board with --json.
type convertLine struct {
	Input  string `json:"input"`
	Board  *int   `json:"board,omitempty"`
	Family string `json:"family"`
	Format string `json:"format"`
	Text   string `json:"text,omitempty"` // or
	File   string `json:"file,omitempty"`
	Error  string `json:"error,omitempty"`
}

type convertFlags struct {
	intake.Flags
	to, output string
	json       bool
	answer     bool
}

func newConvert(a *app) *cobra.Command {
	var f convertFlags
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
		RunE: runs(func(ctx context.Context, args []string) error { return a.convert(ctx, args, &f) }),
	}
	f.Register(c)
	c.Flags().StringVar(&f.to, "to", "", "the `FORMAT`: one of the family's, text, svg or png")
	c.Flags().StringVarP(&f.output, "output", "o", "", "the `FILE` or folder to write to")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	c.Flags().BoolVar(&f.answer, "answer", false, "solve the puzzle, and draw its answer in the picture")
	return c
}

func (a *app) convert(ctx context.Context, args []string, f *convertFlags) (err error) {
	if format := pictureFormat(f.output); f.to == "" && format != "pdf" {
		f.to = format
	}
	picture := f.to == "svg" || f.to == "png"
	if f.to == "" {
		return misuse.Errorf("--to is missing: name a format")
	}
	if !picture && f.to != "text" && !a.hasFormat(f.to) {
		return misuse.Errorf("--to %s: no such format; there are %s", f.to, strings.Join(a.formatNames(), ", "))
	}
	if f.to == "png" && f.output == "" {
		return misuse.Errorf("--to png: name a file or folder with -o, or - for standard output")
	}
	if f.output == stream {
		f.output = ""
	}
	if f.answer && !picture {
		return misuse.Errorf("--answer: only pictures show an answer")
	}
	d, err := intake.NewDecoder(a.games, a.in, f.Flags)
	if err != nil {
		return err
	}
	if err := a.spare(f.output, "", f.Lines); err != nil {
		return err
	}
	inputs, err := d.Inputs(args)
	if err == nil {
		inputs, err = a.spareAll(f.output, inputs)
	}
	if err != nil {
		return err
	}

	// Several boards need a folder. That there are several is known with the
	// second, so the first is held back.
	out := output{app: a, flags: f, inputs: args}
	defer func() {
		if out.file != nil {
			err = out.end(err)
		}
	}()
	failed := false
	for input, err := range inputs {
		if err != nil {
			return err
		}
		for b := range d.Boards(input) {
			if ctx.Err() != nil {
				return errors.New("interrupted")
			}
			line := convertLine{Input: b.Input, Format: f.to}
			if b.Index >= 0 {
				line.Board = &b.Index
			}
			if b.Game != nil {
				line.Family = b.Game.Name
			}
			var data []byte
			err := b.Err
			if err == nil {
				data, err = encode(ctx, b, f)
			}
			if err != nil {
				failed = true
				line.Error = plain.Plainly(err)
			}
			if err := out.put(line, data); err != nil {
				return err
			}
		}
	}
	if err := out.flush(); err != nil {
		return err
	}
	if failed {
		return errFailed
	}
	return nil
}

// pictureFormat is the format that a file's name asks for: svg, png, pdf, or ""
// for any other.
func pictureFormat(file string) string {
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".svg", ".png", ".pdf":
		return ext[1:]
	default:
		return ""
	}
}

func (a *app) hasFormat(name string) bool { return slices.Contains(a.formatNames(), name) }

func (a *app) formatNames() []string {
	names := []string{"text", "link", "svg", "png"}
	for _, g := range a.games.List {
		for _, f := range g.Formats {
			if f.Encode != nil && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

// encode writes a board in the format wanted.
func encode(ctx context.Context, b intake.Board, f *convertFlags) ([]byte, error) {
	var out bytes.Buffer
	if f.to == "svg" || f.to == "png" {
		var found answer.Result
		if f.answer {
			if found = (&answer.Service{}).Answer(ctx, answer.Question{Family: b.Game.Name, Puzzle: b.Puzzle}); found.Err != nil {
				return nil, fmt.Errorf("%s: %w", plain.Shorten(b.Input), found.Err)
			}
		}
		s, err := show.Shapes(b.Game, b.Puzzle, found.Solution)
		if err != nil {
			return nil, err
		}
		if f.to == "svg" {
			err = picture.SVG(&out, s, show.PixelsPerHalfCell)
		} else {
			err = picture.PNG(&out, s, show.PNGScale(s))
		}
		return out.Bytes(), err
	}
	for i := range b.Game.Formats {
		format := &b.Game.Formats[i]
		if format.Name != f.to && !(f.to == "text" && i == 0) && !(f.to == "link" && format.Link != "") {
			continue
		}
		if format.Encode == nil {
			return nil, fmt.Errorf("%s: %s is only read", b.Game.Name, format.Name)
		}
		if err := format.Encode(&out, b.Puzzle); err != nil {
			return nil, fmt.Errorf("%s: %w", plain.Shorten(b.Input), err)
		}
		text := append(bytes.TrimRight(out.Bytes(), "\n"), '\n')
		if f.to == "link" && !bytes.HasPrefix(text, []byte(format.Link)) {
			text = append([]byte(format.Link), text...)
		}
		return text, nil
	}
	return nil, fmt.Errorf("%s: %s has no format %q", plain.Shorten(b.Input), b.Game.Name, f.to)
}

// An output puts converted boards where they belong.
type output struct {
	app   *app
	flags *convertFlags
	// inputs are the files that no picture in a folder may be written over.
	inputs []string
	held   *convertLine // the first board, until it is known whether it is the only one
	data   []byte
	n      int // boards that came
	file   *whole.File
	block  bool // the last text had several lines
	// written says that there was a text.
	written bool
}

func (o *output) put(line convertLine, data []byte) error {
	o.n++
	if o.flags.output == "" || line.Error != "" {
		return o.print(line, data)
	}
	if o.flags.to != "svg" && o.flags.to != "png" {
		return o.write(line, data)
	}
	if info, err := os.Stat(o.flags.output); err == nil && info.IsDir() {
		return o.save(line, data, filepath.Join(o.flags.output, fmt.Sprintf("%04d.%s", o.n, o.flags.to)))
	}
	if o.held != nil {
		return misuse.Errorf("-o %s: several boards need a folder", o.flags.output)
	}
	o.held, o.data = &line, data
	return nil
}

func (o *output) flush() error {
	if o.held != nil {
		if err := o.save(*o.held, o.data, o.flags.output); err != nil {
			return err
		}
	}
	return o.end(nil)
}

// end ends the one file: it is there as a whole, or where something went wrong as it was.
func (o *output) end(err error) error {
	if o.file == nil {
		return err
	}
	f := o.file
	o.file = nil
	return f.Done(err)
}

// save writes a picture.
func (o *output) save(line convertLine, data []byte, file string) error {
	if err := o.app.spare(file, "", o.inputs...); err != nil {
		return err
	}
	if err := whole.Write(file, data); err != nil {
		return err
	}
	line.File = file
	if o.flags.json {
		return plain.WriteJSON(o.app.out, line)
	}
	_, err := fmt.Fprintln(o.app.out, file)
	return err
}

// write appends text to the one file that -o names.
func (o *output) write(line convertLine, data []byte) error {
	if o.file == nil {
		f, err := whole.Create(o.flags.output, 0o644)
		if err != nil {
			return err
		}
		o.file = f
	}
	if _, err := o.file.Write(o.spaced(data)); err != nil {
		return o.end(err)
	}
	if !o.flags.json {
		return nil
	}
	line.File = o.flags.output
	return plain.WriteJSON(o.app.out, line)
}

func (o *output) print(line convertLine, data []byte) error {
	if o.flags.json {
		line.Text = string(bytes.TrimSuffix(data, []byte("\n")))
		return plain.WriteJSON(o.app.out, line)
	}
	if line.Error != "" {
		_, err := fmt.Fprintf(o.app.err, "onlooker: %s\n", line.Error)
		return err
	}
	if o.flags.to == "png" && o.n > 1 {
		return misuse.Errorf("-o -: several pictures need a folder")
	}
	_, err := o.app.out.Write(o.spaced(data))
	return err
}

// spaced puts an empty line before a board whose text has several lines, so
// that boards stay apart.
func (o *output) spaced(data []byte) []byte {
	several := bytes.Count(data, []byte("\n")) > 1
	// A board of one row in a form of rows would join the one before it.
	apart := o.written && (several || o.block || o.flags.to == "text")
	o.block, o.written = several, true
	if apart {
		return append([]byte("\n"), data...)
	}
	return data
}
