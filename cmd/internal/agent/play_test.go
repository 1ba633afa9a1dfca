package agent

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
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// A client is a small game: a window with one board of 4×3 cells, played by
// relative motion as The Witness is. It is its own screen and mouse.
type client struct {
	mu sync.Mutex

	scale, factor float64 // pixels per unit; times the factor while tracing
	lean          float64 // how far upright motion goes aside, as on a board that is seen aslant
	gaps          map[image.Point]bool
	accept        bool
	drag          bool        // the line is dragged
	held          bool        // another program holds the system's pointer
	tried         bool        // nobody says which pointer it shows
	system        bool        // it shows the system's pointer, which begins a line on the start
	paused        bool        // it has let go of its line, which stays until another begins
	fades         bool        // an answer's line goes to white, or to black, within a second
	bare          *image.RGBA // the board without a line, once it was painted

	pairs [][2]image.Point // it takes a line from each to its other end, without a cap; nil: one line
	done  [][]image.Point  // lines that were let go of at their ends
	loses bool             // they go then

	solving bool
	cursor  vision.Point
	nodes   []image.Point // of the line, whole cells; nil: none
	dir     image.Point   // from the last node
	t       float64       // how far, in cells
	shown   string        // "", "accepted", "refused"
	at      time.Time     // of the answer

	pending vision.Point // motion of this frame, in units
	frame   time.Time    // when the frame began

	clicks []string // what each left click was: enter, miss, begin, early, submit
	moves  int
	on     func(*client, int) error // called before each move, with its number from 1
	down   bool
	gone   bool // the screen
	misses int  // clicks at the end that it does not take
}

const (
	clientPitch = 70.0
	clientLine  = 0.25 // of the pitch
	clientCols  = 4
	clientRows  = 3
	// clientFrame: motion is summed over a browser's frame.
	clientFrame = 16 * time.Millisecond
)

var clientStart, clientEnd = image.Pt(0, clientRows), image.Pt(clientCols, 0)

func newClient() *client {
	return &client{scale: 1, factor: 1.4, accept: true, gaps: map[image.Point]bool{}, frame: time.Now()}
}

func clientAt(x, y float64) vision.Point {
	return vision.Point{X: 160 + x*clientPitch, Y: 130 + y*clientPitch}
}

func clientSheet() Sheet {
	return Sheet{
		Projection: answer.Projection{At: func(x, y float64) vision.Point { return clientAt(x/2, y/2) }},
		On:         func(x, y float64) vision.Point { return clientAt(x/2, y/2) },
		Line:       clientLine,
	}
}

func (c *client) open(n, d image.Point) bool {
	to := n.Add(d)
	if to.X < 0 || to.Y < 0 || to.X > clientCols || to.Y > clientRows {
		return c.pairs == nil && n == clientEnd && d == image.Pt(0, -1)
	}
	for _, line := range c.done {
		if slices.Contains(line, to) {
			return false
		}
	}
	if c.gaps[n.Mul(2).Add(d)] {
		return false
	}
	for i, v := range c.nodes {
		if v == to {
			return i == len(c.nodes)-2 // only back
		}
	}
	return true
}

func (c *client) reach() float64 {
	if n := c.nodes[len(c.nodes)-1]; n == clientEnd && c.dir == image.Pt(0, -1) {
		return 0.4
	}
	return 1
}

