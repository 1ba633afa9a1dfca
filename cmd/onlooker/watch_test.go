//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"context"
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
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/session"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	drawing "onlooker/vision/picture/witness"
)

// readings is what a look at a frame gives, as text.
func readings(t testing.TB, eye *see.Eye, frame image.Image) string {
	t.Helper()
	sight := solvetest.Must(eye.Look(frame, see.Millis{}))(t)
	var all strings.Builder
	for _, r := range sight.Readings {
		if r.Err != nil {
			all.WriteString(r.Err.Error() + "\n")
			continue
		}
		text := solvetest.Must(r.Puzzle.MarshalText())(t)
		all.Write(text)
	}
	return all.String()
}

// sharedCaptures names a few real captures, one of each size of panel, and
// none where they are not there.
func sharedCaptures(t testing.TB) []string {
	t.Helper()
	var found []string
	for _, name := range []string{"wall-maze-3x3-01.png", "column-stars-01.png", "double-door-01.png", "triangles-01.png"} {
		if name = solvetest.Shared("captures", name); exists(name) {
			found = append(found, name)
		}
	}
	if found == nil {
		t.Log("no shared captures: only frames that we drew; set ONLOOKER_SHARED to their folder")
	}
	return found
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// TestSameFromTheScreen shows frames in a window and reads them off the
// display: the pixels are the same, and so is what is read.
func TestSameFromTheScreen(t *testing.T) {
	d := showcase.TestDisplay(t, 1920, 1080)
	w := showcase.TestWindow(t, d, "frames", image.Rect(0, 0, 1920, 1080))
	source, err := capture.Open(t.Context(), capture.Target{Window: "frames"})
	solvetest.OK(t, err)
	defer source.Close()
	eye := solvetest.Must((&intake.Games{List: games.Of()}).Eye("witness-challenge"))(t)
	frames := map[string]*image.RGBA{
		"drawn maze": scene(t, "maze-3", 1920, 1080, 1), "drawn stars": scene(t, "stars", 1920, 1080, 2),
	}
	for _, name := range sharedCaptures(t) {
		if frames[filepath.Base(name)], err = capture.ReadPictureFile(name); err != nil {
			t.Fatal(err)
		}
	}
	for name, frame := range frames {
		solvetest.OK(t, w.Show(frame))
		shot := solvetest.Must(source.Grab(t.Context()))(t)
		seen := shot.SubImage(image.Rectangle{Max: frame.Rect.Size()}).(*image.RGBA)
		for y := range frame.Rect.Dy() {
			got, want := seen.Pix[y*seen.Stride:y*seen.Stride+4*frame.Rect.Dx()], frame.Pix[y*frame.Stride:(y+1)*frame.Stride]
			if !bytes.Equal(got, want) {
				t.Fatalf("%s: line %d of the display differs from the file's", name, y)
			}
		}
		got, want := readings(t, eye, shot), readings(t, eye, frame)
		if got != want || want == "" {
			t.Errorf("%s: read off the display:\n%s\nfrom the file:\n%s", name, got, want)
		}
	}
}

// A watched is what a program prints while a test goes on.
type watched struct {
	mu   sync.Mutex
	said strings.Builder // not embedded: what copies to it would find a way past the lock
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.Write(p)
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said.String()
}

// A running is the program while a test goes on.
type running struct {
	*testing.T
	out, errOut watched
	ended       chan int
	stop        func()
}

// begin starts the program.
func begin(t *testing.T, typed string, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{T: t, ended: make(chan int, 1), stop: stop}
	go func() { r.ended <- run(ctx, args, strings.NewReader(typed), &r.out, &r.errOut) }()
	return r
}

// String is all that was said.
func (r *running) String() string { return r.out.String() + r.errOut.String() }

// said counts how often something was said.
func (r *running) said(what string) int { return strings.Count(r.String(), what) }

// until waits until something was said so many times.
func (r *running) until(what string, times int) {
	r.Helper()
	waitFor(r.T, fmt.Sprintf("%q is not said %d times", what, times), func() bool { return r.said(what) >= times })
}

// live is the address of the page that it serves; "" where that is not told.
func (r *running) live() string {
	for begun := time.Now(); r.said("live at ") == 0 && time.Since(begun) < time.Minute; time.Sleep(20 * time.Millisecond) {
	}
	_, at, _ := strings.Cut(r.String(), "live at ")
	at, _, _ = strings.Cut(at, "\n")
	return at
}

// stopped ends it, which is no failure.
func (r *running) stopped() {
	r.Helper()
	r.stop()
	solvetest.Same(r, <-r.ended, 0, "status after it was stopped: %s", r)
}

const solvedLine = `"status":"solved"`

// TestWatch shows two panels in turn, the first twice: two answers, and a
// clean end.
func TestWatch(t *testing.T) {
	d := showcase.TestDisplay(t, 1280, 720)
	w := showcase.TestWindow(t, d, "The Panels", image.Rect(0, 0, 1280, 720))
	first, second := scene(t, "maze-3", 1280, 720, 1), scene(t, "triangles-6", 1280, 720, 3)
	solvetest.OK(t, w.Show(first))
	record := t.TempDir()
	watch := begin(t, "", "watch", "--json", "--window", "the panels", "--record", record)
	watch.until(solvedLine, 1)
	solvetest.OK(t, w.Show(second))
	watch.until(solvedLine, 2)
	solvetest.OK(t, w.Show(first))
	time.Sleep(time.Second) // time to answer again, which it must not
	watch.stopped()
	texts := map[string]bool{}
	for _, got := range programtest.Lines[session.Line](t, watch.out.String()) {
		if got.Status != "solved" || len(got.Strokes) == 0 || got.Text == "" || texts[got.Text] {
			t.Errorf("%+v: want an answer that was not given before", got)
		}
		texts[got.Text] = true
	}
	solvetest.Same(t, len(texts), 2, "answers")

	// The record replays to the same answers.
	for _, got := range programtest.Lines[session.Line](t, want(t, "", "watch", "--json", "--replay", record)) {
		if !texts[got.Text] {
			t.Errorf("the replay answers %s, which was not seen", got.Text)
		}
		delete(texts, got.Text)
	}
	if len(texts) > 0 {
		t.Errorf("the replay leaves out %v", texts)
	}
}

// TestWatchNowhere: where there is no display the message says so, and what helps, in words that
// are not a library's.
func TestWatchNowhere(t *testing.T) {
	t.Setenv("XDG_SESSION_TYPE", "x11")
	for _, row := range []struct{ display, want string }{
		{"", "no display: DISPLAY is not set; onlooker doctor says what to do"},
		{":12345", "no display: no X server answers at :12345, which DISPLAY names; onlooker doctor says what to do"},
	} {
		t.Setenv("DISPLAY", row.display)
		for _, args := range [][]string{{"watch"}, {"watch", "--overlay"}, {"watch", "--drive", "--yes"}, {"doctor"}} {
			status, out, errOut := says(t, args...)
			said := out + errOut
			if status != 1 || args[0] == "watch" && !strings.Contains(said, row.want) {
				t.Errorf("DISPLAY=%s %v: status %d, %s, want %q", row.display, args, status, said, row.want)
			}
			for _, word := range []string{"dial unix", "connect:", "empty display", "display string", `X display "`} {
				if strings.Contains(said, word) {
					t.Errorf("DISPLAY=%s %v says %q", row.display, args, word)
				}
			}
		}
	}
}

// TestWatchWaits watches a window that comes late, shows nothing, then black, then a
// panel, is closed and opened again: what is seen is said as it changes, and each panel is
// answered once.
func TestWatchWaits(t *testing.T) {
	d := showcase.TestDisplay(t, 1280, 720)
	watch := begin(t, "", "watch", "--no-store", "--window", "the panels")
	watch.until(`waiting for the window "the panels"`, 1)
	at := image.Rect(0, 0, 1280, 720)
	w := showcase.TestWindow(t, d, "The Panels", at)
	show := func(m *image.RGBA) { solvetest.OK(t, w.Show(m)) }
	black, grey := image.NewRGBA(at), image.NewRGBA(at)
	draw.Draw(black, at, image.Black, image.Point{}, draw.Src)
	draw.Draw(grey, at, image.NewUniform(color.Gray{90}), image.Point{}, draw.Src)
	show(black)
	watch.until("black picture: ", 1)
	show(scene(t, "maze-3", 1280, 720, 1))
	watch.until("solved", 1)
	w.Close()
	watch.until(`waiting for the window "the panels"`, 2)
	w = showcase.TestWindow(t, d, "The Panels", at)
	show(grey)
	show(scene(t, "triangles-6", 1280, 720, 3))
	watch.until("solved", 2)
	watch.stopped()
}

// TestLivePage opens the page of watch --serve in a browser: the answer's line
// is on the picture, from the panel's start.
func TestLivePage(t *testing.T) {
	d := showcase.TestDisplay(t, 800, 600)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(0, 0, 800, 600))
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	watch := begin(t, "", "watch", "--json", "--serve", ":0")
	defer watch.stopped()
	page := showcase.TestBrowser(t, 800, 600, time.Minute)
	var points, box, told string
	var width int
	err := chromedp.Run(page,
		chromedp.Navigate(watch.live()),
		chromedp.WaitReady("#over polyline", chromedp.ByQuery),
		chromedp.Poll("document.getElementById('frame').naturalWidth > 0", nil),
		chromedp.Evaluate("document.querySelector('polyline.line').getAttribute('points')", &points),
		chromedp.Evaluate("document.getElementById('over').getAttribute('viewBox')", &box),
		chromedp.Evaluate("document.getElementById('frame').naturalWidth", &width),
		chromedp.Evaluate("document.getElementById('told').textContent", &told),
	)
	if err != nil {
		t.Fatalf("%v; watch said %s", err, watch)
	}
	if n := len(strings.Fields(points)); n < 5 || box != "0 0 800 600" || width != 800 || !strings.Contains(told, "solved") {
		t.Errorf("the line has %d points, the picture %s and %d pixels, the page says %q", n, box, width, told)
	}
}

// TestWatchFolder answers a screenshot that appears.
func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	watch := begin(t, "", "watch", "--no-store", "--folder", dir)
	watch.until("waiting for new pictures", 1)
	solvetest.OK(t, cli.WritePicture(filepath.Join(dir, "shot.png"), scene(t, "maze-3", 800, 600, 1)))
	watch.until("shot.png, witness, 3×3: solved", 1)
	watch.stopped()
}

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
			solvetest.Same(t, (m[0]+m[1])%2, 1, "a mark at %v", m)
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
