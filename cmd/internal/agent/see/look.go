package see

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/locate"
	"onlooker/vision/posterior"
)

// Millis are the times that the stages took, in milliseconds by stage.
type Millis map[string]float64

// Add adds the time since a moment to a stage.
func (m Millis) Add(stage string, since time.Time) { m.Took(stage, time.Since(since)) }

// Took adds a time to a stage, to the microsecond.
func (m Millis) Took(stage string, d time.Duration) {
	m[stage] = math.Round(1000*m[stage]+float64(d.Microseconds())) / 1000
}

var errNoProfile = errors.New("no profile to look with")

// A Reading is one board of a frame: its puzzle, or why it is not told.
type Reading struct {
	Game   *Game
	Board  *vision.Board
	Puzzle solve.Puzzle // nil with an error
	Err    error        // a *vision.UnsureError in most cases
	// Profile is the look that the board was read in.
	Profile *calibrations.Profile
	// Evidence is what it explains of the picture and what it leaves; nil where there is
	// no puzzle.
	Evidence posterior.Evidence
	// Seen is what its cells show, whoever reads them; nil for boards of lines.
	Seen func() posterior.Evidence
	// Never says that it has no answer, which counts for a result where its family was named.
	Never bool
	// Asked says that somebody named its family.
	Asked bool
	// Odds are the log-odds that a board that could not be read is one of the game's.
	Odds float64
	// Confidence is how likely it is right, which means the same for all families: 0 to
	// 1, 0 where there is no puzzle.
	Confidence float64
}

// A Sight is what one look at a frame gave.
type Sight struct {
	Profile  *calibrations.Profile
	Readings []Reading // largest board first
	// Candidates are what all readers made of the frame, before one was decided for.
	Candidates []Reading
	// Broken is why a family did not look for its boards; nil in most cases.
	Broken error
	// Brief says that not all looks were tried: the first read all that it found, surely, or
	// those that are known read nothing.
	Brief bool

	// Frame is what was looked at.
	Frame image.Image

	frame *image.RGBA // Frame, where a later look may be compared with it
}

// Around is a board's place and 1.5 pitches round it, as far as its caps and what
// is read of it reach.
func Around(b *vision.Board) image.Rectangle { return b.Area().Inset(-int(1.5*b.ScreenPitch) - 1) }

// Unchanged tells whether two frames are the same, pixel by pixel, in a board's
// place and round it.
func Unchanged(a, b *image.RGBA, board *vision.Board) bool {
	if a == nil || a.Rect != b.Rect {
		return false
	}
	box := Around(board).Intersect(a.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		i, j := a.PixOffset(box.Min.X, y), b.PixOffset(box.Min.X, y)
		if !bytes.Equal(a.Pix[i:i+4*box.Dx()], b.Pix[j:j+4*box.Dx()]) {
			return false
		}
	}
	return true
}

// again is what was read of a board in an earlier look, where it is the same in a
// frame, pixel by pixel: reading it once more would tell nothing else.
func (s *Sight) again(p *calibrations.Profile, b *vision.Board, frame image.Image) (Reading, bool) {
	now, ok := frame.(*image.RGBA)
	if s == nil || s.frame == nil || !ok {
		return Reading{}, false
	}
	for _, r := range s.Readings {
		near := func(i int) bool { return r.Board.Quad[i].Dist(b.Quad[i]) < 0.1 }
		if r.Profile == p && r.Board.Cols == b.Cols && r.Board.Rows == b.Rows && r.Board.Pillar == b.Pillar &&
			near(0) && near(1) && near(2) && near(3) && Unchanged(s.frame, now, r.Board) {
			return r, true
		}
	}
	return Reading{}, false
}

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

// Read counts the boards that were read.
func (s *Sight) Read() int {
	n := 0
	for _, r := range s.Readings {
		if r.Puzzle != nil {
			n++
		}
	}
	return n
}

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
	boards map[*calibrations.Profile][]*vision.Board
}