// slide moves the head by one frame's motion, in cells: along the edge, else a
// third of the push leaks towards the nearest corner that is open to it.
func (c *client) slide(x, y float64) {
	for range 20 {
		if math.Abs(x)+math.Abs(y) < 1e-9 {
			return
		}
		n := c.nodes[len(c.nodes)-1]
		if c.dir == (image.Point{}) {
			d, push, other := image.Pt(sgn(x), 0), math.Abs(x), y
			if math.Abs(y) > math.Abs(x) {
				d, push, other = image.Pt(0, sgn(y)), math.Abs(y), x
			}
			if !c.open(n, d) {
				e := image.Pt(sgn(x), sgn(y)).Sub(d)
				if other == 0 || !c.open(n, e) {
					return
				}
				d, push = e, math.Abs(other)+push/3
				x, y = float64(d.X)*push, float64(d.Y)*push
			}
			if len(c.nodes) > 1 && n.Add(d) == c.nodes[len(c.nodes)-2] {
				c.nodes = c.nodes[:len(c.nodes)-1]
				c.dir, c.t = image.Point{}.Sub(d), 1
			} else {
				c.dir, c.t = d, 0
			}
			n = c.nodes[len(c.nodes)-1]
		}
		along := x*float64(c.dir.X) + y*float64(c.dir.Y)
		sx, sy := x-along*float64(c.dir.X), y-along*float64(c.dir.Y)
		t := c.t + along
		switch reach := c.reach(); {
		case t >= 1 && reach == 1:
			x, y = sx+(t-1)*float64(c.dir.X), sy+(t-1)*float64(c.dir.Y)
			c.nodes, c.dir, c.t = append(c.nodes, n.Add(c.dir)), image.Point{}, 0
			continue
		case t <= 0 && along < 0:
			x, y = sx+t*float64(c.dir.X), sy+t*float64(c.dir.Y)
			c.dir, c.t = image.Point{}, 0
			continue
		default:
			c.t = min(t, reach)
		}
		side := image.Pt(sgn(sx), sgn(sy))
		if push := math.Hypot(sx, sy); push > math.Abs(along) && push > 0 {
			switch {
			case c.t > 0.5 && c.reach() == 1 && c.open(n.Add(c.dir), side):
				if c.t += push / 3; c.t >= 1 {
					c.nodes, c.dir, c.t = append(c.nodes, n.Add(c.dir)), image.Point{}, 0
				}
			case c.t <= 0.5 && c.open(n, side):
				if c.t -= push / 3; c.t <= 0 {
					c.dir, c.t = image.Point{}, 0
				}
			}
		}
		return
	}
}

func sgn(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// flush ends a frame: its motion takes effect.
func (c *client) flush() {
	x, y := (c.pending.X+c.lean*c.pending.Y)*c.scale, c.pending.Y*c.scale
	c.pending, c.frame = vision.Point{}, time.Now()
	switch {
	case c.shown != "", c.paused:
	case c.nodes != nil:
		c.slide(x*c.factor/clientPitch, y*c.factor/clientPitch)
	case c.solving:
		c.cursor = vision.Point{X: min(max(c.cursor.X+x, 0), 639), Y: min(max(c.cursor.Y+y, 0), 479)}
	}
}

func (c *client) MoveBy(dx, dy int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moves++
	if c.on != nil {
		if err := c.on(c, c.moves); err != nil {
			if errors.Is(err, errDrop) {
				return nil
			}
			return err
		}
	}
	if time.Since(c.frame) >= clientFrame {
		c.flush()
	}
	c.pending.X += float64(dx)
	c.pending.Y += float64(dy)
	return nil
}

var errDrop = errors.New("this event is lost")

// MoveTo is what a client that wants its line dragged takes: its head goes to
// where the pointer is, as far as the edges let it.
func (c *client) MoveTo(at image.Point) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moves++
	if c.on != nil {
		if err := c.on(c, c.moves); err != nil {
			return err
		}
	}
	if (c.system || c.drag) && !c.held { // a page under the pointer lock takes no places
		c.cursor = vision.Point{X: float64(at.X), Y: float64(at.Y)}
	}
	if c.drag && c.nodes != nil {
		n := c.nodes[len(c.nodes)-1]
		head := clientAt(float64(n.X)+c.t*float64(c.dir.X), float64(n.Y)+c.t*float64(c.dir.Y))
		c.slide((c.cursor.X-head.X)/clientPitch, (c.cursor.Y-head.Y)/clientPitch)
	}
	return nil
}

func (c *client) Key(input.Key) error { return nil }

func (c *client) Pointer() (image.Point, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return image.Pt(int(c.cursor.X), int(c.cursor.Y)), nil
}

