package main

import (
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/fogleman/gg"
	xdraw "golang.org/x/image/draw"
)

// A frame is a captured one, as something between the game and the program makes it.
type frame struct {
	*image.RGBA
	boards []capture
	rng    *rand.Rand
	// quality is that of the JPEG as which it is kept; 0: it is a PNG.
	quality int
	variant int
}

// frames makes whole frames of captured ones, each from a seed of its own, and reads them as
// people do: with no profile named. A make that gives false leaves a frame out. Those that are
// held are in every sample: they were read wrong.
func frames(kind string, alter func(*frame) bool, held ...string) func(*onlooker, string, func(int) bool) ([]result, error) {
	return func(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
		scenes, err := readTruth[scene](filepath.Join(folder, "truth.json"))
		if err != nil {
			return nil, err
		}
		made, done, err := framesFolder(kind)
		if err != nil {
			return nil, err
		}
		defer done()
		flat := slices.DeleteFunc(slices.Sorted(maps.Keys(scenes)), func(name string) bool {
			return !slices.ContainsFunc(scenes[name].Boards, func(b capture) bool { return b.Quad != nil && !b.Pillar })
		})
		var names []string
		altered := map[string]scene{}
		more, _ := strconv.Atoi(os.Getenv("ONLOOKER_MORE"))
		for _, name := range some(flat, func(i int) bool { return pick(i) || slices.Contains(held, flat[i]) }) {
			h := fnv.New64a()
			h.Write([]byte(kind + name))
			for variant := range max(1, more) {
				f, err := openFrame(filepath.Join(folder, name), scenes[name].Boards, rand.New(rand.NewPCG(h.Sum64(), uint64(variant))))
				if err != nil {
					return nil, err
				}
				if f.variant = variant; !alter(f) {
					continue
				}
				file := strings.TrimSuffix(name, filepath.Ext(name))
				if variant > 0 {
					file += fmt.Sprintf("~%d", variant)
				}
				if file += ".png"; f.quality > 0 {
					file = strings.TrimSuffix(file, ".png") + ".jpg"
				}
				if err := f.write(filepath.Join(made, file)); err != nil {
					return nil, err
				}
				names, altered[file] = append(names, file), scene{Boards: f.boards}
			}
		}
		return judgeScenes(p, made, names, altered)
	}
}

// framesFolder is where frames of a kind are made: in the folder that ONLOOKER_KEEP names, where
// they stay, or in one that is removed when all is done.
func framesFolder(kind string) (folder string, done func(), err error) {
	if keep := os.Getenv("ONLOOKER_KEEP"); keep != "" {
		folder = filepath.Join(keep, kind)
		return folder, func() {}, os.MkdirAll(folder, 0o755)
	}
	folder, err = os.MkdirTemp("", "outside-frames-")
	return folder, func() { os.RemoveAll(folder) }, err
}

func openFrame(file string, boards []capture, rng *rand.Rand) (*frame, error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	m, _, err := image.Decode(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	f := &frame{RGBA: image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()}), boards: slices.Clone(boards), rng: rng}
	draw.Draw(f.RGBA, f.Rect, m, m.Bounds().Min, draw.Src)
	return f, nil
}

func (f *frame) write(file string) error {
	w, err := os.Create(file)
	if err != nil {
		return err
	}
	if f.quality > 0 {
		err = jpeg.Encode(w, f.RGBA, &jpeg.Options{Quality: f.quality})
	} else {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(w, f.RGBA)
	}
	if closed := w.Close(); err == nil {
		err = closed
	}
	return err
}

// move puts the boards where their pixels went.
func (f *frame) move(to func(x, y float64) (float64, float64)) {
	for i := range f.boards {
		if q := f.boards[i].Quad; q != nil {
			moved := *q
			for k, c := range q {
				moved[k][0], moved[k][1] = to(c[0], c[1])
			}
			f.boards[i].Quad = &moved
		}
	}
}

// scale changes the size.
func (f *frame) scale(by float64) {
	out := image.NewRGBA(image.Rect(0, 0, int(by*float64(f.Rect.Dx())), int(by*float64(f.Rect.Dy()))))
	xdraw.CatmullRom.Scale(out, out.Rect, f.RGBA, f.Rect, xdraw.Src, nil)
	f.RGBA = out
	f.move(func(x, y float64) (float64, float64) { return by*(x+0.5) - 0.5, by*(y+0.5) - 0.5 })
}

// levels changes each channel of each pixel.
func (f *frame) levels(to func(channel int, v float64) float64) {
	for i, v := range f.Pix {
		if i%4 < 3 {
			f.Pix[i] = uint8(max(0, min(255, to(i%4, float64(v))+0.5)))
		}
	}
}

