//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/practice"
	"onlooker/input"
)

const (
	// pageWait is how long a browser may take to show the page. Chromium takes
	// 2 s from nothing on two idle cores.
	pageWait = 60 * time.Second
	// playTime is the Challenge's own limit, 6 min 30 s, and some.
	playTime = 7 * time.Minute
	// lastAnswer is how long the page may take to tell what became of an answer.
	lastAnswer = 5 * time.Second
	solves     = 14
	// pageTitle is the practice page's.
	pageTitle = "onlooker practice"
)

// A setting is how the practice page is shown.
type setting struct {
	query  string      // what else the page is asked for
	window image.Point // the size of its window in pixels; 0: the whole display
	film   string      // the file that it is kept in; "": none
}

// challenges plays one Challenge after another, a seed each, and tells by the
// client's own account how many were won, and in what time.
func challenges(ctx context.Context, program string, seed uint64, count int, how setting) error {
	var results []practice.Result
	for i := range count {
		err := challenge(ctx, program, seed+uint64(i), how, func(r practice.Result) { results = append(results, r) })
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if count == 1 {
				return err
			}
			fmt.Printf("seed %d: %v\n", seed+uint64(i), err)
		}
	}
	if count == 1 {
		return nil
	}
	var won []time.Duration
	wrong := 0
	fmt.Println("seed   solved  wrong  time")
	for _, r := range results {
		fmt.Printf("%-6d %2d/%d   %3d    %6.1f s  %s\n", r.Seed, r.Solved, solves, r.Wrong, r.Elapsed.Seconds(), r.Phase)
		wrong += r.Wrong
		if r.Phase == practice.Won {
			won = append(won, r.Elapsed)
		}
	}
	slices.Sort(won)
	fmt.Printf("%d of %d won, %d wrong answers", len(won), count, wrong)
	if len(won) > 0 {
		fmt.Printf("; median %.1f s, worst %.1f s", won[len(won)/2].Seconds(), won[len(won)-1].Seconds())
	}
	fmt.Println()
	if len(won) < count {
		return fmt.Errorf("%d of %d Challenges not won", count-len(won), count)
	}
	return nil
}