func (e *Eye) newFrame(picture image.Image) *frame {
	f := &frame{locate.NewFrame(picture), map[*calibrations.Profile][]*vision.Board{}}
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

// Look locates and reads every board of a frame. The first profile that settles it is taken, where
// one names the colours of the lines that are found that one first; where none does, that whose
// readings explain most of the picture, of equals the one that
// reads most, and where none reads any, what the structure alone tells, and boards of cells are
// scanned for beside those.
// Stages "locate", "read" and "scan" are added to millis; the last begins where lines tell nothing,
// beside the others, so that its time is what it takes longer.
func (e *Eye) Look(frame image.Image, millis Millis) (*Sight, error) {
	return e.look(e.newFrame(frame), nil, e.Profiles, nil, millis)
}

// LookFirst is Look, with a look that is tried before all others and alone may settle the frame.
// nil: there is none such, and all are tried. What did not change since the look before (nil: there was none) is not read
// again.
func (e *Eye) LookFirst(p *calibrations.Profile, frame *image.RGBA, before *Sight, millis Millis) (*Sight, error) {
	var settling []*calibrations.Profile
	if p != nil {
		settling = append(settling, p)
	}
	s, err := e.look(e.newFrame(frame), p, settling, before, millis)
	if err == nil {
		s.frame = frame
	}
	return s, err
}

// look is Look, with a look to try first, those that may settle the frame, and what was seen before.
func (e *Eye) look(frame *frame, first *calibrations.Profile, settling []*calibrations.Profile, before *Sight, millis Millis) (*Sight, error) {
	var cells *scan
	begin := func() { // beside looking for lines, but for the likeliest look
		if cells == nil {
			cells = e.beginScan(frame.Picture)
		}
	}
	best, settled, failed := e.lookAtLines(frame, first, settling, before, millis, begin)
	if settled {
		best.Brief = best.Profile == first && len(e.Profiles) > 1
		best.Frame = frame.Picture
		return best, nil
	}
	if best == nil {
		best = &Sight{}
	}
	for i := range best.Readings {
		best.Readings[i].account(e.Asked)
	}
	begin()
	scanned, broken := cells.end(best.Readings, millis)
	best.Broken = broken
	best.Frame = frame.Picture
	best.Candidates = append(best.Readings, scanned...)
	doubtAmid(e.Model, best.Candidates)
	best.Readings = e.decided(best.Candidates)
	best.blame(frame.Picture)
	if best.Profile == nil || len(best.Readings) > 0 && best.Readings[0].Err == nil {
		best.Profile = nil
		for _, r := range best.Readings {
			if best.Profile == nil {
				best.Profile = r.Profile
			}
		}
	}
	if late := e.late(); late != nil {
		unread := len(best.Readings) - best.Read()
		broken = errors.Join(broken, fmt.Errorf("look: %w; till then %d boards were read, and %d places seen that may be more", late, best.Read(), unread))
		best.Broken = broken
	}
	if broken != nil && len(best.Readings) == 0 {
		return nil, broken
	}
	if best.Profile == nil {
		if failed == nil && len(e.Profiles) > 0 {
			best.Profile = e.Profiles[0]
		} else if failed == nil {
			failed = errNoProfile
		}
	}
	if best.Profile == nil {
		return nil, failed
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

// leastSettled are the least columns and rows of boards that settle a frame: the outlines of a
// symbol have fewer.
const leastSettled = 3

func (s *Sight) small() bool {
	return slices.ContainsFunc(s.Readings, func(r Reading) bool { return r.Err == nil && min(r.Board.Cols, r.Board.Rows) < leastSettled })
}

// likeliest is the first of some looks, or that which names the colours of the lines that it finds.
func (e *Eye) likeliest(frame *frame, looks []*calibrations.Profile, millis Millis) *calibrations.Profile {
	if len(looks) > 1 && looks[0].Cells == nil {
		start := time.Now()
		boards, err := e.locate(frame, looks[0])
		millis.Add("locate", start)
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
func (e *Eye) lookAtLines(frame *frame, first *calibrations.Profile, settling []*calibrations.Profile, before *Sight, millis Millis, others func()) (best *Sight, settled bool, failed error) {
	profiles := e.Profiles
	if len(settling) > 0 {
		likeliest := e.likeliest(frame, settling, millis)
		profiles = append([]*calibrations.Profile{likeliest}, e.besides(likeliest)...)
	}
	var found []*vision.Board
	var all []Reading
	for _, p := range profiles {
		if g, err := e.game(p); err == nil && g.NewReader == nil || best != nil && e.over() {
			continue
		}
		s, err := e.lookWith(p, frame, before, millis)
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
		e.lookBeside(best, frame, p, millis)
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
		s, err := e.lookWith(p, frame, before, millis)
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
	return best, false, nil
}

// lookBeside looks for boards that were not read in a look with further kinds of symbols, and takes
// those on which some of these stand.
func (e *Eye) lookBeside(s *Sight, frame *frame, p *calibrations.Profile, millis Millis) {
	g, err := e.game(p)
	near := calibrations.Range{p.Board.Line[0] / 2, p.Board.Line[1] * 1.5}
	unread := func(r Reading) bool { return r.Err != nil && !r.Board.Round() && near.Has(r.Board.Line) }
	if err != nil || g.Shows == nil || e.over() || !slices.ContainsFunc(s.Readings, unread) {
		return
	}
	o, err := e.lookWith(p, frame, nil, millis)
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
	if boards, err := e.locate(frame, p); err == nil {
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

func (e *Eye) lookWith(p *calibrations.Profile, frame *frame, before *Sight, millis Millis) (*Sight, error) {
	g, err := e.game(p)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	boards, err := e.locate(frame, p)
	millis.Add("locate", start)
	if err != nil {
		return nil, fmt.Errorf("locate: %w", err)
	}
	start = time.Now()
	s := &Sight{Profile: p, Readings: make([]Reading, len(boards))}
	s.frame, _ = frame.Picture.(*image.RGBA)
	vision.SideBySide(len(boards), func(i int) { // the largest first
		b := boards[i]
		r, known := before.again(p, b, frame.Picture)
		if !known {
			r = Reading{Game: g, Board: b, Err: e.late(), Profile: p}
		}
		if !known && r.Err == nil {
			r.Puzzle, r.Err = ReadBoards(g, p, b)
		}
		s.Readings[i] = r
	})
	millis.Add("read", start)
	return s, nil
}

// locate finds the boards of a frame.
func (e *Eye) locate(frame *frame, p *calibrations.Profile) (boards []*vision.Board, err error) {
	boards, known := frame.boards[p]
	if !known {
		boards, err = vision.Guarded(func() ([]*vision.Board, error) { return frame.Locate(p.Board) })
		if err == nil {
			frame.boards[p] = boards
		}
	}
	return boards, err
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
		seen[i] = e.newFrame(f)
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
			start := time.Now()
			boards, err := e.locate(f, p)
			millis.Add("locate", start)
			if err != nil {
				failed = fmt.Errorf("locate: view %d: %w", i+1, err)
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
