package cli

import (
	"strings"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"5": 5 * time.Second, "0.5": 500 * time.Millisecond, "2m": 2 * time.Minute, "10s": 10 * time.Second} {
		var got time.Duration
		if err := (Duration{&got}).Set(text); err != nil || got != want {
			t.Errorf("%q is %v, %v, want %v", text, got, err, want)
		}
	}
}

// TestMeant: one name and several, and nothing where none is near.
func TestMeant(t *testing.T) {
	for want, names := range map[string][]string{"": nil, ", did you mean solve?": {"solve"}, ", did you mean solve or serve?": {"solve", "serve"}} {
		solvetest.Same(t, Meant(names), want, "%v", names)
	}
}

// TestQuoted: a file's name is whole, and a shell takes it as one word.
func TestQuoted(t *testing.T) {
	long := "/tmp/" + strings.Repeat("a long name/", 9) + "it's.png"
	for name, want := range map[string]string{"a/b-1.png": "a/b-1.png", "a b": "'a b'", "": "''", long: "'" + strings.ReplaceAll(long, "'", `'\''`) + "'"} {
		solvetest.Same(t, Quoted(name), want, "%q", name)
	}
}
