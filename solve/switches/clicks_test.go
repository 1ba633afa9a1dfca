package switches

import (
	"errors"
	"strings"
	"testing"
)

// Bulbs of a thousand million states: how often each switch is flipped is said, and
// no list of so many clicks is made.
func TestManyClicks(t *testing.T) {
	names := make([]string, 200)
	for i := range names {
		names[i] = "n" + string(rune('a'+i/26)) + string(rune('a'+i%26))
	}
	for _, row := range []struct{ names, want string }{
		{"a", "an answer is known, but takes 999999995 flips, and at most 1048576 are listed: a 999999995 times"},
		{strings.Join(names, " "), "takes 199999999000 flips"},
	} {
		text := "switches\nstates: 1000000000\nwant: all=0\nnames: " + row.names + "\nlit: all=5\n"
		for p, err := range Family.Formats[0].Decode(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			_, err := p.Solve(t.Context())
			var many *ClicksError
			if !errors.As(err, &many) || !strings.Contains(err.Error(), row.want) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
				t.Errorf("%s: %v, want one line with %q", row.names[:1], err, row.want)
			}
			for _, err := range p.(*Puzzle).All(t.Context()) {
				if !errors.As(err, &many) {
					t.Errorf("%s: all answers: %v", row.names[:1], err)
				}
				break
			}
		}
	}
}
