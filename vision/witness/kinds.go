package witness

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// kinds settles what every symbol is: by the truth, by its shape, by asking.
func kinds(boards []*found, drawn drawing.Forms, ask func([]Mark) ([]string, error)) error {
	block := usualBlock(boards)
	var unknown []open
	for _, b := range boards {
		unknown = append(unknown, b.settle(block)...)
	}
	// Map order is no order to ask in.
	slices.SortFunc(unknown, func(a, b open) int {
		if a.board.shot != b.board.shot {
			return a.board.shot - b.board.shot
		}
		if a.at.Y != b.at.Y {
			return a.at.Y - b.at.Y
		}
		return a.at.X - b.at.X
	})
	return askFor(unknown, drawn, ask)
}

// An open symbol is one whose shape does not tell its kind.
type open struct {
	board *found
	at    image.Point
	form  form
}

// usualBlock is the side of the squares of pieces, in pitches; 0 where there is none. A
// piece of one square is told from a square by it.
func usualBlock(boards []*found) float64 {
	var blocks []float64
	for _, b := range boards {
		for at, st := range b.stains {
			f := b.sheet.form(st)
			if b.truth != nil {
				f.symbol = b.truth.At(at).Symbol
			}
			if f.sure && f.symbol.Kind == witness.Polyomino {
				for _, p := range st.parts() {
					blocks = append(blocks, math.Sqrt(p.area))
				}
			}
		}
	}
	return vision.Median(blocks)
}

// settle settles what the symbols of a board are by the truth or by their shapes, and
// lists the others; block is the side of pieces' squares.
func (b *found) settle(block float64) (unknown []open) {
	b.kinds = map[image.Point]witness.Symbol{}
	for at, st := range b.stains {
		if b.truth != nil {
			b.kinds[at] = b.truth.At(at).Symbol
			continue
		}
		f := b.sheet.form(st)
		if f.sure && f.symbol.Kind == witness.Square {
			switch size := math.Sqrt(st.area); {
			case block > 0 && math.Abs(size-block) < 0.2*block:
				f.symbol = witness.Symbol{Kind: witness.Polyomino, Shape: []image.Point{{}}}
			case block > 0 && size < 1.6*block, block == 0 && size < 0.24:
				// 0.24: between the game's squares, 0.345, and its blocks, 0.145.
				f.sure = false
			}
		}
		if f.sure {
			b.kinds[at] = f.symbol
			continue
		}
		unknown = append(unknown, open{b, at, f})
	}
	return unknown
}

// askFor asks what open symbols are. One of each form is asked for; the others are
// like it.
func askFor(unknown []open, drawn drawing.Forms, ask func([]Mark) ([]string, error)) error {
	var asked []open
	var marks []Mark
	for _, u := range unknown {
		if slices.ContainsFunc(asked, func(o open) bool { return o.form.like(u.form) }) {
			continue
		}
		asked = append(asked, u)
		marks = append(marks, Mark{Shot: u.board.shot, At: u.at, Like: u.form.name(), Where: u.board.board.ScreenPoint(float64(u.at.X), float64(u.at.Y))})
	}
	if len(marks) == 0 {
		return nil
	}
	answers, err := ask(marks)
	if err != nil {
		return err
	}
	for _, u := range unknown {
		for i, o := range asked {
			if !o.form.like(u.form) {
				continue
			}
			kind, ok := drawn.Named(answers[i])
			if !ok {
				return fmt.Errorf("number %d was not named: without what it is there is nothing to read (%d,%d) of a board by", i+1, u.at.X, u.at.Y)
			}
			sym := u.form.symbol
			sym.Kind = kind
			if (kind == witness.Polyomino || kind == witness.Negative) && len(sym.Shape) == 0 {
				sym.Shape = []image.Point{{}}
			}
			if kind.Most() > 0 && sym.Count == 0 {
				sym.Count = 1
			}
			u.board.kinds[u.at] = sym
			break
		}
	}
	return nil
}

// A form is what a stain's shape tells without knowing any size.
type form struct {
	symbol witness.Symbol
	sure   bool
	// The parts, and the whole's width, height, share of its box, and how
	// equal it is to itself turned by a quarter.
	parts               int
	w, h, fill, quarter float64
}

func (f form) name() string {
	if f.symbol.Kind == witness.NoSymbol {
		return "nothing known"
	}
	return f.symbol.Kind.Word()
}

func (f form) like(o form) bool {
	close := func(a, b float64) bool { return math.Abs(a-b) < 0.1*max(a, b) }
	return f.symbol.Kind == o.symbol.Kind && slices.Equal(f.symbol.Shape, o.symbol.Shape) && f.parts == o.parts && close(f.w, o.w) && close(f.h, o.h) && math.Abs(f.fill-o.fill) < 0.08
}

