package capture

import (
	"context"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A Dir replays the pictures of a folder in the order of their names.
type Dir struct {
	names  []string
	next   int
	bounds image.Rectangle
}

// OpenDir lists a folder's pictures; it is an error when there are none.
func OpenDir(folder string) (*Dir, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	d := &Dir{}
	for _, e := range entries { // sorted by name
		switch strings.ToLower(filepath.Ext(e.Name())) {
		case ".png", ".jpg", ".jpeg", ".gif":
			name := filepath.Join(folder, e.Name())
			if info, err := os.Stat(name); err != nil || info.Mode().IsRegular() { // what cannot be told of is told when it is read
				d.names = append(d.names, name)
			}
		}
	}
	if len(d.names) == 0 {
		return nil, fmt.Errorf("capture: no picture in %s", folder)
	}
	return d, nil
}

// Name is the file of the frame that was grabbed last.
func (d *Dir) Name() string {
	if d.next == 0 {
		return ""
	}
	return d.names[d.next-1]
}

// Grab returns the next picture, and io.EOF after the last. After an error
// about one picture the next follows.
func (d *Dir) Grab(ctx context.Context) (*image.RGBA, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.next == len(d.names) {
		return nil, io.EOF
	}
	d.next++
	m, err := ReadPictureFile(d.Name())
	if err != nil {
		return nil, fmt.Errorf("capture: %w", err)
	}
	d.bounds = m.Rect
	return m, nil
}

// Bounds is the last picture's size.
func (d *Dir) Bounds() image.Rectangle { return d.bounds }

// Close does nothing.
func (d *Dir) Close() error { return nil }