func (c *client) Press(b input.Button) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
	c.down = true
	what := ""
	switch {
	case c.pairs != nil:
		what = c.pressPaired()
	case c.drag && gap(clientAt(float64(clientStart.X), float64(clientStart.Y)), c.cursor) < 1.2*clientLine*clientPitch:
		c.nodes, c.dir, what = []image.Point{clientStart}, image.Point{}, "begin"
	case c.paused && b == input.Right:
	case c.paused && gap(clientAt(float64(clientStart.X), float64(clientStart.Y)), c.cursor) < 1.2*clientLine*clientPitch:
		c.paused, c.nodes, c.dir, c.t, what = false, []image.Point{clientStart}, image.Point{}, 0, "begin"
	case b == input.Right && c.nodes != nil:
		c.nodes, c.dir = nil, image.Point{}
	case b == input.Right:
		c.solving = false
	case c.system && c.nodes == nil:
		what = "miss"
		if at := clientAt(float64(clientStart.X), float64(clientStart.Y)); gap(at, c.cursor) < 1.2*clientLine*clientPitch {
			c.nodes, c.dir, what = []image.Point{clientStart}, image.Point{}, "begin"
		}
	case !c.solving && !c.system:
		c.solving, c.cursor, what = true, vision.Point{X: 320, Y: 240}, "enter"
	case c.nodes == nil:
		what = "miss"
		if at := clientAt(float64(clientStart.X), float64(clientStart.Y)); gap(at, c.cursor) < 1.2*clientLine*clientPitch {
			c.nodes, c.dir, what = []image.Point{clientStart}, image.Point{}, "begin"
		}
	case c.dir == image.Pt(0, -1) && c.nodes[len(c.nodes)-1] == clientEnd && c.t > 0.2:
		if c.misses > 0 {
			c.misses--
			what = "lost"
			break
		}
		c.shown, c.at, what = "refused", time.Now(), "submit"
		if c.accept {
			c.shown = "accepted"
		}
	default:
		what = "early"
	}
	if what != "" {
		c.clicks = append(c.clicks, what)
	}
	return nil
}

// pressPaired begins a line on one of the pairs' places, or lets go of it on the other.
func (c *client) pressPaired() string {
	for _, pair := range c.pairs {
		for k, from := range pair {
			switch on := gap(clientAt(float64(from.X), float64(from.Y)), c.cursor) < 1.2*clientLine*clientPitch; {
			case c.nodes == nil && on:
				c.nodes, c.dir, c.t = []image.Point{from}, image.Point{}, 0
				return "begin"
			case c.nodes != nil && c.nodes[0] == from && c.head(pair[1-k]) < 0.2:
				if end := pair[1-k]; c.nodes[len(c.nodes)-1] != end {
					c.nodes = append(c.nodes, end)
				}
				if !c.loses {
					c.done = append(c.done, c.nodes)
				}
				c.nodes, c.dir = nil, image.Point{}
				return "submit"
			}
		}
	}
	c.nodes, c.dir = nil, image.Point{}
	return "miss"
}

// head is how far the line's head is from a node, in cells.
func (c *client) head(from image.Point) float64 {
	n := c.nodes[len(c.nodes)-1]
	return math.Hypot(float64(n.X-from.X)+c.t*float64(c.dir.X), float64(n.Y-from.Y)+c.t*float64(c.dir.Y))
}

func (c *client) Release(input.Button) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.down = false
	if c.drag && c.nodes != nil {
		if c.dir == image.Pt(0, -1) && c.nodes[len(c.nodes)-1] == clientEnd && c.t > 0.2 {
			c.clicks = append(c.clicks, "submit")
			c.shown, c.at = "accepted", time.Now()
		} else {
			c.nodes, c.dir = nil, image.Point{}
		}
	}
	return nil
}

func (c *client) Bounds() image.Rectangle { return image.Rect(0, 0, 640, 480) }

func (c *client) Close() error { return nil }

var errGone = errors.New("the display is gone")