// form tells a stain's kind by ratios that do not change with its size.
func (s *sheet) form(st *stain) form {
	parts := st.parts()
	f := form{parts: len(parts), w: st.box[2] - st.box[0], h: st.box[3] - st.box[1]}
	f.fill = st.area / (f.w * f.h)
	f.quarter = st.quarter()
	if f.parts == 1 {
		middle := 0.0 // how far below the box's middle the mass is, in heights
		for j := range st.n {
			for i := range st.n {
				y := (float64(j)+0.5-float64(st.n)/2)/st.scale - (st.box[1]+st.box[3])/2
				middle += st.cover[j*st.n+i] * y / f.h / (st.area * st.scale * st.scale)
			}
		}
		square := math.Abs(f.w-f.h) < 0.12*max(f.w, f.h)
		switch {
		case square && f.fill > 0.84:
			f.symbol.Kind, f.sure = witness.Square, true
		case square && f.fill > 0.5 && f.fill < 0.78 && f.quarter > 0.85:
			f.symbol.Kind, f.sure = witness.Star, true
		case f.fill > 0.4 && f.fill < 0.72 && f.quarter < 0.75 && (middle > 0.08 || parts[0].heavy > 0.07):
			f.symbol, f.sure = triangles(1), true
		case f.fill < 0.6 && f.quarter < 0.8 && middle < 0.05:
			f.symbol.Kind, f.sure = witness.Eraser, true
		case square && f.fill > 0.7:
			f.symbol.Kind = witness.Square
		case square:
			f.symbol.Kind = witness.Star
		}
		return f
	}
	// Several parts alike: triangles in a row, half as full as their boxes, or
	// the squares of a piece.
	fill, level, heavy := 0.0, true, 0.0
	for _, p := range parts {
		fill += p.fill / float64(len(parts))
		heavy += p.heavy / float64(len(parts))
		level = level && math.Abs(p.y-parts[0].y) < 0.2*p.h
	}
	// 0.08: a triangle's mass is 0.17 of its height below its middle.
	if level && len(parts) <= 3 && fill > 0.38 && fill < 0.72 && heavy > 0.08 {
		f.symbol, f.sure = triangles(len(parts)), true
		return f
	}
	// The grid of the piece: its step is the least distance of two parts.
	step, angle := math.Inf(1), 0.0
	side := make([]float64, len(parts))
	for i, a := range parts {
		side[i] = math.Sqrt(a.area)
		for _, b := range parts[:i] {
			if d := math.Hypot(a.x-b.x, a.y-b.y); d < step {
				step, angle = d, math.Atan2(a.y-b.y, a.x-b.x)*180/math.Pi
			}
		}
	}
	angle = math.Mod(angle+360+45, 90) - 45
	if math.Abs(angle) < 6 {
		angle = 0
	}
	with := *s
	with.sizes.Block, with.sizes.Spacing = vision.Median(side), step
	f.symbol.Kind = witness.Polyomino // or a blue one, which piece tells by its holes
	for _, g := range with.piece(st, angle, 1, 0) {
		f.symbol = g.sym
		f.sure = g.score > 0.65 && len(g.sym.Shape) == len(parts)
	}
	return f
}

// A part is a connected part of a stain; lengths in pitches from the cell's
// middle.
type part struct {
	x, y, w, h, area, fill float64
	heavy                  float64 // how far its mass is below its middle, in heights
}

// parts are the connected parts of a stain, without specks.
func (st *stain) parts() []part {
	seen := make([]bool, len(st.cover))
	var out []part
	for start := range st.cover {
		if seen[start] || st.cover[start] < 0.5 {
			continue
		}
		x0, y0, x1, y1, n, sum := st.n, st.n, -1, -1, 0.0, 0.0
		for _, k := range connected(start, st.n, seen, func(k int) bool { return st.cover[k] >= 0.5 }) {
			x, y := k%st.n, k/st.n
			x0, y0, x1, y1, n, sum = min(x0, x), min(y0, y), max(x1, x), max(y1, y), n+1, sum+float64(y)
		}
		w, h := float64(x1-x0+1)/st.scale, float64(y1-y0+1)/st.scale
		p := part{w: w, h: h, area: n / st.scale / st.scale}
		p.x = (float64(x0+x1+1)/2 - float64(st.n)/2) / st.scale
		p.y = (float64(y0+y1+1)/2 - float64(st.n)/2) / st.scale
		p.fill = p.area / w / h
		p.heavy = (sum/n - float64(y0+y1)/2) / float64(y1-y0+1)
		out = append(out, p)
	}
	most := 0.0
	for _, p := range out {
		most = max(most, p.area)
	}
	// A sixth: squares of a piece are alike, and so are triangles.
	return slices.DeleteFunc(out, func(p part) bool { return p.area < most/6 })
}

// quarter is how equal a stain is to itself turned by a quarter about the
// middle of its box, 0 to 1.
func (st *stain) quarter() float64 {
	cx, cy := (st.box[0]+st.box[2])/2, (st.box[1]+st.box[3])/2
	diff, all := 0.0, 0.0
	for j := range st.n {
		for i := range st.n {
			x, y := (float64(i)+0.5-float64(st.n)/2)/st.scale-cx, (float64(j)+0.5-float64(st.n)/2)/st.scale-cy
			a, b := st.cover[j*st.n+i], st.coverAt(cx-y, cy+x)
			diff += math.Abs(a - b)
			all += max(a, b)
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - diff/all
}
