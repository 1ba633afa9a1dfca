package enter

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
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