// noise adds a normal distribution's, of so much deviation.
func (f *frame) noise(sigma float64) {
	f.levels(func(_ int, v float64) float64 { return v + sigma*f.rng.NormFloat64() })
}

// grained is a capture card's: enlarged, with noise of 2 %.
func grained(f *frame) bool {
	f.scale(1.25)
	f.noise(0.02 * 255)
	return true
}

// squeezed is as it is sent on: smaller, and strongly compressed.
func squeezed(f *frame) bool {
	f.scale(0.67)
	f.quality = 60
	return true
}

// washed is a screen of high range that is caught as one of standard range.
func washed(f *frame) bool {
	f.levels(func(_ int, v float64) float64 { return 90 + 0.5*v })
	return true
}

// night is a screen whose blue light is filtered.
func night(f *frame) bool {
	by := [3]float64{1, 0.68, 0.40}
	f.levels(func(c int, v float64) float64 { return by[c] * v })
	return true
}

// photographed is a phone's photo of the screen: 10° from the side, a lamp's glare, noise.
func photographed(f *frame) bool {
	w, h := float64(f.Rect.Dx()), float64(f.Rect.Dy())
	sin, cos := math.Sincos(math.Copysign(10*math.Pi/180, f.rng.Float64()-0.5))
	eye := 1.5 * w
	to := func(x, y float64) (float64, float64) {
		x, y = x-w/2, y-h/2
		k := 0.9 * eye / (eye + x*sin)
		return k*x*cos + w/2, k*y + h/2
	}
	back := func(x, y float64) (float64, float64) {
		x, y = (x-w/2)/0.9, (y-h/2)/0.9
		u := x * eye / (eye*cos - x*sin)
		return u + w/2, y*(eye+u*sin)/eye + h/2
	}
	room := color.RGBA{34, 31, 28, 255}
	out := image.NewRGBA(f.Rect)
	gx, gy, reach := w*f.rng.Float64(), h*f.rng.Float64(), 0.15*w
	for y := range f.Rect.Dy() {
		for x := range f.Rect.Dx() {
			c := blurred(f.RGBA, room, x, y, back)
			for k := range c {
				out.Pix[out.PixOffset(x, y)+k] = uint8(c[k] + 0.5)
			}
			out.Pix[out.PixOffset(x, y)+3] = 255
		}
	}
	f.RGBA = out
	f.glare(gg.Point{X: gx, Y: gy}, reach, reach, 0.4)
	f.move(to)
	f.noise(4)
	f.quality = 90
	return true
}

// glare adds a light that falls off from a place on, so far across and down; more than 1 blows out.
func (f *frame) glare(at gg.Point, across, down, most float64) {
	for i, v := range f.Pix {
		x, y := (float64(i%f.Stride/4)-at.X)/across, (float64(i/f.Stride)-at.Y)/down
		share := most * math.Exp(-x*x-y*y)
		f.Pix[i] = uint8(min(255, float64(v)*(1-share)+255*share+0.5))
	}
}

// shone has a reflection on something that is as white as a picture can be.
func shone(f *frame) bool {
	b := f.board(func(*capture) bool { return true })
	if b == nil {
		return false
	}
	at := b.mark(f.rng)
	unit := math.Hypot(b.at([2]float64{0, 0}).X-b.at([2]float64{2, 0}).X, b.at([2]float64{0, 0}).Y-b.at([2]float64{2, 0}).Y)
	f.glare(b.at(at), unit*(0.2+0.4*f.rng.Float64()), unit*(0.2+0.4*f.rng.Float64()), 4)
	return true
}

// blurred is the mean colour about a pixel whose place in a picture is told; around lies one colour.
func blurred(m *image.RGBA, around color.RGBA, x, y int, back func(x, y float64) (float64, float64)) (sum [3]float64) {
	for _, off := range [4][2]float64{{-0.35, -0.35}, {0.35, -0.35}, {-0.35, 0.35}, {0.35, 0.35}} {
		u, v := back(float64(x)+off[0], float64(y)+off[1])
		left, top := math.Floor(u), math.Floor(v)
		for k := range 4 {
			at := image.Pt(int(left)+k%2, int(top)+k/2)
			share := math.Abs(float64(1-k%2)-(u-left)) * math.Abs(float64(1-k/2)-(v-top)) / 4
			c := around
			if at.In(m.Rect) {
				c = m.RGBAAt(at.X, at.Y)
			}
			sum[0] += share * float64(c.R)
			sum[1] += share * float64(c.G)
			sum[2] += share * float64(c.B)
		}
	}
	return sum
}

