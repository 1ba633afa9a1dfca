//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/session"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	drawing "onlooker/vision/picture/witness"
)

// scene draws panels of one of the Challenge's kinds before a grey wall.
func scene(t testing.TB, kind string, width, height int, seed uint64) *image.RGBA {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	deal := solvetest.Must(witness.DealChallenge(t.Context(), rand.New(rand.NewPCG(seed, 7)), kind))(t)
	frame := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{70, 66, 60, 255}), image.Point{}, draw.Src)
	slot := width / len(deal.Panels)
	for i, p := range deal.Panels {
		room := min(height*2/3, slot*3/4)
		m := drawing.Draw(p, drawing.Typical(look), float64(room)/float64(p.Cols+2))
		at := image.Pt(slot*i+(slot-m.Rect.Dx())/2, (height-m.Rect.Dy())/2)
		draw.Draw(frame, m.Rect.Add(at), m, image.Point{}, draw.Over)
	}
	return frame
}

// captureClasses are the files of the real captures of 1920×1080 with a board
// in them by class; none where they are not there.
func captureClasses(t testing.TB) map[string][]string {
	t.Helper()
	if !exists(solvetest.Shared("captures", "truth.json")) {
		t.Log("no shared captures: only frames that we drew; set ONLOOKER_SHARED to their folder")
		return nil
	}
	folder, truth := solvetest.Captures(t)
	class := regexp.MustCompile(`^(.*?)-\d\d`)
	out := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(truth)) {
		if at := class.FindStringSubmatch(name); at != nil && truth[name].Pixels == [2]int{1920, 1080} && len(truth[name].Boards) > 0 {
			out[at[1]] = append(out[at[1]], filepath.Join(folder, name))
		}
	}
	return out
}

// TestFloorMaze: the pedestal is answered, printed large as the map of the floor
// maze with its two triangle panels marked, and once more with the triples,
// after which the way leads through the maze; no other panel is a map.
func TestFloorMaze(t *testing.T) {
	folder := t.TempDir()
	for i, kind := range []string{"pedestal", "maze-3", "triple-2"} {
		f := solvetest.Must(os.Create(filepath.Join(folder, fmt.Sprintf("%d.png", i))))(t)
		solvetest.OK(t, errors.Join(png.Encode(f, scene(t, kind, 1280, 720, 3)), f.Close()))
	}
	out := want(t, "", "watch", "--replay", folder)
	maps := strings.Split(out, "map: the floor maze")
	if len(maps) != 3 || strings.Count(out, "▲") != 2*3 { // each title names the mark
		t.Fatalf("%d maps with %d marks, want two with two marks each:\n%s", len(maps)-1, strings.Count(out, "▲")-len(maps)+1, out)
	}
	if !strings.Contains(maps[1], "the one to solve") || !strings.Contains(maps[0], "5×5") {
		t.Errorf("the first map does not follow the pedestal, or the second the triple:\n%s", out)
	}
	var marked int
	for line := range strings.Lines(want(t, "", "watch", "--json", "--replay", folder)) {
		var got session.Line
		solvetest.OK(t, json.Unmarshal([]byte(line), &got), fmt.Sprintf("%q", line))
		if (got.Map != "") != strings.HasPrefix(got.Text, "panel 5x5") || len(got.Marks) == 2 != (got.Map != "") {
			t.Errorf("%s: a map, or none", line)
		}
		for _, m := range got.Marks {
			marked++
			if (m[0]+m[1])%2 != 1 {
				t.Errorf("a mark at %v, want the middle of an edge", m)
			}
		}
	}
	solvetest.Same(t, marked, 2, "marks")
}

// BenchmarkLook times locating and reading real captures by class, from a frame never seen before
// to its puzzles.
func BenchmarkLook(b *testing.B) {
	const most = 5 // of each class
	for class, files := range captureClasses(b) {
		b.Run("captured/"+class, func(b *testing.B) {
			var frames []*image.RGBA
			for i := range min(most, len(files)) {
				frames = append(frames, openPicture(b, files[i*len(files)/min(most, len(files))]))
			}
			benchmarkLook(b, frames)
		})
	}
}

// benchmarkLook looks at frames in turn and reports the medians.
func benchmarkLook(b *testing.B, frames []*image.RGBA) {
	eye := solvetest.Must((&intake.Games{List: games.Of()}).Eye("witness-challenge"))(b)
	times := map[string][]float64{}
	found := 0
	defer program.LeaveGarbage()() // as main does
	for b.Loop() {
		for _, frame := range frames {
			millis := see.Millis{}
			start, used := time.Now(), solvetest.ProcessorTime()
			sight, err := eye.Look(frame, millis)
			millis.Add("both", start)
			millis.Took("cpu", solvetest.ProcessorTime()-used)
			solvetest.OK(b, err)
			if len(sight.Readings) > 0 {
				found++
			}
			for stage, took := range millis {
				times[stage] = append(times[stage], took)
			}
		}
	}
	for stage, took := range times {
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], stage+"-median-ms")
	}
	b.ReportMetric(times["both"][len(times["both"])-1], "most-ms")
	b.ReportMetric(100*float64(found)/float64(len(times["both"])), "%with-boards")
}
