package witness

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// A Shot is a screenshot to measure a look by.
type Shot struct {
	Name  string
	Frame image.Image
	// Truth is what its boards show, where that is known.
	Truth []Truth
}

// A Truth is what one board of a Shot shows, and where its corner nodes are if
// that was told.
type Truth struct {
	Panel *witness.Panel
	Quad  *[4]vision.Point
}

// A Mark is a symbol that could not be told from its shape alone.
type Mark struct {
	Shot  int // index of the shot
	Where vision.Point
	At    image.Point // half-cells of its board
	Like  string      // what it looks most like
}

// KindNames are what a Mark may be said to be.
func KindNames() []string { return drawing.Known().Names() }

// A Calibration is a measured look.
type Calibration struct {
	Profile *calibrations.Profile
	// Measured and Missing say what of the look was seen, and what was not and
	// is taken over from the profile before.
	Measured, Missing []string
	// Read is what the profile reads from each shot, board by board.
	Read [][]*witness.Panel
	// Refused says of which shots something is not told by the profile, and what.
	Refused []string

	drawn drawing.Forms
}

// Structure is a profile that knows nothing but that boards are lattices of
// lines: every length is allowed that a look could have.
func Structure(base *calibrations.Profile) *calibrations.Profile {
	p := *base
	p.Name = "structure alone"
	p.Board.Line = calibrations.Range{0.05, 0.6}
	p.Board.Gap = calibrations.Range{0.05, 0.6}
	p.Board.Start = calibrations.Range{1.02, 2.2}
	p.Board.Cap = calibrations.Range{0.8, 4}
	p.Board.Lines, p.Board.LinesWithin = nil, 0 // of any colour
	p.Loose = true
	return &p
}

// A found is a board of a shot as far as its structure tells.
type found struct {
	shot   int
	sheet  *sheet
	board  *vision.Board
	truth  *witness.Panel // nil: not known
	panel  *witness.Panel // lines, starts, ends
	stains map[image.Point]*stain
	kinds  map[image.Point]witness.Symbol
}

// Calibrate measures the look that the shots show and proves it by reading
// them back. What is not seen in them is taken over from base; with extend the
// result still allows every size that base allowed. ask is called with the
// symbols whose kind could not be told, and answers with one of KindNames for
// each ("" when it does not know either).
func Calibrate(base *calibrations.Profile, extend bool, shots []Shot, ask func([]Mark) ([]string, error)) (*Calibration, error) {
	return (&Calibration{drawn: drawing.Known()}).calibrate(base, extend, shots, ask)
}

// calibrate is Calibrate for symbols of some forms.
func (c *Calibration) calibrate(base *calibrations.Profile, extend bool, shots []Shot, ask func([]Mark) ([]string, error)) (*Calibration, error) {
	if !slices.ContainsFunc(shots, func(s Shot) bool { return s.Truth == nil }) {
		return c.byTruth(base, shots)
	}
	var boards []*found
	for i, shot := range shots {
		here, err := structures(base, c.drawn, i, shot)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shot.Name, err)
		}
		boards = append(boards, here...)
	}
	if err := kinds(boards, c.drawn, ask); err != nil {
		return nil, err
	}
	symbols := 0
	for _, b := range boards {
		symbols += len(b.stains)
	}
	if symbols < 2 {
		return nil, fmt.Errorf("%d symbols in all the screenshots: too few to tell colours apart; show boards with more", symbols)
	}
	profile := *base
	c.Profile = &profile
	if err := c.lengths(boards, extend); err != nil {
		return nil, err
	}
	if err := c.symbols(boards, extend); err != nil {
		return nil, err
	}
	return c, c.prove(shots, boards)
}

// structures finds the boards of a shot and reads their lines: with anything
// allowed that a look could have, and what that leaves with the look of base.
func structures(base *calibrations.Profile, drawn drawing.Forms, index int, shot Shot) ([]*found, error) {
	var out []*found
	var why error
	flat, pillars := 0, 0
	for _, look := range []*calibrations.Profile{Structure(base), base} {
		located, err := vision.Locate(shot.Frame, look.Board)
		if err != nil {
			return nil, err
		}
		for _, b := range located {
			if b.Pillar {
				pillars++
				continue
			}
			flat++
			if slices.ContainsFunc(out, func(f *found) bool { return f.sheet.look != look && near(f.board, b.Quad) }) {
				continue
			}
			f, err := structure(look, drawn, b)
			if err != nil {
				if why == nil { // of the largest board
					why = fmt.Errorf("the board at (%.0f,%.0f): %w", b.Quad[0].X, b.Quad[0].Y, err)
				}
				continue
			}
			f.shot = index
			out = append(out, f)
		}
	}
	switch {
	case flat == 0 && pillars > 0:
		return nil, errors.New("no flat board found, and of a pillar one view shows too little: take the look from flat boards")
	case flat == 0:
		return nil, errors.New("no board found")
	}
	if shot.Truth == nil {
		if len(out) == 0 {
			return nil, fmt.Errorf("no board whose lines can be read: %w", why)
		}
		return out, nil
	}
	var told []*found
	for i, t := range shot.Truth {
		for _, o := range shot.Truth[:i] {
			if t.Quad != nil && o.Quad != nil && within(*t.Quad, *o.Quad, 0.5*width(*t.Quad)/float64(t.Panel.Cols)) {
				return nil, fmt.Errorf("the truth tells of the board at (%.0f,%.0f) twice", t.Quad[0].X, t.Quad[0].Y)
			}
		}
		best, reason := -1, ""
		for i, f := range out {
			if f == nil || t.Quad != nil && !near(f.board, *t.Quad) {
				continue
			}
			d := f.contradicts(t.Panel)
			if best < 0 || d == "" {
				best, reason = i, d
			}
			if d == "" {
				break
			}
		}
		if best < 0 {
			if why != nil {
				return nil, fmt.Errorf("the truth has a board of %dx%d cells, and none is found there that can be read; %w", t.Panel.Cols, t.Panel.Rows, why)
			}
			return nil, fmt.Errorf("the truth has a board of %dx%d cells, and none is found there", t.Panel.Cols, t.Panel.Rows)
		}
		if reason != "" {
			return nil, fmt.Errorf("the truth is not what is shown: %s", reason)
		}
		out[best].truth = t.Panel
		told = append(told, out[best])
		out[best] = nil
	}
	return told, nil
}

