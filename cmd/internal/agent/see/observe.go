package see

import (
	"bytes"
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
	} else if before != nil && v.Frame.Rect == before.frame.Rect && bytes.Equal(v.Frame.Pix, before.frame.Pix) {
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

// Group asks each family which of its boards, from left to right, belong together.
func (t *Turn) Group() {
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
