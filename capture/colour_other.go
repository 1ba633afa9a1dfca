//go:build !windows

package capture

// ColourModes are of Windows.
func ColourModes() ([]ColourMode, error) { return nil, nil }
