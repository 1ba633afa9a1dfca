package see

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
)

// A View is a frame as it is given to an Observer.
type View struct {
	Frame *image.RGBA
	At    time.Time       // when it was grabbed
	Name  string          // of its picture, where a folder is replayed
	Place image.Rectangle // on the screen
	// Moving says that the picture was not still: what is read counts when it
	// was read twice.
	Moving bool
	// Alone says that the frame has nothing to do with those before it.
	Alone bool
	// Whole says that every look is tried, also where the first reads all that it finds, and those
	// of which nothing is known where none reads anything.
	Whole bool
}

// An Observer makes Turns of frames: it finds the boards, reads them, joins
// what several frames show of one, tells which belong together, solves each
// once and checks its answer. What prints, shows or enters answers consumes its
// Turns. It belongs to one goroutine.
type Observer struct {
	Eye *Eye
	// Timeout is the most that solving a board may take; 0: 30 s.
	Timeout time.Duration

	// first is the look that is tried before all others; nil: none is.
	first   *calibrations.Profile
	sight   *Sight // of the look before
	turns   int
	seen    answered
	pending []*pending
	unsaid  map[string]int // of texts seen in one moving picture: how often
	round   *round         // nil while no pillar is followed
}

const (
	// maxSeen is how many answered boards are remembered: fifty runs of the
	// Challenge.
	maxSeen = 1000
	// maxViews is how many views of a board that is unsure are kept.
	maxViews = 12
)

// Forget takes what was seen until now as not seen.
func (o *Observer) Forget() {
	o.sight, o.seen, o.pending, o.unsaid, o.round = nil, answered{}, nil, nil, nil
}

// LookAnew has the next frame read anew, also where nothing in it changed.
func (o *Observer) LookAnew() { o.sight = nil }

// TryFirst has a look tried before all others.
func (o *Observer) TryFirst(look *calibrations.Profile) { o.first = look }

// Again looks once more at a board that was seen, in a later frame: with the look that it was
// read in before all others. The Observer's Turns know nothing of it.
func (o *Observer) Again(look *calibrations.Profile, frame *image.RGBA) (*Sight, error) {
	return o.Eye.LookFirst(look, frame, o.sight, Millis{})
}

// Pillar is how the pillar that is followed turns; nil where none is.
func (o *Observer) Pillar() *Spin {
	if o.round == nil {
		return nil
	}
	return o.round.turned
}

// DropPillar follows no pillar any more.
func (o *Observer) DropPillar() { o.round = nil }

// Without looks no more with looks that the client turned out not to have, where there are
// others.
func (o *Observer) Without(foreign func(*calibrations.Profile) bool) {
	left := slices.DeleteFunc(slices.Clone(o.Eye.Profiles), foreign)
	if len(left) == 0 {
		return
	}
	o.Eye.Profiles = left
	if o.first != nil && foreign(o.first) {
		o.first = nil
	}
}

// Observe makes a Turn of a frame.
func (o *Observer) Observe(ctx context.Context, v View) *Turn {
	t := o.turn(v)
	sight, err := o.look(ctx, v, t.Millis)
	if err != nil {
		t.Failed = err
		return t
	}
	t.Profile, t.Brief = sight.Profile, sight.Brief
	for _, r := range sight.Readings {
		t.Boards = append(t.Boards, Sighting{Reading: r, Millis: Millis{}})
	}
	slices.SortStableFunc(t.Boards, func(a, b Sighting) int {
		return int(math.Round(a.Board.Centre().X - b.Board.Centre().X))
	})
	if v.Alone && len(t.Boards) == 0 {
		t.Failed = errors.New("no board found")
	}
	if !v.Alone && !v.Moving {
		o.follow(t)
	}
	o.complete(t)
	o.conclude(ctx, t, v.Moving)
	return t
}

// look looks at a frame; what did not change since the look before is not looked
// at again.
func (o *Observer) look(ctx context.Context, v View, millis Millis) (*Sight, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, 30*time.Second))
	defer cancel()
	before := o.sight
	if v.Alone {
		before = nil
	}
	first, eye := o.first, *o.Eye
	whole := v.Whole || v.Alone || len(eye.Structures) == 0
	if v.Whole {
		first = nil
	} else if before != nil && Unchanged(before.Frame, v.Frame, v.Frame.Rect) {
		return before, nil
	}
	if !whole {
		eye.Structures = nil
	}
	sight, err := eye.Within(ctx).LookFirst(first, v.Frame, before, millis)
	if err != nil {
		return nil, err
	}
	sight.Brief = sight.Brief || !whole && sight.Read() == 0
	if ctx.Err() == nil { // else there is more to see
		o.sight = sight
	}
	return sight, nil
}

