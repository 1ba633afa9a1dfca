package witness

import (
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// A covered frame is a capture with something over it.
type coveredFrame struct {
	name  string
	kind  string
	m     *image.RGBA
	truth solvetest.CapturedBoard
}

// cover lays a colour of an opacity over all pixels that a distance says are inside.
func cover(m *image.RGBA, box image.Rectangle, c color.RGBA, alpha float64, inside func(x, y float64) float64) {
	box = box.Intersect(m.Rect)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			a := alpha * min(1, max(0, 0.5+inside(float64(x), float64(y))))
			p := m.Pix[m.PixOffset(x, y):]
			for k, v := range []uint8{c.R, c.G, c.B} {
				p[k] = uint8(float64(p[k])*(1-a) + float64(v)*a + 0.5)
			}
		}
	}
}

// shine lays a white light over a frame that falls off from a place on; more than 1 blows out.
func shine(m *image.RGBA, at vision.Point, reach, most float64) {
	cover(m, m.Rect, color.RGBA{255, 255, 255, 255}, 1, func(x, y float64) float64 {
		far := math.Hypot(x-at.X, y-at.Y) / reach
		return most*math.Exp(-far*far) - 0.5
	})
}

// glow adds a light's colour to a frame, most of it in a disc and less about it.
func glow(m *image.RGBA, at vision.Point, reach float64, light color.RGBA) {
	for i, v := range m.Pix {
		x, y := (float64(i%m.Stride/4)-at.X)/reach, (float64(i/m.Stride)-at.Y)/reach
		share := math.Exp(-x*x-y*y) / 255
		m.Pix[i] = uint8(float64(v) + share*float64([4]uint8{light.R, light.G, light.B, 0}[i%4])*(255-float64(v)) + 0.5)
	}
}

// layCursor lays the game's disc over a frame: white, with a ring that darkens.
func layCursor(m *image.RGBA, at vision.Point, r, dark float64) {
	ring := r * 17 / 15
	box := image.Rect(int(at.X-ring)-2, int(at.Y-ring)-2, int(at.X+ring)+3, int(at.Y+ring)+3)
	off := func(x, y float64) float64 { return math.Hypot(x-at.X, y-at.Y) }
	cover(m, box, color.RGBA{A: 255}, dark, func(x, y float64) float64 { return min(ring-off(x, y), off(x, y)-r) })
	cover(m, box, color.RGBA{255, 255, 255, 255}, 0.4, func(x, y float64) float64 { return r - off(x, y) })
}

// layRing lays a white ring over a frame.
func layRing(m *image.RGBA, at vision.Point, r, wide, alpha float64) {
	cover(m, about(at, r+wide), color.RGBA{255, 255, 255, 255}, alpha, func(x, y float64) float64 {
		return wide/2 - math.Abs(math.Hypot(x-at.X, y-at.Y)-r)
	})
}

// layLine lays a line of a width, with a circle at its start, over a frame.
func layLine(m *image.RGBA, way []vision.Point, half, circle float64, c color.RGBA) {
	cover(m, m.Rect, c, 1, func(x, y float64) float64 {
		p := vision.Point{X: x, Y: y}
		d := circle - p.Dist(way[0])
		for i := 1; i < len(way); i++ {
			a, b := way[i-1], way[i]
			ux, uy := b.X-a.X, b.Y-a.Y
			t := max(0, min(1, ((x-a.X)*ux+(y-a.Y)*uy)/max(1e-9, ux*ux+uy*uy)))
			d = max(d, half-p.Dist(vision.Point{X: a.X + t*ux, Y: a.Y + t*uy}))
		}
		return d
	})
}

// wash lowers a frame's contrast and lifts its black, as a screen of more light is caught.
func wash(m *image.RGBA, contrast, black float64) {
	for i, v := range m.Pix {
		if i%4 != 3 {
			m.Pix[i] = uint8(max(0, min(255, contrast*float64(v)+black+0.5)))
		}
	}
}

// filter takes blue light from a frame, as a screen does at night.
func filter(m *image.RGBA) {
	for i := range m.Pix {
		m.Pix[i] = uint8(float64(m.Pix[i]) * [4]float64{1, 0.68, 0.40, 1}[i%4])
	}
}

