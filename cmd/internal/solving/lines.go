package solving

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"onlooker/cmd/internal/cli"
)

// window is how far an input may be done ahead of the first that is not: what
// takes minutes must not stop the other cores. Lines have about 1 kB.
const window = 10_000

// A batchLine is what was made of an input, without a line feed in it. A context
// that ended makes none.
type batchLine []byte

// batchOptions say how to run.
type batchOptions struct {
	// Workers is how many inputs are worked on at once.
	Workers int
	// KeyOf tells from a line of an earlier run which input it is of.
	KeyOf func(batchLine) (key string, err error)
	// Tick is called for each line: old says that an earlier run wrote it. Old lines and new
	// ones may come at once.
	Tick func(line batchLine, old bool)
}

// runBatch works on the inputs, which come with a key each that names them in every
// run, and writes their lines in their order. An error of the inputs, of writing, or the
// context's ends it; what was written is kept.
func runBatch[T any](ctx context.Context, out *batchOutput, inputs iter.Seq2[string, T], work func(context.Context, T) batchLine, o batchOptions) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	fresh := func(yield func(T) bool) {
		n := 0
		for key, input := range inputs {
			if ctx.Err() != nil {
				return
			}
			if n++; n > out.had {
				if !yield(input) {
					return
				}
				continue
			}
			line, err := out.old(n, key, o.KeyOf)
			if err != nil {
				cancel(err)
				return
			}
			o.Tick(line, true)
		}
		if n < out.had {
			cancel(fmt.Errorf("%s: has %d lines, of %d inputs: they are not those that it was begun with", out.name, out.had, n))
		}
	}
	for done := range cli.InOrder(ctx, fresh, o.Workers, window, func(in T) batchLine { return work(ctx, in) }) {
		line := <-done
		if ctx.Err() != nil {
			continue // it may say no more than that
		}
		// In one write: a kill comes before or after it.
		if _, err := out.w.Write(append(line, '\n')); err != nil {
			cancel(err)
			continue
		}
		o.Tick(line, false)
	}
	return context.Cause(ctx)
}

// A batchOutput takes lines.
type batchOutput struct {
	name string
	w    io.Writer
	had  int           // lines of earlier runs
	from *bufio.Reader // gives them again
}

// openBatch writes to a file, behind the lines that it has. Until it is closed no other
// process can open it: the error names the one that has it.
func openBatch(name string) (*batchOutput, *os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, nil, errors.Join(err, f.Close(), fmt.Errorf("%s is no regular file: a run cannot be continued there", name))
	}
	n, end, err := 0, int64(0), lock(f)
	if err == nil {
		n, end, err = wholeLines(f)
	}
	if err == nil {
		err = f.Truncate(end) // the last was torn
	}
	if err == nil {
		_, err = f.Seek(end, io.SeekStart) // to append would forbid Windows to cut it
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	return &batchOutput{name, f, n, bufio.NewReader(io.NewSectionReader(f, 0, end))}, f, nil
}

// wholeLines counts a text's lines that have an end, and tells where the last one ends.
func wholeLines(text io.Reader) (n int, end int64, err error) {
	at := int64(0)
	for r := bufio.NewReaderSize(text, 1<<16); ; {
		part, err := r.ReadSlice('\n')
		at += int64(len(part))
		switch {
		case err == nil:
			n, end = n+1, at
		case errors.Is(err, io.EOF):
			return n, end, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, 0, err
		}
	}
}

// old is the line that an earlier run made of the n-th input, from 1. It is to
// be asked for every one of them in order.
func (o *batchOutput) old(n int, key string, keyOf func(batchLine) (string, error)) (batchLine, error) {
	line, err := o.from.ReadBytes('\n')
	got := ""
	if err == nil {
		line = bytes.TrimSuffix(line, []byte("\n"))
		got, err = keyOf(line)
	}
	if err == nil && got != key {
		err = fmt.Errorf("is of %.60q, and input %d is %.60q: the inputs are not those that it was begun with", got, n, key)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: line %d %w", o.name, n, err)
	}
	return line, nil
}
