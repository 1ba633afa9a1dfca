package alcazar

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
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
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/alcazar"
)

// TestWallsAlone reads boards without lines that go all round their cells: walls
// alone, walls between dots, and walls over dashes, of several sizes; and refuses one
// without a wall on a side.
func TestWallsAlone(t *testing.T) {
	for k, look := range []struct {
		name         string
		cell, wall   float64
		ground, ink  color.Color
		dots, dashes bool
		open         bool // at its last row's lower side
	}{
		{name: "walls", cell: 44, wall: 4, ground: color.White, ink: color.Black},
		{name: "light walls", cell: 31, wall: 3, ground: color.Gray{25}, ink: color.RGBA{200, 215, 220, 255}},
		{name: "dots", cell: 52, wall: 6, ground: color.Gray{250}, ink: color.Gray{20}, dots: true},
		{name: "dashes", cell: 38.5, wall: 4, ground: color.White, ink: color.RGBA{20, 40, 90, 255}, dashes: true},
		{name: "an open side", cell: 44, wall: 4, ground: color.White, ink: color.Black, open: true},
	} {
		t.Run(look.name, func(t *testing.T) {
			p := alcazar.Family.Generate(rand.New(rand.NewPCG(uint64(k), 7)), 6, 5).(*alcazar.Puzzle)
			text := solvetest.Must(p.MarshalText())(t)
			c := gg.NewContext(420, 380)
			c.SetColor(look.ground)
			c.Clear()
			at := func(i, j int) (x, y float64) { return 50 + look.cell*float64(i)/2, 60 + look.cell*float64(j)/2 }
			rows := strings.Split(string(text), "\n")[1:12]
			for j, row := range rows {
				if look.open && j == len(rows)-1 {
					break
				}
				for i, ch := range row {
					x, y := at(i, j)
					switch between := i%2 != j%2; {
					case look.dots && i%2 == 0 && j%2 == 0:
						c.SetColor(color.Gray{120})
						c.DrawCircle(x, y, 2.5)
						c.Fill()
					case between:
						long := look.cell / 2
						if ch == 'x' {
							c.SetColor(look.ink)
							c.SetLineWidth(look.wall)
							c.SetDash()
						} else if look.dashes {
							c.SetColor(color.Gray{150})
							c.SetLineWidth(1)
							c.SetDash(3, 3)
						} else {
							continue
						}
						if j%2 == 0 {
							c.DrawLine(x-long, y, x+long, y)
						} else {
							c.DrawLine(x, y-long, x, y+long)
						}
						c.Stroke()
					}
				}
			}
			list := Scan(grid.NewScene(c.Image()), grid.Contrasts()[0], nil)
			if look.open {
				for _, r := range list {
					if r.Err == nil {
						t.Errorf("it was read")
					}
				}
				return
			}
			if len(list) != 1 || list[0].Err != nil {
				t.Fatalf("got %v", list)
			}
			if got, _ := list[0].Puzzle.MarshalText(); string(got) != string(text) {
				t.Errorf("got\n%swant\n%s", got, text)
			}
		})
	}
}

