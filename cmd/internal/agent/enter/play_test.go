package enter

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
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
	"onlooker/vision/locate"
)

var errDevice = errors.New("the device fails")

func clientSheet() Sheet {
	return Sheet{
		Projection: answer.Projection{At: func(x, y float64) vision.Point { return agenttest.ClientAt(x/2, y/2) }},
		On:         func(x, y float64) vision.Point { return agenttest.ClientAt(x/2, y/2) },
		Line:       agenttest.ClientLine,
	}
}

func newPlayer(c *agenttest.Client) *Player {
	return &Player{
		Source: c, Mouse: c,
		Motion: calibrations.Motion{Style: calibrations.Relative, Pointer: calibrations.Drawn, StepPixels: 100, StepMillis: 20, NudgePixels: 4, MissPixels: 0.7, Gain: 1},
		Cursor: calibrations.Cursor{Radius: 6.5 / 480, Ring: 8.0 / 480, Alpha: 0.4},
	}
}

// TestColouredCells: a client that colours the cells that a line goes through, and to which
// it came in part, shows no other board.
func TestColouredCells(t *testing.T) {
	snake := solve.Stroke{{X: 1, Y: 1}, {X: 3, Y: 1}, {X: 5, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 3}, {X: 1, Y: 3}, {X: 1, Y: 5}, {X: 3, Y: 5}, {X: 5, Y: 5}}
	sheet := clientSheet()
	fill := func(m *image.RGBA, at image.Point, c color.Color) {
		a, b := sheet.At(float64(at.X-1), float64(at.Y-1)), sheet.At(float64(at.X+1), float64(at.Y+1))
		draw.Draw(m, image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)), image.NewUniform(c), image.Point{}, draw.Src)
	}
	shows := func(ground color.Color, steps ...int) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 640, 480))
		for _, q := range snake {
			fill(m, q, ground)
		}
		for i, q := range snake {
			if (i == 0 || slices.Contains(steps, i)) && (i == len(snake)-1 || slices.Contains(steps, i+1)) {
				fill(m, q, color.RGBA{163, 157, 215, 255})
			}
		}
		for _, i := range steps {
			a, b := snake[i-1], snake[i]
			agenttest.Paint(m, sheet.At(float64(a.X), float64(a.Y)), sheet.At(float64(b.X), float64(b.Y)), 7, color.RGBA{0, 0, 255, 255})
		}
		return m
	}
	cell := color.RGBA{233, 225, 197, 255}
	all := []int{1, 2, 3, 4, 5, 6, 7, 8}
	for _, row := range []struct {
		why  string
		now  *image.RGBA
		want Outcome
	}{
		{"all of it", shows(cell, all...), Entered},
		{"without its fourth step", shows(cell, 1, 2, 3, 5, 6, 7, 8), Entered},
		{"without its second and third step", shows(cell, 1, 4, 5, 6, 7, 8), Entered},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			p := newPlayer(agenttest.NewClient())
			p.Source = still{row.now}
			p.Start()
			// The client colours them late: nothing of it was there yet.
			d := &dragEntry{player: p, sheet: sheet, strokes: solve.Solution{snake}, bare: shows(cell), after: shows(cell)}
			if got, err := d.Judge(t.Context()); err != nil || got != row.want {
				t.Errorf("%s, %v, want %s", got, err, row.want)
			}
		})
	}
}

// A still is a screen that shows one picture.
type still struct{ *image.RGBA }

func (s still) Grab(context.Context) (*image.RGBA, error) { return s.RGBA, nil }
func (s still) Close() error                              { return nil }

