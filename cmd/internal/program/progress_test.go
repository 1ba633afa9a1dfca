package program

import (
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/cli"
	"onlooker/solve/solvetest"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &Progress{out: &out, quiet: quietFor}
	p.Clear()
	p.Of("quick.txt", time.Now())(100, 200)
	if out.Len() > 0 {
		t.Errorf("a board of less than a second: %q, want nothing", out.String())
	}
	p.Of("slow.txt", time.Now().Add(-12*time.Second))(4500, 0)
	p.Of("slow.txt", time.Now().Add(-14*time.Second))(6000, 250_000)
	p.Clear()
	p.Clear()
	want := "\rslow.txt: 12 s, 4500 conflicts so far (total unknown)\x1b[K" +
		"\rslow.txt: 14 s, 6000 conflicts so far (perhaps 250000 in all)\x1b[K" +
		"\r\x1b[K"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if (&Program{Err: &out}).Progress().Of("slow.txt", time.Time{}) != nil {
		t.Error("something that is no terminal is told of the progress")
	}
}

// TestTerminal: NO_COLOR takes the colours off a terminal, and not the progress.
func TestTerminal(t *testing.T) {
	// A device of characters is all that is asked of a terminal.
	null := solvetest.Must(os.OpenFile(os.DevNull, os.O_WRONLY, 0))(t)
	defer null.Close()
	for _, row := range []struct {
		noColor, term     string
		colours, progress bool
	}{
		{"", "xterm", true, true},
		{"1", "xterm", false, true},
		{"", "dumb", false, false},
	} {
		t.Setenv("NO_COLOR", row.noColor)
		t.Setenv("TERM", row.term)
		solvetest.Same(t, cli.Colours(null), row.colours, "NO_COLOR=%q TERM=%q: colours", row.noColor, row.term)
		solvetest.Same(t, (&Program{Err: null}).Progress().out != nil, row.progress, "NO_COLOR=%q TERM=%q: progress", row.noColor, row.term)
	}
}

// Little that is alive leaves room for much garbage, much that is alive is collected
// as always, and what GOGC says stays.
func TestLeaveGarbage(t *testing.T) {
	percent := func() int {
		now := debug.SetGCPercent(100)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "")
	before := percent()
	stop := LeaveGarbage()
	if got := percent(); got < 200 {
		t.Errorf("with little alive: %d %%, want 200 or more", got)
	}
	held := make([]byte, 2*leastGarbage)
	for i := 0; percent() != 100; i++ {
		if i == 1000 {
			t.Errorf("with %d MiB alive: %d %%, want 100", len(held)>>20, percent())
			break
		}
		runtime.GC() // it is told of by another goroutine
	}
	runtime.KeepAlive(held)
	stop()
	solvetest.Same(t, percent(), before, "afterwards")
	t.Setenv("GOGC", "70")
	defer LeaveGarbage()()
	if got := percent(); got != before {
		t.Errorf("with GOGC set: %d %%, want %d as it was", got, before)
	}
}

// TestMemorySize reads sizes as they are typed.
func TestMemorySize(t *testing.T) {
	for _, row := range []struct {
		text string
		want MemorySize // 0: refused
		back string
	}{
		{"2GiB", 2 << 30, "2GiB"},
		{"1.5G", 3 << 29, "1536MiB"},
		{"512 mib", 512 << 20, "512MiB"},
		{"100MB", 100e6, "100000000B"},
		{"1073741824", 1 << 30, "1GiB"},
		{"1MiB", 0, ""},
		{"-3G", 0, ""},
		{"NaN G", 0, ""},
		{"1e30G", 0, ""},
		{"much", 0, ""},
		{"", 0, ""},
	} {
		var m MemorySize
		err := m.Set(row.text)
		if m != row.want || (err == nil) != (row.want > 0) {
			t.Errorf("%q: %d, %v, want %d", row.text, m, err, row.want)
		}
		if row.want > 0 && m.String() != row.back {
			t.Errorf("%q is written as %s, want %s", row.text, &m, row.back)
		}
	}
}
