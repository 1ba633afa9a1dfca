package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// Keys are what a client offers for going about; "" where it offers none and a
// person walks.
type Keys struct {
	Next, Back input.Key // to the next panel, to the one before
	// Round a pillar, and round it the other way.
	Turn, TurnBack input.Key
}

// A Drive is one answer that was entered, or why none was.
type Drive struct {
	At      time.Time
	Reading Reading
	Text    string // the puzzle's canonical text
	Answer  solve.Solution
	Outcome Outcome
	Failed  error // of reading, solving or entering; nil with an Outcome
	Tries   int   // how often its line was begun
	Frame   *image.RGBA
	Millis  Millis // read, solve, enter, trace, submit

	turned *spin       // of a pillar, in the puzzle's columns
	again  *image.RGBA // a later frame, of a flat board
}

// A Driver looks for boards, answers them and enters the answers.
type Driver struct {
	Player *Player
	Eye    *Eye
	Keys   Keys
	// DryRun says that nothing is entered: the plan is told instead.
	DryRun bool
	// Want is how many answers are to be accepted before the driver is done;
	// 0: it goes on until the context ends.
	Want int
	// Patience is how long the screen may show no board that can be answered
	// before the driver gives up; 0: 20 s.
	Patience time.Duration
	// Timeout bounds solving one board; 0: 30 s.
	Timeout time.Duration
	// Seen is told of every answer before it is entered; nil: nobody is.
	Seen func(*Drive)
	// Show is told of every answer that was entered, and of what failed.
	Show func(*Drive) error

	read map[string]solve.Solution // by text; nil where there is proved to be none
	// Of the boards in the last frame: all, read or not, and those with their line.
	seen, solved int
}

// Turn is the drive as a Turn, to be kept.
func (d *Drive) Turn(number int) *Turn {
	s := Sighting{Reading: d.Reading, Text: d.Text, New: true, Answer: Answer{Solution: d.Answer}, Failed: d.Failed, Millis: d.Millis}
	return &Turn{Number: number, At: d.At, Frame: d.Frame, Bounds: d.Frame.Bounds(), Boards: []Sighting{s}, Millis: d.Millis}
}

// Errors of Drive that a caller tells apart.
var (
	// ErrPatience says that nothing that could be answered was seen for long.
	ErrPatience = errors.New("drive: no board that can be answered is seen")
	// ErrHand is the cause of a context that a hand on the mouse ended.
	ErrHand = errors.New("drive: the mouse was moved by hand")
	// ErrStopKey is the cause of a context that the stop key ended.
	ErrStopKey = errors.New("drive: the stop key was pressed")
)

const (
	walkTime   = 380 * time.Millisecond // from panel to panel, at the least
	driveTries = 3                      // lines begun for one board
)

