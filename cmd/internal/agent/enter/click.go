package enter

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"slices"
	"time"

	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// An OtherwiseError says that the board answered a click otherwise than it was
// read to: it is another game's, or was read wrong. Nothing more is entered.
type OtherwiseError struct {
	What string
}

func (e *OtherwiseError) Error() string { return "play: the board answers otherwise: " + e.What }

// A clickEntry enters strokes by clicks, and looks after each whether just those
// cells change that are to.
type clickEntry struct {
	atOnce
	player *Player
	sheet  Sheet
	clicks []solve.Click
	cells  []image.Point // all that may be looked at, in half-cells
	task   *Task
	first  *image.RGBA // before any click
	before *image.RGBA // the last click
	after  *image.RGBA // with its effect
	went   bool        // the board did with it
	other  bool        // it did what no click does, and those before did what they were to
	back   bool        // it is as before all of them
}

const (
	// effectTime is how long a click may take to be seen: what turns over does so
	// within 0.4 s, on a busy machine later.
	effectTime = 3 * time.Second
	// restTime is how long a board is waited for to be at rest before a click.
	restTime = 700 * time.Millisecond
)

// newClicking plans the clicks that a task's answer takes.
func newClicking(p *Player, sheet Sheet, t *Task) (Entry, error) {
	c := &clickEntry{player: p, sheet: sheet, task: t, cells: cellsOf(t.Reading.Puzzle)}
	clicker, knows := t.Reading.Puzzle.(solve.Clicker)
	for _, s := range t.Answer {
		if !knows {
			for _, q := range s {
				c.clicks = append(c.clicks, solve.Click{At: q})
			}
			continue
		}
		clicks, err := clicker.Clicks(s)
		if err != nil {
			return nil, fmt.Errorf("drive: %w", err)
		}
		c.clicks = append(c.clicks, clicks...)
	}
	return c, nil
}

func (c *clickEntry) Submit(ctx context.Context) error {
	p := c.player
	for i, click := range c.clicks {
		if err := p.Point(ctx, c.sheet.Half(click.At)); err != nil {
			return err
		}
		before, err := p.Still(ctx, restTime)
		if err != nil {
			return err
		}
		if c.before = before; i == 0 {
			c.first = before
		}
		began := p.now
		if err := p.Play(ctx, input.Click(input.Left)...); err != nil {
			return err
		}
		if err := c.effect(ctx, before, i); err != nil {
			return err
		}
		// What turns over is at rest then; still alone does not tell on a busy machine. After the
		// last click a client may say something meanwhile.
		if i < len(c.clicks)-1 {
			if err := p.Pause(ctx, time.Duration(p.Motion.SettleMillis)*time.Millisecond); err != nil {
				return err
			}
		}
		p.took(p.Since(began))
	}
	return nil
}

// effect looks until the n-th click is seen to have done what it is to. Cells of
// the click before may be turning over still, on a busy machine. With the last the
// client may show something else at once.
func (c *clickEntry) effect(ctx context.Context, before *image.RGBA, n int) error {
	p, click, last := c.player, c.clicks[n], n == len(c.clicks)-1
	want := slices.Clone(click.Changes)
	slices.SortFunc(want, inOrder)
	late := func(q image.Point) bool {
		return n > 0 && slices.Contains(c.clicks[n-1].Changes, q) && !slices.Contains(want, q)
	}
	for began := p.now; ; {
		f, err := p.Grab(ctx)
		if err != nil {
			return err
		}
		got, went := c.changed(before, f, true), false
		if last {
			all := c.changed(c.dimmed(before, f), f, false)
			went = 10*len(all) > 6*len(c.cells) && len(all) > len(want)
		}
		got = slices.DeleteFunc(got, late)
		c.after = f
		switch {
		case click.Changes != nil && slices.Equal(got, want), click.Changes == nil && len(got) > 0:
			return nil
		case went:
			c.went = true
			return nil
		case p.Since(began) < effectTime:
		case last && len(want) > 0 && !slices.ContainsFunc(want, func(q image.Point) bool { return !slices.Contains(got, q) }):
			return nil // something lies over the board now
		case last && n > 0 && len(c.changed(c.first, f, false)) == 0:
			c.back = true
			return nil
		case last && n > 0 && len(got) > 0:
			c.other = true
			return nil
		case len(got) == 0:
			return &MissError{What: fmt.Sprintf("nothing happened: a click at %s changes nothing", solve.PlaceName(click.At))}
		default:
			return &OtherwiseError{What: fmt.Sprintf("a click at %s changes %v, want %v", solve.PlaceName(click.At), got, want)}
		}
		if err := p.Pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
}

func inOrder(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) }

