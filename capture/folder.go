package capture

import (
	"context"
	"errors"
	"fmt"
	"image"
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
}

// A stamp tells a file from what was there under its name before.
type stamp struct {
	size int64
	at   time.Time
}

// OpenShots begins to look at a folder: what is there already is old.
func OpenShots(dir string) (*ScreenshotFolder, error) {
	s := &ScreenshotFolder{dir: dir, pause: sleep}
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
			all[e.Name()] = stamp{info.Size(), info.ModTime()}
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
				s.known[name] = stamp{after.Size(), after.ModTime()}
				if after.Size() != before.Size() && time.Since(begun) <= mostSettling {
					continue
				}
				frame, err = ReadPictureFile(path)
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
