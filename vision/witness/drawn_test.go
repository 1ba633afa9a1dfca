package witness

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
)

// A tally counts readings.
type tally struct{ exact, unsure, wrong int }

// count counts a reading, and tells of one that is not exact.
func (c *tally) count(t *testing.T, what, wrong string, unsure error) {
	t.Helper()
	switch {
	case unsure != nil:
		c.unsure++
		t.Logf("%s: %v", what, unsure)
	case wrong != "":
		c.wrong++
		t.Errorf("%s: WRONG: %s", what, wrong)
	default:
		c.exact++
	}
}

func (c tally) String() string {
	return fmt.Sprintf("%d exact, %d unsure, %d WRONG", c.exact, c.unsure, c.wrong)
}

// A scene is a drawn panel before a camera.
type scene struct {
	panel *witness.Panel
	frame image.Image
	quad  [4]vision.Point
	pitch float64
}

// randomScene makes the scene of a seed: any panel in any style, up to 45° off
// the axis, a cell from 20 pixels up, and then the distortion.
func randomScene(t testing.TB, profile *calibrations.Profile, seed uint64) scene {
	t.Helper()
	return overlaid(t, profile, seed, func(_ *rand.Rand, sc scene) image.Image { return sc.frame })
}

// randomScenes are n scenes that are not too small to be read, by seed, from the first one on.
func randomScenes(t testing.TB, profile *calibrations.Profile, first uint64, n int) iter.Seq2[uint64, scene] {
	return func(yield func(uint64, scene) bool) {
		for done, seed := 0, first; done < n; seed++ {
			s := randomScene(t, profile, seed)
			if s.pitch < 20 {
				continue
			}
			if done++; !yield(seed, s) {
				return
			}
		}
	}
}

// overlaid is a random scene with something laid over the frame before the distortion.
func overlaid(t testing.TB, profile *calibrations.Profile, seed uint64, over func(*rand.Rand, scene) image.Image) scene {
	rng := rand.New(rand.NewPCG(seed, 1))
	cols := 2 + rng.IntN(5)
	rows := cols
	if rng.IntN(3) == 0 {
		rows = 1 + rng.IntN(6)
	}
	panel := randomPanel(rng, cols, rows)
	style := randomStyle(rng, profile)
	near := rng.Float64()
	// 400: a board of many cells has small ones, as on a screen.
	sc := hung(rng, panel, style, min(24+40*near*near, 400/float64(max(cols, rows)+1)), [2]float64{math.Pi / 4, math.Pi / 5})
	sc.frame = randomDistortion(rng).apply(t, rng, copied(over(rng, sc)))
	return sc
}

// hung is the scene of a panel that hangs before a camera, in cells of so many pixels before
// what is turned away grows smaller, and turned and tilted by up to so much, in radians.
func hung(rng *rand.Rand, panel *witness.Panel, style drawing.Style, pitch float64, aside [2]float64) scene {
	if panel.Symmetry != witness.NoSymmetry && brighter(style.Dot, style.Lines) {
		// Where there are two lines a bright dot is one line's, so that of this
		// look's plain ones there can be none.
		for at := range panel.Points() {
			if d := &panel.At(at).Dot; d.Line == witness.AnyLine {
				*d = witness.Dot{}
			}
		}
	}
	cols, rows := panel.Cols, panel.Rows
	p := pose{pitch: pitch, distance: 1.2 + 2*rng.Float64()}
	// Five cells more than the board: what turns towards the camera grows.
	p.frame = image.Pt(int(float64(cols+5)*p.pitch), int(float64(rows+5)*p.pitch))
	if rng.IntN(2) == 0 {
		p.yaw = (rng.Float64()*2 - 1) * aside[0]
	}
	if rng.IntN(3) == 0 {
		p.tilt = (rng.Float64()*2 - 1) * aside[1]
	}
	p.turned = (rng.Float64()*2 - 1) * 0.03
	p.at = vision.Point{X: float64(p.frame.X)/2 + p.pitch*(rng.Float64()-0.5), Y: float64(p.frame.Y)/2 + p.pitch*(rng.Float64()-0.5)}
	least, _ := picture.Extent(drawing.Shapes(panel, nil, style))
	wall := randomWall(rng, p.frame, style.Around)
	frame, quad := p.hang(drawing.Draw(panel, style, 1.5*p.pitch), cols, rows, least, 0.75*p.pitch, wall)
	shortest := math.Inf(1)
	for i, a := range quad {
		shortest = min(shortest, a.Dist(quad[(i+1)%4])/float64([]int{cols, rows}[i%2]))
	}
	return scene{panel: panel, frame: frame, quad: quad, pitch: shortest}
}

// readScene reads a scene: what differs from the truth, or why the reading is
// unsure, and the board, which says how sure the reading is.
func readScene(profile *calibrations.Profile, s scene) (wrong string, best *vision.Board, unsure error) {
	boards, err := locate.Boards(s.frame, profile.Board)
	if err != nil {
		return "", nil, err
	}
	for _, b := range boards {
		var dx, dy float64
		for i := range 4 {
			dx += (b.Quad[i].X - s.quad[i].X) / 4
			dy += (b.Quad[i].Y - s.quad[i].Y) / 4
		}
		if math.Hypot(dx, dy) < 1.5*s.pitch {
			best = b
			break
		}
	}
	if best == nil {
		return "", nil, errors.New("no board found")
	}
	r := NewReader(profile)
	if err := r.Add(best); err != nil {
		return "", nil, err
	}
	got, err := r.Panel()
	if err != nil {
		return "", nil, err
	}
	return witness.Differ(s.panel, got), best, nil
}

