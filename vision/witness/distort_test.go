package witness

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A distortion is what happens to a picture between a game and a reader. The
// zero distortion changes nothing.
type distortion struct {
	scale      float64 // 0: 1
	brightness float64 // factor; 0: 1
	gamma      float64 // 0: 1
	blur       float64 // sigma in pixels
	noise      float64 // sigma in grey levels
	quality    int     // of a JPEG; 0: none
}

// randomDistortion is one within what a reader has to stand: brightness ×0.5
// to ×1.5, gamma 0.8 to 1.25, JPEG down to quality 70, mild blur.
func randomDistortion(rng *rand.Rand) distortion {
	d := distortion{
		brightness: math.Exp((rng.Float64()*2 - 1) * math.Log(1.5)),
		gamma:      math.Exp((rng.Float64()*2 - 1) * math.Log(1.25)),
		blur:       rng.Float64(),
		noise:      3 * rng.Float64(),
	}
	if rng.IntN(4) == 0 {
		d.brightness = 0.5 + 0.2*rng.Float64()
	}
	if rng.IntN(2) == 0 {
		d.quality = 70 + rng.IntN(30)
	}
	return d
}

func (d distortion) apply(t testing.TB, rng *rand.Rand, m *image.RGBA) image.Image {
	t.Helper()
	if d.scale != 0 && d.scale != 1 {
		m = scaled(m, d.scale)
	}
	if d.blur > 0.2 {
		m = blurred(m, d.blur)
	}
	var table [256]float64
	for v := range table {
		x := float64(v) / 255
		if d.gamma != 0 {
			x = math.Pow(x, d.gamma)
		}
		if d.brightness != 0 {
			x *= d.brightness
		}
		table[v] = 255 * x
	}
	out := image.NewRGBA(m.Bounds())
	for i, v := range m.Pix {
		if i%4 == 3 {
			out.Pix[i] = 255
			continue
		}
		x := table[v]
		if d.noise > 0 {
			x += d.noise * rng.NormFloat64()
		}
		out.Pix[i] = uint8(max(0, min(255, math.Round(x))))
	}
	if d.quality == 0 {
		return out
	}
	var b bytes.Buffer
	solvetest.OK(t, jpeg.Encode(&b, out, &jpeg.Options{Quality: d.quality}))
	j := solvetest.Must(jpeg.Decode(&b))(t)
	return vision.AsRGBA(j) // as pictures are read
}

// sample is the colour between pixels, each weighed by its distance; outside
// it is the nearest pixel's.
func sample(m *image.RGBA, x, y float64) (c [4]float64) {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	x, y = max(0, min(x, float64(w-1))), max(0, min(y, float64(h-1)))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, w-1), min(y0+1, h-1)
	fx, fy := x-float64(x0), y-float64(y0)
	for k := range c {
		at := func(x, y int) float64 { return float64(m.Pix[y*m.Stride+4*x+k]) }
		c[k] = (at(x0, y0)*(1-fx)+at(x1, y0)*fx)*(1-fy) + (at(x0, y1)*(1-fx)+at(x1, y1)*fx)*fy
	}
	return c
}

// scaled resizes: each new pixel is the mean over the area that it covers,
// taken at 3x3 places.
func scaled(m *image.RGBA, factor float64) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, int(float64(m.Rect.Dx())*factor), int(float64(m.Rect.Dy())*factor)))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			var sum [4]float64
			for i := range 9 {
				c := sample(m, (float64(x)+(float64(i%3)+0.5)/3)/factor-0.5, (float64(y)+(float64(i/3)+0.5)/3)/factor-0.5)
				for k := range sum {
					sum[k] += c[k] / 9
				}
			}
			for k := range sum {
				out.Pix[y*out.Stride+4*x+k] = uint8(math.Round(sum[k]))
			}
		}
	}
	return out
}

