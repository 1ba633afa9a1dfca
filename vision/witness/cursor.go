package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// A disc is the game's pointer seen on a board: white laid over the picture
// with some opacity, and a dark ring round it. Pixels of the flat picture.
type disc struct {
	x, y, r float64
	alpha   float64
}

// usual is what a pixel of the flat picture would show where there is nothing
// but lines and cells: one colour, or two where a line may be broken.
func (s *sheet) usual(px, py int) (first, second vision.RGB, two bool) {
	k := 2 / float64(s.b.Pitch)
	x, y := float64(px-s.b.Margin)*k, float64(py-s.b.Margin)*k
	w, h := float64(2*s.b.Cols), float64(2*s.b.Rows)
	nx, ny := 2*math.Round(x/2), 2*math.Round(y/2)
	nx, ny = max(0, min(nx, w)), max(0, min(ny, h))
	var paper vision.RGB
	if x >= -s.line && y >= -s.line && x <= w+s.line && y <= h+s.line {
		cx, cy := int(math.Floor(max(0, min(x, w-0.01))/2))*2+1, int(math.Floor(max(0, min(y, h-0.01))/2))*2+1
		paper = s.cell(cx, cy)
	} else {
		paper = s.outside(x, y)
	}
	reach := s.line // half-cells: half a line
	if x < -reach || y < -reach || x > w+reach || y > h+reach {
		// A cap may stick out here.
		return paper, s.inkAt(image.Pt(int(nx), int(ny))), true
	}
	if math.Abs(x-nx) > reach && math.Abs(y-ny) > reach {
		return paper, paper, false
	}
	at := image.Pt(int(nx), int(ny))
	return s.inkAt(at), paper, true
}

// outside is the colour beyond the border nearest to a position.
func (s *sheet) outside(x, y float64) vision.RGB {
	w, h := float64(2*s.b.Cols), float64(2*s.b.Rows)
	o := s.line + 0.25
	var v []vision.RGB
	for _, d := range []float64{-1.2, -0.8, 0.8, 1.2} {
		switch {
		case x < 0:
			v = append(v, s.at(-o, max(0, min(y, h))+d))
		case x > w:
			v = append(v, s.at(w+o, max(0, min(y, h))+d))
		}
		switch {
		case y < 0:
			v = append(v, s.at(max(0, min(x, w))+d, -o))
		case y > h:
			v = append(v, s.at(max(0, min(x, w))+d, h+o))
		}
	}
	if len(v) == 0 {
		return s.b.Paper
	}
	return medianRGB(v)
}

var white = vision.RGB{255, 255, 255}

// veil is the opacity of a white veil that would turn one colour into another,
// and how far from that the colour is.
func veil(base, c vision.RGB) (alpha, off float64) {
	to := white.Sub(base)
	q := to.Dot(to)
	if q < 1 {
		return 0, 0
	}
	alpha = c.Sub(base).Dot(to) / q
	var want vision.RGB
	for k := range want {
		want[k] = base[k] + alpha*to[k]
	}
	return alpha, want.Dist(c)
}