// something is what matters on a board, at random, and where it is.
func something(r *rand.Rand, w *solvetest.CapturedBoard) (kind string, at image.Point) {
	kinds := map[string][]image.Point{}
	add := func(kind string, q [2]int) { kinds[kind] = append(kinds[kind], image.Pt(q[0], q[1])) }
	for _, s := range w.Symbols {
		add(s.Kind, s.At)
	}
	for _, d := range w.Dots {
		add("dot", d.At)
	}
	for _, q := range w.Breaks {
		add("break", q)
	}
	for _, q := range w.Missing {
		add("no edge", q)
	}
	if len(kinds) == 0 {
		add("start", w.Starts[0])
	}
	names := slices.Sorted(maps.Keys(kinds))
	kind = names[r.IntN(len(names))]
	return kind, kinds[kind][r.IntN(len(kinds[kind]))]
}

// layPatch lays an opaque patch over a frame: a card's corner, a flat square, a round badge.
func layPatch(r *rand.Rand, m *image.RGBA, at vision.Point, pitch float64) string {
	inks := []color.RGBA{{24, 26, 34, 255}, {245, 246, 248, 255}, {128, 130, 133, 255}, {40, 90, 200, 255}, {210, 60, 50, 255}}
	cover(m, about(at, pitch), inks[r.IntN(len(inks))], 1, patch(r, at, pitch))
	return "patch"
}

// layDim lays one that is seen through.
func layDim(r *rand.Rand, m *image.RGBA, at vision.Point, pitch float64) string {
	inks := []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {30, 34, 44, 255}}
	cover(m, about(at, pitch), inks[r.IntN(len(inks))], 0.5+0.35*r.Float64(), patch(r, at, pitch))
	return "dim"
}

// about is what lies so near to a place.
func about(at vision.Point, far float64) image.Rectangle {
	return image.Rect(int(at.X-far), int(at.Y-far), int(at.X+far)+1, int(at.Y+far)+1)
}

// patch is a square with round corners, a disc, or a half plane's corner that reaches some way.
func patch(r *rand.Rand, at vision.Point, pitch float64) func(x, y float64) float64 {
	half := (0.2 + 0.4*r.Float64()) * pitch
	switch r.IntN(3) {
	case 0:
		return func(x, y float64) float64 { return half - math.Hypot(x-at.X, y-at.Y) }
	case 1:
		return func(x, y float64) float64 { return half - max(math.Abs(x-at.X), math.Abs(y-at.Y)) }
	}
	h := half / 2
	return func(x, y float64) float64 {
		dx, dy := math.Abs(x-at.X)-h, math.Abs(y-at.Y)-h
		return half/2 - math.Hypot(max(0, dx), max(0, dy)) - min(0, max(dx, dy))
	}
}

// layGlare lays a lamp's light over a frame: white in its middle, and soft.
func layGlare(r *rand.Rand, m *image.RGBA, at vision.Point, pitch float64) string {
	reach, top := (0.5+0.7*r.Float64())*pitch, 0.9+0.4*r.Float64()
	cover(m, about(at, 4*reach), color.RGBA{255, 255, 255, 255}, 1, func(x, y float64) float64 {
		far := math.Hypot(x-at.X, y-at.Y) / reach
		return top*math.Exp(-far*far) - 0.5
	})
	return "glare"
}

// begunWay is a random line from a start along edges that are whole, of so many edges and some
// of the next.
func begunWay(r *rand.Rand, w *solvetest.CapturedBoard) (way []image.Point, head float64) {
	shut := map[image.Point]bool{}
	for _, q := range slices.Concat(w.Breaks, w.Missing) {
		shut[image.Pt(q[0], q[1])] = true
	}
	s := w.Starts[r.IntN(len(w.Starts))]
	at := image.Pt(s[0], s[1])
	way = []image.Point{at}
	for n := 2 + r.IntN(10); len(way) <= n; {
		var next []image.Point
		for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			to := at.Add(d.Mul(2))
			if to.In(image.Rect(0, 0, 2*w.Size[0]+1, 2*w.Size[1]+1)) && !shut[at.Add(d)] && !slices.Contains(way, to) {
				next = append(next, to)
			}
		}
		if len(next) == 0 {
			break
		}
		at = next[r.IntN(len(next))]
		way = append(way, at)
	}
	return way, 0.15 + 0.85*r.Float64()
}