// TestStepsFitTheView: a step is at most the look's, its share of what is looked at, and what
// was seen to arrive; never less than the first motion round a corner.
func TestStepsFitTheView(t *testing.T) {
	for _, row := range []struct {
		why             string
		view            image.Rectangle
		share           float64
		overshot, wants int
	}{
		{"a large screen", image.Rect(0, 0, 1920, 1080), 0.11, 0, 118},
		{"a small one", image.Rect(0, 0, 1366, 768), 0.11, 0, 84},
		{"a window beside another", image.Rect(300, 100, 700, 1000), 0.11, 0, 44},
		{"a look that says nothing of it", image.Rect(0, 0, 1366, 768), 0, 0, 120},
		{"more arrived than was sent", image.Rect(0, 0, 1920, 1080), 0.11, 1, 59},
		{"and again and again", image.Rect(0, 0, 1920, 1080), 0.11, 9, 4},
	} {
		p := &Player{Source: viewed{row.view}, Motion: calibrations.Motion{StepPixels: 120, StepShare: row.share, NudgePixels: 4}}
		for range row.overshot {
			p.overshot()
		}
		solvetest.Same(t, p.pushing(1).StepPixels, row.wants, "%s: steps", row.why)
	}
}

// viewed is a source of a size.
type viewed struct{ at image.Rectangle }

func (v viewed) Bounds() image.Rectangle                 { return v.at }
func (viewed) Grab(context.Context) (*image.RGBA, error) { return nil, errors.ErrUnsupported }
func (viewed) Close() error                              { return nil }

// enter plays a stroke as the driver does, begun again after a miss.
func enter(ctx context.Context, p *Player, s solve.Stroke) (Outcome, error) {
	var got Outcome
	var failed error
	for range MostTries {
		if err := p.Leave(ctx); err != nil {
			return Unknown, err
		}
		if err := p.Enter(ctx); err != nil {
			return Unknown, err
		}
		line := p.Line(clientSheet(), s, nil)
		err := line.Trace(ctx)
		if err == nil {
			err = line.Submit(ctx)
		}
		if err == nil {
			got, err = line.Judge(ctx)
		}
		if failed = err; err == nil || !errors.As(err, new(*MissError)) {
			break
		}
	}
	return got, failed
}

