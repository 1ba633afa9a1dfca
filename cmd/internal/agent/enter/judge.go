package enter

import (
	"context"
	"errors"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// An Outcome is what became of an answer.
type Outcome uint8

// Outcomes.
const (
	Unknown  Outcome = iota // it cannot be told
	Accepted                // the client showed it: the line lit up, the board went, something appeared
	Refused                 // the line went, or became dark
	Off                     // nothing was submitted: the panel went dark under the line
	Entered                 // all of it is there, and nothing that the client shows says that it took it
)

func (o Outcome) String() string {
	return [...]string{"broken off", "accepted", "refused", "off", "entered"}[o]
}

const (
	SettleTime  = 260 * time.Millisecond // a wrong line blinks within 150 ms of the client's answer
	settleMost  = 1500 * time.Millisecond
	refreshTime = 30 * time.Millisecond
	// fadeLevels: a line that changed by so much is not what it was; a video's
	// noise and the end of a glow stay below 12.
	fadeLevels = 24
)

// Submit clicks in the cap, after one more look at the whole line. An error of
// looking before the click drops the line.
func (t *Tracing) Submit(ctx context.Context) error {
	p := t.player
	f, err := t.whole(ctx)
	if err != nil {
		return errors.Join(err, t.retreat(ctx), p.drop(ctx))
	}
	t.before = f
	err = p.Play(ctx, input.Click(input.Left)...)
	p.cursor = vision.Point{}
	return err
}

// Judge watches what becomes of a line that was submitted: where the client shows the system's
// pointer, for as long as it may take to light up.
func (t *Tracing) Judge(ctx context.Context) (Outcome, error) {
	least := SettleTime
	if t.player.Motion.Pointer == calibrations.System {
		least = signTime
	}
	return t.judgeFor(ctx, least)
}

// judgeFor is judge, for so long at least where nothing happens.
func (t *Tracing) judgeFor(ctx context.Context, least time.Duration) (Outcome, error) {
	was := t.colour(t.before)
	last := was
	around := t.judged()
	outcome, err := t.player.watch(ctx, t.task, t.sheet.Part, least, func(f *image.RGBA) glance {
		if !t.stands(t.before, f) {
			return glance{gone: true, went: boardWent(t.before, f, t.sheet, around)}
		}
		now := t.colour(f)
		g := shade(was, last, now)
		last = now
		return g
	})
	t.player.Logf("its line went from %.0f to %.0f", was, last)
	if err != nil || outcome != Entered || t.player.Motion.Pointer != calibrations.Drawn || t.gain.pixels <= 0 {
		return outcome, err
	}
	// A game that draws its own pointer drops what it refuses, and nobody pauses there: a line
	// that does not follow the mouse any more was taken.
	return t.follows(ctx)
}

// follows moves the mouse back the way that the line came, and looks whether the line goes with
// it: then its last click was not taken.
func (t *Tracing) follows(ctx context.Context) (Outcome, error) {
	p, s := t.player, t.stroke
	tip, node := s[len(s)-1], s[len(s)-2]
	at, to := t.at(tip), t.at(node)
	share := 0.75
	if !t.capless { // the cap is short: its head is brought behind the node
		to, share = vision.Point{X: 2*to.X - at.X, Y: 2*to.Y - at.Y}, 0.5
	}
	if err := p.Play(ctx, input.Plan(input.Leg{To: input.Pixel(to)}, input.Pixel(at), p.pushing(t.gain.pixels))...); err != nil {
		return Unknown, err
	}
	var f *image.RGBA
	switch bare, err := p.until(ctx, t.sheet.Part, max(shown, 4*p.lag), refreshTime, func(now *image.RGBA) bool {
		if f = now; t.spin != nil {
			t.spin.See(f)
		}
		return !t.covers(f, t.sheet.between(node, tip, share))
	}); {
	case err != nil:
		return Unknown, err
	case bare && t.stands(t.before, f):
		return Unknown, errors.Join(&MissError{What: "the click at the end was not taken: the line follows the mouse"}, p.drop(ctx))
	case bare && !boardWent(t.before, f, t.sheet, t.judged()):
		return Refused, nil // it went after all
	}
	return Accepted, nil
}

// spanned is the least rectangle of half-cells with a stroke in it.
func spanned(s solve.Stroke) image.Rectangle {
	around := image.Rectangle{}
	for _, q := range s {
		around = around.Union(image.Rectangle{Min: q, Max: q.Add(image.Pt(1, 1))})
	}
	return around
}

// boardWent tells whether most of the cells within some half-cells changed: the
// client shows something else. A cell is looked at beside its symbol, which may
// blink, or be of the colour of what comes instead.
func boardWent(before, now *image.RGBA, sheet Sheet, around image.Rectangle) bool {
	return mostCells(around, func(x, y float64) bool {
		changed := 0
		// 0.5: lines reach to 0.66 of the way from the middle, squares to 0.35.
		for _, d := range [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {-0.5, 0.5}, {0.5, 0.5}} {
			if trail.Changed(before, now, sheet.At(x+d[0], y+d[1])) {
				changed++
			}
		}
		return changed >= 3
	})
}

// mostCells tells whether something is so of most cells within some half-cells.
func mostCells(around image.Rectangle, is func(x, y float64) bool) bool {
	there, all := 0, 0
	for y := around.Min.Y | 1; y < around.Max.Y; y += 2 {
		for x := around.Min.X | 1; x < around.Max.X; x += 2 {
			if all++; is(float64(x), float64(y)) {
				there++
			}
		}
	}
	return 10*there > 6*all
}

// WentOff tells whether a panel shows neither lines nor cells any more, while
// what is round it is as it was: a window in the way, or one that moved, seldom
// is as large as the panel.
func WentOff(b *vision.Board, before, now *image.RGBA) bool {
	seen := image.Rect(0, 0, 2*b.Cols, 2*b.Rows)
	if b.Pillar { // a quarter of it each way is seen well
		middle := int(math.Round(see.FacedBy(b)))
		seen.Min.X, seen.Max.X = middle-b.Cols/2, middle+b.Cols/2
	}
	blank := mostCells(seen, func(x, y float64) bool {
		return !trail.Apart(now, b.ScreenPoint(x, y), b.ScreenPoint(x-1, y-1))
	})
	if !blank {
		return false
	}
	// A housing is less than a cell wide.
	box := b.Area().Inset(-int(2 * b.ScreenPitch))
	const steps = 16
	same, all := 0, 0
	for k := range steps * steps {
		p := image.Pt((2*(k/steps)+1)*now.Rect.Dx()/(2*steps), (2*(k%steps)+1)*now.Rect.Dy()/(2*steps))
		if p.In(box) {
			continue
		}
		if all++; !trail.Changed(before, now, vision.Point{X: float64(p.X), Y: float64(p.Y)}) {
			same++
		}
	}
	return all > 0 && 10*same > 9*all
}
