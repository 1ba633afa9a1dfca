package fans

import (
	"errors"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"

	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
)

func face(t *testing.T, ttf []byte, size float64) font.Face {
	t.Helper()
	f := solvetest.Must(truetype.Parse(ttf))(t)
	return truetype.NewFace(f, &truetype.Options{Size: size, DPI: 72})
}

// terminal shows lines of text as a terminal does.
func terminal(f font.Face, advance, step float64, ink, ground color.Color, lines ...string) *grid.Scene {
	c := gg.NewContext(500, 400)
	c.SetColor(ground)
	c.Clear()
	c.SetColor(ink)
	c.SetFontFace(f)
	for r, l := range lines {
		for i, ch := range l {
			c.DrawString(string(ch), 40+advance*float64(i), 60+step*float64(r))
		}
	}
	return grid.NewScene(c.Image())
}

// aside shows lines of text as a terminal photographed from aside: a row goes down by
// slope of what it goes right, and the sides go right by lean of what they go down.
func aside(f font.Face, advance, step, slope, lean float64, lines ...string) *grid.Scene {
	c := gg.NewContext(900, 700)
	c.SetColor(color.RGBA{0, 43, 54, 255})
	c.Clear()
	c.SetColor(color.RGBA{147, 161, 161, 255})
	c.SetFontFace(f)
	c.Translate(200, 200)
	c.Shear(lean, slope)
	for r, l := range lines {
		for i, ch := range l {
			c.DrawString(string(ch), advance*float64(i), step*float64(r))
		}
	}
	return grid.NewScene(c.Image())
}

// TestScanAside: rows and sides that lean each their own way are no turned text.
func TestScanAside(t *testing.T) {
	large := face(t, gomono.TTF, 34)
	board := []string{"FTTTTF", ".FTF.T", ".TFT.T", ".T.F.F", ".F.F..", "FTFTTT"}
	for _, row := range []struct{ slope, lean float64 }{{0.05, -0.05}, {-0.05, -0.05}, {-0.05, 0.05}, {0.04, 0.02}, {-0.06, 0}, {0, 0.06}} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			found := NewReader().Scan(aside(large, 20.4, 42, row.slope, row.lean, board...), grid.Contrasts()[0], nil)
			if len(found) != 1 || found[0].Err != nil {
				t.Fatalf("found %v, want one board", found)
			}
			text, err := found[0].Puzzle.MarshalText()
			if got := strings.TrimSpace(string(text)); err != nil || got != strings.Join(board, "\n") {
				t.Errorf("read as %v %s", err, got)
			}
		})
	}
}

// cards shows a board in a grid of lines, letters in its cells and what is "_"
// left free.
func cards(f font.Face, rows ...string) *grid.Scene {
	const pitch = 40
	c := gg.NewContext(pitch*len(rows[0])+80, pitch*len(rows)+80)
	c.SetColor(color.White)
	c.Clear()
	c.SetColor(color.Black)
	c.SetFontFace(f)
	for r := range rows {
		for i, ch := range rows[r] {
			x, y := float64(40+pitch*i), float64(40+pitch*r)
			c.DrawRectangle(x, y, pitch, pitch)
			c.SetLineWidth(2)
			c.Stroke()
			switch ch {
			case '_':
			default:
				c.DrawStringAnchored(string(ch), x+0.5*pitch, y+0.5*pitch, 0.5, 0.5)
			}
		}
	}
	return grid.NewScene(c.Image())
}

// TestScan reads boards as letters, in a terminal and in a grid.
func TestScan(t *testing.T) {
	mono := face(t, gomono.TTF, 20)
	for name, row := range map[string]struct {
		scene *grid.Scene
		want  string
	}{
		"dark terminal":     {terminal(mono, 12, 24, color.Gray{220}, color.Gray{20}, "$ cat x", "", "FTT.T", ".TFTT", ".TTFT", "FTTTF", "", "$"), "FTT.T\n.TFTT\n.TTFT\nFTTTF\n"},
		"rows of dots":      {terminal(mono, 12, 24, color.Gray{20}, color.Gray{220}, "....", "FT.T", "..TF", "....", "...."), "....\nFT.T\n..TF\n....\n....\n"},
		"dots at the sides": {terminal(mono, 12, 24, color.Gray{20}, color.Gray{220}, "..T..", "..F..", "..T.."), "..T..\n..F..\n..T..\n"},
		"spaced":            {terminal(mono, 24, 24, color.Gray{220}, color.Gray{20}, "FTT.T", "...TT", "....F", "TTFT.", "....."), "FTT.T\n...TT\n....F\nTTFT.\n.....\n"},
		"two blanks":        {terminal(mono, 36, 30, color.Gray{20}, color.Gray{240}, "F..T", ".FT.", "..TF"), "F..T\n.FT.\n..TF\n"},
		"small bitmap font": {terminal(basicfont.Face7x13, 7, 13, color.Black, color.White, "FTFT", "TTTF", ".FT."), "FTFT\nTTTF\n.FT.\n"},
		"letters in cells":  {cards(face(t, gomedium.TTF, 22), "FTT", "_TF"), "FTT\n.TF\n"},
		"turbines unmarked": {cards(face(t, gomedium.TTF, 22), "F__", "__F", "_F_"), "FTT\nTTF\nTFT\n"},
	} {
		list := NewReader().Scan(row.scene, grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err != nil {
			t.Errorf("%s: got %v, want one board", name, list)
			continue
		}
		if got, _ := list[0].Puzzle.MarshalText(); string(got) != row.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, row.want)
		}
	}
}

// TestNoBoard: other letters and words are no boards.
func TestNoBoard(t *testing.T) {
	mono := face(t, gomono.TTF, 20)
	for name, s := range map[string]*grid.Scene{
		"words":         terminal(mono, 12, 24, color.Gray{220}, color.Gray{20}, "TOFFEE", "FITTER", "TUFTED"),
		"other letters": cards(face(t, gomedium.TTF, 22), "FTP", "TTF"),
		"no fan":        cards(face(t, gomedium.TTF, 22), "TTT", "TTT"),
		"digits":        cards(face(t, gomedium.TTF, 22), "174", "_F7"),
	} {
		for _, r := range NewReader().Scan(s, grid.Contrasts()[0], nil) {
			var unsure *vision.UnsureError
			if r.Puzzle != nil || !errors.As(r.Err, &unsure) {
				text, _ := r.Puzzle.MarshalText()
				t.Errorf("%s: read %v, want nothing", name, strings.Split(fmt.Sprint(string(text)), "\n"))
			}
		}
	}
}
