package agenttest

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/cmd/internal/agent/agenttest/line"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A Client is a small game: a window with one board of 4×3 cells, played by
// relative motion as The Witness is. It is its own screen and mouse.
type Client struct {
	Mu sync.Mutex

	Scale, Factor float64 // pixels per unit; times the factor while tracing
	Lean          float64 // how far upright motion goes aside, as on a board that is seen aslant
	Gaps          map[image.Point]bool
	Accept        bool
	Drag          bool        // the line is dragged
	Held          bool        // another program holds the system's pointer
	Tried         bool        // nobody says which pointer it shows
	System        bool        // it shows the system's pointer, which begins a line on the start
	Paused        bool        // it has let go of its line, which stays until another begins
	Fades         bool        // an answer's line goes to white, or to black, within a second
	Bare          *image.RGBA // the board without a line, once it was painted

	Pairs [][2]image.Point // it takes a line from each to its other end, without a cap; nil: one line
	Done  [][]image.Point  // lines that were let go of at their ends
	Loses bool             // they go then

	Solving   bool
	cursor    vision.Point
	line.Line           // in cells
	Shown     string    // "", "accepted", "refused"
	at        time.Time // of the answer

	Pending vision.Point // motion of this frame, in units
	Frame   time.Time    // when the frame began

	Clicks []string // what each left click was: enter, miss, begin, early, submit
	moves  int
	On     func(*Client, int) error // called before each move, with its number from 1
	Down   bool
	Gone   bool // the screen
	Misses int  // clicks at the end that it does not take
}

const (
	ClientPitch = 70.0
	ClientLine  = 0.25 // of the pitch
	ClientCols  = 4
	ClientRows  = 3
	// clientFrame: motion is summed over a browser's frame.
	clientFrame = 16 * time.Millisecond
)

var ClientStart, clientEnd = image.Pt(0, ClientRows), image.Pt(ClientCols, 0)

func NewClient() *Client {
	c := &Client{Scale: 1, Factor: 1.4, Accept: true, Gaps: map[image.Point]bool{}, Frame: time.Now()}
	c.Line = line.Line{Edge: 1, Open: c.open, Cap: func(n image.Point) (way image.Point) {
		if c.Pairs == nil && n == clientEnd {
			way.Y = -1
		}
		return way
	}}
	return c
}

func ClientAt(x, y float64) vision.Point {
	return vision.Point{X: 160 + x*ClientPitch, Y: 130 + y*ClientPitch}
}

func clientPlace(x, y float64) picture.Point { return picture.Point(ClientAt(x, y)) }

// head is where the line's head is.
func (c *Client) head() vision.Point { return vision.Point(c.Head(clientPlace)) }

func (c *Client) open(n, d image.Point) bool {
	to := n.Add(d)
	on := func(line []image.Point) bool { return slices.Contains(line, to) }
	return to.In(image.Rect(0, 0, ClientCols+1, ClientRows+1)) && !slices.ContainsFunc(c.Done, on) && !c.Gaps[n.Mul(2).Add(d)]
}

// flush ends a frame: its motion takes effect.
func (c *Client) flush() {
	x, y := (c.Pending.X+c.Lean*c.Pending.Y)*c.Scale, c.Pending.Y*c.Scale
	c.Pending, c.Frame = vision.Point{}, time.Now()
	switch {
	case c.Shown != "", c.Paused:
	case c.Nodes != nil:
		c.Slide(x*c.Factor/ClientPitch, y*c.Factor/ClientPitch)
	case c.Solving:
		c.cursor = vision.Point{X: min(max(c.cursor.X+x, 0), 639), Y: min(max(c.cursor.Y+y, 0), 479)}
	}
}

func (c *Client) MoveBy(dx, dy int) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.moves++
	if c.On != nil {
		if err := c.On(c, c.moves); err != nil {
			if errors.Is(err, ErrDrop) {
				return nil
			}
			return err
		}
	}
	if time.Since(c.Frame) >= clientFrame {
		c.flush()
	}
	c.Pending.X += float64(dx)
	c.Pending.Y += float64(dy)
	return nil
}

