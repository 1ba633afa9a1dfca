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
	"strconv"
	"sync"
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
	// Tick is called for each line that is done, in no order: old says that an
	// earlier run had done it. It may be nil.
	Tick func(line batchLine, old bool)
}

// runBatch works on the inputs, which come with a key each that names them in every
// run, and writes their lines. An error of the inputs, of writing, or the
// context's ends it; what was done is kept.
func runBatch[T any](ctx context.Context, out *batchOutput, inputs iter.Seq2[string, T], work func(context.Context, T) batchLine, o batchOptions) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, out.wake)
	defer stop()
	tick := func(line batchLine, old bool) {
		if o.Tick != nil {
			o.Tick(line, old)
		}
	}
	slots := make(chan struct{}, o.Workers)
	var workers sync.WaitGroup
	n := 0
	for key, input := range inputs {
		i := n
		old, err := out.old(i)
		if err == nil && old != nil {
			err = sameKey(old, key, i, o.KeyOf)
		}
		if err != nil {
			cancel(err)
		}
		if ctx.Err() != nil {
			break
		}
		n++
		if old != nil {
			tick(old, true)
			continue
		}
		out.room(ctx, i)
		slots <- struct{}{}
		workers.Go(func() {
			defer func() { <-slots }()
			line := work(ctx, input)
			if ctx.Err() != nil {
				return // it may say no more than that
			}
			if err := out.put(i, line); err != nil {
				cancel(err)
				return
			}
			tick(line, false)
		})
	}
	workers.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n < out.had {
		return fmt.Errorf("%s: has %d lines, of %d inputs: they are not those that it was begun with", out.name, out.had, n)
	}
	return out.finish()
}

func sameKey(line batchLine, key string, i int, keyOf func(batchLine) (string, error)) error {
	got, err := keyOf(line)
	if err != nil {
		return fmt.Errorf("line %d: %w", i+1, err)
	}
	if got != key {
		return fmt.Errorf("line %d is of %.60q, and input %d is %.60q: the inputs are not those that it was begun with", i+1, got, i+1, key)
	}
	return nil
}

// An batchOutput takes lines in any order and writes them in theirs. Into a file it
// keeps those that must wait for an earlier one in a second file beside it,
// named as it with .ahead behind, which goes when all is done.
type batchOutput struct {
	name  string
	w     io.Writer
	ahead *os.File // nil: nothing is kept
	start int64    // of the lines in ahead, behind the settings
	close func() error
	// fresh: this run made the second file. It goes again where nothing was done,
	// and when all is finished.
	fresh, finished bool

	had  int           // lines of earlier runs
	from *bufio.Reader // gives them again

	mu      sync.Mutex
	moved   sync.Cond
	next    int // the line to be written next
	waiting map[int]batchLine
	// before are the lines that an earlier run left waiting, until their inputs
	// come by: a worker may have written them by then.
	before map[int]batchLine
	done   bool // a line was put
	broken error
}

// batchTo writes to a stream, and keeps nothing.
func batchTo(w io.Writer) *batchOutput {
	o := &batchOutput{w: w, waiting: map[int]batchLine{}, before: map[int]batchLine{}, close: func() error { return nil }}
	o.moved.L = &o.mu
	return o
}

// openBatch writes to a file, behind the lines that it has. A run that was broken
// off must have had the same settings. Until it is closed no other process can
// open it: the error names the one that has it.
func openBatch(name, settings string) (*batchOutput, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, f.Close(), fmt.Errorf("%s is no regular file: a run cannot be continued there", name))
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
	}
	_, missing := os.Stat(name + ".ahead")
	ahead, err := os.OpenFile(name+".ahead", os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	o := batchTo(f)
	o.name, o.ahead, o.fresh = name, ahead, missing != nil
	var old *os.File
	o.close = func() error {
		if old != nil {
			old.Close() // was only read
		}
		err := ahead.Close()
		if o.finished || o.fresh && !o.done { // while the lock is held
			err = errors.Join(err, os.Remove(ahead.Name()))
		}
		return errors.Join(err, f.Close())
	}
	fail := func(err error) (*batchOutput, error) {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), o.close())
	}
	if o.had, err = wholeLines(f); err != nil {
		return fail(err)
	}
	o.next = o.had
	if err := o.readAhead(settings); err != nil {
		return fail(err)
	}
	if old, err = os.Open(name); err != nil {
		return fail(err)
	}
	o.from = bufio.NewReaderSize(old, 1<<16)
	return o, nil
}

