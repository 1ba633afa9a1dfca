package drive

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/vision"
)

// find waits for a still picture and looks for a board to answer in it.
func (c *course) find(ctx context.Context) (State, error) {
	if err := c.Player.CloseMenu(); err != nil {
		return "", err
	}
	frame, err := c.Player.Still(ctx, time.Second)
	if err != nil {
		return "", err
	}
	if c.again.Swap(false) {
		c.Observer.Forget()
		clear(c.done)
		clear(c.refused)
		c.won, c.failed, c.missed, c.last = nil, nil, nil, c.Player.Now()
	}
	began := time.Now()
	turn := c.Observer.Observe(ctx, c.view(frame))
	if turn.Failed != nil {
		return "", turn.Failed
	}
	c.looked(turn)
	pillar := slices.IndexFunc(turn.Boards, func(b see.Sighting) bool { return b.Board.Pillar && !b.Board.Solved && b.Puzzle == nil })
	read := func(b see.Sighting) bool { return b.Puzzle != nil }
	if pillar >= 0 && !slices.ContainsFunc(turn.Boards, read) && c.keys(turn.Boards[pillar].Profile).Turn != "" {
		c.Player.Adopt(turn.Boards[pillar].Profile)
		c.circled, c.target = 0, nil
		return Circle, nil
	}
	return c.pick(ctx, began)
}

func (c *course) view(frame *image.RGBA) see.View {
	v := see.View{Frame: frame, At: c.Player.Now(), Place: c.Player.Source.Bounds()}
	if c.turn != nil && c.turn.Brief && c.unread >= leastSought {
		v.Whole = c.Player.Since(c.last) > unreadAfter
	}
	return v
}

func (c *course) looked(t *see.Turn) {
	c.turn = t
	if c.unread++; slices.ContainsFunc(t.Boards, func(b see.Sighting) bool { return b.Puzzle != nil }) {
		c.unread = 0
	}
	c.Player.Logf("%s", t)
	for i := range t.Boards {
		if b := &t.Boards[i]; b.Text != "" && b.New && b.Failed != nil {
			c.Player.Logf("not answered: %v", b.Failed)
		}
	}
}

// pick takes the board to enter from the last Turn.
func (c *course) pick(ctx context.Context, began time.Time) (State, error) {
	boards, doubt := c.turn.ToEnter()
	if doubt {
		c.Player.Logf("boards of which one should have an answer have several: looking again")
	}
	if c.missed != nil {
		if next, ok, err := c.rejoin(ctx); ok || err != nil {
			return next, err
		}
	}
	// A board that was tried in vain comes after the others.
	slices.SortStableFunc(boards, func(a, b *see.Sighting) int { return c.misses(a) - c.misses(b) })
	for _, b := range boards {
		if c.done[b.Text] && c.goneBack == 0 || c.refused[b.Text] > 0 && (c.keys(c.Player.Look()).Back == "" || c.refused[b.Text] > 1) {
			continue
		}
		if !b.Touchable() && !c.DryRun {
			continue
		}
		c.target = &Drive{
			Task: enter.Task{Reading: b.Reading, Answer: b.Strokes(), Frame: c.turn.Frame, Turned: b.Turned, Unlit: b.Bare},
			At:   c.turn.At, Text: b.Text, Millis: c.turn.Millis,
		}
		if c.Goal != nil {
			again, err := c.Goal(ctx, c.target)
			if err != nil {
				return "", err
			}
			if again {
				c.Observer.LookAnew()
				c.Player.Start()
				c.last = c.Player.Now()
				return Find, nil
			}
		}
		c.Player.Adopt(b.Profile)
		// Before the second look: what that shows is of the same window.
		switch err := c.Player.KeepTo(b.Board.Centre()); {
		case errors.Is(err, input.ErrCovered):
			c.failed = &Drive{Task: enter.Task{Reading: b.Reading}, Text: b.Text, Failed: err}
			continue
		case err != nil:
			return "", err
		}
		if b.Turned == nil { // what was read from several views that agree needs no second look
			var err error
			if c.target.again, err = c.Player.Grab(ctx); err != nil {
				return "", err
			}
		}
		c.target.Millis["read and solve"] = float64(time.Since(began).Microseconds()) / 1000
		c.circled = 0
		if c.Seen != nil {
			c.Seen(c.target)
		}
		if c.DryRun {
			return Judge, nil
		}
		return Enter, nil
	}
	return c.idle(ctx)
}