func (o *Observer) turn(v View) *Turn {
	o.turns++
	return &Turn{Number: o.turns, At: v.At, Frame: v.Frame, Name: v.Name, Bounds: v.Place, Millis: Millis{}}
}

// Round adds a still frame to the views of the pillar that is followed, without
// a look at anything else. Its Turn has the pillar alone, and no board while not
// all of it was seen.
func (o *Observer) Round(ctx context.Context, v View, g *Game, profile *calibrations.Profile) *Turn {
	t := o.turn(v)
	t.Profile = profile
	start := time.Now()
	puzzle, err := o.round.add(v.Frame, g, profile)
	t.Millis.Add("read", start)
	if err != nil {
		return t
	}
	r := Reading{Game: g, Board: o.round.views[0].board, Puzzle: puzzle, Profile: profile}
	o.Eye.state(&r)
	t.Boards = []Sighting{{Reading: r, Millis: Millis{}, Turned: o.round.own()}}
	o.conclude(ctx, t, false)
	return t
}

// conclude tells what is known of a Turn's boards, solves what is new and
// remembers it.
func (o *Observer) conclude(ctx context.Context, t *Turn, moving bool) {
	o.recognise(t, moving)
	t.Group()
	o.answer(ctx, t)
	for i := range t.Boards {
		if b := &t.Boards[i]; b.New && b.Text != "" && ctx.Err() == nil {
			k := known{status: answer.Status(b.Failed), answer: b.Answer, bare: b.Bare}
			if b.read != "" {
				k.other = b.Puzzle
			}
			o.seen.add(b.identity(), k)
		}
	}
}

// recognise tells of each board whether it is new.
func (o *Observer) recognise(t *Turn, moving bool) {
	unsaid := map[string]int{}
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Err != nil {
			b.Failed = b.Err
			// Said once for a place and a reason; a moving picture's doubts
			// pass.
			b.New = !moving && !t.Brief && o.seen.at[b.Complaint()].status == ""
			if b.New {
				o.seen.add(b.Complaint(), known{status: answer.Status(b.Err)})
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
			if unsaid[b.Text] = o.unsaid[b.Text] + 1; unsaid[b.Text] < 2 {
				continue
			}
		}
		before := o.seen.at[b.identity()]
		b.Before, b.Answer = before.status, before.answer
		b.New = !b.Board.Solved && b.Before == ""
		if before.other != nil {
			b.otherwise(before.other, before.bare)
		}
	}
	o.unsaid = unsaid
}

// Complaint is what an unsure board is remembered by.
func (s *Sighting) Complaint() string {
	c := s.Board.Centre()
	// To 32 pixels: a board that is still moves by a few with noise.
	return fmt.Sprintf("%dx%d at (%d,%d): %v", s.Board.Cols, s.Board.Rows, int(c.X)/32, int(c.Y)/32, s.Err)
}

// A pending is a board that was unsure, with the views of it so far and the
// reader that has them.
type pending struct {
	views  []*vision.Board
	reader Reader
	within vision.Point // centre of the last view
	whole  bool         // the first was read alone
	puzzle solve.Puzzle // that it showed with the last view; nil: none
}

// follow reads a pillar from the views of it since it is followed. Without
// that, how far it turned from one view to the next shows only in what they have
// in common.
func (o *Observer) follow(t *Turn) {
	k := slices.IndexFunc(t.Boards, func(b Sighting) bool { return b.Err != nil && b.Board.Pillar })
	if k < 0 {
		o.round = nil
		return
	}
	b := &t.Boards[k]
	if o.round == nil || !o.round.shows(b.Board) {
		o.round = newRound(b.Board, t.Frame, t.At)
	}
	puzzle, err := o.round.add(t.Frame, b.Game, b.Profile)
	switch {
	case err == nil:
		b.Puzzle, b.Err, b.Turned = puzzle, nil, o.round.own()
		o.Eye.state(&b.Reading)
	case errors.As(err, new(*PartError)):
		b.Err = err
	}
}

// Follow takes a frame between two Turns, so that a pillar that turns is
// followed.
func (o *Observer) Follow(frame *image.RGBA, at time.Time) {
	if o.round != nil && !o.round.follow(frame, at) {
		o.round = nil // begun anew with the next view
	}
}

