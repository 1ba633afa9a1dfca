package see

import (
	"bytes"
	"context"
	"errors"
	"image"
	"math"
	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/vision"
	"onlooker/vision/posterior"
	"time"
)

// Millis are the times that the stages took, in milliseconds by stage.
type Millis map[string]float64

// Add adds the time since a moment to a stage.
func (m Millis) Add(stage string, since time.Time) { m.Took(stage, time.Since(since)) }

// Took adds a time to a stage, to the microsecond.
func (m Millis) Took(stage string, d time.Duration) {
	m[stage] = math.Round(1000*m[stage]+float64(d.Microseconds())) / 1000
}

// A Reading is one board of a frame: its puzzle, or why it is not told.
type Reading struct {
	Game   *Game
	Board  *vision.Board
	Puzzle solve.Puzzle // nil with an error
	Err    error        // a *vision.UnsureError in most cases
	// Profile is the look that the board was read in.
	Profile *calibrations.Profile
	// Evidence is what it explains of the picture and what it leaves; nil where there is
	// no puzzle.
	Evidence posterior.Evidence
	// Seen is what its cells show, whoever reads them; nil for boards of lines.
	Seen func() posterior.Evidence
	// Never says that it has no answer, which counts for a result where its family was named.
	Never bool
	// Asked says that somebody named its family.
	Asked bool
	// Odds are the log-odds that a board that could not be read is one of the game's.
	Odds float64
	// Confidence is how likely it is right, which means the same for all families: 0 to
	// 1, 0 where there is no puzzle.
	Confidence float64
}

// leastSettled are the least columns and rows of boards that settle a frame: the outlines of a
// symbol have fewer.
const leastSettled = 3

// size is a board's area in pixels.
func size(b *vision.Board) float64 {
	box := b.Area()
	return float64(box.Dx()) * float64(box.Dy())
}

// account adds to a reading's evidence what its puzzle tells, and doubts one that surely
// has no answer: every board of a game has one, so that it was read wrong, or is a board of
// something else, unless somebody named its family.
func (r *Reading) account(asked bool) {
	if r.Err != nil {
		return
	}
	if r.Evidence == nil {
		r.Evidence = posterior.Evidence{}
		if r.Game.Account != nil {
			r.Evidence = r.Game.Account(r.Profile, r.Board, r.Puzzle)
		}
	}
	if r.Board.Flat != nil {
		return // of boards of lines a proof may take long
	}
	_, err := r.Puzzle.Solve(limits.WithSteps(context.Background(), proofSteps))
	if r.Never = errors.Is(err, solve.ErrUnsolvable); r.Never && !(asked && r.Game.Unsolved) {
		says := "as read, there is no answer under its plain rules"
		r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a board that has no answer", Says: says, Whole: true, Do: r.never()}
		return
	}
	if c, ok := r.Puzzle.(solve.Counter); ok && err == nil {
		if n, err := c.Count(limits.WithSteps(context.Background(), proofSteps), 2); err == nil && n == 1 {
			r.Evidence[oneAnswer] = 1
		}
	}
}

// never is what to do about a board that surely has no answer.
func (r *Reading) never() string {
	if !r.Game.Unsolved {
		return "check what was read; your game may allow more"
	}
	return "check what was read; if it is right, --family " + r.Game.Name + " tells it as a result"
}

// oneAnswer is the name of the evidence that a board has one answer, as most games promise.
const oneAnswer = "exactly one answer"

// proofSteps bounds the search for a board's answer, in the solver's questions to
// its context: 20 times what any board of the shared screens takes (24). What takes
// more has proved nothing and is taken as read. It is no time, so that a picture is
// read alike on every machine.
const proofSteps = 500

// Alone is the probability of a reading, others of its place left aside: that of the
// model, and where its reader states one, both.
func (r *Reading) Alone(m posterior.Model) float64 {
	p := 1 - 1e-6
	if _, known := m[r.Game.Name]; known && len(r.Evidence) > 0 {
		p = m.Of(r.Game.Name, r.Evidence)
	}
	if r.Board.Confidence > 0 {
		p *= r.Board.Confidence
	}
	return p
}