// Run drives until Want answers were accepted (nil), the context ends (its
// cause), or nothing more can be done.
func (d *Driver) Run(ctx context.Context) error {
	d.read = map[string]solve.Solution{}
	patience := d.Patience
	if patience <= 0 {
		patience = 20 * time.Second
	}
	done := map[string]bool{} // accepted, by text: not entered again unless it is seen without its line
	accepted, goneBack := 0, 0
	d.Player.now = d.Player.clock().Now()
	last := d.Player.now // when there was last a board to answer, and an answer got through
	var failed *Drive    // the last one that could not be entered, since
	var walked time.Time
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		target, frame, err := d.find(ctx)
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			return err
		}
		if target == nil || done[target.Text] && goneBack == 0 {
			if d.Player.since(last) > patience {
				return errors.Join(d.giveUp(frame), failed.why())
			}
			// Nothing for a while after walking: this panel is dark, or it was no
			// use to go back to it.
			dark, needless := accepted > 0 && d.seen == 0, goneBack > 0 && d.solved > 0
			if d.Keys.Next != "" && (dark || needless) && !walked.IsZero() && d.Player.since(walked) > 5*time.Second {
				if needless {
					goneBack--
				}
				if walked, err = d.walk(ctx, d.Keys.Next); err != nil {
					return err
				}
			}
			if err := d.Player.pause(ctx, 40*time.Millisecond); err != nil {
				return context.Cause(ctx)
			}
			continue
		}
		if d.Seen != nil {
			d.Seen(target)
		}
		if err := d.enter(ctx, target); err != nil {
			return err
		}
		if target.Tries == 0 && !d.DryRun {
			continue // the second look disagreed
		}
		if err := d.Show(target); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if d.DryRun || target.Outcome != Unknown {
			last, failed = d.Player.now, nil
		}
		switch {
		case d.DryRun:
			done[target.Text] = true
			if d.Want > 0 {
				if accepted++; accepted >= d.Want {
					return nil
				}
			}
		case target.Outcome == Accepted:
			done[target.Text] = true
			if goneBack > 0 {
				goneBack--
			} else {
				accepted++
			}
			if d.Want > 0 && accepted >= d.Want {
				return nil
			}
			if walked, err = d.walk(ctx, d.Keys.Next); err != nil {
				return err
			}
		case target.Outcome == Refused, target.Outcome == Off:
			// The panel is off: the one before it must be solved again.
			delete(d.read, target.Text)
			goneBack++
			if err := d.Player.pause(ctx, 1200*time.Millisecond); err != nil {
				return context.Cause(ctx)
			}
			if walked, err = d.walk(ctx, d.Keys.Back); err != nil {
				return err
			}
		default:
			// The window may be covered, or its program hang: it is tried for as
			// long as a board is waited for.
			if failed = target; d.Player.since(last) > patience {
				return failed.why()
			}
			if err := d.Player.Leave(ctx); err != nil {
				return err
			}
		}
	}
}

// why says why an answer could not be entered, if one could not.
func (t *Drive) why() error {
	if t == nil {
		return nil
	}
	return fmt.Errorf("drive: gave up on a board after %d tries: %w", t.Tries, t.Failed)
}

// giveUp says what is on the screen that cannot be answered.
func (d *Driver) giveUp(frame *image.RGBA) error {
	sight, err := d.Eye.Look(frame, Millis{})
	if err != nil || len(sight.Readings) == 0 {
		return ErrPatience
	}
	var why []string
	for _, r := range sight.Readings {
		switch {
		case r.Err != nil:
			why = append(why, r.Err.Error())
		case r.Board.Solved:
			why = append(why, "it is solved")
		default:
			why = append(why, "it has no answer, as it was read")
		}
	}
	return fmt.Errorf("%w: %d×%d: %s", ErrPatience, sight.Readings[0].Board.Cols, sight.Readings[0].Board.Rows, strings.Join(why, "; "))
}

// walk presses a key of the client's and waits until it got there.
func (d *Driver) walk(ctx context.Context, key input.Key) (time.Time, error) {
	d.Player.solving = false
	d.Player.cursor = vision.Point{}
	if key == "" || d.DryRun {
		return time.Time{}, nil // a person walks
	}
	err := d.Player.play(ctx, input.Event{Op: input.Tap, Key: key}, wait(walkTime))
	return d.Player.now, err
}

// find waits for a still picture and finds the board to answer in it. Without
// one it returns nil and the frame.
func (d *Driver) find(ctx context.Context) (*Drive, *image.RGBA, error) {
	frame, err := d.Player.still(ctx, time.Second)
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil, err
		}
		return nil, nil, err
	}
	began := time.Now()
	first, err := d.look(ctx, frame)
	if err != nil || first == nil {
		return nil, frame, err
	}
	if first.Reading.Board.Pillar {
		return first, frame, nil // read from several views that agree
	}
	if first.again, err = d.Player.grab(ctx); err != nil {
		return nil, nil, err
	}
	first.Millis["read and solve"] = float64(time.Since(began).Microseconds()) / 1000
	return first, frame, nil
}

// confirmed looks at a later frame of the same picture and tells whether the
// answer is right for what it shows in the same place: nothing is entered on
// one look alone. The names of colours may differ while a panel comes on.
func (d *Driver) confirmed(t *Drive) error {
	sight, err := d.Eye.Look(t.again, Millis{})
	if err != nil {
		return err
	}
	b := t.Reading.Board
	for _, r := range sight.Readings {
		if c, o := centre(r.Board), centre(b); gap(c, o) < b.ScreenPitch && t.fits(r) {
			return nil
		}
	}
	return &MissError{What: "a second look reads the board otherwise"}
}

