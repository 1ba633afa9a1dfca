package solvetest

import (
	"regexp"
	"slices"
	"testing"

	"onlooker/solve"
)

var feature = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// describes tests a puzzle that can say what it is like.
func describes(t *testing.T, p solve.Puzzle) {
	d, ok := p.(solve.Describer)
	if !ok {
		return
	}
	if cols, rows := d.Size(); cols < 1 || rows < 1 {
		t.Errorf("Size: %d×%d, want cells", cols, rows)
	}
	words := d.Features()
	for i, w := range words {
		if !feature.MatchString(w) || i > 0 && words[i-1] >= w {
			t.Errorf("Features: %q, want words of lower-case letters, digits and hyphens, in order, each once", words)
		}
	}
	if again := d.Features(); !slices.Equal(words, again) {
		t.Errorf("Features again: %q, want %q", again, words)
	}
}
