// Package drive says what is done next: a Driver looks for boards, has their answers entered,
// and walks on. It is a small machine: in each State it does one thing, and what it sees tells
// which State is next.
package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"sync/atomic"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
)

// A Drive is one answer that was entered, or why none was.
type Drive struct {
	enter.Task
	At      time.Time
	Text    string // the puzzle's canonical text
	Outcome enter.Outcome
	Failed  error      // of reading, solving or entering; nil with an Outcome
	Millis  see.Millis // read, solve, enter, trace, submit

	again *image.RGBA // a later frame, of a flat board
}

// A Driver looks for boards, answers them and enters the answers. It is a small
// machine: in each State it does one thing, and what it sees tells which State
// is next.
type Driver struct {
	Player   *enter.Player
	Observer *see.Observer
	// Walks says that a person walks: the keys that the looks name are not pressed.
	Walks bool
	// DryRun says that nothing is entered: the plan is told instead.
	DryRun bool
	// Try says that one answer is entered, and dropped instead of submitted.
	Try bool
	// Want is how many answers are to be accepted before the driver is done;
	// 0: it goes on until the context ends.
	Want int
	// Patience is how long the screen may show no board that can be answered
	// before the driver gives up; 0: 20 s.
	Patience time.Duration
	// Goal is asked before an answer is entered whether what is wanted is known; again says that
	// it was told now, with the look, so that the board is to be read anew. nil: it is known.
	Goal func(ctx context.Context, t *Drive) (again bool, err error)
	// Seen is told of every answer before it is entered; nil: nobody is.
	Seen func(*Drive)
	// Show is told of every answer that was entered, and of what failed.
	Show func(*Drive) error
	// Waits is told why nothing can be answered while nothing was begun, as on a menu; the
	// driver waits on then. nil: it gives up.
	Waits func(why error)
	// Beyond says, once all is done, that what may be another board goes on beyond what is seen.
	Beyond bool
	// Came is told of every State that the driver comes to; nil: nobody is.
	Came func(State)

	again atomic.Bool // see LookAgain
}

// LookAgain has the next look begin anew: boards whose answers were entered are entered once
// more where they are seen without them. It may be called from any goroutine.
func (d *Driver) LookAgain() { d.again.Store(true) }

