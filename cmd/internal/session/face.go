package session

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"
	"sync"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/overlay"
	"onlooker/input"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A face is what is drawn over the screen: answers, and in which state the mouse is. Its
// methods may be called from any goroutine; those of nil do nothing.
type face struct {
	err   io.Writer
	width float64

	mu     sync.Mutex
	over   canvas
	lines  []picture.Shape
	label  []picture.Shape
	hidden bool
}

// A canvas shows shapes over the screen.
type canvas interface {
	Show([]picture.Shape) error
	Close() error
}

// openFace opens what is drawn over the screen; nil where nothing is asked for.
func openFace(f *faceFlags, errOut io.Writer) (*face, error) {
	if f.width < 0 {
		return nil, cli.Misusef("--overlay-width %g, want 0 or more", f.width)
	}
	colour, err := f.lineColour()
	if err != nil || !f.overlay {
		return nil, err
	}
	over, err := overlay.Open(colour)
	if err != nil {
		return nil, err
	}
	return &face{err: errOut, width: f.width, over: over}, nil
}

// keys sets the keys of the face, and the one that has boards looked at anew. A key that is not
// to be had is said, and is no error: it does nothing that cannot be done without.
func (s *session) keys(device input.Device, again func()) {
	set := func(name, key string, do func()) {
		if key == "" || key == "none" {
			return
		}
		if err := device.Hotkey(key, do); err != nil {
			fmt.Fprintf(s.Err, "onlooker: --%s: %s\n", name, cli.OneLine(err.Error()))
		}
	}
	if s.face != nil {
		set("hide-key", s.hide, s.face.toggle)
	}
	set("look-key", s.again, again)
}

// draw shows the answers of boards, and no others.
func (o *face) draw(at image.Point, lines ...picture.Shape) {
	if o == nil {
		return
	}
	for i, s := range lines {
		lines[i].Colour = overlay.Ink()
		if s.Kind == picture.Polygon { // a dot is left out, and seen
			lines[i].Colour = color.NRGBA{A: 255}
		}
		for k := range s.Points {
			s.Points[k].X += float64(at.X)
			s.Points[k].Y += float64(at.Y)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.lines = lines
	o.show()
}

// say shows in which state the mouse is, in the corner of what is looked at.
func (o *face) say(at image.Point, words string) {
	if o == nil {
		return
	}
	const inset = 12
	o.mu.Lock()
	defer o.mu.Unlock()
	o.label = overlay.Label(words, at.Add(image.Pt(inset, inset)))
	o.show()
}

// toggle hides what is drawn, or shows it again.
func (o *face) toggle() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hidden = !o.hidden
	o.show()
}

func (o *face) show() {
	var shapes []picture.Shape
	if !o.hidden {
		shapes = slices.Concat(o.lines, o.label)
	}
	if err := o.over.Show(shapes); err != nil {
		fmt.Fprintf(o.err, "onlooker: %v\n", err)
	}
}

// stopRest is how long it is shown why the mouse stopped.
const stopRest = 2 * time.Second

// close ends the face; what it says last is read first.
func (o *face) close() {
	if o == nil {
		return
	}
	o.mu.Lock()
	said := o.label != nil
	o.mu.Unlock()
	if said {
		time.Sleep(stopRest)
	}
	if err := o.over.Close(); err != nil {
		fmt.Fprintf(o.err, "onlooker: %v\n", err)
	}
}

// sights draw the answers over the boards that are seen.
type sights struct {
	deaf
	face *face
}

// above is where it is said how to turn a pillar: over its bright top, or in the corner.
func above(b *vision.Board, words string) image.Point {
	area := b.Area()
	if y := area.Min.Y - area.Dy()/b.Rows - overlay.LabelHeight; y > 0 {
		return image.Pt(max(0, (area.Min.X+area.Max.X-overlay.LabelWidth(words))/2), y)
	}
	return image.Point{}
}

// Look draws the answers of a look's boards, and no others, crosses out what has none, and
// says how a pillar is to be turned, or which board is the one.
func (s sights) Look(t *see.Turn) {
	var out []picture.Shape
	words, at := "", t.Bounds.Min
	for _, set := range t.Sets() {
		if line, right := set.Conclude(); right == nil {
			words = line
		}
	}
	for i := range t.Boards {
		b := &t.Boards[i]
		if part := (*see.PartError)(nil); errors.As(b.Err, &part) {
			words, at = part.Error(), t.Bounds.Min.Add(above(b.Board, part.Error()))
			out = append(out, see.Turning(b.Reading, part.Way, s.face.width)...)
		}
		if b.Outcome() == answer.Unsolvable && !b.Board.Pillar {
			out = append(out, see.Cross(b.Reading, s.face.width)...)
		}
		// How a pillar stands is not told by one frame, and a line that is there
		// already needs no other.
		switch {
		case b.Board.Solved || len(b.Strokes()) == 0:
		case b.Turned != nil:
			out = append(out, see.Facing(b.Reading, b.Strokes(), b.Turned, s.face.width)...)
		case !b.Board.Pillar:
			out = append(out, see.Plain(b.Reading, b.Strokes(), s.face.width)...)
		}
	}
	s.face.draw(t.Bounds.Min, out...)
	s.face.say(at, words)
}

// answers draw the answer over the board that it is entered on, in a dry run until the next;
// and what the mouse is about in the corner.
type answers struct {
	deaf
	*Options
	face   *face
	source capture.Source
	at     image.Point // its corner when it was begun
}

// Begin draws it.
func (a answers) Begin(_ int, d *drive.Drive) {
	if !d.Reading.Board.Pillar {
		a.face.draw(a.source.Bounds().Min, see.Plain(d.Reading, d.Answer, a.face.width)...)
	}
}

// End takes it away.
func (a answers) End(int, *drive.Drive) error {
	if !a.dryRun {
		a.face.draw(a.source.Bounds().Min)
	}
	return nil
}

// State shows it.
func (a answers) State(words string, _ bool) { a.face.say(a.at, words) }
