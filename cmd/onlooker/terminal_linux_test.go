package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
	"onlooker/input"
	"onlooker/solve/solvetest"
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
			solvetest.OK(t, person.Key(key))
			if key == "f9" {
				waitFor(t, "it does not run", func() bool { return row.want == 0 || strings.Contains(errOut.String(), "\a") })
			}
		}
		status := <-ended
		written() // all that it wrote has arrived
		if status != 0 || !strings.Contains(errOut.String(), "the stop key was pressed") {
			t.Errorf("%v: status %d: %q", row, status, errOut.String())
		}
		solvetest.Same(t, strings.Count(errOut.String(), "\a"), row.want, "%v: it rings", row)
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
		solvetest.Same(t, strings.Count(errOut.String(), "\a"), want, "%s: it rings", flag)
	}
}

// terminal is a terminal for a command to write to, what was written so far, and what was
// when it is closed.
func terminal(t *testing.T) (to *os.File, far *watched, written func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	number := solvetest.Must(unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN))(t)
	to, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	far = &watched{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(far, master) // ends with an error when the last writer is gone
	}()
	return to, far, func() string {
		to.Close()
		<-done
		return far.String()
	}
}

// TestProgressOfCommands: each command that may work for longer than a second says so on
// a terminal, in one line that goes again, and nowhere else. Here a millisecond is long.
func TestProgressOfCommands(t *testing.T) {
	t.Setenv("TERM", "xterm")
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", dir)
	shot := shotOf(t, dir, "shot.png", squaresText, violet(t), 52)
	for _, row := range []struct {
		says string
		args []string
	}{
		{"shot.png: ", []string{"read", shot}},
		{"shot.png: ", []string{"solve", "--no-store", shot}},
		{"converting ", []string{"convert", "--to", "text", shot}},
		{"checking ", []string{"check", shot, "[[[0,0],[1,0]]]"}},
		{"looking at the pictures: 1 of 1", []string{"calibrate", "-o", filepath.Join(dir, "look"), shot}},
		{"importing -", []string{"import", "-"}},
		{" of 4: 0 s", []string{"generate", "witness", "-n", "4"}},
		{"exporting", []string{"export"}},
		{"0 boards, 0 a second: 0 s", []string{"batch", "--no-store", "-o", filepath.Join(dir, "out.jsonl")}},
	} {
		t.Run(row.args[0], func(t *testing.T) {
			once := func(to io.Writer) {
				// The exit status is nothing to this test: some of these are refused.
				p := program.New(games.Of(), &late{}, &late{}, to)
				p.Quiet = time.Millisecond
				p.Execute(context.Background(), row.args, newRoot)
			}
			tty, _, written := terminal(t)
			once(tty)
			got := written()
			if !strings.Contains(got, row.says) {
				t.Errorf("on a terminal: %q, want %q in it", got, row.says)
			}
			var plain strings.Builder
			once(&plain)
			if strings.Contains(plain.String(), "\r") || strings.Contains(plain.String(), "\x1b") {
				t.Errorf("where no terminal is: %q", plain.String())
			}
		})
	}
}

// late is a stream that takes its time over the first call: it has nothing, and takes all.
type late struct{ asked bool }

func (l *late) wait() {
	if !l.asked {
		l.asked = true
		time.Sleep(50 * time.Millisecond)
	}
}

func (l *late) Read([]byte) (int, error) { l.wait(); return 0, io.EOF }

func (l *late) Write(b []byte) (int, error) { l.wait(); return len(b), nil }

// TestTrace: the search for a panel is drawn step by step in a terminal, each picture in place
// of the one before, and then its answer is printed.
func TestTrace(t *testing.T) {
	t.Setenv("TERM", "xterm")
	tty, out, written := terminal(t)
	status := run(t.Context(), []string{"solve", "--no-store", "--trace", tinyPanel}, strings.NewReader(""), tty, io.Discard)
	written()
	text := out.String()
	if n := strings.Count(text, "\x1b[9A"); status != 0 || n < 5 || strings.Count(text, "step ") != n+1 || !strings.Contains(text[strings.LastIndex(text, "step "):], "solved in") {
		t.Errorf("status %d, %d pictures in place of others: %q", status, n, text)
	}
	tty, out, written = terminal(t)
	const row, edges = "|a|b|a|b|a|b|a|b|\n", "+-+-+-+-+-+-+-+-+\n"
	long := "panel 8x8\n+-+-+-+-+-+-+-+->\n" + row + edges + strings.Repeat(strings.ReplaceAll(strings.ReplaceAll(row, "a", " "), "b", " ")+edges, 6) +
		"|b|a|b|a|b|a|b|a|\n@-+-+-+-+-+-+-+-+\na = black square\nb = white square\n" // 49 steps, three seconds
	status = run(t.Context(), []string{"solve", "--no-store", "--trace", "--timeout", "500ms", long}, strings.NewReader(""), tty, io.Discard)
	written()
	if n := strings.Count(out.String(), "step "); status != 0 || n < 1 || n > 20 || !strings.Contains(out.String(), "solved in") {
		t.Errorf("a search that is cut short: status %d, %d steps: %q", status, n, out)
	}
}