// challenge opens the practice Challenge in a browser and lets the program play
// it by screen and mouse.
func challenge(ctx context.Context, program string, seed uint64, how setting, judge func(practice.Result)) error {
	browser, err := findBrowser()
	if err != nil {
		return err
	}
	client := practice.NewServer(answer.Judge)
	server, host, err := serve(client)
	if err != nil {
		return err
	}
	defer server.Close()
	profile, err := os.MkdirTemp("", "onlooker-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(profile)

	source, err := capture.Open(ctx, capture.Target{})
	if err != nil {
		return err
	}
	defer source.Close()
	before, err := source.Grab(ctx)
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://%s/?seed=%d", host, seed)
	if how.query != "" {
		address += "&" + how.query
	}
	fmt.Printf("--- the practice Challenge at %s\n", address)
	watch := []string{"watch", "--no-store", "--drive", "--yes", "--solves", strconv.Itoa(solves)}
	at := image.Rectangle{Max: source.Bounds().Size()}
	if how.window != (image.Point{}) {
		at = image.Rectangle{Min: image.Pt(60, 40), Max: image.Pt(60, 40).Add(how.window)} // clear of the corner
		watch = append(watch, "--window", pageTitle)
	}
	closePage, err := openPage(ctx, browser, address, profile, at, how.window == (image.Point{}))
	if err != nil {
		return err
	}
	defer closePage()

	mouse, err := input.Open("")
	if err != nil {
		return err
	}
	defer mouse.Close()
	if err := shown(ctx, source, before); err != nil {
		return err
	}
	if err := begin(mouse, source.Bounds().Min.Add(at.Min).Add(image.Pt(at.Dx()/10, at.Dy()*5/6))); err != nil {
		return err
	}

	began := time.Now()
	kept := func() error { return nil }
	if how.film != "" {
		if kept, err = film(ctx, how.film); err != nil {
			return err
		}
	}
	err = play(ctx, program, watch)
	took := time.Since(began)
	err = errors.Join(err, kept())
	result, _ := client.Last()
	if err == nil {
		result = ended(client)
	}
	judge(result)
	if err != nil {
		return fmt.Errorf("watch --drive: %w", err)
	}
	if result.Phase != practice.Won {
		return fmt.Errorf("the Challenge was not won: it is %s, %d of %d solved", result.Phase, result.Solved, solves)
	}
	fmt.Printf("solved in %d:%02d\n", int(took.Minutes()), int(took.Seconds())%60)
	return nil
}

// film has FFmpeg take what the display shows, until kept is called: it is kept
// twice as fast as it was, in 48 colours.
func film(ctx context.Context, name string) (kept func() error, err error) {
	raw := name + ".mkv"
	take := ffmpeg(ctx, "-f", "x11grab", "-framerate", "5", "-i", os.Getenv("DISPLAY"), "-c:v", "ffv1", raw)
	in, err := take.StdinPipe()
	if err != nil {
		return nil, err
	}
	return func() error {
		defer os.Remove(raw)
		_, err := in.Write([]byte("q")) // the key that ends it
		return errors.Join(err, take.Wait(), ffmpeg(ctx, "-i", raw, "-vf",
			"setpts=PTS/2,fps=5,scale=600:-1,split[a][b];[a]palettegen=max_colors=48[p];[b][p]paletteuse=dither=none:diff_mode=rectangle", name).Run())
	}, take.Start()
}

func ffmpeg(ctx context.Context, args ...string) *exec.Cmd {
	run := exec.CommandContext(ctx, "ffmpeg", append([]string{"-loglevel", "error", "-y"}, args...)...)
	run.Stderr = os.Stderr
	return run
}

// serve serves the practice Challenge on this machine until the server is closed; host is its
// address.
func serve(client *practice.Server) (server *http.Server, host net.Addr, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	server = &http.Server{Handler: client, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }() // ends when it is closed
	return server, listener.Addr(), nil
}

// ended is the last run's result. The page may send its last answer on while the
// program ends already: it is waited for.
func ended(client *practice.Server) practice.Result {
	for end := time.Now().Add(lastAnswer); ; time.Sleep(20 * time.Millisecond) {
		result, _ := client.Last()
		if result.Phase != practice.Running || time.Now().After(end) {
			return result
		}
	}
}

// play runs the program with its arguments until it ends or the time is over.
func play(ctx context.Context, program string, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	player := exec.CommandContext(ctx, program, args...)
	player.Cancel = func() error { return player.Process.Signal(os.Interrupt) }
	player.WaitDelay = 5 * time.Second
	player.Stdout, player.Stderr = os.Stdout, os.Stderr
	return player.Run()
}

// openPage opens a browser that shows nothing but the page of an address, in a
// rectangle of the screen or, as a kiosk, on all of it. The function it returns
// ends it.
func openPage(ctx context.Context, browser, address, profile string, at image.Rectangle, kiosk bool) (func(), error) {
	args := []string{
		"--app=" + address, "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--test-type",
		fmt.Sprintf("--window-position=%d,%d", at.Min.X, at.Min.Y), fmt.Sprintf("--window-size=%d,%d", at.Dx(), at.Dy()),
	}
	if kiosk {
		args = append(args, "--kiosk")
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to run as root otherwise
	}
	page := exec.CommandContext(ctx, browser, args...)
	page.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := page.Start(); err != nil {
		return nil, err
	}
	return func() {
		_ = syscall.Kill(-page.Process.Pid, syscall.SIGKILL) // it may have ended by itself
		_ = page.Wait()
	}, nil
}

// begin gives the page the keyboard by a click beside what it offers, and begins
// with the space bar.
func begin(mouse input.Device, aside image.Point) error {
	err := errors.Join(mouse.MoveTo(aside), mouse.Press(input.Left), mouse.Release(input.Left))
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond)
	return mouse.Key("space")
}

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no Chromium to play in: install chromium")
}

// shown waits until the screen shows something else than before, and then the
// same for a second: the page.
func shown(ctx context.Context, source capture.Source, before *image.RGBA) error {
	last, still := before, 0
	for begun := time.Now(); time.Since(begun) < pageWait; {
		select {
		case <-time.After(250 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
		now, err := source.Grab(ctx)
		if err != nil {
			return err
		}
		if alike(now, last) && !alike(now, before) {
			still++
		} else {
			still = 0
		}
		if last = now; still == 4 {
			return nil
		}
	}
	return fmt.Errorf("the browser showed no page within %v", pageWait)
}

// alike tells whether two frames have the same pixels, but for one in fifty: a
// page's clock may run.
func alike(a, b *image.RGBA) bool {
	if a.Rect != b.Rect {
		return false
	}
	differ := 0
	for i := 0; i < len(a.Pix); i += 16 { // every fourth pixel
		if [3]byte(a.Pix[i:i+3]) != [3]byte(b.Pix[i:i+3]) {
			differ++
		}
	}
	return differ*50 <= len(a.Pix)/16
}
