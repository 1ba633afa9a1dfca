package fans

import (
	"cmp"
	"encoding/binary"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// A Text is a block of characters of one width, as a terminal shows them: rows
// that begin and end in the same columns.
type Text struct {
	Picture    *part.Picture
	Cols, Rows int
	// Cap is the height of a capital in pixels.
	Cap float64
	// origin is the left of the first character at its capitals' top; right and down
	// lead to the next column and row, in pixels.
	origin, right, down vision.Point
	ground              part.Colour
	contrast            float64
}

// Quad is the outline of the characters' cells in the frame.
func (t *Text) Quad() [4]vision.Point {
	over := (math.Hypot(t.down.X, t.down.Y) - t.Cap) / 2 / math.Hypot(t.down.X, t.down.Y)
	c, r := float64(t.Cols), float64(t.Rows)
	return [4]vision.Point{t.at(0, -over), t.at(c, -over), t.at(c, r-over), t.at(0, r-over)}
}

// at is a place in characters and rows, in the frame.
func (t *Text) at(c, r float64) vision.Point {
	return vision.Point{X: t.origin.X + c*t.right.X + r*t.down.X, Y: t.origin.Y + c*t.right.Y + r*t.down.Y}
}

// From is the block with rows from another one on, which may lie outside.
func (t *Text) From(row, rows int) *Text {
	out := *t
	out.origin, out.Rows = t.at(0, float64(row)), rows
	return &out
}

// Character is the form that stands in a cell, and where its box is above the
// baseline in heights of a capital; false for a blank.
func (t *Text) Character(c, r int) (g cell.Glyph, ok bool) {
	w, h := int(math.Ceil(math.Hypot(t.right.X, t.right.Y))), int(math.Ceil(1.3*t.Cap))
	rowPixel := 1 / math.Hypot(t.down.X, t.down.Y)
	ink := make([]float64, w*h)
	box := image.Rectangle{}
	for y := range h {
		for x := range w {
			p := t.at(float64(c)+(float64(x)+0.5)/float64(w), float64(r)+(float64(y)+0.5-0.15*t.Cap)*rowPixel)
			v := min(1, float64(t.Picture.At(p.X-0.5, p.Y-0.5).Contrast(t.ground))/t.contrast)
			ink[y*w+x] = v
			if v >= 0.4 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return g, false
	}
	cut := make([]float64, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		cut = append(cut, ink[y*w+box.Min.X:y*w+box.Max.X]...)
	}
	g.Form = cell.NewForm(cut, box.Dx(), box.Dy())
	g.Top = 1 - (float64(box.Min.Y)-0.15*t.Cap)/t.Cap
	g.Bottom = 1 - (float64(box.Max.Y)-0.15*t.Cap)/t.Cap
	return g, true
}

// Of text in a frame.
const (
	leastCap, mostCap = 6, 64 // pixels
	leastRows         = 2     // of a block, and columns: one line is a word
	mostStep          = 6     // capitals from a row to the next that holds one, three rows
	mostGrounds       = 12    // parts of a frame that are looked at for text on them
	leastGround       = 1500  // pixels of such a part
	wordGap           = 0.9   // capitals between the inks of a row's characters
	// Between those of spaced characters, with one blank or two.
	leastSpace, mostSpace = 0.5, 3.4
	ragged                = 0.6 // capitals by which rows' inks begin and end apart: a dot stands in the middle of its cell
)

// A stretch is a row of characters without a blank between them.
type stretch struct {
	box  image.Rectangle
	tops []image.Rectangle // the boxes of its capitals
	inks int               // boxes of all its characters
}

// Texts are the blocks of characters on even ground, each as every number of
// columns has it that its width allows.
func Texts(s *part.Picture, contrast int) [][]*Text {
	p := s.PartsAt(contrast)
	var grounds []int32
	for i := range p.List {
		if q := &p.List[i]; q.Area >= leastGround && q.Box.Dx() > 2*leastCap && q.Box.Dy() > 2*leastCap {
			grounds = append(grounds, int32(i))
		}
	}
	slices.SortStableFunc(grounds, func(a, b int32) int { return p.List[b].Area - p.List[a].Area })
	grounds = grounds[:min(len(grounds), mostGrounds)]
	found := make([][][]*Text, len(grounds))
	vision.SideBySide(len(grounds), func(i int) { found[i] = textsOn(s, p, grounds[i]) })
	return slices.Concat(found...)
}

// textsOn are the blocks on one part.
func textsOn(s *part.Picture, p *part.Parts, k int32) [][]*Text {
	ground := s.UsualOf(p, k)
	box := p.List[k].Box
	var ink []vision.Span
	most := 0
	bare := p.Runs(k)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := s.Frame.Pix[y*s.Frame.Stride:]
		x := box.Min.X
		for ; len(bare) > 0 && int(bare[0].Y) == y; bare = bare[1:] {
			most = max(most, addInk(&ink, row, y, x, int(bare[0].X0), ground))
			x = int(bare[0].X1)
		}
		most = max(most, addInk(&ink, row, y, x, box.Max.X, ground))
	}
	inks, _ := part.Joined(ink)
	var boxes []image.Rectangle
	for _, q := range inks {
		if q.Box.Dy() <= mostCap {
			boxes = append(boxes, q.Box)
		}
	}
	slices.SortFunc(boxes, func(a, b image.Rectangle) int { return a.Min.X - b.Min.X })
	var out [][]*Text
	done := map[int]bool{}
	left := mostLooks * box.Dx() * box.Dy()
	for _, b := range boxes {
		if h := b.Dy(); h >= leastCap && !done[h] {
			done[h] = true
			for _, w := range spacings() {
				for _, block := range blocks(stretches(boxes, h, w), h) {
					if left < 0 {
						return out
					}
					if t := columns(s, block, h, w, ground, float64(most), &left); len(t) > 0 {
						out = append(out, t)
					}
				}
			}
		}
	}
	return out
}

// leastInk is the contrast of ink with its ground: fainter is what is left of ink
// beside a letter.
const leastInk = 40

// addInk adds what is ink on a ground in a row y of the frame between two columns, and
// gives the greatest contrast there.
func addInk(spans *[]vision.Span, row []uint8, y, from, to int, ground part.Colour) (most int) {
	first := -1
	last, on := ground.Word(), false // many pixels are as the one before
	for x := from; x < to; x++ {
		if v := binary.LittleEndian.Uint32(row[4*x:]) & part.ColourBits; v != last {
			d := part.ColourOf(v).Contrast(ground)
			most = max(most, d)
			last, on = v, d >= leastInk
		}
		switch {
		case on && first < 0:
			first = x
		case !on && first >= 0:
			*spans = append(*spans, vision.Span{Y: int32(y), X0: int32(first), X1: int32(x)})
			first = -1
		}
	}
	if first >= 0 {
		*spans = append(*spans, vision.Span{Y: int32(y), X0: int32(first), X1: int32(to)})
	}
	return most
}

// A spacing is how characters of a row stand: the gaps between their inks and their
// pitch, in capitals.
type spacing struct{ leastGap, mostGap, leastPitch, mostPitch float64 }

// spacings are those of characters side by side, and with blanks between them all.
// Characters of one width are 0.6 to 1.2 capitals wide in common fonts.
func spacings() [2]spacing {
	return [2]spacing{{math.Inf(-1), wordGap, 0.6, 1.2}, {leastSpace, mostSpace, 1.2, 3.6}}
}

// joins tells whether a character may stand so far behind another one of its row, in
// pixels.
func (w spacing) joins(gap, tall int) bool {
	return float64(gap) >= w.leastGap*float64(tall) && float64(gap) <= w.mostGap*float64(tall)
}

// stretches joins boxes of ink, sorted from the left, to rows whose capitals have
// about some height. Rows may lean by a pixel or two from one character to the
// next.
func stretches(boxes []image.Rectangle, tall int, w spacing) []*stretch {
	slack := 1 + tall/8
	var open, out []*stretch
	for _, b := range boxes {
		capital := b.Dy() >= tall-1 && b.Dy() <= tall+1
		if b.Dy() > tall+slack || b.Dx() > 40*tall {
			continue
		}
		var to *stretch
		for _, s := range open {
			last := s.tops[len(s.tops)-1]
			if !w.joins(b.Min.X-s.box.Max.X, tall) || b.Max.Y > last.Max.Y+slack || b.Min.Y < last.Min.Y-slack {
				continue
			}
			to = s
			break
		}
		switch {
		case to != nil:
			to.box = to.box.Union(b)
			to.inks++
			if capital {
				to.tops = append(to.tops, b)
			}
		case capital:
			open = append(open, &stretch{b, []image.Rectangle{b}, 1})
		}
		open = slices.DeleteFunc(open, func(s *stretch) bool {
			if float64(b.Min.X-s.box.Max.X) <= 2*w.mostGap*float64(tall) {
				return false
			}
			out = append(out, s)
			return true
		})
	}
	out = append(out, open...)
	// A row may begin with dots, which are no capitals.
	for _, s := range out {
		for grew := true; grew; {
			grew = false
			for _, b := range boxes {
				first := s.tops[0]
				if b.Max.X <= s.box.Min.X && w.joins(s.box.Min.X-b.Max.X, tall) && b.Dy() <= tall+slack &&
					b.Max.Y <= first.Max.Y+slack && b.Min.Y >= first.Min.Y-slack {
					s.box, grew = s.box.Union(b), true
					s.inks++
				}
			}
		}
	}
	return out
}

// blocks are the stretches that stand below one another at even distances and
// begin and end alike. Rows that hold no capital may be missing between them.
func blocks(list []*stretch, tall int) [][]*stretch {
	slices.SortFunc(list, func(a, b *stretch) int { return a.tops[0].Max.Y - b.tops[0].Max.Y })
	used := map[*stretch]bool{}
	var out [][]*stretch
	near := func(a, b int) bool { return math.Abs(float64(a-b)) <= ragged*float64(tall) }
	for i, first := range list {
		if used[first] {
			continue
		}
		block := []*stretch{first}
		for _, s := range list[i+1:] {
			last := block[len(block)-1]
			step := s.tops[0].Max.Y - last.tops[0].Max.Y
			if step > mostStep*tall {
				break
			}
			if step > tall && near(s.box.Min.X, last.box.Min.X) && near(s.box.Max.X, last.box.Max.X) {
				block = append(block, s)
			}
		}
		if len(block) >= leastRows {
			for _, s := range block {
				used[s] = true
			}
			out = append(out, block)
		}
	}
	return out
}

// straight is how far from level rows, or from upright sides, are as good as that, as a
// tangent.
const straight = 0.01

func snapped(v float64) float64 {
	if math.Abs(v) < straight {
		return 0
	}
	return v
}

// slopeOf is how far the rows of a block go down, in pixels for each to the right.
func slopeOf(block []*stretch) float64 {
	var rise, run float64
	for _, b := range block {
		a, z := b.tops[0], b.tops[len(b.tops)-1]
		rise += float64(z.Max.Y + z.Min.Y - a.Max.Y - a.Min.Y)
		run += 2 * float64(z.Min.X-a.Min.X)
	}
	if run <= 0 {
		return 0
	}
	return rise / run
}

// mostLean is how far sides lean at the most, as a tangent: seen at a slant of 25° those of
// a square do by 0.05, and by as much again where it is turned by 3°.
const mostLean = 0.12

// mostDots is about how many pixels of a block are looked at for its lean: some, evenly, of a
// page of text.
const mostDots = 5000

// leanOf is how far the sides of a block go to the right, in pixels for each down: seen
// from aside they lean otherwise than its rows slope. Along them its ink comes in few
// places, stems over stems and gaps over gaps: the sum of the squares of its profile is
// the greatest. level says that its rows do not slope.
func leanOf(s *part.Picture, block []*stretch, level bool, ground part.Colour, contrast float64) float64 {
	type dot struct{ x, y, ink float64 }
	var dots []dot
	box, each := block[0].box, 1
	for _, b := range block {
		box = box.Union(b.box)
		each += b.box.Dx() * b.box.Dy() / mostDots
	}
	for _, b := range block {
		for y := b.box.Min.Y; y < b.box.Max.Y; y++ {
			for x := b.box.Min.X + y%each; x < b.box.Max.X; x += each {
				i := s.Frame.PixOffset(x, y)
				if c := part.Colour(s.Frame.Pix[i : i+3]).Contrast(ground); c >= leastInk {
					dots = append(dots, dot{float64(x), float64(y), float64(c) / contrast})
				}
			}
		}
	}
	high := float64(box.Dy())
	margin := mostLean*high + 2
	profile := make([]float64, box.Dx()+2*int(margin)+2)
	gathered := func(lean float64) (sum float64) {
		clear(profile)
		for _, d := range dots {
			u := d.x - float64(box.Min.X) + margin - lean*(d.y-float64(box.Min.Y))
			k := int(u)
			part := u - float64(k)
			profile[k] += (1 - part) * d.ink
			profile[k+1] += part * d.ink
		}
		for _, v := range profile {
			sum += v * v
		}
		return sum
	}
	// Most text stands upright: its ink parts where it is turned by two pixels either way.
	pixel := 1 / high // at the block's end
	best, at := gathered(0), 0.0
	if level && best > max(gathered(-2*pixel), gathered(2*pixel)) {
		return 0
	}
	for lean := pixel; lean < mostLean; lean += pixel {
		for _, v := range []float64{lean, -lean} {
			if sum := gathered(v); sum > best {
				best, at = sum, v
			}
		}
	}
	for _, v := range []float64{at - pixel/2, at + pixel/2} {
		if sum := gathered(v); sum > best {
			best, at = sum, v
		}
	}
	return at
}

// mostLooks is how many places are looked at for where columns divide, by the pixels of
// what the text stands on: a map's symbols would take 150.
const mostLooks = 3

// columns are a block's texts by every number of columns that its width allows. left is
// how many places may still be looked at.
func columns(s *part.Picture, block []*stretch, tall int, w spacing, ground part.Colour, contrast float64, left *int) []*Text {
	slope := snapped(slopeOf(block))
	// Where rows are, each by its capitals, at the frame's left.
	at := make([]float64, len(block))
	least := math.Inf(1)
	for i, b := range block {
		for _, c := range b.tops {
			at[i] += (float64(c.Max.Y) - slope*float64(c.Min.X+c.Max.X)/2) / float64(len(b.tops))
		}
		if i > 0 {
			least = min(least, at[i]-at[i-1])
		}
	}
	first, all := block[0], at[len(at)-1]-at[0]
	rows := int(math.Round(all/least)) + 1
	if least <= 0 || rows < leastRows || rows > part.MostSides {
		return nil
	}
	lean := snapped(leanOf(s, block, slope == 0, ground, contrast))
	downY := all / float64(rows-1) / (1 - slope*lean)
	downX := lean * downY
	west, right := math.MaxFloat64, -math.MaxFloat64
	for i, b := range block {
		r := math.Round((at[i] - at[0]) / all * float64(rows-1))
		west = min(west, float64(b.box.Min.X)-r*downX)
		right = max(right, float64(b.box.Max.X)-r*downX)
	}
	top := float64(first.tops[0].Min.Y) - slope*(float64(first.tops[0].Min.X)-west)
	fewest, most := leastRows, part.MostSides
	if w.leastGap > 0 { // each ink is one character
		fewest = slices.MaxFunc(block, func(a, b *stretch) int { return a.inks - b.inks }).inks
		most = fewest
	}
	var out []*Text
	for n := max(fewest, leastRows); n <= most; n++ {
		for _, before := range bearings() {
			for _, after := range bearings() {
				pitch := (right - west) / (float64(n) - before - after)
				if pitch < w.leastPitch*float64(tall) || pitch > w.mostPitch*float64(tall) || pitch < 4 {
					continue
				}
				out = append(out, &Text{
					Picture: s, Cols: n, Rows: rows, Cap: float64(tall), ground: ground, contrast: contrast,
					origin: vision.Point{X: west - before*pitch, Y: top - slope*before*pitch},
					right:  vision.Point{X: pitch, Y: slope * pitch}, down: vision.Point{X: downX, Y: downY},
				})
			}
		}
	}
	// Those first whose columns divide where the lower half of the rows is blank: no
	// capital that boards are typed with reaches its cell's side there.
	ink := make(map[*Text]float64, len(out))
	var best []float64 // of those so far, in order
	for _, t := range out {
		most := math.Inf(1)
		if len(best) == mostTries {
			most = best[mostTries-1]
		}
		ink[t] = t.between(most, left)
		k, _ := slices.BinarySearch(best, ink[t])
		best = slices.Insert(best, k, ink[t])
		best = best[:min(len(best), mostTries)]
	}
	slices.SortStableFunc(out, func(a, b *Text) int { return cmp.Compare(ink[a], ink[b]) })
	return out[:min(len(out), mostTries)]
}

// mostTries is how many divisions of a block into columns are looked at closely.
const mostTries = 16

// bearings are what characters may leave free at their sides, in their widths: a
// letter little, a dot nearly half.
func bearings() []float64 { return []float64{0, 0.08, 0.16, 0.25, 0.4} }

// between is the ink of the lower half of the rows where columns divide; more than
// most where it is that, but not how much. What is looked at is taken off left.
func (t *Text) between(most float64, left *int) float64 {
	sum, enough := 0.0, most*float64(t.Cols+1)
	step := 1 / math.Hypot(t.down.X, t.down.Y)
	for r := range t.Rows {
		for c := range t.Cols + 1 {
			for y := 0.55 * t.Cap; y < 0.9*t.Cap; y++ {
				p := t.at(float64(c), float64(r)+y*step)
				*left--
				sum += float64(t.Picture.At(p.X-0.5, p.Y-0.5).Contrast(t.ground))
				if sum > enough {
					return math.Inf(1)
				}
			}
		}
	}
	return sum / float64(t.Cols+1)
}

// Account is the evidence of a block of characters that was read as a board.
func (t *Text) Account() posterior.Evidence {
	return posterior.Evidence{Characters: 1, claims.Many: math.Log2(float64(t.Cols*t.Rows)) / 10}
}

// Characters is the name of the evidence that a board is typed.
const Characters = "a block of characters"
