package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"sync"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/solve"
	"onlooker/vision"
)

// A Loop looks at a source again and again, and answers each board once.
type Loop struct {
	Source capture.Source
	Eye    *Eye
	// Timeout is the most that solving a board may take; 0: 30 s.
	Timeout time.Duration
	// Replay says that frames are still pictures already: each is looked at,
	// without a pause.
	Replay bool
	// Pause waits between frames; nil: by the clock. Tests do without.
	Pause func(context.Context, time.Duration) error
	// Beat is called after each frame that was grabbed, looked at or not; it
	// may be nil.
	Beat func(Beat)
	// Looked is called with every Turn, with news or without; it may be nil.
	Looked func(*Turn)

	turns   int
	seen    answered
	pending []*pending
	unsaid  map[string]int // of texts seen in one moving picture: how often
	round   *round         // nil while no pillar is followed
}

// A Beat is one frame's grab.
type Beat struct {
	Frame  *image.RGBA
	Took   time.Duration
	Moving bool
}

const (
	idlePause   = 100 * time.Millisecond // between frames that do not change
	movingPause = 25 * time.Millisecond  // between frames of a moving picture
	// A picture that moves all the time, as with clouds behind the panel, is
	// looked at this often, and what is read counts when it was read twice.
	movingLook = 700 * time.Millisecond
	failPause  = time.Second
	// maxFails is how many frames in a row may fail before a display that was
	// there counts as gone.
	maxFails = 15
	// maxSeen is how many answered boards are remembered: fifty runs of the
	// Challenge.
	maxSeen = 1000
	// maxViews is how many views of a board that is unsure are kept.
	maxViews = 12
)

