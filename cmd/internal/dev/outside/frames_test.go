package main

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"
)

// marked is a dark frame of a board of 4×4 cells whose corners are bright.
func marked(t *testing.T, seed uint64) *frame {
	t.Helper()
	quad := [4][2]float64{{700, 300}, {1200, 320}, {1180, 800}, {720, 780}}
	f := &frame{RGBA: image.NewRGBA(image.Rect(0, 0, 1920, 1080)), rng: rand.New(rand.NewPCG(seed, 0))}
	draw.Draw(f.RGBA, f.Rect, image.NewUniform(color.RGBA{30, 30, 30, 255}), image.Point{}, draw.Src)
	for _, q := range quad {
		x, y := int(q[0]), int(q[1])
		draw.Draw(f.RGBA, image.Rect(x-4, y-4, x+5, y+5), image.White, image.Point{}, draw.Src)
	}
	f.boards = []capture{{Size: spot{4, 4}, Quad: &quad, Starts: []spot{{0, 8}}, Breaks: []spot{{0, 7}}}}
	return f
}

// TestFrames: boards move as their pixels do.
func TestFrames(t *testing.T) {
	for name, alter := range map[string]func(*frame) bool{"grained": grained, "squeezed": squeezed, "washed": washed, "night": night, "photographed": photographed, "streamed": streamed} {
		f := marked(t, 1)
		if !alter(f) {
			t.Fatalf("%s left out", name)
		}
		for k, q := range f.boards[0].Quad {
			x, y := int(q[0]+0.5), int(q[1]+0.5)
			on, off := f.RGBAAt(x, y).R, f.RGBAAt(x+14, y).R
			if int(on)-int(off) < 60 {
				t.Errorf("%s, corner %d at (%d,%d): %d there and %d beside it", name, k, x, y, on, off)
			}
		}
	}
}

// TestBegun: a line goes along edges that are there, from the start on, and its picture lies on the
// board.
func TestBegun(t *testing.T) {
	for seed := range uint64(20) {
		f := marked(t, seed)
		path := f.boards[0].walk(f.rng, 6)
		if len(path) < 2 || path[0] != [2]float64{0, 8} || path[1][1] != 8 {
			t.Fatalf("seed %d: %v goes through the break, or not from the start", seed, path)
		}
		if !begun(f) || f.RGBAAt(720, 780) != (color.RGBA{248, 250, 240, 255}) {
			t.Errorf("seed %d: no line at the start", seed)
		}
	}
	f := marked(t, 1)
	f.boards[0].Starts = append(f.boards[0].Starts, spot{8, 0})
	if begun(f) {
		t.Error("a board of two lines has one")
	}
}