func (c *course) misses(b *see.Sighting) int {
	if c.failed != nil && c.failed.Text == b.Text {
		return 1
	}
	return 0
}

// rejoin looks for the board of an answer that did not come through, where it is
// now: its window may have been moved or covered. ok is false when there is
// nothing more to wait for.
func (c *course) rejoin(ctx context.Context) (next State, ok bool, err error) {
	m := c.missed
	if c.unanswered != nil && !see.Shrink(c.turn.Frame).Differs(*c.unanswered) && c.Player.Since(c.missedAt) < missedTime {
		return Find, true, c.Player.Pause(ctx, 60*time.Millisecond)
	}
	there := false
	for i := range c.turn.Boards {
		b := &c.turn.Boards[i]
		if m.fits(ctx, b.Reading) && (!b.Board.Pillar || b.Turned != nil) {
			m.Reading, m.Frame, m.Turned = b.Reading, c.turn.Frame, b.Turned
			c.target, c.missed = m, nil
			return Enter, true, nil
		}
		there = there || b.Puzzle != nil
	}
	if there {
		c.others++
	}
	if c.sought++; c.others <= 3 && (c.sought < leastSought || c.Player.Since(c.missedAt) < missedTime) {
		return Find, true, c.Player.Pause(ctx, 60*time.Millisecond)
	}
	c.target, c.missed = m, nil
	if there {
		c.Player.Logf("another board is there")
	} else {
		c.Player.Logf("the board is not seen again")
		if enter.WentOff(m.Reading.Board, m.Frame, c.turn.Frame) {
			m.Outcome = enter.Off
		}
	}
	return Judge, true, nil
}

func (c *course) patience() time.Duration {
	switch {
	case c.waits():
		return missedTime
	case c.Patience <= 0:
		return 20 * time.Second
	}
	return c.Patience
}

// waits tells whether the driver waits on for a board: nothing was begun.
func (c *course) waits() bool {
	return c.Waits != nil && c.accepted == 0 && c.failed == nil && len(c.refused) == 0
}

// idle waits for something to answer: for as long as there is patience, and
// elsewhere where this panel is dark.
func (c *course) idle(ctx context.Context) (State, error) {
	if c.Player.Since(c.last) > c.patience() {
		return GiveUp, nil
	}
	// Nothing for a while after walking: this panel is dark, it was no use to go
	// back to it, or the client did not hear the key, being busy with the answer.
	dark, needless, deaf := c.accepted > 0 && len(c.turn.Boards) == 0, false, false
	for i := range c.turn.Boards {
		if b := c.turn.Boards[i].Board; b.Solved {
			needless = c.goneBack > 0
			deaf = deaf || len(c.won) > 0 && c.won[len(c.won)-1].shows(b)
		}
	}
	if next := c.keys(c.Player.Look()).Next; next != "" && (dark || needless || deaf) && !c.walked.IsZero() && c.Player.Since(c.walked) > 5*time.Second {
		if needless {
			c.goneBack--
		}
		c.key = next
		return Walk, nil
	}
	if c.mayScroll() {
		return Scroll, nil
	}
	return Find, c.Player.Pause(ctx, 40*time.Millisecond)
}

// circle steps round a pillar: to see more of it while it is being read, then
// until the start of its answer faces the viewer.
func (c *course) circle(ctx context.Context) (State, error) {
	keys := c.keys(c.Player.Look())
	began := time.Now()
	if c.target != nil {
		if c.circled++; c.circled > c.target.Reading.Board.Cols+1 {
			return c.miss(ctx, &enter.MissError{What: "the pillar's start does not come to face the viewer"})
		}
		turned := c.target.Turned
		if err := c.step(ctx, turned, shorter(turned, c.target.Answer[0][0].X, keys)); err != nil {
			return c.miss(ctx, err)
		}
		return Enter, nil
	}
	k := slices.IndexFunc(c.turn.Boards, func(b see.Sighting) bool { return b.Board.Pillar })
	if k < 0 || c.Observer.Pillar() == nil || c.circled == maxTurns {
		return c.idle(ctx)
	}
	c.circled++
	if err := c.step(ctx, c.Observer.Pillar(), keys.Turn); err != nil {
		if errors.As(err, new(*enter.MissError)) {
			c.Player.Logf("%v", err)
			c.Observer.DropPillar()
			return c.idle(ctx)
		}
		return "", err
	}
	if c.stepped++; c.stepped <= 2*maxTurns {
		// As long as it comes to see more, something is there to be answered: on a busy
		// machine once round takes longer than a board is waited for.
		c.last = c.Player.Now()
	}
	turn := c.Observer.Round(ctx, c.view(c.frame), c.turn.Boards[k].Game, c.turn.Boards[k].Profile)
	if len(turn.Boards) == 0 {
		return Circle, nil
	}
	c.looked(turn)
	return c.pick(ctx, began)
}

