package main

import (
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve/solvetest"
)

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
