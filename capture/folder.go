package capture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// relist is how often a folder is looked through where no notice comes: those of
	// other machines send none.
	relist = 2 * time.Second
	// settled is how long a file must stay as it is to be whole, and mostSettling how
	// long it may take to become a picture.
	settled      = 200 * time.Millisecond
	mostSettling = 10 * time.Second
)

// A ScreenshotFolder is a folder that screenshots come into. Each Grab is the next picture that
// was not there before.
type ScreenshotFolder struct {
	dir   string
	notes *fsnotify.Watcher // nil where the system gives no notices
	known map[string]stamp
	name  string // of the last picture
	size  image.Rectangle
	pause func(context.Context, time.Duration) error
	read  func(string) (*image.RGBA, error)
}

// A stamp tells a file from what was there under its name before.
type stamp struct {
	size int64
	at   time.Time
}

func stampOf(f os.FileInfo) stamp { return stamp{f.Size(), f.ModTime()} }

// OpenShots begins to look at a folder: what is there already is old.
func OpenShots(dir string) (*ScreenshotFolder, error) {
	s := &ScreenshotFolder{dir: dir, pause: sleep, read: ReadPictureFile}
	var err error
	if s.known, err = s.list(); err != nil {
		return nil, fmt.Errorf("--folder: %w", err)
	}
	if s.notes, err = fsnotify.NewWatcher(); err == nil {
		err = s.notes.Add(dir)
	}
	if err != nil {
		s.Close()
		s.notes = nil // the folder is listed all the same
	}
	return s, nil
}

// list is all pictures of the folder by their names; its own folders hold thumbnails.
func (s *ScreenshotFolder) list() (map[string]stamp, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	all := map[string]stamp{}
	for _, e := range entries {
		kinds := []string{".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif", ".tif", ".tiff"}
		if strings.HasPrefix(e.Name(), ".") || !slices.Contains(kinds, strings.ToLower(filepath.Ext(e.Name()))) {
			continue
		}
		// Otherwise it is gone again, or a pipe or a device, which may have no end.
		if info, err := os.Stat(filepath.Join(s.dir, e.Name())); err == nil && info.Mode().IsRegular() {
			all[e.Name()] = stampOf(info)
		}
	}
	return all, nil
}

// Grab waits for the next new picture.
func (s *ScreenshotFolder) Grab(ctx context.Context) (*image.RGBA, error) {
	for {
		now, err := s.list()
		if err != nil {
			return nil, err
		}
		var fresh []string
		for name, is := range now {
			if was, ok := s.known[name]; !ok || was != is {
				fresh = append(fresh, name)
			}
		}
		if len(fresh) > 0 {
			slices.SortFunc(fresh, func(a, b string) int { return now[a].at.Compare(now[b].at) })
			if frame, err := s.take(ctx, fresh[0]); frame != nil || err != nil {
				return frame, err
			}
			continue
		}
		if err := s.wait(ctx); err != nil {
			return nil, err
		}
	}
}

// take reads a picture once it is written to its end; nil where it is gone by then.
func (s *ScreenshotFolder) take(ctx context.Context, name string) (*image.RGBA, error) {
	path := filepath.Join(s.dir, name)
	for begun := time.Now(); ; {
		before, err := os.Stat(path)
		if err == nil {
			err = s.pause(ctx, settled)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		var frame *image.RGBA
		if err == nil {
			var after os.FileInfo
			if after, err = os.Stat(path); err == nil {
				s.known[name] = stampOf(after)
				if after.Size() != before.Size() && time.Since(begun) <= mostSettling {
					continue
				}
				frame, err = s.read(path)
				// Else what was written meanwhile would be another new picture.
				if now, gone := os.Stat(path); gone == nil && stampOf(now) != stampOf(after) && time.Since(begun) <= mostSettling {
					continue
				}
			}
		}
		switch {
		case err == nil:
			s.name, s.size = path, frame.Rect
			return frame, nil
		case errors.Is(err, os.ErrNotExist):
			return nil, nil
		case time.Since(begun) > mostSettling:
			s.name = path
			return nil, err
		}
	}
}

// wait waits for a notice, or for the time to look through the folder again.
func (s *ScreenshotFolder) wait(ctx context.Context) error {
	var events chan fsnotify.Event
	if s.notes != nil {
		events = s.notes.Events
	}
	again := time.NewTimer(relist)
	defer again.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-events:
	case <-again.C:
	}
	return nil
}

// Name is the last picture's file.
func (s *ScreenshotFolder) Name() string { return s.name }

// Bounds is the last picture's size.
func (s *ScreenshotFolder) Bounds() image.Rectangle { return s.size }

// Close ends it.
func (s *ScreenshotFolder) Close() error {
	if s.notes == nil {
		return nil
	}
	return s.notes.Close()
}

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
