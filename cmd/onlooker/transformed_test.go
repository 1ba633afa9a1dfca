package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/cv"
)

// leastCell is the size in pixels of the smallest cells that are to be read: a
// board that a variant makes smaller is not counted.
const leastCell = 12

// A variant is something that happens to a picture between a game and a reader.
type variant struct {
	name string
	make func(t *testing.T, rng *rand.Rand, m *image.RGBA, boards []screenBoard) (*image.RGBA, []screenBoard)
}

// variants are the ways in which pictures are changed, by class.
func variants() []variant {
	type (
		boards = []screenBoard
		random = func(*rand.Rand) float64
	)
	between := func(a, b float64) random {
		return func(rng *rand.Rand) float64 { return a * math.Pow(b/a, rng.Float64()) }
	}
	scale := func(by random) func(*testing.T, *rand.Rand, *image.RGBA, boards) (*image.RGBA, boards) {
		return func(_ *testing.T, rng *rand.Rand, m *image.RGBA, b boards) (*image.RGBA, boards) {
			f := by(rng)
			return projected(m, b, vision.Mat3{f, 0, 0, 0, f, 0, 0, 0, 1})
		}
	}
	bright := func(by random) func(*testing.T, *rand.Rand, *image.RGBA, boards) (*image.RGBA, boards) {
		return func(_ *testing.T, rng *rand.Rand, m *image.RGBA, b boards) (*image.RGBA, boards) {
			f, out := by(rng), image.NewRGBA(m.Rect)
			for i, v := range m.Pix {
				out.Pix[i] = uint8(min(255, math.Round(f*float64(v))))
				if i%4 == 3 {
					out.Pix[i] = 255
				}
			}
			return out, b
		}
	}
	return []variant{
		{"half size", scale(func(*rand.Rand) float64 { return 0.5 })},
		{"scaled down", scale(between(0.5, 1))},
		{"scaled up", scale(between(1, 1.99))},
		{"double size", scale(func(*rand.Rand) float64 { return 2 })},
		{"jpeg 60", func(t *testing.T, _ *rand.Rand, m *image.RGBA, b boards) (*image.RGBA, boards) {
			return jpegged(t, m, 60), b
		}},
		{"darker", bright(between(0.6, 0.8))},
		{"brighter", bright(between(1.2, 1.4))},
		{"turned", func(_ *testing.T, rng *rand.Rand, m *image.RGBA, b boards) (*image.RGBA, boards) {
			a := (1 + 2*rng.Float64()) * math.Pi / 180 * float64(1-2*rng.IntN(2))
			sin, cos := math.Sincos(a)
			return projected(m, b, vision.Mat3{cos, -sin, 0, sin, cos, 0, 0, 0, 1})
		}},
		{"slant 25", slanted(func(*rand.Rand) float64 { return 25 })},
		{"slanted", slanted(between(8, 24))},
		blurred(3, 7),
	}
}

// blurred puts a picture out of focus: a Gaussian of some pixels.
func blurred(least, most float64) variant {
	return variant{"out of focus", func(_ *testing.T, rng *rand.Rand, m *image.RGBA, b []screenBoard) (*image.RGBA, []screenBoard) {
		sigma, out := least+(most-least)*rng.Float64(), image.NewRGBA(m.Rect)
		for k := range 4 {
			level := make([]float32, len(m.Pix)/4)
			for i := range level {
				level[i] = float32(m.Pix[4*i+k])
			}
			// twice, as one goes no further than twice its sigma
			level = cv.Blurred(level, m.Rect.Dx(), sigma/math.Sqrt2)
			for i, v := range cv.Blurred(level, m.Rect.Dx(), sigma/math.Sqrt2) {
				out.Pix[4*i+k] = uint8(v + 0.5)
			}
		}
		return out, b
	}}
}

// TestBlurredEnds: a pair of ends that a blur makes a hole of is not left out of the board.
func TestBlurredEnds(t *testing.T) {
	dir, list := screensOf(t, "flow")
	if got := judgeChanged(t, cellEye(t), "flow", filepath.Join(dir, "du03.png"), list["du03.png"], blurred(6, 6)); got.wrong > 0 || got.unsure == 0 {
		t.Errorf("%v, want it unsure", got)
	}
}