// TestUnrolled: a stroke on a board that goes round and is drawn flat never
// jumps, and each place of it is where it is drawn.
func TestUnrolled(t *testing.T) {
	got := unrolled(solve.Solution{{{X: 10, Y: 4}, {X: 0, Y: 4}, {X: 2, Y: 4}, {X: 0, Y: 4}, {X: 10, Y: 4}}}, 12)
	if want := "[[(10,4) (12,4) (14,4) (12,4) (10,4)]]"; fmt.Sprint(got) != want {
		t.Errorf("unrolled as %v, want %s", got, want)
	}
	boards, err := locate.Boards(agenttest.Board(t, agenttest.Squares, 0), agenttest.Profile(t).Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	b := boards[0]
	at := answer.Onto(b, goesRound{around: 2 * b.Cols}).At
	for _, row := range []struct{ x, want float64 }{
		{0, 0}, {5.5, 5.5}, {6, 0}, {7.5, 1.5}, {-1, 5}, {-6, 0}, {6 - b.Line - 0.01, 6 - b.Line - 0.01}, {6 - b.Line + 0.01, -b.Line + 0.01},
	} {
		if got, want := at(row.x, 3), b.ScreenPoint(row.want, 3); got.Dist(want) > 0.001 {
			t.Errorf("column %g is at %v, want %v", row.x, got, want)
		}
	}
}

// goesRound is a puzzle on a board that goes round.
type goesRound struct {
	solve.Puzzle
	around int
}

func (g goesRound) Around() int { return g.around }

func TestPlayerTraces(t *testing.T) {
	for _, row := range []struct {
		why    string
		change func(*agenttest.Client)
		want   Outcome
	}{
		{"a plain client", func(*agenttest.Client) {}, Accepted},
		{"half the sensitivity, not calibrated", func(c *agenttest.Client) { c.Scale = 0.5 }, Accepted},
		{"double the sensitivity and the largest factor", func(c *agenttest.Client) { c.Scale, c.Factor = 2, 2 }, Accepted},
		{"a wrong answer is seen to be refused", func(c *agenttest.Client) { c.Accept = false }, Refused},
		{"the click at the end is lost once", func(c *agenttest.Client) { c.Misses = 1 }, Accepted},
		{"the click at the end is lost each time", func(c *agenttest.Client) { c.Misses = 9 }, Unknown},
		{"the pointer is not known: the game draws it", func(c *agenttest.Client) { c.Tried = true }, Accepted},
		{"the pointer is not known: it is the system's, and the line is only left where it is", func(c *agenttest.Client) { c.Tried, c.System = true, true }, Entered},
		{"the system's pointer, and answers that fade to white", func(c *agenttest.Client) { c.Tried, c.System, c.Fades = true, true, true }, Accepted},
		{"the system's pointer, and answers that fade to black", func(c *agenttest.Client) { c.Tried, c.System, c.Fades, c.Accept = true, true, true, false }, Refused},
		{"a break ahead of a turn", func(c *agenttest.Client) { c.Gaps[image.Pt(5, 4)] = true }, Accepted},
		{"every seventh event is lost", func(c *agenttest.Client) {
			c.On = func(_ *agenttest.Client, n int) error {
				if n%7 == 0 {
					return agenttest.ErrDrop
				}
				return nil
			}
		}, Accepted},
		{"steps of more than 40 units arrive twice, once the gain is known", func(c *agenttest.Client) {
			c.On = func(c *agenttest.Client, n int) error {
				if len(c.Nodes) > 4 && math.Hypot(c.Pending.X, c.Pending.Y) > 40 {
					c.Pending = vision.Point{X: 2 * c.Pending.X, Y: 2 * c.Pending.Y}
				}
				return nil
			}
		}, Accepted},
		{"frames of 30 ms: nudges and turns merge", func(c *agenttest.Client) {
			c.On = func(c *agenttest.Client, n int) error {
				if n%5 == 0 {
					c.Frame = time.Now() // this motion joins the one before
				}
				return nil
			}
		}, Accepted},
		{"the line is dropped by the client once, in mid-trace", func(c *agenttest.Client) {
			c.On = func(c *agenttest.Client, n int) error {
				if n == 20 {
					c.Nodes, c.Dir = nil, image.Point{}
				}
				return nil
			}
		}, Accepted},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			c := agenttest.NewClient()
			row.change(c)
			p := newPlayer(c)
			if c.Tried {
				p.Motion.Pointer = calibrations.Tried
			}
			got, err := enter(t.Context(), p, agenttest.Snake)
			if (err != nil) != (row.want == Unknown) || got != row.want {
				t.Fatalf("outcome %s, %v, want %s; clicks %v", got, err, row.want, c.Clicks)
			}
			if row.want == Unknown {
				return
			}
			if c.Down {
				t.Error("the button is down")
			}
			if got, want := c.Entered(), strokeNodes(agenttest.Snake); got != want {
				t.Errorf("entered %s, want %s", got, want)
			}
			submits := strings.Count(strings.Join(c.Clicks, " "), "submit")
			if submits != 1 || strings.Contains(strings.Join(c.Clicks, " "), "early") {
				t.Errorf("clicks %v, want one submit and none too early", c.Clicks)
			}
		})
	}
}

// ladder begins with a long leg that ends short of the border.
var ladder = solve.Stroke{
	{X: 0, Y: 6}, {X: 0, Y: 4}, {X: 0, Y: 2}, {X: 2, Y: 2}, {X: 4, Y: 2}, {X: 6, Y: 2}, {X: 8, Y: 2}, {X: 8, Y: 0}, {X: 8, Y: -1},
}

// TestPlayerTrustsNoOtherBoard: where lines agree on their gain, the next board
// may have another all the same.
func TestPlayerTrustsNoOtherBoard(t *testing.T) {
	const known = 1.12
	for _, factor := range []float64{0.6, 0.8, 1, 1.3, 1.56, 1.8, 2, 2.5} {
		for _, lean := range []float64{0, 0.01, -0.01, 0.05, -0.05} {
			agenttest.OnItsOwnClock(t, fmt.Sprintf("%g times the gain, motion leans by %g", factor, lean), func(t *testing.T) {
				c := agenttest.NewClient()
				c.Factor, c.Lean = known*factor, lean
				p := newPlayer(c)
				p.lines = lines{gain: known, agreed: 2}
				p.Log = t.Logf
				got, err := enter(t.Context(), p, ladder)
				if err != nil || got != Accepted {
					t.Fatalf("outcome %s, %v; clicks %v", got, err, c.Clicks)
				}
				if got, want := c.Entered(), strokeNodes(ladder); got != want {
					t.Errorf("entered %s, want %s", got, want)
				}
				if n := strings.Count(strings.Join(c.Clicks, " "), "begin"); n > 2 {
					t.Errorf("begun %d times", n)
				}
			})
		}
	}
}

