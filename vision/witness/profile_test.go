package witness

import (
	"testing"

	"onlooker/calibrations"
)

// challengeLook is the look of the game's own Challenge, freshly loaded: what a test
// changes in it is changed for nobody else.
func challengeLook(t testing.TB) *calibrations.Profile {
	t.Helper()
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	return look
}
