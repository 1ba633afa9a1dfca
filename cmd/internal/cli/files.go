package cli

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// MostRead is the most that is read of one input, in bytes: lamps of 10,000×10,000. The
// largest file of boards seen has 4 million.
const MostRead = 128 << 20

// MostTyped is the longest line that is read where somebody types, in bytes.
const MostTyped = 64 << 10

// A File is written beside the file that it is to be, and takes its place once all
// is written: a disk that is full, or a kill, loses nothing that was there before, and
// leaves no half of a file under its name.
type File struct {
	*os.File
	name  string // as the user has it
	place string // where the file is to be; "" for a device: it is written to as it is
}

// CreateFile begins a file, with the mode of the one that is there.
func CreateFile(name string, mode fs.FileMode) (*File, error) {
	place, err := filepath.EvalSymlinks(name)
	if err != nil {
		place = name
	}
	info, err := os.Lstat(place)
	direct := err == nil && !info.Mode().IsRegular() // a device, a pipe, a link to what is not there yet
	if !direct {
		if err == nil {
			mode = info.Mode().Perm()
		}
		part := filepath.Join(filepath.Dir(place), fmt.Sprintf(".%s.%08x.part", filepath.Base(place), rand.Uint32()))
		var f *os.File
		if f, err = os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode); err == nil {
			return &File{f, name, place}, nil
		}
		// Where the folder cannot be written to, the file itself may be.
		direct = errors.Is(err, fs.ErrPermission) && info != nil
	}
	if direct {
		var f *os.File
		if f, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode); err == nil {
			return &File{f, name, ""}, nil
		}
	}
	return nil, &fs.PathError{Op: "write", Path: name, Err: reason(err)}
}

// Done ends the file; err is what went wrong before.
func (f *File) Done(err error) error {
	if closed := f.Close(); err == nil {
		err = closed
	}
	if f.place != "" && err == nil {
		err = os.Rename(f.File.Name(), f.place)
	}
	if err == nil {
		return nil
	}
	if f.place != "" {
		_ = os.Remove(f.File.Name()) // what went wrong before is told
	}
	return &fs.PathError{Op: "write", Path: f.name, Err: reason(err)}
}

// WriteFile is os.WriteFile of a File.
func WriteFile(name string, data []byte) error {
	f, err := CreateFile(name, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return f.Done(err)
}

// WriteFolder writes files into a folder: all that write puts into the one that it is
// given, the last of them under the name last, or in case of an error none.
func WriteFolder(folder, last string, write func(folder string) error) (err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	stage, err := os.MkdirTemp(folder, ".part-")
	if err != nil {
		return fmt.Errorf("%s: %w", folder, reason(err))
	}
	defer func() {
		if gone := os.RemoveAll(stage); err == nil {
			err = gone
		}
	}()
	if err := write(stage); err != nil {
		return fmt.Errorf("%s: %w", folder, reason(err))
	}
	files, err := os.ReadDir(stage)
	if err != nil {
		return err
	}
	move := func(name string) error {
		return os.Rename(filepath.Join(stage, name), filepath.Join(folder, name))
	}
	for _, f := range files {
		if f.Name() != last {
			if err := move(f.Name()); err != nil {
				return err
			}
		}
	}
	return move(last)
}

// reason is what went wrong with a file, without the name that the program has for it.
func reason(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// A Sink is standard output. It remembers that it could not be written to, and takes
// nothing more then: what is there has an end, and no gap.
type Sink struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (s *Sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.Writer.Write(p)
	if err != nil {
		s.err = fmt.Errorf("standard output: %w", reason(err))
	}
	return n, s.err
}

// Broken is why standard output could not be written to, or nil.
func (s *Sink) Broken() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// WritePicture writes a picture of the kind that its name's ending says.
func WritePicture(name string, m image.Image) error {
	var data bytes.Buffer
	encode := png.Encode
	switch ending := strings.ToLower(filepath.Ext(name)); ending {
	case "", ".png":
	case ".jpg", ".jpeg":
		encode = func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, &jpeg.Options{Quality: 92}) }
	default:
		return fmt.Errorf("%s: want a name that ends with .png or .jpg", name)
	}
	if err := encode(&data, m); err != nil {
		return err
	}
	return WriteFile(name, data.Bytes())
}

// OpenFile is os.Open of what is no folder.
func OpenFile(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(fmt.Errorf("%s is a folder, want a file", name), f.Close())
	}
	return f, nil
}

// ReadOwn is ReadFile of a file that no pipe stands for: of a pipe who reads waits until something
// writes.
func ReadOwn(name string) ([]byte, error) {
	if err := NoPipe(name); err != nil {
		return nil, err
	}
	return ReadFile(name)
}

// NoPipe tells whether a name is a pipe's or a socket's.
func NoPipe(name string) error {
	if info, err := os.Stat(name); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return fmt.Errorf("%s is a pipe, want a file", name)
	}
	return nil // or what opens it says what is wrong
}

// ReadFile is os.ReadFile of a file of at most MostRead bytes: a device may have no
// end.
func ReadFile(name string) ([]byte, error) {
	f, err := OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadMost(f, name)
}

// ReadMost is io.ReadAll of what has a name, and up to MostRead bytes. A file is read in one piece.
func ReadMost(from io.Reader, name string) ([]byte, error) {
	var b bytes.Buffer
	if f, ok := from.(*os.File); ok {
		if info, err := f.Stat(); err == nil {
			b.Grow(int(min(info.Size(), MostRead)) + bytes.MinRead)
		}
	}
	_, err := b.ReadFrom(io.LimitReader(from, MostRead+1))
	if err == nil && b.Len() > MostRead {
		err = fmt.Errorf("%s: more than %d MB", name, MostRead>>20)
	}
	return b.Bytes(), err
}
