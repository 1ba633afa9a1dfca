package enter

import (
	"context"
	"errors"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// A client's word needs a witness: what it shows for a right answer and for nothing else. Its
// line lights up, the board goes, or another comes in its place. Words, numbers and tiles that
// change beside the board are none. Red that comes, of the line or beside the board, and a line
// that goes out say that it was refused.

// signTime is how long a client may take to say so: half a second more than one that waits for
// two.
const signTime = 2500 * time.Millisecond

// reddish tells a red that is meant: by so much more than the other two.
func reddish(c vision.RGB) bool { return c[0]-max(c[1], c[2]) > redLevels }

const (
	redLevels = 80
	// redTile is the side, in pixels, of the tiles in which red ink is counted: less than a
	// letter of a page's text. One has some where a sixteenth of it is red; redTiles of them are
	// a word: one in a page's usual size takes 14, a digit of a counter 1 to 4.
	redTile  = 8
	redTiles = 6
	// redRoom is how far from red that was there before red ink is new, in tiles: what is red
	// and changes, as a clock, stays within that.
	redRoom = 4
)

// beside is where the red is that a board's own lines do not bring.
func besideBoard(t *Task) image.Rectangle {
	b := t.Reading.Board
	frame := 1.0 / 16 // of a cell: the frame of a board is drawn so far out
	for _, s := range t.Answer {
		for _, i := range []int{0, len(s) - 1} {
			if _, is := opening(s, i); is || s[i].X < 0 || s[i].Y < 0 || s[i].X > 2*b.Cols || s[i].Y > 2*b.Rows {
				frame = 0.7 // a line is drawn as if there were a cell beyond
			}
		}
	}
	return b.Area().Inset(-int(frame*b.ScreenPitch) - 1)
}

// red are the tiles of a frame with red in them, but for those that touch a board.
func red(f *image.RGBA, board image.Rectangle) map[image.Point]bool {
	out := map[image.Point]bool{}
	for y := f.Rect.Min.Y; y+redTile <= f.Rect.Max.Y; y += redTile {
		for x := f.Rect.Min.X; x+redTile <= f.Rect.Max.X; x += redTile {
			tile := image.Rect(x, y, x+redTile, y+redTile)
			if tile.Overlaps(board) {
				continue
			}
			n := 0
			for v := tile.Min.Y; v < tile.Max.Y; v++ {
				row := f.Pix[f.PixOffset(x, v):]
				for i := 0; i < 4*redTile; i += 4 {
					if int(row[i])-int(max(row[i+1], row[i+2])) > redLevels {
						n++
					}
				}
			}
			if 16*n >= redTile*redTile {
				out[image.Pt(x/redTile, y/redTile)] = true
			}
		}
	}
	return out
}

// reddens tells whether red ink comes beside a board, where none was near.
func reddens(was map[image.Point]bool, now *image.RGBA, board image.Rectangle) bool {
	n := 0
	for q := range red(now, board) {
		fresh := true
		for i := range (2*redRoom + 1) * (2*redRoom + 1) {
			fresh = fresh && !was[q.Add(image.Pt(i%(2*redRoom+1)-redRoom, i/(2*redRoom+1)-redRoom))]
		}
		if fresh {
			n++
		}
	}
	return n >= redTiles
}

// A glance is what one frame tells of something that was submitted.
type glance struct {
	gone    bool // what was entered
	went    bool // and the board with it, or another stands there
	lighter bool
	lit     bool // it has come to rest in another colour
	red     bool // it is red, which it was not
	fading  bool // it darkens still
}

// shade is what a line's colour in a frame tells, by those when it was submitted and in the
// frame before. One of several colours may light up to one that is no lighter; what is refused
// rests in a colour in which it does not stand.
func shade(was, last, now vision.RGB) glance {
	by := light(now) - light(was)
	return glance{
		lighter: by > fadeLevels, fading: by < -fadeLevels/2 && light(now) < light(last)-1,
		red: reddish(now) && !reddish(was), lit: apart(now, was) > fadeLevels && apart(now, last) < 1,
	}
}

// watch tells from one frame after another what became of something that was submitted. It is
// accepted when it gets lighter, when it rests in another colour, or when the board went with
// it; what is refused turns red, goes, blinks or darkens on a board that stays, or red ink comes
// beside that; what still stands after a while as it was, for so long at least, is entered, no
// more. Frames are of a part, all of it where that is empty.
func (p *Player) watch(ctx context.Context, t *Task, part image.Rectangle, least time.Duration, look func(*image.RGBA) glance) (Outcome, error) {
	board := image.Rectangle{}
	var was map[image.Point]bool
	if t != nil && t.Reading.Board != nil && p.Motion.Pointer != calibrations.Drawn {
		board = besideBoard(t)
		was = red(t.Frame, board)
	}
	inked := func() (bool, error) { // by all of the screen
		if was == nil {
			return false, nil
		}
		f, err := p.Grab(ctx)
		return err == nil && reddens(was, f, board), err
	}
	gone, lighter, lit, reds, rested := 0, 0, 0, 0, 0
	for began := p.now; p.Since(began) < least || rested < 3 && p.Since(began) < settleMost; {
		if err := p.Pause(ctx, refreshTime); err != nil {
			return Unknown, err
		}
		f, err := p.grabPart(ctx, part)
		if err != nil {
			return Unknown, err
		}
		g := look(f)
		if g.red {
			if reds++; reds >= 2 {
				return Refused, nil
			}
			continue
		}
		switch {
		case g.gone:
			if gone++; gone < 2 {
				continue
			}
			if !g.went {
				return Refused, nil
			}
			return p.replaced(t, inked)
		case g.lighter:
			if lighter++; lighter >= 2 {
				return Accepted, nil
			}
		case g.lit:
			if lit++; lit >= 4 {
				return Accepted, nil
			}
		case g.fading:
			rested = -1
			fallthrough
		default:
			lit = 0
		}
		gone = 0
		rested++
	}
	// Not before: with an answer that is taken another board may come on elsewhere, red in it.
	if bad, err := inked(); bad || err != nil {
		return Refused, err
	}
	return Entered, nil
}

// replaced is what a board tells that went: that the answer was taken, unless another window
// lies over it, or with it came red ink, which may be what lies there.
func (p *Player) replaced(t *Task, inked func() (bool, error)) (Outcome, error) {
	if t != nil && t.Reading.Board != nil {
		if err := p.KeepTo(t.Reading.Board.Centre()); errors.Is(err, input.ErrCovered) {
			return Entered, nil
		} else if err != nil {
			return Unknown, err
		}
	}
	if bad, err := inked(); bad || err != nil {
		return Entered, err
	}
	return Accepted, nil
}

// another tells whether another board stands where strokes were entered: cells look neither as
// without them nor as with them, nor as anything between. Where the pointer is one may.
func another(bare, with, now *image.RGBA, sheet Sheet, cells []image.Point) bool {
	n := 0
	for _, q := range cells {
		at := sheet.Half(q)
		if !trail.Changed(bare, now, at) || !trail.Changed(with, now, at) {
			continue
		}
		from, to, is := vision.At(bare, at.X, at.Y), vision.At(with, at.X, at.Y), vision.At(now, at.X, at.Y)
		way, by := to.Sub(from), is.Sub(from)
		share := min(max(by.Dot(way)/max(way.Dot(way), 1), 0), 1)
		if apart(is, vision.RGB{from[0] + share*way[0], from[1] + share*way[1], from[2] + share*way[2]}) > fadeLevels {
			n++
		}
	}
	return n >= 2
}

// apart is how far two colours differ, in levels of the channel in which they do most.
func apart(a, b vision.RGB) float64 {
	d := a.Sub(b)
	return max(math.Abs(d[0]), math.Abs(d[1]), math.Abs(d[2]))
}

func light(c vision.RGB) float64 { return (c[0] + 2*c[1] + c[2]) / 4 }