// cursor finds the pointer's disc on the board, if it is there.
func (s *sheet) cursor() (disc, bool) {
	look := s.look.Board.Cursor
	if look.Alpha == 0 {
		return disc{}, false
	}
	w, h := s.b.Flat.Rect.Dx(), s.b.Flat.Rect.Dy()
	contrast := s.b.Ink.Dist(s.b.Paper)
	const step = 2
	mw, mh := w/step, h/step
	mask := make([]bool, mw*mh)
	veils := make([]float64, mw*mh)
	for j := range mh {
		for i := range mw {
			px, py := i*step, j*step
			p := s.b.Flat.Pix[py*s.b.Flat.Stride+4*px:]
			c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
			// A veil of white lifts the darkest channel above a good part of it.
			if min(c[0], c[1], c[2]) < 0.5*look.Alpha*255 {
				continue
			}
			a, b, two := s.usual(px, py)
			alpha, off := veil(a, c)
			ok := alpha > 0.6*look.Alpha && alpha < 1.7*look.Alpha && off < 0.25*contrast
			if !ok && two {
				alpha, off = veil(b, c)
				ok = alpha > 0.6*look.Alpha && alpha < 1.7*look.Alpha && off < 0.25*contrast
			}
			mask[j*mw+i] = ok
			veils[j*mw+i] = alpha
		}
	}
	want := look.Radius * float64(s.b.FrameSize.Y) / s.b.ScreenPitch * float64(s.b.Pitch)
	var best disc
	bestArea := 0
	seen := make([]bool, len(mask))
	var stack []int
	for start := range mask {
		if !mask[start] || seen[start] {
			continue
		}
		stack = append(stack[:0], start)
		seen[start] = true
		x0, y0, x1, y1, area := mw, mh, 0, 0, 0
		var all []float64
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := i%mw, i/mw
			area++
			all = append(all, veils[i])
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
			for _, n := range [...][2]int{{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}} {
				if n[0] >= 0 && n[1] >= 0 && n[0] < mw && n[1] < mh {
					if k := n[1]*mw + n[0]; mask[k] && !seen[k] {
						seen[k] = true
						stack = append(stack, k)
					}
				}
			}
		}
		bw, bh := float64(x1-x0+1), float64(y1-y0+1)
		r := float64(step) * (bw + bh) / 4
		fill := float64(area) / (bw * bh)
		if bw > 1.25*bh || bh > 1.25*bw || fill < 0.55 || fill > 0.92 || area < 12 || r < 0.5*want || r > 2*want {
			continue
		}
		slices.Sort(all)
		// One opacity: of what else is whitish, such as a glow, it varies.
		if all[len(all)*9/10]-all[len(all)/5] > 0.1 {
			continue
		}
		if area > bestArea {
			bestArea = area
			best = disc{float64(step) * float64(x0+x1) / 2, float64(step) * float64(y0+y1) / 2, r, median(all)}
		}
	}
	return best, bestArea > 0
}

// lift takes the pointer's disc off a picture: what is under it is seen
// through it, what is under its ring is replaced by what is usual there.
func (s *sheet) lift(d disc) *image.RGBA {
	out := image.NewRGBA(s.b.Flat.Rect)
	copy(out.Pix, s.b.Flat.Pix)
	look := s.look.Board.Cursor
	ring := d.r*look.Ring/look.Radius + 2
	blur := max(1, float64(s.b.Pitch)/s.b.ScreenPitch)
	inner := d.r - 0.7*blur
	for y := max(0, int(d.y-ring-2)); y <= min(out.Rect.Dy()-1, int(d.y+ring+2)); y++ {
		for x := max(0, int(d.x-ring-2)); x <= min(out.Rect.Dx()-1, int(d.x+ring+2)); x++ {
			r := hypot(float64(x)-d.x, float64(y)-d.y)
			p := out.Pix[y*out.Stride+4*x:]
			switch {
			case r <= inner:
				for k := range 3 {
					v := (float64(p[k]) - d.alpha*255) / (1 - d.alpha)
					p[k] = uint8(max(0, min(255, v)))
				}
			case r <= ring+blur:
				c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
				a, b, two := s.usual(x, y)
				if two {
					// Of line and gap what continues inwards: look just inside.
					f := (inner - 1) / max(r, 1)
					qx, qy := d.x+(float64(x)-d.x)*f, d.y+(float64(y)-d.y)*f
					in := vision.At(s.b.Flat, qx, qy)
					for k := range in {
						in[k] = (in[k] - d.alpha*255) / (1 - d.alpha)
					}
					if in.Dist(b) < in.Dist(a) {
						a = b
					}
				}
				c = a
				for k := range 3 {
					p[k] = uint8(max(0, min(255, c[k])))
				}
			}
		}
	}
	return out
}
