package session

import (
	"fmt"

	"onlooker/cmd/internal/show"
)

// A bell is the terminal's: it rings when the mouse starts and stops.
type bell struct {
	deaf
	*Options
}

// State rings.
func (b bell) State(_ string, turns bool) {
	if turns && b.bell && !b.json && show.Terminal(b.Err) {
		fmt.Fprint(b.Err, "\a")
	}
}
