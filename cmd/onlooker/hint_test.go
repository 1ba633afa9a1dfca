package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// TestWatchHint: watch prints the first step alone, and goes with nothing that shows an answer.
func TestWatchHint(t *testing.T) {
	folder := t.TempDir()
	panel := filepath.Join(folder, "panel.txt")
	solvetest.OK(t, os.WriteFile(panel, []byte("panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"), 0o644))
	want(t, "", "convert", "--to", "png", "-o", filepath.Join(folder, "panel.png"), panel)
	out := want(t, "", "watch", "--no-store", "--hint", "--replay", folder)
	if !strings.Contains(out, "hint: ") || strings.Contains(out, "●") || strings.Count(out, "\n") > 3 {
		t.Errorf("got %s, want a hint alone", out)
	}
	for _, with := range [][]string{{"--drive"}, {"--overlay"}, {"--json"}, {"--serve", "lan"}} {
		if _, said, code := onlooker(t, "", append([]string{"watch", "--hint"}, with...)...); code != 2 || !strings.Contains(said, "--hint goes without") {
			t.Errorf("%v: status %d, %s", with, code, said)
		}
	}
}

// TestNoSolutionAimsAtNothing: what has no answer is not followed by what is wanted of it.
func TestNoSolutionAimsAtNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lamps.txt")
	solvetest.OK(t, os.WriteFile(file, []byte("grid 5x5\n*oooo\nooooo\nooooo\nooooo\nooooo\nwant: all=0\n"), 0o644))
	if out, _, _ := onlooker(t, "", "solve", "--no-store", file); !strings.Contains(out, "no solution") || strings.Contains(out, "all off") {
		t.Errorf("got %s", out)
	}
}
