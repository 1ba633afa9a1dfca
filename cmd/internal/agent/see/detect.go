package see

import (
	"context"
	"errors"
	"fmt"
	"image"
	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/locate"
	"onlooker/vision/posterior"
	"slices"
	"time"
)

// An Eye looks at frames with one or several profiles.
type Eye struct {
	Games    []Game
	Profiles []*calibrations.Profile // at least one
	// Beside are tried on boards that the profiles find and do not read, for kinds of symbols
	// that these have not: what a game usually shows is not outvoted.
	Beside []*calibrations.Profile
	// Structures are tried where the profiles read nothing: looks of which
	// nothing is known but that boards are lattices of lines.
	Structures []*calibrations.Profile
	// Model tells how likely readings are right; nil: whatever can be read is.
	Model posterior.Model

	// Asked says that a person asked for a board of the one family that is looked for: there is
	// one, and only which is in question. Size is how many columns and rows it has, where that is said.
	Asked bool
	Size  image.Point
	// Region is the part of pictures that their readers hand to it; empty: all of them.
	Region image.Rectangle

	within context.Context // nil: there is all the time
}

// Within is an eye that looks until a context ends, and then gives what it saw till then, with the
// context's error as what is Broken.
func (e *Eye) Within(ctx context.Context) *Eye {
	o := *e
	o.within = ctx
	return &o
}

// over tells whether the time for looking is over.
func (e *Eye) over() bool { return e.late() != nil }

// late is why nothing more is looked at; nil: there is time.
func (e *Eye) late() error {
	if e.within == nil {
		return nil
	}
	return e.within.Err()
}

// A frame is looked at while there is time, and once for the boards of each look.
type frame struct {
	*locate.Frame
	before *Sight // what was seen in the frame before; nil: it is the first
	millis Millis
	boards map[*calibrations.Profile][]*vision.Board
}

func (e *Eye) newFrame(picture image.Image, before *Sight, millis Millis) *frame {
	f := &frame{locate.NewFrame(picture), before, millis, map[*calibrations.Profile][]*vision.Board{}}
	f.Over = e.over
	return f
}

// game finds the game that a profile's boards belong to.
func (e *Eye) game(p *calibrations.Profile) (*Game, error) {
	for i := range e.Games {
		if g := &e.Games[i]; g.Name == p.Family {
			if g.NewReader == nil && g.Scan == nil {
				return nil, fmt.Errorf("profile %s: boards of %s are not read off the screen", p.Name, p.Family)
			}
			return g, nil
		}
	}
	return nil, fmt.Errorf("profile %s: no family %q", p.Name, p.Family)
}

// locate finds the boards of a frame.
func (f *frame) locate(p *calibrations.Profile) ([]*vision.Board, error) {
	boards, known := f.boards[p]
	if known {
		return boards, nil
	}
	defer f.millis.Add("locate", time.Now())
	boards, err := vision.Guarded(func() ([]*vision.Board, error) { return f.Locate(p.Board) })
	if err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	f.boards[p] = boards
	return boards, nil
}

// A scan looks for boards of cells, which the families' own Scan reads.
type scan struct {
	eye   *Eye
	games []*Game
	scene *grid.Scene
	first chan scanned // what is found by the likeliest contrast
}

// scanned is what a scan found by one contrast. A family whose Scan panicked found
// nothing; err says why.
type scanned struct {
	found []Reading
	err   error
}

// beginScan begins to look at a frame, beside what its caller does.
func (e *Eye) beginScan(frame image.Image) *scan {
	s := &scan{eye: e}
	for i := range e.Games {
		if g := &e.Games[i]; g.Scan != nil && e.wants(g) {
			s.games = append(s.games, g)
		}
	}
	if len(s.games) == 0 {
		return s
	}
	s.scene = grid.NewScene(frame)
	s.scene.Ended, s.scene.Asked, s.scene.Size = e.over, e.Asked, e.Size
	s.first = make(chan scanned, 1)
	go func() { s.first <- s.at(grid.Contrasts()[0]) }()
	return s
}

// at is what the families read of boards that are found by a contrast, side by side.
func (s *scan) at(contrast int) (out scanned) {
	if _, err := vision.Guarded(func() (any, error) { s.scene.Prepare(contrast); return nil, nil }); err != nil {
		return scanned{err: fmt.Errorf("scan: %w", err)}
	}
	all := make([]scanned, len(s.games))
	vision.SideBySide(len(s.games), func(i int) { all[i] = s.family(s.games[i], contrast) })
	for _, one := range all {
		out.found = append(out.found, one.found...)
		out.err = errors.Join(out.err, one.err)
	}
	return out
}

// family is what one family reads of boards that are found by a contrast.
func (s *scan) family(g *Game, contrast int) (out scanned) {
	list, err := vision.Guarded(func() ([]claims.Reading, error) { return g.Scan(s.scene, contrast, s.eye.profiles(g)), nil })
	if err != nil {
		out.err = fmt.Errorf("scan for boards of %s: %w", g.Name, err)
	}
	for _, r := range list {
		one := Reading{Game: g, Board: r.Board, Puzzle: r.Puzzle, Err: r.Err, Profile: s.eye.lookOf(g, r.Look), Evidence: r.Evidence, Seen: r.Seen}
		one.account(s.eye.Asked)
		out.found = append(out.found, one)
	}
	return out
}

// end gives the boards of cells that were found, those that could be read first. known
// are boards that were read already: where all are surer than what was found, no further
// contrast is tried. It is called once. The error says which families could not look; it
// may come beside boards of others.
func (s *scan) end(known []Reading, millis Millis) (found []Reading, broken error) {
	if len(s.games) == 0 {
		return nil, nil
	}
	start := time.Now()
	defer func() { millis.Add("scan", start) }()
	for i, contrast := range grid.Contrasts() {
		if i > 0 && s.eye.over() {
			break
		}
		var now scanned
		if i == 0 {
			now = <-s.first
		} else {
			now = s.at(contrast)
		}
		broken = errors.Join(broken, now.err)
		found = append(found, now.found...)
		sure := likeliest(s.eye.Model, append(slices.Clone(known), now.found...))
		if slices.ContainsFunc(sure, func(r Reading) bool { return r.Err == nil && r.Evidence != nil && r.Board.Flat == nil }) {
			return now.found, broken
		}
	}
	return found, broken
}

// profile is the first profile of a family, nil where there is none.
func (e *Eye) profile(g *Game) *calibrations.Profile {
	for _, p := range e.Profiles {
		if p.Family == g.Name {
			return p
		}
	}
	return nil
}

// lookOf is the look that a board was read in: that which told what it shows, or where
// none did, the family's for boards of any look, which names neither colours nor forms.
func (e *Eye) lookOf(g *Game, told *calibrations.Profile) *calibrations.Profile {
	if told != nil {
		return told
	}
	for _, p := range e.profiles(g) {
		if p.Cells != nil && len(p.Cells.Lit)+len(p.Cells.Dark) == 0 && !p.Learned.Any() {
			return p
		}
	}
	return e.profile(g)
}

// profiles are all profiles of a family.
func (e *Eye) profiles(g *Game) []*calibrations.Profile {
	return slices.DeleteFunc(slices.Clone(e.Profiles), func(p *calibrations.Profile) bool { return p.Family != g.Name })
}

// wants tells whether a family's boards are looked for: not where only other
// families' looks were asked for.
func (e *Eye) wants(g *Game) bool { return e.profile(g) != nil }