// Turn is the drive as a Turn, to be kept.
func (t *Drive) Turn(number int) *see.Turn {
	s := see.Sighting{Reading: t.Reading, Text: t.Text, New: true, Answer: answer.Answer{Solution: t.Answer}, Failed: t.Failed, Millis: t.Millis}
	return &see.Turn{Number: number, At: t.At, Frame: t.Frame, Bounds: t.Frame.Bounds(), Profile: t.Reading.Profile, Boards: []see.Sighting{s}, Millis: t.Millis}
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

// A State is what a Driver is about.
type State string

// The states. Each is a method of course of the same name.
const (
	Find    State = "find"    // a board to answer
	Circle  State = "turn"    // a pillar by a step
	Enter   State = "enter"   // the client's solve mode
	Trace   State = "trace"   // the line, up to its end
	Submit  State = "submit"  // it
	Judge   State = "judge"   // what became of it
	Walk    State = "walk"    // to another panel
	Scroll  State = "scroll"  // to more of a board that is cut off
	GiveUp  State = "give up" // and say why
	arrived State = "done"
)

const (
	walkTime = 380 * time.Millisecond  // from panel to panel, at the least
	offTime  = 1200 * time.Millisecond // a panel that refused goes off meanwhile
	// missedTime is how long a board is looked for after a miss: as long as the
	// window that covered it is looked at.
	missedTime = 3 * time.Second
	// leastSought are the looks that it is looked for at the least, or that read nothing before
	// other looks are tried: on a busy machine one takes as long.
	leastSought = 3
)

// A course is one run of a Driver: what it knows from one step to the next.
type course struct {
	*Driver
	turn    *see.Turn   // the last look's
	unread  int         // looks up to that which read nothing
	target  *Drive      // the answer that is being entered
	entry   enter.Entry // of the target
	second  chan error
	circled int                // steps round the pillar that is being read
	stepped int                // the same of all pillars since the last answer
	frame   *image.RGBA        // that shows it after the last
	ways    map[string]float64 // which way a key turns one: 1 or -1 in its columns

	missed   *Drive // an answer that did not come through, until its board is seen again
	missedAt time.Time
	others   int // looks at which another board was there
	sought   int // looks for it
	// unanswered is what was seen before the client was told to leave its solve mode, at the
	// last miss: where that is still seen the client stands still, and no line is begun. nil: it
	// was in none, and its pointer is known.
	unanswered *see.Thumb
	// otherwise is how often a board answered otherwise than expected, since an
	// answer got through.
	otherwise int

	done      map[string]bool // accepted, by text: not entered again unless it is seen without its line
	refused   map[string]int  // how often, by text
	accepted  int
	goneBack  int       // panels gone back, to be entered once more
	last      time.Time // when there was last a board to answer, and an answer got through
	failed    *Drive    // the last one that could not be entered, since
	submitted time.Time // when the last answer was
	key       string    // to walk by
	walked    time.Time
	scroll    scroll
	won       []wonBoard  // boards whose answers were accepted
	page      *image.RGBA // the frame that they have been followed to
}

// Run drives until Want answers were accepted (nil), the context ends (its
// cause), or nothing more can be done.
func (d *Driver) Run(ctx context.Context) error {
	d.Player.Start()
	c := &course{Driver: d, done: map[string]bool{}, refused: map[string]int{}, ways: map[string]float64{}, last: d.Player.Now()}
	defer func() { _ = c.confer() }() // it shares what was read
	steps := map[State]func(context.Context) (State, error){
		Find: c.find, Circle: c.circle, Enter: c.enter, Trace: c.trace, Submit: c.submit, Judge: c.judge, Walk: c.walk, Scroll: c.turnWheel, GiveUp: c.giveUp,
	}
	for at := Find; at != arrived; {
		if err := d.Player.Ended(ctx); err != nil {
			return err
		}
		if d.Came != nil {
			d.Came(at)
		}
		next, err := steps[at](ctx)
		if errors.Is(err, input.ErrCovered) && at != GiveUp {
			next, err = c.covered(ctx, at)
		}
		if err != nil {
			return cmp.Or(d.Player.Ended(ctx), err)
		}
		at = next
	}
	return nil
}

// keys are what the client of a look offers for going about.
func (d *Driver) keys(p *calibrations.Profile) (keys calibrations.Keys) {
	if p != nil && !d.Walks && !d.DryRun && !d.Player.Foreign(p) {
		keys = p.Keys
	}
	return keys
}

// why says why an answer could not be entered, if one could not.
func (t *Drive) why() error {
	if t == nil {
		return nil
	}
	tries := "a try"
	if t.Tries != 1 {
		tries = fmt.Sprintf("%d tries", t.Tries)
	}
	return fmt.Errorf("drive: gave up on a board after %s: %w; see that its window is in front, and takes the mouse", tries, t.Failed)
}

// fits tells whether the answer is right for a board of the same size: the
// names of colours may differ while a panel comes on.
func (t *Drive) fits(ctx context.Context, r see.Reading) bool {
	b := t.Reading.Board
	if r.Puzzle == nil || r.Board.Cols != b.Cols || r.Board.Rows != b.Rows {
		return false
	}
	if t.Unlit != nil && r.Game.Otherwise != nil {
		other, _ := r.Game.Otherwise(r.Puzzle)
		return other != nil && answer.Judge(ctx, other, t.Answer) == nil
	}
	return answer.Judge(ctx, r.Puzzle, t.Answer) == nil
}

const (
	turnRest = 40 * time.Millisecond // two of a screen's refreshes, and some
	// turnMost is how long a step may take: as a line may to begin, and the time to
	// follow it on a machine on which a frame takes half a second.
	turnMost = 5 * time.Second
	// maxTurns is how often a pillar is turned to be read: once round, and once
	// more where a glint hid something.
	maxTurns = 12
)

// step steps round a pillar with a key and follows it until it rests; c.frame
// shows it so then.
func (c *course) step(ctx context.Context, turned *see.Spin, key string) error {
	if key == "" && c.Walks {
		return &enter.MissError{What: "the pillar must be turned: turn it, as --walk=false leaves that to you"}
	}
	if key == "" {
		return &enter.MissError{What: "the pillar must be turned: this client offers no key for it"}
	}
	from := turned.Faced
	// Once it is known which way the key turns it, nothing else can have happened
	// between two looks, however far they are apart.
	turned.Toward = math.NaN()
	if way := cmp.Or(c.ways[key], c.lookWay(key)); way != 0 {
		turned.Toward = from + 2*way
	}
	if err := c.Player.Play(ctx, input.Event{Op: input.Tap, Key: input.Key(key)}); err != nil {
		return err
	}
	began := c.Player.Now()
	seen, rest, was := began, began, from
	for {
		frame, err := c.Player.Grab(ctx)
		if err != nil {
			return err
		}
		turned.See(frame)
		now := c.Player.Now()
		if math.IsNaN(turned.Toward) && now.Sub(seen) > see.FollowGap && turned.Faced != was {
			return &enter.MissError{What: "the pillar turned faster than it could be followed"}
		}
		if seen = now; math.Abs(turned.Faced-was) > 0.02 {
			was, rest = turned.Faced, now
		}
		by := math.Abs(turned.Faced - from)
		if by > 1.5 && math.Abs(math.Remainder(by, 2)) < 0.2 && now.Sub(rest) > turnRest {
			c.frame = frame
			c.ways[key] = math.Copysign(1, turned.Faced-from)
			return nil
		}
		if now.Sub(began) > turnMost {
			return &enter.MissError{What: fmt.Sprintf("the key %s turned the pillar by %.2f columns", key, by/2)}
		}
		if err := c.Player.Pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// lookWay is which way a key turns a pillar, as the look says; 0: it does not.
func (c *course) lookWay(key string) float64 {
	look := c.Player.Look().Keys
	switch key {
	case look.Turn:
		return float64(look.TurnWay)
	case look.TurnBack:
		return -float64(look.TurnWay)
	}
	return 0
}

// shorter is the key that turns a column of a pillar to the viewer the shorter way round,
// where the client has one.
func shorter(s *see.Spin, x int, keys calibrations.Keys) string {
	if s.Off(x)*s.Way() < 0 && keys.TurnBack != "" {
		return keys.TurnBack
	}
	return keys.Turn
}