// placer is where half-cells of a captured board are in its frame.
func placer(t testing.TB, m image.Image, w *solvetest.CapturedBoard) *vision.Board {
	var q [4]vision.Point
	for i := range q {
		q[i] = vision.Point{X: w.Quad[i][0], Y: w.Quad[i][1]}
	}
	return solvetest.Must(vision.Placed(m.Bounds().Size(), w.Size[0], w.Size[1], q))(t)
}

// hashed is a number of a name's own.
func hashed(name string) uint64 {
	h := fnv.New64()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

func copied(m image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// withoutCursor takes the cursor off the middle of a board of even size: what another node without
// dot and start shows stands there.
func withoutCursor(m *image.RGBA, w *solvetest.CapturedBoard, b *vision.Board) {
	mid := image.Pt(w.Size[0], w.Size[1])
	busy := map[image.Point]bool{}
	for _, s := range w.Starts {
		busy[image.Pt(s[0], s[1])] = true
	}
	for _, d := range w.Dots {
		busy[image.Pt(d.At[0], d.At[1])] = true
	}
	var from image.Point
	for _, d := range []image.Point{{Y: -2}, {X: -2}, {X: 2}, {Y: 2}, {X: 2, Y: 2}, {X: -2, Y: 2}, {X: 2, Y: -2}, {X: -2, Y: -2}} {
		if !busy[mid.Add(d)] {
			from = d
			break
		}
	}
	c := b.Place(mid)
	src := copied(m)
	shift := b.Place(mid.Add(from))
	for y := -21; y <= 21; y++ {
		for x := -21; x <= 21; x++ {
			if x*x+y*y <= 21*21 {
				m.Set(int(c.X)+x, int(c.Y)+y, src.At(int(math.Round(shift.X))+x, int(math.Round(shift.Y))+y))
			}
		}
	}
}

var cursored = regexp.MustCompile(`^(column-(polyominoes|stars)|other-21|triple|triangles)`)

// coveredFrames hands on frames of the captures with the cursor's disc, a patch, light or a line
// begun over them, or washed out, made by seed.
func coveredFrames(t testing.TB, seed uint64, each int, take func(i int, f *coveredFrame)) {
	all := 0
	dir, truth := solvetest.Captures(t)
	for _, name := range slices.Sorted(maps.Keys(truth)) {
		c := truth[name]
		if strings.HasPrefix(name, "solved") {
			continue
		}
		var src image.Image
		for i := range c.Boards {
			w := &c.Boards[i]
			if !w.Flat() {
				continue
			}
			if src == nil {
				src = solvetest.Picture(t, filepath.Join(dir, name))
			}
			b := placer(t, src, w)
			pitch := b.ScreenPitch
			r := rand.New(rand.NewPCG(seed, hashed(name)+uint64(i)))
			add := func(kind string, m *image.RGBA) {
				take(all, &coveredFrame{fmt.Sprintf("%s-%s%d-%d", name, w.Side, all, seed), kind, m, *w})
				all++
			}
			// 100: a panel that is entered, where the game has a cursor, has smaller cells.
			if cursored.MatchString(name) && len(w.Symbols) > 0 && pitch < 100 {
				radius := 15.0 * max(720, float64(src.Bounds().Dy())) / 1080
				for n := range each {
					m := copied(src)
					if strings.HasPrefix(name, "column") || strings.HasPrefix(name, "other-21") {
						withoutCursor(m, w, b)
					}
					s := w.Symbols[r.IntN(len(w.Symbols))]
					at := b.Place(image.Pt(s.At[0], s.At[1]))
					kind := "cursor on " + s.Kind
					off := 0.0
					switch n % 3 {
					case 1:
						off, kind = (0.3+0.9*r.Float64())*radius, "cursor half on "+s.Kind
					case 2:
						off, kind = (1.4+0.5*r.Float64())*radius, "cursor beside "+s.Kind
					}
					sin, cos := math.Sincos(2 * math.Pi * r.Float64())
					layCursor(m, vision.Point{X: at.X + off*cos + r.Float64() - 0.5, Y: at.Y + off*sin + r.Float64() - 0.5}, radius, 0.2+0.3*r.Float64())
					add(kind, m)
				}
				if len(w.Dots) > 0 {
					for range each {
						m := copied(src)
						withoutCursor(m, w, b)
						d := w.Dots[r.IntN(len(w.Dots))]
						at := b.Place(image.Pt(d.At[0], d.At[1]))
						off := r.Float64() * 1.5 * radius
						sin, cos := math.Sincos(2 * math.Pi * r.Float64())
						layCursor(m, vision.Point{X: at.X + off*cos, Y: at.Y + off*sin}, radius, 0.2+0.3*r.Float64())
						add("cursor on dot", m)
					}
				}
			}
			if len(w.Starts) == 1 && !strings.Contains(name, "other-0") && !strings.Contains(name, "other-13") {
				for range each {
					m := copied(src)
					way, head := begunWay(r, w)
					var line []vision.Point
					for _, p := range way {
						line = append(line, b.Place(p))
					}
					if n := len(line) - 1; n > 0 {
						p, q := line[n-1], line[n]
						line[n] = vision.Point{X: p.X + head*(q.X-p.X), Y: p.Y + head*(q.Y-p.Y)}
					}
					c := [][3]uint8{{245, 250, 235}, {255, 255, 255}, {120, 255, 230}, {255, 220, 120}}[r.IntN(4)]
					width := 0.215
					if strings.HasPrefix(name, "double-door") && r.IntN(2) == 0 {
						width = 0.3
					}
					layLine(m, line, width*pitch/2, 1.2*width*pitch, color.RGBA{c[0], c[1], c[2], 255})
					add("line begun", m)
				}
			}
			for range each {
				for _, lay := range []func(*rand.Rand, *image.RGBA, vision.Point, float64) string{layPatch, layDim, layGlare} {
					kind, at := something(r, w)
					m := copied(src)
					p := b.Place(at)
					off, turn := 0.3*pitch*r.Float64(), 2*math.Pi*r.Float64()
					p = vision.Point{X: p.X + off*math.Cos(turn), Y: p.Y + off*math.Sin(turn)}
					add(lay(r, m, p, pitch)+" on "+kind, m)
				}
			}
			for n := range each {
				m := copied(src)
				contrast, black := 0.5, 90.0
				if n > 0 {
					contrast = 0.35 + 0.4*r.Float64()
					black = (1 - contrast) * 255 * (0.3 + 0.4*r.Float64())
				}
				wash(m, contrast, black)
				add("washed", m)
			}
		}
	}
}

// readCovered reads a covered frame's board, and says in what the reading is not the truth.
func readCovered(t testing.TB, look *calibrations.Profile, f *coveredFrame) (wrong string, err error) {
	boards, err := locate.Boards(f.m, look.Board)
	solvetest.OK(t, err, f.name)
	middle := placer(t, f.m, &f.truth).Centre()
	for _, b := range boards {
		if b.ScreenPoint(float64(b.Cols), float64(b.Rows)).Dist(middle) > (f.truth.Quad[1][0]-f.truth.Quad[0][0])/4 {
			continue
		}
		p, err := readPanel(t, look, b)
		if err != nil {
			return "", err
		}
		return learn.DifferShown(shown(&f.truth, p), p), nil
	}
	return "", errors.New("not found")
}

// TestCoveredFrames: nothing that lies over a panel, and no washed out picture, is read WRONG. A
// sample; ONLOOKER_MORE=4 makes three of each kind on each capture.
func TestCoveredFrames(t *testing.T) {
	each, every := solvetest.More()-1, 1
	if each == 0 {
		each, every = 1, 9
	}
	look := challengeLook(t)
	type ends struct{ exact, hidden, unsure, wrong int }
	tally := map[string]*ends{}
	coveredFrames(t, 1, each, func(i int, f *coveredFrame) {
		if i%every != 0 {
			return
		}
		if tally[f.kind] == nil {
			tally[f.kind] = &ends{}
		}
		n := tally[f.kind]
		switch wrong, err := readCovered(t, look, f); {
		case wrong != "":
			n.wrong++
			t.Errorf("%s: %s: WRONG: %s", f.name, f.kind, wrong)
		case err == nil:
			n.exact++
		default:
			u := (*vision.UnsureError)(nil)
			if errors.As(err, &u) && u.Hidden {
				n.hidden++
			} else {
				n.unsure++
			}
			t.Logf("%s: %s: %v", f.name, f.kind, err)
		}
	})
	for _, kind := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%-28s %+v", kind, *tally[kind])
	}
}

// TestGivenCovers: the pictures of panels with something over them that were given.
func TestGivenCovers(t *testing.T) {
	look := challengeLook(t)
	for _, row := range []struct {
		name, hidden string
		colours      int
	}{
		{"cursor-over-three.png", "hidden by the cursor: column 2 row 2", 0},
		{"line-over-dots-stars.png", "hidden by a line begun: corner column 1 row 5", 0},
		{"washed-min.png", "", 2},
	} {
		file := solvetest.Shared("outside", "covered", row.name)
		if _, err := os.Stat(file); err != nil {
			t.Skipf("no shared pictures: %v", err)
		}
		b := boardIn(t, copied(solvetest.Picture(t, file)), look)
		if b == nil {
			t.Errorf("%s: not found", row.name)
			continue
		}
		p, err := readPanel(t, look, b)
		if err != nil || row.hidden != "" {
			if err == nil || err.Error() != row.hidden {
				t.Errorf("%s: %v, want %q", row.name, err, row.hidden)
			}
			continue
		}
		colours := map[witness.Colour]bool{}
		for at := range p.Points() {
			if p.At(at).Kind != witness.NoSymbol {
				colours[p.At(at).Colour] = true
			}
		}
		solvetest.Same(t, len(colours), row.colours, "%s: colours", row.name)
	}
}

// TestCovers: what lies over a drawn panel hides it, and a frame without it tells; a washed out
// frame shows its colours.
func TestCovers(t *testing.T) {
	look := challengeLook(t)
	three := witness.Symbol{Kind: witness.Polyomino, Shape: []image.Point{{}, {Y: 1}, {X: 1, Y: 1}}, Colour: "magenta"}
	panel := made.Panel(4, 4, false, witness.NoSymmetry, made.Starts(image.Pt(0, 8)), made.End(8, 0, 1, 0),
		made.Gap(witness.Broken, image.Pt(3, 2)), made.Symbol(three, image.Pt(3, 3)),
		made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Yellow}, image.Pt(1, 5), image.Pt(7, 1)),
		made.Dot(witness.Dot{On: true, Colour: witness.Black}, image.Pt(2, 6), image.Pt(6, 4)))
	style := drawing.Typical(look)
	style.Around = made.RGB(70, 66, 60)
	plain := copied(picture.Image(drawing.Shapes(panel, nil, style), 40))
	b := boardIn(t, plain, look)
	if b == nil {
		t.Fatal("the panel was not found")
	}
	frame := func(over func(m *image.RGBA)) *vision.Board {
		m := copied(plain)
		over(m)
		return boardIn(t, m, look)
	}
	for _, row := range []struct {
		why    string
		over   func(m *image.RGBA)
		hidden string
	}{
		{"the cursor on a star", func(m *image.RGBA) { layCursor(m, b.ScreenPoint(7, 1), 15, 0.4) }, "hidden by the cursor: column 4 row 1"},
		{"the cursor amid a star, which reaches beyond it", func(m *image.RGBA) { layCursor(m, b.ScreenPoint(7, 1), 10, 0.4) }, "hidden by the cursor: column 4 row 1"},
		{"the cursor on a piece", func(m *image.RGBA) { layCursor(m, b.ScreenPoint(3, 3), 15, 0.4) }, "column 2 row 2 holds a sign that no look knows, or the cursor"},
		{"two cursors, one on a break", func(m *image.RGBA) {
			layCursor(m, b.ScreenPoint(7, 5), 15, 0.4)
			layCursor(m, b.ScreenPoint(3, 2), 9, 0.4)
		}, "hidden by what may be the cursor, or a sign that is not known: edge under column 2 row 1"},
		{"two cursors, one on a corner", func(m *image.RGBA) {
			layCursor(m, b.ScreenPoint(7, 5), 15, 0.4)
			layCursor(m, b.ScreenPoint(0, 0), 9, 0.4)
		}, "hidden by what may be the cursor, or a sign that is not known: column 4 row 3"},
		{"a cursor on a corner in orange light", func(m *image.RGBA) {
			layCursor(m, b.ScreenPoint(4, 4), 9, 0.4)
			filter(m)
		}, ""},
		{"a cursor in an empty cell in orange light", func(m *image.RGBA) {
			layCursor(m, b.ScreenPoint(5, 5), 15, 0.4)
			filter(m)
		}, ""},
		{"an orange disc by day", func(m *image.RGBA) {
			layCursor(m, b.ScreenPoint(5, 5), 15, 0.4)
			at := b.ScreenPoint(5, 5)
			cover(m, about(at, 20), color.RGBA{255, 173, 102, 255}, 0.4, func(x, y float64) float64 { return 15 - math.Hypot(x-at.X, y-at.Y) })
		}, "hidden by what may be the cursor, or a sign that is not known: column 3 row 3"},
		{"a line over a dot", func(m *image.RGBA) {
			layLine(m, []vision.Point{b.ScreenPoint(0, 8), b.ScreenPoint(0, 6), b.ScreenPoint(3.2, 6)}, 0.5*b.Line*b.ScreenPitch, 1.2*b.Line*b.ScreenPitch, color.RGBA{245, 250, 235, 255})
		}, "hidden by a line begun: corner column 1 row 5"},
		{"a card over a break", func(m *image.RGBA) {
			at := b.ScreenPoint(3, 2)
			cover(m, about(at, 40), color.RGBA{24, 26, 34, 255}, 1, func(x, y float64) float64 { return 14 - max(math.Abs(x-at.X), math.Abs(y-at.Y-6)) })
		}, "hidden by something: edge under column 2 row 1"},
		{"washed out", func(m *image.RGBA) { wash(m, 0.5, 90) }, ""},
		{"a lamp's reflection on a symbol", func(m *image.RGBA) { shine(m, b.ScreenPoint(3, 3), 20, 4) }, "hidden by what may be glare: column 2 row 2"},
		{"a lamp's reflection on a dot", func(m *image.RGBA) { shine(m, b.ScreenPoint(6, 4), 28, 4) }, "hidden by what may be glare: corner column 4 row 3"},
		{"a ring about the start", func(m *image.RGBA) { layRing(m, b.ScreenPoint(0, 8), 22, 4, 0.9) }, ""},
		{"a faint ring about the start", func(m *image.RGBA) { layRing(m, b.ScreenPoint(0, 8), 34, 3, 0.4) }, ""},
		{"a ring about the start through a cell", func(m *image.RGBA) { layRing(m, b.ScreenPoint(0, 8), 48, 4, 0.8) }, "unsure at column 1 row 4: a symbol that this look does not know, most like an eraser (calibrate)"},
		{"a wide ring over a symbol", func(m *image.RGBA) { layRing(m, b.ScreenPoint(0, 8), 62, 5, 0.8) }, "unsure at column 1 row 4: a symbol that this look does not know, most like a piece (calibrate)"},
		{"a lamp's light on a side", func(m *image.RGBA) { shine(m, b.ScreenPoint(-2, 4), 160, 0.6) }, ""},
	} {
		covered := frame(row.over)
		if covered == nil {
			t.Errorf("%s: not found", row.why)
			continue
		}
		got, err := readPanel(t, look, covered)
		switch {
		case err == nil && (row.hidden != "" || witness.Differ(panel, got) != ""):
			t.Errorf("%s: read, %s", row.why, witness.Differ(panel, got))
		case err != nil && err.Error() != row.hidden:
			t.Errorf("%s: %v, want %q", row.why, err, row.hidden)
		}
		if got, err := readPanel(t, look, covered, b); err != nil || witness.Differ(panel, got) != "" {
			t.Errorf("%s, and a frame without: %v, %v", row.why, got, err)
		}
	}
}