// TestChessboard reads walls on a chessboard whose light squares are nearly as light as
// what lies outside, with a player's hatched marks on it, as a JPEG.
func TestChessboard(t *testing.T) {
	const cell = 64
	p := alcazar.Family.Generate(rand.New(rand.NewPCG(3, 7)), 6, 5).(*alcazar.Puzzle)
	text := solvetest.Must(p.MarshalText())(t)
	c := gg.NewContext(500, 440)
	c.SetColor(color.White)
	c.Clear()
	for i := range 30 {
		c.SetColor(color.Gray{[]uint8{188, 251}[(i%6+i/6)%2]})
		c.DrawRectangle(float64(50+cell*(i%6)), float64(60+cell*(i/6)), cell, cell)
		c.Fill()
	}
	marks := 0
	for j, row := range strings.Split(string(text), "\n")[1:12] {
		for i, ch := range row {
			if i%2 == j%2 {
				continue
			}
			x, y, long, wide := float64(50+cell*i/2), float64(60+cell*j/2), float64(cell/2+4), 4.0
			if j%2 == 1 {
				long, wide = wide, long
			}
			switch within := i > 0 && j > 0 && i < 12 && j < 10; {
			case ch == 'x':
				c.SetColor(color.Black)
				c.DrawRectangle(x-long, y-wide, 2*long, 2*wide)
				c.Fill()
			case within && marks < 3:
				marks++
				c.DrawRectangle(x-long, y-wide, 2*long, 2*wide)
				c.Clip()
				for k := -80.0; k < 80; k += 6 {
					for n, ink := range []color.Color{color.Black, color.RGBA{230, 120, 0, 255}} {
						c.SetColor(ink)
						c.SetLineWidth(3)
						c.DrawLine(x+k+3*float64(n)-50, y+50, x+k+3*float64(n)+50, y-50)
						c.Stroke()
					}
				}
				c.ResetClip()
			}
		}
	}
	var b bytes.Buffer
	solvetest.OK(t, jpeg.Encode(&b, c.Image(), &jpeg.Options{Quality: 60}))
	m := solvetest.Must(jpeg.Decode(&b))(t)
	for name, m := range map[string]image.Image{"as drawn": c.Image(), "as a JPEG": m} {
		list := Scan(grid.NewScene(m), grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err != nil {
			t.Errorf("%s: got %v", name, list)
			continue
		}
		if got, _ := list[0].Puzzle.MarshalText(); string(got) != string(text) {
			t.Errorf("%s: got\n%swant\n%s", name, got, text)
		}
	}
}

// TestChessBeyond: a chessboard goes on where the picture's border cuts its next row, and ends
// at a page, also at one that is as light as some of its squares.
func TestChessBeyond(t *testing.T) {
	const cell, left, top, cols, rows = 50, 90, 80, 7, 5
	for _, row := range []struct {
		why       string
		page      uint8
		cut, from int // the picture's first line, and the lattice's first row
		want      bool
	}{
		{"a page as light squares", 200, 0, 0, false},
		{"a page as dark squares", 160, 0, 0, false},
		{"a frame", 60, 0, 0, false},
		{"a row that is cut", 200, top + 2*cell - 20, 2, true},
		{"a row that is cut, in a frame", 60, top + 2*cell - 20, 2, true},
		{"a row beside the lattice", 60, 0, 1, true},
		{"cut between two rows", 60, top + 2*cell, 2, false}, // which nothing shows
	} {
		c := gg.NewContext(cols*cell+2*left, rows*cell+2*top-row.cut)
		c.SetColor(color.Gray{row.page})
		c.Clear()
		for i := range cols * rows {
			c.SetColor(color.Gray{uint8(200 - 40*((i%cols+i/cols)%2))})
			c.DrawRectangle(float64(left+cell*(i%cols)), float64(top+cell*(i/cols)-row.cut), cell, cell)
			c.Fill()
		}
		x, y, w, h := float64(left), float64(top+cell*row.from-row.cut), float64(cell*cols), float64(cell*(rows-row.from))
		g := solvetest.Must(grid.NewScene(c.Image()).GridAt([4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}, cols, rows-row.from))(t)
		g.Straighten()
		solvetest.Same(t, chessBeyond(g), row.want, "%s", row.why)
	}
}

// TestDrawn reads a board that we drew, and refuses the same board where all of
// it is open, since no line is heavier than another then.
func TestDrawn(t *testing.T) {
	text := "alcazar 5x4\nxxx.xxxxxxx\nx0.0.0.0.0x\nx.x.x.xxx.x\n.0x0.0.0.0x\nx.x.x.x.x.x\nx0.0.0x0.0x\nx.xxx.x.x.x\nx0.0.0.0.0.\nxxxxxxxxxxx\n"
	var board solve.Puzzle
	for p, err := range alcazar.Family.Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		board = p
	}
	scene := grid.NewScene(picture.Image(drawing.Picture(board, nil), 24))
	list := Scan(scene, grid.Contrasts()[0], nil)
	if len(list) != 1 || list[0].Err != nil {
		t.Fatalf("got %v", list)
	}
	got := solvetest.Must(list[0].Puzzle.MarshalText())(t)
	want, _ := board.MarshalText()
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

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
