package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// lull is how long a line may wait to be read before the turn of its stream is given to
// others.
const lull = 100 * time.Millisecond

const (
	// maxWaiting is how many may wait for a processor in each queue.
	maxWaiting = 64
	// maxPatience is how long each of them waits: what runs may run for hours,
	// and clients commonly give up without a word after a minute.
	maxPatience = 20 * time.Second
)

// A paced writer ends with an error where its reader stands still. Only a piece has a
// deadline: what is read slowly may take as long as it does.
type paced struct {
	http.ResponseWriter
	control *http.ResponseController
}

func pace(w http.ResponseWriter) *paced { return &paced{w, http.NewResponseController(w)} }

func (p *paced) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// piece does something that may wait for the reader.
func (p *paced) piece(do func() error) error {
	// Where a deadline cannot be set (a recorder in a test) there is none.
	set := p.control.SetWriteDeadline(time.Now().Add(stall)) == nil
	err := do()
	if set && err == nil {
		err = p.control.SetWriteDeadline(time.Time{})
	}
	return err
}

func (p *paced) Write(data []byte) (n int, err error) {
	const most = 64 << 10
	for err == nil && (n == 0 || n < len(data)) {
		var wrote int
		err = p.piece(func() (err error) {
			wrote, err = p.ResponseWriter.Write(data[n:min(n+most, len(data))])
			return err
		})
		if n += wrote; len(data) == 0 {
			break
		}
	}
	return n, err
}

// Flush sends what was written.
func (p *paced) Flush() {
	_ = p.piece(p.control.Flush) // the next piece fails, too
}

// errBusy says that too many wait already.
var errBusy = errors.New("too much is asked at once: try again in a moment")

// A queue lets a few at a time do something, and some more wait for it.
type queue struct {
	slots    chan struct{}
	patience time.Duration
	waiting  atomic.Int64
}

func newQueue(slots int) *queue {
	return &queue{slots: make(chan struct{}, slots), patience: maxPatience}
}

// take waits for a turn; the caller calls the function when it is done. It is
// errBusy where too many wait already, or no turn came in time.
func (q *queue) take(ctx context.Context) (func(), error) {
	if q.waiting.Add(1) > maxWaiting {
		q.waiting.Add(-1)
		return nil, errBusy
	}
	defer q.waiting.Add(-1)
	late := time.NewTimer(q.patience)
	defer late.Stop()
	select {
	case q.slots <- struct{}{}:
		return func() { <-q.slots }, nil
	case <-late.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A turn is one of a queue that can be lent to others for a while. A nil turn is none.
type turn struct {
	ctx   context.Context
	queue *queue
	done  func() // nil: others have it
}

// turn waits for a turn, as take does.
func (q *queue) turn(ctx context.Context) (*turn, error) {
	done, err := q.take(ctx)
	if err != nil {
		return nil, err
	}
	return &turn{ctx: ctx, queue: q, done: done}, nil
}

// end gives the turn back.
func (t *turn) end() {
	if t.done != nil {
		t.done()
		t.done = nil
	}
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
		select {
		case t.queue.slots <- struct{}{}:
			t.done = func() { <-t.queue.slots }
			return nil
		case <-t.ctx.Done():
			return t.ctx.Err()
		}
	}
}

const (
	// stall is how long a request's body may stand still. On one machine a body
	// comes at once.
	stall = 2 * time.Second
	// maxBody is how long it may take in all.
	maxBody = 20 * time.Second
	// maxPictures is how many pictures are taken in at a time; each waits for its
	// turn to be read with what was sent of it.
	maxPictures = 8
)

// errStalled says that a request's body did not come.
var errStalled = status{http.StatusRequestTimeout, fmt.Errorf("the request stood still for %v, or took more than %v", stall, maxBody)}

// A prompt body is one that ends with an error where it stands still. Only reading
// has a deadline: an answer may take as long as it does.
type prompt struct {
	io.ReadCloser
	of  *http.ResponseController
	end time.Time
}

// hurry gives a request's body its deadlines.
func hurry(w http.ResponseWriter, r *http.Request) {
	r.Body = &prompt{r.Body, http.NewResponseController(w), time.Now().Add(maxBody)}
}

func (p *prompt) Read(to []byte) (int, error) {
	by := time.Now().Add(stall)
	if p.end.Before(by) {
		by = p.end
	}
	// Where a deadline cannot be set (a recorder in a test) there is none.
	set := p.of.SetReadDeadline(by) == nil
	n, err := p.ReadCloser.Read(to)
	if set && !errors.Is(err, os.ErrDeadlineExceeded) {
		if clear := p.of.SetReadDeadline(time.Time{}); clear != nil && err == nil {
			err = clear
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errStalled
	}
	return n, err
}
