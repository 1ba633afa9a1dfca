package calibrate

import (
	"fmt"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
)

// A Course learns a look in steps: pictures are added, what they show is asked for and put
// right, and then learned. What boards show of which nobody told is read with a look that is
// known and by their structure, and what that does not tell is asked. What no picture shows is
// taken over from the look that is known.
type Course struct {
	// Heard is told what is done, and how many of how many shots; nil: nobody is.
	Heard func(stage string, done, of int)
	Forms drawing.Forms // how symbols are drawn

	read   ReadBoard
	base   *calibrations.Profile
	more   []witness.Kind // that the program has not of itself
	shots  []Shot
	drafts []*draft
	asked  bool // and all answered
}

// A Draft is what a shot's board shows, as far as that is known.
type Draft struct {
	Shot  int
	Board *vision.Board
	Panel *witness.Panel // nil: nothing is known yet
	Out   error          // why nothing is learned from it; nil: it is
}

// New begins with a look that is known, and with what reads boards. Kinds of symbols that
// the program has not of itself are given.
func New(base *calibrations.Profile, read ReadBoard, more ...witness.Kind) *Course {
	return &Course{read: read, base: base, more: more, Forms: drawing.FormsOf(base, more...)}
}

// shows adds the kinds of symbols that a panel has and the look did not know.
func (c *Course) shows(p *witness.Panel) {
	base := *c.base
	for at := range p.Points() {
		if k := p.At(at).Kind; k.About().Figure != nil && !slices.Contains(base.Kinds, k.String()) {
			base.Kinds = append(slices.Clone(base.Kinds), k.String())
		}
	}
	if len(base.Kinds) > len(c.base.Kinds) {
		c.base, c.Forms = &base, drawing.FormsOf(&base, c.more...)
	}
}

// Add finds the boards of a shot of which nobody told what they show.
func (c *Course) Add(shot Shot) error {
	if len(shot.Truth) == 0 {
		here, err := c.draftsOf(shot)
		if err != nil {
			return fmt.Errorf("%s: %w", shot.Name, err)
		}
		c.drafts = append(c.drafts, here...)
	}
	for _, t := range shot.Truth {
		c.shows(t.Panel)
	}
	c.shots, c.asked = append(c.shots, shot), false
	return nil
}

// Drop takes a shot away.
func (c *Course) Drop(shot int) {
	c.shots = slices.Delete(slices.Clone(c.shots), shot, shot+1)
	c.drafts = slices.DeleteFunc(c.drafts, func(d *draft) bool { return d.shot == shot })
	for _, d := range c.drafts {
		if d.shot > shot {
			d.shot--
		}
	}
	c.asked = false
}

// Shots are the shots that were added.
func (c *Course) Shots() []Shot { return c.shots }

// Drafts are the boards of which nobody told, in the order in which they were found.
func (c *Course) Drafts() []Draft {
	var all []Draft
	for _, d := range c.drafts {
		panel := d.read
		if d.right != nil {
			panel = d.right
		} else if c.asked {
			panel = d.panel
		}
		all = append(all, Draft{d.shot, d.located, panel, d.out})
	}
	return all
}

// PutRight says what a board shows. What is asked after that is asked by it.
func (c *Course) PutRight(board int, p *witness.Panel) error {
	d := c.drafts[board]
	if p.Cols != d.located.Cols || p.Rows != d.located.Rows || p.Pillar {
		return fmt.Errorf("a board of %dx%d cells, the picture shows one of %dx%d", p.Cols, p.Rows, d.located.Cols, d.located.Rows)
	}
	c.shows(p)
	d.right, d.panel, d.read, d.doubt, d.unfit, d.out = p, p, p, 0, nil, nil
	return nil
}

// Ask asks for what is not told and cannot be read, from the beginning.
func (c *Course) Ask(ask func(*Question) (string, error)) error {
	c.asked = false
	structure := look.Structure(c.base)
	for _, d := range c.drafts {
		d.begin(structure, c.Forms)
	}
	sorts := sorts(c.Forms)
	for i, s := range sorts {
		if c.Heard != nil {
			c.Heard("comparing what looks alike", i, len(sorts))
		}
		if err := settle(s, c.drafts, ask); err != nil {
			return err
		}
	}
	if err := colours(c.drafts, ask); err != nil {
		return err
	}
	for _, d := range c.drafts {
		if d.out == nil {
			d.out = d.complete()
		}
	}
	c.asked = true
	return nil
}

// Learn learns the look that the shots show and proves it by reading them back.
func (c *Course) Learn() (*Calibration, error) {
	out := &Calibration{drawn: c.Forms, read: c.read, heard: c.Heard}
	out.Shots = c.told(out.refuse)
	return out.byTruth(c.base, out.Shots)
}

// told are the shots with what they show; those that are left out are refused.
func (c *Course) told(refuse func(why string)) []Shot {
	shots := slices.Clone(c.shots)
	for _, d := range c.drafts {
		if d.out != nil {
			refuse(fmt.Sprintf("%s: left out: %v", shots[d.shot].Name, d.out))
			continue
		}
		shots[d.shot].Truth = append(shots[d.shot].Truth, Truth{Panel: d.panel, Quad: &d.located.Quad})
	}
	return slices.DeleteFunc(shots, func(s Shot) bool { return len(s.Truth) == 0 })
}
