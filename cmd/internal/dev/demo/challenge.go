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
)

// challenge opens the practice Challenge in a browser and lets the program play
// it by screen and mouse; a film of it is kept in a file, "": in none.
func challenge(ctx context.Context, program string, seed uint64, filmed string) error {
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
	fmt.Printf("--- the practice Challenge at %s\n", address)
	size := source.Bounds().Size()
	closePage, err := openPage(ctx, browser, address, profile, size)
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
	if err := begin(mouse, source.Bounds().Min.Add(image.Pt(size.X/10, size.Y*5/6))); err != nil {
		return err
	}

	began := time.Now()
	kept := func() error { return nil }
	if filmed != "" {
		if kept, err = film(ctx, filmed); err != nil {
			return err
		}
	}
	err = play(ctx, program)
	took := time.Since(began)
	err = errors.Join(err, kept())
	if err != nil {
		return fmt.Errorf("watch --drive: %w", err)
	}
	result := ended(client)
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

// play has the program play until it ends or the time is over.
func play(ctx context.Context, program string) error {
	ctx, cancel := context.WithTimeout(ctx, playTime)
	defer cancel()
	player := exec.CommandContext(ctx, program, "watch", "--no-store", "--drive", "--yes", "--solves", strconv.Itoa(solves))
	player.Cancel = func() error { return player.Process.Signal(os.Interrupt) }
	player.WaitDelay = 5 * time.Second
	player.Stdout, player.Stderr = os.Stdout, os.Stderr
	return player.Run()
}

// openPage opens a browser that shows nothing but the page of an address, on all of
// the screen. The function it returns ends it.
func openPage(ctx context.Context, browser, address, profile string, size image.Point) (func(), error) {
	args := []string{
		"--app=" + address, "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--test-type",
		"--kiosk", "--window-position=0,0", fmt.Sprintf("--window-size=%d,%d", size.X, size.Y),
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
