package intake

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"

	"onlooker/capture"
	"onlooker/cmd/internal/plain"
	"onlooker/vision"
)

// decodePicture reads a picture and refuses one that is too small to show
// anything.
func decodePicture(data []byte) (*image.RGBA, error) {
	m, err := capture.ReadPicture(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return m, bigEnough(m)
}

func bigEnough(m *image.RGBA) error {
	if size := m.Rect.Size(); size.X < minSide || size.Y < minSide {
		return fmt.Errorf("a picture of %dx%d pixels is too small to show a board", size.X, size.Y)
	}
	return nil
}

// LoadPicture reads and decodes one picture.
func LoadPicture(in io.Reader, name string) (*image.RGBA, error) {
	d := Decoder{In: in}
	data, isFile, err := d.Load(name)
	if err == nil && !isFile {
		err = fmt.Errorf("%s: no such file", plain.Shorten(name))
	}
	if err != nil {
		return nil, err
	}
	m, err := decodePicture(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// Unsure tells whether an error is a refusal to guess.
func Unsure(err error) bool {
	var u *vision.UnsureError
	return errors.As(err, &u)
}
