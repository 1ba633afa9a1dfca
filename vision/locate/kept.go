package locate

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"onlooker/calibrations"
	"onlooker/vision"
)

// LocateKept is Locate with what it gave before, which is kept in a folder by what
// the picture and the look are. The folder must be that of one build of this
// package: what another one found is not what this one would. "" keeps nothing.
func (f *Frame) LocateKept(folder string, look calibrations.Board) ([]*vision.Board, error) {
	if folder == "" {
		return f.Locate(look)
	}
	m, h := vision.AsRGBA(f.Picture), sha256.New()
	fmt.Fprintf(h, "%s %T %v\n", vision.Library(), f.Picture, m.Rect)
	h.Write(m.Pix)
	if err := json.NewEncoder(h).Encode(look); err != nil {
		return nil, fmt.Errorf("locate: a look's board: %w", err)
	}
	name := filepath.Join(folder, fmt.Sprintf("%x.gob.gz", h.Sum(nil)[:16]))
	if boards, err := readKept(name); err == nil {
		return boards, nil // what cannot be read is made again
	}
	boards, err := f.Locate(look)
	if err == nil {
		err = writeKept(name, boards)
	}
	return boards, err
}

func writeKept(name string, boards []*vision.Board) error {
	var packed bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is one of gzip's
	if err := errors.Join(gob.NewEncoder(zip).Encode(boards), zip.Close(), os.MkdirAll(filepath.Dir(name), 0o755)); err != nil {
		return err
	}
	// Under another name until it is whole: several programs may run.
	part := fmt.Sprintf("%s.%d", name, os.Getpid())
	if err := os.WriteFile(part, packed.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(part, name)
}

func readKept(name string) ([]*vision.Board, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	var boards []*vision.Board
	if err := gob.NewDecoder(zip).Decode(&boards); err != nil {
		return nil, err
	}
	return boards, nil
}
