package see

import (
	"image"
	"math"
	"time"

	"onlooker/vision"
)

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
