package alcazar

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/form"
)

// roomed draws a chessboard of rooms with thick walls, an outline of another colour and
// blue doors in it, and gives its scene and where it is.
func roomed(p *alcazar.Puzzle) (*grid.Scene, [4]vision.Point) {
	const cell, left, top = 50, 90, 80
	cols, rows := p.Size()
	c := gg.NewContext(cell*cols+2*left, cell*rows+2*top)
	c.SetColor(color.Gray{205})
	c.Clear()
	bar := func(x, y, w, h float64, ink color.Color) {
		c.SetColor(ink)
		c.DrawRectangle(left+cell*x, top+cell*y, cell*w, cell*h)
		c.Fill()
	}
	dark := color.RGBA{45, 35, 25, 255}
	bar(-0.2, -0.2, float64(cols)+0.4, float64(rows)+0.4, dark)
	for i := range cols * rows {
		x, y := i%cols, i/cols
		bar(float64(x), float64(y), 1, 1, color.Gray{uint8(200 - 40*((x+y)%2))})
	}
	for y := range 2*rows + 1 {
		for x := range 2*cols + 1 {
			at := image.Pt(x, y)
			u, v := float64(x)/2, float64(y)/2
			outer := x == 0 || y == 0 || x == 2*cols || y == 2*rows
			switch {
			case x%2 == y%2 || p.Open(at) != outer: // a wall within, or a door
			case outer:
				bar(u-0.25, v-0.25, 0.5, 0.5, color.RGBA{30, 90, 255, 255})
			case x%2 == 0:
				bar(u-0.2, v-0.5, 0.4, 1, color.RGBA{75, 60, 40, 255})
			default:
				bar(u-0.5, v-0.2, 1, 0.4, color.RGBA{75, 60, 40, 255})
			}
		}
	}
	w, h := float64(cell*cols), float64(cell*rows)
	return grid.NewScene(c.Image()), [4]vision.Point{{X: left, Y: top}, {X: left + w, Y: top}, {X: left + w, Y: top + h}, {X: left, Y: top + h}}
}

func roomsOf(t *testing.T, text string) *alcazar.Puzzle {
	t.Helper()
	var board solve.Puzzle
	for p, err := range alcazar.Family.Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		board = p
	}
	return board.(*alcazar.Puzzle)
}

// TestLearnedOutline: a look whose outline differs from its walls within reads a board, and
// not a part of it that ends where walls within stand.
func TestLearnedOutline(t *testing.T) {
	look := &calibrations.Profile{}
	var lessons []form.Lesson
	texts := []string{
		"alcazar 4x4\nxxx.xxxxx\nx0.0.0.0x\nx.x.xxx.x\n.0x0.0.0x\nx.x.x.x.x\nx0.0.0x0x\nx.xxx.x.x\nx0.0.0.0.\nxxxxx.xxx\n",
		"alcazar 4x4\nx.xxxxxxx\nx0.0x0.0.\nx.x.x.xxx\nx0.0.0.0x\nx.xxx.x.x\n.0.0.0x0x\nx.x.x.x.x\nx0x0.0.0x\nxxxxxxx.x\n",
	}
	for _, text := range texts {
		p := roomsOf(t, text)
		scene, quad := roomed(p)
		lessons = append(lessons, form.Lesson{Scene: scene, Quad: quad, Puzzle: p})
	}
	solvetest.OK(t, Teach(look, lessons))
	parts := 0
	for k, text := range texts {
		list := Scan(lessons[k].Scene, grid.Contrasts()[0], []*calibrations.Profile{look})
		if len(list) != 1 || list[0].Err != nil {
			t.Errorf("board %d: got %v, want one board", k, list)
		} else if got, _ := list[0].Puzzle.MarshalText(); string(got) != text {
			t.Errorf("board %d: got\n%swant\n%s", k, got, text)
		}
		for _, g := range lessons[k].Scene.Grids(grid.Contrasts()[0]) {
			for rows := 2; g.Rows == 4 && rows < 4; rows++ {
				_, err := readLearned(g.Part(image.Rect(0, 0, 4, rows)), []*calibrations.Profile{look})
				if err == nil {
					t.Errorf("board %d, %d rows of it: read, want an error", k, rows)
				} else if strings.Contains(err.Error(), "a part of a board") {
					parts++
				}
			}
		}
	}
	if parts < 2 {
		t.Errorf("%d parts are told as parts, want 2 and more", parts)
	}
}
