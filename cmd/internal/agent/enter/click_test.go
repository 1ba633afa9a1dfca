package enter

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestAcceptedIsSeen: all of an answer is entered, and it counts as accepted only where the
// client shows that it took it.
func TestAcceptedIsSeen(t *testing.T) {
	moves := func(m *image.RGBA, clicks int) { ink(m, image.Pt(100, 300), 7+clicks, color.RGBA{A: 255}) }
	for _, row := range []struct {
		why  string
		says func(began time.Time) func(m *image.RGBA, clicks int)
		last bool // the board goes with the last click
		want Outcome
	}{
		{"the client says nothing", nil, false, Entered},
		{"it counts moves", func(time.Time) func(*image.RGBA, int) { return moves }, false, Entered},
		{"a word appears, which may be any", func(time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, clicks int) {
				if clicks == 2 {
					ink(m, image.Pt(150, 20), 10, color.RGBA{A: 255})
				}
			}
		}, false, Entered},
		{"a red word appears beside its moves", func(time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, clicks int) {
				if moves(m, clicks); clicks == 2 {
					ink(m, image.Pt(180, 300), 10, color.RGBA{0xcc, 0, 0, 255})
				}
			}
		}, false, Refused},
		{"its red clock goes on", func(began time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, _ int) {
				ink(m, image.Pt(150+9*int(time.Since(began)/time.Second%2), 20), 10, color.RGBA{0xcc, 0, 0, 255})
			}
		}, false, Entered},
		{"a clock goes on", func(began time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, _ int) { // all of its digits at once
				ink(m, image.Pt(150+5*int(time.Since(began)/time.Second%2), 20), 10, color.RGBA{A: 255})
			}
		}, false, Entered},
		{"a large clock's tens of seconds go on with it", func(began time.Time) func(*image.RGBA, int) {
			return func(m *image.RGBA, clicks int) {
				for i, n := range []int{clicks / 2, int(time.Since(began) / time.Second)} {
					digit := image.Rect(0, 0, 24, 20).Add(image.Pt(150+28*i, 10+16*(n%2)))
					draw.Draw(m, digit, image.Black, image.Point{}, draw.Src)
				}
			}
		}, false, Entered},
		{"another board comes", nil, true, Accepted},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			l := &agenttest.Lamps{Flips: func(n int, cell image.Point) []image.Point {
				if n < 2 || !row.last {
					return agenttest.Cross(cell)
				}
				var all []image.Point
				for c := range agenttest.LampCols {
					for r := range agenttest.LampRows {
						all = append(all, image.Pt(c, r))
					}
				}
				return all
			}}
			if row.says != nil {
				l.Says = row.says(time.Now())
			}
			p := &Player{Source: agenttest.LampSource{Lamps: l}, Mouse: l, Motion: calibrations.Motion{Style: calibrations.Clicks, Gain: 1}}
			p.Start()
			seen := solvetest.Must(l.Grab(t.Context()))(t)
			task := &Task{Reading: see.Reading{Puzzle: l, Board: lampBoard()}, Answer: solve.Solution{{{X: 3, Y: 3}}, {{X: 7, Y: 1}}}, Frame: seen}
			e := solvetest.Must(newClicking(p, lampSheet(), task))(t)
			solvetest.OK(t, e.Submit(t.Context()))
			if got, err := e.Judge(t.Context()); err != nil || got != row.want {
				t.Errorf("%s, %v, want %s", got, err, row.want)
			}
		})
	}
}

