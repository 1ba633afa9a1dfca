// Package showcase shows pictures in a window of its own, for the demo and for
// tests: on a display that is there, or on one that it starts. It knows X11
// only.
package showcase

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// ErrNoServer says that no X server can be started here.
var ErrNoServer = errors.New("showcase: Xvfb is not installed")

// A Display is an X server of our own, without a screen that anybody sees.
type Display struct {
	Name   string // as in ":99"
	server *exec.Cmd
}

// StartDisplay starts a display of width × height pixels, 24 bits deep, on a
// number that is free.
func StartDisplay(ctx context.Context, width, height int) (*Display, error) {
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return nil, ErrNoServer
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("showcase: %w", err)
	}
	defer read.Close()
	// The server writes the number that it took to its descriptor 3.
	server := exec.Command(path, "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height),
		"-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write}
	err = server.Start()
	write.Close()
	if err != nil {
		return nil, fmt.Errorf("showcase: %w", err)
	}
	d := &Display{server: server}
	number := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(read).ReadString('\n')
		number <- strings.TrimSpace(line)
	}()
	// 10 s: it takes 0.1 s on an idle machine.
	ctx, cancel := context.WithTimeoutCause(ctx, 10*time.Second, errors.New("showcase: Xvfb gave no display number within 10 s"))
	defer cancel()
	select {
	case n := <-number:
		if _, err := strconv.Atoi(n); err != nil {
			d.Close()
			return nil, fmt.Errorf("showcase: Xvfb ended before it gave a display number (%q)", n)
		}
		d.Name = ":" + n
		return d, nil
	case <-ctx.Done():
		d.Close()
		return nil, context.Cause(ctx)
	}
}

// Close ends the display.
func (d *Display) Close() {
	_ = d.server.Process.Signal(os.Interrupt) // it may have ended already
	done := make(chan struct{})
	go func() {
		_ = d.server.Wait() // its status says only that it was ended
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
		_ = d.server.Process.Kill()
		<-done
	}
}
