package program

import (
	"os"
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
		if got := cli.Colours(null); got != row.colours {
			t.Errorf("NO_COLOR=%q TERM=%q: colours %v, want %v", row.noColor, row.term, got, row.colours)
		}
		if got := (&Program{Err: null}).Progress().out != nil; got != row.progress {
			t.Errorf("NO_COLOR=%q TERM=%q: progress %v, want %v", row.noColor, row.term, got, row.progress)
		}
	}
}
