package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/solve/switches"
	"onlooker/vision"
	visionswitches "onlooker/vision/switches"
)

const lampCols, lampRows, lampPitch = 4, 3, 60

var lampsAt = image.Pt(100, 80)

// lamps is a client with a grid of lamps that turn over within a quarter of a
// second, and the puzzle that it shows.
type lamps struct {
	lit     [lampRows][lampCols]bool
	was     [lampRows][lampCols]bool
	turned  time.Time
	pointer image.Point
	clicks  []image.Point // cells
	down    bool
	// flips are the cells that the n-th click on a cell flips, from 1.
	flips  func(n int, cell image.Point) []image.Point
	shines bool // lit lamps shine into their neighbours
	// says draws what the client says beside its board after so many clicks; nil: it says nothing.
	says func(m *image.RGBA, clicks int)
}

func cross(cell image.Point) []image.Point {
	var out []image.Point
	for _, d := range []image.Point{{}, {X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		if q := cell.Add(d); q.In(image.Rect(0, 0, lampCols, lampRows)) {
			out = append(out, q)
		}
	}
	return out
}

func (l *lamps) MarshalText() ([]byte, error)                  { return []byte("lamps"), nil }
func (l *lamps) Bounds() image.Rectangle                       { return image.Rect(0, 0, 2*lampCols, 2*lampRows) }
func (l *lamps) Solve(context.Context) (solve.Solution, error) { return nil, errors.New("not asked") }
func (l *lamps) Check(context.Context, solve.Solution) error   { return nil }
func (l *lamps) MoveTo(at image.Point) error                   { l.pointer = at; return nil }
func (l *lamps) MoveBy(dx, dy int) error                       { l.pointer = l.pointer.Add(image.Pt(dx, dy)); return nil }
func (l *lamps) Key(input.Key) error                           { return nil }
func (l *lamps) Release(input.Button) error                    { l.down = false; return nil }
func (l *lamps) Pointer() (image.Point, error)                 { return l.pointer, nil }
func (l *lamps) Close() error                                  { return nil }

func (l *lamps) Clicks(s solve.Stroke) ([]solve.Click, error) {
	c := solve.Click{At: s[0]}
	for _, q := range cross(image.Pt(s[0].X/2, s[0].Y/2)) {
		c.Changes = append(c.Changes, q.Mul(2).Add(image.Pt(1, 1)))
	}
	return []solve.Click{c}, nil
}

func (l *lamps) Press(input.Button) error {
	l.down = true
	at := l.pointer.Sub(lampsAt)
	cell := image.Pt(at.X/lampPitch, at.Y/lampPitch)
	l.clicks = append(l.clicks, cell)
	l.was, l.turned = l.lit, time.Now()
	for _, q := range l.flips(len(l.clicks), cell) {
		l.lit[q.Y][q.X] = !l.lit[q.Y][q.X]
	}
	return nil
}

// Grab shows lamps that turn over growing thin and wide again.
func (l *lamps) Grab(context.Context) (*image.RGBA, error) {
	m := image.NewRGBA(image.Rect(0, 0, 480, 360))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{120, 120, 120, 255}), image.Point{}, draw.Src)
	part := min(1, float64(time.Since(l.turned))/float64(250*time.Millisecond))
	for pass := range 3 { // dark lamps, what lit ones shine, lit ones
		for i := range lampRows * lampCols {
			r, c := i/lampCols, i%lampCols
			on, half := l.lit[r][c], 26.0
			if l.was[r][c] != on {
				if half *= max(2*part-1, 1-2*part); part < 0.5 {
					on = !on
				}
			}
			x, y := lampsAt.X+c*lampPitch+lampPitch/2, lampsAt.Y+r*lampPitch+lampPitch/2
			switch {
			case pass == 0 && !on:
				draw.Draw(m, image.Rect(x-int(half), y-26, x+int(half), y+26), image.NewUniform(color.RGBA{30, 30, 30, 255}), image.Point{}, draw.Src)
			case pass == 1 && on && l.shines:
				draw.Draw(m, image.Rect(x-65, y-65, x+65, y+65), image.NewUniform(color.RGBA{60, 80, 110, 255}), image.Point{}, draw.Src)
			case pass == 2 && on:
				draw.Draw(m, image.Rect(x-int(half), y-26, x+int(half), y+26), image.NewUniform(color.RGBA{250, 240, 200, 255}), image.Point{}, draw.Src)
			}
		}
	}
	if l.says != nil {
		l.says(m, len(l.clicks))
	}
	return m, nil
}

