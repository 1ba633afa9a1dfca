package see

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/posterior"
)

var errNoProfile = errors.New("no profile to look with")

// betterThan tells whether a sight explains more of the picture than another, or reads
// more where neither tells.
func (s *Sight) betterThan(o *Sight) bool {
	if a, b := s.account(), o.account(); a != b {
		return a > b
	}
	if a, b := s.Read(), o.Read(); a != b {
		return a > b
	}
	return len(s.Readings) > len(o.Readings)
}

// account is how much of the picture the readings explain, of which family can tell.
func (s *Sight) account() (sum float64) {
	for _, r := range s.Readings {
		if r.Puzzle != nil && r.Game.Explained != nil {
			sum += r.Game.Explained(r.Profile, r.Board, r.Puzzle)
		}
	}
	return sum
}

// Look locates and reads every board of a frame. The first profile that settles it is taken, where
// one names the colours of the lines that are found that one first; where none does, that whose
// readings explain most of the picture, of equals the one that
// reads most, and where none reads any, what the structure alone tells, and boards of cells are
// scanned for beside those.
// Stages "locate", "read" and "scan" are added to millis; the last begins where lines tell nothing,
// beside the others, so that its time is what it takes longer.
func (e *Eye) Look(frame image.Image, millis Millis) (*Sight, error) {
	return e.look(e.newFrame(frame, nil, millis), nil, e.Profiles)
}

// LookFirst is Look, with a look that is tried before all others and alone may settle the frame.
// nil: there is none such, and all are tried. What did not change since the look before (nil: there was none) is not read
// again.
func (e *Eye) LookFirst(p *calibrations.Profile, frame *image.RGBA, before *Sight, millis Millis) (*Sight, error) {
	settling := []*calibrations.Profile{p}
	if p == nil {
		settling = nil
	}
	return e.look(e.newFrame(frame, before, millis), p, settling)
}

// look is Look, with a look to try first, and those that may settle the frame.
func (e *Eye) look(frame *frame, first *calibrations.Profile, settling []*calibrations.Profile) (*Sight, error) {
	// Beside looking for lines, but for the likeliest look.
	cells := sync.OnceValue(func() *scan { return e.beginScan(frame.Picture) })
	best, settled, failed := e.lookAtLines(frame, first, settling, cells)
	if settled {
		best.Brief = best.Profile == first && len(e.Profiles) > 1
		blame(frame.Picture, best.Readings, false)
		return best, nil
	}
	if best == nil {
		best = &Sight{Frame: frame.Picture}
	}
	for i := range best.Readings {
		best.Readings[i].account(e.Asked)
	}
	var scanned []Reading
	scanned, best.Broken = cells().end(best.Readings, frame.millis)
	best.Candidates = append(best.Readings, scanned...)
	doubtAmid(e.Model, best.Candidates)
	best.Readings = e.decided(best.Candidates)
	read := best.Read()
	blame(frame.Picture, best.Readings, read == 0)
	if late := e.late(); late != nil {
		best.Broken = errors.Join(best.Broken, fmt.Errorf("look: %w; till then %d boards were read, and %d places seen that may be more", late, read, len(best.Readings)-read))
	}
	if best.Broken != nil && len(best.Readings) == 0 {
		return nil, best.Broken
	}
	if r := best.Readings; len(r) > 0 && (best.Profile == nil || r[0].Err == nil) {
		best.Profile = r[0].Profile
	}
	switch {
	case best.Profile != nil:
	case failed != nil:
		return nil, failed
	case len(e.Profiles) == 0:
		return nil, errNoProfile
	default:
		best.Profile = e.Profiles[0]
	}
	return best, nil
}

// settle decides for a sight's readings where they leave nothing to other looks, since a frame shows
// one client: what was read was read so surely that the mouse may touch it, with its border in sight;
// where nothing was, a side of what goes round was seen.
func (e *Eye) settle(s *Sight) bool {
	for i := range s.Readings {
		s.Readings[i].account(e.Asked)
	}
	decided, settled := e.decided(s.Readings), false
	for _, r := range decided {
		u := (*vision.UnsureError)(nil)
		switch look := r.Profile.Board; {
		case r.Err == nil && !r.sure():
			return false
		case r.Err == nil, errors.As(r.Err, &u) && u.Turned && (len(look.Lines) == 0 || locate.HasLines(look, r.Board)):
			settled = true
		}
	}
	if settled {
		s.Candidates, s.Readings = s.Readings, decided
	}
	return settled
}

