package witness

import (
	"errors"
	"image"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/pillar"
	"onlooker/vision/witness/view"
)

// readRound reads a board that goes round from what it was unrolled to.
func (r *Reader) readRound(b *vision.Board, u *pillar.Unrolling) (*witness.Panel, error) {
	m := learned.NewReader(look.New(u.Wide, r.profile, r.drawn))
	m.Asked = func(at image.Point) bool { return at.X >= 2 && at.X < 2+2*b.Cols }
	m.Whole = func(wide *witness.Panel) *witness.Panel {
		p := witness.New(b.Cols, b.Rows, true)
		for at := range p.Points() {
			*p.At(at) = *wide.At(at.Add(image.Pt(2, 0)))
		}
		return p
	}
	wide, err := m.Read()
	if err != nil {
		var u *vision.UnsureError
		if errors.As(err, &u) {
			own := *u
			own.At.X -= 2
			return nil, &own
		}
		return nil, err
	}
	p := m.Whole(wide)
	p.Symmetry = wide.Symmetry
	own := look.New(u.Own, r.profile, r.drawn)
	b.Solved = own.Solved(p)
	view.State(b, m.Least)
	return p, nil
}
