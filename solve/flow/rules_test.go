package flow

import (
	"context"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

func TestParseRules(t *testing.T) {
	was := Options{NoTouch: true}
	for _, row := range []struct {
		rules string
		want  Options
		err   string
	}{
		{"flowfree", Options{}, ""},
		{"numberlink", Options{Any: true}, ""},
		{"numberlink,notouch=on", Options{Any: true, NoTouch: true}, ""},
		{"any=on", Options{Any: true, NoTouch: true}, ""},
		{"any=on,notouch=off", Options{Any: true}, ""},
		{"notouch", Options{}, `got "notouch", want flowfree`},
		{"any=on,flowfree", Options{}, `got "flowfree"`},
		{"notouch=yes", Options{}, `got "notouch=yes", want notouch=on or notouch=off`},
		{"", Options{}, `got "", want`},
	} {
		change, err := ParseRules(row.rules)
		if row.err != "" {
			if err == nil || !strings.Contains(err.Error(), row.err) {
				t.Errorf("%q: %v, want %q", row.rules, err, row.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", row.rules, err)
		} else if got := change(was); got != row.want {
			t.Errorf("%q: %+v, want %+v", row.rules, got, row.want)
		}
	}
}

// TestCountGroups has a board with two answers, one of which doubles back on
// itself.
func TestCountGroups(t *testing.T) {
	b := NewBuilder(Square, 2, 3)
	b.Pair(b.p.point(0), b.p.point(1)).Any()
	p := solvetest.Must(b.Puzzle())(t)
	// Straight across; round by the second row and by the third, which both
	// come back beside themselves.
	if n, err := p.Count(context.Background(), 0); n != 3 || err != nil {
		t.Errorf("%d answers, %v, want 3", n, err)
	}
	if n, _, err := p.CountGroups(context.Background(), 0); n != 1 || err != nil {
		t.Errorf("%d answers that do not touch themselves, %v, want 1", n, err)
	}
}
