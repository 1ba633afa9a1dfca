package witness

import (
	"testing"

	"onlooker/solve/solvetest"
)

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }
