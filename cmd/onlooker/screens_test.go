package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/vision"
	"onlooker/vision/cv"
	"onlooker/vision/posterior"
)

// A screen is one picture of ../shared/screens with what it shows.
type screen struct {
	Look, State string
	Size        [2]int
	Boards      []screenBoard
}

// A screenBoard is one board of a screen.
type screenBoard struct {
	Box  [4]float64 `json:"bbox"` // left, top, width and height
	Text string
	Cut  bool // by the picture's edge
	// Centres are the bulbs' middles where they are joined by lines, in the order of
	// the text's names.
	Centres [][2]float64
}

// screensOf lists the pictures of a family; it skips where there are none.
func screensOf(t testing.TB, family string) (dir string, list map[string]screen) {
	t.Helper()
	dir = solvetest.Shared("screens", family)
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Skipf("no screens of %s: %v (set ONLOOKER_SHARED to their folder)", family, err)
	}
	solvetest.OK(t, json.Unmarshal(data, &list))
	// Fans that are fixed or turned are no boards that are known.
	maps.DeleteFunc(list, func(_ string, s screen) bool {
		return family == "fans" && slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return strings.ContainsAny(b.Text, "<>^v") })
	})
	if len(list) < 5 {
		t.Fatalf("%s lists %d pictures, want more", dir, len(list))
	}
	return dir, list
}

// cellEye looks with the looks of boards of cells alone: the other looks are
// tested elsewhere.
func cellEye(t *testing.T) *see.Eye {
	t.Helper()
	model := solvetest.Must(posterior.Fitted())(t)
	eye := &see.Eye{Games: games.Of(), Model: model}
	for _, name := range calibrations.Names() {
		p := solvetest.Must(calibrations.Load(name))(t)
		if p.Cells != nil {
			eye.Profiles = append(eye.Profiles, p)
		}
	}
	return eye
}

// alone is a puzzle's text without what no picture tells: what is wanted, and
// whether cells may stay empty.
func alone(t *testing.T, p solve.Puzzle) string {
	t.Helper()
	if f, ok := p.(*flow.Puzzle); ok {
		p = f.With(flow.Options{})
	}
	text := solvetest.Must(p.MarshalText())(t)
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "want") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// sameBulbs tells whether a board of bulbs joined by lines was read as it is, each
// bulb being who stands where it does: their names go by the order of reading, which
// is another where the picture is turned.
func sameBulbs(t *testing.T, r see.Reading, want screenBoard) bool {
	t.Helper()
	got, ok := r.Puzzle.(*switches.Puzzle)
	if !ok || len(want.Centres) == 0 || len(got.Spec().Nodes) != len(want.Centres) {
		return false
	}
	truth := decode(t, r.Game, want.Text).(*switches.Puzzle).Spec()
	is := make([]int, len(want.Centres)) // of each bulb, its number in the truth
	for i := range is {
		at, ok := r.Board.Places[image.Pt(2*i+1, 1)]
		if !ok {
			return false
		}
		far := func(k int) float64 { return math.Hypot(at.X-want.Centres[k][0], at.Y-want.Centres[k][1]) }
		for k := range want.Centres {
			if far(k) < far(is[i]) {
				is[i] = k
			}
		}
	}
	flips := map[[2]int]bool{}
	for _, f := range truth.Flips {
		flips[[2]int{f.Switch, f.Bulb}] = true
	}
	spec := got.Spec()
	if len(spec.Flips) != len(truth.Flips) {
		return false
	}
	for _, f := range spec.Flips {
		if !flips[[2]int{is[f.Switch], is[f.Bulb]}] {
			return false
		}
	}
	for i, n := range spec.Nodes {
		if n.Now != truth.Nodes[is[i]].Now {
			return false
		}
	}
	return true
}

func openPicture(t testing.TB, name string) *image.RGBA {
	t.Helper()
	return solvetest.Must(capture.ReadPictureFile(name))(t)
}

// A screenTally counts the boards of a look by how they were read.
type screenTally struct{ exact, unsure, wrong, cut int }

func (a *screenTally) add(b screenTally) {
	a.exact, a.unsure, a.wrong, a.cut = a.exact+b.exact, a.unsure+b.unsure, a.wrong+b.wrong, a.cut+b.cut
}

func (a screenTally) String() string {
	return fmt.Sprintf("exact %d, unsure %d, WRONG %d, cut %d", a.exact, a.unsure, a.wrong, a.cut)
}

