package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // sizes of pictures, as the next ones
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"time"

	_ "golang.org/x/image/webp"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// maxLook is the most pixels of a picture that the page looks at: a screen of
// 5K has 15 million. Looking takes some 25 bytes a pixel, and other requests
// want memory, too.
const maxLook = 16_000_000

// minSide is the least width and height of a picture worth looking at.
const minSide = 4

// An eye looks at one picture at a time.
type eye struct {
	*gate
	make     func() (*see.Eye, error) // nil: pictures are not read here
	read     func(io.ReadSeeker) (*image.RGBA, error)
	turns    queue
	eye      *see.Eye
	pictures chan struct{} // holds a value for each picture that is taken in
	service  *answer.Service
}

// A seenJSON is one board of a picture. Positions are pixels of the picture.
type seenJSON struct {
	Status string        `json:"status"`
	Family string        `json:"family"`
	Place  string        `json:"place,omitempty"` // among others, as in "left"
	Text   string        `json:"text,omitempty"`
	Error  string        `json:"error,omitempty"`
	Quad   [4][2]float64 `json:"quad"`
	Cols   int           `json:"cols"`
	Rows   int           `json:"rows"`
	Draft  bool          `json:"draft,omitempty"` // it was refused, and the page puts it right
	// Unsure is where something could not be told; Error says why.
	Unsure *[2]float64 `json:"unsure,omitempty"`
	// SVG is what was read, drawn where it was seen.
	SVG   string  `json:"svg,omitempty"`
	Width float64 `json:"width"` // of a line to draw
}

// A sightJSON is what a picture shows.
type sightJSON struct {
	Kind   string     `json:"kind"` // "sight"
	Width  int        `json:"width"`
	Height int        `json:"height"`
	Look   string     `json:"look"` // the profile's name
	Boards []seenJSON `json:"boards"`
	Millis see.Millis `json:"millis"`
}

// A drawnJSON is a board's answer in the picture's pixels, or why there is none.
type drawnJSON struct {
	Kind   string         `json:"kind"` // "drawn"
	Board  int            `json:"board"`
	Status string         `json:"status"`
	Lines  [][][2]float64 `json:"lines"`
}

// lookTime is how long a picture is looked at; what was seen till then is shown.
const lookTime = 30 * time.Second

// look streams what the picture in the request's body shows, and then the
// answer of each of its boards.
func (e *eye) look(w http.ResponseWriter, r *http.Request) {
	if e.make == nil {
		fail(w, errors.New("pictures are not read here"))
		return
	}
	sight := &see.Sight{}
	millis := see.Millis{}
	var size image.Point
	err := e.picture(w, r, func(ctx context.Context, frame *image.RGBA) (err error) {
		if err := e.open(); err != nil {
			return err
		}
		size = frame.Rect.Size()
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		sight, err = e.eye.Within(ctx).Look(frame, millis)
		return err
	})
	if err != nil {
		fail(w, err)
		return
	}
	v := sightJSON{Kind: "sight", Width: size.X, Height: size.Y, Look: sight.Profile.Name, Boards: []seenJSON{}, Millis: millis}
	places := see.PlacesOf(sight.Readings)
	for i := range sight.Readings {
		b := seen(&sight.Readings[i])
		b.Place = places[i].Place
		v.Boards = append(v.Boards, b)
	}
	out := newLines(w, func() {})
	if !out.send(v) {
		return
	}
	for i := range sight.Readings {
		if sight.Readings[i].Err != nil {
			continue
		}
		line, err := e.drawn(r.Context(), i, &sight.Readings[i])
		if r.Context().Err() != nil {
			return
		}
		if err != nil {
			line.Status = answer.Status(err)
		}
		out.send(line)
	}
}

// open makes what looks when the first picture comes.
func (e *eye) open() (err error) {
	if e.eye == nil {
		e.eye, err = e.make()
	}
	return err
}

// drawn solves a board that was read.
func (e *eye) drawn(ctx context.Context, number int, r *see.Reading) (drawnJSON, error) {
	line := drawnJSON{Kind: "drawn", Board: number, Status: answer.Status(nil)}
	var found answer.Result
	err := e.do(ctx, e.searches, func(ctx context.Context) error {
		found = e.service.Answer(ctx, answer.Question{Family: r.Game.Name, Puzzle: r.Puzzle})
		return found.Err
	})
	line.Lines = laid(r, found.Solution)
	return line, err
}

// picture takes in the picture in a request's body, and does something with it when it is its
// turn: one whose body stands still keeps no other waiting. Few are taken in at a time.
func (e *eye) picture(w http.ResponseWriter, r *http.Request, do func(context.Context, *image.RGBA) error) error {
	if r.ContentLength > maxPicture {
		return status{http.StatusRequestEntityTooLarge, fmt.Errorf("a file of %d MB, want at most %d", r.ContentLength>>20, maxPicture>>20)}
	}
	select {
	case e.pictures <- struct{}{}:
		defer func() { <-e.pictures }()
	default:
		return errBusy
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPicture))
	if err != nil {
		if errors.Is(err, errStalled) {
			return err
		}
		return status{http.StatusRequestEntityTooLarge, fmt.Errorf("the picture: %w", err)}
	}
	return e.gate.do(r.Context(), e.turns, func(ctx context.Context) error {
		frame, err := e.decode(data)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		return do(ctx, frame)
	})
}

// decode is the picture in a file. Its size is looked at before its pixels are.
func (e *eye) decode(data []byte) (*image.RGBA, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, errors.New("no picture that can be opened: a PNG, JPEG, GIF, WebP, BMP or TIFF is wanted")
	}
	if config.Width < minSide || config.Height < minSide || config.Width > maxLook/config.Height {
		return nil, status{http.StatusRequestEntityTooLarge, fmt.Errorf("a picture of %d×%d pixels, want at least %d×%d and at most %d million",
			config.Width, config.Height, minSide, minSide, maxLook/1_000_000)}
	}
	return e.read(bytes.NewReader(data))
}

// laid is an answer in the picture that its board was read in, a list of points a stroke.
func laid(r *see.Reading, s solve.Solution) [][][2]float64 {
	lines := [][][2]float64{}
	for _, stroke := range answer.Onto(r.Board, r.Puzzle).Strokes(s) {
		var points [][2]float64
		for _, p := range stroke {
			points = append(points, [2]float64{p.X, p.Y})
		}
		lines = append(lines, points)
	}
	return lines
}

// seen tells of a reading what was read, and where.
func seen(r *see.Reading) seenJSON {
	b := seenJSON{Status: answer.Status(r.Err), Family: r.Game.Name, Quad: see.Quad(r.Board), Cols: r.Board.Cols, Rows: r.Board.Rows, Draft: r.Draftable(), Width: max(2, r.Board.ScreenPitch/5)}
	err := r.Err
	if err == nil {
		b.Text, err = canonical(r.Puzzle)
	}
	if err != nil {
		b.Error = said(err)
		var unsure *vision.UnsureError
		if errors.As(err, &unsure) && !unsure.Whole {
			at := r.Board.Place(unsure.At)
			b.Unsure = &[2]float64{at.X, at.Y}
		}
		return b
	}
	b.Status = "read"
	if shapes, err := shapesOf(r.Game, r.Puzzle, nil, maxShapes); err == nil {
		at := func(at image.Point) picture.Point { return place(r.Game, r.Puzzle, at) }
		b.SVG = drawn(answer.Onto(r.Board, r.Puzzle).Shapes(shapes, r.Board.ScreenPitch/2, at), 1)
	}
	return b
}
