package look

import "testing"

// TestKnown: what was not seen is not known but where it follows from what was seen, and is as like that;
// where a look lacks some sort what was seen must be as like as well.
func TestKnown(t *testing.T) {
	for _, row := range []struct {
		of           Candidate
		known, lacks bool // in a look that has all sorts, and in one that lacks some
	}{
		{Candidate{Score: 0.98, LeastSeen: 0.99}, true, true},
		{Candidate{Score: 0.89, LeastSeen: 1}, true, false},
		{Candidate{Score: 0.9765, LeastSeen: 1}, true, false}, // a square like stars
		{Candidate{Score: 0.99}, false, false},
		{Candidate{Score: 0.9953, follows: 0.997}, true, true}, // an upright piece where turned ones were seen
		{Candidate{Score: 0.95, follows: 0.99}, false, false},
	} {
		if known, lacks := row.of.Known(false), row.of.Known(true); known != row.known || lacks != row.lacks {
			t.Errorf("score %v of least %v, %v: known %v, where some sort lacks %v, want %v and %v", row.of.Score, row.of.LeastSeen, row.of.follows, known, lacks, row.known, row.lacks)
		}
	}
}
