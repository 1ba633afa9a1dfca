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
	// Begin begins to keep what is new of a puzzle, and tells when it is kept, or why not.
	Begin(n store.News) <-chan error
}

// StoreMemory is a store as a Memory.
type StoreMemory struct{ *store.Store }

// Recall takes a store that cannot be read for one that knows nothing.
func (d StoreMemory) Recall(ctx context.Context, family string, p solve.Puzzle, version string) *store.Knowledge {
	known, err := d.Store.Recall(ctx, family, p, version)
	if err != nil {
		return nil
	}
	return known
}

// Begin keeps what was found even when who asked is gone by now.
func (d StoreMemory) Begin(n store.News) <-chan error {
	done := make(chan error, 1)
	go func() {
		_, err := d.Keep(context.Background(), n)
		done <- err
	}()
	return done
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
	begun sync.Once
	news  chan keepJob // nil: nothing was kept
	done  chan struct{}
	told  sync.Once
}

// A keepJob is what is to be kept; done is closed when it is, or when it cannot be.
type keepJob struct {
	store.News
	done chan error
}

// Open opens the store with the first puzzle; nil where there is none.
func (k *Keeper) Open(ctx context.Context) *store.Store {
	k.once.Do(func() {
		path, err := k.Path()
		if err == nil {
			k.store, err = store.Open(ctx, path, Judge)
		}
		if err != nil && ctx.Err() == nil {
			k.Complain(err)
		}
	})
	return k.store
}

// Complain tells what went wrong. A store that can only be read is used, and its
// error says for what not.
func (k *Keeper) Complain(err error) {
	k.told.Do(func() { k.Tell(err, !errors.Is(err, store.ErrReadOnly)) })
}

// write keeps what comes until there is no more. An answer that was found is kept, however the
// search for others ends.
func (k *Keeper) write() {
	defer close(k.done)
	for n := range k.news {
		if s := k.Open(context.Background()); s != nil {
			if _, err := s.Keep(context.Background(), n.News); err != nil {
				k.Complain(err)
			}
		}
		close(n.done)
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

// Begin keeps a puzzle with what was found beside the work, which waits for it where 1000 are kept.
func (k *Keeper) Begin(n store.News) <-chan error {
	done := make(chan error)
	if !k.keeps(n.Puzzle) {
		close(done)
		return done
	}
	k.begun.Do(func() {
		k.news, k.done = make(chan keepJob, 1000), make(chan struct{})
		go k.write()
	})
	k.news <- keepJob{n, done}
	return done
}

// Close waits until all is kept.
func (k *Keeper) Close() {
	if k.begun.Do(func() {}); k.news != nil { // what comes now comes too late
		close(k.news)
		<-k.done
	}
	if k.once.Do(func() {}); k.store == nil {
		return
	}
	if err := k.store.Close(); err != nil {
		k.Complain(err)
	}
}