// TestRingsGoAtOnce: a board of rings and discs, whose rings' middles show the ground, goes in
// the same frame in which the last click is seen. Where it stays, nothing says that it was taken;
// nor where the page is darkened behind a message.
func TestRingsGoAtOnce(t *testing.T) {
	for _, row := range []struct {
		why   string
		goes  bool
		light float64
		want  Outcome
	}{{"it goes", true, 1, Accepted}, {"it stays", false, 1, Entered}, {"the page is darkened", false, 0.6, Entered}, {"it goes, and the page is darkened", true, 0.6, Accepted}} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			l := &agenttest.Lamps{Flips: func(_ int, cell image.Point) []image.Point { return agenttest.Cross(cell) }}
			clicks := solve.Solution{{{X: 3, Y: 3}}, {{X: 7, Y: 1}}}
			for _, s := range clicks {
				for _, q := range agenttest.Cross(s[0].Div(2)) {
					l.Lit[q.Y][q.X] = !l.Lit[q.Y][q.X]
				}
			}
			l.Says = func(m *image.RGBA, n int) {
				draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
				if n == len(clicks) {
					defer func() {
						for i := range m.Pix {
							m.Pix[i] = uint8(row.light * float64(m.Pix[i]))
						}
					}()
				}
				if row.goes && n == len(clicks) {
					return
				}
				for i := range agenttest.LampRows * agenttest.LampCols {
					r, c := i/agenttest.LampCols, i%agenttest.LampCols
					box := image.Rect(0, 0, agenttest.LampPitch, agenttest.LampPitch).Add(agenttest.LampsAt).Add(image.Pt(c, r).Mul(agenttest.LampPitch))
					draw.Draw(m, box.Inset(3), image.Black, image.Point{}, draw.Src)
					if !l.Lit[r][c] {
						draw.Draw(m, box.Inset(agenttest.LampPitch/5), image.White, image.Point{}, draw.Src)
					}
				}
			}
			p := &Player{Source: agenttest.LampSource{Lamps: l}, Mouse: l, Motion: calibrations.Motion{Style: calibrations.Clicks, Gain: 1}}
			p.Start()
			seen := solvetest.Must(l.Grab(t.Context()))(t)
			e, err := newClicking(p, lampSheet(), &Task{Reading: see.Reading{Puzzle: l, Board: lampBoard()}, Answer: clicks, Frame: seen})
			if err == nil {
				err = e.Submit(t.Context())
			}
			solvetest.OK(t, err)
			if got, err := e.Judge(t.Context()); err != nil || got != row.want {
				t.Errorf("%s, %v, want %s", got, err, row.want)
			}
		})
	}
}

// TestClicks enters two clicks: what the client does with them is seen, and one
// that answers otherwise gets no other click.
func TestClicks(t *testing.T) {
	plain := func(_ int, cell image.Point) []image.Point { return agenttest.Cross(cell) }
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
			return agenttest.Cross(cell)
		}, 1, true, false},
		{"a click flips a row", func(_ int, cell image.Point) []image.Point {
			var out []image.Point
			for c := range agenttest.LampCols {
				out = append(out, image.Pt(c, cell.Y))
			}
			return out
		}, 1, false, true},
		{"with the last click another board comes", func(n int, cell image.Point) []image.Point {
			if n < 2 {
				return agenttest.Cross(cell)
			}
			var out []image.Point
			for c := range agenttest.LampCols {
				for r := range agenttest.LampRows {
					out = append(out, image.Pt(c, r))
				}
			}
			return out
		}, 2, false, false},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			l := &agenttest.Lamps{Flips: row.flips, Shines: strings.Contains(row.why, "shine")}
			p := &Player{Source: agenttest.LampSource{Lamps: l}, Mouse: l, Motion: calibrations.Motion{Style: calibrations.Clicks, Gain: 1}}
			p.Start()
			clicks := solve.Solution{{{X: 3, Y: 3}}, {{X: 7, Y: 1}}}
			e, err := newClicking(p, lampSheet(), &Task{Reading: see.Reading{Puzzle: l, Board: lampBoard()}, Answer: clicks})
			solvetest.OK(t, err)
			err = e.Submit(t.Context())
			solvetest.Same(t, errors.As(err, new(*MissError)), row.miss, "%v: a miss", err)
			solvetest.Same(t, errors.As(err, new(*OtherwiseError)), row.other, "%v: otherwise", err)
			if (err == nil) != (!row.miss && !row.other) {
				t.Errorf("%v", err)
			}
			want := []image.Point{{X: 1, Y: 1}, {X: 3, Y: 0}}[:row.clicks]
			if fmt.Sprint(l.Clicked) != fmt.Sprint(want) {
				t.Errorf("clicked %v, want %v", l.Clicked, want)
			}
			if l.Down {
				t.Error("the button is down")
			}
		})
	}
}

func lampSheet() Sheet {
	return Sheet{Projection: answer.Projection{At: func(x, y float64) vision.Point {
		return vision.Point{X: float64(agenttest.LampsAt.X) + x*agenttest.LampPitch/2, Y: float64(agenttest.LampsAt.Y) + y*agenttest.LampPitch/2}
	}}}
}