// same tells whether two readings say the same of one board, as those by two contrasts do.
func same(a, b Reading) bool {
	return a.Game == b.Game && a.Board.Cols == b.Board.Cols && a.Board.Rows == b.Board.Rows && solve.Same(a.Puzzle, b.Puzzle)
}

// Touchable tells whether a reading is so likely right that the mouse may touch its board.
func (r Reading) Touchable() bool {
	return r.Profile == nil || r.Confidence >= r.Profile.Levels.Mouse
}

// sure tells whether a reading of a flat board stands by itself: so likely right that the mouse
// may touch it, and with all of its border in sight.
func (r Reading) sure() bool { return r.Touchable() && r.Board.AtBorder() == 0 }

// toss is more than a toss-up: of two readings that are as likely none is given.
const toss = 0.51

// overlap tells whether the middle of one board lies within another's outline.
func overlap(a, b *vision.Board) bool {
	in := func(p vision.Point, q [4]vision.Point) bool {
		for i := range q {
			u, v := q[i], q[(i+1)%4]
			if (v.X-u.X)*(p.Y-u.Y)-(v.Y-u.Y)*(p.X-u.X) < 0 {
				return false
			}
		}
		return true
	}
	return in(a.Centre(), b.Quad) || in(b.Centre(), a.Quad)
}

// Draftable tells whether a board was refused that a person can put right over its picture: of a
// pillar a picture shows too little, and lamps that lines join lie on no lattice.
func (r *Reading) Draftable() bool {
	u := &vision.UnsureError{}
	return r.Board != nil && r.Err != nil && !r.Board.Pillar && !(errors.As(r.Err, &u) && u.Loose)
}

// few tells whether so few cells of what was not read are seen that they may be a part of anything.
func (r *Reading) few() bool {
	u := &vision.UnsureError{}
	return r.Evidence == nil && errors.As(r.Err, &u) && u.Whole && !r.Board.Round() && min(r.Board.Cols, r.Board.Rows) < leastSettled
}

// A Sight is what one look at a frame gave.
type Sight struct {
	Profile  *calibrations.Profile
	Readings []Reading // largest board first
	// Candidates are what all readers made of the frame, before one was decided for.
	Candidates []Reading
	// Broken is why a family did not look for its boards; nil in most cases.
	Broken error
	// Brief says that not all looks were tried: the first read all that it found, surely, or
	// those that are known read nothing.
	Brief bool

	// Frame is what was looked at.
	Frame image.Image
}

// Around is a board's place and 1.5 pitches round it, as far as its caps and what
// is read of it reach.
func Around(b *vision.Board) image.Rectangle { return b.Area().Inset(-int(1.5*b.ScreenPitch) - 1) }

// Unchanged tells whether two frames are the same, pixel by pixel, in a part.
func Unchanged(before, now image.Image, part image.Rectangle) bool {
	a, ok1 := before.(*image.RGBA)
	b, ok2 := now.(*image.RGBA)
	if !ok1 || !ok2 || a == nil || a.Rect != b.Rect {
		return false
	}
	box := part.Intersect(a.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		i, j := a.PixOffset(box.Min.X, y), b.PixOffset(box.Min.X, y)
		if !bytes.Equal(a.Pix[i:i+4*box.Dx()], b.Pix[j:j+4*box.Dx()]) {
			return false
		}
	}
	return true
}

// again is what was read of a board in an earlier look, where it is the same in a
// frame, pixel by pixel: reading it once more would tell nothing else.
func (s *Sight) again(p *calibrations.Profile, b *vision.Board, frame image.Image) (Reading, bool) {
	if s == nil {
		return Reading{}, false
	}
	for _, r := range s.Readings {
		near := func(i int) bool { return r.Board.Quad[i].Dist(b.Quad[i]) < 0.1 }
		if r.Profile == p && r.Board.Cols == b.Cols && r.Board.Rows == b.Rows && r.Board.Pillar == b.Pillar &&
			near(0) && near(1) && near(2) && near(3) && Unchanged(s.Frame, frame, Around(r.Board)) {
			return r, true
		}
	}
	return Reading{}, false
}

// Read counts the boards that were read.
func (s *Sight) Read() int {
	n := 0
	for _, r := range s.Readings {
		if r.Puzzle != nil {
			n++
		}
	}
	return n
}