// streamed is a stream's frame: 720 rows, compressed, a card over a corner in which no board lies,
// where there is one.
func streamed(f *frame) bool {
	f.scale(720 / float64(f.Rect.Dy()))
	w, h := f.Rect.Dx()*22/100, f.Rect.Dy()*25/100
	var free []image.Rectangle
	for k := range 4 {
		card := image.Rect(0, 0, w, h).Add(image.Pt(k%2*(f.Rect.Dx()-w), k/2*(f.Rect.Dy()-h)))
		if !slices.ContainsFunc(f.boards, func(b capture) bool { return b.Quad != nil && b.box().Overlaps(card) }) {
			free = append(free, card)
		}
	}
	if len(free) == 0 {
		return false
	}
	card := free[f.rng.IntN(len(free))]
	c := gg.NewContextForRGBA(f.RGBA)
	c.DrawRoundedRectangle(float64(card.Min.X+4), float64(card.Min.Y+4), float64(w-8), float64(h-8), 10)
	c.SetRGB255(24, 26, 34)
	c.FillPreserve()
	c.SetRGB255(120, 80, 210)
	c.SetLineWidth(3)
	c.Stroke()
	c.SetRGB255(205, 160, 130) // who plays
	c.DrawEllipse(float64(card.Min.X+w/2), float64(card.Min.Y+h/2), float64(w)/9, float64(h)/4)
	c.Fill()
	f.quality = 70
	return true
}

// box is a board with a cell about it.
func (c *capture) box() image.Rectangle {
	var box image.Rectangle
	for _, q := range c.Quad {
		x, y := int(q[0]), int(q[1])
		box = box.Union(image.Rect(x, y, x+1, y+1))
	}
	return box.Inset(-box.Dx() / c.Size[0])
}

// at is where a half-cell of a board lies.
func (c *capture) at(s [2]float64) gg.Point {
	u, v := s[0]/float64(2*c.Size[0]), s[1]/float64(2*c.Size[1])
	q := c.Quad
	// The projection that takes the unit square to the quad.
	x0, x1, x2, x3 := q[0][0], q[1][0], q[2][0], q[3][0]
	y0, y1, y2, y3 := q[0][1], q[1][1], q[2][1], q[3][1]
	det := (x1-x2)*(y3-y2) - (x3-x2)*(y1-y2)
	g := ((x0-x1+x2-x3)*(y3-y2) - (x3-x2)*(y0-y1+y2-y3)) / det
	h := ((x1-x2)*(y0-y1+y2-y3) - (x0-x1+x2-x3)*(y1-y2)) / det
	w := g*u + h*v + 1
	return gg.Point{X: ((x1-x0+g*x1)*u + (x3-x0+h*x3)*v + x0) / w, Y: ((y1-y0+g*y1)*u + (y3-y0+h*y3)*v + y0) / w}
}

// screens of the game are whole frames of at least 1080 rows: what the game draws over its panels
// has a size in them.
const screenRows = 1080