func (c *client) Grab(context.Context) (*image.RGBA, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone {
		return nil, errGone
	}
	if time.Since(c.frame) >= clientFrame {
		c.flush()
	}
	if c.bare == nil {
		c.bare = c.board()
	}
	m := image.NewRGBA(c.bare.Rect)
	copy(m.Pix, c.bare.Pix)
	for _, line := range c.done {
		for i, n := range line[1:] {
			paint(m, clientAt(float64(line[i].X), float64(line[i].Y)), clientAt(float64(n.X), float64(n.Y)), clientLine*clientPitch/2, c.ink())
		}
	}
	r, start := clientLine*clientPitch/2, clientAt(float64(clientStart.X), float64(clientStart.Y))
	if c.nodes != nil && (c.fades || c.shown != "refused" || time.Since(c.at) < 100*time.Millisecond) {
		white := c.ink()
		if c.pairs != nil {
			start = clientAt(float64(c.nodes[0].X), float64(c.nodes[0].Y))
		}
		paint(m, start, start, 2.4*r, white)
		last := c.nodes[0]
		for _, n := range c.nodes[1:] {
			paint(m, clientAt(float64(last.X), float64(last.Y)), clientAt(float64(n.X), float64(n.Y)), r, white)
			last = n
		}
		paint(m, clientAt(float64(last.X), float64(last.Y)), clientAt(float64(last.X)+c.t*float64(c.dir.X), float64(last.Y)+c.t*float64(c.dir.Y)), r, white)
		if c.fades { // the head is a disc of its own
			at := clientAt(float64(last.X)+c.t*float64(c.dir.X), float64(last.Y)+c.t*float64(c.dir.Y))
			paint(m, at, at, r, color.RGBA{255, 255, 255, 255})
		}
	} else if c.solving && !c.system {
		paint(m, c.cursor, c.cursor, 6.5, color.RGBA{255, 255, 255, 102})
	}
	return m, nil
}

// ink is the line's colour.
func (c *client) ink() color.RGBA {
	if !c.fades {
		return color.RGBA{240, 246, 230, 255}
	}
	v := 170.0
	if part := min(time.Since(c.at).Seconds(), 1); c.shown == "accepted" {
		v += 85 * part
	} else if c.shown == "refused" {
		v -= 170 * part
	}
	return color.RGBA{uint8(v), uint8(v), uint8(v), 255}
}

// board is the board without a line.
func (c *client) board() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for i := range m.Pix {
		m.Pix[i] = [4]uint8{60, 40, 20, 255}[i%4]
	}
	paint(m, clientAt(-0.4, -0.6), clientAt(clientCols+0.4, -0.6), 10, color.RGBA{20, 160, 90, 255})
	for y := -0.6; y < clientRows+0.5; y += 0.25 {
		paint(m, clientAt(-0.4, y), clientAt(clientCols+0.4, y), 18, color.RGBA{20, 160, 90, 255})
	}
	ink, r := color.RGBA{60, 80, 60, 255}, clientLine*clientPitch/2
	for x := range clientCols + 1 {
		for y := range clientRows + 1 {
			for _, d := range []image.Point{{X: 1}, {Y: 1}} {
				to := image.Pt(x, y).Add(d)
				if to.X > clientCols || to.Y > clientRows {
					continue
				}
				a, b := clientAt(float64(x), float64(y)), clientAt(float64(to.X), float64(to.Y))
				if c.gaps[image.Pt(2*x, 2*y).Add(d)] {
					paint(m, a, vision.Point{X: a.X + 0.2*(b.X-a.X), Y: a.Y + 0.2*(b.Y-a.Y)}, r, ink)
					paint(m, vision.Point{X: a.X + 0.8*(b.X-a.X), Y: a.Y + 0.8*(b.Y-a.Y)}, b, r, ink)
				} else {
					paint(m, a, b, r, ink)
				}
			}
		}
	}
	start := clientAt(float64(clientStart.X), float64(clientStart.Y))
	paint(m, start, start, 2.4*r, ink)
	paint(m, clientAt(clientCols, 0), clientAt(clientCols, -0.4), r, ink)
	return m
}

