package learn

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
)

// byTruth learns a look from shots of which it is known what they show, and
// proves it by reading them back. What it then reads otherwise than the truth is an
// error; what it does not tell is noted, as long as it reads half of the boards.
func (c *Calibration) byTruth(base *calibrations.Profile, shots []Shot) (*Calibration, error) {
	left := len(c.Refused)
	structure := look.Structure(base)
	lessons, want, err := c.lessons(shots, structure, structure, base)
	if err != nil {
		return nil, err
	}
	profile, _, err := Look(structure, c.drawn, lessons, false)
	if err != nil {
		return nil, err
	}
	// Where the look finds boards is where it will read them: it finds more of them than
	// their structure does, and nearer to where they are.
	c.Refused = c.Refused[:left]
	if lessons, _, err = c.lessons(shots, structure, profile, structure, base); err != nil {
		return nil, err
	}
	c.hear("learning from all that is seen", 0, 0)
	profile, missing, err := Look(structure, c.drawn, lessons, true)
	if err != nil {
		return nil, err
	}
	profile.Name = base.Name
	c.Profile, c.Missing = profile, missing
	return c, c.prove(shots, want)
}

// prove reads the shots back, as sure as it must be to read none of them otherwise than they
// are. Kinds of symbols that are taken for others all the same are forgotten: of pieces what was
// learned of the other ones tells then, and boards with what nothing tells of are not read.
func (c *Calibration) prove(shots []Shot, want int) error {
	least := c.Profile.Board.Confidence
	for {
		refused := len(c.Refused)
		err := c.readBack(shots, want)
		var wrong *Misreading
		switch {
		case !errors.As(err, &wrong):
			c.measured()
			return err
		case c.Profile.Board.Confidence <= 0.85:
			c.Profile.Board.Confidence = shape.Round3(c.Profile.Board.Confidence + 0.1)
		case c.forget(wrong):
			c.Profile.Board.Confidence = least
		default:
			return err
		}
		c.Refused = c.Refused[:refused]
	}
}

// measured says what was learned.
func (c *Calibration) measured() {
	c.Measured = nil
	for _, f := range c.Profile.Learned.Forms {
		c.Measured = append(c.Measured, fmt.Sprintf("%s (%d)", formName(f.Kind, f.Count, false), f.Seen))
	}
	for _, f := range c.Profile.Learned.Pieces {
		c.Measured = append(c.Measured, fmt.Sprintf("%s (%d)", formName(f.Kind, 0, f.Turnable), f.Seen))
	}
}

// formName names a form that was learned of a kind of symbols.
func formName(kind string, count int, turnable bool) string {
	switch {
	case count > 0:
		return fmt.Sprintf("%s of %d", kind, count)
	case turnable:
		return kind + ", turned"
	}
	return kind
}

// forget drops the kinds of those symbols that were read as others, and says whether there
// were any.
func (c *Calibration) forget(wrong *Misreading) bool {
	learned := &c.Profile.Learned
	forgotten := len(c.Forgotten)
	for at := range wrong.want.Points() {
		want, got := wrong.want.At(at).Symbol, wrong.got.At(at).Symbol
		if want.Kind == witness.NoSymbol || witness.SameMeaning(want, got) {
			continue
		}
		kind, known := want.Kind.Word(), len(learned.Forms)+len(learned.Pieces)
		learned.Forms = slices.DeleteFunc(learned.Forms, func(f calibrations.Form) bool { return f.Kind == kind && f.Count == want.Count })
		learned.Pieces = slices.DeleteFunc(learned.Pieces, func(f calibrations.Piece) bool { return f.Kind == kind && f.Turnable == want.Turnable })
		if len(learned.Forms)+len(learned.Pieces) < known {
			c.Forgotten = append(c.Forgotten, fmt.Sprintf("%s, at %v of %s read as %s", formName(kind, want.Count, want.Turnable), at, wrong.shot, witness.SymbolName(got)))
		}
	}
	return len(c.Forgotten) > forgotten
}