// Had is how many lines of earlier runs a file has that came to their end. Such
// a file tells nothing of its settings; one that was broken off does.
func (o *batchOutput) Had() int {
	if !o.fresh {
		return 0
	}
	return o.had
}

// wholeLines counts a file's lines, cuts off what is behind the last line feed,
// and leaves the file at its end.
func wholeLines(f *os.File) (n int, err error) {
	var end, at int64
	for r := bufio.NewReaderSize(f, 1<<16); ; {
		part, err := r.ReadSlice('\n')
		at += int64(len(part))
		switch {
		case err == nil:
			n++
			end = at
		case errors.Is(err, io.EOF):
			if err := f.Truncate(end); err != nil {
				return 0, err
			}
			_, err := f.Seek(end, io.SeekStart)
			return n, err
		case !errors.Is(err, bufio.ErrBufferFull):
			return 0, err
		}
	}
}

// readAhead reads the second file: the settings, then lines with their numbers
// before them.
func (o *batchOutput) readAhead(settings string) error {
	r := bufio.NewReader(o.ahead)
	first, err := r.ReadString('\n')
	if errors.Is(err, io.EOF) { // new, or killed before anything was done
		if err := o.ahead.Truncate(0); err != nil {
			return err
		}
		o.start = int64(len(settings)) + 1
		_, err := o.ahead.WriteAt([]byte(settings+"\n"), 0)
		if err == nil {
			_, err = o.ahead.Seek(o.start, io.SeekStart)
		}
		return err
	}
	if err != nil {
		return err
	}
	if first != settings+"\n" {
		return fmt.Errorf("was begun with other settings: %swant %s", first, settings)
	}
	o.start = int64(len(first))
	end := o.start
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // the last was torn
			if err := o.ahead.Truncate(end); err != nil {
				return err
			}
			_, err := o.ahead.Seek(end, io.SeekStart)
			return err
		}
		if err != nil {
			return err
		}
		end += int64(len(line))
		number, text, ok := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		n, err := strconv.Atoi(string(number))
		if err != nil || !ok {
			return fmt.Errorf("%s.ahead: %.60q, want a number and a line", o.name, line)
		}
		if n >= o.next {
			o.waiting[n], o.before[n] = text, text
		}
	}
}

// old is the line that an earlier run made of the i-th input, or nil. It is to
// be asked for every input in order.
func (o *batchOutput) old(i int) (batchLine, error) {
	if i < o.had {
		line, err := o.from.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", o.name, i+1, err)
		}
		return bytes.TrimSuffix(line, []byte("\n")), nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	line := o.before[i]
	delete(o.before, i)
	if line != nil && i == o.next {
		o.done = true
		return line, o.flush()
	}
	return line, nil
}

// room waits until the i-th input is not too far ahead.
func (o *batchOutput) room(ctx context.Context, i int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i-o.next > window && ctx.Err() == nil {
		o.moved.Wait()
	}
}

// wake lets room look at its context.
func (o *batchOutput) wake() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.moved.Broadcast()
}

// put takes the i-th line.
func (o *batchOutput) put(i int, line batchLine) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done = true
	o.waiting[i] = line
	if i == o.next {
		return o.flush()
	}
	if o.ahead == nil || o.broken != nil {
		return o.broken
	}
	text := append(strconv.AppendInt(nil, int64(i), 10), ' ')
	// What follows a torn line would be taken for its end.
	_, o.broken = o.ahead.Write(append(append(text, line...), '\n'))
	return o.broken
}

// flush writes all lines whose turn it is, in one write: a kill comes before
// or after it.
func (o *batchOutput) flush() error {
	if o.broken != nil {
		return o.broken
	}
	var text []byte
	for {
		line, ok := o.waiting[o.next]
		if !ok {
			break
		}
		text = append(append(text, line...), '\n')
		delete(o.waiting, o.next)
		o.next++
	}
	o.moved.Broadcast()
	if _, err := o.w.Write(text); err != nil {
		// What follows would stand in a wrong place.
		o.broken = err
		return err
	}
	if o.ahead == nil || len(o.waiting) > 0 {
		return nil
	}
	if err := o.ahead.Truncate(o.start); err != nil {
		return err
	}
	_, err := o.ahead.Seek(o.start, io.SeekStart)
	return err
}

// finish says that all is done.
func (o *batchOutput) finish() error {
	if o.ahead == nil {
		return nil
	}
	o.finished = true
	err := o.close()
	o.close = func() error { return nil }
	return err
}

// Close closes the files. Without an error of runBatch before it there is nothing
// left to close.
func (o *batchOutput) Close() error { return o.close() }