// slanted photographs a picture from aside: it is turned out of the camera's
// plane about some axis through its middle, by an angle in degrees, from twice its
// width away.
func slanted(by func(*rand.Rand) float64) func(*testing.T, *rand.Rand, *image.RGBA, []screenBoard) (*image.RGBA, []screenBoard) {
	return func(_ *testing.T, rng *rand.Rand, m *image.RGBA, b []screenBoard) (*image.RGBA, []screenBoard) {
		w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
		ay, ax := math.Sincos(2 * math.Pi * rng.Float64())
		sin, cos := math.Sincos(by(rng) * math.Pi / 180)
		far := 2 * max(w, h)
		// u and v are along and across the axis, from the middle; the camera sees
		// u·z and v·cos·z, where z = far / (far + v·sin).
		along := [3]float64{ax, ay, -ax*w/2 - ay*h/2}
		across := [3]float64{-ay, ax, ay*w/2 - ax*h/2}
		var to vision.Mat3
		for k := range 3 {
			to[k] = ax*along[k] - ay*cos*across[k]
			to[3+k] = ay*along[k] + ax*cos*across[k]
			to[6+k] = sin / far * across[k]
		}
		to[8]++
		return projected(m, b, to)
	}
}

// projected draws a picture, and what it shows, through a map. It is put on a ground of one grey as large as it
// needs. Where it gets smaller each pixel is the mean over what it covers.
func projected(m *image.RGBA, boards []screenBoard, to vision.Mat3) (*image.RGBA, []screenBoard) {
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	corners := [4]vision.Point{{}, {X: w}, {X: w, Y: h}, {Y: h}}
	var seen [4]vision.Point
	for i, p := range corners {
		seen[i] = to.Apply(p)
	}
	box := boundsOf(seen)
	back, _ := to.Inverse()
	at := func(x, y float64) vision.Point {
		q := to.Apply(vision.Point{X: x, Y: y})
		return vision.Point{X: q.X - box[0], Y: q.Y - box[1]}
	}
	out := image.NewRGBA(image.Rect(0, 0, int(math.Round(box[2])), int(math.Round(box[3]))))
	n := max(1, int(math.Ceil(math.Sqrt(w*h/quadArea(seen))-0.01)))
	n = min(2*n, 4) // 2 for its own size, so that lines are not broken
	ground := vision.RGB{96, 96, 96}
	vision.SideBySide(out.Rect.Dy(), func(y int) {
		for x := range out.Rect.Dx() {
			var sum vision.RGB
			for k := range n * n {
				p := back.Apply(vision.Point{X: box[0] + float64(x) + (float64(k%n)+0.5)/float64(n), Y: box[1] + float64(y) + (float64(k/n)+0.5)/float64(n)})
				if p.X < 0 || p.Y < 0 || p.X > w || p.Y > h {
					sum = sum.Add(ground)
				} else {
					sum = sum.Add(vision.At(m, p.X-0.5, p.Y-0.5))
				}
			}
			c := func(k int) uint8 { return uint8(sum[k]/float64(n*n) + 0.5) }
			out.SetRGBA(x, y, color.RGBA{c(0), c(1), c(2), 255})
		}
	})
	moved := slices.Clone(boards)
	for i := range moved {
		moved[i].Centres = nil
		for _, c := range boards[i].Centres {
			p := at(c[0], c[1])
			moved[i].Centres = append(moved[i].Centres, [2]float64{p.X, p.Y})
		}
		b := moved[i].Box
		moved[i].Box = boundsOf([4]vision.Point{
			at(b[0], b[1]), at(b[0]+b[2], b[1]), at(b[0]+b[2], b[1]+b[3]), at(b[0], b[1]+b[3]),
		})
	}
	return out, moved
}

