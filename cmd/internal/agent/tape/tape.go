// Package tape keeps all that a player sees and does in a folder, and plays it again: a Tape
// stands between a player and its screen, mouse and clock; a Replay stands for these.
package tape

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/solve"
)

// tapeName is the file of a tape in its folder; pictures lie beside it.
const tapeName = "tape.jsonl"

// A moment is one line of a tape: what a player was shown or told, or did.
type moment struct {
	Op      string           `json:"op"`                // grab, part, time, moveto, moveby, press, release, key, pointer, end
	Time    time.Time        `json:"time,omitzero"`     // of time
	At      *image.Point     `json:"at,omitempty"`      // of motions, and where the pointer is
	Button  input.Button     `json:"button,omitempty"`  // of press and release
	Key     input.Key        `json:"key,omitempty"`     // of key
	Size    *image.Point     `json:"size,omitempty"`    // of a grabbed frame
	Corner  *image.Point     `json:"corner,omitempty"`  // of the frame on the screen; nil: (0,0)
	Part    *image.Rectangle `json:"part,omitempty"`    // of part: what was asked for
	Changed *image.Rectangle `json:"changed,omitempty"` // since the frame before; nil: nothing
	Picture string           `json:"picture,omitempty"` // the file of what changed
	Error   string           `json:"error,omitempty"`
}

func (m moment) String() string {
	switch m.Op {
	case "moveto", "moveby":
		return fmt.Sprintf("%s %d %d", m.Op, m.At.X, m.At.Y)
	case "press", "release":
		return fmt.Sprintf("%s %d", m.Op, m.Button)
	case "key":
		return "key " + string(m.Key)
	case "part":
		return fmt.Sprintf("part %v", *m.Part)
	}
	return m.Op
}

// same tells whether two moments are the same request.
func (m moment) same(o moment) bool { return m.String() == o.String() }

// A Tape keeps all that a Player sees and does, and when, in a folder: it is
// the Player's Source, Mouse and Clock, and passes everything on. Like a
// Player it belongs to one goroutine. A Replay of it gives the same run again.
type Tape struct {
	source   capture.Source
	mouse    enter.Mouse
	ended    bool // that the context has is noted
	file     *os.File
	out      *bufio.Writer
	last     *image.RGBA
	count    int
	pictures chan tapePicture
	written  chan error // one, when all pictures are
	failed   error      // of writing
}

type tapePicture struct {
	name string
	m    *image.RGBA
}

// Create begins a tape in a folder, which is made where it is not there.
func Create(folder string, source capture.Source, mouse enter.Mouse) (*Tape, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	f, err := os.Create(filepath.Join(folder, tapeName))
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	// 4096: what changes from frame to frame is a part of a line, mostly.
	t := &Tape{source: source, mouse: mouse, file: f, out: bufio.NewWriter(f), pictures: make(chan tapePicture, 4096), written: make(chan error, 1)}
	go func() {
		var failed error
		for p := range t.pictures {
			if err := see.WritePNG(filepath.Join(folder, p.name), p.m); err != nil && failed == nil {
				failed = err
			}
		}
		t.written <- failed
	}()
	return t, nil
}

func (t *Tape) note(m moment, err error) {
	if err != nil {
		m.Error = err.Error()
	}
	data, bad := json.Marshal(m)
	if bad == nil {
		_, bad = t.out.Write(append(data, '\n'))
	}
	if bad != nil && t.failed == nil {
		t.failed = bad
	}
}

// Grab grabs from the tape's source.
func (t *Tape) Grab(ctx context.Context) (*image.RGBA, error) {
	f, err := t.source.Grab(ctx)
	if err != nil && t.Ended(ctx) != nil {
		return nil, err
	}
	m := moment{Op: "grab"}
	if err == nil {
		t.keep(&m, f)
	}
	t.note(m, err)
	return f, err
}