// MoveTo is what a client that wants its line dragged takes: its head goes to
// where the pointer is, as far as the edges let it.
func (c *Client) MoveTo(at image.Point) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.moves++
	if c.On != nil {
		if err := c.On(c, c.moves); err != nil {
			return err
		}
	}
	if (c.System || c.Drag) && !c.Held { // a page under the pointer lock takes no places
		c.cursor = vision.Point{X: float64(at.X), Y: float64(at.Y)}
	}
	if c.Drag && c.Nodes != nil {
		head := c.head()
		c.Slide((c.cursor.X-head.X)/ClientPitch, (c.cursor.Y-head.Y)/ClientPitch)
	}
	return nil
}

func (c *Client) Key(input.Key) error { return nil }

func (c *Client) Pointer() (image.Point, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return image.Pt(int(c.cursor.X), int(c.cursor.Y)), nil
}

func (c *Client) Press(b input.Button) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.flush()
	c.Down = true
	what := ""
	onStart := ClientAt(float64(ClientStart.X), float64(ClientStart.Y)).Dist(c.cursor) < 1.2*ClientLine*ClientPitch
	begin := func() {
		if what = "miss"; onStart {
			c.Paused, c.Nodes, c.Dir, c.Along, what = false, []image.Point{ClientStart}, image.Point{}, 0, "begin"
		}
	}
	switch {
	case c.Pairs != nil:
		what = c.pressPaired()
	case c.Paused && b == input.Right:
	case (c.Drag || c.Paused) && onStart:
		begin()
	case b == input.Right && c.Nodes != nil:
		c.Nodes, c.Dir = nil, image.Point{}
	case b == input.Right:
		c.Solving = false
	case !c.Solving && !c.System:
		c.Solving, c.cursor, what = true, vision.Point{X: 320, Y: 240}, "enter"
	case c.Nodes == nil:
		begin()
	case c.InCap() && c.Along > 0.2:
		if c.Misses > 0 {
			c.Misses--
			what = "lost"
			break
		}
		c.Shown, c.at, what = "refused", time.Now(), "submit"
		if c.Accept {
			c.Shown = "accepted"
		}
	default:
		what = "early"
	}
	if what != "" {
		c.Clicks = append(c.Clicks, what)
	}
	return nil
}

// pressPaired begins a line on one of the pairs' places, or lets go of it on the other.
func (c *Client) pressPaired() string {
	for _, pair := range c.Pairs {
		for k, from := range pair {
			switch on := ClientAt(float64(from.X), float64(from.Y)).Dist(c.cursor) < 1.2*ClientLine*ClientPitch; {
			case c.Nodes == nil && on:
				c.Nodes, c.Dir, c.Along = []image.Point{from}, image.Point{}, 0
				return "begin"
			case c.Nodes != nil && c.Nodes[0] == from && c.head().Dist(ClientAt(float64(pair[1-k].X), float64(pair[1-k].Y))) < 0.2*ClientPitch:
				if end := pair[1-k]; c.Nodes[len(c.Nodes)-1] != end {
					c.Nodes = append(c.Nodes, end)
				}
				if !c.Loses {
					c.Done = append(c.Done, c.Nodes)
				}
				c.Nodes, c.Dir = nil, image.Point{}
				return "submit"
			}
		}
	}
	c.Nodes, c.Dir = nil, image.Point{}
	return "miss"
}

func (c *Client) Release(input.Button) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Down = false
	if c.Drag && c.Nodes != nil {
		if c.InCap() && c.Along > 0.2 {
			c.Clicks = append(c.Clicks, "submit")
			c.Shown, c.at = "accepted", time.Now()
		} else {
			c.Nodes, c.Dir = nil, image.Point{}
		}
	}
	return nil
}

func (c *Client) Bounds() image.Rectangle { return image.Rect(0, 0, 640, 480) }

func (c *Client) Close() error { return nil }

var ErrDrop = errors.New("this event is lost")

var ErrGone = errors.New("the display is gone")

