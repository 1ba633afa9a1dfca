package vision

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"onlooker/calibrations"
)

// LocateKept is Locate with what it gave before, which is kept in a folder by what
// the picture and the look are. The folder must be that of one build of this
// package: what another one found is not what this one would. "" keeps nothing.
func (f *Frame) LocateKept(folder string, look calibrations.Board) ([]*Board, error) {
	if folder == "" {
		return f.Locate(look)
	}
	name, err := f.keptName(look)
	if err != nil {
		return nil, err
	}
	name = filepath.Join(folder, name)
	if boards, err := f.readKept(name); err == nil {
		return boards, nil // what cannot be read is made again
	}
	boards, err := f.Locate(look)
	if err != nil {
		return nil, err
	}
	if err := writeKept(name, boards); err != nil {
		return nil, fmt.Errorf("vision: keep what was straightened: %w", err)
	}
	return boards, nil
}

// keptName is a name for what a look finds in a frame with these pixels.
func (f *Frame) keptName(look calibrations.Board) (string, error) {
	all, err := json.Marshal(look)
	if err != nil {
		return "", fmt.Errorf("vision: a look's board: %w", err)
	}
	m := asRGBA(f.Picture)
	h := sha256.New()
	fmt.Fprintf(h, "%s %T %v %s\n", Library(), f.Picture, m.Rect, all)
	h.Write(m.Pix)
	return fmt.Sprintf("%x.gob.gz", h.Sum(nil)[:16]), nil
}

// A keptBoard is a Board as it is written: gob leaves out what is not exported.
type keptBoard struct {
	Board      Board // without Compressed, which is the frame
	Compressed bool
	Share      float64
	ToScreen   mat3
	Bend       *keptBend
	Cylinder   *keptCylinder
}

type keptBend struct {
	Cols, Rows int
	DX, DY     [terms]float64
}

type keptCylinder struct {
	Left, Right                                   [3]float64
	Half, Level, E, First, Top, Pitch, Line, I, P float64
	Cols, Rows                                    int
}

func writeKept(name string, boards []*Board) error {
	all := make([]keptBoard, len(boards))
	for i, b := range boards {
		k := keptBoard{Board: *b, Compressed: b.Compressed != nil, Share: b.share, ToScreen: b.toScreen}
		k.Board.Compressed = nil
		if o := b.bend; o != nil {
			k.Bend = &keptBend{o.cols, o.rows, o.dx, o.dy}
		}
		if c := b.cylinder; c != nil {
			side := func(s sideLine) [3]float64 { return [3]float64{s.at, s.slope, s.from} }
			k.Cylinder = &keptCylinder{side(c.left), side(c.right), c.half, c.level, c.e, c.first, c.top, c.pitch, c.line, c.ink, c.paper, c.cols, c.rows}
		}
		all[i] = k
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	// Under another name until it is whole: several programs may run.
	out, err := os.CreateTemp(filepath.Dir(name), "new-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	defer out.Close()
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return gob.NewEncoder(zip).Encode(all) }, zip.Close, out.Close,
		func() error { return os.Rename(out.Name(), name) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (f *Frame) readKept(name string) ([]*Board, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, err
	}
	var all []keptBoard
	if err := gob.NewDecoder(zip).Decode(&all); err != nil {
		return nil, err
	}
	var boards []*Board
	for i := range all {
		k := &all[i]
		b := &k.Board
		b.share, b.toScreen = k.Share, k.ToScreen
		if k.Compressed {
			b.Compressed, _ = f.Picture.(*image.YCbCr)
		}
		if o := k.Bend; o != nil {
			b.bend = &bend{o.Cols, o.Rows, o.DX, o.DY}
		}
		if c := k.Cylinder; c != nil {
			side := func(s [3]float64) sideLine { return sideLine{s[0], s[1], s[2]} }
			b.cylinder = &cylinder{side(c.Left), side(c.Right), c.Half, c.Level, c.E, c.Cols, c.First, c.Rows, c.Top, c.Pitch, c.Line, c.I, c.P}
		}
		boards = append(boards, b)
	}
	return boards, nil
}
