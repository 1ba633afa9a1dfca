package capture

import (
	"strings"
	"testing"
)

// TestColourMode decodes what Windows says of a display's colours.
func TestColourMode(t *testing.T) {
	for _, row := range []struct {
		value        uint32
		hdr, managed bool
	}{
		{0, false, false}, {1, false, false}, // it could
		{1 | 2, true, false}, {1 | 2 | 4, false, true}, {8, false, false},
	} {
		m := colourMode(3, row.value)
		if m.HDR != row.hdr || m.Managed != row.managed || m.Display != 3 {
			t.Errorf("%b is %+v, want HDR %t and managed %t", row.value, m, row.hdr, row.managed)
		}
	}
	for _, m := range []ColourMode{{Display: 1, HDR: true}, {Display: 1, Managed: true}} {
		found, remedy := ColourRemedy(m)
		if !strings.Contains(found, "is on for display 1") || !strings.Contains(remedy, "untested here") || !strings.Contains(remedy, "Settings, System, Display") {
			t.Errorf("%+v: %s; %s", m, found, remedy)
		}
	}
}
