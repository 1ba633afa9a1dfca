package witness

import (
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"onlooker/calibrations"
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

func (v variant) view(m *image.RGBA) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, v.out.Dx(), v.out.Dy()))
	step := 1 / v.scale // a shrunk picture takes the mean of what it covers
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			p := v.back(vision.Point{X: float64(x), Y: float64(y)})
			var c [4]float64
			if step > 1.2 {
				for _, o := range [][2]float64{{-0.25, -0.25}, {0.25, -0.25}, {-0.25, 0.25}, {0.25, 0.25}} {
					q := sample(m, p.X+o[0]*step, p.Y+o[1]*step)
					for k := range c {
						c[k] += q[k] / 4
					}
				}
			} else {
				c = sample(m, p.X, p.Y)
			}
			for k := range c {
				out.Pix[y*out.Stride+4*x+k] = uint8(math.Round(c[k]))
			}
		}
	}
	return out
}

// randomVariant is a view of one of a frame's boards within what a reader has
// to stand: up to 45° off the axis, scales of 720p to 1440p, any crop.
func randomVariant(rng *rand.Rand, m *image.RGBA, w truthBoard) variant {
	v := variant{distance: 1.2 * float64(m.Rect.Dx()), scale: math.Exp(math.Log(0.67) + rng.Float64()*math.Log(2))}
	lo, hi := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, q := range w.Quad {
		v.about.X, v.about.Y = v.about.X+q[0]/4, v.about.Y+q[1]/4
	}
	if rng.IntN(2) == 0 {
		v.angle = (rng.Float64()*2 - 1) * math.Pi / 4
	}
	for _, q := range w.Quad {
		p := v.forward(vision.Point{X: q[0], Y: q[1]})
		lo = vision.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}
		hi = vision.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
	}
	// At least a cell and a half around the board, so that its ends are in.
	margin := func() int {
		return int((0.25 + rng.Float64()) * max(hi.X-lo.X, hi.Y-lo.Y) * 1.5 / float64(max(w.Size[0], w.Size[1], 3)) * 2)
	}
	v.out = image.Rect(int(lo.X)-margin(), int(lo.Y)-margin(), int(hi.X)+margin(), int(hi.Y)+margin())
	return v
}

// TestCapturesTransformed reads the captures turned, scaled, cropped, darkened,
// blurred and recompressed. It is long, so ONLOOKER_VARIANTS says how many
// variants of each frame; without it nothing is run.
func TestCapturesTransformed(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("ONLOOKER_VARIANTS"))
	if err != nil {
		t.Skip("ONLOOKER_VARIANTS=20 reads 20 variants of each capture: an hour")
	}
	dir, truth := captures(t)
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for name, f := range truth {
		if len(f.Boards) > 0 && !strings.HasPrefix(name, "pillar") {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	var all verdict
	for i, name := range names {
		if only := os.Getenv("ONLY"); only != "" {
			if ok, _ := filepath.Match(only, name); !ok {
				continue
			}
		}
		full := image.NewRGBA(image.Rectangle{})
		for seed := range n {
			rng := rand.New(rand.NewPCG(uint64(seed), uint64(i)))
			f := truth[name]
			boards := slices.DeleteFunc(slices.Clone(f.Boards), func(w truthBoard) bool { return w.Quad == nil || w.pillar() })
			if len(boards) == 0 {
				break
			}
			if full.Rect.Empty() {
				full = rgba(openFrame(t, filepath.Join(dir, name)))
			}
			w := boards[rng.IntN(len(boards))]
			v := randomVariant(rng, full, w)
			quad := make([][2]float64, 4)
			least := math.Inf(1)
			for k, q := range w.Quad {
				p := v.forward(vision.Point{X: q[0], Y: q[1]})
				quad[k] = [2]float64{p.X, p.Y}
			}
			for k := range quad {
				a, b := quad[k], quad[(k+1)%4]
				least = min(least, math.Hypot(a[0]-b[0], a[1]-b[1])/float64(w.Size[k%2]))
			}
			if least < 20 {
				continue // such may be unsure
			}
			w.Quad = quad
			frame := randomDistortion(rng).apply(t, rng, v.view(full))
			before := all
			judge(t, look, name, frame, truthFile{Boards: []truthBoard{w}}, &all)
			if all.wrong > before.wrong {
				t.Errorf("%s, variant %d: %.0f° at scale %.2f", name, seed, v.angle*180/math.Pi, v.scale)
			}
		}
	}
	total := all.exact + all.unsure + all.wrong
	t.Logf("%d readings: %d exact, %d unsure, %d WRONG", total, all.exact, all.unsure, all.wrong)
}

// rgba copies a picture.
func rgba(m image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			out.Set(x, y, m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y))
		}
	}
	return out
}