// boundsOf is left, top, width and height of four points.
func boundsOf(q [4]vision.Point) (box [4]float64) {
	least, most := q[0], q[0]
	for _, p := range q {
		least = vision.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = vision.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	return [4]float64{least.X, least.Y, most.X - least.X, most.Y - least.Y}
}

func quadArea(q [4]vision.Point) float64 {
	sum := 0.0
	for i := range q {
		p, o := q[i], q[(i+1)%4]
		sum += p.X*o.Y - o.X*p.Y
	}
	return math.Abs(sum) / 2
}

func jpegged(t *testing.T, m *image.RGBA, quality int) *image.RGBA {
	t.Helper()
	var b bytes.Buffer
	solvetest.OK(t, jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}))
	j := solvetest.Must(jpeg.Decode(&b))(t)
	out := image.NewRGBA(m.Rect)
	draw.Draw(out, out.Rect, j, j.Bounds().Min, draw.Src)
	return out
}

// TestTransformed reads the shared screens in other sizes, as JPEG, darker and
// brighter, turned and photographed from aside, and wants none read wrong. It
// prints for each family and class how many boards were exact. Boards whose cells
// get smaller than 12 pixels, and what is cut off by the picture's edge, are left
// out.
//
// Each third picture is changed in one way, another for each; ONLOOKER_MORE=10 has
// every picture in every class. -run TestTransformed/flow/slant counts
// a family and a class alone. ONLY=NAME reads the pictures whose names begin
// so, ONLOOKER_KEEP=FOLDER keeps the changed pictures that were not read.
func TestTransformed(t *testing.T) {
	each := solvetest.More()
	eye := cellEye(t)
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		t.Run(family, func(t *testing.T) {
			dir, list := screensOf(t, family)
			names := slices.Sorted(maps.Keys(list))
			for v, change := range variants() {
				t.Run(change.name, func(t *testing.T) {
					total := screenTally{}
					for i, name := range names {
						if !strings.HasPrefix(name, os.Getenv("ONLY")) || (i+v)%len(variants()) >= each || each == 1 && i%3 != 1 {
							continue
						}
						total.add(judgeChanged(t, eye, family, filepath.Join(dir, name), list[name], change))
					}
					t.Logf("%-10s %-12s %v", family, change.name, total)
					if total.wrong > 0 {
						t.Errorf("%d boards of %s were read wrong, want none", total.wrong, family)
					}
				})
			}
		})
	}
}

// judgeChanged reads a picture after a change.
func judgeChanged(t *testing.T, eye *see.Eye, family, file string, s screen, change variant) screenTally {
	t.Helper()
	seed := uint64(0)
	for _, c := range filepath.Base(file) + change.name {
		seed = 31*seed + uint64(c)
	}
	m, boards := change.make(t, rand.New(rand.NewPCG(seed, 1)), openPicture(t, file), s.Boards)
	for _, b := range boards {
		if b.Cut || b.cell(t, eye, family) < leastCell {
			return screenTally{}
		}
	}
	s.Boards = boards
	out := judge(t, eye, family, file, m, s)
	if out.unsure+out.wrong > 0 {
		keepPicture(t, filepath.Base(file)+"-"+change.name, m)
	}
	return out
}

// keepPicture keeps a picture in the folder that ONLOOKER_KEEP names.
func keepPicture(t *testing.T, name string, m *image.RGBA) {
	t.Helper()
	if keep := os.Getenv("ONLOOKER_KEEP"); keep != "" {
		solvetest.OK(t, cli.WritePicture(filepath.Join(keep, name+".png"), m))
	}
}

// size is how many columns and rows a board has.
func (b screenBoard) size(t *testing.T, eye *see.Eye, family string) image.Point {
	t.Helper()
	i := slices.IndexFunc(eye.Games, func(g see.Game) bool { return g.Name == family })
	return decode(t, &eye.Games[i], b.Text).Bounds().Max.Sub(image.Pt(1, 1)).Div(2)
}

// cell is about how many pixels a board's cells have, the shorter way.
func (b screenBoard) cell(t *testing.T, eye *see.Eye, family string) float64 {
	t.Helper()
	size := b.size(t, eye, family)
	return min(b.Box[2]/float64(size.X), b.Box[3]/float64(size.Y))
}