func (c *Client) Grab(context.Context) (*image.RGBA, error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Gone {
		return nil, ErrGone
	}
	if time.Since(c.Frame) >= clientFrame {
		c.flush()
	}
	if c.Bare == nil {
		c.Bare = c.board()
	}
	m := image.NewRGBA(c.Bare.Rect)
	copy(m.Pix, c.Bare.Pix)
	for _, done := range c.Done {
		for i, n := range done[1:] {
			Paint(m, ClientAt(float64(done[i].X), float64(done[i].Y)), ClientAt(float64(n.X), float64(n.Y)), ClientLine*ClientPitch/2, c.ink())
		}
	}
	r := ClientLine * ClientPitch / 2
	if c.Nodes != nil && (c.Fades || c.Shown != "refused" || time.Since(c.at) < 100*time.Millisecond) {
		c.Draw(m, clientPlace, r, 2.4*r, c.ink())
		if c.Fades { // the head is a disc of its own
			at := c.head()
			Paint(m, at, at, r, color.RGBA{255, 255, 255, 255})
		}
	} else if c.Solving && !c.System {
		Paint(m, c.cursor, c.cursor, 6.5, color.RGBA{255, 255, 255, 102})
	}
	return m, nil
}

// ink is the line's colour.
func (c *Client) ink() color.RGBA {
	if !c.Fades {
		return color.RGBA{240, 246, 230, 255}
	}
	v := 170.0
	if part := min(time.Since(c.at).Seconds(), 1); c.Shown == "accepted" {
		v += 85 * part
	} else if c.Shown == "refused" {
		v -= 170 * part
	}
	return color.RGBA{uint8(v), uint8(v), uint8(v), 255}
}

// board is the board without a line.
func (c *Client) board() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for i := range m.Pix {
		m.Pix[i] = [4]uint8{60, 40, 20, 255}[i%4]
	}
	Paint(m, ClientAt(-0.4, -0.6), ClientAt(ClientCols+0.4, -0.6), 10, color.RGBA{20, 160, 90, 255})
	for y := -0.6; y < ClientRows+0.5; y += 0.25 {
		Paint(m, ClientAt(-0.4, y), ClientAt(ClientCols+0.4, y), 18, color.RGBA{20, 160, 90, 255})
	}
	ink, r := color.RGBA{60, 80, 60, 255}, ClientLine*ClientPitch/2
	for x := range ClientCols + 1 {
		for y := range ClientRows + 1 {
			for _, d := range []image.Point{{X: 1}, {Y: 1}} {
				to := image.Pt(x, y).Add(d)
				if to.X > ClientCols || to.Y > ClientRows {
					continue
				}
				a, b := ClientAt(float64(x), float64(y)), ClientAt(float64(to.X), float64(to.Y))
				if c.Gaps[image.Pt(2*x, 2*y).Add(d)] {
					Paint(m, a, vision.Point{X: a.X + 0.2*(b.X-a.X), Y: a.Y + 0.2*(b.Y-a.Y)}, r, ink)
					Paint(m, vision.Point{X: a.X + 0.8*(b.X-a.X), Y: a.Y + 0.8*(b.Y-a.Y)}, b, r, ink)
				} else {
					Paint(m, a, b, r, ink)
				}
			}
		}
	}
	start := ClientAt(float64(ClientStart.X), float64(ClientStart.Y))
	Paint(m, start, start, 2.4*r, ink)
	Paint(m, ClientAt(ClientCols, 0), ClientAt(ClientCols, -0.4), r, ink)
	return m
}

// Paint lays a thick line with round ends and smooth edges over m.
func Paint(m *image.RGBA, a, b vision.Point, r float64, ink color.RGBA) {
	line.Paint(m, picture.Point(a), picture.Point(b), r, ink)
}

// Snake is a line of six turns over the board.
var Snake = solve.Stroke{
	{X: 0, Y: 6}, {X: 0, Y: 4}, {X: 2, Y: 4}, {X: 4, Y: 4}, {X: 4, Y: 2}, {X: 2, Y: 2}, {X: 2, Y: 0},
	{X: 4, Y: 0}, {X: 6, Y: 0}, {X: 6, Y: 2}, {X: 8, Y: 2}, {X: 8, Y: 0}, {X: 8, Y: -1},
}

func (c *Client) Entered() string {
	out := ""
	for _, n := range c.Nodes {
		out += n.String()
	}
	return out
}

// OnItsOwnClock runs a test for which time passes only while everything waits:
// it does not matter how busy the machine is.
func OnItsOwnClock(t *testing.T, name string, test func(*testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}
