package enter

import (
	"context"
	"image"
	"slices"
	"time"
)

// A client says that it took an answer by more than by showing what was entered: the line
// lights up, the board goes, another comes, or a word or a number appears beside it. What
// appears is told from what changes anyhow, as a clock or a count of moves does, by that it
// comes with what completes the answer, at places that did not change before.

const (
	// signTile is the side, in pixels, of the tiles by which frames are compared: less than a
	// letter of a page's text.
	signTile = 8
	// signTiles is how many of them a word changes at the least. "You win !" in a page's
	// usual size takes 14, a digit of a counter 1 to 4.
	signTiles = 6
	// signTime is how long a client may take to say so, half a second more than one that waits
	// for two, and signRest how long it is looked whether what appeared stays: a clock of
	// seconds changes once more within that.
	signTime = 2500 * time.Millisecond
	signRest = 1100 * time.Millisecond
)

// signs are the places beside a board that changed while an answer was entered, at all tries.
type signs struct {
	board []image.Rectangle // that are not looked at: the board, and what is drawn round it
	last  *image.RGBA       // before what completes the answer; nil: nothing was seen
	noise map[image.Point]bool
}

// newSigns looks beside a board, but for its frame and the places round it where strokes leave it.
func newSigns(t *Task, sheet Sheet) *signs {
	if t.signs != nil {
		return t.signs
	}
	b := t.Reading.Board
	s := &signs{noise: map[image.Point]bool{}}
	frame := 1.0 / 16 // of a cell: the frame of a board is drawn so far out
	// A client may draw a line at an opening as if there were a cell beyond it: seen to 0.6 of a
	// cell beyond the outline, 0.2 wide.
	for _, stroke := range t.Answer {
		for i, within := range []int{1, len(stroke) - 2} {
			if i *= len(stroke) - 1; !opening(stroke, i) {
				continue
			}
			// 0.06 to 0.15: openings are gaps in a wall of that thickness, also those that no
			// stroke goes through, and may be coloured with the cells that they are of.
			frame = 0.16
			by := stroke[i].Sub(stroke[within])
			var box image.Rectangle
			for _, p := range [][2]float64{{0, 0.6}, {0, -0.6}, {1.5, 0.6}, {1.5, -0.6}} { // half-cells out, across
				at := sheet.At(float64(stroke[i].X)+p[0]*float64(by.X)+p[1]*float64(by.Y), float64(stroke[i].Y)+p[0]*float64(by.Y)+p[1]*float64(by.X))
				box = box.Union(image.Rect(int(at.X), int(at.Y), int(at.X)+1, int(at.Y)+1))
			}
			s.board = append(s.board, box)
		}
	}
	s.board = append(s.board, b.Area().Inset(-int(frame*b.ScreenPitch)-1))
	t.signs = s
	return s
}

// sees takes a frame from before the answer is complete.
func (s *signs) sees(f *image.RGBA) {
	if s.last != nil && f != s.last {
		for t := range grown(s.changed(s.last, f)) {
			s.noise[t] = true
		}
	}
	s.last = f
}

// grown are tiles and those that what changes there may come to: a tile all round, as from 9
// to 10, and to both sides twice as far as it is high, as a clock's tens of seconds and its
// minutes change where its seconds did.
func grown(tiles []image.Point) map[image.Point]bool {
	out, left := map[image.Point]bool{}, map[image.Point]bool{}
	for _, t := range tiles {
		left[t] = true
	}
	for _, t := range tiles {
		part, box := []image.Point{t}, image.Rectangle{}
		for i := 0; i < len(part); i++ {
			if !left[part[i]] {
				continue
			}
			delete(left, part[i])
			box = box.Union(image.Rectangle{Min: part[i], Max: part[i].Add(image.Pt(1, 1))})
			for k := range 9 {
				part = append(part, part[i].Add(image.Pt(k%3-1, k/3-1)))
			}
		}
		aside := 2 * box.Dy()
		for y := box.Min.Y - 1; y <= box.Max.Y; y++ {
			for x := box.Min.X - aside; x < box.Max.X+aside; x++ {
				out[image.Pt(x, y)] = true
			}
		}
	}
	return out
}

// changed lists the tiles beside the board that differ between two frames.
func (s *signs) changed(a, b *image.RGBA) []image.Point {
	var out []image.Point
	if a == nil || b == nil || a.Rect != b.Rect {
		return nil
	}
	for y := a.Rect.Min.Y; y+signTile <= a.Rect.Max.Y; y += signTile {
		for x := a.Rect.Min.X; x+signTile <= a.Rect.Max.X; x += signTile {
			tile := image.Rect(x, y, x+signTile, y+signTile)
			if !slices.ContainsFunc(s.board, tile.Overlaps) && differs(a, b, tile) {
				out = append(out, image.Pt(x/signTile, y/signTile))
			}
		}
	}
	return out
}

// differs tells whether an eighth of a tile's pixels, or more, changed visibly.
func differs(a, b *image.RGBA, tile image.Rectangle) bool {
	n := 0
	for y := tile.Min.Y; y < tile.Max.Y; y++ {
		u, v := a.Pix[a.PixOffset(tile.Min.X, y):], b.Pix[b.PixOffset(tile.Min.X, y):]
		for i := 0; i < 4*tile.Dx(); i += 4 {
			if abs(int(u[i])-int(v[i])) > fadeLevels || abs(int(u[i+1])-int(v[i+1])) > fadeLevels || abs(int(u[i+2])-int(v[i+2])) > fadeLevels {
				n++
			}
		}
	}
	return 8*n >= tile.Dx()*tile.Dy()
}

// appeared are the tiles that differ from before the answer was complete, and did not change
// before.
func (s *signs) appeared(now *image.RGBA) map[image.Point]bool {
	out := map[image.Point]bool{}
	for _, t := range s.changed(s.last, now) {
		if !s.noise[t] {
			out[t] = true
		}
	}
	return out
}

// told looks until something has appeared beside the board that stays, for as long as a client
// may take to say something.
func (s *signs) told(ctx context.Context, p *Player) (bool, error) {
	for began := p.now; p.Since(began) < signTime; {
		f, err := p.Grab(ctx)
		if err != nil {
			return false, err
		}
		if len(s.appeared(f)) < signTiles {
			if err := p.Pause(ctx, 3*refreshTime); err != nil {
				return false, err
			}
			continue
		}
		f, err = p.Still(ctx, signTime) // it may come on, or slide in
		if err != nil {
			return false, err
		}
		there := s.appeared(f)
		for rest := p.now; p.Since(rest) < signRest; {
			if err := p.Pause(ctx, 3*refreshTime); err != nil {
				return false, err
			}
			now, err := p.Grab(ctx)
			if err != nil {
				return false, err
			}
			for t := range grown(s.changed(f, now)) {
				delete(there, t)
			}
		}
		p.Logf("%d places beside the board changed with the answer, and stay", len(there))
		return len(there) >= signTiles, nil
	}
	return false, nil
}
