package alcazar

import (
	"bytes"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/solvetest"
	"onlooker/vision/grid"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/alcazar"
)

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
