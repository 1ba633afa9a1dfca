package main

import (
	"encoding/json"
	"image"
	"image/draw"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

// TestBesideAnAnswer: what may be another board and was not read is told in one line after the
// answer, whole where nothing was answered, and whole in JSON.
func TestBesideAnAnswer(t *testing.T) {
	const width, height = 800, 600
	two := image.NewRGBA(image.Rect(0, 0, 2*width, height))
	board := scene(t, "maze-3", width, height, 1)
	covered := image.NewRGBA(board.Rect)
	draw.Draw(covered, covered.Rect, board, image.Point{}, draw.Src)
	// The second has lost its start.
	draw.Draw(covered, image.Rect(250, 392, 308, 448), image.NewUniform(board.At(300, 450)), image.Point{}, draw.Src)
	draw.Draw(two, board.Rect, board, image.Point{}, draw.Src)
	draw.Draw(two, board.Rect.Add(image.Pt(width, 0)), covered, image.Point{}, draw.Src)
	dir := t.TempDir()
	one, both := filepath.Join(dir, "one.png"), filepath.Join(dir, "both.png")
	for name, m := range map[string]*image.RGBA{one: covered, both: two} {
		solvetest.OK(t, cli.WritePicture(name, m))
	}
	const line = ": more places that may be boards, not read: 1; onlooker read says why\n"
	out, errOut, status := onlooker(t, "", "solve", "--no-store", both)
	if status != 0 || strings.Count(out, "solved in") != 1 || strings.Count(errOut, "\n") != 1 || !strings.HasSuffix(errOut, line) {
		t.Errorf("two boards: status %d, %s%s", status, out, errOut)
	}
	out, errOut, _ = onlooker(t, "", "solve", "--no-store", one)
	if out != "" || strings.Contains(errOut, "more places") || !strings.Contains(errOut, "most like") {
		t.Errorf("one that is not read: %s%s", out, errOut)
	}
	out, errOut, _ = onlooker(t, "", "solve", "--no-store", "--json", both)
	statuses := ""
	for text := range strings.Lines(out) {
		var l struct{ Status string }
		solvetest.OK(t, json.Unmarshal([]byte(text), &l))
		statuses += l.Status + " "
	}
	if statuses != "solved unsure " || errOut != "" {
		t.Errorf("in JSON: %s, %s", statuses, errOut)
	}
	if _, errOut, _ = onlooker(t, "", "read", both); !strings.Contains(errOut, "most like") {
		t.Errorf("read does not say why: %s", errOut)
	}
}