// paint lays a thick line with round ends and smooth edges over m.
func paint(m *image.RGBA, a, b vision.Point, r float64, ink color.RGBA) {
	for y := int(min(a.Y, b.Y) - r - 1); y <= int(max(a.Y, b.Y)+r+1); y++ {
		for x := int(min(a.X, b.X) - r - 1); x <= int(max(a.X, b.X)+r+1); x++ {
			if !image.Pt(x, y).In(m.Rect) {
				continue
			}
			f := 0.0
			if l := gap(a, b); l > 0 {
				f = min(max(((float64(x)-a.X)*(b.X-a.X)+(float64(y)-a.Y)*(b.Y-a.Y))/(l*l), 0), 1)
			}
			d := math.Hypot(float64(x)-a.X-f*(b.X-a.X), float64(y)-a.Y-f*(b.Y-a.Y))
			alpha := min(max(r+0.5-d, 0), 1) * float64(ink.A) / 255
			i := m.PixOffset(x, y)
			for k, v := range []uint8{ink.R, ink.G, ink.B} {
				m.Pix[i+k] = uint8(float64(m.Pix[i+k])*(1-alpha) + float64(v)*alpha + 0.5)
			}
		}
	}
}

func newPlayer(c *client) *Player {
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
			paint(m, sheet.At(float64(a.X), float64(a.Y)), sheet.At(float64(b.X), float64(b.Y)), 7, color.RGBA{0, 0, 255, 255})
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
		onItsOwnClock(t, row.why, func(t *testing.T) {
			p := newPlayer(newClient())
			p.Source = still{row.now}
			p.start()
			// The client colours them late: nothing of it was there yet.
			d := &dragging{player: p, sheet: sheet, strokes: solve.Solution{snake}, bare: shows(cell), after: shows(cell)}
			if got, err := d.judge(t.Context()); err != nil || got != row.want {
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
		if got := p.pushing(1).StepPixels; got != row.wants {
			t.Errorf("%s: steps of %d, want %d", row.why, got, row.wants)
		}
	}
}

// viewed is a source of a size.
type viewed struct{ at image.Rectangle }

func (v viewed) Bounds() image.Rectangle                 { return v.at }
func (viewed) Grab(context.Context) (*image.RGBA, error) { return nil, errors.ErrUnsupported }
func (viewed) Close() error                              { return nil }

// snake is a line of six turns over the board.
var snake = solve.Stroke{
	{X: 0, Y: 6}, {X: 0, Y: 4}, {X: 2, Y: 4}, {X: 4, Y: 4}, {X: 4, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: 0},
	{X: 4, Y: 0}, {X: 6, Y: 0}, {X: 6, Y: 2}, {X: 8, Y: 2}, {X: 8, Y: 0}, {X: 8, Y: -1},
}

func (c *client) entered() string {
	out := ""
	for _, n := range c.nodes {
		out += n.String()
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

// enter plays a stroke as the driver does, begun again after a miss.
func enter(ctx context.Context, p *Player, s solve.Stroke) (Outcome, error) {
	var got Outcome
	var failed error
	for range driveTries {
		if err := p.Leave(ctx); err != nil {
			return Unknown, err
		}
		if err := p.Enter(ctx); err != nil {
			return Unknown, err
		}
		line := p.line(clientSheet(), s, nil)
		err := line.trace(ctx)
		if err == nil {
			err = line.submit(ctx)
		}
		if err == nil {
			got, err = line.judge(ctx)
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
	boards, err := vision.Locate(board(t, squares, 0), profile(t).Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	b := boards[0]
	at := answer.Onto(b, goesRound{around: 2 * b.Cols}).At
	for _, row := range []struct{ x, want float64 }{
		{0, 0}, {5.5, 5.5}, {6, 0}, {7.5, 1.5}, {-1, 5}, {-6, 0}, {6 - b.Line - 0.01, 6 - b.Line - 0.01}, {6 - b.Line + 0.01, -b.Line + 0.01},
	} {
		if got, want := at(row.x, 3), b.ScreenPoint(row.want, 3); gap(got, want) > 0.001 {
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

// onItsOwnClock runs a test for which time passes only while everything waits:
// it does not matter how busy the machine is.
func onItsOwnClock(t *testing.T, name string, test func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func TestPlayerTraces(t *testing.T) {
	for _, row := range []struct {
		why    string
		change func(*client)
		want   Outcome
	}{
		{"a plain client", func(*client) {}, Accepted},
		{"half the sensitivity, not calibrated", func(c *client) { c.scale = 0.5 }, Accepted},
		{"double the sensitivity and the largest factor", func(c *client) { c.scale, c.factor = 2, 2 }, Accepted},
		{"a wrong answer is seen to be refused", func(c *client) { c.accept = false }, Refused},
		{"the click at the end is lost once", func(c *client) { c.misses = 1 }, Accepted},
		{"the click at the end is lost each time", func(c *client) { c.misses = 9 }, Unknown},
		{"the pointer is not known: the game draws it", func(c *client) { c.tried = true }, Accepted},
		{"the pointer is not known: it is the system's, and the line is only left where it is", func(c *client) { c.tried, c.system = true, true }, Entered},
		{"the system's pointer, and answers that fade to white", func(c *client) { c.tried, c.system, c.fades = true, true, true }, Accepted},
		{"the system's pointer, and answers that fade to black", func(c *client) { c.tried, c.system, c.fades, c.accept = true, true, true, false }, Refused},
		{"a break ahead of a turn", func(c *client) { c.gaps[image.Pt(5, 4)] = true }, Accepted},
		{"every seventh event is lost", func(c *client) {
			c.on = func(_ *client, n int) error {
				if n%7 == 0 {
					return errDrop
				}
				return nil
			}
		}, Accepted},
		{"steps of more than 40 units arrive twice, once the gain is known", func(c *client) {
			c.on = func(c *client, n int) error {
				if len(c.nodes) > 4 && math.Hypot(c.pending.X, c.pending.Y) > 40 {
					c.pending = vision.Point{X: 2 * c.pending.X, Y: 2 * c.pending.Y}
				}
				return nil
			}
		}, Accepted},
		{"frames of 30 ms: nudges and turns merge", func(c *client) {
			c.on = func(c *client, n int) error {
				if n%5 == 0 {
					c.frame = time.Now() // this motion joins the one before
				}
				return nil
			}
		}, Accepted},
		{"the line is dropped by the client once, in mid-trace", func(c *client) {
			c.on = func(c *client, n int) error {
				if n == 20 {
					c.nodes, c.dir = nil, image.Point{}
				}
				return nil
			}
		}, Accepted},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			c := newClient()
			row.change(c)
			p := newPlayer(c)
			if c.tried {
				p.Motion.Pointer = calibrations.Tried
			}
			got, err := enter(t.Context(), p, snake)
			if (err != nil) != (row.want == Unknown) || got != row.want {
				t.Fatalf("outcome %s, %v, want %s; clicks %v", got, err, row.want, c.clicks)
			}
			if row.want == Unknown {
				return
			}
			if c.down {
				t.Error("the button is down")
			}
			if got, want := c.entered(), strokeNodes(snake); got != want {
				t.Errorf("entered %s, want %s", got, want)
			}
			submits := strings.Count(strings.Join(c.clicks, " "), "submit")
			if submits != 1 || strings.Contains(strings.Join(c.clicks, " "), "early") {
				t.Errorf("clicks %v, want one submit and none too early", c.clicks)
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
			onItsOwnClock(t, fmt.Sprintf("%g times the gain, motion leans by %g", factor, lean), func(t *testing.T) {
				c := newClient()
				c.factor, c.lean = known*factor, lean
				p := newPlayer(c)
				p.lineGain, p.agreed = known, 2
				p.Log = t.Logf
				got, err := enter(t.Context(), p, ladder)
				if err != nil || got != Accepted {
					t.Fatalf("outcome %s, %v; clicks %v", got, err, c.clicks)
				}
				if got, want := c.entered(), strokeNodes(ladder); got != want {
					t.Errorf("entered %s, want %s", got, want)
				}
				if n := strings.Count(strings.Join(c.clicks, " "), "begin"); n > 2 {
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
		onItsOwnClock(t, fmt.Sprintf("%d events are lost", lost), func(t *testing.T) {
			c := newClient()
			begun := 0
			c.on = func(c *client, _ int) error {
				if c.nodes == nil {
					return nil
				}
				if begun++; begun <= lost {
					return errDrop
				}
				return nil
			}
			p := newPlayer(c)
			p.lineGain, p.agreed, p.Log = c.factor*c.scale, 2, t.Logf
			if got, err := enter(t.Context(), p, ladder); err != nil || got != Accepted {
				t.Fatalf("outcome %s, %v; clicks %v", got, err, c.clicks)
			}
			if n := strings.Count(strings.Join(c.clicks, " "), "begin"); n != 1 {
				t.Errorf("begun %d times, want once", n)
			}
			if math.Abs(p.lineGain/(c.factor*c.scale)-1) > sameGain {
				t.Errorf("the gain is %.3f, want %.3f", p.lineGain, c.factor*c.scale)
			}
		})
	}
}

// TestPillarGain: a pillar's line does not go by what flat boards told.
func TestPillarGain(t *testing.T) {
	p := newPlayer(newClient())
	p.lineGain, p.agreed = 1.12, 2
	if flat := p.line(clientSheet(), snake, nil); flat.gain != 1.12 || !flat.lent {
		t.Errorf("on a flat board the gain is %g, want 1.12 that is lent", flat.gain)
	}
	if round := p.line(clientSheet(), snake, &spin{}); round.gain != 0 {
		t.Errorf("on a pillar the gain is %g, want it measured anew", round.gain)
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
		for x := range clientCols {
			for y := range clientRows {
				at := clientAt(float64(x)+0.5, float64(y)+0.5)
				paint(m, at, at, 0.17*clientPitch, symbol)
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
		if got := boardWent(cells(paper, symbol), row.now, clientSheet(), spanned(ladder[:len(ladder)-1])); got != row.is {
			t.Errorf("%s: the board went: %t, want %t", row.why, got, row.is)
		}
	}
}

func TestPlayerStopsClean(t *testing.T) {
	for _, row := range []struct {
		why    string
		change func(*client, context.CancelFunc)
		is     func(error) bool
	}{
		{"cancelled in mid-trace, as a hand on the mouse does", func(c *client, cancel context.CancelFunc) {
			c.on = func(_ *client, n int) error {
				if n == 14 {
					cancel()
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, context.Canceled) }},
		{"the display goes in mid-trace", func(c *client, _ context.CancelFunc) {
			c.on = func(c *client, n int) error {
				if n == 14 {
					c.gone = true
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, errGone) }},
		{"the device fails", func(c *client, _ context.CancelFunc) {
			c.on = func(_ *client, n int) error {
				if n == 12 {
					return input.ErrRecorded
				}
				return nil
			}
		}, func(err error) bool { return errors.Is(err, input.ErrRecorded) }},
		{"the way is blocked: the reading was wrong", func(c *client, _ context.CancelFunc) { c.gaps[image.Pt(0, 5)] = true },
			func(err error) bool { return errors.As(err, new(*MissError)) }},
		{"the system's pointer is held by another program", func(c *client, _ context.CancelFunc) { c.system, c.held = true, true },
			func(err error) bool {
				return errors.As(err, new(*MissError)) && strings.Contains(err.Error(), "something holds it")
			}},
		{"focus is lost in mid-trace: no motion arrives", func(c *client, _ context.CancelFunc) {
			c.on = func(_ *client, n int) error {
				if n > 14 {
					return errDrop
				}
				return nil
			}
		}, func(err error) bool { return errors.As(err, new(*MissError)) }},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			c := newClient()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			row.change(c, cancel)
			p := newPlayer(c)
			if c.system {
				p.Motion.Pointer = calibrations.System
			}
			got, err := enter(ctx, p, snake)
			if err == nil || !row.is(err) {
				t.Errorf("error %v", err)
			}
			if got != Unknown {
				t.Errorf("outcome %s, want unknown", got)
			}
			if c.down {
				t.Error("the button is down")
			}
			if strings.Contains(strings.Join(c.clicks, " "), "submit") {
				t.Errorf("clicks %v: something was submitted", c.clicks)
			}
			if c.nodes != nil {
				t.Errorf("the line %s was not dropped", c.entered())
			}
		})
	}
}

func TestPlayerDrags(t *testing.T) {
	for _, row := range []struct {
		why  string
		on   func(*client, int) error
		want Outcome
	}{
		{"a plain client", nil, Entered},
		{"the line is lost on its way", func(c *client, n int) error {
			if n == 20 {
				c.nodes, c.dir = nil, image.Point{}
			}
			return nil
		}, Unknown},
		{"the line stays behind at the end", func(c *client, n int) error {
			if n > 15 && len(c.nodes) > 4 {
				c.nodes, c.dir, c.t = c.nodes[:4], image.Point{}, 0
			}
			return nil
		}, Unknown},
		{"the device fails", func(_ *client, n int) error {
			if n == 12 {
				return input.ErrRecorded
			}
			return nil
		}, Unknown},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			c := newClient()
			c.drag, c.on = true, row.on
			p := newPlayer(c)
			p.Motion = calibrations.Motion{Style: calibrations.Drag, StepPixels: 40, StepMillis: 20}
			line := &dragging{player: p, sheet: clientSheet(), strokes: solve.Solution{snake}, signs: &signs{noise: map[image.Point]bool{}}}
			err := line.submit(t.Context())
			got := Unknown
			if err == nil {
				got, err = line.judge(t.Context())
			}
			if got != row.want || (err == nil) != (row.want == Entered) {
				t.Errorf("outcome %s, %v, want %s", got, err, row.want)
			}
			if c.down {
				t.Error("the button is down")
			}
			if submitted := strings.Contains(strings.Join(c.clicks, " "), "submit"); submitted != (row.want == Entered) {
				t.Errorf("clicks %v", c.clicks)
			}
			if got, want := c.entered(), strokeNodes(snake); row.want == Accepted && got != want {
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
		make func(*client, *Drive)
		want int  // lines that are there in the end
		bad  bool // the board answers otherwise
	}{
		{"none is there", func(*client, *Drive) {}, 3, false},
		{"one is there of an earlier try", func(c *client, t *Drive) {
			c.done, t.strokes = [][]image.Point{{{X: 0, Y: 3}, {X: 0, Y: 2}, {X: 1, Y: 2}, {X: 2, Y: 2}}}, 1
		}, 3, false},
		{"they go when they are let go of", func(c *client, _ *Drive) { c.loses = true }, 0, true},
	} {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			c := newClient()
			c.system, c.pairs = true, pairs()
			p := newPlayer(c)
			p.Motion.Pointer = calibrations.System
			drive := &Drive{Answer: answer}
			row.make(c, drive)
			there := len(c.done)
			e, err := p.leading(drive, clientSheet(), answer)
			if err != nil {
				t.Fatal(err)
			}
			got := Unknown
			if err = e.trace(t.Context()); err == nil {
				err = e.submit(t.Context())
			}
			if err == nil {
				got, err = e.judge(t.Context())
			}
			if row.bad {
				if !errors.As(err, new(*OtherwiseError)) || got != Unknown {
					t.Errorf("outcome %s, %v, want an OtherwiseError", got, err)
				}
			} else if err != nil || got != Entered {
				t.Errorf("outcome %s, %v, want entered", got, err)
			}
			if len(c.done) != row.want {
				t.Errorf("%d lines are there, want %d; clicks %v", len(c.done), row.want, c.clicks)
			}
			for i, line := range c.done {
				if got, want := fmt.Sprint(line), fmt.Sprint(halved(answer[i])); got != want {
					t.Errorf("line %d is %s, want %s", i, got, want)
				}
			}
			if !row.bad && len(c.clicks) != 2*(row.want-there) {
				t.Errorf("clicks %v, want two for each line", c.clicks)
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