// TestGlow: light on a dark square leaves open whether it has a colour of its own; light beside the
// board changes nothing.
func TestGlow(t *testing.T) {
	look := challengeLook(t)
	square := func(c witness.Colour, at ...image.Point) func(*witness.Panel) {
		return made.Symbol(witness.Symbol{Kind: witness.Square, Colour: c}, at...)
	}
	panel := made.Panel(4, 4, false, witness.NoSymmetry, made.Starts(image.Pt(0, 8)), made.End(8, 0, 1, 0),
		square("#0a1008", image.Pt(5, 3), image.Pt(1, 1), image.Pt(3, 7)), square("#e0dcd8", image.Pt(3, 3), image.Pt(7, 5), image.Pt(7, 1)))
	style := drawing.Typical(look)
	style.Around = made.RGB(70, 66, 60)
	plain := copied(picture.Image(drawing.Shapes(panel, nil, style), 60))
	b := boardIn(t, plain, look)
	if b == nil {
		t.Fatal("the panel was not found")
	}
	for _, row := range []struct {
		why    string
		x, y   float64
		reach  float64 // pitches
		light  color.RGBA
		hidden bool
	}{
		{"a blue lamp", 5.2, 3, 0.75, color.RGBA{70, 90, 110, 255}, true},
		{"a warm lamp beside it", 5.6, 2.6, 0.8, color.RGBA{130, 110, 80, 255}, true},
		{"a grey lamp", 5, 3.4, 0.8, color.RGBA{90, 90, 90, 255}, true},
		{"a lamp on a white square", 3, 3.2, 0.7, color.RGBA{110, 100, 80, 255}, false},
		{"a lamp beside the board", -2, 4, 1, color.RGBA{130, 130, 120, 255}, false},
	} {
		m := copied(plain)
		glow(m, b.ScreenPoint(row.x, row.y), row.reach*b.ScreenPitch, row.light)
		lit := boardIn(t, m, look)
		if lit == nil {
			t.Errorf("%s: not found", row.why)
			continue
		}
		got, err := readPanel(t, look, lit)
		switch want := "hidden by light that falls on a part of the board: "; {
		case row.hidden && (err == nil || !strings.HasPrefix(err.Error(), want)):
			t.Errorf("%s: %v, want %q", row.why, err, want)
		case !row.hidden && (err != nil || witness.Differ(panel, got) != ""):
			t.Errorf("%s: %v", row.why, err)
		}
		if got, err := readPanel(t, look, lit, b); err != nil || witness.Differ(panel, got) != "" {
			t.Errorf("%s, and a frame without: %v, %v", row.why, got, err)
		}
	}
}

