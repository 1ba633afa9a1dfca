package see

import (
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
)

// A round follows a pillar that turns where it stands from frame to frame, and
// keeps the views of it that a still picture gives.
type round struct {
	turned *Spin
	at     time.Time // of the frame seen last
	moved  time.Time // when the pillar was last seen to turn
	still  time.Time // when it was last looked at
	lit    vision.RGB
	views  []view
	column int // of the puzzle that was read: which is column 0 of the board
}

func newRound(b *vision.Board, frame *image.RGBA, at time.Time) *round {
	r := &round{turned: NewSpin(b), at: at, still: at, views: []view{{b, 0}}}
	r.lit = r.light(frame)
	return r
}

// light is the mean colour of what is seen of the pillar: when one walks to
// another panel it goes dark in between.
func (r *round) light(frame *image.RGBA) vision.RGB {
	q := r.views[0].board.Quad
	var mean vision.RGB
	const steps = 32
	for i := range steps {
		for j := range steps {
			x, y := (float64(i)+0.5)/steps, (float64(j)+0.5)/steps
			c := vision.At(frame, q[0].X+x*(q[1].X-q[0].X), q[0].Y+y*(q[3].Y-q[0].Y))
			for k := range mean {
				mean[k] += c[k] / (steps * steps)
			}
		}
	}
	return mean
}

// turning tells whether the pillar is being turned. What looks so for long is
// something else that moves.
func (r *round) turning() bool {
	return r.at.Sub(r.moved) < 300*time.Millisecond && r.at.Sub(r.still) < 5*time.Second
}

// follow takes the next frame; false says that the pillar may have turned too
// far since the one before, or that it is not there.
func (r *round) follow(frame *image.RGBA, at time.Time) bool {
	was := r.turned.Faced
	r.turned.See(frame)
	late := at.Sub(r.at) > FollowGap
	r.at = at
	if r.light(frame).Dist(r.lit) > 12 { // as for alikeLit
		return false
	}
	if math.Abs(r.turned.Faced-was) < 0.05 {
		return true
	}
	r.moved = at
	return !late
}

// shows tells whether a board is where the pillar was found: who walks round it
// sees it elsewhere. How tall it is may be told otherwise from another side.
func (r *round) shows(b *vision.Board) bool {
	first := r.views[0].board
	within := 0.1 * first.ScreenPitch
	return b.Pillar && math.Abs(first.Quad[0].X-b.Quad[0].X) < within && math.Abs(first.Quad[1].X-b.Quad[1].X) < within
}

// add keeps the view that a still frame gives, and reads the pillar once all of
// it was in view.
func (r *round) add(frame *image.RGBA, g *Game, profile *calibrations.Profile) (solve.Puzzle, error) {
	r.still = r.at
	board := r.views[0].board.Turned(frame, r.turned.phase)
	column := r.turned.column(board)
	// While the pillar came on its colours were others.
	for len(r.views) > 0 && !alikeLit(r.views[0].board, board) {
		r.views = r.views[1:]
	}
	low, high, times := column, column, 0
	for _, v := range r.views {
		low, high = min(low, v.column), max(high, v.column)
		if v.column == column {
			times++
		}
	}
	if times < sameViews {
		r.views = append(r.views, view{board, column})
	}
	if float64(high-low) < readTurn*float64(board.Cols) {
		return nil, errPart
	}
	reader, err := turner(g, profile, r.views)
	if err != nil {
		return nil, err
	}
	puzzle, err := vision.Guarded(reader.Puzzle)
	if err == nil {
		r.column = reader.Column() - r.views[0].column
	}
	return puzzle, err
}

// errPart says that a pillar was not seen from all sides yet.
var errPart = errors.New("not all of it was in view")

// sameViews is how many views of one side are kept: a glint that hid something
// in the first may be gone in the second.
const sameViews = 2

// own is how the pillar stands, in the columns of the puzzle that was read.
func (r *round) own() *Spin {
	s := *r.turned
	s.Faced, s.began = s.Faced+float64(2*r.column), s.began+float64(2*r.column)
	return &s
}

// readTurn: a view shows 132° well enough to be read, so less than this part of a turn
// leaves something out.
const readTurn = 0.6

// A PillarReader is a Reader of pillars that takes views of which it is known how far
// the pillar was turned from one to the next.
type PillarReader interface {
	Reader
	// AddTurned adds a view, and which column is its column 0, counted from
	// column 0 of the first view.
	AddTurned(view *vision.Board, column int) error
	// Column is the puzzle's column that is column 0 of the first view, once
	// Puzzle has given one.
	Column() int
}

// A view is one side of a pillar, and which column of the first view is its
// column 0.
type view struct {
	board  *vision.Board
	column int
}

// turner reads a board from views of which it is known how far they are apart.
func turner(g *Game, profile *calibrations.Profile, views []view) (PillarReader, error) {
	reader, ok := g.NewReader(profile).(PillarReader)
	if !ok {
		return nil, fmt.Errorf("drive: boards of %s that are turned are not read", g.Name)
	}
	for _, v := range views {
		if err := reader.AddTurned(v.board, v.column-views[0].column); err != nil {
			return nil, err
		}
	}
	return reader, nil
}

// alikeLit tells whether two views of a pillar are as light: lines and cells
// within 12 of 255 levels. A pillar that is half on is 40 levels darker.
func alikeLit(a, b *vision.Board) bool {
	return a.Ink.Dist(b.Ink) < 12 && a.Paper.Dist(b.Paper) < 12
}
