package agenttest

import (
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
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

	Solving bool
	cursor  vision.Point
	Nodes   []image.Point // of the line, whole cells; nil: none
	Dir     image.Point   // from the last node
	Along   float64       // how far, in cells
	Shown   string        // "", "accepted", "refused"
	at      time.Time     // of the answer

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
	return &Client{Scale: 1, Factor: 1.4, Accept: true, Gaps: map[image.Point]bool{}, Frame: time.Now()}
}

func ClientAt(x, y float64) vision.Point {
	return vision.Point{X: 160 + x*ClientPitch, Y: 130 + y*ClientPitch}
}

func (c *Client) open(n, d image.Point) bool {
	to := n.Add(d)
	if to.X < 0 || to.Y < 0 || to.X > ClientCols || to.Y > ClientRows {
		return c.Pairs == nil && n == clientEnd && d == image.Pt(0, -1)
	}
	for _, line := range c.Done {
		if slices.Contains(line, to) {
			return false
		}
	}
	if c.Gaps[n.Mul(2).Add(d)] {
		return false
	}
	for i, v := range c.Nodes {
		if v == to {
			return i == len(c.Nodes)-2 // only back
		}
	}
	return true
}

func (c *Client) reach() float64 {
	if n := c.Nodes[len(c.Nodes)-1]; n == clientEnd && c.Dir == image.Pt(0, -1) {
		return 0.4
	}
	return 1
}

// slide moves the head by one frame's motion, in cells: along the edge, else a
// third of the push leaks towards the nearest corner that is open to it.
func (c *Client) slide(x, y float64) {
	for range 20 {
		if math.Abs(x)+math.Abs(y) < 1e-9 {
			return
		}
		n := c.Nodes[len(c.Nodes)-1]
		if c.Dir == (image.Point{}) {
			d, push, other := image.Pt(cmp.Compare(x, 0), 0), math.Abs(x), y
			if math.Abs(y) > math.Abs(x) {
				d, push, other = image.Pt(0, cmp.Compare(y, 0)), math.Abs(y), x
			}
			if !c.open(n, d) {
				e := image.Pt(cmp.Compare(x, 0), cmp.Compare(y, 0)).Sub(d)
				if other == 0 || !c.open(n, e) {
					return
				}
				d, push = e, math.Abs(other)+push/3
				x, y = float64(d.X)*push, float64(d.Y)*push
			}
			if len(c.Nodes) > 1 && n.Add(d) == c.Nodes[len(c.Nodes)-2] {
				c.Nodes = c.Nodes[:len(c.Nodes)-1]
				c.Dir, c.Along = image.Point{}.Sub(d), 1
			} else {
				c.Dir, c.Along = d, 0
			}
			n = c.Nodes[len(c.Nodes)-1]
		}
		along := x*float64(c.Dir.X) + y*float64(c.Dir.Y)
		sx, sy := x-along*float64(c.Dir.X), y-along*float64(c.Dir.Y)
		t := c.Along + along
		switch reach := c.reach(); {
		case t >= 1 && reach == 1:
			x, y = sx+(t-1)*float64(c.Dir.X), sy+(t-1)*float64(c.Dir.Y)
			c.Nodes, c.Dir, c.Along = append(c.Nodes, n.Add(c.Dir)), image.Point{}, 0
			continue
		case t <= 0 && along < 0:
			x, y = sx+t*float64(c.Dir.X), sy+t*float64(c.Dir.Y)
			c.Dir, c.Along = image.Point{}, 0
			continue
		default:
			c.Along = min(t, reach)
		}
		side := image.Pt(cmp.Compare(sx, 0), cmp.Compare(sy, 0))
		if push := math.Hypot(sx, sy); push > math.Abs(along) && push > 0 {
			switch {
			case c.Along > 0.5 && c.reach() == 1 && c.open(n.Add(c.Dir), side):
				if c.Along += push / 3; c.Along >= 1 {
					c.Nodes, c.Dir, c.Along = append(c.Nodes, n.Add(c.Dir)), image.Point{}, 0
				}
			case c.Along <= 0.5 && c.open(n, side):
				if c.Along -= push / 3; c.Along <= 0 {
					c.Dir, c.Along = image.Point{}, 0
				}
			}
		}
		return
	}
}