// TestSymbolsOfTheLookAreKnown reads drawn boards on which something looks otherwise
// than sharply drawn and alone, and is all the same what the look knows: testdata/drawn.rows has what is
// wanted, the board's seed, and what is hard on it.
func TestSymbolsOfTheLookAreKnown(t *testing.T) {
	profile := challengeLook(t)
	for _, line := range solvetest.Rows(t, "testdata/drawn.rows") {
		var want, what string
		var seed uint64
		solvetest.Must(fmt.Sscanf(line, "%s %d %q", &want, &seed, &what))(t, line)
		wrong, _, unsure := readScene(profile, randomScene(t, profile, seed))
		if unsure == nil && wrong != "" || unsure != nil && want != "never-wrong" {
			t.Errorf("%s, seed %d: %s, %v, want it %s", what, seed, wrong, unsure, want)
		}
	}
	// What it is may be told; whether it is a blue one can hardly.
	wrong, _, unsure := readScene(profile, randomScene(t, profile, 949001279))
	if wrong != "" || unsure != nil && !strings.Contains(unsure.Error(), "a piece, or a blue piece") {
		t.Errorf("a piece too bright for the picture: %s, %v, want it right but for its twin", wrong, unsure)
	}
}

// TestDrawnBoardsAreLocated finds drawn boards of which circles, symbols or what is
// around them hide a part: of as many cells as they have, with their corners within a
// fifth of a cell.
func TestDrawnBoardsAreLocated(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		what string
		seed uint64
	}{
		{"every second line passes for a board", 880000022},
		{"a start circle on an edge's middle covers the corners of two cells", 881000028},
		{"a start circle covers most of all four inner edges", 882000049},
		{"a false board of three quarters of its edges lies over it", 883000007},
		{"two columns and five rows pass for a pillar of three rows", 880000036},
		{"two columns and five rows pass for a pillar of two rows", 881000018},
	} {
		s := randomScene(t, profile, row.seed)
		boards := located(t, s.frame, profile)
		var found []string
		for _, b := range boards {
			if b.Cols == s.panel.Cols && b.Rows == s.panel.Rows && !b.Pillar && learn.Within(b.Quad, s.quad, 0.2*s.pitch) {
				found = nil
				break
			}
			found = append(found, fmt.Sprintf("%dx%d, pillar %v, at %.0f", b.Cols, b.Rows, b.Pillar, b.Quad))
		}
		if found != nil || len(boards) == 0 {
			t.Errorf("%s, seed %d: found %v, want %dx%d at %.0f", row.what, row.seed, found, s.panel.Cols, s.panel.Rows, s.quad)
		}
	}
}

// A reliability counts readings by how clear they are: in steps of 0.05 those
// that were right and those that were WRONG.
type reliability [21]struct{ right, wrong int }

func (r *reliability) add(clear float64, right bool) {
	bin := &r[int(clear*20+1e-9)]
	if right {
		bin.right++
	} else {
		bin.wrong++
	}
}

// String is a table of the readings that are at least so clear.
func (r *reliability) String() string {
	out := "     clear  readings     WRONG  right, and from there up\n"
	for i, bin := range r {
		if bin.right+bin.wrong == 0 {
			continue
		}
		right, all := 0, 0
		for _, b := range r[i:] {
			right, all = right+b.right, all+b.right+b.wrong
		}
		out += fmt.Sprintf("     %5.2f  %8d  %8d  %6.2f %%  %6.2f %%\n", float64(i)/20, bin.right+bin.wrong, bin.wrong,
			100*float64(bin.right)/float64(bin.right+bin.wrong), 100*float64(right)/float64(all))
	}
	return out
}

// TestDrawnPanelsAreRead reads panels that Draw drew, warped, blurred and
// recompressed, and says how often readings that are so clear are right.
// ONLOOKER_MORE multiplies how many; ONLOOKER_KEEP names a folder for the frames that were not
// read.
func TestDrawnPanelsAreRead(t *testing.T) {
	n := 24 * solvetest.More()
	if testing.Short() {
		n = 10
	}
	profile := challengeLook(t)
	var c tally
	var table reliability
	done := 0
	for seed, s := range randomScenes(t, profile, 0, n) {
		switch wrong, b, unsure := readScene(profile, s); {
		case unsure != nil:
			c.unsure++
			t.Logf("seed %d, %dx%d, pitch %.0f: %v", seed, s.panel.Cols, s.panel.Rows, s.pitch, unsure)
			keep(t, fmt.Sprintf("seed-%d", seed), s.frame)
		case wrong != "":
			c.wrong++
			table.add(b.Clear, false)
			t.Errorf("seed %d, %dx%d, pitch %.0f, clear by %.2f: WRONG: %s", seed, s.panel.Cols, s.panel.Rows, s.pitch, b.Clear, wrong)
			keep(t, fmt.Sprintf("seed-%d", seed), s.frame)
		default:
			c.exact++
			table.add(b.Clear, true)
		}
		if done++; done%100 == 0 || done == n {
			t.Logf("drawn panels: %v\n%v", c, &table)
		}
	}
}

// keep writes a picture into the folder ONLOOKER_KEEP, where that is asked for.
func keep(t *testing.T, name string, m image.Image) {
	t.Helper()
	if dir := os.Getenv("ONLOOKER_KEEP"); dir != "" {
		made.WritePNG(t, filepath.Join(dir, name+".png"), m)
	}
}

// A distortion is what happens to a picture between a game and a reader. The
// zero distortion changes nothing.
type distortion struct {
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
