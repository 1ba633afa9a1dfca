//go:build !linux && !freebsd && !netbsd && !openbsd && !windows

package capture

import (
	"context"
	"errors"
	"image"
)

// errTitles says what is missing here.
var errTitles = errors.New("windows are not found by their title on this system: name a display or a region")

func open(ctx context.Context, t Target) (Source, error) {
	if t.Window != "" {
		return nil, errTitles
	}
	return openPortable(ctx, t)
}

func displays(ctx context.Context) ([]image.Rectangle, error) {
	return within(ctx, func() ([]image.Rectangle, error) { return portableDisplays(), nil })
}

func windows(context.Context) ([]Window, error) { return nil, errTitles }
