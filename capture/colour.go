package capture

import "fmt"

// ColourMode is what Windows may do to the colours of a display's frames.
type ColourMode struct {
	Display int  // from 0
	HDR     bool // a high dynamic range
	Managed bool // colours are managed automatically
}

// ColourRemedy says what is on, and what to do where readings come out wrong. Nobody
// could try it: no such display was at hand.
func ColourRemedy(m ColourMode) (found, remedy string) {
	name, where := "HDR", "Settings, System, Display, Use HDR"
	if m.Managed {
		name, where = "automatic colour management", "Settings, System, Display, Advanced display, Automatically manage color for apps"
	}
	return fmt.Sprintf("%s is on for display %d", name, m.Display),
		"colours of frames may differ from those of the game (untested here); if boards are misread, turn it off: " + where
}

// colourMode decodes the flags that Windows has for a display: 2 that advanced
// colour is on, 4 that it is on without a high dynamic range.
func colourMode(display int, flags uint32) ColourMode {
	on, wide := flags&2 != 0, flags&4 != 0
	return ColourMode{Display: display, HDR: on && !wide, Managed: on && wide}
}
