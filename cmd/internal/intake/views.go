package intake

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/plain"
)

// viewStem is what the names of one board's views have in common: the name without the
// number before its ending; "" where there is no number.
func viewStem(name string) string {
	ending := filepath.Ext(name)
	base := strings.TrimSuffix(strings.TrimSuffix(name, ending), ")")
	stem := strings.TrimRight(base, "0123456789")
	if stem == base || stem == "" {
		return ""
	}
	return stem + "\x00" + strings.ToLower(ending)
}

// views are the pictures whose names tell that they may show one board, as pillar-0.png
// and pillar-1.png: among those that were named, or, where one was, beside it. nil: there
// are none.
func views(names []string) []string {
	if len(names) == 0 {
		return nil
	}
	stem := viewStem(names[0])
	if stem == "" {
		return nil
	}
	if len(names) > 1 {
		if slices.ContainsFunc(names, func(n string) bool { return viewStem(n) != stem }) {
			return nil
		}
		return names
	}
	dir := filepath.Dir(names[0])
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if name := filepath.Join(dir, e.Name()); !e.IsDir() && viewStem(name) == stem {
			all = append(all, name)
		}
	}
	const most = 12 // more are screenshots that a game has numbered
	if len(all) < 2 || len(all) > most {
		return nil
	}
	return all
}

// UnreadPillar tells whether a board is a pillar of which one picture shows too little.
func UnreadPillar(r see.Reading) bool { return r.Board != nil && r.Board.Pillar && r.Err != nil }

// ProposeViews says how pictures that could not be read alone are read together.
func ProposeViews(to io.Writer, command string, names []string) {
	all := views(names)
	if all == nil {
		return
	}
	for i, name := range all {
		if strings.ContainsAny(name, " ()'&$") {
			all[i] = "'" + name + "'"
		}
	}
	fmt.Fprintf(to, "onlooker: if these pictures show one board, as the sides of a pillar:\n  onlooker %s --views %s\n", command, plain.OneLine(strings.Join(all, " ")))
}
