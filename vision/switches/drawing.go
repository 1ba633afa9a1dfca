package switches

import (
	"errors"
	"fmt"
	"image"
	"math"

	"onlooker/vision/grid"
)

// A drawing is what the pixels of a cell show of its pattern.
//
// The model: squares of one size share their sides, so what is drawn are sides of
// one width between the nodes of a lattice, the nodes, and the filled middle. Each
// covers some part of each pixel, so that the ink of a pixel is the sum of what
// covers it: how much there is of each is fitted by least squares. Sides of squares
// of three pixels are told so, though every pixel between them is of two.
type drawing struct {
	dots  []grid.Dot
	ink   []float64       // of each, 1 being the clearest
	all   float64         // the sum of the squares of the ink
	reach image.Rectangle // the squares in which there is any
}

// A style is how patterns are drawn: their scale, how wide their lines are, and a
// pixel's side, in cell units.
type style struct {
	scale
	line, pixel float64
}

func newDrawing(dots []grid.Dot, sc scale) *drawing {
	d := &drawing{dots: dots, ink: make([]float64, len(dots))}
	most := 1
	for _, o := range dots {
		most = max(most, o.Contrast)
	}
	for i, o := range dots {
		v := float64(o.Contrast) / float64(most)
		d.ink[i] = v
		d.all += v * v
		if v >= leastInk {
			at := image.Pt(int(math.Floor((o.X-sc.x)/sc.unit+0.5)), int(math.Floor((o.Y-sc.y)/sc.unit+0.5)))
			d.reach = d.reach.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		}
	}
	d.reach = d.reach.Union(image.Rect(0, 0, 1, 1)).Intersect(image.Rect(-mostReach, -mostReach, mostReach+1, mostReach+1))
	return d
}

// sides are how much of each part there is in a drawing.
type sides struct {
	reach        image.Rectangle
	across, down []float64 // the sides above and left of squares, one row or column more than there are squares
	middle       float64
	left         float64 // how much of the ink is not explained, of the sum of its squares
}

// part is how much of a pixel's side, of which the middle is at, lies from one
// place to another.
func (st style) part(at, from, to float64) float64 {
	return max(0, min(at+st.pixel/2, to)-max(at-st.pixel/2, from)) / st.pixel
}

// fit is how much there is of each part of a drawing in a style, and the sum of the
// squares of what that leaves.
func (d *drawing) fit(st style) (*sides, float64) {
	w, h := d.reach.Dx(), d.reach.Dy()
	nAcross, nDown := w*(h+1), (w+1)*h
	n := nAcross + nDown + (w+1)*(h+1) + 1
	a := make([]float64, n*(n+1))
	colX, spanX := make([]float64, w+1), make([]float64, w+1)
	rowY, spanY := make([]float64, h+1), make([]float64, h+1)
	// What of a pixel lies on each line of the lattice, and between them.
	cover := func(at, middle float64, first int, on, between []float64) {
		for k := range on {
			line := middle + (float64(first+k)-0.5)*st.unit
			on[k] = st.part(at, line-st.line/2, line+st.line/2)
			between[k] = st.part(at, line+st.line/2, line+st.unit-st.line/2)
		}
	}
	type term struct {
		k int
		v float64
	}
	var terms []term
	for i, o := range d.dots {
		cover(o.X, st.x, d.reach.Min.X, colX, spanX)
		cover(o.Y, st.y, d.reach.Min.Y, rowY, spanY)
		terms = terms[:0]
		add := func(k int, v float64) {
			if v > 0 {
				terms = append(terms, term{k, v})
			}
		}
		for y := range h + 1 {
			for x := range w + 1 {
				if x < w {
					add(y*w+x, spanX[x]*rowY[y])
				}
				if y < h {
					add(nAcross+y*(w+1)+x, colX[x]*spanY[y])
				}
				add(nAcross+nDown+y*(w+1)+x, colX[x]*rowY[y])
			}
		}
		add(n-1, spanX[-d.reach.Min.X]*spanY[-d.reach.Min.Y])
		for _, t := range terms {
			for _, u := range terms {
				a[t.k*(n+1)+u.k] += t.v * u.v
			}
			a[t.k*(n+1)+n] += t.v * d.ink[i]
		}
	}
	v, explained := solved(a, n)
	out := &sides{reach: d.reach, across: v[:nAcross], down: v[nAcross : nAcross+nDown], middle: v[n-1]}
	out.left = max(0, d.all-explained) / max(d.all, 1e-9)
	return out, max(0, d.all-explained)
}

