//go:build unix

package capture

import (
	"bytes"
	"errors"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"onlooker/solve/solvetest"
)

// TestFolderOfPipes has what is no file bear a picture's name: it is not waited for.
func TestFolderOfPipes(t *testing.T) {
	dir := t.TempDir()
	s, err := OpenShots(dir)
	solvetest.OK(t, err)
	defer s.Close()
	at := func(name string) string { return filepath.Join(dir, name) }
	picture := at("z.png")
	var data bytes.Buffer
	solvetest.OK(t, png.Encode(&data, evenFrame(color.White)))
	solvetest.OK(t, errors.Join(syscall.Mkfifo(at("a.png"), 0o644), os.Symlink("b.png", at("b.png")), os.Symlink("/dev/zero", at("c.png")),
		os.Mkdir(at("d.png"), 0o755), os.WriteFile(picture, data.Bytes(), 0o644)))
	if _, err := s.Grab(t.Context()); err != nil || s.Name() != picture {
		t.Errorf("what comes is %s, %v", s.Name(), err)
	}
	d := solvetest.Must(OpenDir(dir))(t)
	for err = nil; err == nil && d.Name() != picture; {
		_, err = d.Grab(t.Context())
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ELOOP) {
			err = nil // the link to itself
		}
	}
	solvetest.Fine(t, err, "what lies there")
}