// TestWindowOverGaps: of lines that all break off before a window's border it is not said that they end.
func TestWindowOverGaps(t *testing.T) {
	look := challengeLook(t)
	var breaks []image.Point
	for y := 0; y <= 10; y += 2 {
		breaks = append(breaks, image.Pt(7, y))
	}
	about := made.RGB(70, 66, 60)
	for _, row := range []struct {
		why    string
		breaks []image.Point
		window color.RGBA
		from   float64 // of the board, in half-cells
	}{
		{"of another ground, over breaks", breaks, color.RGBA{122, 122, 122, 255}, 7},
		{"of the cells' ground, over lines", nil, color.RGBA{24, 150, 96, 255}, 6.8},
	} {
		panel := made.Panel(5, 5, false, witness.NoSymmetry, made.Starts(image.Pt(0, 10)), made.End(0, 0, 0, -1), made.Gap(witness.Broken, row.breaks...))
		style := drawing.Typical(look)
		style.Around = about
		m := copied(picture.Image(drawing.Shapes(panel, nil, style), 60))
		b := boardIn(t, m, look)
		if b == nil || b.Cut != [4]bool{} {
			t.Fatalf("%s: the panel was not found, or is cut", row.why)
		}
		window := m.Rect
		window.Min.X = int(b.ScreenPoint(row.from, 0).X)
		cover(m, window, row.window, 1, func(x, y float64) float64 { return 1 })
		if b := boardIn(t, m, look); b != nil && b.Cut == [4]bool{} {
			t.Errorf("%s: %d×%d cells, and not cut", row.why, b.Cols, b.Rows)
		}
	}
}

// readPanel reads a board from one or several frames.
func readPanel(t testing.TB, look *calibrations.Profile, boards ...*vision.Board) (*witness.Panel, error) {
	r := NewReader(look)
	solvetest.OK(t, r.Add(boards...))
	return r.Panel()
}
