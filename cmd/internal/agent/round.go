package agent

import (
	"errors"
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
	turned *spin
	at     time.Time // of the frame seen last
	moved  time.Time // when the pillar was last seen to turn
	still  time.Time // when it was last looked at
	lit    vision.RGB
	views  []view
	column int // of the puzzle that was read: which is column 0 of the board
}

func newRound(b *vision.Board, frame *image.RGBA, at time.Time) *round {
	r := &round{turned: newSpin(b), at: at, still: at, views: []view{{b, 0}}}
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
	was := r.turned.faced
	r.turned.see(frame)
	late := at.Sub(r.at) > followGap
	r.at = at
	if r.light(frame).Dist(r.lit) > 12 { // as for alikeLit
		return false
	}
	if math.Abs(r.turned.faced-was) < 0.05 {
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
func (r *round) own() *spin {
	s := *r.turned
	s.faced, s.began = s.faced+float64(2*r.column), s.began+float64(2*r.column)
	return &s
}
