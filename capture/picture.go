package capture

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/gif" // decoded by image.Decode, as the next two are
	_ "image/jpeg"
	_ "image/png"
	"io"
	"os"
	"runtime"
	"strings"

	_ "golang.org/x/image/bmp"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"
)

// MaxPixels is the most that a picture may have: an 8K screen has 33 million,
// and decoding takes 4 bytes each whatever little the file itself holds.
const MaxPixels = 40_000_000

// IsPicture tells from a file's first bytes whether it is a picture of a kind
// that ReadPicture decodes: PNG, JPEG, GIF, WebP, BMP or TIFF.
func IsPicture(head []byte) bool {
	for _, magic := range []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF8", "II*\x00", "MM\x00*"} {
		if len(head) >= len(magic) && string(head[:len(magic)]) == magic {
			return true
		}
	}
	return len(head) >= 12 && (string(head[:4]) == "RIFF" && string(head[8:12]) == "WEBP" || string(head[:2]) == "BM" && string(head[6:10]) == "\x00\x00\x00\x00")
}

// Unread names the kind of a file of pictures that ReadPicture does not decode, by its first bytes;
// "" for all others.
func Unread(head []byte) string {
	if len(head) >= 4 && string(head[:4]) == "II\xbc\x01" {
		return "JPEG XR"
	}
	if len(head) < 12 || string(head[4:8]) != "ftyp" {
		return ""
	}
	switch brand := string(head[8:12]); {
	case strings.HasPrefix(brand, "he") || brand == "mif1" || brand == "msf1":
		return "HEIC"
	case strings.HasPrefix(brand, "avi"):
		return "AVIF"
	}
	return "MP4"
}

// ReadPicture decodes a picture, and turns a JPEG or PNG as its orientation says, as
// browsers show it. Its size is looked at before its pixels are,
// so that a small file cannot claim a lot of memory.
func ReadPicture(r io.ReadSeeker) (*image.RGBA, error) {
	config, kind, err := image.DecodeConfig(bufio.NewReader(r))
	if errors.Is(err, image.ErrFormat) {
		var head [12]byte
		if _, err := r.Seek(0, io.SeekStart); err == nil {
			if _, err := io.ReadFull(r, head[:]); err == nil && Unread(head[:]) != "" {
				return nil, fmt.Errorf("a file of %s, which is not read: save it as PNG or JPEG", Unread(head[:]))
			}
		}
		return nil, errors.New("not a PNG, JPEG, GIF, WebP, BMP or TIFF picture")
	}
	if err != nil {
		return nil, fmt.Errorf("a corrupt picture: %w", cause(err))
	}
	if config.Width < 1 || config.Height < 1 || config.Width > MaxPixels/config.Height {
		return nil, fmt.Errorf("a picture of %dx%d pixels, want at most %d million", config.Width, config.Height, MaxPixels/1_000_000)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	m, _, err := image.Decode(bufio.NewReader(r))
	if err != nil {
		return nil, fmt.Errorf("a corrupt %s picture: %w", strings.ToUpper(kind), cause(err))
	}
	if kind != "jpeg" && kind != "png" {
		return toRGBA(m), nil
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return turned(toRGBA(m), orientation(r)), nil
}

// cause is what a decoder says of a picture, without the decoder's name.
func cause(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("its end is missing")
	}
	parts := strings.Split(err.Error(), ": ")
	return errors.New(parts[len(parts)-1])
}

// ReadPictureFile is ReadPicture on a file.
func ReadPictureFile(name string) (*image.RGBA, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadPicture(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// toRGBA returns the picture with its top left pixel at (0, 0).
func toRGBA(m image.Image) *image.RGBA {
	if r, ok := m.(*image.RGBA); ok && r.Rect.Min == (image.Point{}) {
		return r
	}
	if c, ok := m.(*image.YCbCr); ok && c.Rect.Min == (image.Point{}) {
		return smooth(c)
	}
	r := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(r, r.Rect, m, m.Bounds().Min, draw.Src)
	return r
}

// Blank tells a picture that is all of one colour.
func Blank(m *image.RGBA) bool {
	for i := 4; i < len(m.Pix); i += 4 {
		if [3]byte(m.Pix[i:i+3]) != [3]byte(m.Pix[:3]) {
			return false
		}
	}
	return true
}

// BlankRemedy is what helps where a picture is blank: it is what a system shows to programs
// that may not record the screen, and what a game in exclusive fullscreen leaves of it.
func BlankRemedy() string {
	if runtime.GOOS == "darwin" {
		return "allow screen recording for the terminal in System Settings, Privacy & Security"
	}
	return "if the screen shows more than that, it is not let through to programs: under Wayland use an X11 session, with a game use windowed or borderless mode"
}