// enter goes into the client's solve mode, and confirms what was read meanwhile.
func (c *course) enter(ctx context.Context) (State, error) {
	t := c.target
	start := time.Now()
	if t.Turned != nil {
		c.Observer.DropPillar() // where the pillar is when this was entered is another matter
		if err := c.Player.Leave(ctx); err != nil {
			return "", err
		}
		if !t.Turned.Faces(t.Answer[0][0].X) {
			return Circle, nil
		}
	} else if t.Tries == 0 {
		// The second look goes on while the client enters its solve mode.
		c.second = make(chan error, 1)
		go func() { c.second <- c.confirmed(ctx, t) }()
	}
	var err error
	if c.entry, err = c.Player.Entry(&t.Task); err != nil {
		_ = c.confer() // one look at a time
		t.Failed, t.Tries = err, enter.MostTries
		return Judge, nil
	}
	if !c.Player.Solving() || t.Tries > 0 {
		if err := c.Player.Leave(ctx); err != nil {
			return "", err
		}
		if err := c.Player.Enter(ctx); err != nil {
			return "", err
		}
	}
	t.Millis.Add("enter", start)
	start = time.Now()
	if err := c.confer(); err != nil {
		if !errors.As(err, new(*enter.MissError)) {
			return "", err
		}
		c.Player.Logf("%v", err)
		return Find, c.Player.Leave(ctx)
	}
	t.Millis.Add("second look", start)
	return Trace, nil
}

// confer waits for the second look, where one goes on.
func (c *course) confer() error {
	if c.second == nil {
		return nil
	}
	err := <-c.second
	c.second = nil
	return err
}

// confirmed looks at a later frame of the same picture and tells whether the
// answer is right for what it shows in the same place: nothing is entered on
// one look alone. The names of colours may differ while a panel comes on. Where
// no pixel of the board changed there is nothing to read otherwise.
func (c *course) confirmed(ctx context.Context, t *Drive) error {
	if see.Unchanged(t.Frame, t.again, see.Around(t.Reading.Board)) {
		return nil
	}
	sight, err := c.Observer.Again(t.Reading.Profile, t.again)
	if err != nil {
		return err
	}
	b := t.Reading.Board
	for _, r := range sight.Readings {
		if r.Board.Centre().Dist(b.Centre()) > b.ScreenPitch || !t.fits(ctx, r) {
			continue
		}
		// A quarter of a line's width: what is entered is led, and looked for, by where
		// the board was read. A page may glide on after the wheel.
		if by := r.Board.Centre().Dist(b.Centre()); by > b.Line*b.ScreenPitch/4 {
			return &enter.MissError{What: fmt.Sprintf("the board has moved by %.0f pixels since it was read: it is read again", by)}
		}
		return nil
	}
	return &enter.MissError{What: "a second look reads the board otherwise"}
}

// trace enters the answer, but for what submits it.
func (c *course) trace(ctx context.Context) (State, error) {
	start := time.Now()
	c.target.Tries++
	enter := c.entry.Trace
	if c.Try {
		enter = c.entry.Try
	}
	err := enter(ctx)
	c.target.Millis.Add("trace", start)
	if err != nil {
		return c.miss(ctx, err)
	}
	if c.Try {
		c.target.Failed = nil
		return arrived, c.Show(c.target)
	}
	return Submit, nil
}

// submit submits the answer.
func (c *course) submit(ctx context.Context) (State, error) {
	start := time.Now()
	err := c.entry.Submit(ctx)
	c.target.Millis.Add("submit", start)
	if err != nil {
		return c.miss(ctx, err)
	}
	c.target.Failed, c.submitted = nil, c.Player.Now()
	return Judge, nil
}

