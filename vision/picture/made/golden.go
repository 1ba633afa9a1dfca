package made

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/vision/picture"
)

// A Row is a picture, and why it is one of the table. Its files are
// testdata/<Name>.txt and .png.
type Row struct {
	Name, Why string
	Shapes    []picture.Shape
}

// scale is pixels a half-cell: enough to look at, little to store.
const scale = 16

// tolerance is the mean difference of a channel, of 255, up to which two
// pictures are the same: smooth edges differ by less between versions of the
// rasteriser, and a symbol that is left out of a small board by more.
const tolerance = 2.0

// Compare fails where a picture is not its golden file, and leaves what it got
// beside it. update rewrites the files instead: right after a change that is
// meant to change the pictures, and only once the new ones were looked at.
func Compare(t *testing.T, update bool, rows []Row) {
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) {
			if len(r.Shapes) == 0 {
				t.Fatalf("%s: nothing is drawn", r.Why)
			}
			terminal(t, update, r)
			pixels(t, update, r)
			svg(t, r)
		})
	}
}

func terminal(t *testing.T, update bool, r Row) {
	var got, bright bytes.Buffer
	if err := picture.Terminal(&got, r.Shapes, false); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("testdata", r.Name+".txt")
	if update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("%s: got\n%swant\n%s", r.Why, got.String(), want)
	}
	if err := picture.Terminal(&bright, r.Shapes, true); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(bright.String(), "\x1b[38;2;") || strings.Contains(got.String(), "\x1b") {
		t.Errorf("%s: escape sequences are where colour was not asked for, or missing where it was", r.Why)
	}
}

func pixels(t *testing.T, update bool, r Row) {
	got := picture.Image(r.Shapes, scale)
	file := filepath.Join("testdata", r.Name+".png")
	if update {
		WritePNG(t, file, got)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if d := Difference(got, want); d > tolerance {
		side := filepath.Join("testdata", r.Name+".got.png")
		WritePNG(t, side, got)
		t.Errorf("%s: differs by %.2f on average, want at most %g: see %s", r.Why, d, tolerance, side)
	}
}

// svg counts elements: one for each shape but glyphs, which only a terminal
// shows.
func svg(t *testing.T, r Row) {
	var out bytes.Buffer
	if err := picture.SVG(&out, r.Shapes, scale); err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, s := range r.Shapes {
		if s.Kind != picture.Glyph {
			want++
		}
	}
	if got := strings.Count(out.String(), "/>") + strings.Count(out.String(), "</text>"); got != want {
		t.Errorf("%s: the SVG has %d elements, want %d", r.Why, got, want)
	}
}

// Difference is the mean difference of a channel, of 255, and infinite where
// the sizes differ.
func Difference(a, b image.Image) float64 {
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		return math.Inf(1)
	}
	sum := 0.0
	for y := range size.Y {
		for x := range size.X {
			r, g, bl, _ := a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y).RGBA()
			r2, g2, b2, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			sum += math.Abs(float64(r)-float64(r2)) + math.Abs(float64(g)-float64(g2)) + math.Abs(float64(bl)-float64(b2))
		}
	}
	return sum / 257 / 3 / float64(size.X*size.Y)
}