func (s *Sight) small() bool {
	return slices.ContainsFunc(s.Readings, func(r Reading) bool { return r.Err == nil && min(r.Board.Cols, r.Board.Rows) < leastSettled })
}

// likeliest is the first of some looks, or that which names the colours of the lines that it finds.
func (e *Eye) likeliest(frame *frame, looks []*calibrations.Profile) *calibrations.Profile {
	if len(looks) > 1 && looks[0].Cells == nil {
		boards, err := frame.locate(looks[0])
		if p := naming(looks[1:], boards); err == nil && p != nil {
			return p
		}
	}
	return looks[0]
}

// naming is the first of some looks that names the colours of the lines of a board; nil: none does.
func naming(looks []*calibrations.Profile, boards []*vision.Board) *calibrations.Profile {
	for _, p := range looks {
		if slices.ContainsFunc(boards, func(b *vision.Board) bool { return locate.HasLines(p.Board, b) }) {
			return p
		}
	}
	return nil
}

// besides are the profiles but for one.
func (e *Eye) besides(one *calibrations.Profile) []*calibrations.Profile {
	return slices.DeleteFunc(slices.Clone(e.Profiles), func(p *calibrations.Profile) bool { return p == one })
}

// lookAtLines looks for boards that are lattices of lines. What a profile settles is decided for
// already, that which is tried first without a look at the others; while none has read anything, others
// is called.
func (e *Eye) lookAtLines(frame *frame, first *calibrations.Profile, settling []*calibrations.Profile, others func() *scan) (best *Sight, settled bool, failed error) {
	profiles := e.Profiles
	if len(settling) > 0 {
		likeliest := e.likeliest(frame, settling)
		profiles = append([]*calibrations.Profile{likeliest}, e.besides(likeliest)...)
	}
	var found []*vision.Board
	var all []Reading
	for _, p := range profiles {
		if g, err := e.game(p); err == nil && g.NewReader == nil || best != nil && e.over() {
			continue
		}
		s, err := e.lookWith(p, frame)
		if err != nil {
			failed = err
			continue
		}
		if slices.Contains(settling, p) && (p == first || !s.small() && naming(e.besides(p), frame.boards[p]) == nil) && e.settle(s) {
			return s, true, nil
		}
		if s.Read() == 0 && (best == nil || best.Read() == 0) {
			others()
		}
		found, all = s.outsideCells(found), append(all, s.Readings...)
		if best == nil || s.betterThan(best) {
			best = s
		}
	}
	if best == nil {
		return nil, false, failed
	}
	best.doubtParts(found)
	if slices.Contains(settling, best.Profile) && !best.small() && e.settle(best) {
		return best, true, nil
	}
	for _, p := range e.Beside {
		e.lookBeside(best, frame, p)
	}
	if best.Read() > 0 {
		for _, p := range e.Structures {
			e.inCells(best, frame, p)
		}
	}
	if best.Read() > 0 {
		return best, false, nil
	}
	for _, p := range e.Structures {
		if e.over() {
			break
		}
		s, err := e.lookWith(p, frame)
		if err != nil {
			continue
		}
		found = s.outsideCells(found)
		s.doubtParts(found)
		s.doubtHidden(all)
		if s.Read() > best.Read() || len(best.Readings) == 0 {
			best = s
		}
	}
	if best.Read() == 0 { // what is likely a board in another look, and is not read: what is was put back for a better
		for i, seen := range Refusals(all) {
			if r := all[i]; r.Puzzle == nil && e.Model.LogOdds(posterior.Refused(r.Game.Name), seen) >= posterior.Logit(toss) {
				best.Readings = append(best.Readings, r)
			}
		}
	}
	return best, false, nil
}

// lookBeside looks for boards that were not read in a look with further kinds of symbols, and takes
// those on which some of these stand.
func (e *Eye) lookBeside(s *Sight, frame *frame, p *calibrations.Profile) {
	g, err := e.game(p)
	near := calibrations.Range{p.Board.Line[0] / 2, p.Board.Line[1] * 1.5}
	unread := func(r Reading) bool { return r.Err != nil && !r.Board.Round() && near.Has(r.Board.Line) }
	if err != nil || g.Shows == nil || e.over() || !slices.ContainsFunc(s.Readings, unread) {
		return
	}
	o, err := e.lookWith(p, frame)
	if err != nil {
		return
	}
	for _, r := range o.Readings {
		on := func(o Reading) bool { return overlap(o.Board, r.Board) }
		if r.Err == nil && g.Shows(r.Puzzle, p.Kinds) && !slices.ContainsFunc(s.Readings, func(o Reading) bool { return o.Err == nil && on(o) }) {
			s.Readings = append(slices.DeleteFunc(s.Readings, on), r)
		}
	}
}

