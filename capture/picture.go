package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
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

// toRGBA returns the picture with its top left pixel at (0, 0), on white where it is transparent.
func toRGBA(m image.Image) *image.RGBA {
	if r, ok := m.(*image.RGBA); ok && r.Rect.Min == (image.Point{}) {
		return r
	}
	if c, ok := m.(*image.YCbCr); ok && c.Rect.Min == (image.Point{}) {
		return smooth(c)
	}
	r := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(r, r.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(r, r.Rect, m, m.Bounds().Min, draw.Over)
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

// eighths is what places between two samples are counted in.
const eighths = 8

// coarse is over how many pixels a sample of colour goes, across and down.
func coarse(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// between are the two samples about a pixel, of n that each go over so many, and how far, in
// eighths, it lies from the first to the second.
func between(at, over, n int) (a, b, part int) {
	twice := 2*at + 1 - over // of the way from the first sample's middle, in pixels
	a = twice / (2 * over)
	if twice < 0 {
		return 0, 0, 0
	}
	return min(a, n-1), min(a+1, n-1), eighths * (twice - 2*over*a) / (2 * over)
}

// smooth is a picture whose colours are coarser than its light, as most JPEGs' are, with colours that
// go over into one another between the samples, as browsers and viewers show them: as blocks of four
// pixels they lie across the borders of thin things.
func smooth(m *image.YCbCr) *image.RGBA {
	across, down := coarse(m.SubsampleRatio)
	size := m.Rect.Size()
	cols, rows := (size.X+across-1)/across, (size.Y+down-1)/down
	out := image.NewRGBA(image.Rectangle{Max: size})
	row := make([][2]int, cols) // of both colours, between two rows of samples
	for y := range size.Y {
		top, bottom, part := between(y, down, rows)
		for x := range row {
			i, j := top*m.CStride+x, bottom*m.CStride+x
			row[x] = [2]int{(eighths-part)*int(m.Cb[i]) + part*int(m.Cb[j]), (eighths-part)*int(m.Cr[i]) + part*int(m.Cr[j])}
		}
		for x := range size.X {
			left, right, part := between(x, across, cols)
			var c [2]uint8
			for k := range c {
				c[k] = uint8(((eighths-part)*row[left][k] + part*row[right][k] + eighths*eighths/2) / (eighths * eighths))
			}
			i := y*out.Stride + 4*x
			out.Pix[i], out.Pix[i+1], out.Pix[i+2] = color.YCbCrToRGB(m.Y[y*m.YStride+x], c[0], c[1])
			out.Pix[i+3] = 255
		}
	}
	return out
}

// orientation is the tag of Exif 2.3 (4.6.4) that says how a JPEG's or a PNG's rows and
// columns lie to the viewer, 1 to 8; 1, as they are, where there is none or it
// cannot be read, as browsers take it.
func orientation(r io.Reader) int {
	const upright = 1
	in := bufio.NewReader(r)
	var marker [4]byte // 0xFF, its kind, and the length of what follows with itself
	if head, _ := in.Peek(len(pngHead)); string(head) == pngHead {
		return max(upright, pngOrientation(in))
	}
	if _, err := io.ReadFull(in, marker[:2]); err != nil || marker[0] != 0xff || marker[1] != 0xd8 {
		return upright
	}
	for {
		if _, err := io.ReadFull(in, marker[:]); err != nil || marker[0] != 0xff || marker[1] == 0xda || marker[1] == 0xd9 {
			return upright // the pixels begin
		}
		length := int(binary.BigEndian.Uint16(marker[2:])) - 2
		if length < 0 {
			return upright
		}
		const app1 = 0xe1
		if marker[1] != app1 {
			if _, err := in.Discard(length); err != nil {
				return upright
			}
			continue
		}
		segment := make([]byte, length)
		if _, err := io.ReadFull(in, segment); err != nil {
			return upright
		}
		if o := exifOrientation(segment); o != 0 {
			return o
		}
	}
}

const pngHead = "\x89PNG\r\n\x1a\n"

// pngOrientation finds the tag in a PNG's chunk eXIf, before its pixels; 0 where there is none.
func pngOrientation(in *bufio.Reader) int {
	if _, err := in.Discard(len(pngHead)); err != nil {
		return 0
	}
	for {
		var chunk [8]byte // its length and its kind, and behind it four bytes of a sum
		if _, err := io.ReadFull(in, chunk[:]); err != nil {
			return 0
		}
		length := int64(binary.BigEndian.Uint32(chunk[:]))
		switch kind := string(chunk[4:]); {
		case kind == "IDAT" || kind == "IEND":
			return 0
		case kind == "eXIf" && length <= mostExif:
			tiff := make([]byte, length)
			if _, err := io.ReadFull(in, tiff); err != nil {
				return 0
			}
			return tiffOrientation(tiff)
		}
		if _, err := io.CopyN(io.Discard, in, length+4); err != nil {
			return 0
		}
	}
}

// mostExif is the most bytes of Exif that are looked at, as many as a JPEG's segment has.
const mostExif = 1 << 16

// exifOrientation finds the tag in a segment APP1; 0 where there is none.
func exifOrientation(segment []byte) int {
	const head = "Exif\x00\x00"
	if len(segment) < len(head) || string(segment[:len(head)]) != head {
		return 0
	}
	return tiffOrientation(segment[len(head):])
}

// tiffOrientation finds the tag in what Exif holds; 0 where there is none.
func tiffOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(tiff[:2]) {
	case "II":
		order = binary.LittleEndian
	case "MM":
		order = binary.BigEndian
	default:
		return 0
	}
	// The first directory: how many entries, then 12 bytes each: the tag, its type,
	// how many values, and where one fits, the value.
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0
	}
	entries := tiff[at+2:]
	const entry, tag, short = 12, 0x0112, 3
	for n := order.Uint16(tiff[at:]); n > 0 && len(entries) >= entry; n-- {
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if o := int(order.Uint16(entries[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 0
		}
		entries = entries[entry:]
	}
	return 0
}

// turned is a picture as it is seen that lies as an orientation says.
func turned(m *image.RGBA, orientation int) *image.RGBA {
	if orientation <= 1 || orientation > 8 {
		return m
	}
	// Where the first row and the first column lie to the viewer, by the table of the
	// standard: from 5 on rows are columns.
	size := m.Rect.Size()
	if orientation >= 5 {
		size = image.Pt(size.Y, size.X)
	}
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			to := image.Pt(x, y)
			if orientation >= 5 {
				to = image.Pt(y, x)
			}
			if orientation%4 == 2 || orientation%4 == 3 { // 2, 3, 6 and 7
				to.X = size.X - 1 - to.X
			}
			if (orientation-1)%4 >= 2 { // 3, 4, 7 and 8
				to.Y = size.Y - 1 - to.Y
			}
			copy(out.Pix[out.PixOffset(to.X, to.Y):][:4], m.Pix[m.PixOffset(x, y):][:4])
		}
	}
	return out
}
