package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// A Turner is a Reader that knows how a view of a pillar stands: which columns
// of the puzzle may be column 0 of the view.
type Turner interface {
	Columns(solve.Puzzle, *vision.Board) ([]int, error)
}

// turnTime is how long a client takes to step round a pillar by a column.
const turnTime = 280 * time.Millisecond

// turn steps round the pillar and finds it again.
func (d *Driver) turn(ctx context.Context, r Reading) (*vision.Board, error) {
	if d.Keys.Turn == "" || d.DryRun {
		return nil, &MissError{What: "the pillar must be turned: this client offers no key for it"}
	}
	if err := d.Player.play(ctx, input.Event{Op: input.Tap, Key: d.Keys.Turn}, wait(turnTime)); err != nil {
		return nil, err
	}
	return d.pillarView(ctx, r)
}

// pillarView finds the pillar in the picture as it is.
func (d *Driver) pillarView(ctx context.Context, r Reading) (*vision.Board, error) {
	for try := 0; ; try++ {
		frame, err := d.Player.still(ctx, time.Second)
		if err != nil {
			return nil, err
		}
		for _, p := range d.Eye.Profiles {
			boards, err := vision.Locate(frame, p.Board)
			if err != nil {
				return nil, err
			}
			for _, b := range boards {
				if b.Pillar && b.Cols == r.Board.Cols && b.Rows == r.Board.Rows {
					return b, nil
				}
			}
		}
		if try == 8 {
			return nil, &MissError{What: "the pillar is not found again"}
		}
		if err := pause(ctx, 60*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// maxTurns is how often a pillar is turned to be read: once round, and once
// more where a glint hid something.
const maxTurns = 12

// readPillar turns a pillar until all of it was read, and answers it. nil says
// that it could not be read.
func (d *Driver) readPillar(ctx context.Context, r Reading, drive *Drive) (*Drive, error) {
	began := time.Now()
	profile := d.Eye.Profiles[0]
	reader := r.Game.NewReader(profile)
	board := r.Board
	var views []*vision.Board
	for range maxTurns {
		views = append(views, board)
		if err := reader.Add(board); err != nil {
			return nil, nil // another pillar: looked at again from the beginning
		}
		puzzle, err := reader.Puzzle()
		if err == nil {
			var sure bool
			if drive.column, drive.way, sure = steady(reader, puzzle, views); !sure {
				err = errors.New("how the views go together step by step is not told: looking further round")
			}
		}
		if err == nil {
			drive.Reading = Reading{Game: r.Game, Board: board, Puzzle: puzzle}
			text, err := puzzle.MarshalText()
			if err != nil {
				return nil, err
			}
			drive.Text = string(text)
			answer, err := Solve(ctx, puzzle)
			if errors.Is(err, solve.ErrUnsolvable) {
				d.Player.logf("the pillar as it was read has no answer")
				return nil, nil
			}
			if err != nil {
				return nil, err
			}
			if err := puzzle.Check(answer.Solution); err != nil {
				return nil, fmt.Errorf("drive: the answer found is wrong: %w", err)
			}
			drive.Answer = answer.Solution
			drive.Millis["read and solve"] = float64(time.Since(began).Microseconds()) / 1000
			return drive, nil
		}
		d.Player.logf("pillar: %v", err)
		if board, err = d.turn(ctx, r); err != nil {
			if errors.As(err, new(*MissError)) {
				return nil, nil
			}
			return nil, err
		}
	}
	return nil, nil
}

// steady tells how a puzzle goes with views that were taken a step of one
// column after another: which column is column 0 of the last view, and whether
// a step goes one up (1) or one down (-1). sure is false when it does not, or
// in more ways than one: a pillar with few marks may be put together in more
// ways than the one in which it was turned.
func steady(reader Reader, puzzle solve.Puzzle, views []*vision.Board) (column, way int, sure bool) {
	turner, ok := reader.(Turner)
	if !ok || len(views) < 2 {
		return 0, 0, false
	}
	cols := views[0].Cols
	may := make([][]int, len(views))
	for i, v := range views {
		var err error
		if may[i], err = turner.Columns(puzzle, v); err != nil {
			return 0, 0, false
		}
	}
	fits := 0
	for first := range cols {
		for _, by := range []int{1, -1} {
			good := true
			for i := range views {
				good = good && slices.Contains(may[i], ((first+by*i)%cols+cols)%cols)
			}
			if good {
				column, way = ((first+by*(len(views)-1))%cols+cols)%cols, by
				fits++
			}
		}
	}
	return column, way, fits == 1
}

// facing turns a pillar that was read just now until a column of half-cells of
// the puzzle faces the viewer, and returns the view and the column that is its
// column 0.
func (d *Driver) facing(ctx context.Context, t *Drive, column int) (*vision.Board, int, error) {
	board, at := t.Reading.Board, t.column
	for range board.Cols + 1 {
		x := nearest(board, float64(column-2*at))
		// 50°: a start is seen well, and clicked well, before its circle narrows.
		if math.Abs(board.Theta(x)) < 50*math.Pi/180 {
			d.Player.logf("pillar: column 0 of the view is %d", at)
			return board, at, nil
		}
		var err error
		if board, err = d.turn(ctx, t.Reading); err != nil {
			return nil, 0, err
		}
		at = ((at+t.way)%board.Cols + board.Cols) % board.Cols
	}
	return nil, 0, &MissError{What: "the pillar's start does not come to face the viewer"}
}

// nearest is the half-cell column of a view, of all that are the same, that
// faces the viewer best.
func nearest(b *vision.Board, x float64) float64 {
	middle := -b.Theta(0) * float64(b.Cols) / math.Pi
	return middle + math.Remainder(x-middle, float64(2*b.Cols))
}

// TracePillar enters a stroke on a pillar: a view of it, and the column of the
// puzzle that is column 0 of the view. The view is taken to turn so that the
// head faces the viewer, as in The Witness: up and down the head is looked for
// as on flat boards; round the pillar the upright lines tell how far it went.
func (p *Player) TracePillar(ctx context.Context, b *vision.Board, column int, stroke solve.Stroke) (t *Tracing, err error) {
	perRadian := float64(b.Cols) / math.Pi
	middle := -b.Theta(0) * perRadian // the view's half-cell column that faces the viewer
	faced := middle + float64(2*column)
	sheet := Sheet{
		Line: b.Line,
		At:   func(x, y float64) vision.Point { return b.ScreenPoint(middle+x-faced, y) },
	}
	first := int(math.Round(faced + math.Remainder(float64(stroke[0].X)-faced, float64(2*b.Cols))))
	s := make(solve.Stroke, len(stroke))
	for i, q := range stroke {
		s[i] = q.Add(image.Pt(first-stroke[0].X, 0))
	}
	begun := false
	defer func() {
		if err != nil && begun {
			err = errors.Join(err, p.drop(ctx))
		}
	}()
	start := sheet.At(float64(s[0].X), float64(s[0].Y))
	// Upright, a line is as wide as the pitch of the rows says.
	below := sheet.At(float64(s[0].X), float64(s[0].Y)+map[bool]float64{true: -1, false: 1}[s[0].Y > b.Rows])
	trail, err := p.begin(ctx, start, 2*sheet.Line*gap(start, below), &begun, func(now *image.RGBA) vision.Point {
		// The pillar turns towards the start at once: the head is in the middle.
		return b.ScreenPoint(middle, float64(s[0].Y))
	})
	if err != nil {
		return nil, err
	}
	faced = float64(s[0].X)
	t = &Tracing{player: p, sheet: sheet, stroke: s, trail: trail, width: 2 * sheet.Line}
	if _, err := p.settle(ctx, b); err != nil {
		return nil, err
	}
	for i := 0; i < len(s)-1; {
		began := time.Now()
		d := unit(s[i+1].Sub(s[i]))
		j := i + 1
		if d.X == 0 {
			for j+1 < len(s) && unit(s[j+1].Sub(s[j])) == d {
				j++
			}
			frame, err := p.still(ctx, time.Second)
			if err != nil {
				return nil, err
			}
			t.trail = trail.Again(frame)
			faced = float64(s[i].X)
			if err := t.leg(ctx, s[i], s[j], i > 0, j == len(s)-1, false); err != nil {
				return nil, err
			}
		} else {
			if err := t.round(ctx, b, trail, s[i], s[j], i > 0 && unit(s[i].Sub(s[i-1])) != d, &faced); err != nil {
				return nil, err
			}
		}
		p.legs++
		p.legTime += time.Since(began)
		i = j
	}
	// Most of the line is out of sight now: its last leg is what is watched.
	last := len(s) - 2
	for last > 0 && s[last].X == s[last-1].X && last > len(s)-3 {
		last--
	}
	t.watched = s[last:]
	return t, nil
}

// settle waits until a pillar has stopped turning and tells how far the
// nearest upright line is off the middle, in half-cells.
func (p *Player) settle(ctx context.Context, b *vision.Board) (float64, error) {
	last, rest := math.NaN(), time.Now()
	for end := time.Now().Add(2 * time.Second); ; {
		frame, err := p.grab(ctx)
		if err != nil {
			return 0, err
		}
		phase := b.Phase(frame)
		if !(math.Abs(phase-last) < 0.015) {
			last, rest = phase, time.Now()
		}
		if time.Since(rest) > 110*time.Millisecond || time.Now().After(end) {
			return phase, nil
		}
		if err := pause(ctx, 15*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

// round carries the head round the pillar by one column.
func (t *Tracing) round(ctx context.Context, b *vision.Board, trail *vision.Trail, from, to image.Point, turn bool, faced *float64) error {
	p := t.player
	*faced = float64(from.X)
	at := float64(from.X) // where the head is
	lost := 0
	for try := 0; try < maxTries; try++ {
		*faced = at
		here, near := t.sheet.At(at, float64(from.Y)), t.sheet.At(at+0.1, float64(from.Y))
		pixels := gap(here, near) * 10 // a half-cell's, where it faces the viewer
		m := p.Motion
		m.Gain = t.gain
		if t.gain == 0 {
			m.Gain = 2.2 * p.cursorGain
		}
		way := float64(to.X) - at
		tolerance := max(p.Motion.MissPixels, 0.55*m.Gain, 0.25*float64(p.Motion.NudgePixels)*m.Gain) / pixels
		if try > 0 && math.Abs(way) <= tolerance {
			*faced = float64(to.X)
			return nil
		}
		events := input.Plan(input.Leg{To: input.Pixel{X: here.X + way*pixels, Y: here.Y}, Turn: turn && math.Abs(at-float64(from.X)) < 0.02}, input.Pixel(here), m)
		if len(events) == 0 {
			*faced = float64(to.X)
			return nil
		}
		if err := p.play(ctx, append(events, wait(60*time.Millisecond))...); err != nil {
			return err
		}
		phase, err := p.settle(ctx, b)
		if err != nil {
			return err
		}
		// The nearest line is phase to the right of the head: the head is that
		// much to its left. Which line it is, the line's own tail tells.
		frame, err := p.grab(ctx)
		if err != nil {
			return err
		}
		sign := float64(unit(to.Sub(from)).X)
		tail := 0.0
		y := float64(from.Y)
		for s := 0.1; s < 2.6; s += 0.05 {
			// Measured from the middle, where the head is, towards where it came from.
			if trail.Lit(frame, t.sheet.At(*faced-sign*s, y), b.Ink) {
				tail = s
			} else if s-tail > 1.2*t.width { // a dot on the line is as wide as the line
				break
			}
		}
		was := at
		left := math.Remainder(-phase, 2) // of the head, from the nearest line
		// Candidates are left, left ± 2 half-cells from the node the leg began at.
		at = float64(from.X) + left
		if tail > 1+0.5*t.width {
			at = float64(to.X) + left
		} else if sign*left < -0.1 {
			at = float64(to.X) + left // more than half way, the tail not seen whole
			if tail < 0.6 {
				at = float64(from.X) + left
			}
		}
		p.logf("  round %v→%v: phase %.3f, tail %.2f, head %.3f→%.3f", from, to, phase, tail, was, at)
		if t.gain == 0 && math.Abs(at-was)*pixels > 8 {
			units := 0.0
			for _, e := range events {
				units += math.Abs(float64(e.At.X))
			}
			t.gain = math.Abs(at-was) * pixels / units
			p.logf("  gain %.3f", t.gain)
		}
		if math.Abs(at-was) < 0.03 {
			if lost++; lost >= 4 {
				break
			}
		}
	}
	return &MissError{What: fmt.Sprintf("the line does not go round the pillar from (%d,%d) to (%d,%d): its head is at %.2f", from.X, from.Y, to.X, to.Y, at)}
}
