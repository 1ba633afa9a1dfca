package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/program"
)

// whatToType is shown below doctor's lines in a window that a double click
// opened.
const whatToType = `
What to type here, each with Enter:
  watch            look at the screen and print the answers; Ctrl+C stops
  watch --drive    enter them with the mouse: F9 starts, F8 stops
  solve PICTURE    drag a screenshot into this window for its name
  practice         the Challenge to train on, in the browser
  help             everything else
  exit
`

// inWindow is the program in a window of its own, as a double click opens it.
// The window would close at once, so it asks what to do until it is told to
// exit. Arguments are files that were dropped on the program: they are solved.
func inWindow(args []string, in io.Reader, out, errOut io.Writer) int {
	lines := bufio.NewReader(in)
	do := func(args ...string) {
		// Ctrl+C ends what runs, and while nothing runs the program.
		ctx, stop := signal.NotifyContext(context.Background(), program.Endings()...)
		defer stop()
		p := program.New(games.Of(), lines, out, errOut)
		p.Again = true
		p.Execute(ctx, args, newRoot)
	}
	if len(args) > 0 {
		do(append([]string{"solve"}, args...)...)
	} else {
		do("doctor")
	}
	fmt.Fprint(out, whatToType)
	for {
		fmt.Fprint(out, "\nonlooker> ")
		line, err := lines.ReadString('\n')
		words := splitLine(line)
		if len(words) > 0 && words[0] == "onlooker" {
			words = words[1:] // typed as in a shell
		}
		switch {
		case len(words) > 0 && (words[0] == "exit" || words[0] == "quit"):
			return 0
		case len(words) > 0:
			do(expandPatterns(words)...)
		}
		if err != nil {
			return 0 // the input ended
		}
	}
}

// splitLine splits a typed line at its spaces. Names with spaces stand in
// double quotes, as Windows writes the name of a file that is dragged into the
// window.
func splitLine(line string) []string {
	var words []string
	var word strings.Builder
	quoted, begun := false, false
	for _, r := range strings.TrimRight(line, "\r\n") + " " {
		switch {
		case r == '"':
			quoted, begun = !quoted, true
		case r != ' ' || quoted:
			begun = true
			word.WriteRune(r)
		case begun:
			words = append(words, word.String())
			word.Reset()
			begun = false
		}
	}
	if quoted { // the quote was not closed, and kept the last space
		words = append(words, strings.TrimSuffix(word.String(), " "))
	}
	return words
}

// expandPatterns puts the files that match in the place of each pattern such as
// *.png, as a shell does everywhere but on Windows. What matches nothing stays.
func expandPatterns(args []string) []string {
	var all []string
	for _, arg := range args {
		if _, err := os.Stat(arg); err == nil || strings.HasPrefix(arg, "-") || !strings.ContainsAny(arg, "*?[") {
			all = append(all, arg)
			continue
		}
		files, err := filepath.Glob(arg)
		if err != nil || len(files) == 0 {
			files = []string{arg} // a board's text may look like one
		}
		all = append(all, files...)
	}
	return all
}