// flush ends a frame: its motion takes effect.
func (c *Client) flush() {
	x, y := (c.Pending.X+c.Lean*c.Pending.Y)*c.Scale, c.Pending.Y*c.Scale
	c.Pending, c.Frame = vision.Point{}, time.Now()
	switch {
	case c.Shown != "", c.Paused:
	case c.Nodes != nil:
		c.slide(x*c.Factor/ClientPitch, y*c.Factor/ClientPitch)
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
		n := c.Nodes[len(c.Nodes)-1]
		head := ClientAt(float64(n.X)+c.Along*float64(c.Dir.X), float64(n.Y)+c.Along*float64(c.Dir.Y))
		c.slide((c.cursor.X-head.X)/ClientPitch, (c.cursor.Y-head.Y)/ClientPitch)
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
	switch {
	case c.Pairs != nil:
		what = c.pressPaired()
	case c.Drag && ClientAt(float64(ClientStart.X), float64(ClientStart.Y)).Dist(c.cursor) < 1.2*ClientLine*ClientPitch:
		c.Nodes, c.Dir, what = []image.Point{ClientStart}, image.Point{}, "begin"
	case c.Paused && b == input.Right:
	case c.Paused && ClientAt(float64(ClientStart.X), float64(ClientStart.Y)).Dist(c.cursor) < 1.2*ClientLine*ClientPitch:
		c.Paused, c.Nodes, c.Dir, c.Along, what = false, []image.Point{ClientStart}, image.Point{}, 0, "begin"
	case b == input.Right && c.Nodes != nil:
		c.Nodes, c.Dir = nil, image.Point{}
	case b == input.Right:
		c.Solving = false
	case c.System && c.Nodes == nil:
		what = "miss"
		if at := ClientAt(float64(ClientStart.X), float64(ClientStart.Y)); at.Dist(c.cursor) < 1.2*ClientLine*ClientPitch {
			c.Nodes, c.Dir, what = []image.Point{ClientStart}, image.Point{}, "begin"
		}
	case !c.Solving && !c.System:
		c.Solving, c.cursor, what = true, vision.Point{X: 320, Y: 240}, "enter"
	case c.Nodes == nil:
		what = "miss"
		if at := ClientAt(float64(ClientStart.X), float64(ClientStart.Y)); at.Dist(c.cursor) < 1.2*ClientLine*ClientPitch {
			c.Nodes, c.Dir, what = []image.Point{ClientStart}, image.Point{}, "begin"
		}
	case c.Dir == image.Pt(0, -1) && c.Nodes[len(c.Nodes)-1] == clientEnd && c.Along > 0.2:
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
			case c.Nodes != nil && c.Nodes[0] == from && c.head(pair[1-k]) < 0.2:
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

// head is how far the line's head is from a node, in cells.
func (c *Client) head(from image.Point) float64 {
	n := c.Nodes[len(c.Nodes)-1]
	return math.Hypot(float64(n.X-from.X)+c.Along*float64(c.Dir.X), float64(n.Y-from.Y)+c.Along*float64(c.Dir.Y))
}

func (c *Client) Release(input.Button) error {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Down = false
	if c.Drag && c.Nodes != nil {
		if c.Dir == image.Pt(0, -1) && c.Nodes[len(c.Nodes)-1] == clientEnd && c.Along > 0.2 {
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
	for _, line := range c.Done {
		for i, n := range line[1:] {
			Paint(m, ClientAt(float64(line[i].X), float64(line[i].Y)), ClientAt(float64(n.X), float64(n.Y)), ClientLine*ClientPitch/2, c.ink())
		}
	}
	r, start := ClientLine*ClientPitch/2, ClientAt(float64(ClientStart.X), float64(ClientStart.Y))
	if c.Nodes != nil && (c.Fades || c.Shown != "refused" || time.Since(c.at) < 100*time.Millisecond) {
		white := c.ink()
		if c.Pairs != nil {
			start = ClientAt(float64(c.Nodes[0].X), float64(c.Nodes[0].Y))
		}
		Paint(m, start, start, 2.4*r, white)
		last := c.Nodes[0]
		for _, n := range c.Nodes[1:] {
			Paint(m, ClientAt(float64(last.X), float64(last.Y)), ClientAt(float64(n.X), float64(n.Y)), r, white)
			last = n
		}
		Paint(m, ClientAt(float64(last.X), float64(last.Y)), ClientAt(float64(last.X)+c.Along*float64(c.Dir.X), float64(last.Y)+c.Along*float64(c.Dir.Y)), r, white)
		if c.Fades { // the head is a disc of its own
			at := ClientAt(float64(last.X)+c.Along*float64(c.Dir.X), float64(last.Y)+c.Along*float64(c.Dir.Y))
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
	for y := int(min(a.Y, b.Y) - r - 1); y <= int(max(a.Y, b.Y)+r+1); y++ {
		for x := int(min(a.X, b.X) - r - 1); x <= int(max(a.X, b.X)+r+1); x++ {
			if !image.Pt(x, y).In(m.Rect) {
				continue
			}
			f := 0.0
			if l := a.Dist(b); l > 0 {
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
