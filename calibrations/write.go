package calibrations

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Write is the text of a profile.toml, with a note at its head that says what
// it was measured on. Parse reads it back.
func Write(p *Profile, note string) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	text, err := toml.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	var head strings.Builder
	for _, l := range strings.Split(note, "\n") {
		head.WriteString("# " + l + "\n")
	}
	head.WriteString("# Lengths are ratios of the pitch; start and cap are in line widths.\n")
	return append([]byte(head.String()), text...), nil
}
