package solving

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"strings"
	"time"

	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/show"
	"onlooker/solve"
	"onlooker/vision/picture"
)

const (
	// frame is how long a step is shown: long enough to be followed.
	frame = 60 * time.Millisecond
	// slow is how many steps are shown one by one, and then how many pictures each time until
	// twice as many steps lie between two: a search of a million takes a minute and a half.
	slow = 100
)

// drawSearch solves a board once more, and draws what is tried.
func (o *Options) drawSearch(ctx context.Context, b intake.Board) error {
	t, can := b.Puzzle.(solve.Tracer)
	if !o.trace || !can || show.Large(b.Puzzle) {
		return nil
	}
	bare, err := show.Shapes(b.Game, b.Puzzle, nil)
	if err != nil {
		return err
	}
	whole := ctx
	ctx, cancel := intake.Limited(ctx, o.timeout)
	defer cancel()
	steps, shown, every := 0, 0, 1
	draw := func(drawn solve.Solution) {
		shapes := bare[:len(bare):len(bare)]
		for _, edge := range drawn {
			var line []picture.Point
			for _, p := range edge {
				line = append(line, picture.Point{X: float64(p.X), Y: float64(p.Y)})
			}
			shapes = append(shapes, picture.Shape{Kind: picture.Line, Points: line, Width: 0.5, Line: picture.Answer, Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}})
		}
		var out bytes.Buffer
		if shown > 0 {
			fmt.Fprintf(&out, "\x1b[%dA\r\x1b[J", shown)
		}
		before := out.Len()
		if err = picture.Terminal(&out, shapes, show.Colours(o.Out)); err == nil {
			fmt.Fprintf(&out, "step %d\n", steps)
			shown = strings.Count(out.String()[before:], "\n")
			_, err = o.Out.Write(out.Bytes())
		}
	}
	pictures := 0
	_, failed := t.SolveTraced(ctx, func(drawn func() solve.Solution) {
		if steps++; steps%every != 0 || err != nil || ctx.Err() != nil {
			return
		}
		draw(drawn())
		if pictures++; pictures%slow == 0 {
			every *= 2
		}
		select {
		case <-time.After(frame):
		case <-ctx.Done():
		}
	})
	late := ctx.Err() != nil && whole.Err() == nil // the answer, or that there is none in time, is said next
	if failed != nil && !late && !errors.Is(failed, solve.ErrUnsolvable) {
		return failed
	}
	return err
}
