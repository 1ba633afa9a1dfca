package witness

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"golang.org/x/image/draw"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/witness/learn"
)

// shown is a panel as people wrote it down. Which of two lines a colour of dots is they left open: it is
// as it was read of the first.
func shown(w *solvetest.CapturedBoard, got *witness.Panel) *witness.Panel {
	p := witness.New(w.Size[0], w.Size[1], false)
	spot := func(at [2]int) *witness.Spot { return p.At(image.Pt(at[0], at[1])) }
	for _, at := range w.Starts {
		spot(at).Start = true
	}
	for _, e := range w.Ends {
		spot(e.At).Cap = image.Pt(1, 0)
	}
	for _, at := range w.Breaks {
		spot(at).Gap = witness.Broken
	}
	for _, at := range w.Missing {
		spot(at).Gap = witness.Missing
	}
	lines := map[string]witness.Line{"black": witness.AnyLine}
	for _, d := range w.Dots {
		read := witness.AnyLine
		if at := image.Pt(d.At[0], d.At[1]); got.In(at) {
			read = got.At(at).Dot.Line
		}
		if _, known := lines[d.Colour]; !known && len(lines) == 1 {
			lines[d.Colour] = max(read, witness.OwnLine)
		} else if !known {
			lines[d.Colour] = witness.OwnLine + witness.OtherLine - slices.Max(slices.Collect(maps.Values(lines)))
		}
		spot(d.At).Dot = witness.Dot{On: true, Line: lines[d.Colour]}
		if len(w.Starts) < 2 {
			spot(d.At).Dot.Line = read
		}
	}
	kinds := map[string]witness.Kind{"square": witness.Square, "star": witness.Star, "triangle": witness.Triangle,
		"poly": witness.Polyomino, "ylop": witness.Negative, "nega": witness.Eraser}
	for _, q := range w.Symbols {
		symbol := witness.Symbol{Kind: kinds[q.Kind], Colour: witness.Colour(q.Colour), Count: q.Count, Turnable: q.Turnable}
		for _, b := range q.Shape {
			symbol.Shape = append(symbol.Shape, image.Pt(b[0], b[1]))
		}
		spot(q.At).Symbol = symbol
	}
	return p
}

// A verdict counts what became of a class of boards.
type verdict struct {
	exact, unsure, wrong, more int
	sure                       reliability
}

var class = regexp.MustCompile(`^(.*?)-\d\d`)

// judge reads one frame and compares it with the truth.
func judge(t testing.TB, look *calibrations.Profile, name string, frame image.Image, truth solvetest.Capture, v *verdict) {
	boards := solvetest.Must(locate.Boards(frame, look.Board))(t, name)
	type reading struct {
		b   *vision.Board
		p   *witness.Panel
		err error
	}
	var readings []reading
	for _, b := range boards {
		r := NewReader(look)
		solvetest.OK(t, r.Add(b), name)
		p, err := r.Panel()
		var why *vision.UnsureError
		if err != nil && !errors.As(err, &why) {
			t.Errorf("%s: %v", name, err)
		}
		readings = append(readings, reading{b, p, err})
		if p != nil && len(truth.Boards) == 0 {
			if truth.Negative {
				v.wrong++
				t.Logf("%s: WRONG: a board of %dx%d where there is none, at %.0f", name, b.Cols, b.Rows, b.Quad)
			} else {
				v.more++
			}
		}
	}
	for _, w := range truth.Boards {
		if !w.Flat() {
			continue
		}
		var c vision.Point
		for _, q := range w.Quad {
			c.X, c.Y = c.X+q[0]/4, c.Y+q[1]/4
		}
		span := math.Abs(w.Quad[1][0]-w.Quad[0][0]) + math.Abs(w.Quad[2][1]-w.Quad[1][1])
		near := slices.IndexFunc(readings, func(r reading) bool {
			m := r.b.ScreenPoint(float64(r.b.Cols), float64(r.b.Rows))
			return math.Abs(m.X-c.X)+math.Abs(m.Y-c.Y) < span/4
		})
		switch {
		case near < 0:
			v.unsure++
			t.Logf("%s %s: not found", name, w.Side)
		case readings[near].err != nil:
			v.unsure++
			t.Logf("%s %s: %v", name, w.Side, readings[near].err)
		default:
			if d := learn.DifferShown(shown(&w, readings[near].p), readings[near].p); d != "" {
				v.wrong++
				t.Logf("%s %s: WRONG: %s", name, w.Side, d)
			} else {
				v.exact++
				v.sure.add(readings[near].b.Clear, true)
				if readings[near].b.Clear < 0.75 {
					t.Logf("%s %s: exact, clear by %.2f", name, w.Side, readings[near].b.Clear)
				}
			}
		}
	}
}

