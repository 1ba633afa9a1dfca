// Package overlay draws lines over what the screen shows: in a window of its
// own that lies over all others, lets clicks through, and is not seen in frames
// that capture is asked to take from under it.
package overlay

import (
	"errors"
	"image"
	"image/color"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"onlooker/capture"
	"onlooker/vision"
)

// ErrNone says that this system has no such windows.
var ErrNone = errors.New("overlay: not possible here: --serve shows the answers on a page")

// A Line is a stroke on the screen, in pixels.
type Line struct {
	Points []vision.Point
	Width  float64
}

// Colour is what lines have unless they are asked for in another: no board that was seen has
// it.
func Colour() color.RGBA { return color.RGBA{R: 255, G: 43, B: 214, A: 255} }

// A Label is a filled box with words left out of it, so that they are read on any ground.
type Label struct {
	Words string      // in ASCII, one line; "": no label
	At    image.Point // of the box's upper left corner, on the screen
}

// labelScale is how large a label's letters are, in pixels a point of a font of 7×13.
const labelScale = 2

// rows are what a label covers of each row of pixels: from and to.
func (l Label) rows() map[int][][2]int {
	if l.Words == "" {
		return nil
	}
	face := basicfont.Face7x13
	box := image.NewAlpha(image.Rect(0, 0, font.MeasureString(face, l.Words).Ceil()+2*face.Advance, face.Height+6))
	(&font.Drawer{Dst: box, Src: image.Opaque, Face: face, Dot: fixed.P(face.Advance, face.Ascent+3)}).DrawString(l.Words)
	out := map[int][][2]int{}
	for y := range box.Rect.Dy() {
		for x, from := 0, -1; x <= box.Rect.Dx(); x++ {
			switch filled := x < box.Rect.Dx() && box.AlphaAt(x, y).A == 0; {
			case filled && from < 0:
				from = x
			case !filled && from >= 0:
				for k := range labelScale {
					row := l.At.Y + labelScale*y + k
					out[row] = append(out[row], [2]int{l.At.X + labelScale*from, l.At.X + labelScale*x})
				}
				from = -1
			}
		}
	}
	return out
}

// title is what capture knows the window by.
const title = capture.OverlayTitle

// spans are rectangles within a screen, none over another, that together are
// the lines with round ends, and the label.
func spans(lines []Line, label Label, screen image.Rectangle) []image.Rectangle {
	rows := map[int][][2]int{} // from and to, of each row of pixels
	for y, parts := range label.rows() {
		for _, part := range parts {
			from, to := max(part[0], screen.Min.X), min(part[1], screen.Max.X)
			if from < to && y >= screen.Min.Y && y < screen.Max.Y {
				rows[y] = append(rows[y], [2]int{from, to})
			}
		}
	}
	for _, l := range lines {
		r := l.Width / 2
		for i := range l.Points {
			a, b := l.Points[max(0, i-1)], l.Points[i]
			for y := int(math.Ceil(min(a.Y, b.Y) - r)); float64(y) <= max(a.Y, b.Y)+r; y++ {
				x0, x1 := across(a, b, r, float64(y))
				from, to := max(int(math.Ceil(x0)), screen.Min.X), min(int(math.Floor(x1))+1, screen.Max.X)
				if from < to && y >= screen.Min.Y && y < screen.Max.Y {
					rows[y] = append(rows[y], [2]int{from, to})
				}
			}
		}
	}
	var out []image.Rectangle
	for y, row := range rows {
		slices.SortFunc(row, func(a, b [2]int) int { return a[0] - b[0] })
		at := row[0]
		for _, next := range row[1:] {
			if next[0] > at[1] {
				out = append(out, image.Rect(at[0], y, at[1], y+1))
				at = next
			}
			at[1] = max(at[1], next[1])
		}
		out = append(out, image.Rect(at[0], y, at[1], y+1))
	}
	slices.SortFunc(out, func(a, b image.Rectangle) int {
		if a.Min.Y != b.Min.Y {
			return a.Min.Y - b.Min.Y
		}
		return a.Min.X - b.Min.X
	})
	return out
}