// board is one of a whole screen's flat boards; nil where there is no such.
func (f *frame) board(wanted func(*capture) bool) *capture {
	if f.Rect.Dy() < screenRows || 9*f.Rect.Dx() != 16*f.Rect.Dy() {
		return nil
	}
	var list []*capture
	for i := range f.boards {
		if b := &f.boards[i]; b.Quad != nil && !b.Pillar && wanted(b) {
			list = append(list, b)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return list[f.rng.IntN(len(list))]
}

// mark is a half-cell of a board on which something stands, each kind as likely as any other.
func (c *capture) mark(rng *rand.Rand) [2]float64 {
	marks := map[string][]spot{"start": c.Starts, "break": c.Breaks}
	for _, d := range c.Dots {
		marks["dot"] = append(marks["dot"], d.At)
	}
	for _, e := range c.Ends {
		marks["end"] = append(marks["end"], e.At)
	}
	for _, s := range c.Symbols {
		marks[s.Kind] = append(marks[s.Kind], s.At)
	}
	maps.DeleteFunc(marks, func(_ string, at []spot) bool { return len(at) == 0 })
	list := marks[slices.Sorted(maps.Keys(marks))[rng.IntN(len(marks))]]
	at := list[rng.IntN(len(list))]
	return [2]float64{float64(at[0]), float64(at[1])}
}

// pointed has the game's pointer on something: a disc that is seen through, with a thin ring.
func pointed(f *frame) bool {
	b := f.board(func(*capture) bool { return true })
	if b == nil {
		return false
	}
	p, unit := b.at(b.mark(f.rng)), float64(f.Rect.Dy())/screenRows
	p.X, p.Y = p.X+4*unit*f.rng.NormFloat64(), p.Y+4*unit*f.rng.NormFloat64()
	c := gg.NewContextForRGBA(f.RGBA)
	c.DrawCircle(p.X+0.5, p.Y+0.5, 15*unit)
	c.SetRGBA(1, 1, 1, 0.4)
	c.Fill()
	c.DrawCircle(p.X+0.5, p.Y+0.5, 16*unit)
	c.SetRGBA(0, 0, 0, 0.4)
	c.SetLineWidth(2 * unit)
	c.Stroke()
	return true
}

// begun has a line half drawn on a board of one start.
func begun(f *frame) bool {
	b := f.board(func(b *capture) bool { return len(b.Starts) == 1 && b.Starts[0][0]%2 == 0 && b.Starts[0][1]%2 == 0 })
	if b == nil {
		return false
	}
	path := b.walk(f.rng, 2+f.rng.IntN(2*min(b.Size[0], b.Size[1])))
	first, next := b.at(path[0]), b.at([2]float64{path[0][0], math.Abs(path[0][1] - 2)})
	pitch := math.Hypot(first.X-next.X, first.Y-next.Y)
	c := gg.NewContextForRGBA(f.RGBA)
	c.SetRGB255(248, 250, 240)
	c.SetLineWidth(0.215 * pitch)
	c.SetLineCapRound()
	c.SetLineJoinRound()
	for _, at := range path {
		p := b.at(at)
		c.LineTo(p.X+0.5, p.Y+0.5)
	}
	c.Stroke()
	c.DrawCircle(first.X+0.5, first.Y+0.5, 0.26*pitch)
	c.Fill()
	return true
}

// walk is a way from a board's start along its edges, of so many at the most; it ends amid the last.
func (c *capture) walk(rng *rand.Rand, most int) (path [][2]float64) {
	shut, been := map[spot]bool{}, map[spot]bool{}
	for _, at := range slices.Concat(c.Breaks, c.Missing) {
		shut[at] = true
	}
	at := c.Starts[0]
	for range most {
		been[at] = true
		path = append(path, [2]float64{float64(at[0]), float64(at[1])})
		var ways []spot
		for _, d := range []spot{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			edge, node := spot{at[0] + d[0], at[1] + d[1]}, spot{at[0] + 2*d[0], at[1] + 2*d[1]}
			if node[0] >= 0 && node[1] >= 0 && node[0] <= 2*c.Size[0] && node[1] <= 2*c.Size[1] && !shut[edge] && !been[node] {
				ways = append(ways, node)
			}
		}
		if len(ways) == 0 {
			return path
		}
		at = ways[rng.IntN(len(ways))]
	}
	last := path[len(path)-1]
	return append(path, [2]float64{(last[0] + float64(at[0])) / 2, (last[1] + float64(at[1])) / 2})
}

// cutOff has a window over all that is on one side of a line of a board, or of a place amid cells in
// one of four: what is left looks like a smaller board.
func cutOff(f *frame) bool {
	side := f.rng.IntN(4)
	b := f.board(func(b *capture) bool { return b.Size[side/2] > 2 })
	if b == nil {
		return false
	}
	over, _ := f.parted(b, side, float64(2*(1+f.rng.IntN(b.Size[side/2]-1))+f.rng.IntN(4)/3)+0.48*(f.rng.Float64()-0.5))
	grey := color.Gray{[]uint8{0, 36, 122, 250}[f.rng.IntN(4)]}
	draw.Draw(f.RGBA, over, image.NewUniform(grey), image.Point{}, draw.Src)
	return true
}

// parted is what lies beyond a place between two sides of a board, on one side, and what is left.
func (f *frame) parted(b *capture, side int, place float64) (beyond, left image.Rectangle) {
	at := [2]float64{float64(b.Size[0]), float64(b.Size[1])}
	at[side/2] = place
	p, w, h := b.at(at), f.Rect.Dx(), f.Rect.Dy()
	x, y := min(max(0, int(p.X)), w), min(max(0, int(p.Y)), h)
	parts := [4]image.Rectangle{image.Rect(0, 0, x, h), image.Rect(x, 0, w, h), image.Rect(0, 0, w, y), image.Rect(0, y, w, h)}
	return parts[side], parts[side^1]
}

// cropped is what is left of a picture that is cut at one of 12 places of a board from one of four
// sides: each in its turn, or, of a sample, one by chance.
func cropped(f *frame) bool {
	if os.Getenv("ONLOOKER_MORE") == "" {
		f.variant = f.rng.IntN(48)
	}
	flat := slices.DeleteFunc(slices.Clone(f.boards), func(b capture) bool { return b.Quad == nil || b.Pillar })
	b, side := &flat[f.rng.IntN(len(flat))], f.variant%4
	_, left := f.parted(b, side, float64(2*b.Size[side/2]+1)*(float64(5*(f.variant/4)%12)+f.rng.Float64())/12-0.5)
	if left.Empty() {
		return false
	}
	out := image.NewRGBA(image.Rectangle{Max: left.Size()})
	draw.Draw(out, out.Rect, f.RGBA, left.Min, draw.Src)
	f.RGBA = out
	f.move(func(x, y float64) (float64, float64) { return x - float64(left.Min.X), y - float64(left.Min.Y) })
	return true
}