// fits tells whether the answer is right for a board of the same size.
func (t *Drive) fits(r Reading) bool {
	b := t.Reading.Board
	return r.Puzzle != nil && r.Board.Cols == b.Cols && r.Board.Rows == b.Rows && r.Puzzle.Check(t.Answer) == nil
}

// look reads a frame and picks the board to answer.
func (d *Driver) look(ctx context.Context, frame *image.RGBA) (*Drive, error) {
	drive := &Drive{At: time.Now(), Frame: frame, Millis: Millis{}}
	sight, err := d.Eye.Look(frame, drive.Millis)
	if err != nil {
		return nil, err
	}
	d.seen, d.solved = len(sight.Readings), 0
	var found []*Drive
	for _, r := range sight.Readings {
		if r.Board.Solved {
			d.solved++
		}
		if r.Board.Pillar && !r.Board.Solved && sight.Read() == 0 {
			return d.readPillar(ctx, r, drive)
		}
		if r.Puzzle == nil || r.Board.Solved || r.Board.Pillar {
			continue
		}
		text, err := r.Puzzle.MarshalText()
		if err != nil {
			return nil, err
		}
		answer, known := d.read[string(text)]
		if !known {
			a, err := d.solve(ctx, r.Puzzle)
			if errors.Is(err, solve.ErrUnsolvable) {
				d.read[string(text)] = nil
				continue
			}
			if err != nil {
				d.Player.logf("not answered: %v", err)
				continue
			}
			if err := r.Puzzle.Check(a.Solution); err != nil {
				return nil, fmt.Errorf("drive: the answer found is wrong: %w", err)
			}
			answer = a.Solution
			d.read[string(text)] = answer
		}
		if answer == nil {
			continue
		}
		one := *drive
		one.Reading, one.Text, one.Answer = r, string(text), answer
		found = append(found, &one)
	}
	switch {
	case len(found) == 0:
		return nil, nil
	case len(found) > 1 && slices.ContainsFunc(found[1:], func(o *Drive) bool {
		return o.Reading.Board.Cols == found[0].Reading.Board.Cols && o.Reading.Board.Rows == found[0].Reading.Board.Rows
	}):
		// Boards of one size side by side: exactly one has an answer, so one
		// of these was misread, or is still coming on.
		d.Player.logf("%d boards alike have an answer: looking again", len(found))
		return nil, nil
	}
	return found[0], nil
}

// solve solves a board, within the time that one may take.
func (d *Driver) solve(ctx context.Context, p solve.Puzzle) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(d.Timeout, 30*time.Second))
	defer cancel()
	return Solve(ctx, p)
}

// enter enters an answer, begun again after a miss.
func (d *Driver) enter(ctx context.Context, t *Drive) error {
	if len(t.Answer) != 1 {
		t.Failed = fmt.Errorf("drive: an answer of %d strokes, want 1", len(t.Answer))
		t.Tries = driveTries
		return nil
	}
	if d.DryRun {
		return nil
	}
	// The second look goes on while the client enters its solve mode.
	var second chan error
	if !t.Reading.Board.Pillar {
		second = make(chan error, 1)
		go func() { second <- d.confirmed(t) }()
		defer func() {
			if second != nil {
				<-second // it shares what was read
			}
		}()
	}
	for t.Tries < driveTries {
		t.Tries++
		start := time.Now()
		if t.Reading.Board.Pillar {
			t.Failed = nil
			if err := d.enterPillar(ctx, t); err != nil {
				return err
			}
			if t.Failed == nil || t.Outcome == Off {
				return nil
			}
			continue
		}
		if !d.Player.solving || t.Tries > 1 {
			if t.Tries > 1 {
				if err := d.Player.Leave(ctx); err != nil {
					return err
				}
				if there, err := d.again(ctx, t); err != nil || !there {
					return err
				}
			}
			if err := d.Player.Enter(ctx); err != nil {
				return err
			}
		}
		t.Millis.Add("enter", start)
		start = time.Now()
		var trace *Tracing
		var err error
		if second != nil {
			err = <-second
			second = nil
			t.Millis.Add("second look", start)
			if err != nil {
				if errors.As(err, new(*MissError)) {
					t.Failed, t.Tries = nil, 0
					d.Player.logf("%v", err)
					return d.Player.Leave(ctx)
				}
				return err
			}
			start = time.Now()
		}
		trace, err = d.Player.Trace(ctx, sheetOf(t.Reading.Board), t.Answer[0])
		t.Millis.Add("trace", start)
		if err == nil {
			start = time.Now()
			t.Outcome, err = trace.Submit(ctx)
			t.Millis.Add("submit", start)
		}
		if t.Failed = err; err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if miss := (*MissError)(nil); !errors.As(err, &miss) {
			return err
		}
		d.Player.logf("try %d: %v", t.Tries, err)
	}
	return nil
}