// GrabPart grabs a part of a frame from the tape's source; all of it where the
// source gives no parts.
func (t *Tape) GrabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error) {
	source, ok := t.source.(capture.PartSource)
	if !ok || t.last == nil {
		return t.Grab(ctx)
	}
	f, err := source.GrabPart(ctx, part)
	if err != nil && t.Ended(ctx) != nil {
		return nil, err
	}
	m := moment{Op: "part", Part: &part}
	if err == nil {
		whole := image.NewRGBA(t.last.Rect)
		copy(whole.Pix, t.last.Pix)
		draw.Draw(whole, f.Rect, f, f.Rect.Min, draw.Src)
		t.keep(&m, whole)
	}
	t.note(m, err)
	return f, err
}

// keep notes a frame by what of it changed since the one before.
func (t *Tape) keep(m *moment, f *image.RGBA) {
	size := f.Rect.Size()
	m.Size = &size
	if corner := t.source.Bounds().Min; corner != (image.Point{}) {
		m.Corner = &corner
	}
	if box := changed(t.last, f); !box.Empty() {
		t.count++
		m.Changed, m.Picture = &box, fmt.Sprintf("tape-%05d.png", t.count)
		part := image.NewRGBA(box)
		draw.Draw(part, box, f, f.Rect.Min.Add(box.Min), draw.Src)
		t.pictures <- tapePicture{m.Picture, part}
	}
	t.last = f
}

// changed is the least rectangle, from the frame's own corner, outside of which
// two frames are the same.
func changed(a, b *image.RGBA) image.Rectangle {
	size := b.Rect.Size()
	if a == nil || a.Rect.Size() != size {
		return image.Rectangle{Max: size}
	}
	box := image.Rectangle{}
	for y := range size.Y {
		p, q := a.Pix[y*a.Stride:y*a.Stride+4*size.X], b.Pix[y*b.Stride:y*b.Stride+4*size.X]
		if bytes.Equal(p, q) {
			continue
		}
		x0, x1 := 0, len(p)
		for p[x0] == q[x0] {
			x0++
		}
		for p[x1-1] == q[x1-1] {
			x1--
		}
		box = box.Union(image.Rect(x0/4, y, (x1+3)/4, y+1))
	}
	return box
}

// Bounds are the source's.
func (t *Tape) Bounds() image.Rectangle { return t.source.Bounds() }

