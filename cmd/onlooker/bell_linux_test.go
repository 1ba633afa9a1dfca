package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"onlooker/input"
)

// TestBell: a terminal rings when the mouse starts and when it stops, and not before its key;
// --bell=false, JSON and what is no terminal are silent.
func TestBell(t *testing.T) {
	person := personAtMaze(t)
	t.Setenv("TERM", "xterm")
	for _, row := range []struct {
		flag     string
		terminal bool
		want     int
	}{
		{"--bell", true, 2},
		{"--bell=false", true, 0},
		{"--json", true, 0},
		{"--bell", false, 0},
	} {
		tty, errOut, written := terminal(t)
		var to io.Writer = tty
		if !row.terminal {
			errOut = &watched{}
			to = errOut
		}
		ended := make(chan int, 1)
		go func() {
			ended <- run(t.Context(), []string{"watch", "--drive", "--dry-run", "--no-store", row.flag}, strings.NewReader(""), io.Discard, to)
		}()
		says := func(want string) {
			t.Helper()
			waitFor(t, "it does not say "+want, func() bool { return strings.Contains(errOut.String(), want) })
		}
		says("F9 starts")
		if strings.Contains(errOut.String(), "\a") {
			t.Errorf("%v: it rings before it is started", row)
		}
		for _, key := range []input.Key{"f9", "f8"} {
			if err := person.Key(key); err != nil {
				t.Fatal(err)
			}
			if key == "f9" {
				waitFor(t, "it does not run", func() bool { return row.want == 0 || strings.Contains(errOut.String(), "\a") })
			}
		}
		status := <-ended
		written() // all that it wrote has arrived
		if status != 0 || !strings.Contains(errOut.String(), "the stop key was pressed") {
			t.Errorf("%v: status %d: %q", row, status, errOut.String())
		}
		if got := strings.Count(errOut.String(), "\a"); got != row.want {
			t.Errorf("%v: it rings %d times, want %d", row, got, row.want)
		}
	}
}

// TestBellAnswers: a terminal rings once at an answer that appears while nothing is driven.
func TestBellAnswers(t *testing.T) {
	personAtMaze(t)
	t.Setenv("TERM", "xterm")
	for flag, want := range map[string]int{"--bell": 1, "--bell=false": 0} {
		tty, errOut, written := terminal(t)
		var out watched
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		go func() { ended <- run(ctx, []string{"watch", "--no-store", flag}, strings.NewReader(""), &out, tty) }()
		waitFor(t, "no answer is printed", func() bool { return strings.Contains(out.String(), "solved in") })
		waitFor(t, "it does not ring", func() bool { return strings.Count(errOut.String(), "\a") == want })
		stop()
		<-ended
		written()
		if got := strings.Count(errOut.String(), "\a"); got != want {
			t.Errorf("%s: it rings %d times, want %d", flag, got, want)
		}
	}
}
