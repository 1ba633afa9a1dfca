//go:build linux || freebsd || netbsd || openbsd

// Command demo lets onlooker do its work: it plays the practice Challenge in a browser with
// the mouse. It sees the pixels of the display and nothing else. Without a display, or where
// the user's is not to be used, demo starts one that nobody sees.
//
//	demo [-seed N] [-film FILE] PROGRAM
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
	film := flag.String("film", "", "the file that the Challenge is kept in, as a GIF")
	flag.Parse()
	if flag.NArg() != 1 {
		return errors.New("name the program that watches")
	}
	done, err := display(ctx)
	if err != nil {
		return err
	}
	defer done()
	return challenge(ctx, flag.Arg(0), *seed, *film)
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
