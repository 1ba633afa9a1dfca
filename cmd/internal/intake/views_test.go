package intake

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestViews tells names that belong together.
func TestViews(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pillar-0.png", "pillar-1.png", "pillar-2.png", "other-1.png", "pillar-3.txt", "alone.png"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) (all []string) {
		for _, n := range names {
			all = append(all, filepath.Join(dir, n))
		}
		return all
	}
	for _, row := range []struct{ names, want []string }{
		{at("pillar-1.png"), nil},
		{at("pillar-0.png", "pillar-2.png"), at("pillar-0.png", "pillar-2.png")},
		{at("pillar-0.png", "other-1.png"), nil},
		{at("other-1.png"), nil},
		{at("alone.png"), nil},
		{nil, nil},
	} {
		if got := views(row.names); !slices.Equal(got, row.want) {
			t.Errorf("%v belong to %v, want %v", row.names, got, row.want)
		}
	}
}
