package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
)

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
	s.first = make(chan scanned, 1)
	go func() { s.first <- s.at(grid.Contrasts()[0]) }()
	return s
}

// at is what the families read of boards that are found by a contrast, side by side.
func (s *scan) at(contrast int) (out scanned) {
	if _, err := guarded(func() (any, error) { s.scene.Prepare(contrast); return nil, nil }); err != nil {
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
	list, err := guarded(func() ([]grid.Reading, error) { return g.Scan(s.scene, contrast, s.eye.profiles(g)), nil })
	if err != nil {
		out.err = fmt.Errorf("scan for boards of %s: %w", g.Name, err)
	}
	for _, r := range list {
		out.found = append(out.found, Reading{Game: g, Board: r.Board, Puzzle: r.Puzzle, Err: r.Err, Profile: s.eye.lookOf(g, r.Look)})
	}
	return out
}

// end gives the boards beside what was read already. Two families that read one
// place both ways tell nothing about it. What could not be read is given only where
// nothing was. It is called once. The error says which families could not look; it
// may come beside boards of others.
func (s *scan) end(known []Reading, millis Millis) ([]Reading, error) {
	if len(s.games) == 0 {
		return nil, nil
	}
	start := time.Now()
	defer func() { millis.Add("scan", start) }()
	var unread []Reading
	var broken error
	for i, contrast := range grid.Contrasts() {
		var now scanned
		if i == 0 {
			now = <-s.first
		} else {
			now = s.at(contrast)
		}
		broken = errors.Join(broken, now.err)
		var read []Reading
		for _, r := range now.found {
			switch {
			case slices.ContainsFunc(known, func(k Reading) bool { return k.Err == nil && overlap(k.Board, r.Board) && !explains(r.Board, k.Board) }):
			case r.Err != nil:
				unread = append(unread, r)
			case contradicts(r.Puzzle):
				r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a board that has no answer"}
				unread = append(unread, r)
			default:
				read = append(read, r)
			}
		}
		if read = disputed(read); len(read) > 0 {
			return read, broken
		}
	}
	if len(known) == 0 && len(unread) > 0 {
		return []Reading{refused(unread)}, broken
	}
	return nil, broken
}

// refused is one reading that says why each family refuses a board.
func refused(unread []Reading) Reading {
	out := unread[0]
	var why []string
	for _, r := range unread {
		said := fmt.Sprintf("as %s %v", r.Game.Name, r.Err)
		var u *vision.UnsureError
		if errors.As(r.Err, &u) {
			said = fmt.Sprintf("as %s %s at (%d,%d)", r.Game.Name, u.What, u.At.X, u.At.Y)
		}
		if overlap(r.Board, out.Board) && !slices.Contains(why, said) {
			why = append(why, said)
		}
	}
	out.Err = &vision.UnsureError{What: strings.Join(why, "; ")}
	return out
}

// proofSteps bounds the search for a board's answer, in the solver's questions to
// its context: 20 times what any board of the shared screens takes (24). What takes
// more has proved nothing and is taken as read. It is no time, so that a picture is
// read alike on every machine.
const proofSteps = 500

// contradicts tells whether a board surely has no answer. Every board of a game
// has one, so that it was read wrong, or is a board of something else.
func contradicts(p solve.Puzzle) bool {
	_, err := p.Solve(solve.Asked(context.Background(), proofSteps))
	return errors.Is(err, solve.ErrUnsolvable)
}

// disputed refuses what several families read in one place.
func disputed(read []Reading) []Reading {
	var out []Reading
	for i, r := range read {
		var names []string
		first := true
		for j, o := range read {
			if overlap(r.Board, o.Board) {
				names = append(names, o.Game.Name)
				first = first && i <= j
			}
		}
		if len(names) > 1 {
			r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a board that may be of " + strings.Join(names, " or ")}
		}
		if first {
			out = append(out, r)
		}
	}
	return out
}

// explains tells whether one board takes another's place, being clearly larger:
// part of a board of lamps may look like a small panel of lines, whose border is
// the gap between lamps.
func explains(b, small *vision.Board) bool {
	p, q := area(b).Size(), area(small).Size()
	// A board of cells as many as there are lines is one line's width larger.
	return float64(p.X*p.Y) > 1.3*float64(q.X*q.Y)
}

// overlap tells whether the middle of one board lies within another's outline.
func overlap(a, b *vision.Board) bool {
	in := func(p vision.Point, q [4]vision.Point) bool {
		for i := range q {
			u, v := q[i], q[(i+1)%4]
			if (v.X-u.X)*(p.Y-u.Y)-(v.Y-u.Y)*(p.X-u.X) < 0 {
				return false
			}
		}
		return true
	}
	return in(centre(a), b.Quad) || in(centre(b), a.Quad)
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

var errNoProfile = errors.New("no profile to look with")