// doubtHidden doubts boards of which a look says that something hides a place: the structure
// alone takes what lies there for a part of them.
func (s *Sight) doubtHidden(known []Reading) {
	for i := range s.Readings {
		r := &s.Readings[i]
		for _, o := range known {
			if u := (*vision.UnsureError)(nil); errors.As(o.Err, &u) && u.Hidden && overlap(o.Board, r.Board) && o.Board.Cols == r.Board.Cols && o.Board.Rows == r.Board.Rows {
				r.Puzzle, r.Err = nil, o.Err
			}
		}
	}
}

// outsideCells doubts what was read within a cell of a board that was found in another
// look: an outlined symbol, which passes for a board. It gives all boards found so far.
func (s *Sight) outsideCells(found []*vision.Board) []*vision.Board {
	for i := range s.Readings {
		r := &s.Readings[i]
		if r.Err == nil && slices.ContainsFunc(found, func(b *vision.Board) bool { return inCell(r.Board, b) }) {
			r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a board in a cell of another"}
		}
		found = append(found, r.Board)
	}
	return found
}

// inCells is outsideCells with the boards that are found by their structure alone, where any
// reading has so few cells as the outlines of a symbol may have.
func (e *Eye) inCells(s *Sight, frame *frame, p *calibrations.Profile) {
	few := func(r Reading) bool { return r.Err == nil && max(r.Board.Cols, r.Board.Rows) <= 4 }
	if !slices.ContainsFunc(s.Readings, few) {
		return
	}
	if boards, err := frame.locate(p); err == nil {
		s.outsideCells(boards)
	}
}

// inCell tells whether a board is no larger than a cell of another that it lies on.
func inCell(a, b *vision.Board) bool {
	return !b.Round() && b.Cols*b.Rows > 1 && overlap(a, b) && a.ScreenPitch*float64(max(a.Cols, a.Rows)) < b.ScreenPitch
}

// doubtParts doubts boards that another look found to be parts of one larger board, which is
// whole: of two islands of a panel each passes for a panel.
func (s *Sight) doubtParts(found []*vision.Board) {
	for _, b := range found {
		var parts []*Reading
		for i := range s.Readings {
			if r := &s.Readings[i]; b.Whole && partOf(r.Board, b) {
				parts = append(parts, r)
			}
		}
		if len(parts) < 2 {
			continue
		}
		for _, r := range parts {
			if r.Err == nil {
				r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a part of a larger board"}
			}
		}
	}
}

// partOf tells whether a flat board's corners are nodes of another that has more cells.
func partOf(a, b *vision.Board) bool {
	if a.Round() || b.Round() || a.Cols > b.Cols || a.Rows > b.Rows || a.Cols*a.Rows == b.Cols*b.Rows {
		return false
	}
	within := 0.1 * b.ScreenPitch
	for y := range b.Rows - a.Rows + 1 {
		for x := range b.Cols - a.Cols + 1 {
			near := func(corner, dx, dy int) bool {
				return a.Quad[corner].Dist(b.ScreenPoint(float64(2*(x+dx)), float64(2*(y+dy)))) < within
			}
			if near(0, 0, 0) && near(1, a.Cols, 0) && near(2, a.Cols, a.Rows) && near(3, 0, a.Rows) {
				return true
			}
		}
	}
	return false
}

func (e *Eye) lookWith(p *calibrations.Profile, frame *frame) (*Sight, error) {
	g, err := e.game(p)
	if err != nil {
		return nil, err
	}
	boards, err := frame.locate(p)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	s := &Sight{Profile: p, Frame: frame.Picture, Readings: make([]Reading, len(boards))}
	vision.SideBySide(len(boards), func(i int) { // the largest first
		r, known := frame.before.again(p, boards[i], frame.Picture)
		if !known {
			r = Reading{Game: g, Board: boards[i], Err: e.late(), Profile: p}
		}
		if !known && r.Err == nil {
			r.Puzzle, r.Err = ReadBoards(g, p, boards[i])
		}
		s.Readings[i] = r
	})
	frame.millis.Add("read", start)
	return s, nil
}