// lessons are the boards of shots that some looks find, measured by one, and how many
// there are to be found.
func (c *Calibration) lessons(shots []Shot, measure *calibrations.Profile, looks ...*calibrations.Profile) (lessons []look.Lesson, want int, err error) {
	for n, shot := range shots {
		c.hear("looking where the boards are", n, len(shots))
		for i, t := range shot.Truth {
			if t.Panel.Pillar {
				return nil, 0, fmt.Errorf("%s: of a pillar one view shows too little: take the look from flat boards", shot.Name)
			}
			if k := slices.IndexFunc(shot.Truth[:i], func(o Truth) bool { return t.near(o) }); k >= 0 {
				return nil, 0, fmt.Errorf("%s: the truth tells of the board at (%.0f,%.0f) twice", shot.Name, t.Quad[0].X, t.Quad[0].Y)
			}
			want++
			b, err := t.Find(shot.Frame, looks...)
			if err != nil {
				c.Refused = append(c.Refused, fmt.Sprintf("%s: %v", shot.Name, err))
				continue
			}
			lessons = append(lessons, look.Lesson{Model: look.New(b, measure, c.drawn), Panel: t.Panel, Name: shot.Name})
		}
	}
	if 2*len(lessons) < want || len(lessons) == 0 {
		return nil, 0, fmt.Errorf("%d of %d boards were found where the truth has them; %w", len(lessons), want, errors.New(c.Refused[0]))
	}
	return lessons, want, nil
}

// A Misreading is a board that with what was learned is read otherwise than its truth.
type Misreading struct {
	Told      bool // by a person, of another picture: see Course.Held
	shot      string
	want, got *witness.Panel
}

func (m *Misreading) Error() string {
	for at := range m.want.Points() {
		if want, got := named(m.want, at), named(m.got, at); want != got {
			return fmt.Sprintf("%s: %s is called %s here and looks like %s of the other pictures", m.shot, solve.PlaceName(at), want, got)
		}
	}
	return fmt.Sprintf("%s: the colours of its symbols divide otherwise than they are called here", m.shot)
}

// named says what stands in a place, for a person: without its colour, whose names are free.
func named(p *witness.Panel, at image.Point) string {
	q := *p.At(at)
	q.Colour, q.Dot.Colour = "", ""
	words := forms.Label(forms.Describe(at, &q)).Shown()
	switch {
	case words == "" && witness.IsCell(at):
		return "an empty cell"
	case words == "" && witness.IsNode(at):
		return "a plain node"
	case words == "":
		return "a whole edge"
	case strings.ContainsAny(words[:1], "aeiou"):
		return "an " + words
	}
	return "a " + words
}

// near tells whether two truths are of boards in one place.
func (t Truth) near(o Truth) bool {
	return t.Quad != nil && o.Quad != nil && Within(*t.Quad, *o.Quad, 0.5*width(*t.Quad)/float64(t.Panel.Cols))
}

// Find is the board that a truth tells of.
func (t Truth) Find(frame image.Image, looks ...*calibrations.Profile) (*vision.Board, error) {
	there := ""
	for _, look := range looks {
		located, err := locate.Boards(frame, look.Board)
		if err != nil {
			return nil, err
		}
		for _, b := range located {
			if b.Pillar || t.Quad != nil && !near(b, *t.Quad) {
				continue
			}
			if b.Cols == t.Panel.Cols && b.Rows == t.Panel.Rows {
				return b, nil
			}
			there = fmt.Sprintf("; it has %dx%d", b.Cols, b.Rows)
		}
	}
	return nil, fmt.Errorf("the truth has a board of %dx%d cells, and none is found there%s", t.Panel.Cols, t.Panel.Rows, there)
}

// readBack reads the shots with the profile that was learned.
func (c *Calibration) readBack(shots []Shot, want int) error {
	c.Read = make([][]*witness.Panel, len(shots))
	read := 0
	for i, shot := range shots {
		c.hear("reading the pictures back", i, len(shots))
		for _, t := range shot.Truth {
			b, err := t.Find(shot.Frame, c.Profile)
			if err != nil {
				c.refuse(fmt.Sprintf("%s: with what was learned: %v", shot.Name, err))
				continue
			}
			got, err := c.read(c.Profile, c.drawn, b)
			if err != nil {
				c.refuse(fmt.Sprintf("%s: with what was learned the board at (%.0f,%.0f) cannot be read: %v", shot.Name, b.Quad[0].X, b.Quad[0].Y, err))
				continue
			}
			if truth, got := witness.Untwisted(t.Panel), witness.Untwisted(got); DifferShown(truth, got) != "" {
				return &Misreading{false, shot.Name, truth, got}
			}
			read++
			c.Read[i] = append(c.Read[i], t.Panel)
		}
	}
	if 2*read < want {
		return fmt.Errorf("with what was learned %d of %d boards are read back: %s", read, want, c.Refused[0])
	}
	return nil
}

// hear tells how far it has come, of nothing where that is not known.
func (c *Calibration) hear(stage string, done, of int) {
	if c.heard != nil {
		c.heard(stage, done, of)
	}
}

func (c *Calibration) refuse(why string) { c.Refused = append(c.Refused, why) }