// A lampSource is the lamps as a capture.Source, whose bounds are the screen's.
type lampSource struct{ *lamps }

func (lampSource) Bounds() image.Rectangle { return image.Rect(0, 0, 480, 360) }

func lampBoard() *vision.Board {
	x, y := float64(lampsAt.X), float64(lampsAt.Y)
	w, h := float64(lampCols*lampPitch), float64(lampRows*lampPitch)
	return &vision.Board{Quad: [4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}, Cols: lampCols, Rows: lampRows, ScreenPitch: lampPitch}
}

// ink draws bars of 6×12 pixels, as letters are, from a place on.
func ink(m *image.RGBA, at image.Point, letters int) {
	for i := range letters {
		bar := image.Rect(0, 0, 6, 12).Add(at).Add(image.Pt(9*i, 0))
		draw.Draw(m, bar, image.Black, image.Point{}, draw.Src)
	}
}

// TestAcceptedIsSeen: all of an answer is entered, and it counts as accepted only where the
// client shows that it took it.
func TestAcceptedIsSeen(t *testing.T) {
	moves := func(m *image.RGBA, clicks int) { ink(m, image.Pt(100, 300), 7+clicks) }
	for _, row := range []struct {
		why  string
		says func(began time.Time) func(m *image.RGBA, clicks int)
		last bool // the board goes with the last click
		want Outcome
	}{
		{"the client says nothing", nil, false, Entered},
		{"it counts moves", func(time.Time) func(*image.RGBA, int) { return moves }, false, Entered},
		{"a word appears", func(time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, clicks int) {
				if clicks == 2 {
					ink(m, image.Pt(150, 20), 10)
				}
			}
		}, false, Accepted},
		{"a word appears beside its moves", func(time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, clicks int) {
				if moves(m, clicks); clicks == 2 {
					ink(m, image.Pt(180, 300), 10)
				}
			}
		}, false, Accepted},
		{"a clock goes on", func(began time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, _ int) { // all of its digits at once
				ink(m, image.Pt(150+5*int(time.Since(began)/time.Second%2), 20), 10)
			}
		}, false, Entered},
		{"another board comes", nil, true, Accepted},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			l := &lamps{flips: func(n int, cell image.Point) []image.Point {
				if n < 2 || !row.last {
					return cross(cell)
				}
				var all []image.Point
				for c := range lampCols {
					for r := range lampRows {
						all = append(all, image.Pt(c, r))
					}
				}
				return all
			}}
			if row.says != nil {
				l.says = row.says(time.Now())
			}
			p := &Player{Source: lampSource{l}, Mouse: l, Motion: calibrations.Motion{Style: calibrations.Clicks, Gain: 1}}
			p.start()
			target := &Drive{Reading: Reading{Puzzle: l, Board: lampBoard()}, Answer: solve.Solution{{{X: 3, Y: 3}}, {{X: 7, Y: 1}}}}
			sheet := Sheet{Projection: answer.Projection{At: func(x, y float64) vision.Point {
				return vision.Point{X: float64(lampsAt.X) + x*lampPitch/2, Y: float64(lampsAt.Y) + y*lampPitch/2}
			}}}
			e, err := newClicking(p, sheet, target)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.submit(t.Context()); err != nil {
				t.Fatal(err)
			}
			c := &course{Driver: &Driver{Player: p, Observer: &Observer{Eye: &Eye{}}}, target: target, entry: e}
			if err := c.verdict(t.Context()); err != nil || target.Outcome != row.want {
				t.Errorf("%s, %v, want %s", target.Outcome, err, row.want)
			}
		})
	}
}

