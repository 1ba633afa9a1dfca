package edit_test

import (
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
)

func TestEditor(t *testing.T) { solvetest.Edit(t, witness.Family, witness.Editor) }
