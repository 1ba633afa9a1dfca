package intake

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/vision"
)

// A Sight is what read prints for one picture with --json.
type Sight struct {
	Image   string      `json:"image,omitempty"`
	Images  []string    `json:"images,omitempty"` // with --views
	Boards  []readBoard `json:"boards"`
	Profile string      `json:"profile,omitempty"`
	Unsure  string      `json:"unsure,omitempty"`
	Error   string      `json:"error,omitempty"`
	Millis  see.Millis  `json:"millis"`
}

// A readBoard is one board of a picture that could be read.
type readBoard struct {
	Family string          `json:"family"`
	Quad   [4][2]float64   `json:"quad"` // corner nodes: top left, top right, bottom right, bottom left
	Puzzle json.RawMessage `json:"puzzle,omitempty"`
	Text   string          `json:"text"`
	Solved bool            `json:"solved,omitempty"` // a line is drawn on it already
	// Confidence is how likely it is right, which means the same for all families.
	Confidence float64 `json:"confidence,omitempty"`
}

// viewed is the board that several pictures show.
func (d *Decoder) viewed() Board {
	b := Board{Input: d.Views[0], Index: -1, Source: store.Picture, Millis: see.Millis{}}
	if b.Err = d.open(); b.Err != nil {
		return b
	}
	done := d.slow("reading " + d.Views[0])
	line, sight := ReadPictures(d.In, d.eye, d.Views)
	done()
	b.Millis = line.Millis
	switch {
	case sight == nil:
		b.Err = errors.New(cmp.Or(line.Unsure, line.Error))
	default:
		r := sight.Readings[0]
		b.Game, b.Puzzle, b.Err, b.Reading = r.Game, r.Puzzle, r.Err, r
	}
	if b.Err == nil {
		b.Puzzle, b.Err = d.withRules(b.Game, b.Puzzle)
	}
	return b
}

// ReadPictures reads the boards of one picture, or one board from several
// views of it. The line says what went wrong; there is no other error.
func ReadPictures(in io.Reader, eye *see.Eye, names []string) (Sight, *see.Sight) {
	line := Sight{Image: names[0], Boards: []readBoard{}, Millis: see.Millis{"grab": 0, "locate": 0, "read": 0}}
	fail := func(err error) (Sight, *see.Sight) {
		if Unsure(err) {
			line.Unsure = cli.Plainly(err)
		} else {
			line.Error = cli.Plainly(err)
		}
		return line, nil
	}
	frames := make([]image.Image, len(names))
	for i, name := range names {
		start := time.Now()
		m, err := LoadPicture(in, name)
		if err == nil {
			m, err = within(eye, m)
		}
		line.Millis.Add("grab", start)
		if err != nil {
			return fail(err)
		}
		frames[i] = m
	}
	var sight *see.Sight
	var err error
	if len(frames) == 1 {
		sight, err = eye.Look(frames[0], line.Millis)
	} else {
		sight, err = eye.LookViews(frames, line.Millis)
	}
	if err == nil && len(sight.Readings) == 0 {
		err = noBoard(eye, frames[0])
	}
	if err != nil {
		return fail(fmt.Errorf("%s: %w", names[0], err))
	}
	line.Profile = sight.Profile.Name
	if sight.Broken != nil {
		line.Error = cli.OneLine(sight.Broken.Error())
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			b, err := describe(r)
			if err == nil {
				line.Boards = append(line.Boards, b)
				continue
			}
			r.Err = err
		}
		why := fmt.Sprintf("board at (%.0f,%.0f): %s", r.Board.Quad[0].X, r.Board.Quad[0].Y, cli.OneLine(r.Err.Error()))
		to := &line.Unsure
		if !Unsure(r.Err) {
			to = &line.Error
		}
		if *to != "" {
			*to += "; "
		}
		*to += why
	}
	return line, sight
}

// describe puts a reading into the form that read prints.
func describe(r see.Reading) (readBoard, error) {
	b := readBoard{Family: r.Game.Name, Quad: see.Quad(r.Board), Solved: r.Board.Solved, Confidence: math.Round(1000*r.Confidence) / 1000}
	text, err := r.Puzzle.MarshalText()
	if err != nil {
		return b, err
	}
	b.Text = string(text)
	b.Puzzle = record(r.Game, r.Puzzle)
	return b, nil
}

// record is a puzzle in the family's JSON, nil where it cannot be written so.
func record(g *see.Game, p solve.Puzzle) json.RawMessage {
	for _, f := range g.Formats {
		if f.Name != g.Record || f.Encode == nil {
			continue
		}
		var out bytes.Buffer
		if err := f.Encode(&out, p); err == nil && json.Valid(out.Bytes()) {
			return bytes.TrimSpace(out.Bytes())
		}
	}
	return nil
}

// LoadPicture reads and decodes one picture.
func LoadPicture(in io.Reader, name string) (*image.RGBA, error) {
	d := Decoder{In: in}
	data, isFile, err := d.Load(name)
	if err == nil && !isFile {
		err = fmt.Errorf("%s: no such file", cli.Shorten(name))
	}
	if err != nil {
		return nil, err
	}
	m, err := decodePicture(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Unsure tells whether an error is a refusal to guess.
func Unsure(err error) bool {
	var u *vision.UnsureError
	return errors.As(err, &u)
}

// UnreadPillar tells whether a board is a pillar of which one picture shows too little.
func UnreadPillar(r see.Reading) bool { return r.Board != nil && r.Board.Pillar && r.Err != nil }