// changed lists the cells that look otherwise, in order: at a third of their places and more,
// since a pattern or a pointer's shade may stay. By strength a place
// counts by how much it changed, as a share of the most that any did: a lamp shines into its
// neighbours.
func (c *clickEntry) changed(before, now *image.RGBA, strength bool) []image.Point {
	shares, most := make([]float64, len(c.cells)), 0.0
	for i, q := range c.cells {
		places := c.sheet.cell(q)
		for _, at := range places {
			if !trail.Changed(before, now, at) {
				continue
			}
			by := 1.0
			if strength {
				by = apart(vision.At(before, at.X, at.Y), vision.At(now, at.X, at.Y))
			}
			shares[i] += 3 * by / float64(len(places))
			most = max(most, by)
		}
	}
	var out []image.Point
	for i, q := range c.cells {
		if shares[i] > 0 && shares[i] > most-1e-9 {
			out = append(out, q)
		}
	}
	return out
}

// Judge tells by whether the board goes once the last click has done what it is to: most of
// the cells that this does not change look otherwise, or nothing is drawn in them any more, as
// where it went with the click. Then those of which the middle shows the ground look as they did.
func (c *clickEntry) Judge(ctx context.Context) (Outcome, error) {
	switch {
	case c.back: // a client took all of it away
		return Refused, nil
	case c.other:
		return Unknown, nil
	case len(c.clicks) == 0:
		return Accepted, nil
	}
	last := c.clicks[len(c.clicks)-1].Changes
	others := slices.DeleteFunc(slices.Clone(c.cells), func(q image.Point) bool { return slices.Contains(last, q) })
	was, blinked := c.colour(c.before), map[image.Point]bool{} // at any time: a client may have a wave go over its board
	return c.player.watch(ctx, c.task, image.Rectangle{}, signTime, func(f *image.RGBA) glance {
		changed, before := c.changed(c.dimmed(c.after, f), f, false), c.dimmed(c.before, f)
		for _, q := range others {
			if slices.Contains(changed, q) || c.plain(f, q) && !c.plain(before, q) {
				blinked[q] = true
			}
		}
		went := c.went || 10*len(blinked) > 6*len(others)
		return glance{gone: went, went: went, red: went && reddish(c.colour(f)) && !reddish(was)}
	})
}

// dimmed is a frame as dark as the page round the board is now, where it became darker: a
// browser darkens a page behind its message, and nothing of that has gone.
func (c *clickEntry) dimmed(before, now *image.RGBA) *image.RGBA {
	var box image.Rectangle
	for _, q := range c.cells {
		places := c.sheet.cell(q)
		room := int(places[0].Dist(places[len(places)-1]))
		for _, p := range places {
			at := image.Pt(int(p.X), int(p.Y))
			box = box.Union(image.Rectangle{Min: at, Max: at}.Inset(-room))
		}
	}
	var beside []vision.Point
	for i := range 8 {
		x, y := float64(box.Min.X+box.Dx()*i/8), float64(box.Min.Y+box.Dy()*i/8)
		for _, p := range []vision.Point{{X: x, Y: float64(box.Min.Y)}, {X: x, Y: float64(box.Max.Y)}, {X: float64(box.Min.X), Y: y}, {X: float64(box.Max.X), Y: y}} {
			if image.Pt(int(p.X), int(p.Y)).In(now.Rect.Inset(2)) {
				beside = append(beside, p)
			}
		}
	}
	light := trail.Light(before, now, beside)
	if light >= 1 {
		return before
	}
	out := image.NewRGBA(before.Rect)
	for i, b := range before.Pix {
		out.Pix[i] = uint8(light * float64(b))
	}
	return out
}

// colour is that of most cells.
func (c *clickEntry) colour(f *image.RGBA) vision.RGB {
	var all []vision.RGB
	for _, q := range c.cells {
		at := c.sheet.Half(q)
		all = append(all, vision.At(f, at.X, at.Y))
	}
	return vision.MedianRGB(all)
}

// plain tells whether nothing is drawn in a cell.
func (c *clickEntry) plain(f *image.RGBA, q image.Point) bool {
	if _, moved := c.sheet.Places[q]; moved {
		return false
	}
	at := func(dx, dy float64) vision.Point { return c.sheet.At(float64(q.X)+dx, float64(q.Y)+dy) }
	for dy := -0.9; dy < 1; dy += 0.2 {
		for dx := -0.9; dx < 1; dx += 0.2 {
			if trail.Apart(f, at(0, 0), at(dx, dy)) {
				return false
			}
		}
	}
	return true
}

// cell are places of a cell, by its middle: five each way, to half its width.
// Those of a cell that is elsewhere than the lattice has it lie within 3 pixels.
func (s Sheet) cell(q image.Point) []vision.Point {
	var out []vision.Point
	middle, moved := s.Places[q]
	for dy := -2.0; dy <= 2; dy++ {
		for dx := -2.0; dx <= 2; dx++ {
			if moved {
				out = append(out, vision.Point{X: middle.X + 1.5*dx, Y: middle.Y + 1.5*dy})
			} else {
				out = append(out, s.At(float64(q.X)+0.25*dx, float64(q.Y)+0.25*dy))
			}
		}
	}
	return out
}
