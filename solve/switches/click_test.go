package switches

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"onlooker/solve"
)

// TestClicks lists the bulbs that a click changes, at borders and with patterns.
func TestClicks(t *testing.T) {
	for _, row := range []struct {
		text string
		at   image.Point
		want string // "" for an error
	}{
		{"grid 3x2\nooo\nooo\n", image.Pt(3, 1), "[(1,1) (3,1) (3,3) (5,1)]"},
		{"grid 3x2\nooo\nooo\n", image.Pt(7, 1), ""},
		{"grid 3x2\nooo\nooo\nflips: none\n0,0 > 2,1\n1,0 > 1,0\n", image.Pt(1, 1), "[(5,3)]"},
		{"a b c\nb\na b\nb c\n", image.Pt(5, 1), "[(3,1) (5,1)]"},
	} {
		var p solve.Puzzle
		for _, f := range Family.Formats {
			if !f.Sniff([]byte(row.text)) {
				continue
			}
			for q, err := range f.Decode(strings.NewReader(row.text)) {
				if err != nil {
					t.Fatal(err)
				}
				p = q
			}
			break
		}
		clicks, err := p.(*Puzzle).Clicks(solve.Stroke{row.at})
		if row.want == "" {
			if err == nil {
				t.Errorf("%q: a click at %v is taken", row.text, row.at)
			}
			continue
		}
		if err != nil || len(clicks) != 1 || clicks[0].At != row.at {
			t.Fatalf("%q: %v, %v", row.text, clicks, err)
		}
		sorted := map[string]bool{}
		for _, q := range clicks[0].Changes {
			sorted[q.String()] = true
		}
		for _, q := range strings.Fields(strings.Trim(row.want, "[]")) {
			if !sorted[q] {
				t.Errorf("%q: a click changes %v, want %s", row.text, clicks[0].Changes, row.want)
			}
		}
		if got, want := len(sorted), len(strings.Fields(row.want)); got != want {
			t.Errorf("%q: %s changed, want %d", row.text, fmt.Sprint(clicks[0].Changes), want)
		}
	}
}
