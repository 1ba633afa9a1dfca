package see

import (
	"image"
	"image/draw"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
)

// What tells a flaw of a whole picture, by its strong edges. Even the sharpest tenth of a blurred
// picture's take several pixels (4.9 and more; at most 1.8 in pictures as they were taken). Of one
// that is turned many run one way, and half as many at most along its sides.
const (
	strongEdge = 60  // levels
	leastEdges = 100 // of them, in so many rows that are looked at, at most
	flawRows   = 256
	wideEdge   = 2.5 // pixels
	oneWay     = 0.2 // of the edges, within two degrees
	full       = 250 // of 255, and it may have been brighter
)

// flaw is what is wrong with a picture as a whole, so that no board of it may be read, and what to do
// about it; "": nothing is.
func flaw(frame *image.Gray) string {
	at := func(x, y int) float64 { return float64(frame.Pix[y*frame.Stride+x]) }
	var widths []float64
	var ways [90]float64 // of edges, by degrees
	all := 0.0
	for y := 1; y < frame.Rect.Max.Y-1; y += 1 + frame.Rect.Max.Y/flawRows {
		rise, steepest := 0.0, 0.0
		for x := 1; x < frame.Rect.Max.X-1; x++ {
			d := at(x, y) - at(x-1, y)
			if d*rise <= 0 {
				rise, steepest = 0, 0
			}
			rise, steepest = rise+d, max(steepest, math.Abs(d))
			if next := at(x+1, y) - at(x, y); d*next <= 0 && math.Abs(rise) >= strongEdge {
				widths = append(widths, math.Abs(rise)/steepest)
			}
			dx, dy := 0.0, 0.0
			for k, w := range []float64{0.25, 0.5, 0.25} {
				dx += w * (at(x+1, y+k-1) - at(x-1, y+k-1))
				dy += w * (at(x+k-1, y+1) - at(x+k-1, y-1))
			}
			if math.Hypot(dx, dy) >= strongEdge {
				ways[int(math.Atan2(dy, dx)*180/math.Pi+360.5)%90]++
				all++
			}
		}
	}
	slices.Sort(widths)
	if n := len(widths); n >= leastEdges && widths[n/10] >= wideEdge {
		return "the picture is blurred, or was enlarged: if there is one, give the original"
	}
	about := func(way int) (n float64) {
		for d, w := range []float64{1, 2, 3, 2, 1} {
			n += w / 3 * ways[(way+d+88)%90]
		}
		return n
	}
	turn := 0
	for way := range ways {
		if about(way) > about(turn) {
			turn = way
		}
	}
	if all < leastEdges || about(turn) < oneWay*all || about(turn) < 2*about(0) {
		return ""
	}
	return "the lines in the picture are turned against its sides: if they are a board's, turn it upright"
}

func grey(m image.Image) *image.Gray {
	out := image.NewGray(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(out, out.Rect, m, m.Bounds().Min, draw.Src)
	return out
}

// lit tells whether a light that blows out lies on a board: of what is as bright as a picture can be, over
// an eighth of a cell and more, a fifth fades to both sides, as nothing does that is drawn.
func lit(frame *image.Gray, b *vision.Board) bool {
	box, lit, all := b.Area().Inset(-int(b.ScreenPitch/2)).Intersect(frame.Rect), 0, 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		row := frame.Pix[y*frame.Stride:][:frame.Rect.Dx()]
		run := func(x, way int, least uint8) (n int) {
			// A fade has no edge, as what is drawn has even on a bright ground.
			for ; x >= 0 && x < len(row) && row[x] >= least && int(row[max(0, x-way)])-int(row[x]) < strongEdge/2; x += way {
				n++
			}
			return n
		}
		for x := box.Min.X; x < box.Max.X; x++ {
			n := run(x, 1, full)
			if 8*n > int(b.ScreenPitch) {
				soft := calibrations.Range{wideEdge, b.ScreenPitch / 4}
				if all++; soft.Has(float64(run(x-1, -1, full-strongEdge))) && soft.Has(float64(run(x+n, 1, full-strongEdge))) {
					lit++
				}
			}
			x += n
		}
	}
	return lit > max(all/5, int(b.ScreenPitch/8))
}

// inked tells whether something reaches the picture's border beside a board that is less than half a
// cell from there: the colour changes along it.
func inked(frame *image.Gray, b *vision.Board) bool {
	near := int(b.ScreenPitch / 2)
	box := b.Area().Intersect(frame.Rect)
	last, right, down := frame.Rect.Max.Sub(image.Pt(1, 1)), image.Pt(1, 0), image.Pt(0, 1)
	for _, side := range []struct {
		off  int
		from image.Point
		to   int
		step image.Point
	}{{box.Min.X, image.Pt(0, box.Min.Y), box.Dy(), down}, {last.X - box.Max.X, image.Pt(last.X, box.Min.Y), box.Dy(), down},
		{box.Min.Y, image.Pt(box.Min.X, 0), box.Dx(), right}, {last.Y - box.Max.Y, image.Pt(box.Min.X, last.Y), box.Dx(), right}} {
		for k := 1; k < side.to && side.off < near; k++ {
			at := side.from.Add(side.step.Mul(k))
			before := at.Sub(side.step)
			if d := int(frame.GrayAt(at.X, at.Y).Y) - int(frame.GrayAt(before.X, before.Y).Y); max(d, -d) >= strongEdge {
				return true
			}
		}
	}
	return false
}
