package answer

import (
	"context"
	"errors"
	"sync"

	"onlooker/cmd/internal/store"
	"onlooker/solve"
)

// A Memory knows and keeps puzzles.
type Memory interface {
	// Recall is what is known of a puzzle that a solver of that version may take; nil
	// where it must be solved.
	Recall(ctx context.Context, family string, p solve.Puzzle, version string) *store.Knowledge
	// Keep keeps what is new of a puzzle.
	Keep(ctx context.Context, n store.News) error
}

// StoreMemory is a store as a Memory: what is kept is there when Keep returns.
type StoreMemory struct{ *store.Store }

// Recall takes a store that cannot be read for one that knows nothing.
func (d StoreMemory) Recall(ctx context.Context, family string, p solve.Puzzle, version string) *store.Knowledge {
	known, err := d.Store.Recall(ctx, family, p, version)
	if err != nil {
		return nil
	}
	return known
}

// Keep keeps what was found even when who asked is gone by now.
func (d StoreMemory) Keep(_ context.Context, n store.News) error {
	_, err := d.Store.Keep(context.Background(), n)
	return err
}

// A Keeper is the user's store as it is used beside the work. It is opened when the
// first puzzle comes, and never stands in the way: what goes wrong with it is told
// once, and the work goes on without.
type Keeper struct {
	// Path is the store's file.
	Path func() (string, error)
	// Tell is told once what went wrong, and whether the work goes on without the store.
	Tell func(err error, without bool)
	// Most is the largest board that is kept, in half-cells.
	Most int

	once  sync.Once
	store *store.Store // nil: not opened, or given up
	news  chan keepJob
	done  chan struct{}
	told  sync.Once
}

// A keepJob is what is to be kept; done is closed when it is, or when it cannot be.
type keepJob struct {
	store.News
	done chan struct{}
}

// Open opens the store with the first puzzle; nil where there is none.
func (k *Keeper) Open(ctx context.Context) *store.Store {
	k.once.Do(func() {
		path, err := k.Path()
		if err == nil {
			k.store, err = store.Open(ctx, path, Judge)
		}
		if err != nil {
			if ctx.Err() == nil {
				k.Complain(err)
			}
			return
		}
		// Puzzles are kept beside the solving, many at a time.
		const ahead = 1000
		k.news, k.done = make(chan keepJob, ahead), make(chan struct{})
		go k.write()
	})
	return k.store
}

// Complain tells what went wrong. A store that can only be read is used, and its
// error says for what not.
func (k *Keeper) Complain(err error) {
	k.told.Do(func() { k.Tell(err, !errors.Is(err, store.ErrReadOnly)) })
}

// write keeps what comes until there is no more.
func (k *Keeper) write() {
	defer close(k.done)
	for first := range k.news {
		news, waits := []store.News{first.News}, []chan struct{}{first.done}
		for more := true; more && len(news) < cap(k.news); {
			select {
			case n, ok := <-k.news:
				if more = ok; ok {
					news, waits = append(news, n.News), append(waits, n.done)
				}
			default:
				more = false
			}
		}
		// An answer that was found is kept, however the search for others ends.
		if err := k.store.KeepEach(context.Background(), news, func(_ int, err error) { k.Complain(err) }); err != nil {
			k.Complain(err)
		}
		for _, done := range waits {
			close(done)
		}
	}
}

func (k *Keeper) keeps(p solve.Puzzle) bool {
	size := p.Bounds().Size()
	return size.X*size.Y <= k.Most
}

// Recall looks a puzzle up.
func (k *Keeper) Recall(ctx context.Context, family string, p solve.Puzzle, version string) *store.Knowledge {
	if !k.keeps(p) {
		return nil
	}
	s := k.Open(ctx)
	if s == nil {
		return nil
	}
	known, err := s.Recall(ctx, family, p, version)
	if err != nil && ctx.Err() == nil {
		k.Complain(err)
	}
	return known
}

// Keep keeps a puzzle with what was found, soon.
func (k *Keeper) Keep(ctx context.Context, n store.News) error {
	k.Begin(ctx, n)
	return nil
}

// Begin is Keep that tells when it is done, by closing the channel; nil: nothing is kept.
func (k *Keeper) Begin(ctx context.Context, n store.News) <-chan struct{} {
	if !k.keeps(n.Puzzle) || k.Open(ctx) == nil {
		return nil
	}
	done := make(chan struct{})
	k.news <- keepJob{n, done}
	return done
}

// Close waits until all is kept.
func (k *Keeper) Close() {
	k.once.Do(func() {}) // what comes now comes too late
	if k.store == nil {
		return
	}
	close(k.news)
	<-k.done
	if err := k.store.Close(); err != nil {
		k.Complain(err)
	}
}
