package locate

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"onlooker/calibrations"
	"onlooker/vision"
)

// TestLocateKept holds boards that were kept against what Locate finds: of a picture,
// of a JPEG, and none. Another look's are others; a broken file is made again.
func TestLocateKept(t *testing.T) {
	p, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	drawn := image.NewRGBA(image.Rect(0, 0, 320, 300)) // lines 14 wide every 60 pixels, three cells each way
	for y := range 300 {
		for x := range 320 {
			c := color.RGBA{20, 140, 100, 255}
			if x >= 53 && x < 247 && y >= 53 && y < 247 && ((x-53)%60 < 14 || (y-53)%60 < 14) {
				c = color.RGBA{20, 30, 40, 255}
			}
			drawn.SetRGBA(x, y, c)
		}
	}
	var packed bytes.Buffer
	if err := jpeg.Encode(&packed, drawn, nil); err != nil {
		t.Fatal(err)
	}
	unpacked, err := jpeg.Decode(&packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		frame  image.Image
		boards int
	}{{"drawn", drawn, 1}, {"jpeg", unpacked, 1}, {"none", image.NewRGBA(image.Rect(0, 0, 64, 64)), 0}} {
		folder := filepath.Join(t.TempDir(), "one build")
		kept := func() []string {
			all, err := filepath.Glob(filepath.Join(folder, "*"))
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		want, err := Boards(row.frame, p.Board)
		if err != nil || len(want) != row.boards {
			t.Fatalf("%s: %d boards, %v, want %d", row.name, len(want), err, row.boards)
		}
		check := func(when string, files int) {
			t.Helper()
			got, err := NewFrame(row.frame).LocateKept(folder, p.Board)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %d boards, %v, want the %d that Locate finds, all fields alike", row.name, when, len(got), err, len(want))
			}
			if all := kept(); len(all) != files {
				t.Errorf("%s, %s: %q are kept, want %d files", row.name, when, all, files)
			}
		}
		check("first", 1)
		first := kept()[0]
		check("from the file", 1)
		if err := writeKept(first, nil); err != nil {
			t.Fatal(err)
		}
		if got, err := NewFrame(row.frame).LocateKept(folder, p.Board); err != nil || len(got) != 0 {
			t.Errorf("%s: %d boards, %v, want the none that the file holds: it is not read", row.name, len(got), err)
		}
		if err := os.Truncate(first, 20); err != nil {
			t.Fatal(err)
		}
		check("a broken file", 1)
		other := p.Board
		other.MinPitch++
		if _, err := NewFrame(row.frame).LocateKept(folder, other); err != nil {
			t.Fatal(err)
		}
		check("another look", 2)
	}
}

// TestKeptBoards keeps boards with each field set that no picture here sets.
func TestKeptBoards(t *testing.T) {
	bent := vision.Bend{Cols: 2, Rows: 3, DX: [vision.Terms]float64{1, 2}, DY: [vision.Terms]float64{3, 4}}
	round := vision.Cylinder{Left: vision.SideLine{At: 1, Slope: 2, From: 3}, Right: vision.SideLine{At: 4, Slope: 5, From: 6}, Half: 7, Level: 8, E: 9, Cols: 10, First: 11, Rows: 12, Top: 13, Pitch: 14, Line: 15, Ink: 16, Paper: 17}
	want := []*vision.Board{
		{Cols: 2, Share: 0.5, ToScreen: vision.Mat3{1, 2, 3}, Bend: &bent, Places: map[image.Point]vision.Point{{X: 1}: {X: 2, Y: 3}}},
		{Rows: 3, Pillar: true, Cylinder: &round},
	}
	file := filepath.Join(t.TempDir(), "kept")
	if err := writeKept(file, want); err != nil {
		t.Fatal(err)
	}
	got, err := readKept(file)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("kept %+v, %v, want %+v", got, err, want)
	}
}
