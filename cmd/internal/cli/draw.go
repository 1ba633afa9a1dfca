package cli

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// PixelsPerHalfCell is the scale of SVG and PNG pictures: a cell of 64 pixels
// shows every symbol clearly.
const PixelsPerHalfCell = 32

// mostPixels keeps the picture of a huge board within 160 MB of memory.
const mostPixels = 40e6

// PNGScale is the pixels per half-cell of a PNG picture.
func PNGScale(s []picture.Shape) float64 {
	least, most := picture.Extent(s)
	area := (most.X - least.X) * (most.Y - least.Y)
	return min(PixelsPerHalfCell, math.Sqrt(mostPixels/max(1, area)))
}

// Shapes is the picture of a board with marks at some half-cells.
func Shapes(g *see.Game, p solve.Puzzle, answer solve.Solution, marks ...image.Point) ([]picture.Shape, error) {
	if g.Picture == nil {
		return nil, fmt.Errorf("%s has no pictures: %w", g.Name, solve.ErrNotSupported)
	}
	s := g.Picture(p, answer)
	if len(s) == 0 {
		return nil, fmt.Errorf("%s: the picture is empty", g.Name)
	}
	for _, mark := range marks {
		at := picture.Point{X: float64(mark.X), Y: float64(mark.Y)}
		if g.Place != nil {
			at = g.Place(p, mark)
		}
		s = append(s, picture.Shape{
			Kind: picture.Glyph, Points: []picture.Point{at},
			Words: "×", Colour: color.NRGBA{R: 0xff, A: 0xff},
		})
	}
	return s, nil
}

// MostDrawn is the largest board that is drawn as text, in half-cells: 256×256
// cells, of which a line has a thousand characters. Shapes of one of 2000×2000
// take gigabytes.
const MostDrawn = 512 * 512

// TooLarge tells whether a board is too large to be drawn as text.
func TooLarge(p solve.Puzzle) bool {
	size := p.Bounds().Size()
	return size.X*size.Y > MostDrawn
}

// DrawBoard prints a board, in colours where the output is a terminal that has
// them. A family without pictures is printed as its text.
func DrawBoard(to io.Writer, g *see.Game, p solve.Puzzle, answer solve.Solution, marks ...image.Point) error {
	if g.Picture == nil {
		text, err := p.MarshalText()
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(to, "%s\n", text)
		return err
	}
	if size := p.Bounds().Size(); TooLarge(p) {
		_, err := fmt.Fprintf(to, "(a board of %d×%d cells is too large to draw)\n", size.X/2, size.Y/2)
		return err
	}
	s, err := Shapes(g, p, answer, marks...)
	if err != nil {
		return err
	}
	return picture.Terminal(to, s, Colours(to))
}

// Colours tells whether a writer is a terminal that shows colours; NO_COLOR
// turns them off, as elsewhere.
func Colours(w io.Writer) bool { return Terminal(w) && os.Getenv("NO_COLOR") == "" }

// Terminal tells whether a writer is a terminal on which what was written can be
// written over.
func Terminal(w io.Writer) bool {
	if s, ok := w.(*Sink); ok {
		w = s.Writer
	}
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Dispute says by which readings of the rules an answer is right; "" where it is by all.
func Dispute(by solve.Standing) string {
	if len(by.Wrong)+len(by.Unknown) == 0 {
		return ""
	}
	text := "right by the rules of " + strings.Join(by.Right, ", ")
	if len(by.Wrong) > 0 {
		text += ", not of " + strings.Join(by.Wrong, ", ")
	}
	if len(by.Unknown) > 0 {
		text += "; whether by those of " + strings.Join(by.Unknown, ", ") + " was not found out in time"
	}
	return text
}

const (
	// frame is how long a step is shown: long enough to be followed.
	frame = 60 * time.Millisecond
	// slow is how many steps are shown one by one, and then how many pictures each time until
	// twice as many steps lie between two: a search of a million takes a minute and a half.
	slow = 100
)

// DrawSearch solves a board once more and has what is tried drawn, at a speed that people follow.
func DrawSearch(ctx context.Context, t solve.Tracer, draw func(step int, drawn solve.Solution) error) error {
	step, pictures, every := 0, 0, 1
	var failed error
	_, err := t.SolveTraced(ctx, func(drawn func() solve.Solution) {
		if step++; step%every != 0 || failed != nil || ctx.Err() != nil {
			return
		}
		failed = draw(step, drawn())
		if pictures++; pictures%slow == 0 {
			every *= 2
		}
		select {
		case <-time.After(frame):
		case <-ctx.Done():
		}
	})
	if errors.Is(err, solve.ErrUnsolvable) {
		err = nil
	}
	return errors.Join(failed, err)
}
