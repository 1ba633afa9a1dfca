//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/program"
	"onlooker/solve/solvetest"
)

// latencyAim is how long after the first frame in which a panel stands lit its answer is
// wanted, on a machine that has nothing else to do.
const latencyAim = 150 * time.Millisecond

// A phoneLook is what a phone is sent of a look.
type phoneLook struct {
	at     time.Time
	Say    []string `json:"say"`
	Boards []struct {
		Status string `json:"status"`
		Lines  []any  `json:"lines"`
	} `json:"boards"`
	Millis map[string]float64 `json:"millis"`
}

// answers counts the boards with an answer.
func (l *phoneLook) answers() (n int) {
	for _, b := range l.Boards {
		if len(b.Lines) > 0 {
			n++
		}
	}
	return n
}

// looks follows the looks that a phone gets, until the context ends.
func looks(ctx context.Context, t *testing.T, url string) <-chan phoneLook {
	t.Helper()
	r := solvetest.Must(http.NewRequestWithContext(ctx, http.MethodGet, url+"live/events", nil))(t)
	answer := solvetest.Must(http.DefaultClient.Do(r))(t)
	out := make(chan phoneLook, 1000)
	go func() {
		defer answer.Body.Close()
		lines := bufio.NewScanner(answer.Body)
		lines.Buffer(nil, 16<<20)
		event := ""
		for lines.Scan() {
			if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				event = name
			}
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok || event != "look" {
				continue
			}
			l := phoneLook{at: time.Now()}
			if json.Unmarshal([]byte(data), &l) == nil {
				out <- l
			}
		}
	}()
	return out
}

// TestLatency shows ten panels of a Challenge in a window, twenty where it is measured, and takes the time from the
// frame in which each stands lit to its answer on the overlay and on the phone. Of
// three the two without an answer are named in the same look.
func TestLatency(t *testing.T) {
	defer program.LeaveGarbage()() // as the program does
	d := showcase.TestDisplay(t, 1280, 720)
	w := showcase.TestWindow(t, d, "The Witness", image.Rect(0, 0, 1280, 720))
	empty := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.Draw(empty, empty.Rect, image.NewUniform(color.RGBA{70, 66, 60, 255}), image.Point{}, draw.Src)
	solvetest.OK(t, w.Show(empty))
	watch := begin(t, "", "watch", "--json", "--no-store", "--window", "The Witness", "--overlay", "--serve", "lan")
	defer watch.stopped()
	url := watch.live()
	if url == "" {
		t.Skipf("no address of a network: %s", watch)
	}
	ctx := t.Context()
	eye := solvetest.Must(capture.Open(ctx, capture.Target{}))(t)
	defer eye.Close()
	seen := looks(ctx, t, url)
	kinds := []string{"maze-3", "squares", "polyominoes", "stars", "symmetry", "column-maze", "maze-7", "triple-2", "triple-3", "triangles-6"}
	var phone, over []time.Duration
	panels := len(kinds)
	if os.Getenv("ONLOOKER_IDLE") != "" {
		panels = 20
	}
	for i := range panels {
		kind := kinds[i%len(kinds)]
		frame := scene(t, kind, 1280, 720, uint64(100+i))
		untilBare(ctx, t, eye, empty)
		for len(seen) > 0 {
			<-seen
		}
		solvetest.OK(t, w.Show(frame))
		lit := time.Now()
		drawn := make(chan time.Duration, 1)
		go func() { drawn <- untilOverlaid(ctx, eye, frame, lit) }()
		look := lookWithAnswer(t, seen, kind)
		if strings.HasPrefix(kind, "triple") && (len(look.Boards) != 3 || look.answers() != 1 || len(look.Say) == 0) {
			t.Errorf("%s: %d boards, %d answers, said %v in the look that answers, want one of three and which", kind, len(look.Boards), look.answers(), look.Say)
		}
		took := <-drawn
		phone, over = append(phone, look.at.Sub(lit)), append(over, took)
		t.Logf("%-12s phone %4d ms, overlay %4d ms; %v", kind, look.at.Sub(lit).Milliseconds(), took.Milliseconds(), look.Millis)
		solvetest.OK(t, w.Show(empty))
	}
	for _, row := range []struct {
		where string
		took  []time.Duration
	}{{"phone", phone}, {"overlay", over}} {
		slices.Sort(row.took)
		median, worst := row.took[len(row.took)/2], row.took[len(row.took)-1]
		t.Logf("%s: median %d ms, worst %d ms", row.where, median.Milliseconds(), worst.Milliseconds())
		if os.Getenv("ONLOOKER_IDLE") != "" && median > latencyAim {
			t.Errorf("%s: the answer comes after %v, want %v", row.where, median, latencyAim)
		}
	}
}

// lookWithAnswer waits for the look that has the answer.
func lookWithAnswer(t *testing.T, seen <-chan phoneLook, kind string) phoneLook {
	t.Helper()
	late := time.After(time.Minute)
	for {
		select {
		case l := <-seen:
			if l.answers() > 0 {
				return l
			}
		case <-late:
			t.Fatalf("%s: no answer within a minute", kind)
		}
	}
}

// untilBare waits until the display shows a frame as it is: without an overlay.
func untilBare(ctx context.Context, t *testing.T, eye capture.Source, frame *image.RGBA) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		shown := solvetest.Must(eye.Grab(ctx))(t)
		if differing(shown, frame) == 0 {
			return
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the overlay stays")
		}
	}
}

// untilOverlaid is how long it takes until something lies over a frame.
func untilOverlaid(ctx context.Context, eye capture.Source, frame *image.RGBA, since time.Time) time.Duration {
	for time.Since(since) < time.Minute {
		shown, err := eye.Grab(ctx)
		if err != nil {
			break
		}
		// The frame first comes a part at a time: what differs by a little is the overlay.
		if n := differing(shown, frame); n > 0 && n < len(frame.Pix)/4/8 {
			return time.Since(since)
		}
		// What looks all the time takes the time that it wants to measure.
		if eye.(capture.ChangeSource).Await(ctx, 20*time.Millisecond) != nil {
			break
		}
	}
	return time.Minute
}

// differing counts the pixels in which two frames differ, of every fourth line.
func differing(a, b *image.RGBA) (n int) {
	if a.Rect.Size() != b.Rect.Size() {
		return -1
	}
	for y := 0; y < a.Rect.Dy(); y += 4 {
		p, q := a.Pix[y*a.Stride:], b.Pix[y*b.Stride:]
		for x := 0; x < 4*a.Rect.Dx(); x += 4 {
			if p[x] != q[x] || p[x+1] != q[x+1] || p[x+2] != q[x+2] {
				n++
			}
		}
	}
	return n
}
