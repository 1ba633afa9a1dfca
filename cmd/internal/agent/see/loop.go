package see

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"sync/atomic"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
)

// A Loop looks at a source again and again: it tells when a frame is worth a
// look, and shows each Turn that has news.
type Loop struct {
	Source   capture.Source
	Observer *Observer
	// Replay says that frames are still pictures already: each is looked at,
	// without a pause.
	Replay bool
	// Pause waits between frames; nil: by the clock, and the source. Tests do without.
	Pause func(context.Context, time.Duration) error
	// Beat is called after each frame that was grabbed, looked at or not; it
	// may be nil.
	Beat func(Beat)
	// Looked is called with every Turn, with news or without; it may be nil.
	Looked func(*Turn)

	again        atomic.Bool // see LookAgain
	fails        int
	before       Thumb // of the last frame
	looked       Thumb // of the last frame that was looked at
	lastLook     time.Time
	brief        bool // that look was
	moved, moves bool // the frame before last, and the last, differed from the one before
}

// LookAgain has the next frame looked at as if it were the first: what is seen in it is news.
// It may be called from any goroutine.
func (l *Loop) LookAgain() { l.again.Store(true) }

// A Beat is one frame's grab.
type Beat struct {
	Frame  *image.RGBA
	Took   time.Duration
	Moving bool
}

const (
	// Between frames that do not change: eight times what a grab takes, within these. An X
	// server's frame of 1920×1080 takes some 4 ms, and watching it 7 % of a processor's time.
	leastPause  = 50 * time.Millisecond
	mostPause   = 100 * time.Millisecond
	movingPause = 25 * time.Millisecond // between frames of a moving picture
	// A picture that moves all the time, as with clouds behind the panel, is
	// looked at this often, and what is read counts when it was read twice.
	movingLook = 700 * time.Millisecond
	failPause  = time.Second
	// maxFails is how many frames in a row may fail before a display that was
	// there counts as gone.
	maxFails = 15
)

// Run looks until the context ends or the source does, both of which are no
// error, and calls show for every Turn with news. An error of show ends it.
func (l *Loop) Run(ctx context.Context, show func(*Turn) error) error {
	for {
		start := time.Now()
		frame, err := l.Source.Grab(ctx)
		took := time.Since(start)
		wait := failPause
		switch {
		case ctx.Err() != nil || errors.Is(err, io.EOF):
			return nil
		case err != nil:
			if err := l.fail(start, err, show); err != nil {
				return err
			}
		default:
			if wait, err = l.look(ctx, frame, start, took, show); err != nil {
				return err
			}
		}
		if ctx.Err() != nil || !l.Replay && l.pause(ctx, wait) != nil {
			return nil
		}
	}
}

// fail tells the first of a row of grabs that failed, and gives up in the end.
func (l *Loop) fail(at time.Time, why error, show func(*Turn) error) error {
	l.fails++
	if l.fails == 1 || l.Replay {
		t := l.Observer.turn(View{At: at, Name: l.name()})
		t.Failed = fmt.Errorf("no picture of the screen: %w", why)
		if err := show(t); err != nil {
			return err
		}
	}
	if !l.Replay && l.fails >= maxFails {
		return fmt.Errorf("no picture of the screen, %d times in a row: %w", l.fails, why)
	}
	return nil
}

