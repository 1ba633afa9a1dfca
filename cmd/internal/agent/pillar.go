package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// A Turner is a Reader of pillars that takes views of which it is known how far
// the pillar was turned from one to the next.
type Turner interface {
	Reader
	// AddTurned adds a view, and which column is its column 0, counted from
	// column 0 of the first view.
	AddTurned(view *vision.Board, column int) error
	// Column is the puzzle's column that is column 0 of the first view, once
	// Puzzle has given one.
	Column() int
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
		if err := d.Player.pause(ctx, 60*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// turn steps round a pillar with a key and follows it until it rests; it
// returns the frame that shows it so.
func (d *Driver) turn(ctx context.Context, turned *spin, key input.Key) (*image.RGBA, error) {
	if key == "" || d.DryRun {
		return nil, &MissError{What: "the pillar must be turned: this client offers no key for it"}
	}
	from := turned.faced
	if err := d.Player.play(ctx, input.Event{Op: input.Tap, Key: key}); err != nil {
		return nil, err
	}
	began := d.Player.now
	seen, rest, was := began, began, from
	for {
		frame, err := d.Player.grab(ctx)
		if err != nil {
			return nil, err
		}
		turned.see(frame)
		now := d.Player.now
		if now.Sub(seen) > followGap && turned.faced != was {
			return nil, &MissError{What: "the pillar turned faster than it could be followed"}
		}
		if seen = now; math.Abs(turned.faced-was) > 0.02 {
			was, rest = turned.faced, now
		}
		by := math.Abs(turned.faced - from)
		if by > 1.5 && math.Abs(math.Remainder(by, 2)) < 0.2 && now.Sub(rest) > turnRest {
			return frame, nil
		}
		if now.Sub(began) > 2*time.Second {
			return nil, &MissError{What: fmt.Sprintf("the key %s turned the pillar by %.2f columns", key, by/2)}
		}
		if err := d.Player.pause(ctx, 10*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

const (
	// followGap: in 220 ms the practice page turns a pillar by a column; beyond
	// half a column between two looks nobody can tell which way it went.
	followGap = 90 * time.Millisecond
	turnRest  = 40 * time.Millisecond // two of a screen's refreshes, and some
	// maxTurns is how often a pillar is turned to be read: once round, and once
	// more where a glint hid something.
	maxTurns = 12
	// readTurn: a view shows 132° well enough to be read, so less than this
	// part of a turn leaves something out.
	readTurn = 0.6
)

// A view is one side of a pillar, and which column of the first view is its
// column 0.
type view struct {
	board  *vision.Board
	column int
}

// readPillar turns a pillar until all of it was read, and answers it. nil says
// that it could not be read.
func (d *Driver) readPillar(ctx context.Context, r Reading, drive *Drive) (*Drive, error) {
	began := time.Now()
	turned := newSpin(r.Board)
	views := []view{{r.Board, 0}}
	for range maxTurns {
		frame, err := d.turn(ctx, turned, d.Keys.Turn)
		if err != nil {
			if errors.As(err, new(*MissError)) {
				d.Player.logf("%v", err)
				return nil, nil
			}
			return nil, err
		}
		board := r.Board.Turned(frame, turned.phase)
		views = append(views, view{board, turned.column(board)})
		// While the pillar came on its colours were others.
		for views[0].board != board && !alikeLit(views[0].board, board) {
			views = views[1:]
		}
		if math.Abs(float64(views[len(views)-1].column-views[0].column)) < readTurn*float64(board.Cols) {
			continue
		}
		reader, err := turner(r.Game, d.Eye.Profiles[0], views)
		if err != nil {
			return nil, err
		}
		puzzle, err := reader.Puzzle()
		if err == nil {
			turned.faced += float64(2 * (reader.Column() - views[0].column)) // the puzzle's own columns from here on
			return d.answerPillar(ctx, r, drive, puzzle, turned, began)
		}
		d.Player.logf("pillar: %v", err)
	}
	return nil, nil
}

// turner reads a board from views of which it is known how far they are apart.
func turner(g *Game, profile *calibrations.Profile, views []view) (Turner, error) {
	reader, ok := g.NewReader(profile).(Turner)
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

func (d *Driver) answerPillar(ctx context.Context, r Reading, drive *Drive, puzzle solve.Puzzle, turned *spin, began time.Time) (*Drive, error) {
	text, err := puzzle.MarshalText()
	if err != nil {
		return nil, err
	}
	answer, err := d.solve(ctx, puzzle)
	if errors.Is(err, solve.ErrUnsolvable) {
		d.Player.logf("the pillar as it was read has no answer")
		return nil, nil
	}
	if err != nil {
		d.Player.logf("not answered: %v", err)
		return nil, ctx.Err()
	}
	if err := puzzle.Check(answer.Solution); err != nil {
		return nil, fmt.Errorf("drive: the answer found is wrong: %w", err)
	}
	drive.Reading = Reading{Game: r.Game, Board: r.Board, Puzzle: puzzle}
	drive.Text, drive.Answer = string(text), answer.Solution
	drive.turned = turned
	drive.Millis["read and solve"] = float64(time.Since(began).Microseconds()) / 1000
	return drive, nil
}

// facing turns a pillar that was read just now, the shorter way round where the
// client has a key for it, until a column of half-cells of the puzzle faces the
// viewer.
func (d *Driver) facing(ctx context.Context, t *Drive, x int) error {
	turned := t.turned
	// 48°: a start is seen well, and clicked well, before its circle narrows.
	near := 48.0 / 180 * float64(turned.board.Cols)
	for range turned.board.Cols + 1 {
		off := math.Remainder(float64(x)-turned.faced, float64(2*turned.board.Cols))
		if math.Abs(off) < near {
			return nil
		}
		key := d.Keys.Turn
		if off*turned.way() < 0 && d.Keys.TurnBack != "" {
			key = d.Keys.TurnBack
		}
		if _, err := d.turn(ctx, turned, key); err != nil {
			return err
		}
	}
	return &MissError{What: "the pillar's start does not come to face the viewer"}
}

// A spin follows how a pillar turns, from frame to frame.
type spin struct {
	board  *vision.Board
	middle float64 // the board's column of half-cells that faced the viewer when it was found
	faced  float64 // the column of the stroke that faces the viewer now
	phase  float64 // see vision.Board.Phase
	began  float64 // what faced the viewer at first
	toward float64 // what the pillar is known to turn to; NaN where that is not known
}

// newSpin follows a board from the frame that it was found in. Columns count
// from the board's own.
func newSpin(b *vision.Board) *spin {
	middle := facedBy(b)
	return &spin{board: b, middle: middle, faced: middle, began: middle, toward: math.NaN(), phase: math.Remainder(-middle, 2)}
}

// facedBy is a board's column of half-cells that faces the viewer.
func facedBy(b *vision.Board) float64 { return -b.Theta(0) * float64(b.Cols) / math.Pi }

// column is which column is column 0 of a later view of the board.
func (s *spin) column(view *vision.Board) int { return int(math.Round((s.faced - facedBy(view)) / 2)) }

// way is 1 or -1, as the columns that faced the viewer went up or down since
// the beginning; 0: they stayed.
func (s *spin) way() float64 {
	if by := s.faced - s.began; math.Abs(by) > 1 {
		return math.Copysign(1, by)
	}
	return 0
}

// see takes a later frame. Since the upright lines all look alike, the pillar
// must have turned by less than half a column since the one before, and by less
// than a whole one where it is known what it turns to.
func (s *spin) see(frame *image.RGBA) {
	phase := s.board.Phase(frame)
	by := -math.Remainder(phase-s.phase, 2)
	s.phase = phase
	// 0.3: it may come to rest a little beyond.
	if far := s.toward - s.faced; by < min(far, 0)-0.3 && by+2 < max(far, 0)+0.3 {
		by += 2
	} else if by > max(far, 0)+0.3 && by-2 > min(far, 0)-0.3 {
		by -= 2
	}
	s.faced += by
}

// at is where a place of the stroke is in the frame seen last.
func (s *spin) at(x, y float64) vision.Point { return s.board.ScreenPoint(s.middle+x-s.faced, y) }

// face waits until a column is within a distance of facing the viewer.
func (s *spin) face(ctx context.Context, p *Player, x, within float64) error {
	for end := p.now.Add(2 * time.Second); ; {
		frame, err := p.grab(ctx)
		if err != nil {
			return err
		}
		s.see(frame)
		if math.Abs(x-s.faced) <= within {
			return nil
		}
		if p.now.After(end) {
			return &MissError{What: fmt.Sprintf("the pillar does not turn to the head of the line: it is %.2f half-cells off", x-s.faced)}
		}
		if err := p.pause(ctx, 12*time.Millisecond); err != nil {
			return err
		}
	}
}

// tracePillar enters a stroke on a pillar that is being followed. The view is
// taken to turn so that the head faces the viewer, as in The Witness. The
// upright lines tell how far it has turned, so that the head can be told while
// it turns.
func (p *Player) tracePillar(ctx context.Context, turned *spin, stroke solve.Stroke) (t *Tracing, err error) {
	b := turned.board
	first := int(math.Round(turned.faced + math.Remainder(float64(stroke[0].X)-turned.faced, float64(2*b.Cols))))
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
	x, y := float64(s[0].X), float64(s[0].Y)
	turned.toward = x
	start := turned.at(x, y)
	// Upright, a line is as wide as the pitch of the rows says.
	below := turned.at(x, y+map[bool]float64{true: -1, false: 1}[s[0].Y > b.Rows])
	trail, err := p.begin(ctx, start, 2*b.Line*gap(start, below), &begun, func(now *image.RGBA) (vision.Point, bool) {
		// The pillar turns towards the start at once.
		turned.see(now)
		return turned.at(x, y), math.Abs(x-turned.faced) < 0.1
	})
	if err != nil {
		return nil, err
	}
	t = &Tracing{player: p, sheet: Sheet{Line: b.Line, At: turned.at}, spin: turned, stroke: s, trail: trail, width: 2 * b.Line}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	end := s[len(s)-2]
	if err := turned.face(ctx, p, float64(end.X), 0.05); err != nil {
		return nil, err
	}
	// Most of the line is out of sight now: its end is what is watched.
	t.watched = s[len(s)-3:]
	return t, nil
}
