package see

import (
	"fmt"
	"image"
	"math"
	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"time"
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
		return nil, r.part(board)
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

// A PartError says how much of a pillar was in view until now, and how to go on.
type PartError struct {
	Seen, Of int    // columns of half-cells
	Way      string // where its front is to go, as seen: "left" or "right"
}

func (e *PartError) Error() string {
	return fmt.Sprintf("turn the pillar to the %s: %d of %d columns seen", e.Way, e.Seen, e.Of)
}

// Unwrap is a refusal.
func (e *PartError) Unwrap() error { return &vision.UnsureError{What: e.Error()} }

// leastFacing is how squarely what can be read of a pillar faces the viewer: 66 degrees.
const leastFacing = 0.4

// part is how much of the pillar its views show, with one more.
func (r *round) part(now *vision.Board) error {
	seen := map[int]bool{}
	for _, v := range append([]view{{now, r.turned.column(now)}}, r.views...) {
		for x := range 2*v.board.Side() + 1 {
			if around := 2 * v.board.Cols; v.board.Facing(float64(x)) >= leastFacing {
				seen[((x+2*v.column)%around+around)%around] = true
			}
		}
	}
	return &PartError{len(seen), 2 * now.Cols, map[bool]string{true: "left", false: "right"}[r.turned.Way() > 0]}
}

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

// FollowGap is the most that two looks at a pillar may be apart: in 220 ms the practice
// page turns one by a column; beyond half a column between two looks nobody can tell which
// way it went.
const FollowGap = 90 * time.Millisecond

// A Spin follows how a pillar turns, from frame to frame.
type Spin struct {
	Board  *vision.Board
	middle float64 // the board's column of half-cells that faced the viewer when it was found
	Faced  float64 // the column of the stroke that faces the viewer now
	phase  float64 // see vision.Board.Phase
	began  float64 // what faced the viewer at first
	Toward float64 // what the pillar is known to turn to; NaN where that is not known
}

// NewSpin follows a board from the frame that it was found in. Columns count
// from the board's own.
func NewSpin(b *vision.Board) *Spin {
	middle := FacedBy(b)
	return &Spin{Board: b, middle: middle, Faced: middle, began: middle, Toward: math.NaN(), phase: math.Remainder(-middle, 2)}
}

// FacedBy is a board's column of half-cells that faces the viewer.
func FacedBy(b *vision.Board) float64 { return -b.Theta(0) * float64(b.Cols) / math.Pi }

// column is which column is column 0 of a later view of the board.
func (s *Spin) column(view *vision.Board) int { return int(math.Round((s.Faced - FacedBy(view)) / 2)) }

// See takes a later frame. Since the upright lines all look alike, the pillar
// must have turned by less than half a column since the one before, and by less
// than a whole one where it is known what it turns to.
func (s *Spin) See(frame *image.RGBA) {
	phase := s.Board.Phase(frame)
	by := -math.Remainder(phase-s.phase, 2)
	s.phase = phase
	// 0.3: it may come to rest a little beyond.
	if far := s.Toward - s.Faced; by < min(far, 0)-0.3 && by+2 < max(far, 0)+0.3 {
		by += 2
	} else if by > max(far, 0)+0.3 && by-2 > min(far, 0)-0.3 {
		by -= 2
	}
	s.Faced += by
}

// At is where a place of the stroke is in the frame seen last.
func (s *Spin) At(x, y float64) vision.Point { return s.Board.ScreenPoint(s.middle+x-s.Faced, y) }

// Faces tells whether a column of half-cells of the stroke faces the viewer.
func (s *Spin) Faces(x int) bool {
	// 48°: a start is seen well, and clicked well, before its circle narrows.
	near := 48.0 / 180 * float64(s.Board.Cols)
	return math.Abs(s.Off(x)) < near
}

// Off is how far a column is from facing the viewer, the shorter way round.
func (s *Spin) Off(x int) float64 {
	return math.Remainder(float64(x)-s.Faced, float64(2*s.Board.Cols))
}

// Way is 1 or -1, as the columns that faced the viewer went up or down since
// the beginning; 0: they stayed.
func (s *Spin) Way() float64 {
	if by := s.Faced - s.began; math.Abs(by) > 1 {
		return math.Copysign(1, by)
	}
	return 0
}
