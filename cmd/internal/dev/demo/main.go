//go:build linux || freebsd || netbsd || openbsd

// Command demo lets onlooker do its work: first it watches panels in a window
// and tells their answers, then it plays the practice Challenge in a browser
// with the mouse. It sees the pixels of the display and nothing else. Without
// a display, or where the user's is not to be used, demo starts one that nobody
// sees.
//
//	demo [-act panels|challenge|all] [-seed N] PROGRAM
//
// -runs N plays as many Challenges and ends with a table of them; -window and
// -query show the page otherwise: in a smaller window, in another look
// (look=night) or with another sensitivity (sens=0.5).
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/witness"
	witnessdeal "onlooker/solve/witness/deal"
	drawing "onlooker/vision/picture/witness"
)

const (
	title         = "onlooker demo"
	width, height = 1280, 720
	profile       = "witness-challenge"
	// answerWait is how long a panel is shown at most. An answer takes 0.2 s
	// on two idle cores.
	answerWait = 5 * time.Second
	// lookTime is how long it stays afterwards, for people.
	lookTime = 1200 * time.Millisecond
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintf(os.Stderr, "demo: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	act := flag.String("act", "all", "what to show: panels, challenge or all")
	seed := flag.Uint64("seed", 1, "deals other panels")
	count := flag.Int("runs", 1, "how many Challenges to play, from -seed up; with more than 1 a table ends it")
	var how setting
	flag.StringVar(&how.query, "query", "", "what else the practice page is asked for, as in look=night&sens=0.5")
	flag.StringVar(&how.film, "film", "", "the file that the Challenge is kept in, as a GIF")
	window := flag.String("window", "", "the size of the page's window, as in 1366x768; without it the page has the whole display")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("name the program that watches")
	}
	program := flag.Arg(0)
	if !slices.Contains([]string{"panels", "challenge", "all"}, *act) {
		return fmt.Errorf("-act %s: want panels, challenge or all", *act)
	}
	if *window != "" {
		if n, err := fmt.Sscanf(*window, "%dx%d", &how.window.X, &how.window.Y); n != 2 || err != nil || how.window.X < 1 || how.window.Y < 1 {
			return fmt.Errorf("-window %s: want WIDTHxHEIGHT", *window)
		}
	}
	done, err := display(ctx, *act != "panels")
	if err != nil {
		return err
	}
	defer done()
	if *act != "challenge" {
		if err := panels(ctx, program, *seed, lookTime); err != nil || ctx.Err() != nil {
			return err
		}
	}
	if *act != "panels" {
		return challenges(ctx, program, *seed, *count, how)
	}
	return nil
}

// display makes DISPLAY the one to use: the user's where there is one, and
// where the mouse is to be moved only when the user says yes; else one of our
// own.
func display(ctx context.Context, mouse bool) (done func(), err error) {
	if _, err := capture.Displays(ctx); err == nil {
		if !mouse {
			return func() {}, nil
		}
		if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			fmt.Print("The demo ends with the mouse moving by itself. Use this display? Otherwise one that nobody sees. [y/N] ")
			answer, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
			if strings.HasPrefix(strings.ToLower(answer), "y") {
				return func() {}, nil
			}
		}
	}
	fmt.Println("Starting a display that nobody sees.")
	d, err := showcase.StartDisplay(ctx, 1920, 1080)
	if err != nil {
		return nil, err
	}
	return d.Close, os.Setenv("DISPLAY", d.Name)
}

// panels shows panels in a window, one after another, while the program
// watches it, and leaves each for people to look at.
func panels(ctx context.Context, program string, seed uint64, look time.Duration) error {
	w, err := showcase.OpenWindow("", title, image.Rect(200, 100, 200+width, 100+height))
	if err != nil {
		return err
	}
	defer w.Close()
	shows, err := deal(ctx, seed)
	if err != nil {
		return err
	}

	watch := exec.CommandContext(ctx, program, "watch", "--no-store", "--window", title, "--profile", profile)
	watch.Cancel = func() error { return watch.Process.Signal(os.Interrupt) }
	watch.WaitDelay = 5 * time.Second
	watch.Stderr = os.Stderr
	out, err := watch.StdoutPipe()
	if err != nil {
		return err
	}
	if err := watch.Start(); err != nil {
		return err
	}
	answers := make(chan struct{}, 100)
	read := make(chan error, 1)
	go func() { read <- pass(out, answers) }()

	answered := 0
	for _, s := range shows {
		fmt.Printf("--- on the screen: %s\n", s.doc)
		if err := w.Show(s.picture); err != nil {
			return err
		}
		if !wait(ctx, answers, s.answers) {
			if ctx.Err() == nil {
				fmt.Println("    (no answer in time)")
			}
			continue
		}
		answered++
		select {
		case <-time.After(look):
		case <-ctx.Done():
		}
	}
	if err := watch.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	if err := <-read; err != nil {
		return err
	}
	if err := watch.Wait(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("watch: %w", err)
	}
	fmt.Printf("%d of %d answered\n", answered, len(shows))
	if answered < len(shows) && ctx.Err() == nil {
		return fmt.Errorf("%d without an answer", len(shows)-answered)
	}
	return nil
}

// pass prints what the program says, and counts answers by the first line of each.
func pass(out io.Reader, answers chan<- struct{}) error {
	scan := bufio.NewScanner(out)
	for scan.Scan() {
		fmt.Println(scan.Text())
		if strings.Contains(scan.Text(), ": solved in ") {
			answers <- struct{}{}
		}
	}
	return scan.Err()
}

// wait waits for a number of answers.
func wait(ctx context.Context, answers <-chan struct{}, n int) bool {
	timer := time.NewTimer(answerWait)
	defer timer.Stop()
	for range n {
		select {
		case <-answers:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// A show is one picture for the window.
type show struct {
	doc     string
	picture *image.RGBA
	answers int // boards in it that have an answer
}

// deal draws a panel of each flat kind of the Challenge, in its look. Pillars
// need to be turned to be read.
func deal(ctx context.Context, seed uint64) ([]show, error) {
	look, err := calibrations.Load(profile)
	if err != nil {
		return nil, err
	}
	style := drawing.Typical(look)
	rng := rand.New(rand.NewPCG(seed, 0))
	var shows []show
	for _, kind := range witnessdeal.ChallengeKinds() {
		d, err := witness.DealChallenge(ctx, rng, kind)
		if err != nil {
			return nil, err
		}
		if d.Panels[0].Pillar {
			continue
		}
		s := show{doc: kind, picture: backdrop(), answers: 1}
		for i, p := range d.Panels {
			// A panel takes two thirds of the height, three side by side a
			// quarter of the width each.
			room := height * 2 / 3
			if len(d.Panels) > 1 {
				room = width / 4
			}
			m := drawing.Draw(p, style, float64(room)/float64(max(p.Cols, p.Rows)+2))
			slot := width / len(d.Panels)
			at := image.Pt(slot*i+(slot-m.Rect.Dx())/2, (height-m.Rect.Dy())/2)
			draw.Draw(s.picture, m.Rect.Add(at), m, image.Point{}, draw.Over)
		}
		shows = append(shows, s)
	}
	return shows, nil
}

// backdrop is a wall lit from above.
func backdrop() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		v := uint8(90 - 40*y/height)
		draw.Draw(m, image.Rect(0, y, width, y+1), image.NewUniform(color.RGBA{v, v - 4, v - 10, 255}), image.Point{}, draw.Src)
	}
	return m
}