// opaque is the shade of a pixel that is covered whole, of a part of it less: fine pixels in a
// row and in a column make one.
const (
	fine   = 4
	opaque = fine * fine
)

// shades are the spans of the lines and the label by how much of their pixels is covered.
func shades(lines []Line, label Label, screen image.Rectangle) (out [opaque + 1][]image.Rectangle) {
	covered := map[int][]uint8{} // of each row of pixels that has some
	cover := func(x0, x1, y int, shade uint8) {
		row := covered[y]
		if row == nil {
			row = make([]uint8, screen.Dx())
			covered[y] = row
		}
		for x := x0; x < x1; x++ {
			row[x] = min(row[x]+shade, opaque)
		}
	}
	var small []Line
	for _, l := range lines {
		more := Line{Width: fine * l.Width}
		for _, p := range l.Points { // a pixel's centre is where its number says
			more.Points = append(more.Points, vision.Point{X: fine*(p.X-float64(screen.Min.X)+0.5) - 0.5, Y: fine*(p.Y-float64(screen.Min.Y)+0.5) - 0.5})
		}
		small = append(small, more)
	}
	for _, r := range spans(small, Label{}, image.Rectangle{Max: screen.Size().Mul(fine)}) {
		y, from, to := r.Min.Y/fine, (r.Min.X+fine-1)/fine, r.Max.X/fine
		if from > to { // within one pixel
			cover(to, from, y, uint8(r.Dx()))
			continue
		}
		cover(from, to, y, fine)
		if rest := from*fine - r.Min.X; rest > 0 {
			cover(from-1, from, y, uint8(rest))
		}
		if rest := r.Max.X - to*fine; rest > 0 {
			cover(to, to+1, y, uint8(rest))
		}
	}
	for _, r := range spans(nil, label, screen) {
		cover(r.Min.X-screen.Min.X, r.Max.X-screen.Min.X, r.Min.Y-screen.Min.Y, opaque)
	}
	for y, row := range covered {
		for x, from := 1, 0; x <= len(row); x++ {
			if x == len(row) || row[x] != row[from] {
				if shade := row[from]; shade > 0 {
					out[shade] = append(out[shade], image.Rect(from, y, x, y+1).Add(screen.Min))
				}
				from = x
			}
		}
	}
	return out
}

// across is what a straight line with round ends covers of a row: none of it
// where the first is more than the second.
func across(a, b vision.Point, r, y float64) (from, to float64) {
	from, to = math.Inf(1), math.Inf(-1)
	add := func(x0, x1 float64) { from, to = min(from, x0), max(to, x1) }
	for _, p := range []vision.Point{a, b} {
		if d := r*r - (y-p.Y)*(y-p.Y); d >= 0 {
			add(p.X-math.Sqrt(d), p.X+math.Sqrt(d))
		}
	}
	long := math.Hypot(b.X-a.X, b.Y-a.Y)
	if long == 0 {
		return from, to
	}
	// The line's body is a rectangle: its corners, and where its sides cross the
	// row.
	nx, ny := -(b.Y-a.Y)/long*r, (b.X-a.X)/long*r
	corners := [4]vision.Point{{X: a.X + nx, Y: a.Y + ny}, {X: b.X + nx, Y: b.Y + ny}, {X: b.X - nx, Y: b.Y - ny}, {X: a.X - nx, Y: a.Y - ny}}
	for i, p := range corners {
		q := corners[(i+1)%4]
		if (p.Y-y)*(q.Y-y) > 0 {
			continue
		}
		if p.Y == q.Y {
			add(min(p.X, q.X), max(p.X, q.X))
			continue
		}
		x := p.X + (y-p.Y)/(q.Y-p.Y)*(q.X-p.X)
		add(x, x)
	}
	return from, to
}
