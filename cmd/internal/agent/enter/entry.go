package enter

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// A Task is an answer that is to be entered, and what is left of the tries at it.
type Task struct {
	Reading see.Reading
	Answer  solve.Solution
	Frame   *image.RGBA   // in which the board was read
	Turned  *see.Spin     // of a pillar, in the puzzle's columns
	Unlit   []image.Point // see Game.Otherwise
	Tries   int           // how often its line was begun

	strokes int         // that were entered and stay; the others are still to be
	bare    *image.RGBA // see bareFrame, and where the board stands in it
	bareAt  [4]vision.Point
}

// MostTries is how many lines are begun for one board.
const MostTries = 3

// An Entry is an answer on its way in.
type Entry interface {
	// Trace enters all but what submits the answer. On an error nothing is left of
	// the stroke that failed.
	Trace(ctx context.Context) error
	// Try enters as much as can be without anything being submitted, and takes it
	// back.
	Try(ctx context.Context) error
	// Submit submits it.
	Submit(ctx context.Context) error
	// Judge tells by the screen what became of it; Unknown where the board must be read to
	// tell whether it is another.
	Judge(ctx context.Context) (Outcome, error)
}

// A Sheet is where a board is on the frame, and what a line on it must know.
type Sheet struct {
	answer.Projection
	// On is where a place would be if the board went on for ever: motion goes
	// by that. It differs from At on a board that goes round and is drawn flat,
	// where a line leaves on one side and comes in on the other.
	On func(x, y float64) vision.Point
	// Line is the width of a line in pitches, the distance from node to node.
	Line float64
	// Part is the part of the frame with the board and all that is round it; empty:
	// all of it may be.
	Part image.Rectangle
	// Last is the half-cell opposite (0,0): with that the corners of the border, where
	// lines go no further. Zero: that is not known.
	Last image.Point
}

// between is a share of the way from one place to another.
func (s Sheet) between(from, to image.Point, share float64) vision.Point {
	return s.At(float64(from.X)+share*float64(to.X-from.X), float64(from.Y)+share*float64(to.Y-from.Y))
}

// sheetOf is where a flat board that was read is on its frame.
func sheetOf(r see.Reading) Sheet {
	b := r.Board
	s := Sheet{Projection: answer.Onto(b, r.Puzzle), On: b.ScreenPoint, Line: b.Line, Last: image.Pt(2*b.Cols, 2*b.Rows)}
	if !b.Pillar {
		s.Part = see.Around(b)
	}
	return s
}

// Entry is how an answer is entered, by the client's way.
func (p *Player) Entry(t *Task) (Entry, error) {
	sheet := sheetOf(t.Reading)
	strokes := t.Answer
	if t.Turned != nil {
		sheet.At, sheet.On = t.Turned.At, t.Turned.At
		sheet.Around, sheet.Last = 0, image.Point{}
	} else if sheet.Around > 0 {
		strokes = unrolled(strokes, sheet.Around)
	}
	switch p.styled(t, strokes) {
	case calibrations.Clicks:
		if _, clicks := t.Reading.Puzzle.(solve.Clicker); clicks || p.style != calibrations.Clicks {
			return newClicking(p, sheet, t)
		}
		fallthrough
	case calibrations.Drag, calibrations.Absolute:
		return &dragEntry{player: p, sheet: sheet, strokes: strokes, bare: t.bareFrame(), reach: reaches[t.Tries%len(reaches)], task: t, cells: cellsOf(t.Reading.Puzzle)}, nil
	}
	return newLeading(p, t, sheet, strokes)
}

// cellsOf are the middles of a board's cells.
func cellsOf(p solve.Puzzle) (cells []image.Point) {
	b := p.Bounds()
	for y := b.Min.Y | 1; y < b.Max.Y; y += 2 {
		for x := b.Min.X | 1; x < b.Max.X; x += 2 {
			cells = append(cells, image.Pt(x, y))
		}
	}
	return cells
}

// unrolled are strokes that never jump from one side of a board that goes round
// to the other, but go on beyond it.
func unrolled(s solve.Solution, around int) solve.Solution {
	out := make(solve.Solution, len(s))
	for i, stroke := range s {
		out[i] = slices.Clone(stroke)
		for k := 1; k < len(stroke); k++ {
			by := math.Remainder(float64(stroke[k].X-stroke[k-1].X), float64(around))
			out[i][k].X = out[i][k-1].X + int(by)
		}
	}
	return out
}

// Line is a line by relative motion.
func (p *Player) Line(sheet Sheet, stroke solve.Stroke, turned *see.Spin) *Tracing {
	t := &Tracing{player: p, view: view{sheet: sheet, stroke: stroke, spin: turned}}
	// A pillar's gain is not that of flat boards: in the game 1.6 times that of
	// the panels before it.
	wide := 0.0
	if turned == nil {
		t.gain, wide = p.lines.lend(), p.lines.wide
	}
	t.line = newGauge(2*sheet.Line, wide)
	return t
}

// atOnce is of clients that take each click, and each stroke that is let go of, at once.
type atOnce struct{}

// Trace enters nothing.
func (atOnce) Trace(context.Context) error { return nil }

// Try says that nothing can be tried.
func (atOnce) Try(context.Context) error {
	return errors.New("drive: this client takes what is entered at once: nothing can be tried without submitting it")
}

// Point puts the system's pointer to a place of the frame. A pointer that is
// not there then is held by something: a lock, or another program.
func (p *Player) Point(ctx context.Context, at vision.Point) error {
	if err := p.Play(ctx, input.Event{Op: input.Goto, At: p.onScreen(at)}, wait(30*time.Millisecond)); err != nil {
		return err
	}
	return p.pointsAt(at)
}

// pointsAt is why the system's pointer is not at a place of the frame; nil where it is.
func (p *Player) pointsAt(at vision.Point) error {
	want := p.onScreen(at)
	got, err := p.Mouse.Pointer()
	if off := got.Sub(want); err == nil && p.Motion.Pointer == calibrations.System && (abs(off.X) > 2 || abs(off.Y) > 2) {
		return &MissError{What: fmt.Sprintf("the pointer is at (%d,%d), and was put to (%d,%d): something holds it", got.X, got.Y, want.X, want.Y)}
	}
	return nil
}

// onScreen is the pixel of the screen at a place of the frame.
func (p *Player) onScreen(at vision.Point) image.Point {
	return image.Pt(int(math.Round(at.X)), int(math.Round(at.Y))).Add(p.Source.Bounds().Min)
}