// cropped is a window of a capture round one of its boards, or several, scaled
// and laid anywhere on a plain picture of another size; the truth goes with it.
// No fixed place, size, resolution or whole screen is left to go by.
func cropped(rng *rand.Rand, m image.Image, truth solvetest.Capture) (image.Image, solvetest.Capture) {
	var quads [][][2]float64
	for _, b := range truth.Boards {
		if b.Flat() {
			quads = append(quads, b.Quad)
		}
	}
	centre := quads[rng.IntN(len(quads))]
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	for _, q := range centre {
		for k := range 2 {
			lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
		}
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1])
	// A third of the board beside it: caps stick out by a quarter of the 3×3.
	room := func() float64 { return (0.35 + rng.Float64()) * size }
	window := image.Rect(int(lo[0]-room()), int(lo[1]-room()), int(hi[0]+room()), int(hi[1]+room())).Intersect(m.Bounds())
	least := math.Inf(1)
	for _, b := range truth.Boards {
		for i := range b.Quad {
			p, q := b.Quad[i], b.Quad[(i+1)%4]
			least = min(least, math.Hypot(p[0]-q[0], p[1]-q[1])/float64(b.Size[i%2]))
		}
	}
	// From half to twice the size, 24 pixels a cell or more unless the capture has
	// fewer, and no frame above that of a 4K screen.
	scale := math.Exp(rng.Float64()*math.Log(4)) * 0.5
	scale = max(scale, min(1, 24/least))
	scale = min(scale, 2000/float64(max(window.Dx(), window.Dy())))
	w, h := int(float64(window.Dx())*scale), int(float64(window.Dy())*scale)
	at := image.Pt(rng.IntN(400), rng.IntN(300))
	out := image.NewRGBA(image.Rect(0, 0, at.X+w+rng.IntN(400), at.Y+h+rng.IntN(300)))
	grey := uint8(rng.IntN(256))
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{grey, grey, grey, 255}), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, image.Rectangle{at, at.Add(image.Pt(w, h))}, m, window, draw.Src, nil)
	// A third of a board's size off the window's sides, but for sides that are the
	// capture's own.
	whole := window.Inset(int(0.3 * size))
	own := m.Bounds()
	if window.Min.X == own.Min.X {
		whole.Min.X = own.Min.X
	}
	if window.Min.Y == own.Min.Y {
		whole.Min.Y = own.Min.Y
	}
	if window.Max.X == own.Max.X {
		whole.Max.X = own.Max.X
	}
	if window.Max.Y == own.Max.Y {
		whole.Max.Y = own.Max.Y
	}
	moved := solvetest.Capture{}
	for _, b := range truth.Boards {
		if !b.Flat() {
			continue
		}
		b.Quad = slices.Clone(b.Quad)
		inside := true
		for i, q := range b.Quad {
			// What is cut at a cap is not the board any more.
			inside = inside && image.Pt(int(q[0]), int(q[1])).In(whole)
			b.Quad[i] = [2]float64{(q[0]-float64(window.Min.X))*scale + float64(at.X), (q[1]-float64(window.Min.Y))*scale + float64(at.Y)}
		}
		if inside {
			moved.Boards = append(moved.Boards, b)
		}
	}
	return out, moved
}

// TestCrops reads captures that are cut, scaled and moved. ONLOOKER_MORE is how
// many variants of each capture; without it, one of every fifth.
func TestCrops(t *testing.T) {
	dir, truth := solvetest.Captures(t)
	look := challengeLook(t)
	variants, every := 1, 5
	if n := solvetest.More(); n > 1 {
		variants, every = n, 1
	}
	var names []string
	for name, f := range truth {
		if slices.ContainsFunc(f.Boards, func(b solvetest.CapturedBoard) bool { return b.Flat() }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	tally := map[string]*verdict{}
	var all verdict
	for i := 0; i < len(names); i += every {
		name := names[i]
		frame := solvetest.Picture(t, filepath.Join(dir, name))
		c := class.FindStringSubmatch(name)[1]
		if tally[c] == nil {
			tally[c] = &verdict{}
		}
		var whole verdict
		judge(t, look, name, frame, truth[name], &whole)
		if whole.unsure > 0 {
			continue // nor is it read as it is
		}
		for n := range variants {
			m, moved := cropped(rand.New(rand.NewPCG(uint64(i), uint64(n))), frame, truth[name])
			judge(t, look, name, m, moved, tally[c])
		}
	}
	for c, v := range tally {
		t.Logf("%-22s exact %d unsure %d WRONG %d", c, v.exact, v.unsure, v.wrong)
		all.exact, all.unsure, all.wrong = all.exact+v.exact, all.unsure+v.unsure, all.wrong+v.wrong
	}
	n := all.exact + all.unsure + all.wrong
	t.Logf("all: exact %d of %d, unsure %d, WRONG %d", all.exact, n, all.unsure, all.wrong)
	// 0.85: most of the rest are small pictures of other puzzles, and boards under
	// the pointer, whose size goes with the height of the whole screen.
	least := 0.85
	if n < 50 {
		least = 0.7 // of a few boards one more or less decides
	}
	if all.wrong > 0 || n == 0 || float64(all.exact) < least*float64(n) {
		t.Errorf("%d of %d exact and %d WRONG, want %.0f %% and none", all.exact, n, all.wrong, 100*least)
	}
}

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
// of those that were refused once: testdata/mended.rows has what is hard, the capture and the variant.
func TestMendedVariants(t *testing.T) {
	look := challengeLook(t)
	for _, line := range solvetest.Rows(t, "testdata/mended.rows") {
		var row struct {
			what, name string
			seed       int
		}
		solvetest.Must(fmt.Sscanf(line, "%q %q %d", &row.what, &row.name, &row.seed))(t, line)
		var v verdict
		frame, want := transformed(t, row.name, row.seed)
		judge(t, look, row.name, frame, solvetest.Capture{Boards: []solvetest.CapturedBoard{want}}, &v)
		solvetest.Same(t, v.exact, 1, "%s (%s, variant %d): exact, %d unsure, %d WRONG", row.what, row.name, row.seed, v.unsure, v.wrong)
	}
}
