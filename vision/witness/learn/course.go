package learn

import (
	"errors"
	"fmt"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A Course learns a look from shots. Of those of which nobody told what they show that counts
// which is read without help: with the look that is known, and by their structure. What no
// picture shows is taken over from the look that is known.
type Course struct {
	Base *calibrations.Profile // the look that is known
	// Forms are how symbols are drawn; nil, or where shots show kinds that the look does not know: as
	// the look has them with these.
	Forms drawing.Forms
	Read  ReadBoard
	// Held says that where the last shot calls a symbol otherwise than another shot calls one that
	// looks the same, that is a *Misreading that was told.
	Held  bool
	Heard func(stage string, done, of int) // is told what is done, and how many of how many shots; nil: nobody is
}

// Learn learns the look that the shots show and proves it by reading them back.
func (c *Course) Learn(shots []Shot) (*Calibration, error) {
	base := *c.Base
	for _, s := range shots {
		for _, t := range s.Truth {
			shows(&base, t.Panel)
		}
	}
	if c.Forms == nil || len(base.Kinds) > len(c.Base.Kinds) {
		c.Forms = drawing.FormsOf(&base)
	}
	if c.Held {
		if err := c.contradicted(shots); err != nil {
			return nil, err
		}
	}
	out := &Calibration{drawn: c.Forms, read: c.Read, heard: c.Heard}
	for i := range shots {
		out.hear("looking at the pictures", i, len(shots))
		if len(shots[i].Truth) > 0 {
			out.Shots = append(out.Shots, shots[i])
			continue
		}
		read, err := c.unaided(&base, shots[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shots[i].Name, err)
		}
		out.Shots = append(out.Shots, read)
	}
	return out.byTruth(&base, out.Shots)
}

// alikeForms is the least correlation of two symbols that look the same: squares and blunt stars
// have up to 0.965 with each other, a one-square piece and a triangle 0.973.
const alikeForms = 0.98

// contradicted is a *Misreading where one word of a person denies another: the last shot calls a
// symbol otherwise than another shot calls one that looks the same. What is read of either is no
// word against it.
func (c *Course) contradicted(shots []Shot) error {
	found := &Calibration{drawn: c.Forms}
	lessons, _, err := found.lessons(shots, look.Structure(c.Base), c.Base)
	if err != nil {
		return nil // there is nothing to hold it against
	}
	covers(lessons)
	for _, l := range lessons {
		l.Model.Cells.On(l.Panel)
	}
	words := symbolsOf(lessons)
	last := lessons[len(lessons)-1]
	for _, s := range words {
		for _, o := range words {
			if last.Name != shots[len(shots)-1].Name || s.Board != len(lessons)-1 || s.Board == o.Board || witness.SameMeaning(s.Symbol, o.Symbol) || witness.Kin(s.Symbol, o.Symbol) {
				continue
			}
			if like := look.Correlation(s.View, s.Mask, o.Mask, view.Tuned.Slack); like.Score >= alikeForms {
				looks := last.Panel.Clone()
				looks.At(s.View.At).Symbol = o.Symbol
				return &Misreading{true, last.Name, last.Panel, looks}
			}
		}
	}
	return nil
}

// shows adds the kinds of symbols that a panel has and a look does not know.
func shows(base *calibrations.Profile, p *witness.Panel) {
	for at := range p.Points() {
		if k := p.At(at).Kind; k.About().Figure != nil && !slices.Contains(base.Kinds, k.String()) {
			base.Kinds = append(slices.Clone(base.Kinds), k.String())
		}
	}
}

// unaided is a shot with what is read of its boards without help.
func (c *Course) unaided(base *calibrations.Profile, s Shot) (Shot, error) {
	why := errors.New("no board found")
	for _, look := range []*calibrations.Profile{look.Structure(base), base} {
		located, err := locate.Boards(s.Frame, look.Board)
		if err != nil {
			return s, err
		}
		for _, b := range located {
			switch p, err := c.Read(look, c.Forms, b); {
			case b.Pillar:
				why = errors.New("no flat board found, and of a pillar one view shows too little: take the look from flat boards")
			case err != nil:
				why = fmt.Errorf("not read without help, %w: put it right in the page of onlooker serve, or say with --truth what it shows", err)
			case b.Solved:
				why = errors.New("a line is drawn on it, which hides how it looks without")
			case !slices.ContainsFunc(s.Truth, func(t Truth) bool { return near(b, *t.Quad) }):
				s.Truth = append(s.Truth, Truth{p, &[4]vision.Point{b.Quad[0], b.Quad[1], b.Quad[2], b.Quad[3]}})
			}
		}
	}
	if len(s.Truth) == 0 {
		return s, why
	}
	return s, nil
}
