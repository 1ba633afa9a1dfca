package vision

import "testing"

// TestQuestion: a refusal asks the same of all boards.
func TestQuestion(t *testing.T) {
	for _, row := range []struct{ what, want string }{
		{"a board of 12x12 cells, or of more or fewer: -0.85 log-odds, want 0.85", "a board of cells, or of more or fewer: log-odds, want"},
		{"a board of 7x3 cells, or of more or fewer: -Inf log-odds, want 0.85", "a board of cells, or of more or fewer: log-odds, want"},
		{"a form like 6, want one of half-cells", "a form like want one of half-cells"},
		{"no end cap", "no end cap"},
	} {
		if got := (&UnsureError{What: row.what}).Question(); got != row.want {
			t.Errorf("%q: got %q, want %q", row.what, got, row.want)
		}
	}
}