// Run looks until the context ends or the source does, both of which are no
// error, and calls show for every Turn with news. An error of show ends it.
func (l *Loop) Run(ctx context.Context, show func(*Turn) error) error {
	if l.Pause == nil {
		l.Pause = pause
	}
	var before, looked thumb
	var lastLook time.Time
	fails, wasMoving := 0, false
	for {
		start := time.Now()
		frame, err := l.Source.Grab(ctx)
		took := time.Since(start)
		switch {
		case ctx.Err() != nil || errors.Is(err, io.EOF):
			return nil
		case err != nil:
			fails++
			if fails == 1 || l.Replay {
				l.turns++
				if err := show(&Turn{Number: l.turns, At: start, Name: l.name(), Failed: fmt.Errorf("grab: %w", err)}); err != nil {
					return err
				}
			}
			if l.Replay {
				continue
			}
			if fails >= maxFails {
				return fmt.Errorf("grab: %d times in a row: %w", fails, err)
			}
			if l.Pause(ctx, failPause) != nil {
				return nil
			}
			continue
		}
		fails = 0
		now := shrink(frame)
		moving := before.sums == nil || now.differs(before)
		before = now
		if l.Beat != nil {
			l.Beat(Beat{Frame: frame, Took: took, Moving: moving})
		}
		if l.round != nil && !l.round.follow(frame, start.Add(took)) {
			l.round = nil // begun anew with the next view
		}
		due := false
		switch {
		case l.Replay:
			due, moving = true, false
		case moving:
			due = wasMoving && time.Since(lastLook) > movingLook && !lastLook.IsZero() && (l.round == nil || !l.round.turning())
		default:
			due = looked.sums == nil || now.differs(looked)
		}
		wasMoving = moving
		if lastLook.IsZero() {
			lastLook = start
		}
		if due {
			lastLook, looked = time.Now(), now
			turn := l.look(ctx, frame, start.Add(took), moving)
			turn.At = start
			turn.Millis.Took("grab", took)
			if ctx.Err() != nil {
				return nil
			}
			if l.Looked != nil {
				l.Looked(turn)
			}
			if turn.News() {
				if err := show(turn); err != nil {
					return err
				}
			}
		}
		wait := idlePause
		if moving || l.round != nil {
			wait = movingPause
		}
		if !l.Replay && l.Pause(ctx, wait) != nil {
			return nil
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// name is the replayed picture's name.
func (l *Loop) name() string {
	if named, ok := l.Source.(interface{ Name() string }); ok {
		return named.Name()
	}
	return ""
}

// look reads a frame and answers what is new in it.
func (l *Loop) look(ctx context.Context, frame *image.RGBA, at time.Time, moving bool) *Turn {
	l.turns++
	t := &Turn{Number: l.turns, Frame: frame, Name: l.name(), Bounds: l.Source.Bounds(), Millis: Millis{}}
	sight, err := l.Eye.Look(frame, t.Millis)
	if err != nil {
		t.Failed = err
		return t
	}
	for _, r := range sight.Readings {
		t.Boards = append(t.Boards, Sighting{Reading: r, Millis: Millis{}})
	}
	slices.SortStableFunc(t.Boards, func(a, b Sighting) int {
		return int(math.Round(centre(a.Board).X - centre(b.Board).X))
	})
	if l.Replay && len(t.Boards) == 0 {
		t.Failed = errors.New("no board found")
	}
	if !l.Replay && !moving {
		l.follow(t, sight, at)
	}
	l.complete(t, sight)
	unsaid := map[string]int{}
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Err != nil {
			b.Failed = b.Err
			// Said once for a place and a reason; a moving picture's doubts
			// pass.
			b.New = !moving && l.seen.at[complaint(b)] == ""
			if b.New {
				l.seen.add(complaint(b), Status(b.Err))
			}
			continue
		}
		text, err := b.Puzzle.MarshalText()
		if err != nil {
			b.Failed, b.New = err, true
			continue
		}
		b.Text = string(text)
		if moving {
			if unsaid[b.Text] = l.unsaid[b.Text] + 1; unsaid[b.Text] < 2 {
				continue
			}
		}
		b.Before = l.seen.at[b.identity()]
		b.New = !b.Board.Solved && b.Before == ""
	}
	l.unsaid = unsaid
	group(t)
	l.answer(ctx, t)
	for i := range t.Boards {
		if b := &t.Boards[i]; b.New && b.Text != "" && ctx.Err() == nil {
			l.seen.add(b.identity(), Status(b.Failed))
		}
	}
	return t
}

// complaint is what an unsure board is remembered by.
func complaint(b *Sighting) string {
	c := centre(b.Board)
	// To 32 pixels: a board that is still moves by a few with noise.
	return fmt.Sprintf("%dx%d at (%d,%d): %v", b.Board.Cols, b.Board.Rows, int(c.X)/32, int(c.Y)/32, b.Err)
}

func centre(b *vision.Board) vision.Point {
	var c vision.Point
	for _, p := range b.Quad {
		c.X += p.X / 4
		c.Y += p.Y / 4
	}
	return c
}

// A pending is a board that was unsure, with the views of it so far and the
// reader that has them.
type pending struct {
	views  []*vision.Board
	reader Reader
	within vision.Point // centre of the last view
}

// follow reads a pillar from the views of it since it is followed. Without
// that, how far it turned from one view to the next shows only in what they have
// in common.
func (l *Loop) follow(t *Turn, sight *Sight, at time.Time) {
	k := slices.IndexFunc(t.Boards, func(b Sighting) bool { return b.Err != nil && b.Board.Pillar })
	if k < 0 {
		l.round = nil
		return
	}
	b := &t.Boards[k]
	if l.round == nil || !l.round.shows(b.Board) {
		l.round = newRound(b.Board, t.Frame, at)
	}
	if puzzle, err := l.round.add(t.Frame, b.Game, sight.Profile); err == nil {
		b.Puzzle, b.Err = puzzle, nil
	}
}

// complete reads boards that are unsure together with their earlier views.
func (l *Loop) complete(t *Turn, sight *Sight) {
	var keep []*pending
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Err == nil || b.Board.Pillar && l.round != nil && len(l.round.views) > 1 {
			continue
		}
		p := &pending{}
		c := centre(b.Board)
		// Half the board's size: it may have moved since, not beyond itself.
		reach := math.Abs(b.Board.Quad[1].X-b.Board.Quad[0].X)/2 + 1
		for _, q := range l.pending {
			first := q.views[0]
			if first.Cols == b.Board.Cols && first.Rows == b.Board.Rows && first.Pillar == b.Board.Pillar &&
				math.Hypot(c.X-q.within.X, c.Y-q.within.Y) < reach {
				p = q
				break
			}
		}
		p.within = c
		p.views = append(p.views, b.Board)
		if len(p.views) > maxViews {
			// The first shows most often what later ones hide.
			p.views, p.reader = append(p.views[:1], p.views[2:]...), nil
		}
		if len(p.views) > 1 {
			puzzle, err := p.read(b.Game, sight.Profile)
			if err == nil {
				b.Puzzle, b.Err = puzzle, nil
				continue
			}
			if !errors.As(err, new(*vision.UnsureError)) {
				p.views, p.reader = p.views[len(p.views)-1:], nil // another board in the same place
			}
		}
		keep = append(keep, p)
	}
	l.pending = keep
}

// read reads a pending board from its views, of which the last is new.
func (p *pending) read(g *Game, profile *calibrations.Profile) (solve.Puzzle, error) {
	fresh := p.views[len(p.views)-1:]
	if p.reader == nil {
		p.reader, fresh = g.NewReader(profile), p.views
	}
	if err := p.reader.Add(fresh...); err != nil {
		return nil, err
	}
	return p.reader.Puzzle()
}

// group asks each family which of its boards belong together.
func group(t *Turn) {
	byGame := map[*Game][]int{}
	for i := range t.Boards {
		if b := &t.Boards[i]; b.Puzzle != nil && b.Game.Group != nil {
			byGame[b.Game] = append(byGame[b.Game], i)
		}
	}
	for game, at := range byGame {
		puzzles := make([]solve.Puzzle, len(at))
		for i, k := range at {
			puzzles[i] = t.Boards[k].Puzzle
		}
		for i, v := range game.Group(puzzles) {
			t.Boards[at[i]].Verdict = v
		}
	}
}

// answer solves the new boards side by side and checks their answers.
func (l *Loop) answer(ctx context.Context, t *Turn) {
	limit := l.Timeout
	if limit <= 0 {
		limit = 30 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	start := time.Now()
	var all sync.WaitGroup
	any := false
	for i := range t.Boards {
		b := &t.Boards[i]
		if !b.New || b.Puzzle == nil || b.Failed != nil {
			continue
		}
		any = true
		all.Go(func() { b.answer(ctx) })
	}
	all.Wait()
	if any {
		t.Millis.Add("solve", start)
	}
}

// answer solves and checks one board.
func (s *Sighting) answer(ctx context.Context) {
	defer func() {
		if r := recover(); r != nil {
			s.Answer, s.Failed = Answer{}, fmt.Errorf("solve: internal error: %v", r)
		}
	}()
	start := time.Now()
	answer, err := Solve(ctx, s.Puzzle)
	s.Millis.Add("solve", start)
	if err != nil {
		s.Failed = fmt.Errorf("solve: %w", err)
		return
	}
	start = time.Now()
	err = s.Puzzle.Check(answer.Solution)
	s.Millis.Add("check", start)
	if err != nil {
		s.Failed = fmt.Errorf("check: the answer found is wrong: %w", err)
		return
	}
	s.Answer = answer
}

// answered remembers how the last maxSeen boards ended, by identity.
type answered struct {
	at    map[string]string
	order []string
}

func (a *answered) add(text, status string) {
	if a.at == nil {
		a.at = map[string]string{}
	}
	if a.at[text] == "" {
		if len(a.order) == maxSeen {
			delete(a.at, a.order[0])
			a.order = append(a.order[:0], a.order[1:]...)
		}
		a.order = append(a.order, text)
	}
	a.at[text] = status
}