// someScreens yields the screens of a family by their files, in order: those of today, with
// ONLOOKER_MORE all, with ONLY=NAME those whose names begin so.
func someScreens(t *testing.T, family string, today func(i int, s screen) bool) iter.Seq2[string, screen] {
	dir, list := screensOf(t, family)
	only := os.Getenv("ONLY")
	return func(yield func(string, screen) bool) {
		for i, name := range slices.Sorted(maps.Keys(list)) {
			wanted := only != "" || solvetest.More() > 1 || today(i, list[name])
			if wanted && strings.HasPrefix(name, only) && !yield(filepath.Join(dir, name), list[name]) {
				return
			}
		}
	}
}

// TestScreens reads real screens of programs that nobody here wrote, whose
// truth is known, and wants none read wrong: half of those that the record (make outside) does
// not, with ONLOOKER_MORE all.
// ONLY=NAME reads the pictures whose names begin so.
func TestScreens(t *testing.T) {
	eye := cellEye(t)
	today := func(i int, s screen) bool {
		return i%3 == 1 || slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return b.Centres != nil })
	}
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		t.Run(family, func(t *testing.T) {
			var total screenTally
			for file, s := range someScreens(t, family, today) {
				total.add(judge(t, eye, family, file, openPicture(t, file), s))
			}
			t.Log(total)
			if total.wrong > 0 {
				t.Errorf("%d boards of %s were read wrong, want none", total.wrong, family)
			}
		})
	}
}

// judge reads one picture, file being its name, and compares what was read with
// its truth.
func judge(t *testing.T, eye *see.Eye, family, file string, m *image.RGBA, s screen) (out screenTally) {
	t.Helper()
	sight := solvetest.Must(eye.Look(m, see.Millis{}))(t, file)
	name := filepath.Base(file)
	readings := slices.Clone(sight.Readings)
	for _, want := range s.Boards {
		box := want.Box
		inside := func(r see.Reading) bool {
			var c vision.Point
			for _, p := range r.Board.Quad {
				c.X, c.Y = c.X+p.X/4, c.Y+p.Y/4
			}
			return c.X > box[0]-box[2]/8 && c.X < box[0]+box[2]*9/8 && c.Y > box[1]-box[3]/8 && c.Y < box[1]+box[3]*9/8
		}
		i := slices.IndexFunc(readings, func(r see.Reading) bool { return r.Err == nil && inside(r) })
		if i < 0 {
			if want.Cut {
				out.cut++
				continue
			}
			out.unsure++
			why := "not found"
			if k := slices.IndexFunc(readings, inside); k >= 0 {
				why = fmt.Sprintf("%s %dx%d: %v", readings[k].Game.Name, readings[k].Board.Cols, readings[k].Board.Rows, readings[k].Err)
			}
			t.Logf("  %s unsure: %s", name, why)
			continue
		}
		r := readings[i]
		readings = slices.Delete(readings, i, i+1)
		truth := want.Text
		if r.Game.Name == family {
			truth = alone(t, decode(t, r.Game, want.Text))
		}
		if r.Game.Name == family && (alone(t, r.Puzzle) == truth || sameBulbs(t, r, want)) {
			out.exact++
			continue
		}
		out.wrong++
		t.Logf("  %s WRONG: got %s\n%swant\n%s", name, r.Game.Name, alone(t, r.Puzzle), truth)
	}
	for _, r := range readings {
		if r.Err == nil && len(s.Boards) == 0 {
			out.wrong++
			t.Logf("  %s WRONG: a board where there is none, %s\n%s", name, r.Game.Name, alone(t, r.Puzzle))
		}
	}
	return out
}

func decode(t *testing.T, g *see.Game, text string) solve.Puzzle {
	t.Helper()
	return solvetest.Must(g.Parse(text))(t)
}

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

// TestFilledPicture: a solved board that fills its picture, whose last line is the picture's border,
// has no window beside it.
func TestFilledPicture(t *testing.T) {
	c := gg.NewContext(302, 302)
	c.SetColor(color.Black)
	c.Clear()
	c.SetRGB255(128, 128, 128)
	c.SetLineWidth(1)
	for at := 0.5; at < 302; at += 50 {
		c.DrawLine(at, 0, at, 302)
		c.DrawLine(0, at, 302, at)
		c.Stroke()
	}
	for ink, way := range map[color.Color][]image.Point{
		color.NRGBA{255, 0, 0, 255}:   {{0, 0}, {5, 0}, {5, 5}},
		color.NRGBA{40, 40, 255, 255}: {{0, 1}, {0, 5}, {4, 5}},
		color.NRGBA{255, 230, 0, 255}: {{1, 1}, {4, 1}, {4, 4}},
		color.NRGBA{0, 150, 0, 255}:   {{1, 2}, {1, 4}, {2, 4}, {2, 2}, {3, 2}, {3, 4}},
	} {
		c.SetColor(ink)
		c.SetLineWidth(10)
		for _, q := range way {
			c.LineTo(float64(q.X)*50+25, float64(q.Y)*50+25)
		}
		c.Stroke()
		for _, q := range []image.Point{way[0], way[len(way)-1]} {
			c.DrawCircle(float64(q.X)*50+25, float64(q.Y)*50+25, 15)
			c.Fill()
		}
	}
	sight, err := cellEye(t).Look(c.Image().(*image.RGBA), see.Millis{})
	if err != nil || len(sight.Readings) != 1 {
		t.Fatalf("%d readings, %v", len(sight.Readings), err)
	}
	if r := sight.Readings[0]; r.Err != nil || r.Board.Cols != 6 || r.Board.Rows != 6 {
		t.Errorf("%d×%d: %v", r.Board.Cols, r.Board.Rows, r.Err)
	}
}