// miss goes back to looking for the board of an answer that did not come
// through; after MostTries that is its end.
func (c *course) miss(ctx context.Context, why error) (State, error) {
	t := c.target
	if c.Player.Ended(ctx) == nil && errors.As(why, new(*enter.OtherwiseError)) && c.otherwise == 0 {
		// Once it may be something that came between: the board is read anew.
		c.otherwise++
		c.Player.Logf("%v: looking again", why)
		t.Failed = why
		return Judge, nil
	}
	if c.Player.Ended(ctx) != nil || !errors.As(why, new(*enter.MissError)) {
		return "", why
	}
	t.Failed, c.entry = why, nil
	c.Player.Logf("try %d: %v", t.Tries, why)
	if c.unanswered = nil; c.Player.Solving() || c.Player.Motion.Pointer == calibrations.Tried {
		f, err := c.Player.Grab(ctx)
		if err != nil {
			return "", err
		}
		small := see.Shrink(f)
		c.unanswered = &small
	}
	if err := c.Player.Leave(ctx); err != nil {
		return "", err
	}
	if t.Tries >= enter.MostTries {
		return Judge, nil
	}
	c.missed, c.missedAt, c.others, c.sought = t, c.Player.Now(), 0, 0
	c.Observer.TryFirst(t.Reading.Profile)
	return Find, nil
}

// covered breaks off what is being entered, since another window lies over it: nothing of it is
// taken back, as that would need the mouse, too. What was entered as a whole is.
func (c *course) covered(ctx context.Context, at State) (State, error) {
	_ = c.confer() // it is read anew
	c.Player.Left()
	t := c.target
	if t == nil || at == Find || at == Enter { // nothing was begun
		if at == Enter {
			c.failed, c.target, c.entry = t, nil, nil
			t.Failed = input.ErrCovered
		}
		if c.Player.Since(c.last) > c.patience() {
			return GiveUp, nil
		}
		return Find, c.Player.Pause(ctx, 100*time.Millisecond)
	}
	if c.entry = nil; at == Judge {
		t.Outcome = enter.Entered
	} else {
		t.Failed = input.ErrCovered
	}
	return Judge, nil
}

// judge tells what became of the answer, and where to go on.
func (c *course) judge(ctx context.Context) (State, error) {
	t := c.target
	if c.entry != nil && t.Failed == nil {
		start := time.Now()
		err := c.verdict(ctx)
		t.Millis.Add("submit", start)
		if err != nil {
			return c.miss(ctx, err)
		}
	}
	c.entry, c.target = nil, nil
	if err := c.Show(t); err != nil {
		return "", err
	}
	if c.DryRun || t.Outcome != enter.Unknown {
		c.last, c.stepped, c.failed = c.Player.Now(), 0, nil
	}
	switch {
	case c.DryRun:
		c.done[t.Text] = true
		c.accepted++
	case t.Outcome == enter.Accepted, t.Outcome == enter.Entered:
		c.done[t.Text], c.otherwise = true, 0
		c.follow(t.Frame)
		c.won, c.scroll = append(c.won, wonBoard{board: t.Reading.Board}), scroll{}
		c.Observer.TryFirst(t.Reading.Profile) // the next board is likely another of the same game
		c.Observer.Without(c.Player.Foreign)
		if c.goneBack > 0 {
			c.goneBack--
		} else {
			c.accepted++
		}
	case t.Outcome == enter.Refused, t.Outcome == enter.Off:
		return c.turnedOff(ctx, t)
	default:
		// The window may be covered, or its program hang: it is tried for as
		// long as a board is waited for.
		if c.failed = t; c.Player.Since(c.last) > c.patience() {
			return GiveUp, nil
		}
		return Find, c.Player.Leave(ctx)
	}
	if c.Want > 0 && c.accepted >= c.Want {
		return arrived, nil
	}
	c.key = c.keys(c.Player.Look()).Next
	return Walk, nil
}

// verdict tells what the screen says of the answer: by what was entered, and where that does
// not tell, by whether another board is read in its place.
func (c *course) verdict(ctx context.Context) error {
	t := c.target
	var err error
	if t.Outcome, err = c.entry.Judge(ctx); err != nil || t.Outcome != enter.Unknown {
		return err
	}
	if err := c.Player.KeepTo(t.Reading.Board.Centre()); err != nil {
		return err
	}
	frame, err := c.Player.Still(ctx, time.Second)
	if err != nil {
		return err
	}
	turn := c.Observer.Observe(ctx, c.view(frame))
	c.looked(turn)
	for i := range turn.Boards {
		b := &turn.Boards[i]
		if b.Game.Name == t.Reading.Game.Name && b.Puzzle != nil && b.Text != t.Text && b.Board.Centre().Dist(t.Reading.Board.Centre()) < t.Reading.Board.ScreenPitch {
			t.Outcome = enter.Accepted
			return nil
		}
	}
	return &enter.OtherwiseError{What: "the last of it does not do what it is to"}
}