// TestPlayerKeepsGain: where lines agree on their gain, a client that loses motions
// just after a line began does not tell another.
func TestPlayerKeepsGain(t *testing.T) {
	for lost := 1; lost <= 3; lost++ {
		agenttest.OnItsOwnClock(t, fmt.Sprintf("%d events are lost", lost), func(t *testing.T) {
			c := agenttest.NewClient()
			begun := 0
			c.On = func(c *agenttest.Client, _ int) error {
				if c.Nodes == nil {
					return nil
				}
				if begun++; begun <= lost {
					return agenttest.ErrDrop
				}
				return nil
			}
			p := newPlayer(c)
			p.lines, p.Log = lines{gain: c.Factor * c.Scale, agreed: 2}, t.Logf
			if got, err := enter(t.Context(), p, ladder); err != nil || got != Accepted {
				t.Fatalf("outcome %s, %v; clicks %v", got, err, c.Clicks)
			}
			solvetest.Same(t, strings.Count(strings.Join(c.Clicks, " "), "begin"), 1, "times begun")
			if math.Abs(p.lines.gain/(c.Factor*c.Scale)-1) > sameGain {
				t.Errorf("the gain is %.3f, want %.3f", p.lines.gain, c.Factor*c.Scale)
			}
		})
	}
}

// TestPillarGain: a pillar's line does not go by what flat boards told.
func TestPillarGain(t *testing.T) {
	p := newPlayer(agenttest.NewClient())
	p.lines = lines{gain: 1.12, agreed: 2}
	if flat := p.Line(clientSheet(), agenttest.Snake, nil); flat.gain.pixels != 1.12 || flat.gain.state != gainLent {
		t.Errorf("on a flat board the gain is %g, want 1.12 that is lent", flat.gain.pixels)
	}
	if round := p.Line(clientSheet(), agenttest.Snake, &see.Spin{}); round.gain != (gain{}) {
		t.Errorf("on a pillar the gain is %g, want it measured anew", round.gain.pixels)
	}
}