func lampBoard() *vision.Board {
	x, y := float64(agenttest.LampsAt.X), float64(agenttest.LampsAt.Y)
	w, h := float64(agenttest.LampCols*agenttest.LampPitch), float64(agenttest.LampRows*agenttest.LampPitch)
	return &vision.Board{Quad: [4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}, Cols: agenttest.LampCols, Rows: agenttest.LampRows, ScreenPitch: agenttest.LampPitch}
}

// ink draws bars of 6×12 pixels, as letters are, from a place on.
func ink(m *image.RGBA, at image.Point, letters int, c color.RGBA) {
	for i := range letters {
		bar := image.Rect(0, 0, 6, 12).Add(at).Add(image.Pt(9*i, 0))
		draw.Draw(m, bar, image.NewUniform(c), image.Point{}, draw.Src)
	}
}

// tiles is a client of 4×3 cells in which pictures fill the cells of a path's ends: what is
// drawn there is not seen. It takes a cell when the pointer comes into it from its neighbour.
type tiles struct {
	ends []image.Point
	path []image.Point
	done [][]image.Point // paths that were let go of
	at   image.Point     // the pointer
	held bool
	half bool // it draws in the cell that is left, and not in the one that is come to
	// mark says that it draws a mark in each cell that is come to, and nothing between them.
	mark  bool
	small int // of so many ends the pictures are small
	// page says that what a stroke went over is selected, and dragged from the next press on
	// where the pointer moves before it is let go of.
	page, selected, dragged bool
}

const tilePitch = 60

func (c *tiles) cell() image.Point { return c.at.Sub(image.Pt(tilePitch, tilePitch)).Div(tilePitch) }

func (c *tiles) MoveTo(at image.Point) error {
	c.dragged = c.dragged || c.held && c.selected && at != c.at
	if c.at = at; c.dragged {
		return nil
	}
	if n := len(c.path); c.held && n > 0 {
		if by := c.cell().Sub(c.path[n-1]); abs(by.X)+abs(by.Y) == 1 {
			c.path = append(c.path, c.cell())
		}
	}
	return nil
}

func (c *tiles) Press(input.Button) error {
	if c.held = true; slices.Contains(c.ends, c.cell()) {
		c.path = []image.Point{c.cell()}
	}
	return nil
}

func (c *tiles) Release(input.Button) error {
	if c.held = false; len(c.path) > 1 {
		c.done = append(c.done, c.path)
	}
	c.selected = c.page && (c.dragged || len(c.path) > 1)
	c.dragged = false
	return nil
}

func (c *tiles) MoveBy(int, int) error         { return nil }
func (c *tiles) Key(input.Key) error           { return nil }
func (c *tiles) Pointer() (image.Point, error) { return c.at, nil }
func (c *tiles) Bounds() image.Rectangle       { return image.Rect(0, 0, 6*tilePitch, 5*tilePitch) }
func (c *tiles) Close() error                  { return nil }

func (c *tiles) Grab(context.Context) (*image.RGBA, error) {
	m := image.NewRGBA(c.Bounds())
	fill := func(r image.Rectangle, v uint8) {
		draw.Draw(m, r, image.NewUniform(color.RGBA{v, v, v, 255}), image.Point{}, draw.Src)
	}
	middle := func(q image.Point) image.Point {
		return image.Pt(tilePitch*(q.X+1)+tilePitch/2, tilePitch*(q.Y+1)+tilePitch/2)
	}
	fill(m.Rect, 210)
	for _, path := range append(c.done, c.path) {
		for i := 1; i < len(path); i++ {
			a, b := middle(path[i-1]), middle(path[i])
			if c.mark {
				fill(image.Rectangle{Min: b, Max: b}.Inset(-20), 80)
				continue
			}
			if c.half {
				b = a.Add(b.Sub(a).Div(4))
			}
			r := image.Rectangle{Min: a, Max: b}.Canon()
			fill(r.Inset(-8), 80)
		}
	}
	for i, q := range c.ends {
		at, side := middle(q), tilePitch/2-1
		if i < c.small {
			side /= 2
		}
		fill(image.Rectangle{Min: at, Max: at}.Inset(-side), 140)
	}
	return m, nil
}

func tileSheet(x, y float64) vision.Point {
	return vision.Point{X: tilePitch * (1 + x/2), Y: tilePitch * (1 + y/2)}
}

