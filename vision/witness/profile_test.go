package witness

import (
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// challengeLook is the look of the game's own Challenge, freshly loaded: what a test
// changes in it is changed for nobody else.
func challengeLook(t testing.TB) *calibrations.Profile {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	return look
}
