package witness

import (
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// A variant is another view of a captured frame: its plane turned by an angle
// about the upright axis through a point, scaled, and a part of it cut out.
type variant struct {
	about    vision.Point // pixels of the frame
	angle    float64      // radians
	distance float64      // of the eye, in pixels of the frame
	scale    float64
	out      image.Rectangle // in pixels from that point, scaled
}

// forward is where a pixel of the frame goes.
func (v variant) forward(p vision.Point) vision.Point {
	sin, cos := math.Sincos(v.angle)
	x, y := p.X-v.about.X, p.Y-v.about.Y
	depth := v.distance + x*sin
	k := v.scale * v.distance / depth
	return vision.Point{X: k*x*cos - float64(v.out.Min.X), Y: k*y - float64(v.out.Min.Y)}
}

// back is which pixel of the frame comes to a place.
func (v variant) back(p vision.Point) vision.Point {
	sin, cos := math.Sincos(v.angle)
	u, w := (p.X+float64(v.out.Min.X))/v.scale, (p.Y+float64(v.out.Min.Y))/v.scale
	x := u * v.distance / (v.distance*cos - u*sin)
	return vision.Point{X: x + v.about.X, Y: w*(v.distance+x*sin)/v.distance + v.about.Y}
}

// quad is where a quad of the frame goes.
func (v variant) quad(from [][2]float64) (to [4]vision.Point) {
	for i, q := range from {
		to[i] = v.forward(vision.Point{X: q[0], Y: q[1]})
	}
	return to
}

func (v variant) view(m *image.RGBA) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, v.out.Dx(), v.out.Dy()))
	step := 1 / v.scale // a shrunk picture takes the mean of what it covers
	places := [][2]float64{{}}
	if step > 1.2 {
		places = [][2]float64{{-0.25 * step, -0.25 * step}, {0.25 * step, -0.25 * step}, {-0.25 * step, 0.25 * step}, {0.25 * step, 0.25 * step}}
	}
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			p := v.back(vision.Point{X: float64(x), Y: float64(y)})
			var c vision.RGB
			for _, o := range places {
				q := vision.At(m, p.X+o[0], p.Y+o[1])
				for k := range c {
					c[k] += q[k] / float64(len(places))
				}
			}
			for k := range c {
				out.Pix[y*out.Stride+4*x+k] = uint8(math.Round(c[k]))
			}
			out.Pix[y*out.Stride+4*x+3] = 255
		}
	}
	return out
}

// foreshortened tells whether a board is seen more than 45° off the axis: its
// cells are narrower than cos 45° of their height, or the other way round.
func foreshortened(quad [4]vision.Point, cols, rows int) bool {
	var side [4]float64
	for i, p := range quad {
		q := quad[(i+1)%4]
		side[i] = math.Hypot(p.X-q.X, p.Y-q.Y) / float64([]int{cols, rows}[i%2])
	}
	w, h := (side[0]+side[2])/2, (side[1]+side[3])/2
	return min(w, h) < max(w, h)*math.Sqrt2/2
}

