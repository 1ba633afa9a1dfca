package solving

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"strings"

	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// drawSearch solves a board once more, and draws what is tried.
func (o *Options) drawSearch(ctx context.Context, b intake.Board) error {
	t, can := b.Puzzle.(solve.Tracer)
	if !o.trace || !can || cli.TooLarge(b.Puzzle) {
		return nil
	}
	bare, err := cli.Shapes(b.Game, b.Puzzle, nil)
	if err != nil {
		return err
	}
	whole := ctx
	ctx, cancel := intake.Limited(ctx, o.timeout)
	defer cancel()
	shown := 0
	err = cli.DrawSearch(ctx, t, func(step int, drawn solve.Solution) error {
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
		if err := picture.Terminal(&out, shapes, cli.Colours(o.Out)); err != nil {
			return err
		}
		fmt.Fprintf(&out, "step %d\n", step)
		shown = strings.Count(out.String()[before:], "\n")
		_, err := o.Out.Write(out.Bytes())
		return err
	})
	if ctx.Err() != nil && whole.Err() == nil {
		return nil // the answer, or that there is none in time, is said next
	}
	return err
}