// blurred is m under a Gaussian of the sigma.
func blurred(m *image.RGBA, sigma float64) *image.RGBA {
	r := int(math.Ceil(3 * sigma))
	kernel := make([]float64, 2*r+1)
	sum := 0.0
	for i := range kernel {
		kernel[i] = math.Exp(-float64((i-r)*(i-r)) / (2 * sigma * sigma))
		sum += kernel[i]
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	pass := func(in *image.RGBA, step, n, next, rows int) *image.RGBA {
		out := image.NewRGBA(in.Bounds())
		for j := range rows {
			for i := range n {
				var c [4]float64
				for l, k := range kernel {
					p := in.Pix[j*next+max(0, min(i+l-r, n-1))*step:]
					c[0] += k * float64(p[0])
					c[1] += k * float64(p[1])
					c[2] += k * float64(p[2])
					c[3] += k * float64(p[3])
				}
				p := out.Pix[j*next+i*step:]
				for k := range c {
					p[k] = uint8(c[k]/sum + 0.5)
				}
			}
		}
		return out
	}
	return pass(pass(m, 4, w, m.Stride, h), m.Stride, h, 4, w)
}

// A pose is how a board hangs before the camera.
type pose struct {
	frame             image.Point // size in pixels
	at                vision.Point
	pitch             float64 // pixels from node to node, at the board's middle
	yaw, tilt, turned float64 // radians
	distance          float64 // of the camera, in board diagonals
}

// project gives where places on the board, in half-cells, are in the frame.
func (p pose) project(cols, rows int) func(x, y float64) (u, v, depth float64) {
	d := p.distance * math.Hypot(float64(2*cols), float64(2*rows))
	sy, cy := math.Sincos(p.yaw)
	st, ct := math.Sincos(p.tilt)
	sr, cr := math.Sincos(p.turned)
	return func(x, y float64) (u, v, depth float64) {
		x, y = x-float64(cols), y-float64(rows)
		x, y = x*cr-y*sr, x*sr+y*cr
		x, z := x*cy, x*sy
		y, z = y*ct-z*st, y*st+z*ct
		f := p.pitch / 2 * d / (d + z)
		return p.at.X + f*x, p.at.Y + f*y, d + z
	}
}

// hang puts a drawn board into a frame. least is the half-cell at the corner
// of the board's picture and scale its pixels per half-cell. It returns the
// frame and where the corner nodes are in it.
func (p pose) hang(board *image.RGBA, cols, rows int, least picture.Point, scale float64, wall *image.RGBA) (*image.RGBA, [4]vision.Point) {
	to := p.project(cols, rows)
	var quad [4]vision.Point
	for i, c := range [4]vision.Point{{}, {X: float64(2 * cols)}, {X: float64(2 * cols), Y: float64(2 * rows)}, {Y: float64(2 * rows)}} {
		quad[i].X, quad[i].Y, _ = to(c.X, c.Y)
	}
	placed, err := vision.Placed(p.frame, cols, rows, quad)
	if err != nil {
		panic(err) // no pose is edge on
	}
	back, _ := placed.ToScreen.Inverse()
	out := image.NewRGBA(image.Rect(0, 0, p.frame.X, p.frame.Y))
	draw.Draw(out, out.Rect, wall, image.Point{}, draw.Src)
	most := vision.Point{X: least.X + float64(board.Rect.Dx())/scale, Y: least.Y + float64(board.Rect.Dy())/scale}
	box := image.Rectangle{Min: image.Pt(math.MaxInt32, math.MaxInt32), Max: image.Pt(math.MinInt32, math.MinInt32)}
	for _, c := range []vision.Point{vision.Point(least), {X: most.X, Y: least.Y}, most, {X: least.X, Y: most.Y}} {
		q := placed.ToScreen.Apply(c)
		box = image.Rect(min(box.Min.X, int(q.X)-1), min(box.Min.Y, int(q.Y)-1), max(box.Max.X, int(q.X)+2), max(box.Max.Y, int(q.Y)+2))
	}
	box = box.Intersect(out.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			var sum [4]float64
			for i := range 9 {
				at := back.Apply(vision.Point{X: float64(x) + (float64(i%3)-1)/3, Y: float64(y) + (float64(i/3)-1)/3})
				var c [4]float64
				if at.X >= least.X && at.Y >= least.Y && at.X <= most.X && at.Y <= most.Y {
					c = sample(board, (at.X-least.X)*scale-0.5, (at.Y-least.Y)*scale-0.5)
				}
				for k := range sum {
					sum[k] += c[k] / 9
				}
			}
			at := y*out.Stride + 4*x
			for k := range 3 {
				out.Pix[at+k] = uint8(min(255, sum[k]+float64(out.Pix[at+k])*(1-sum[3]/255)))
			}
		}
	}
	return out, quad
}

// randomWall is what hangs round a board: a shade that changes slowly, with
// patches and bars on it.
func randomWall(rng *rand.Rand, size image.Point, base color.NRGBA) *image.RGBA {
	m := image.NewRGBA(image.Rectangle{Max: size})
	gx, gy := rng.Float64()-0.5, rng.Float64()-0.5
	for y := range size.Y {
		for x := range size.X {
			f := 1 + gx*float64(x)/float64(size.X) + gy*float64(y)/float64(size.Y)
			at := y*m.Stride + 4*x
			for k, v := range [3]uint8{base.R, base.G, base.B} {
				m.Pix[at+k] = uint8(max(0, min(255, f*float64(v))))
			}
			m.Pix[at+3] = 255
		}
	}
	for range 3 + rng.IntN(10) {
		w, h := 4+rng.IntN(size.X/3), 4+rng.IntN(size.Y/3)
		if rng.IntN(2) == 0 {
			w, h = 2+w/20, 2*h // a bar, such as a cable
		}
		at := image.Pt(rng.IntN(size.X), rng.IntN(size.Y))
		c := color.NRGBA{jog(rng, base.R), jog(rng, base.G), jog(rng, base.B), 255}
		draw.Draw(m, image.Rectangle{Min: at, Max: at.Add(image.Pt(w, h))}, image.NewUniform(c), image.Point{}, draw.Src)
	}
	return m
}

func jog(rng *rand.Rand, v uint8) uint8 {
	return uint8(max(0, min(255, int(v)+rng.IntN(81)-40)))
}
