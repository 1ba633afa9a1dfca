package solvetest

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
)

// What a board of any size is held to, and what Large gives it: processor time
// rather than time, since others may use the machine too.
const (
	largeMemory = 1 << 30
	largeTime   = 200 * time.Millisecond
	lateTime    = 100 * time.Millisecond
	largeRuns   = 5 // of a question that ends late
	// busyFactor is by how much longer an end may take where nobody says that the
	// machine is idle: the runtime's collector counts as processor time, and 150 ms
	// were seen beside other work. A loop that does not ask its context takes
	// seconds.
	busyFactor = 5
)

// lateBound is lateTime on an idle machine, which ONLOOKER_IDLE=1 says it is, and
// busyFactor times that elsewhere.
func lateBound() time.Duration {
	if os.Getenv("ONLOOKER_IDLE") != "" {
		return lateTime
	}
	return busyFactor * lateTime
}

// A LargeBoard is one of the largest boards that a family takes.
type LargeBoard struct {
	Name string
	Make func() (solve.Puzzle, error)
}

// Large asks everything of large boards, and ends it soon: each question must
// be answered, or given up within lateBound of its end (the least of largeRuns runs), or
// refused as too large, and memory must stay within largeMemory. A board's Make may refuse it: then
// the error is logged.
func Large(t *testing.T, bigs ...LargeBoard) {
	for _, big := range bigs {
		t.Run(big.Name, func(t *testing.T) {
			begin := ProcessorTime()
			p, err := big.Make()
			if err != nil {
				t.Logf("refused after %v: %v", ProcessorTime()-begin, err)
				return
			}
			t.Logf("made in %v", ProcessorTime()-begin)
			bound := lateBound()
			for _, q := range questions(p) {
				late := ask(t, q)
				for range largeRuns - 1 {
					if late <= bound {
						break
					}
					late = min(late, ask(t, q))
				}
				if late > bound {
					t.Errorf("%s: it ended %v of processor time after its context, want at most %v: the least of %d runs", q.name, late.Round(time.Millisecond), bound, largeRuns)
				}
			}
		})
	}
}

// A question is something that a puzzle can be asked.
type question struct {
	name string
	ask  func(context.Context) error
}

func questions(p solve.Puzzle) []question {
	qs := []question{{"solve", func(ctx context.Context) error {
		s, err := p.Solve(ctx)
		if err != nil {
			return err
		}
		return p.Check(ctx, s)
	}}}
	if c, ok := p.(solve.Counter); ok {
		qs = append(qs, question{"count", func(ctx context.Context) error {
			_, err := c.Count(ctx, 3)
			return err
		}})
	}
	if e, ok := p.(solve.Enumerator); ok {
		qs = append(qs, question{"all", func(ctx context.Context) error {
			n := 0
			for _, err := range e.All(ctx) {
				if n++; err != nil || n == 3 {
					return err
				}
			}
			return nil
		}})
	}
	if pr, ok := p.(solve.Prover); ok {
		qs = append(qs, question{"why", func(ctx context.Context) error {
			_, err := pr.Why(ctx)
			if errors.Is(err, context.Canceled) || errors.As(err, new(*limits.MemoryError)) {
				return err
			}
			return nil // it has an answer, or nobody can tell why not
		}})
	}
	return qs
}

// ask asks a question, ends it after largeTime, and looks at the memory while
// it lasts. It returns how much processor time it went on for after that.
func ask(t *testing.T, q question) (late time.Duration) {
	t.Helper()
	runtime.GC()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(largeMemory / 4 * 3))
	ctx, cancel := context.WithCancel(limits.WithMemory(context.Background(), largeMemory))
	defer cancel()
	ctx, stop := limits.Watch(ctx)
	defer stop()
	begin, ended := ProcessorTime(), time.Duration(0)
	most := uint64(0)
	done, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		for {
			most = max(most, heldBytes())
			if ended == 0 && ProcessorTime()-begin > largeTime {
				ended = ProcessorTime()
				cancel()
			}
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	err := limits.Cause(ctx, q.ask(ctx))
	took := ProcessorTime()
	close(done)
	<-watched
	switch {
	case err == nil, errors.Is(err, solve.ErrUnsolvable), errors.Is(err, solve.ErrNotSupported), errors.Is(err, context.Canceled), errors.As(err, new(*limits.MemoryError)):
	default:
		t.Errorf("%s: %v", q.name, err)
	}
	t.Logf("%s: %v of processor time, %d MiB: %v", q.name, (took - begin).Round(time.Millisecond), most>>20, err)
	if most > largeMemory {
		t.Errorf("%s: %d MiB were held, want at most %d", q.name, most>>20, largeMemory>>20)
	}
	if ended > 0 {
		late = took - ended
	}
	return late
}

// heldBytes is what the runtime holds of the system's memory.
func heldBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}
