package convert

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
)

// A Line is what convert prints for one board with --json.
type Line struct {
	Input  string `json:"input"`
	Board  *int   `json:"board,omitempty"`
	Family string `json:"family"`
	Format string `json:"format"`
	Text   string `json:"text,omitempty"` // or
	File   string `json:"file,omitempty"`
	Error  string `json:"error,omitempty"`
}

// An Output puts converted boards where they belong.
type Output struct {
	*program.Program
	To   string // the format
	File string // or folder to write to; "": standard output
	JSON bool
	// Inputs are the files that no picture in a folder may be written over.
	Inputs []string
	held   *Line // the first board, until it is known whether it is the only one
	data   []byte
	n      int // boards that came
	file   *cli.File
	block  bool // the last text had several lines
	// written says that there was a text.
	written bool
}

// Put takes the next board.
func (o *Output) Put(line Line, data []byte) error {
	o.n++
	if o.File == "" || line.Error != "" {
		return o.print(line, data)
	}
	if o.To != "svg" && o.To != "png" {
		return o.write(line, data)
	}
	if info, err := os.Stat(o.File); err == nil && info.IsDir() {
		return o.save(line, data, filepath.Join(o.File, fmt.Sprintf("%04d.%s", o.n, o.To)))
	}
	if o.held != nil {
		return cli.Misusef("-o %s: several boards need a folder", o.File)
	}
	o.held, o.data = &line, data
	return nil
}

// Done puts what was held back, and ends the file; err is what went wrong before.
func (o *Output) Done(err error) error {
	if o.held != nil && err == nil {
		err = o.save(*o.held, o.data, o.File)
	}
	return o.end(err)
}

// end ends the one file: it is there as a whole, or where something went wrong as it was.
func (o *Output) end(err error) error {
	if o.file == nil {
		return err
	}
	f := o.file
	o.file = nil
	return f.Done(err)
}

// save writes a picture.
func (o *Output) save(line Line, data []byte, file string) error {
	if err := o.Spare(file, "", o.Inputs...); err != nil {
		return err
	}
	if err := cli.WriteFile(file, data); err != nil {
		return err
	}
	line.File = file
	if o.JSON {
		return cli.WriteJSON(o.Out, line)
	}
	_, err := fmt.Fprintln(o.Out, file)
	return err
}

// write appends text to the one file that -o names.
func (o *Output) write(line Line, data []byte) error {
	if o.file == nil {
		f, err := cli.CreateFile(o.File, 0o644)
		if err != nil {
			return err
		}
		o.file = f
	}
	if _, err := o.file.Write(o.spaced(data)); err != nil {
		return o.end(err)
	}
	if !o.JSON {
		return nil
	}
	line.File = o.File
	return cli.WriteJSON(o.Out, line)
}

func (o *Output) print(line Line, data []byte) error {
	if o.JSON {
		line.Text = string(bytes.TrimSuffix(data, []byte("\n")))
		return cli.WriteJSON(o.Out, line)
	}
	if line.Error != "" {
		_, err := fmt.Fprintf(o.Err, "onlooker: %s\n", line.Error)
		return err
	}
	if o.To == "png" && o.n > 1 {
		return cli.Misusef("-o -: several pictures need a folder")
	}
	_, err := o.Out.Write(o.spaced(data))
	return err
}

// spaced puts an empty line before a board whose text has several lines, so
// that boards stay apart.
func (o *Output) spaced(data []byte) []byte {
	several := bytes.Count(data, []byte("\n")) > 1
	// A board of one row in a form of rows would join the one before it.
	apart := o.written && (several || o.block || o.To == "text")
	o.block, o.written = several, true
	if apart {
		return append([]byte("\n"), data...)
	}
	return data
}
