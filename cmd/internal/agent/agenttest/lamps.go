package agenttest

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"time"

	"onlooker/input"
	"onlooker/solve"
)

const LampCols, LampRows, LampPitch = 4, 3, 60

var LampsAt = image.Pt(100, 80)

// Lamps is a client with a grid of lamps that turn over within a quarter of a
// second, and the puzzle that it shows.
type Lamps struct {
	Lit     [LampRows][LampCols]bool
	Was     [LampRows][LampCols]bool
	turned  time.Time
	pointer image.Point
	Clicked []image.Point // cells
	Down    bool
	// Flips are the cells that the n-th click on a cell flips, from 1.
	Flips  func(n int, cell image.Point) []image.Point
	Shines bool // lit lamps shine into their neighbours
	// Says draws what the client says beside its board after so many clicks; nil: it says nothing.
	Says func(m *image.RGBA, clicks int)
}

func Cross(cell image.Point) []image.Point {
	var out []image.Point
	for _, d := range []image.Point{{}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		if q := cell.Add(d); q.In(image.Rect(0, 0, LampCols, LampRows)) {
			out = append(out, q)
		}
	}
	return out
}

func (l *Lamps) MarshalText() ([]byte, error)                  { return []byte("lamps"), nil }
func (l *Lamps) Bounds() image.Rectangle                       { return image.Rect(0, 0, 2*LampCols, 2*LampRows) }
func (l *Lamps) Solve(context.Context) (solve.Solution, error) { return nil, errors.New("not asked") }
func (l *Lamps) Check(context.Context, solve.Solution) error   { return nil }
func (l *Lamps) MoveTo(at image.Point) error                   { l.pointer = at; return nil }
func (l *Lamps) MoveBy(dx, dy int) error                       { l.pointer = l.pointer.Add(image.Pt(dx, dy)); return nil }
func (l *Lamps) Key(input.Key) error                           { return nil }
func (l *Lamps) Release(input.Button) error                    { l.Down = false; return nil }
func (l *Lamps) Pointer() (image.Point, error)                 { return l.pointer, nil }
func (l *Lamps) Close() error                                  { return nil }

func (l *Lamps) Clicks(s solve.Stroke) ([]solve.Click, error) {
	c := solve.Click{At: s[0]}
	for _, q := range Cross(image.Pt(s[0].X/2, s[0].Y/2)) {
		c.Changes = append(c.Changes, q.Mul(2).Add(image.Pt(1, 1)))
	}
	return []solve.Click{c}, nil
}

func (l *Lamps) Press(input.Button) error {
	l.Down = true
	at := l.pointer.Sub(LampsAt)
	cell := image.Pt(at.X/LampPitch, at.Y/LampPitch)
	l.Clicked = append(l.Clicked, cell)
	l.Was, l.turned = l.Lit, time.Now()
	for _, q := range l.Flips(len(l.Clicked), cell) {
		l.Lit[q.Y][q.X] = !l.Lit[q.Y][q.X]
	}
	return nil
}

// Grab shows lamps that turn over growing thin and wide again.
func (l *Lamps) Grab(context.Context) (*image.RGBA, error) {
	m := image.NewRGBA(image.Rect(0, 0, 480, 360))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{120, 120, 120, 255}), image.Point{}, draw.Src)
	part := min(1, float64(time.Since(l.turned))/float64(250*time.Millisecond))
	for pass := range 3 { // dark lamps, what lit ones shine, lit ones
		for i := range LampRows * LampCols {
			r, c := i/LampCols, i%LampCols
			on, half := l.Lit[r][c], 26.0
			if l.Was[r][c] != on {
				if half *= max(2*part-1, 1-2*part); part < 0.5 {
					on = !on
				}
			}
			x, y := LampsAt.X+c*LampPitch+LampPitch/2, LampsAt.Y+r*LampPitch+LampPitch/2
			switch {
			case pass == 0 && !on:
				draw.Draw(m, image.Rect(x-int(half), y-26, x+int(half), y+26), image.NewUniform(color.RGBA{30, 30, 30, 255}), image.Point{}, draw.Src)
			case pass == 1 && on && l.Shines:
				draw.Draw(m, image.Rect(x-65, y-65, x+65, y+65), image.NewUniform(color.RGBA{60, 80, 110, 255}), image.Point{}, draw.Src)
			case pass == 2 && on:
				draw.Draw(m, image.Rect(x-int(half), y-26, x+int(half), y+26), image.NewUniform(color.RGBA{250, 240, 200, 255}), image.Point{}, draw.Src)
			}
		}
	}
	if l.Says != nil {
		l.Says(m, len(l.Clicked))
	}
	return m, nil
}

// A LampSource is the lamps as a capture.Source, whose bounds are the screen's.
type LampSource struct{ *Lamps }

func (LampSource) Bounds() image.Rectangle { return image.Rect(0, 0, 480, 360) }