// again waits after a miss until the board is seen again, where it is now: its
// window may have been moved or covered. false says that it is not: nothing is
// entered where it was. Another board is there then, nothing is, or the panel
// went off, which is the outcome.
func (d *Driver) again(ctx context.Context, t *Drive) (there bool, err error) {
	const most = 3 * time.Second // as long as the window that covered it is looked at
	var frame *image.RGBA
	others := 0
	for began := d.Player.now; d.Player.since(began) < most; {
		if frame, err = d.Player.still(ctx, time.Second); err != nil {
			return false, err
		}
		sight, err := d.Eye.Look(frame, Millis{})
		if err != nil {
			return false, err
		}
		for _, r := range sight.Readings {
			if t.fits(r) {
				t.Reading, t.Frame = r, frame
				return true, nil
			}
			if r.Puzzle != nil {
				others++
			}
		}
		if others > 3 {
			d.Player.logf("another board is there")
			return false, nil
		}
		if err := d.Player.pause(ctx, 60*time.Millisecond); err != nil {
			return false, err
		}
	}
	d.Player.logf("the board is not seen again")
	if wentOff(t.Reading.Board, t.Frame, frame) {
		t.Outcome = Off
	}
	return false, nil
}

// wentOff tells whether a panel shows neither lines nor cells any more, while
// what is round it is as it was: a window in the way, or one that moved, seldom
// is as large as the panel.
func wentOff(b *vision.Board, before, now *image.RGBA) bool {
	seen := image.Rect(0, 0, 2*b.Cols, 2*b.Rows)
	if b.Pillar { // a quarter of it each way is seen well
		middle := int(math.Round(facedBy(b)))
		seen.Min.X, seen.Max.X = middle-b.Cols/2, middle+b.Cols/2
	}
	blank := mostCells(seen, func(x, y float64) bool {
		return !vision.Apart(now, b.ScreenPoint(x, y), b.ScreenPoint(x-1, y-1))
	})
	if !blank {
		return false
	}
	// A housing is less than a cell wide.
	box := image.Rectangle{}
	for _, q := range b.Quad {
		at := image.Pt(int(q.X), int(q.Y))
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	box = box.Inset(-int(2 * b.ScreenPitch))
	const steps = 16
	same, all := 0, 0
	for i := range steps {
		for j := range steps {
			p := image.Pt((2*i+1)*now.Rect.Dx()/(2*steps), (2*j+1)*now.Rect.Dy()/(2*steps))
			if p.In(box) {
				continue
			}
			if all++; !vision.Changed(before, now, vision.Point{X: float64(p.X), Y: float64(p.Y)}) {
				same++
			}
		}
	}
	return all > 0 && 10*same > 9*all
}

// enterPillar tries once to enter an answer on a pillar; a miss is t.Failed.
func (d *Driver) enterPillar(ctx context.Context, t *Drive) error {
	start := time.Now()
	err := d.Player.Leave(ctx)
	if err != nil {
		return err
	}
	if t.Tries > 1 { // the trace turned it: how it stands is found out anew
		board, err := d.pillarView(ctx, t.Reading)
		if err == nil {
			again := &Drive{Frame: t.Frame, Millis: Millis{}}
			again, err = d.readPillar(ctx, Reading{Game: t.Reading.Game, Board: board}, again)
			if err == nil && again == nil {
				err = &MissError{What: "the pillar cannot be read again"}
			}
			if err == nil {
				t.Reading, t.Text, t.Answer = again.Reading, again.Text, again.Answer
				t.turned = again.turned
			}
		}
		if err != nil {
			t.Failed = err
			if !errors.As(err, new(*MissError)) {
				return err
			}
			frame, err := d.Player.grab(ctx)
			if err == nil && wentOff(t.Reading.Board, t.Frame, frame) {
				t.Outcome = Off
			}
			return err
		}
	}
	err = d.facing(ctx, t, t.Answer[0][0].X)
	if err == nil {
		err = d.Player.Enter(ctx)
		t.Millis.Add("enter", start)
	}
	if err == nil {
		start = time.Now()
		var trace *Tracing
		trace, err = d.Player.tracePillar(ctx, t.turned, t.Answer[0])
		t.Millis.Add("trace", start)
		if err == nil {
			start = time.Now()
			t.Outcome, err = trace.Submit(ctx)
			t.Millis.Add("submit", start)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.Failed = err
	if err != nil && !errors.As(err, new(*MissError)) {
		return err
	}
	if err != nil {
		d.Player.logf("try %d: %v", t.Tries, err)
	}
	return nil
}

func sheetOf(b *vision.Board) Sheet {
	return Sheet{At: b.ScreenPoint, Line: b.Line}
}

// A Hand watches for a hand on the mouse: another mouse that moves or, where the
// system does not tell mice apart, a pointer that moves while the agent itself
// rests. It is the agent's Mouse, and passes on what it is told.
type Hand struct {
	input.Device
	last chan time.Time // one value: when the agent last moved the mouse
}

// NewHand watches a device until the context ends, and calls moved when a hand
// moves the mouse.
func NewHand(ctx context.Context, device input.Device, moved func()) *Hand {
	h := &Hand{Device: device, last: make(chan time.Time, 1)}
	h.last <- time.Now()
	go h.watch(ctx, moved)
	return h
}

const (
	// handRest: a client may put the pointer back to its middle up to 25 ms
	// after a motion under the pointer lock; a busy machine takes longer.
	handRest   = 250 * time.Millisecond
	handPixels = 4 // a table that shakes moves a mouse by less
	// handLooks of the looks within handTime show another mouse moving: a knock
	// on the table is over in 50 ms, within three looks.
	handLook  = 25 * time.Millisecond
	handLooks = 4
	handTime  = 250 * time.Millisecond
)

func (h *Hand) watch(ctx context.Context, moved func()) {
	var was image.Point
	var known time.Time
	var touches []time.Time
	for {
		if pause(ctx, handLook) != nil {
			return
		}
		if touched, err := h.Device.Touched(); err == nil {
			if touched {
				touches = append(touches, time.Now())
			}
			if n := len(touches) - handLooks; n >= 0 && time.Since(touches[n]) < handTime {
				moved()
				return
			}
			continue // a client that loses the pointer lock moves the pointer, too
		}
		own := <-h.last
		h.last <- own
		if time.Since(own) < handRest {
			known = time.Time{}
			continue
		}
		at, err := h.Device.Pointer()
		if err != nil {
			continue
		}
		if !known.IsZero() {
			by := at.Sub(was)
			if abs(by.X) > handPixels || abs(by.Y) > handPixels {
				// Not the agent's own motion, unless it began just now.
				own := <-h.last
				h.last <- own
				if time.Since(own) >= handRest {
					moved()
					return
				}
			}
		}
		was, known = at, time.Now()
	}
}

func (h *Hand) note() {
	<-h.last
	h.last <- time.Now()
}

// MoveTo moves as the device does.
func (h *Hand) MoveTo(at image.Point) error {
	h.note()
	defer h.note()
	return h.Device.MoveTo(at)
}

// MoveBy moves as the device does.
func (h *Hand) MoveBy(dx, dy int) error {
	h.note()
	defer h.note()
	return h.Device.MoveBy(dx, dy)
}

// Press presses as the device does.
func (h *Hand) Press(b input.Button) error {
	h.note() // a click may lock the pointer, which moves it
	return h.Device.Press(b)
}

// Key presses as the device does.
func (h *Hand) Key(k input.Key) error {
	h.note()
	return h.Device.Key(k)
}