func near(b *vision.Board, quad [4]vision.Point) bool { return within(b.Quad, quad, b.ScreenPitch) }

// within tells whether the corners of two quads are within a distance of each
// other, in pixels.
func within(a, b [4]vision.Point, distance float64) bool {
	for i, p := range a {
		if math.Hypot(p.X-b[i].X, p.Y-b[i].Y) > distance {
			return false
		}
	}
	return true
}

// width is the length of a quad's upper side.
func width(quad [4]vision.Point) float64 {
	return math.Hypot(quad[1].X-quad[0].X, quad[1].Y-quad[0].Y)
}

// structure reads what a board shows but for symbols and dots.
func structure(look *calibrations.Profile, drawn drawing.Forms, b *vision.Board) (*found, error) {
	s := newSheet(b, look, drawn)
	panel, starts, err := s.lattice()
	if err != nil {
		return nil, err
	}
	if s.solved(panel) {
		return nil, errors.New("a line is drawn on it, which hides how it looks without")
	}
	f := &found{sheet: s, board: b, panel: panel, stains: map[image.Point]*stain{}}
	for at := range panel.Points() {
		if !witness.IsCell(at) {
			continue
		}
		if st, _ := s.stain(at, starts); st != nil { // what is faint is read back later
			f.stains[at] = st
		}
	}
	return f, nil
}

// contradicts says where a panel differs from what the board's lines show.
func (f *found) contradicts(want *witness.Panel) string {
	got := f.panel
	if want.Cols != got.Cols || want.Rows != got.Rows {
		return fmt.Sprintf("it has %dx%d cells, and the board %dx%d", want.Cols, want.Rows, got.Cols, got.Rows)
	}
	for at := range want.Points() {
		w, g := want.At(at), got.At(at)
		stain := f.stains[at] != nil
		switch {
		case w.Start != g.Start:
			return fmt.Sprintf("at (%d,%d) it has a start: %v, and the picture: %v", at.X, at.Y, w.Start, g.Start)
		case w.IsEnd() != g.IsEnd():
			return fmt.Sprintf("at (%d,%d) it has an end: %v, and the picture: %v", at.X, at.Y, w.IsEnd(), g.IsEnd())
		case witness.IsEdge(at) && w.Gap != g.Gap:
			return fmt.Sprintf("at (%d,%d) it has a gap: %v, and the picture: %v", at.X, at.Y, w.Gap != 0, g.Gap != 0)
		case witness.IsCell(at) && (w.Kind != witness.NoSymbol) != stain:
			return fmt.Sprintf("at (%d,%d) it has a symbol: %v, and the picture: %v", at.X, at.Y, w.Kind != witness.NoSymbol, stain)
		}
	}
	return ""
}

// prove reads the shots with the profile that was measured.
func (c *Calibration) prove(shots []Shot, boards []*found) error {
	c.Read = make([][]*witness.Panel, len(shots))
	for i, shot := range shots {
		located, err := vision.Locate(shot.Frame, c.Profile.Board)
		if err != nil {
			return fmt.Errorf("%s: %w", shot.Name, err)
		}
		for _, want := range boards {
			if want.shot != i {
				continue
			}
			k := slices.IndexFunc(located, func(b *vision.Board) bool { return near(b, want.board.Quad) })
			if k < 0 {
				return fmt.Errorf("%s: with what was measured the board at (%.0f,%.0f) is not found again", shot.Name, want.board.Quad[0].X, want.board.Quad[0].Y)
			}
			r := newReader(c.Profile, c.drawn)
			if err := r.Add(located[k]); err != nil {
				return fmt.Errorf("%s: %w", shot.Name, err)
			}
			got, err := r.Panel()
			if err != nil {
				return fmt.Errorf("%s: with what was measured the board at (%.0f,%.0f) cannot be read: %w", shot.Name, want.board.Quad[0].X, want.board.Quad[0].Y, err)
			}
			if want.truth != nil {
				if d := differShown(want.truth, got); d != "" {
					return fmt.Errorf("%s: with what was measured the board reads otherwise than the truth: %s", shot.Name, d)
				}
			}
			for at, sym := range want.kinds {
				if g := got.At(at).Symbol; g.Kind != sym.Kind {
					return fmt.Errorf("%s: with what was measured (%d,%d) reads as %s, and it is %s", shot.Name, at.X, at.Y, kindName(g.Kind), kindName(sym.Kind))
				}
			}
			c.Read[i] = append(c.Read[i], got)
		}
	}
	return nil
}

// differShown is differ for truths from formats that leave out what a reading
// has: the direction of diagonal caps, and the symmetry of one that says none.
func differShown(want, got *witness.Panel) string {
	w := want.Clone()
	if w.Cols == got.Cols && w.Rows == got.Rows {
		for at := range w.Points() {
			if a, b := w.At(at), got.At(at); a.IsEnd() && b.IsEnd() {
				a.Cap = b.Cap
			}
		}
	}
	if w.Symmetry == witness.NoSymmetry {
		w.Symmetry = got.Symmetry
	}
	return strings.TrimSpace(differ(w, got))
}
