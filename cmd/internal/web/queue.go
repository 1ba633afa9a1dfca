package web

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"
)

const (
	// maxWaiting is how many may wait for a processor in each queue.
	maxWaiting = 64
	// maxPatience is how long each of them waits: what runs may run for hours,
	// and clients commonly give up without a word after a minute.
	maxPatience = 20 * time.Second
	// spell is how long one has a turn before it stands aside and goes on
	// there: most questions are answered by then.
	spell = 500 * time.Millisecond
	// maxAside is how many go on aside in each queue, sharing the processors.
	maxAside = 8
	// largeBoard is the text of a large board, in bytes. One of The Witness of
	// 100×100 cells, the largest, takes 40,000. One large board has a turn at a
	// time.
	largeBoard = 64 << 10
	// lull is how long a line may wait to be read before the turn of its stream is given to
	// others.
	lull = 100 * time.Millisecond
)

// errBusy says that too many wait already.
var errBusy = errors.New("too much is asked at once: try again in a moment")

// A queue lets a few at a time do something, and some more wait for it: the
// smallest has the next turn. What takes long stands aside, so that it keeps
// nobody waiting; of large boards one has a turn, aside or not.
type queue struct {
	patience, spell time.Duration

	mu      sync.Mutex
	free    int // turns
	aside   int // places for those that stand aside
	large   int // large boards that may have a turn
	waiting []*turn
}

func newQueue(turns int) *queue {
	return &queue{patience: maxPatience, spell: spell, free: turns, aside: maxAside, large: 1}
}

// A turn is one of a queue; a nil turn is none.
type turn struct {
	ctx   context.Context
	queue *queue
	size  int // of the text, in bytes
	// Of the queue's: what the turn holds.
	has   holding
	given chan struct{} // closed when it has its turn
	timer *time.Timer
}

// holding is what a turn holds of its queue.
type holding int

const (
	nothing holding = iota
	inTurn
	standingAside
)

// turn waits for a turn of something of a size; the caller calls end when it is
// done. It is errBusy where too many wait already, or no turn came in time.
func (q *queue) turn(ctx context.Context, size int) (*turn, error) {
	t := &turn{ctx: ctx, queue: q, size: size}
	late := time.NewTimer(q.patience)
	defer late.Stop()
	return t, t.wait(late.C, maxWaiting)
}

// wait waits for a turn, until late, behind so many at most.
func (t *turn) wait(late <-chan time.Time, most int) error {
	q := t.queue
	q.mu.Lock()
	if len(q.waiting) >= most {
		q.mu.Unlock()
		return errBusy
	}
	t.given = make(chan struct{})
	at, _ := slices.BinarySearchFunc(q.waiting, t.size, func(o *turn, size int) int {
		if o.size <= size { // who came first is first
			return -1
		}
		return 1
	})
	q.waiting = slices.Insert(q.waiting, at, t)
	q.give()
	q.mu.Unlock()
	var err error
	select {
	case <-t.given:
		return nil
	case <-late:
		err = errBusy
	case <-t.ctx.Done():
		err = t.ctx.Err()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if t.has == nothing {
		q.waiting = slices.DeleteFunc(q.waiting, func(o *turn) bool { return o == t })
		return err
	}
	return nil // it came at the same moment
}

// give gives the turns that are free to those who wait; mu is held.
func (q *queue) give() {
	q.waiting = slices.DeleteFunc(q.waiting, func(t *turn) bool {
		if q.free == 0 || t.isLarge() && q.large == 0 {
			return false
		}
		q.free--
		if t.isLarge() {
			q.large--
		}
		t.has = inTurn
		t.timer = time.AfterFunc(q.spell, t.stand)
		close(t.given)
		return true
	})
}

func (t *turn) isLarge() bool { return t.size > largeBoard }

// stand has a turn that takes long stand aside; where there is no place it keeps its turn
// for a while more.
func (t *turn) stand() {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case t.has != inTurn:
	case q.aside == 0:
		t.timer.Reset(q.spell)
	default:
		t.has = standingAside
		q.aside--
		q.free++
		q.give()
	}
}

// end gives the turn back.
func (t *turn) end() {
	q := t.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	switch t.has {
	case nothing:
		return
	case inTurn:
		q.free++
	case standingAside:
		q.aside++
	}
	t.has = nothing
	t.timer.Stop()
	if t.isLarge() {
		q.large++
	}
	q.give()
}

// lend gives the turn to others where what comes next takes long; the function that is
// called afterwards waits until it is there again.
func (t *turn) lend() (resume func() error) {
	if t == nil {
		return func() error { return nil }
	}
	given := make(chan struct{})
	late := time.AfterFunc(lull, func() {
		t.end()
		close(given)
	})
	return func() error {
		if late.Stop() {
			return nil
		}
		<-given
		// It had its turn, and is not refused now, however many wait.
		return t.wait(nil, math.MaxInt)
	}
}