// randomVariant is a view of one of a frame's boards within what a reader has
// to stand. Half of them are turned, by up to 45° evenly, unless the board is
// seen from further aside as it is; scales of 0.67 to 2, which of a frame of
// 1080p are 720p to 4K, each octave as often; a sixth keep the whole frame,
// the others are what a window or a crop shows, with at least a cell round the
// board.
func randomVariant(rng *rand.Rand, m *image.RGBA, w solvetest.CapturedBoard) variant {
	v := variant{distance: 1.2 * float64(m.Rect.Dx()), scale: math.Exp(math.Log(0.67) + rng.Float64()*math.Log(3))}
	for _, q := range w.Quad {
		v.about.X, v.about.Y = v.about.X+q[0]/4, v.about.Y+q[1]/4
	}
	turned, angle := rng.IntN(2) == 0, (rng.Float64()*2-1)*math.Pi/4
	if v.angle = angle; !turned {
		v.angle = 0
	}
	if q := v.quad(w.Quad); foreshortened(q, w.Size[0], w.Size[1]) {
		v.angle = 0
	}
	lo, hi := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, p := range v.quad(w.Quad) {
		lo = vision.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = vision.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	cell := max((hi.X-lo.X)/float64(w.Size[0]), (hi.Y-lo.Y)/float64(w.Size[1]))
	var margin [4]float64
	for i := range margin {
		margin[i] = (1 + 5*rng.Float64()) * cell
	}
	if rng.IntN(6) == 0 {
		// All of the frame, and a cell round the board where that is less.
		w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
		margin = [4]float64{cell, cell, cell, cell}
		for _, c := range v.quad([][2]float64{{0, 0}, {w, 0}, {w, h}, {0, h}}) {
			margin = [4]float64{max(margin[0], lo.X-c.X), max(margin[1], lo.Y-c.Y), max(margin[2], c.X-hi.X), max(margin[3], c.Y-hi.Y)}
		}
	}
	v.out = image.Rect(int(lo.X-margin[0]), int(lo.Y-margin[1]), int(hi.X+margin[2]), int(hi.Y+margin[3]))
	return v
}

// transformed is a variant of a captured frame that shows flat boards, and the board on it.
func transformed(t *testing.T, name string, seed int) (image.Image, solvetest.CapturedBoard) {
	dir, truth := solvetest.Captures(t)
	i, _ := slices.BinarySearch(slices.Sorted(maps.Keys(truth)), name)
	boards := slices.DeleteFunc(truth[name].Boards, func(w solvetest.CapturedBoard) bool { return !w.Flat() })
	full := copied(solvetest.Picture(t, filepath.Join(dir, name)))
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
	w := boards[rng.IntN(len(boards))]
	v := randomVariant(rng, full, w)
	d := randomDistortion(rng)
	d.noise = 0 // the captures have their own
	quad := v.quad(w.Quad)
	w.Quad = nil
	for _, p := range quad {
		w.Quad = append(w.Quad, [2]float64{p.X, p.Y})
	}
	return d.apply(t, rng, v.view(full)), w
}

// TestMendedVariants reads captures turned, scaled, cropped, darkened, blurred and recompressed,
// of those that were refused once.
func TestMendedVariants(t *testing.T) {
	look := challengeLook(t)
	for _, row := range []struct {
		what, name string
		seed       int
	}{
		{"a pointer through which cells are as green as can be", "column-symmetry-01.png", 50014},
		{"a pointer in one cell, in a picture too bright", "column-maze-03.png", 90000},
		{"and a disc that shrinks onto it", "column-maze-05.png", 90006},
		{"a disc round the pointer, in a picture too bright", "column-stars-01.png", 50002},
		{"a disc round the pointer whose border is as wide as others", "column-stars-01.png", 50012},
		{"a faint line that a drawn one crosses", "other-03.png", 50006},
		{"a dot's glow in a cell that the pointer nearly touches", "column-symmetry-03.png", 50008},
		{"a small piece of three squares that is much like three triangles", "other-21.png", 170000},
		{"a star on which a reflection lies, with others beside it", "other-11.jpg", 170011},
		{"light in a cell that differs little from empty ones", "other-13.jpg", 170004},
		{"a reflection right through a cell, on a star too", "other-11.jpg", 170003},
		{"two stars of one colour in different light", "column-polyominoes-13.png", 170005},
		{"a pointer in one cell whose ring is hardly seen, in a dark picture", "column-maze-07.png", 170007},
		{"and in a bright one on a node", "other-21.png", 170011},
		{"a bulging board of which four cells were found first", "other-01.png", 170002},
	} {
		var v verdict
		frame, want := transformed(t, row.name, row.seed)
		judge(t, look, row.name, frame, solvetest.Capture{Boards: []solvetest.CapturedBoard{want}}, &v)
		if v.exact != 1 {
			t.Errorf("%s (%s, variant %d): %d exact, %d unsure, %d WRONG", row.what, row.name, row.seed, v.exact, v.unsure, v.wrong)
		}
	}
}