// TestCoveredScreens: a window over a side or a corner of a board, up to one of its lines or amid cells,
// leaves no smaller board. One picture in twelve a day, with ONLOOKER_MORE all; ONLY=NAME reads those whose
// names begin so. A window of the page's own colour cannot be told everywhere and is not among them,
// nor a bar across the whole picture that does, as games have them.
func TestCoveredScreens(t *testing.T) {
	eye := cellEye(t)
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		t.Run(family, func(t *testing.T) {
			var total screenTally
			for file, s := range someScreens(t, family, func(i int, _ screen) bool { return i%12 == 2 }) {
				if len(s.Boards) != 1 || s.Boards[0].Cut || s.Boards[0].Centres != nil {
					continue
				}
				m, name := openPicture(t, file), filepath.Base(file)
				size := s.Boards[0].size(t, eye, family)
				for side := range 8 {
					for _, off := range []float64{0, 0.35} {
						h := fnv.New64a()
						fmt.Fprint(h, family, name, side, off)
						rng := rand.New(rand.NewPCG(h.Sum64(), 0))
						over := window(rng, s.Boards[0], size, side, off)
						if at := over.Intersect(m.Rect); off == 0 && (at.Dx() == m.Rect.Dx() || at.Dy() == m.Rect.Dy()) {
							continue
						}
						shown := image.NewRGBA(m.Rect)
						draw.Draw(shown, m.Rect, m, image.Point{}, draw.Src)
						tone := []uint8{0, 36, 122, 240, 255}[rng.IntN(5)]
						page := m.RGBAAt(max(0, int(s.Boards[0].Box[0])-6), int(s.Boards[0].Box[1]+s.Boards[0].Box[3]/2))
						if max(page.R, tone)-min(page.R, tone) < 24 {
							tone = 255 - page.R
						}
						draw.Draw(shown, over, image.NewUniform(color.Gray{Y: tone}), image.Point{}, draw.Src)
						covered := fmt.Sprintf("%s from %d, %.2f, %v in %d", name, side, off, over, tone)
						out := judge(t, eye, family, covered, shown, s)
						if total.add(out); out.wrong > 0 {
							keepPicture(t, covered, shown)
						}
					}
				}
			}
			t.Log(total)
			// Known and left: boards of Alcazar over which the answer is drawn already, and one of lamps.
			most := map[string]int{"alcazar": 7, "switches": 1}[family]
			if total.wrong > most && solvetest.More() == 1 {
				t.Errorf("%d boards of %s were read wrong, want %d at the most", total.wrong, family, most)
			}
		})
	}
}

// window is one over all beyond a line of a board, or beyond a place so far between two, from one of four
// sides; or from one of its corners.
func window(rng *rand.Rand, b screenBoard, size image.Point, side int, off float64) image.Rectangle {
	at := func(n int) float64 { return (float64(1+rng.IntN(max(1, (n-1)/2))) + off) / float64(n) }
	x, y, w, h := b.Box[0], b.Box[1], b.Box[2], b.Box[3]
	over := [4]float64{x - 60, y - 60, x + w + 60, y + h + 60} // left, top, right, bottom
	for _, k := range [][]int{{0}, {1}, {2}, {3}, {0, 1}, {1, 2}, {2, 3}, {3, 0}}[side] {
		switch k {
		case 0:
			over[2] = x + w*at(size.X)
		case 1:
			over[3] = y + h*at(size.Y)
		case 2:
			over[0] = x + w - w*at(size.X)
		case 3:
			over[1] = y + h - h*at(size.Y)
		}
	}
	return image.Rect(int(over[0]), int(over[1]), int(over[2]), int(over[3]))
}
