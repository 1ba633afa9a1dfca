//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/program"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// A flip is sgt-flip, a program that nobody here wrote, with one board. Its squares
// are told by the colours that it is given: a board is won when none is dark.
type flip struct {
	*exec.Cmd
	program   string
	dark, lit color.RGBA
	source    capture.Source // that shows it
}

// newFlip looks for the program.
func newFlip(t *testing.T) *flip {
	t.Helper()
	program, err := exec.LookPath("sgt-flip")
	if err != nil {
		if program = "/usr/games/sgt-flip"; exec.Command("test", "-x", program).Run() != nil {
			t.Skip("no sgt-flip (Debian: sgt-puzzles)")
		}
	}
	return &flip{program: program, dark: color.RGBA{0x30, 0x40, 0x58, 255}, lit: color.RGBA{0xf4, 0xe8, 0xb0, 255}}
}

// start deals a board by sgt-flip's own order, as 5x5c#1.
func (g *flip) start(t *testing.T, order string, env ...string) {
	t.Helper()
	id := solvetest.Must(exec.Command(g.program, "--generate", "1", order).Output())(t, fmt.Sprintf("sgt-flip --generate 1 %s", order))
	g.Cmd = exec.Command(g.program, strings.TrimSpace(string(id)))
	g.Env = append(os.Environ(), "GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1",
		fmt.Sprintf("FLIP_COLOUR_1=%02x%02x%02x", g.dark.R, g.dark.G, g.dark.B), fmt.Sprintf("FLIP_COLOUR_2=%02x%02x%02x", g.lit.R, g.lit.G, g.lit.B))
	g.Env = append(g.Env, env...)
	solvetest.OK(t, g.Start())
}

// seen says where the program is seen, until the test ends.
func (g *flip) seen(t *testing.T, where capture.Target) {
	t.Helper()
	source := solvetest.Must(capture.Open(t.Context(), where))(t)
	t.Cleanup(func() { _ = source.Close() }) // nothing is lost with it
	g.source = source
}

// stop ends the program.
func (g *flip) stop() {
	_ = g.Process.Kill()
	_ = g.Wait() // by the signal
}

// count tells how many pixels have a colour.
func (g *flip) count(t *testing.T, c color.RGBA) (n int) {
	t.Helper()
	f := solvetest.Must(g.source.Grab(t.Context()))(t)
	for i := 0; i < len(f.Pix); i += 4 {
		if f.Pix[i] == c.R && f.Pix[i+1] == c.G && f.Pix[i+2] == c.B {
			n++
		}
	}
	return n
}