// turnedOff goes back where an answer was refused, or its panel went off: the
// one before it must be solved again.
func (c *course) turnedOff(ctx context.Context, t *Drive) (State, error) {
	if t.Outcome == enter.Refused {
		c.refused[t.Text]++
	}
	if c.key = c.keys(c.Player.Look()).Back; c.key == "" {
		return Walk, nil
	}
	c.goneBack++
	return Walk, c.Player.Pause(ctx, offTime)
}

// walk presses a key of the client's and waits until it got there.
func (c *course) walk(ctx context.Context) (State, error) {
	c.Player.Left()
	if c.key == "" { // a person walks
		c.walked = time.Time{}
		return Find, nil
	}
	// A client may still be busy with the answer: it goes nowhere before.
	if rest := enter.SettleTime - c.Player.Since(c.submitted); rest > 0 {
		if err := c.Player.Pause(ctx, rest); err != nil {
			return "", err
		}
	}
	err := c.Player.Play(ctx, input.Event{Op: input.Tap, Key: input.Key(c.key)}, input.Event{Op: input.Wait, D: walkTime})
	c.walked = c.Player.Now()
	return Find, err
}

// finished tells whether all that is read was answered, and every answer was entered and not
// refused. What cannot be read behind the last board is no board, unless it is cut off; what may
// go on beyond the picture is told.
func (c *course) finished(boards []see.Sighting) bool {
	if c.accepted == 0 || c.failed != nil || len(c.refused) > 0 {
		return false
	}
	c.Beyond = false
	for i := range boards {
		b := &boards[i]
		won := func(w wonBoard) bool { return w.shows(b.Board) }
		switch {
		case b.Board.Solved || c.done[b.Text] || slices.ContainsFunc(c.won, won):
		case b.Err == nil || c.cut(b.Board):
			return false
		default:
			c.Beyond = c.Beyond || b.Beyond()
		}
	}
	return true
}

// cut tells whether what was not read is cut off. Lines that lead on into a board that was
// answered are of what stands beside it.
func (c *course) cut(b *vision.Board) bool {
	box, pitch := b.Area(), int(b.ScreenPitch)
	for side, beyond := range [4]image.Rectangle{box.Add(image.Pt(-pitch, 0)), box.Add(image.Pt(pitch, 0)), box.Add(image.Pt(0, -pitch)), box.Add(image.Pt(0, pitch))} {
		into := func(w wonBoard) bool { return w.board.Area().Add(w.slid).Overlaps(beyond) }
		if b.Cut[side] && !slices.ContainsFunc(c.won, into) {
			return true
		}
	}
	return false
}

// giveUp says what is on the screen that cannot be answered.
func (c *course) giveUp(context.Context) (State, error) {
	var boards []see.Sighting
	if c.turn != nil {
		boards = c.turn.Boards
	}
	if c.finished(boards) {
		return arrived, nil
	}
	var why []string
	for i := range boards {
		b := &boards[i]
		say := func(what string) { why = append(why, fmt.Sprintf("%d×%d: %s", b.Board.Cols, b.Board.Rows, what)) }
		switch {
		case b.Err != nil && c.cut(b.Board):
			say("it does not fit what is looked at: zoom out, or make its window larger (" + b.Err.Error() + ")")
		case b.Err != nil:
			say(b.Err.Error())
		case b.Board.Solved:
			say("a line is drawn on it")
		case c.done[b.Text]:
			say("it was accepted")
		case c.refused[b.Text] > 0:
			say("its answer was refused")
		case !b.Solved():
			say("it has no answer, as it was read")
		case !b.Touchable():
			say(fmt.Sprintf("it is %.1f %% sure, and the mouse touches what is %.1f %% sure and more: if it is a board of %s, say --family %[3]s", 100*b.Confidence, 100*b.Profile.Levels.Mouse, b.Game.Name))
		}
	}
	err := ErrPatience
	switch {
	case len(why) > 0:
		err = fmt.Errorf("%w: %s", ErrPatience, strings.Join(why, "; "))
	case len(boards) > 0 && c.failed != nil: // it can be answered
		return "", c.failed.why()
	}
	if c.waits() {
		c.last = c.Player.Now()
		c.Waits(err)
		return Find, nil
	}
	return "", errors.Join(err, c.failed.why())
}