// solved solves n equations, rows of n+1 numbers, that are symmetric and hardly
// singular. It also gives how much of the squares' sum the solution explains.
func solved(a []float64, n int) (v []float64, explained float64) {
	const ridge = 1e-3 // of a pixel: what no pixel shows comes out as nothing
	right := make([]float64, n)
	for i := range n {
		a[i*(n+1)+i] += ridge
		right[i] = a[i*(n+1)+n]
	}
	for i := range n {
		row := a[i*(n+1) : (i+1)*(n+1)]
		for r := i + 1; r < n; r++ {
			f := a[r*(n+1)+i] / row[i]
			if f == 0 {
				continue
			}
			to := a[r*(n+1) : (r+1)*(n+1)]
			for c := i; c <= n; c++ {
				to[c] -= f * row[c]
			}
		}
	}
	v = make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		sum := a[i*(n+1)+n]
		for c := i + 1; c < n; c++ {
			sum -= a[i*(n+1)+c] * v[c]
		}
		v[i] = sum / a[i*(n+1)+i]
		explained += v[i] * right[i]
	}
	return v, explained
}

// fitStyle finds the style in which squares explain drawings best, from about
// where their scale is: some of the drawings tell it.
func fitStyle(list []*drawing, sc scale, pixel float64) style {
	const some = 9
	left := func(st style) (sum float64) {
		for i := 0; i < len(list); i += max(1, len(list)/some) {
			_, e := list[i].fit(st)
			sum += e
		}
		return sum
	}
	widths := []float64{0.5, 1, 1.5, 2, 3} // pixels
	best := style{sc, pixel, pixel}
	least := math.Inf(1)
	widest := func() {
		for _, wide := range widths {
			st := best
			if st.line = wide * pixel; st.line > 0.5*st.unit {
				break
			}
			if e := left(st); e < least {
				best, least = st, e
			}
		}
	}
	widest()
	for step := 0.4; step > 0.08; step /= 2 { // pixels
		for moved := true; moved; {
			moved = false
			for k := range 6 {
				o := best
				to := [3]*float64{&o.x, &o.y, &o.unit}[k/2]
				*to += step * pixel * float64(1-2*(k%2))
				if e := left(o); e < 0.99*least {
					best, least, moved = o, e, true
				}
			}
		}
	}
	widest()
	return best
}

// side is how much there is of the side of a square in a direction.
func (f *sides) side(at, way image.Point) float64 {
	at = at.Sub(f.reach.Min)
	w := f.reach.Dx()
	if way.Y == 0 {
		return f.down[at.Y*(w+1)+at.X+(way.X+1)/2]
	}
	return f.across[(at.Y+(way.Y+1)/2)*w+at.X]
}

// drawn are the sides off the middle square, which is filled, that are there at all.
func (f *sides) drawn() (out []float64) {
	w := f.reach.Dx()
	keep := func(v float64, off image.Point) {
		if v > leastInk && max(off.X, -off.X, off.Y, -off.Y) > 1 {
			out = append(out, v)
		}
	}
	// Twice the way from the middle to the side's, in squares.
	for i, v := range f.across {
		keep(v, image.Pt(2*(f.reach.Min.X+i%w), 2*(f.reach.Min.Y+i/w)-1))
	}
	for i, v := range f.down {
		keep(v, image.Pt(2*(f.reach.Min.X+i%(w+1))-1, 2*(f.reach.Min.Y+i/(w+1))))
	}
	return out
}

// flips are the squares of a drawing, usual being how much there is of a side that
// is drawn.
func (f *sides) flips(usual float64) ([]image.Point, error) {
	if f.left > fittedStray {
		return nil, fmt.Errorf("a drawing of which %.2f is no square", f.left)
	}
	var out []image.Point
	for y := f.reach.Min.Y; y < f.reach.Max.Y; y++ {
		for x := f.reach.Min.X; x < f.reach.Max.X; x++ {
			at := image.Pt(x, y)
			if at == (image.Point{}) {
				switch {
				case f.middle >= fittedThere:
					out = append(out, at)
				case f.middle > fittedGone:
					return nil, fmt.Errorf("a middle of the drawing that is filled or not: %.2f of it is", f.middle)
				}
				continue
			}
			least := 1.0
			for _, way := range grid.Ways() {
				least = min(least, f.side(at, way)/usual)
			}
			switch {
			case least >= fittedThere:
				out = append(out, at)
			case least > fittedGone:
				return nil, fmt.Errorf("a square at %d,%d of the drawing, or none: %.2f of its faintest side is there", x, y, least)
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("a drawing that flips nothing")
	}
	return out, nil
}
