package agent

import (
	"cmp"
	"context"
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

// step steps round a pillar with a key and follows it until it rests; c.frame
// shows it so then.
func (c *course) step(ctx context.Context, turned *spin, key input.Key) error {
	if key == "" {
		return &MissError{What: "the pillar must be turned: this client offers no key for it"}
	}
	from := turned.faced
	// Once it is known which way the key turns it, nothing else can have happened
	// between two looks, however far they are apart.
	turned.toward = math.NaN()
	if way := cmp.Or(c.ways[key], c.lookWay(key)); way != 0 {
		turned.toward = from + 2*way
	}
	if err := c.Player.play(ctx, input.Event{Op: input.Tap, Key: key}); err != nil {
		return err
	}
	began := c.Player.now
	seen, rest, was := began, began, from
	for {
		frame, err := c.Player.grab(ctx)
		if err != nil {
			return err
		}
		turned.see(frame)
		now := c.Player.now
		if math.IsNaN(turned.toward) && now.Sub(seen) > followGap && turned.faced != was {
			return &MissError{What: "the pillar turned faster than it could be followed"}
		}
		if seen = now; math.Abs(turned.faced-was) > 0.02 {
			was, rest = turned.faced, now
		}
		by := math.Abs(turned.faced - from)
		if by > 1.5 && math.Abs(math.Remainder(by, 2)) < 0.2 && now.Sub(rest) > turnRest {
			c.frame = frame
			c.ways[key] = math.Copysign(1, turned.faced-from)
			return nil
		}
		if now.Sub(began) > turnMost {
			return &MissError{What: fmt.Sprintf("the key %s turned the pillar by %.2f columns", key, by/2)}
		}
		if err := c.Player.pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// lookWay is which way a key turns a pillar, as the look says; 0: it does not.
func (c *course) lookWay(key input.Key) float64 {
	look := c.Player.look.Keys
	switch string(key) {
	case look.Turn:
		return float64(look.TurnWay)
	case look.TurnBack:
		return -float64(look.TurnWay)
	}
	return 0
}

const (
	// followGap: in 220 ms the practice page turns a pillar by a column; beyond
	// half a column between two looks nobody can tell which way it went.
	followGap = 90 * time.Millisecond
	turnRest  = 40 * time.Millisecond // two of a screen's refreshes, and some
	// turnMost is how long a step may take: as a line may to begin, and the time to
	// follow it on a machine on which a frame takes half a second.
	turnMost = 5 * time.Second
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

// faces tells whether a column of half-cells of the stroke faces the viewer.
func (s *spin) faces(x int) bool {
	// 48°: a start is seen well, and clicked well, before its circle narrows.
	near := 48.0 / 180 * float64(s.board.Cols)
	return math.Abs(s.off(x)) < near
}

// off is how far a column is from facing the viewer, the shorter way round.
func (s *spin) off(x int) float64 {
	return math.Remainder(float64(x)-s.faced, float64(2*s.board.Cols))
}

// shorter is the key that turns a column to the viewer the shorter way round,
// where the client has one.
func (s *spin) shorter(x int, keys Keys) input.Key {
	if s.off(x)*s.way() < 0 && keys.TurnBack != "" {
		return keys.TurnBack
	}
	return keys.Turn
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
func (t *Tracing) tracePillar(ctx context.Context, begun *bool) error {
	p, turned, b := t.player, t.spin, t.spin.board
	first := int(math.Round(turned.faced + turned.off(t.stroke[0].X)))
	s := make(solve.Stroke, len(t.stroke))
	for i, q := range t.stroke {
		s[i] = q.Add(image.Pt(first-t.stroke[0].X, 0))
	}
	t.stroke = s
	x, y := float64(s[0].X), float64(s[0].Y)
	turned.toward = x
	at := turned.at(x, y)
	// Upright, a line is as wide as the pitch of the rows says.
	below := turned.at(x, y+map[bool]float64{true: -1, false: 1}[s[0].Y > b.Rows])
	var err error
	t.trail, err = p.begin(ctx, start{at: at, line: 2 * b.Line * gap(at, below), where: func(now *image.RGBA) (vision.Point, bool) {
		// The pillar turns towards the start at once.
		turned.see(now)
		return turned.at(x, y), math.Abs(x-turned.faced) < 0.1
	}}, begun)
	if err == nil {
		err = t.run(ctx)
	}
	if err != nil {
		return err
	}
	end := s[len(s)-2]
	// Most of the line is out of sight then: its end is what is watched.
	t.watched = s[len(s)-3:]
	return turned.face(ctx, p, float64(end.X), 0.05)
}
