//go:build linux || freebsd || netbsd || openbsd

// Command demo lets onlooker do its work: it plays the practice Challenge in a browser with
// the mouse. It sees the pixels of the display and nothing else. Without a display, or where
// the user's is not to be used, demo starts one that nobody sees.
//
//	demo [-seed N] PROGRAM
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
	"os"
	"os/signal"
	"strings"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
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
	if *window != "" {
		if n, err := fmt.Sscanf(*window, "%dx%d", &how.window.X, &how.window.Y); n != 2 || err != nil || how.window.X < 1 || how.window.Y < 1 {
			return fmt.Errorf("-window %s: want WIDTHxHEIGHT", *window)
		}
	}
	done, err := display(ctx)
	if err != nil {
		return err
	}
	defer done()
	return challenges(ctx, flag.Arg(0), *seed, *count, how)
}

// display makes DISPLAY the one to use: the user's where there is one and the user says yes;
// else one of our own.
func display(ctx context.Context) (done func(), err error) {
	if _, err := capture.Displays(ctx); err == nil {
		if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			fmt.Print("The mouse will move by itself. Use this display? Otherwise one that nobody sees. [y/N] ")
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