// ReadBoards reads one puzzle from one or several views of it.
func ReadBoards(g *Game, p *calibrations.Profile, views ...*vision.Board) (solve.Puzzle, error) {
	return vision.Guarded(func() (solve.Puzzle, error) {
		r := g.NewReader(p)
		if err := r.Add(views...); err != nil {
			return nil, err
		}
		return r.Puzzle()
	})
}

// LookViews reads one board of which each frame shows a view, as the sides of
// a pillar. The largest board of each frame is its view.
func (e *Eye) LookViews(frames []image.Image, millis Millis) (*Sight, error) {
	var unread *Sight
	var failed error
	seen := make([]*frame, len(frames))
	for i, f := range frames {
		seen[i] = e.newFrame(f, nil, millis)
	}
	for _, p := range e.Profiles {
		g, err := e.game(p)
		if err != nil {
			failed = err
			continue
		}
		if g.NewReader == nil {
			continue // it has no boards that take several views
		}
		views := make([]*vision.Board, 0, len(frames))
		for i, f := range seen {
			boards, err := f.locate(p)
			if err != nil {
				failed = fmt.Errorf("view %d: %w", i+1, err)
				break
			}
			// A pillar among flat boards is what several views are for.
			if at := slices.IndexFunc(boards, func(b *vision.Board) bool { return b.Pillar }); at > 0 {
				boards[0] = boards[at]
			}
			if len(boards) == 0 {
				failed = fmt.Errorf("locate: no board in view %d", i+1)
				break
			}
			views = append(views, boards[0])
		}
		if len(views) < len(frames) {
			continue
		}
		start := time.Now()
		puzzle, err := ReadBoards(g, p, views...)
		millis.Add("read", start)
		s := &Sight{Profile: p, Readings: []Reading{{Game: g, Board: views[0], Puzzle: puzzle, Err: err, Profile: p}}}
		if err == nil {
			e.state(&s.Readings[0])
			return s, nil
		}
		if unread == nil {
			unread = s
		}
	}
	if unread != nil {
		return unread, nil
	}
	return nil, failed
}

// state gives a reading that several views were joined to its probability.
func (e *Eye) state(r *Reading) {
	r.Evidence = nil
	r.account(e.Asked)
	if r.Err == nil {
		r.Confidence = r.Alone(e.Model)
		*r = r.against(nil)
	}
}

// decided is decide for what the eye is asked for: of boards of another size none is given, and
// where there is a board for sure the likeliest place has one.
func (e *Eye) decided(all []Reading) []Reading {
	fits := func(r Reading) bool { return e.Size == image.Point{} || e.Size == image.Pt(r.Board.Cols, r.Board.Rows) }
	var list []Reading
	for _, r := range all {
		if fits(r) {
			list = append(list, r)
		}
	}
	if !e.Asked {
		return decide(e.Model, list)
	}
	for i := range list {
		list[i].Asked = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r Reading) bool {
		return r.Never && slices.ContainsFunc(list, func(o Reading) bool { return o.Err == nil && !o.Never && overlap(o.Board, r.Board) })
	})
	best, odds := -1, make([]float64, len(list))
	sum := 0.0
	for i, r := range list {
		if r.Err != nil {
			continue
		}
		p := r.Alone(e.Model)
		odds[i] = p / max(1e-9, 1-p)
		if best < 0 || odds[i] > odds[best] {
			best = i
		}
	}
	out := decide(e.Model, list)
	if best < 0 {
		return out
	}
	r := list[best]
	for i, o := range list {
		if o.Err == nil && overlap(o.Board, r.Board) && !same(o, r) {
			sum += odds[i]
		}
	}
	for _, o := range out { // the board that was meant may be one that could not be read
		if !overlap(o.Board, r.Board) && o.Err != nil && o.Evidence == nil {
			sum += math.Exp(o.Odds)
		}
	}
	r.Confidence = odds[best] / (odds[best] + sum)
	if r.Confidence < max(toss, r.Profile.Levels.Read) {
		return out
	}
	out = slices.DeleteFunc(out, func(o Reading) bool { return overlap(o.Board, r.Board) })
	return slices.Insert(out, 0, r)
}