// Close ends the tape, and leaves its source open.
func (t *Tape) Close() error {
	close(t.pictures)
	err := errors.Join(t.failed, <-t.written, t.out.Flush(), t.file.Close())
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// Now is the system's time.
func (t *Tape) Now() time.Time {
	now := time.Now()
	t.note(moment{Op: "time", Time: now}, nil)
	return now
}

// Wait waits.
func (t *Tape) Wait(ctx context.Context, d time.Duration) error {
	if input.SystemPace().Wait(ctx, d) == nil {
		return nil
	}
	return t.Ended(ctx)
}

// Ended notes when it is first seen that the context has.
func (t *Tape) Ended(ctx context.Context) error {
	err := input.SystemPace().Ended(ctx)
	if err != nil && !t.ended {
		t.ended = true
		t.note(moment{Op: "end"}, err)
	}
	return err
}

// Pointer asks the tape's mouse.
func (t *Tape) Pointer() (image.Point, error) {
	at, err := t.mouse.Pointer()
	t.note(moment{Op: "pointer", At: &at}, err)
	return at, err
}

// did notes what the mouse did.
func (t *Tape) did(m moment, err error) error {
	t.note(m, err)
	return err
}

// MoveTo moves as the tape's mouse does, and so do the others.
func (t *Tape) MoveTo(at image.Point) error {
	return t.did(moment{Op: "moveto", At: &at}, t.mouse.MoveTo(at))
}

// MoveBy moves the mouse.
func (t *Tape) MoveBy(dx, dy int) error {
	return t.did(moment{Op: "moveby", At: &image.Point{X: dx, Y: dy}}, t.mouse.MoveBy(dx, dy))
}

// Press presses a button.
func (t *Tape) Press(b input.Button) error {
	return t.did(moment{Op: "press", Button: b}, t.mouse.Press(b))
}

// Release releases a button.
func (t *Tape) Release(b input.Button) error {
	return t.did(moment{Op: "release", Button: b}, t.mouse.Release(b))
}

// Key presses and releases a key.
func (t *Tape) Key(k input.Key) error {
	return t.did(moment{Op: "key", Key: k}, t.mouse.Key(k))
}

// A Replay gives a Player what a tape holds, and holds what the Player does
// against it: whatever is not as it was is an error. It waits for nothing.
type Replay struct {
	folder  string
	file    *os.File
	scan    *bufio.Scanner
	line    int
	ahead   *moment // read already, and not taken yet
	last    *image.RGBA
	corner  image.Point // of the last frame on the screen
	stop    context.CancelCauseFunc
	causes  []error // by which contexts end that a caller tells apart
	differs error
}

// Context is a context that ends where the recorded run's did, by the same of some causes that
// the caller tells apart where it was one.
func (r *Replay) Context(parent context.Context, causes ...error) context.Context {
	ctx, stop := context.WithCancelCause(parent)
	r.stop, r.causes = stop, append(causes, context.Canceled, context.DeadlineExceeded)
	return ctx
}

// over takes the end of the recorded run's context where the tape has it now,
// and tells whether the context given has ended.
func (r *Replay) over(ctx context.Context) error {
	if ctx.Done() == nil {
		return nil // something that is done whether or not it has
	}
	if m, err := r.peek(); err == nil && m.Op == "end" && r.stop != nil {
		r.take()
		r.stop(r.known(m.Error))
	}
	return input.SystemPace().Ended(ctx)
}

// known is an error by what it says: one that a caller tells apart where it is one.
func (r *Replay) known(said string) error {
	for _, err := range append(r.causes, input.ErrCovered) {
		if said == err.Error() {
			return err
		}
	}
	return errors.New(said)
}

// peek reads the tape's next moment and leaves it there; at the end of the tape
// the error is io.EOF.
func (r *Replay) peek() (moment, error) {
	if r.ahead != nil {
		return *r.ahead, nil
	}
	var m moment
	if !r.scan.Scan() {
		if errors.Is(r.scan.Err(), bufio.ErrTooLong) {
			return m, fmt.Errorf("replay: line %d of the tape: longer than %d kB, want a moment", r.line+1, bufio.MaxScanTokenSize>>10)
		}
		return m, cmp.Or(r.scan.Err(), io.EOF)
	}
	if err := json.Unmarshal(r.scan.Bytes(), &m); err != nil {
		return m, fmt.Errorf("replay: line %d of the tape: %w", r.line+1, solve.JSONError(err))
	}
	r.ahead = &m
	return m, nil
}

func (r *Replay) take() {
	r.ahead = nil
	r.line++
}

// A DivergenceError says where a replayed run is no longer as it was recorded.
type DivergenceError struct {
	Line      int // of the tape
	Got, Want string
}

func (e *DivergenceError) Error() string {
	return fmt.Sprintf("replay: line %d of the tape: got %s, want %s", e.Line, e.Got, e.Want)
}

// Open opens the tape in a folder.
func Open(folder string) (*Replay, error) {
	name := filepath.Join(folder, tapeName)
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, fmt.Errorf("replay: %s is a pipe, want a file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	return &Replay{folder: folder, file: f, scan: bufio.NewScanner(f)}, nil
}

// next takes the tape's next moment, which must be the same as got.
func (r *Replay) next(got moment) (moment, error) {
	if r.differs != nil {
		return moment{}, r.differs
	}
	m, err := r.peek()
	switch {
	case errors.Is(err, io.EOF):
		r.differs = &DivergenceError{r.line + 1, got.String(), "the end"}
		return m, r.differs
	case err != nil:
		return m, err
	}
	r.take()
	if !m.same(got) {
		r.differs = &DivergenceError{r.line, got.String(), m.String()}
		return m, r.differs
	}
	if m.Error != "" {
		return m, r.known(m.Error)
	}
	return m, nil
}

// Done tells whether the whole tape was replayed as it is.
func (r *Replay) Done() error {
	if r.differs != nil {
		return r.differs
	}
	switch m, err := r.peek(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return err
	default:
		return &DivergenceError{r.line + 1, "the end", m.String()}
	}
}

// Grab is the next frame of the tape.
func (r *Replay) Grab(ctx context.Context) (*image.RGBA, error) {
	return r.frame(ctx, moment{Op: "grab"})
}

// GrabPart is a part of the next frame of the tape: all of it where the tape was
// made with a source that gives no parts.
func (r *Replay) GrabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error) {
	if err := r.over(ctx); err != nil {
		return nil, err
	}
	if m, err := r.peek(); err == nil && m.Op == "grab" {
		return r.Grab(ctx)
	}
	f, err := r.frame(ctx, moment{Op: "part", Part: &part})
	if err != nil {
		return nil, err
	}
	return f.SubImage(part).(*image.RGBA), nil
}

// frame is the frame that a request gave.
func (r *Replay) frame(ctx context.Context, asked moment) (*image.RGBA, error) {
	if err := r.over(ctx); err != nil {
		return nil, err
	}
	m, err := r.next(asked)
	if err != nil {
		return nil, err
	}
	f := image.NewRGBA(image.Rectangle{Max: *m.Size})
	if r.last != nil && r.last.Rect == f.Rect {
		copy(f.Pix, r.last.Pix)
	}
	if m.Changed != nil {
		file, err := os.Open(filepath.Join(r.folder, m.Picture))
		if err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		part, err := png.Decode(file)
		if err = errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("replay: %s: %w", m.Picture, err)
		}
		draw.Draw(f, *m.Changed, part, part.Bounds().Min, draw.Src)
	}
	r.last, r.corner = f, image.Point{}
	if m.Corner != nil {
		r.corner = *m.Corner
	}
	return f, nil
}

