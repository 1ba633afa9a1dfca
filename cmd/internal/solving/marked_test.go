package solving_test

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"onlooker/capture"
	"onlooker/solve/solvetest"
)

// TestSolveDrawsOver solves lamps that were drawn here, and wants rings where
// they are to be clicked, on the same picture, and nothing beside the board.
func TestSolveDrawsOver(t *testing.T) {
	const side, gap, left, top = 50, 10, 120, 80
	rows := []string{"**o*", "*ooo", "**o*", "****"} // (2,1) was flipped
	m := image.NewRGBA(image.Rect(0, 0, 500, 400))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{30, 60, 90, 255}), image.Point{}, draw.Src)
	cell := func(c, r int) image.Rectangle {
		at := image.Pt(left+c*(side+gap), top+r*(side+gap))
		return image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	}
	for r, row := range rows {
		for c := range row {
			ink := color.RGBA{20, 20, 20, 255}
			if row[c] == '*' {
				ink = color.RGBA{250, 220, 90, 255}
			}
			draw.Draw(m, cell(c, r), image.NewUniform(ink), image.Point{}, draw.Src)
		}
	}
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.png"), filepath.Join(dir, "out.png")
	f := solvetest.Must(os.Create(in))(t)
	solvetest.OK(t, png.Encode(f, m))
	f.Close()
	if text, said, status := shell.Run(t, "", "solve", "--no-store", "--goal", "on", "--picture", out, in); status != 0 {
		t.Fatalf("status %d: %s%s", status, text, said)
	}
	f = solvetest.Must(os.Open(out))(t)
	defer f.Close()
	got := solvetest.Must(capture.ReadPicture(f))(t)
	if got.Rect != m.Rect {
		t.Fatalf("the picture is %v, want %v", got.Rect, m.Rect)
	}
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			if p := image.Pt(x, y); got.RGBAAt(x, y) != m.RGBAAt(x, y) && !p.In(cell(2, 1)) {
				t.Fatalf("(%d,%d) is drawn on, beside the cell that is to be clicked", x, y)
			}
		}
	}
	box := cell(2, 1)
	middle := image.Pt((box.Min.X+box.Max.X)/2, (box.Min.Y+box.Max.Y)/2)
	// A ring of 0.28 of the pitch of 60 pixels.
	for _, by := range []image.Point{{17, 0}, {-17, 0}, {0, 17}, {0, -17}} {
		if p := middle.Add(by); got.RGBAAt(p.X, p.Y) == m.RGBAAt(p.X, p.Y) {
			t.Errorf("no ring at %v", p)
		}
	}
	if _, _, status := shell.Run(t, "grid 2x2\noo\noo\n", "solve", "--no-store", "--family", "switches", "--picture", out, "-"); status != 2 {
		t.Errorf("--picture with text: status %d, want 2", status)
	}
}
