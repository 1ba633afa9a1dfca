package witness

import (
	"math"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// TestSizesRoundTrip writes the sizes of looks and reads them back.
func TestSizesRoundTrip(t *testing.T) {
	for _, name := range []string{"witness-challenge", "witnesspuzzles"} {
		p := solvetest.Must(calibrations.Load(name))(t)
		solvetest.Fine(t, CheckLook(p), name)
		z := SizesOf(p.Symbols)
		if z.Square == 0 || z.Triangle[1] == 0 || z.Eraser == 0 {
			t.Errorf("%s: sizes %+v, want all of them", name, z)
		}
		text := solvetest.Must(calibrations.Write(p, "a test"))(t)
		again := solvetest.Must(calibrations.Parse(name, "profile.toml", text))(t)
		solvetest.Same(t, SizesOf(again.Symbols), z, "%s: sizes read back", name)
	}
}

// TestCheckLookNamesKeys wants each fault to be named by its key.
func TestCheckLookNamesKeys(t *testing.T) {
	for _, row := range []struct {
		why, key string
		value    any // nil: the key is left out
		want     string
	}{
		{"a misspelt key", "sqare", 0.345, "unknown key symbols.sqare"},
		{"a key left out", "square", nil, "symbols.square is 0"},
		{"a negative size", "star", -1.0, "symbols.star is -1"},
		{"not a number", "star", math.NaN(), "symbols.star"},
		{"a word for a number", "hexagon", "wide", "want a number"},
		{"one number for two", "triangle", 0.1, "want a pair"},
		{"a number for yes or no", "eraser_up", int64(1), "want true or false"},
		{"squares that overlap", "spacing", 0.001, "symbols.spacing is 0.001"},
	} {
		p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
		if delete(p.Symbols, row.key); row.value != nil {
			p.Symbols[row.key] = row.value
		}
		if err := CheckLook(p); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want an error with %q", row.why, err, row.want)
		}
	}
}