// TestClicks enters two clicks: what the client does with them is seen, and one
// that answers otherwise gets no other click.
func TestClicks(t *testing.T) {
	plain := func(_ int, cell image.Point) []image.Point { return cross(cell) }
	for _, row := range []struct {
		why    string
		flips  func(n int, cell image.Point) []image.Point
		clicks int
		miss   bool // a MissError is wanted
		other  bool // an OtherwiseError is
	}{
		{"a plain client", plain, 2, false, false},
		{"lamps shine into their neighbours", plain, 2, false, false},
		{"the first click is lost", func(n int, cell image.Point) []image.Point {
			if n == 1 {
				return nil
			}
			return cross(cell)
		}, 1, true, false},
		{"a click flips a row", func(_ int, cell image.Point) []image.Point {
			var out []image.Point
			for c := range lampCols {
				out = append(out, image.Pt(c, cell.Y))
			}
			return out
		}, 1, false, true},
		{"with the last click another board comes", func(n int, cell image.Point) []image.Point {
			if n < 2 {
				return cross(cell)
			}
			var out []image.Point
			for c := range lampCols {
				for r := range lampRows {
					out = append(out, image.Pt(c, r))
				}
			}
			return out
		}, 2, false, false},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			l := &lamps{flips: row.flips, shines: strings.Contains(row.why, "shine")}
			p := &Player{Source: lampSource{l}, Mouse: l, Motion: calibrations.Motion{Style: calibrations.Clicks, Gain: 1}}
			p.start()
			sheet := Sheet{Projection: answer.Projection{At: func(x, y float64) vision.Point {
				return vision.Point{X: float64(lampsAt.X) + x*lampPitch/2, Y: float64(lampsAt.Y) + y*lampPitch/2}
			}}}
			clicks := solve.Solution{{{X: 3, Y: 3}}, {{X: 7, Y: 1}}}
			e, err := newClicking(p, sheet, &Drive{Reading: Reading{Puzzle: l, Board: lampBoard()}, Answer: clicks})
			if err != nil {
				t.Fatal(err)
			}
			err = e.submit(t.Context())
			if got := errors.As(err, new(*MissError)); got != row.miss {
				t.Errorf("%v: a miss %v, want %v", err, got, row.miss)
			}
			if got := errors.As(err, new(*OtherwiseError)); got != row.other {
				t.Errorf("%v: otherwise %v, want %v", err, got, row.other)
			}
			if (err == nil) != (!row.miss && !row.other) {
				t.Errorf("%v", err)
			}
			want := []image.Point{{X: 1, Y: 1}, {X: 3, Y: 0}}[:row.clicks]
			if fmt.Sprint(l.clicks) != fmt.Sprint(want) {
				t.Errorf("clicked %v, want %v", l.clicks, want)
			}
			if l.down {
				t.Error("the button is down")
			}
		})
	}
}

// TestDriverClicks drives a whole board of lamps, from what is seen to all of them
// lit; a client by other rules is left alone after two clicks.
func TestDriverClicks(t *testing.T) {
	look, err := calibrations.Load("switches-cells")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		why    string
		flips  func(n int, cell image.Point) []image.Point
		clicks int // at the most
		want   bool
	}{
		{"a plain client", func(_ int, cell image.Point) []image.Point { return cross(cell) }, 2, true},
		{"a client that loses a click", func(n int, cell image.Point) []image.Point {
			if n == 1 {
				return nil
			}
			return cross(cell)
		}, 3, true},
		{"a client by other rules", func(_ int, cell image.Point) []image.Point {
			return []image.Point{cell, {X: (cell.X + 1) % lampCols, Y: (cell.Y + 1) % lampRows}}
		}, 2, false},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			l := &lamps{flips: row.flips}
			for r := range lampRows {
				for c := range lampCols {
					l.lit[r][c] = true
				}
			}
			for _, cell := range []image.Point{{X: 1, Y: 1}, {X: 3, Y: 0}} {
				for _, q := range cross(cell) {
					l.lit[q.Y][q.X] = !l.lit[q.Y][q.X]
				}
			}
			l.was = l.lit
			d := &Driver{
				Player:   &Player{Source: lampSource{l}, Mouse: l},
				Observer: &Observer{Eye: &Eye{Games: []Game{{Family: &switches.Family, Scan: visionswitches.Scan}}, Profiles: []*calibrations.Profile{look}}},
				Want:     1, Patience: 5 * time.Second,
			}
			got := d.watched(t.Context())
			var other *OtherwiseError
			if accepted := got.err == nil; accepted != row.want || !row.want && !errors.As(got.err, &other) {
				t.Errorf("%v", got)
			}
			if len(l.clicks) > row.clicks {
				t.Errorf("clicked %v, want %d clicks at the most", l.clicks, row.clicks)
			}
			for _, cells := range l.lit {
				for _, on := range cells {
					if row.want && !on {
						t.Fatalf("lamps %v, want all lit", l.lit)
					}
				}
			}
		})
	}
}