// Bounds are the last frame's.
func (r *Replay) Bounds() image.Rectangle {
	if r.last == nil {
		return image.Rectangle{}
	}
	return r.last.Rect.Add(r.corner)
}

// Close closes the tape.
func (r *Replay) Close() error { return r.file.Close() }

// Now is the time that was noted.
func (r *Replay) Now() time.Time {
	m, err := r.next(moment{Op: "time"})
	if err != nil {
		return time.Time{} // what is asked next says it
	}
	return m.Time
}

// Wait waits for nothing.
func (r *Replay) Wait(ctx context.Context, _ time.Duration) error { return r.over(ctx) }

// Ended is what ended the recorded run, once it has come to that.
func (r *Replay) Ended(ctx context.Context) error { return r.over(ctx) }

// Pointer is where the tape says that the pointer was.
func (r *Replay) Pointer() (image.Point, error) {
	m, err := r.next(moment{Op: "pointer"})
	if err != nil {
		return image.Point{}, err
	}
	return *m.At, nil
}

func (r *Replay) told(m moment) error {
	_, err := r.next(m)
	return err
}

// MoveTo must be what the tape says next, and so must the others.
func (r *Replay) MoveTo(at image.Point) error { return r.told(moment{Op: "moveto", At: &at}) }

// MoveBy must be what the tape says next.
func (r *Replay) MoveBy(dx, dy int) error {
	return r.told(moment{Op: "moveby", At: &image.Point{X: dx, Y: dy}})
}

// Press must be what the tape says next.
func (r *Replay) Press(b input.Button) error { return r.told(moment{Op: "press", Button: b}) }

// Release must be what the tape says next.
func (r *Replay) Release(b input.Button) error { return r.told(moment{Op: "release", Button: b}) }

// Key must be what the tape says next.
func (r *Replay) Key(k input.Key) error { return r.told(moment{Op: "key", Key: k}) }

var (
	_ capture.Source     = (*Tape)(nil)
	_ capture.PartSource = (*Tape)(nil)
	_ capture.PartSource = (*Replay)(nil)
	_ enter.Mouse        = (*Tape)(nil)
	_ enter.Clock        = (*Tape)(nil)
	_ capture.Source     = (*Replay)(nil)
	_ enter.Mouse        = (*Replay)(nil)
	_ enter.Clock        = (*Replay)(nil)
	_ io.Closer          = (*Replay)(nil)
)