// look takes a frame, shows what is new in it where it is worth a look, and
// tells how long to wait for the next.
func (l *Loop) look(ctx context.Context, frame *image.RGBA, start time.Time, took time.Duration, show func(*Turn) error) (time.Duration, error) {
	l.fails = 0
	now := Shrink(frame)
	l.moved, l.moves = l.moves, l.before.sums == nil || now.Differs(l.before)
	l.before = now
	if l.Beat != nil {
		l.Beat(Beat{Frame: frame, Took: took, Moving: l.moves})
	}
	if l.again.Swap(false) {
		l.Observer.Forget()
		l.looked = Thumb{}
	}
	l.Observer.Follow(frame, start.Add(took))
	if l.due(now, start) {
		whole := l.brief && !l.moves && !now.Differs(l.looked)
		l.lastLook, l.looked = time.Now(), now
		turn := l.Observer.Observe(ctx, View{
			Frame: frame, At: start.Add(took), Name: l.name(), Place: l.Source.Bounds(),
			Moving: l.moves && !l.Replay, Alone: l.Replay, Whole: whole,
		})
		l.learn(turn)
		turn.At = start
		turn.Millis.Took("grab", took)
		if ctx.Err() != nil {
			return 0, nil
		}
		if l.Looked != nil {
			l.Looked(turn)
		}
		if turn.News() {
			if err := show(turn); err != nil {
				return 0, err
			}
		}
	}
	if following, _ := l.Observer.Following(); l.moves || following {
		return movingPause, nil
	}
	return min(max(leastPause, 8*took), mostPause), nil
}

// due tells whether a frame is worth a look.
func (l *Loop) due(now Thumb, at time.Time) bool {
	if l.lastLook.IsZero() {
		l.lastLook = at
	}
	switch {
	case l.Replay:
		return true
	case l.moves:
		_, turning := l.Observer.Following()
		return l.moved && time.Since(l.lastLook) > movingLook && !turning
	}
	return l.looked.sums == nil || now.Differs(l.looked) || l.brief
}

// learn has the look tried first in which alone boards were read: the next board is likely
// another of the same game. What that reads is shown at once; then all looks are tried, and
// what they say of the same picture holds.
func (l *Loop) learn(t *Turn) {
	if l.brief = t.Brief; l.brief || l.Replay {
		return
	}
	var first *calibrations.Profile
	for i := range t.Boards {
		switch b := &t.Boards[i]; {
		case b.Puzzle == nil:
		case !b.Touchable() || first != nil && first != b.Profile:
			l.Observer.TryFirst(nil)
			return
		default:
			first = b.Profile
		}
	}
	if first != nil {
		l.Observer.TryFirst(first)
	}
}

// pause waits for the next frame. A picture that is still is looked at as soon as something
// is drawn.
func (l *Loop) pause(ctx context.Context, d time.Duration) error {
	if l.Pause != nil {
		return l.Pause(ctx, d)
	}
	if source, ok := l.Source.(capture.ChangeSource); ok && d > movingPause {
		return source.Await(ctx, d)
	}
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
	if named, ok := l.Source.(capture.NamedSource); ok {
		return named.Name()
	}
	return ""
}

// A Thumb is a frame in small, to tell cheaply whether anything changed.
type Thumb struct {
	size image.Point
	sums []uint32 // of the brightness of each block's samples
}

const (
	// blockPixels: a panel's cell of 22 pixels, the smallest that is read,
	// covers a block wholly.
	blockPixels = 8
	// samplePixels: every second pixel each way is looked at, 1 ms for a frame
	// of 1920×1080.
	samplePixels  = 2
	blockSamples  = (blockPixels / samplePixels) * (blockPixels / samplePixels)
	changedLevels = 6 // of 255: noise of a video's compression stays below
)

func Shrink(m *image.RGBA) Thumb {
	size := m.Rect.Size()
	t := Thumb{size: size}
	cols := (size.X + blockPixels - 1) / blockPixels
	rows := (size.Y + blockPixels - 1) / blockPixels
	t.sums = make([]uint32, cols*rows)
	for y := 0; y < size.Y; y += samplePixels {
		line := m.Pix[y*m.Stride : y*m.Stride+4*size.X]
		sums := t.sums[y/blockPixels*cols:]
		for x := 0; x < size.X; x += samplePixels {
			p := line[4*x : 4*x+3]
			sums[x/blockPixels] += (uint32(p[0]) + 2*uint32(p[1]) + uint32(p[2])) / 4
		}
	}
	return t
}

// Differs tells whether any block changed visibly.
func (t Thumb) Differs(u Thumb) bool {
	if t.size != u.size {
		return true
	}
	for i, a := range t.sums {
		if b := u.sums[i]; max(a, b)-min(a, b) > changedLevels*blockSamples {
			return true
		}
	}
	return false
}