// TestBoardWent: whether a client shows something else than the board, told by
// the cells beside a line that has gone.
func TestBoardWent(t *testing.T) {
	paper, symbol, cover := color.RGBA{92, 30, 14, 255}, color.RGBA{30, 10, 6, 255}, color.RGBA{20, 10, 6, 255}
	// cells is 640×480 with a symbol of the cover's colour in each cell.
	cells := func(paper, symbol color.RGBA) *image.RGBA {
		m := image.NewRGBA(image.Rect(0, 0, 640, 480))
		draw.Draw(m, m.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
		for x := range agenttest.ClientCols {
			for y := range agenttest.ClientRows {
				at := agenttest.ClientAt(float64(x)+0.5, float64(y)+0.5)
				agenttest.Paint(m, at, at, 0.17*agenttest.ClientPitch, symbol)
			}
		}
		return m
	}
	for _, row := range []struct {
		why string
		now *image.RGBA
		is  bool
	}{
		{"a page of the symbols' colour lies over it", cells(cover, cover), true},
		{"it stays", cells(paper, symbol), false},
		{"its symbols blink", cells(paper, color.RGBA{194, 40, 28, 255}), false},
	} {
		solvetest.Same(t, boardWent(cells(paper, symbol), row.now, clientSheet(), spanned(ladder[:len(ladder)-1])), row.is, "%s: the board went", row.why)
	}
}

func TestPlayerStopsClean(t *testing.T) {
	for _, row := range []struct {
		why    string
		change func(*agenttest.Client, context.CancelFunc)
		is     func(error) bool
	}{
		{"cancelled in mid-trace, as a hand on the mouse does", func(c *agenttest.Client, cancel context.CancelFunc) {
			c.On = func(_ *agenttest.Client, n int) error {
				if n == 14 {
					cancel()
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"the display goes in mid-trace", func(c *agenttest.Client, _ context.CancelFunc) {
			c.On = func(c *agenttest.Client, n int) error {
				if n == 14 {
					c.Gone = true
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, agenttest.ErrGone) }},
		{"the device fails", func(c *agenttest.Client, _ context.CancelFunc) {
			c.On = func(_ *agenttest.Client, n int) error {
				if n == 12 {
					return errDevice
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, errDevice) }},
		{"the way is blocked: the reading was wrong", func(c *agenttest.Client, _ context.CancelFunc) { c.Gaps[image.Pt(0, 5)] = true },
			func(err error) bool { return errors.As(err, new(*MissError)) }},
		{"the system's pointer is held by another program", func(c *agenttest.Client, _ context.CancelFunc) { c.System, c.Held = true, true },
			func(err error) bool {
				return errors.As(err, new(*MissError)) && strings.Contains(err.Error(), "something holds it")
			}},
		{"focus is lost in mid-trace: no motion arrives", func(c *agenttest.Client, _ context.CancelFunc) {
			c.On = func(_ *agenttest.Client, n int) error {
				if n > 14 {
					return agenttest.ErrDrop
				}
				return nil
			}
		}, func(err error) bool { return errors.As(err, new(*MissError)) }},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			c := agenttest.NewClient()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			row.change(c, cancel)
			p := newPlayer(c)
			if c.System {
				p.Motion.Pointer = calibrations.System
			}
			got, err := enter(ctx, p, agenttest.Snake)
			if err == nil || !row.is(err) {
				t.Errorf("error %v", err)
			}
			solvetest.Same(t, got, Unknown, "outcome")
			if c.Down {
				t.Error("the button is down")
			}
			if strings.Contains(strings.Join(c.Clicks, " "), "submit") {
				t.Errorf("clicks %v: something was submitted", c.Clicks)
			}
			if c.Nodes != nil {
				t.Errorf("the line %s was not dropped", c.Entered())
			}
		})
	}
}

// lateLock is a client that holds the system's pointer later than a line's first motion.
type lateLock struct {
	*agenttest.Client
	moved bool
}

func (l *lateLock) MoveBy(dx, dy int) error {
	l.moved = true
	return l.Client.MoveBy(dx, dy)
}

func (l *lateLock) MoveTo(at image.Point) error {
	l.moved = false
	return l.Client.MoveTo(at)
}

func (l *lateLock) Pointer() (image.Point, error) {
	at, err := l.Client.Pointer()
	if l.moved {
		at.X += 9
	}
	return at, err
}

// TestLateLock: a client whose lines came to their ends by relative motion is not led by places
// after a miss, though its pointer went with a first motion; one of which nothing is known is.
func TestLateLock(t *testing.T) {
	for own, want := range map[calibrations.Pointer]calibrations.Style{calibrations.System: "", calibrations.Tried: calibrations.Absolute} {
		agenttest.OnItsOwnClock(t, "own pointer "+string(own), func(t *testing.T) {
			c := &lateLock{Client: agenttest.NewClient()}
			c.System, c.Gaps[image.Pt(0, 5)] = true, true
			p := newPlayer(c.Client)
			p.Mouse, p.Motion.Pointer, p.own.Pointer = c, calibrations.System, own
			if err := p.Line(clientSheet(), agenttest.Snake, nil).Trace(t.Context()); !errors.As(err, new(*MissError)) {
				t.Errorf("error %v", err)
			}
			solvetest.Same(t, p.style, want, "what lines are entered by")
		})
	}
}

func TestPlayerDrags(t *testing.T) {
	for _, row := range []struct {
		why  string
		on   func(*agenttest.Client, int) error
		want Outcome
	}{
		{"a plain client", nil, Entered},
		{"the line is lost on its way", func(c *agenttest.Client, n int) error {
			if n == 20 {
				c.Nodes, c.Dir = nil, image.Point{}
			}
			return nil
		}, Unknown},
		{"the line stays behind at the end", func(c *agenttest.Client, n int) error {
			if n > 15 && len(c.Nodes) > 4 {
				c.Nodes, c.Dir, c.Along = c.Nodes[:4], image.Point{}, 0
			}
			return nil
		}, Unknown},
		{"the device fails", func(_ *agenttest.Client, n int) error {
			if n == 12 {
				return errDevice
			}
			return nil
		}, Unknown},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			c := agenttest.NewClient()
			c.Drag, c.On = true, row.on
			p := newPlayer(c)
			p.Motion = calibrations.Motion{Style: calibrations.Drag, StepPixels: 40, StepMillis: 20}
			line := &dragEntry{player: p, sheet: clientSheet(), strokes: solve.Solution{agenttest.Snake}}
			err := line.Submit(t.Context())
			got := Unknown
			if err == nil {
				got, err = line.Judge(t.Context())
			}
			if got != row.want || (err == nil) != (row.want == Entered) {
				t.Errorf("outcome %s, %v, want %s", got, err, row.want)
			}
			if c.Down {
				t.Error("the button is down")
			}
			if submitted := strings.Contains(strings.Join(c.Clicks, " "), "submit"); submitted != (row.want == Entered) {
				t.Errorf("clicks %v", c.Clicks)
			}
			if got, want := c.Entered(), strokeNodes(agenttest.Snake); row.want == Accepted && got != want {
				t.Errorf("entered %s, want %s", got, want)
			}
		})
	}
}

// TestLeadsSeveralStrokes enters several lines, none of which ends in a cap, by relative
// motion into a client that takes them one after another.
func TestLeadsSeveralStrokes(t *testing.T) {
	answer := solve.Solution{
		{{X: 0, Y: 6}, {X: 0, Y: 4}, {X: 2, Y: 4}, {X: 4, Y: 4}},
		{{X: 2, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 2}},
		{{X: 8, Y: 6}, {X: 6, Y: 6}},
	}
	pairs := func() (all [][2]image.Point) {
		for _, s := range answer {
			all = append(all, [2]image.Point{s[0].Div(2), s[len(s)-1].Div(2)})
		}
		return all
	}
	for _, row := range []struct {
		why  string
		make func(*agenttest.Client, *Task)
		want int  // lines that are there in the end
		bad  bool // the board answers otherwise
	}{
		{"none is there", func(*agenttest.Client, *Task) {}, 3, false},
		{"one is there of an earlier try", func(c *agenttest.Client, t *Task) {
			c.Done, t.strokes = [][]image.Point{{{X: 0, Y: 3}, {X: 0, Y: 2}, {X: 1, Y: 2}, {X: 2, Y: 2}}}, 1
		}, 3, false},
		{"they go when they are let go of", func(c *agenttest.Client, _ *Task) { c.Loses = true }, 0, true},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			c := agenttest.NewClient()
			c.System, c.Pairs = true, pairs()
			p := newPlayer(c)
			p.Motion.Pointer = calibrations.System
			task := &Task{Answer: answer}
			row.make(c, task)
			there := len(c.Done)
			e, err := newLeading(p, task, clientSheet(), answer)
			solvetest.OK(t, err)
			got := Unknown
			if err = e.Trace(t.Context()); err == nil {
				err = e.Submit(t.Context())
			}
			if err == nil {
				got, err = e.Judge(t.Context())
			}
			if row.bad {
				if !errors.As(err, new(*OtherwiseError)) || got != Unknown {
					t.Errorf("outcome %s, %v, want an OtherwiseError", got, err)
				}
			} else if err != nil || got != Entered {
				t.Errorf("outcome %s, %v, want entered", got, err)
			}
			solvetest.Same(t, len(c.Done), row.want, "lines, of clicks %v", c.Clicks)
			for i, line := range c.Done {
				if got, want := fmt.Sprint(line), fmt.Sprint(halved(answer[i])); got != want {
					t.Errorf("line %d is %s, want %s", i, got, want)
				}
			}
			if !row.bad && len(c.Clicks) != 2*(row.want-there) {
				t.Errorf("clicks %v, want two for each line", c.Clicks)
			}
		})
	}
}

// halved are a stroke's places in cells.
func halved(s solve.Stroke) (out []image.Point) {
	for _, q := range s {
		out = append(out, q.Div(2))
	}
	return out
}

func strokeNodes(s solve.Stroke) string {
	out := ""
	for _, p := range s[:len(s)-1] {
		out += p.Div(2).String()
	}
	return out
}
