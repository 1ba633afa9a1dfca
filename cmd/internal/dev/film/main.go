// Command film draws the README's moving picture: panels of the Challenge's look
// come up, and the answer is laid over each as `watch --overlay` lays it.
//
//	go run ./cmd/internal/dev/film cmd/internal/dev/film/overlay.gif
package main

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"math"
	"math/rand/v2"
	"os"

	xdraw "golang.org/x/image/draw"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/vision/picture"
	panels "onlooker/vision/picture/witness"
)

const (
	side = 300.0 // of a panel, in pixels
	gap  = 40    // between and around them
	// Hundredths of a second.
	stepTime, holdTime = 7, 160
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "film: want one file to write")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "film:", err)
		os.Exit(1)
	}
}

// shown are the panels of the film, dealt like the Challenge's.
func shown() ([]*board.Panel, error) {
	var all []*board.Panel
	for _, o := range []deal.Options{
		{Cols: 4, Rows: 4, Squares: 9, SquareColours: 2},
		{Cols: 4, Rows: 4, Pieces: 2, Stars: 4},
	} {
		p, _, err := deal.Solvable(context.Background(), rand.New(rand.NewPCG(9, 1)), o)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

func write(file string) error {
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		return err
	}
	style := panels.Typical(look)
	boards, err := shown()
	if err != nil {
		return err
	}
	var answers []solve.Solution
	for _, p := range boards {
		answer, err := witness.Of(p).Solve(context.Background())
		if err != nil {
			return err
		}
		answers = append(answers, answer)
	}
	wide := len(boards)*int(side) + (len(boards)+1)*gap
	frame := func(reached []float64) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, wide, int(side)+2*gap))
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{0, 24, 18, 255}), image.Point{}, draw.Src)
		for i, p := range boards {
			shapes := panels.Shapes(p, nil, style)
			least, most := picture.Extent(shapes)
			shapes = append(shapes, overlaid(answers[i][0], reached[i])...)
			scale := side / max(most.X-least.X, most.Y-least.Y)
			one := image.NewRGBA(image.Rect(0, 0, int(side), int(side)))
			picture.Draw(one, shapes, least, scale)
			at := image.Pt(gap+i*(int(side)+gap), gap)
			xdraw.Copy(m, at, one, one.Rect, xdraw.Over, nil)
		}
		return m
	}
	film := &gif.GIF{}
	var before *image.Paletted
	add := func(m *image.RGBA, delay int) {
		flat := image.NewPaletted(m.Rect, colours())
		draw.Draw(flat, m.Rect, m, image.Point{}, draw.Src)
		film.Image, film.Delay, film.Disposal = append(film.Image, changed(before, flat)), append(film.Delay, delay), append(film.Disposal, gif.DisposalNone)
		before = flat
	}
	reached := make([]float64, len(boards))
	add(frame(reached), holdTime/2)
	for i := range boards {
		long := length(answers[i][0])
		for at := 0.5; ; at += 0.9 {
			reached[i] = min(at, long)
			delay := stepTime
			if reached[i] == long {
				delay = holdTime / 2
			}
			add(frame(reached), delay)
			if reached[i] == long {
				break
			}
		}
	}
	film.Delay[len(film.Delay)-1] = holdTime
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := gif.EncodeAll(f, film); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// colours are the film's: a cube of six levels, and greys between.
func colours() color.Palette {
	var all color.Palette
	for r := range 6 {
		for g := range 6 {
			for b := range 6 {
				all = append(all, color.RGBA{uint8(51 * r), uint8(51 * g), uint8(51 * b), 255})
			}
		}
	}
	for k := range 40 {
		all = append(all, color.RGBA{0, uint8(6 * k), uint8(4.5 * float64(k)), 255})
	}
	return all
}

// changed is the part of a frame that is another than before.
func changed(before, now *image.Paletted) *image.Paletted {
	if before == nil {
		return now
	}
	box := image.Rectangle{}
	for y := range now.Rect.Dy() {
		for x := range now.Rect.Dx() {
			if now.ColorIndexAt(x, y) != before.ColorIndexAt(x, y) {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		box = image.Rect(0, 0, 1, 1)
	}
	return now.SubImage(box).(*image.Paletted)
}

func length(stroke solve.Stroke) (sum float64) {
	for i := range len(stroke) - 1 {
		d := stroke[i+1].Sub(stroke[i])
		sum += math.Hypot(float64(d.X), float64(d.Y))
	}
	return sum
}

// overlaid is a stroke in the overlay's colour as far as it has come, in half-cells.
func overlaid(stroke solve.Stroke, far float64) []picture.Shape {
	if far <= 0 {
		return nil
	}
	start := picture.Point{X: float64(stroke[0].X), Y: float64(stroke[0].Y)}
	points := []picture.Point{start}
	for _, p := range stroke[1:] {
		last := points[len(points)-1]
		d := math.Hypot(float64(p.X)-last.X, float64(p.Y)-last.Y)
		part := min(1, far/d)
		points = append(points, picture.Point{X: last.X + (float64(p.X)-last.X)*part, Y: last.Y + (float64(p.Y)-last.Y)*part})
		if far -= d; far <= 0 {
			break
		}
	}
	pink := color.NRGBA{255, 43, 214, 255}
	return []picture.Shape{
		{Kind: picture.Disc, Points: []picture.Point{start}, Width: 0.5, Colour: pink},
		{Kind: picture.Line, Points: points, Width: 0.22, Round: true, Colour: pink},
	}
}