// won tells whether the board is won: the last squares turn over for a while, and
// one that is won blinks.
func (g *flip) won(t *testing.T) bool {
	t.Helper()
	for range 100 {
		if g.count(t, g.dark) == 0 {
			return g.count(t, g.lit) > 9*24*24
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// waitFor waits until something is so, half a minute at most.
func waitFor(t *testing.T, why string, is func() bool) {
	t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("waited in vain: %s", why)
}

// TestDrivesFlip has sgt-flip deal boards and drives them by what is seen: crosses
// of 5×5 and random patterns in turn.
func TestDrivesFlip(t *testing.T) {
	game := newFlip(t)
	boards := 2 * solvetest.More()
	showcase.TestDisplay(t, 800, 600)
	game.seen(t, capture.Target{})
	won := 0
	for n := range boards {
		order := fmt.Sprintf("5x5c#%d", n+1)
		if n%2 == 1 {
			order = fmt.Sprintf("%dx%dr#%d", 3+n/2%5, 3+n/10%5, n+1)
		}
		game.start(t, order)
		waitFor(t, "no board is shown", func() bool { return game.count(t, game.dark) > 500 })
		out, said, status := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--solves", "1", "--profile", "switches-cells", "--goal", "on")
		if game.won(t) && status == 0 && strings.Contains(out, "accepted  ") {
			won++
		} else {
			t.Logf("%s: status %d, %d dark pixels are left, %d lit: %s%s", order, status, game.count(t, game.dark), game.count(t, game.lit), out, said)
		}
		game.stop()
		waitFor(t, "the window stays", func() bool { return game.count(t, game.lit) == 0 })
	}
	t.Logf("%d of %d boards won", won, boards)
	if 20*won < 19*boards {
		t.Errorf("%d of %d boards won, want 19 of 20", won, boards)
	}
}

// TestDrivesFlipAsked: what sgt-flip wants is asked for once, and kept with its look; with --yes
// alone it is taken as is usual, and an answer for what it does not want is entered and counts as
// not confirmed.
func TestDrivesFlipAsked(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	game := newFlip(t)
	showcase.TestDisplay(t, 800, 600)
	game.seen(t, capture.Target{})
	person := solvetest.Must(input.Open(""))(t)
	defer person.Close()
	for n, row := range []struct {
		why, typed string
		args       []string
		status     int
		says       string
	}{
		{"nobody answers", "", nil, 1, "say --goal on or --goal off"},
		{"nobody says", "", []string{"--yes"}, 0, "all are wanted on, as is usual: nothing says what is wanted"},
		{"what is not wanted is entered", "", []string{"--yes", "--goal", "off"}, 3, "all are wanted off, as --goal says"},
		{"it is asked for", "on\n", nil, 0, "kept with the look in "},
		{"it was kept", "", []string{"--yes"}, 0, "all are wanted on, as the look switches-wanted-on-1 says"},
	} {
		game.start(t, fmt.Sprintf("4x4c#%d", n+1))
		waitFor(t, "no board is shown", func() bool { return game.count(t, game.dark) > 500 })
		watch := begin(t, row.typed, append([]string{"watch", "--drive", "--no-store", "--solves", "1"}, row.args...)...)
		status, armed, over := 0, 0, false
		waitFor(t, row.why+": it does not end", func() bool {
			if n := watch.said("F9 starts"); n > armed {
				armed = n
				solvetest.Fine(t, person.Key("f9"))
			}
			select {
			case status = <-watch.ended:
				over = true
			default:
			}
			return over
		})
		if status != row.status || watch.said(row.says) == 0 {
			t.Errorf("%s: status %d, want %d, and %q in what it says: %s", row.why, status, row.status, row.says, watch)
		}
		solvetest.Same(t, game.won(t), (row.status == 0), "%s: won", row.why)
		game.stop()
		waitFor(t, "the window stays", func() bool { return game.count(t, game.lit) == 0 })
	}
}

// TestWatchOverlay: answers are drawn over the window of a program that nobody here
// wrote, none of it is in the frames that are looked at, and a click on it reaches
// that program, whose next board is answered.
func TestWatchOverlay(t *testing.T) {
	game := newFlip(t)
	d := showcase.TestDisplay(t, 800, 600)
	game.seen(t, capture.Target{Under: true})
	screen := solvetest.Must(capture.Open(t.Context(), capture.Target{}))(t)
	defer screen.Close()
	game.start(t, "5x5c#1")
	defer game.stop()
	waitFor(t, "no board is shown", func() bool { return game.count(t, game.dark) > 500 })
	record := t.TempDir()
	watch := begin(t, "", "watch", "--overlay", "--json", "--no-store", "--record", record, "--profile", "switches-cells")
	answered := func() int { return watch.said(solvedLine) }
	var drawn []image.Point
	waitFor(t, "no answer is drawn on the screen", func() bool {
		f := solvetest.Must(screen.Grab(t.Context()))(t)
		drawn = overlaid(f)
		return len(drawn) > 0 && answered() > 0 // the answer may be drawn before it is printed
	})
	first := answered()
	mouse := solvetest.Must(input.Open(d.Name))(t)
	defer mouse.Close()
	dark := game.count(t, game.dark)
	solvetest.OK(t, mouse.MoveTo(drawn[len(drawn)/2]))
	solvetest.OK(t, input.Play(t.Context(), mouse, input.Click(input.Left)))
	waitFor(t, "a click on the answer turns no square over", func() bool { return game.count(t, game.dark) != dark })
	waitFor(t, "the board after the click is not answered", func() bool { return answered() > first })
	watch.stopped()
	frames, err := filepath.Glob(filepath.Join(record, "*.png"))
	if err != nil || len(frames) < 2 {
		t.Fatalf("%d frames were kept, %v; want one of each board", len(frames), err)
	}
	for _, name := range frames {
		f := solvetest.Must(os.Open(name))(t)
		m, err := png.Decode(f)
		_ = f.Close() // it was read only
		solvetest.OK(t, err)
		if n := len(overlaid(m)); n > 0 {
			t.Errorf("%s: %d pixels of an answer are in our own frame", filepath.Base(name), n)
		}
	}
}

// overlaid lists the pixels of a frame that have the colour of overlays.
func overlaid(m image.Image) (all []image.Point) {
	pink := color.RGBA{255, 43, 214, 255}
	b := m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if color.RGBAModel.Convert(m.At(x, y)) == pink {
				all = append(all, image.Pt(x, y))
			}
		}
	}
	return all
}

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