// TestCoveredEnds: a path is entered whose ends are covered by pictures, and with it one of two
// ends side by side, of which nothing is seen; one whose client draws but a quarter of each
// step is not taken for that. A client that marks the cells of a path is followed by its marks.
func TestCoveredEnds(t *testing.T) {
	path := solve.Stroke{{X: 1, Y: 1}, {X: 3, Y: 1}, {X: 5, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 3}}
	beside := solve.Stroke{{X: 1, Y: 5}, {X: 3, Y: 5}}
	below := solve.Stroke{{X: 3, Y: 5}, {X: 5, Y: 5}, {X: 7, Y: 5}}
	for _, row := range []struct {
		why     string
		strokes solve.Solution
		client  tiles
		want    bool
	}{
		{"pictures over the ends", solve.Solution{path}, tiles{}, true},
		{"and a quarter of each step only", solve.Solution{path}, tiles{half: true}, false},
		{"two ends side by side beside it", solve.Solution{beside, path}, tiles{}, true},
		{"two ends side by side alone", solve.Solution{beside}, tiles{}, false},
		{"on a page that selects", solve.Solution{path, below}, tiles{page: true}, true},
		{"small pictures over the first path's", solve.Solution{path, below}, tiles{small: 2}, true},
		{"a mark in each cell", solve.Solution{path, below}, tiles{mark: true, small: 4}, true},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			c := &row.client
			c.ends = []image.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 2}, {X: 1, Y: 2}}
			p := &Player{Source: c, Mouse: c, Motion: calibrations.Motion{Style: calibrations.Drag, Pointer: calibrations.System, StepPixels: 1000, StepMillis: 20, Gain: 1}}
			p.Start()
			sheet := Sheet{Projection: answer.Projection{At: tileSheet}, On: tileSheet}
			bare, err := c.Grab(t.Context())
			solvetest.OK(t, err)
			d := &dragEntry{player: p, sheet: sheet, strokes: row.strokes, bare: bare}
			began := time.Now()
			err = d.Submit(t.Context())
			if d.covered[0] != row.want || (err == nil) != row.want && !d.late {
				t.Errorf("%v after %v: covered %t, late %t; path %v", err, time.Since(began), d.covered, d.late, c.path)
			}
			if row.want && len(c.done) != len(row.strokes) {
				t.Errorf("the paths are %v", c.done)
			}
		})
	}
}

// TestRedBesideBoards: red ink that comes beside a board is seen; the board's own red lines are
// none, also where they leave it at an opening.
func TestRedBesideBoards(t *testing.T) {
	const cell = 180
	b := &vision.Board{Quad: [4]vision.Point{{X: 200, Y: 200}, {X: 200 + 3*cell, Y: 200}, {X: 200 + 3*cell, Y: 200 + 3*cell}, {X: 200, Y: 200 + 3*cell}}, Cols: 3, Rows: 3, ScreenPitch: cell}
	task := &Task{Reading: see.Reading{Board: b}, Answer: solve.Solution{{{X: 1, Y: 0}, {X: 1, Y: 1}, {X: 3, Y: 1}, {X: 3, Y: 0}}}}
	area, over := b.Area(), besideBoard(task)
	before := image.NewRGBA(image.Rect(0, 0, area.Max.X+300, area.Max.Y+300))
	draw.Draw(before, before.Rect, image.White, image.Point{}, draw.Src)
	was := red(before, over)
	for _, row := range []struct {
		why  string
		at   image.Rectangle
		ink  color.RGBA
		want bool
	}{
		{"a line at an opening", image.Rect(area.Min.X+60, area.Min.Y-cell/2, area.Min.X+100, area.Min.Y), color.RGBA{0xcc, 0, 0, 255}, false},
		{"a red word below", image.Rect(area.Min.X, area.Max.Y+cell-20, area.Max.X, area.Max.Y+cell), color.RGBA{0xcc, 0, 0, 255}, true},
		{"a black word below", image.Rect(area.Min.X, area.Max.Y+cell-20, area.Max.X, area.Max.Y+cell), color.RGBA{A: 255}, false},
		{"an orange word below", image.Rect(area.Min.X, area.Max.Y+cell-20, area.Max.X, area.Max.Y+cell), color.RGBA{0xff, 0xc0, 0, 255}, false},
	} {
		now := image.NewRGBA(before.Rect)
		draw.Draw(now, now.Rect, before, image.Point{}, draw.Src)
		draw.Draw(now, row.at, image.NewUniform(row.ink), image.Point{}, draw.Src)
		solvetest.Same(t, reddens(was, now, over), row.want, "%s: seen", row.why)
	}
}