// Following tells whether a pillar is followed, and whether it is turning now.
func (o *Observer) Following() (there, turning bool) {
	return o.round != nil, o.round != nil && o.round.turning()
}

// complete reads boards that are unsure together with their earlier views, and those of which
// something is hidden with one that was read before.
func (o *Observer) complete(t *Turn) {
	var keep []*pending
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Game.NewReader == nil || b.Board.Pillar && (b.Err == nil || o.round != nil && len(o.round.views) > 1) {
			continue
		}
		if b.Err == nil {
			keep = append(keep, &pending{views: []*vision.Board{b.Board}, within: b.Board.Centre(), whole: true})
			continue
		}
		p := o.before(b.Board)
		if u := (*vision.UnsureError)(nil); p.whole && !(errors.As(b.Err, &u) && u.Hidden) {
			p = &pending{}
		}
		if n := len(p.views); n > 0 && p.views[n-1] == b.Board {
			if keep = append(keep, p); p.puzzle != nil {
				b.Puzzle, b.Err = p.puzzle, nil
				o.Eye.state(&b.Reading)
			}
			continue // nothing changed: it tells nothing more
		}
		p.within = b.Board.Centre()
		p.views = append(p.views, b.Board)
		if len(p.views) > maxViews {
			// The first shows most often what later ones hide.
			p.views, p.reader = append(p.views[:1], p.views[2:]...), nil
		}
		if len(p.views) > 1 {
			puzzle, err := p.read(b.Game, b.Profile)
			if err == nil {
				b.Puzzle, b.Err = puzzle, nil
				o.Eye.state(&b.Reading)
				if p.whole { // what hides it may stay
					p.puzzle, keep = puzzle, append(keep, p)
				}
				continue
			}
			if !errors.As(err, new(*vision.UnsureError)) {
				p.views, p.reader = p.views[len(p.views)-1:], nil // another board in the same place
			}
		}
		keep = append(keep, p)
	}
	o.pending = keep
}

// before is what is pending of a board that is seen again.
func (o *Observer) before(b *vision.Board) *pending {
	c := b.Centre()
	// Half the board's size: it may have moved since, not beyond itself.
	reach := math.Abs(b.Quad[1].X-b.Quad[0].X)/2 + 1
	for _, q := range o.pending {
		first := q.views[0]
		if first.Cols == b.Cols && first.Rows == b.Rows && first.Pillar == b.Pillar && c.Dist(q.within) < reach {
			return q
		}
	}
	return &pending{}
}

// read reads a pending board from its views, of which the last is new.
func (p *pending) read(g *Game, profile *calibrations.Profile) (solve.Puzzle, error) {
	return vision.Guarded(func() (solve.Puzzle, error) {
		fresh := p.views[len(p.views)-1:]
		if p.reader == nil {
			p.reader, fresh = g.NewReader(profile), p.views
		}
		if err := p.reader.Add(fresh...); err != nil {
			return nil, err
		}
		return p.reader.Puzzle()
	})
}

// answer solves the new boards side by side and checks their answers.
func (o *Observer) answer(ctx context.Context, t *Turn) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(o.Timeout, 30*time.Second))
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

// answer answers one board.
func (s *Sighting) answer(ctx context.Context) {
	r := (&answer.Service{}).Answer(ctx, answer.Question{Family: s.Game.Name, Puzzle: s.Puzzle, Otherwise: s.Game.Otherwise})
	s.Millis.Took("solve", r.Took)
	if r.Checked > 0 {
		s.Millis.Took("check", r.Checked)
	}
	if r.Other != nil {
		s.otherwise(r.Other, r.Bare)
	}
	switch {
	case r.Err == nil:
		s.Answer = r.Answer
	case errors.As(r.Err, new(*vision.Fault)), errors.As(r.Err, new(*answer.WrongError)):
		s.Failed = r.Err
	default:
		s.Failed = fmt.Errorf("solve: %w", r.Err)
	}
}

// A known is how a board ended.
type known struct {
	status string
	answer answer.Answer
	other  solve.Puzzle // that is answered, where it is not the one that was read
	bare   []image.Point
}

// answered remembers how the last maxSeen boards ended, by identity.
type answered struct {
	at    map[string]known
	order []string
}

func (a *answered) add(text string, k known) {
	if a.at == nil {
		a.at = map[string]known{}
	}
	if _, there := a.at[text]; !there {
		if len(a.order) == maxSeen {
			delete(a.at, a.order[0])
			a.order = append(a.order[:0], a.order[1:]...)
		}
		a.order = append(a.order, text)
	}
	a.at[text] = k
}
