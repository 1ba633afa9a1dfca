package capture

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"onlooker/solve/solvetest"
)

// TestKinds: BMP and TIFF are told from text by their first bytes, and read.
func TestKinds(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 3, 2))
	for kind, encode := range map[string]func(w *bytes.Buffer) error{
		"BMP":  func(w *bytes.Buffer) error { return bmp.Encode(w, m) },
		"TIFF": func(w *bytes.Buffer) error { return tiff.Encode(w, m, nil) },
	} {
		var b bytes.Buffer
		if err := encode(&b); err != nil || !IsPicture(b.Bytes()) {
			t.Errorf("%s: %v, or not told by its first bytes", kind, err)
		}
		if got, err := ReadPicture(bytes.NewReader(b.Bytes())); err != nil || got.Rect != m.Rect {
			t.Errorf("%s: %v, want a picture of %v", kind, err, m.Rect)
		}
	}
	if IsPicture([]byte("BMW and MM*, as text")) {
		t.Error("text is taken for a picture")
	}
}

// A picture of 3×2 pixels in both kinds of WebP. The lossy one keeps brightness but
// not each colour.
func TestWebP(t *testing.T) {
	for _, row := range []struct {
		why, data string
		off       int // at most, in luminance of 255
	}{
		{"without loss", "UklGRjwAAABXRUJQVlA4TDAAAAAvAkAAAC8gEEh0QthfbA2xYJI/3IC6BAQF/0c3/3FtGDCAQrYR4NTuMTmhi+h/vBM=", 0},
		{"with loss", "UklGRmgAAABXRUJQVlA4IFwAAACQAgCdASoDAAIAAAAAJaACdLoB+AH4gANGKmFQAAD+7m7EhUNb8r/9gHWmrPh/3+j4/cCx/9oNVztp/VvreX7kv/2Y3/ooS/lX/2IP7JVpD/ooS/lX/2IP/seQAA==", 24},
	} {
		data := solvetest.Must(base64.StdEncoding.DecodeString(row.data))(t)
		if !IsPicture(data) || IsPicture(data[:11]) {
			t.Errorf("%s: not told by its first bytes", row.why)
		}
		m, err := ReadPicture(bytes.NewReader(data))
		if err != nil || m.Rect.Dx() != 3 || m.Rect.Dy() != 2 {
			t.Fatalf("%s: %v, %v, want 3×2 pixels", row.why, m, err)
		}
		for i := range 6 {
			want := color.GrayModel.Convert(color.RGBA{uint8(i * 50), uint8(255 - i*40), uint8(i % 2 * 255), 255}).(color.Gray)
			got := color.GrayModel.Convert(m.At(i%3, i/3)).(color.Gray)
			if d := int(got.Y) - int(want.Y); d > row.off || d < -row.off {
				t.Errorf("%s: pixel %d is %d bright, want %d", row.why, i, got.Y, want.Y)
			}
		}
		if _, err := ReadPicture(bytes.NewReader(data[:40])); err == nil || !strings.Contains(err.Error(), "corrupt") {
			t.Errorf("%s, cut off: %v, want an error", row.why, err)
		}
	}
}

// TestSmooth: colours of a coarse picture go over into one another, and are the same where it has
// but one, whatever its samples go over; its light stays.
func TestSmooth(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		m := image.NewYCbCr(image.Rect(0, 0, 23, 13), ratio)
		for i := range m.Y {
			m.Y[i] = uint8(60 + i%100)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = 90, 160
		}
		got := smooth(m)
		for y := range 13 {
			for x := range 23 {
				if r, g, b, _ := m.At(x, y).RGBA(); got.RGBAAt(x, y) != (color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}) {
					t.Fatalf("%v, pixel %d,%d: %v, want the decoder's", ratio, x, y, got.RGBAAt(x, y))
				}
			}
		}
	}
	m := image.NewYCbCr(image.Rect(0, 0, 8, 2), image.YCbCrSubsampleRatio420)
	for i := range m.Y {
		m.Y[i] = 128
	}
	copy(m.Cb, []uint8{128, 128, 128, 128})
	copy(m.Cr, []uint8{96, 96, 160, 160})
	var reds []uint8
	for x := range 8 {
		reds = append(reds, smooth(m).RGBAAt(x, 0).R)
	}
	for x, want := range []uint8{96, 96, 96, 112, 144, 160, 160, 160} { // of Cr: a quarter of the way from pixel to pixel
		if r, _, _ := color.YCbCrToRGB(128, 128, want); reds[x] != r {
			t.Errorf("pixel %d: red %d, want %d of %v", x, reds[x], r, reds)
		}
	}
}

// exif is a segment APP1 with an orientation, behind another tag.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	text := []byte("Exif\x00\x00MM")
	if order.String() == binary.LittleEndian.String() {
		text = []byte("Exif\x00\x00II")
	}
	text = order.AppendUint16(text, 42)
	text = order.AppendUint32(text, 8)
	text = order.AppendUint16(text, 2)
	for _, entry := range [][2]uint16{{0x0100, 7}, {0x0112, orientation}} {
		text = order.AppendUint16(text, entry[0])
		text = order.AppendUint16(text, 3)
		text = order.AppendUint32(text, 1)
		text = order.AppendUint16(text, entry[1])
		text = order.AppendUint16(text, 0)
	}
	text = order.AppendUint32(text, 0)
	return slices.Concat([]byte{0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(text)+2)), text)
}

// TestOrientation reads a picture of 3 by 2 tiles, each of its own brightness,
// with each orientation. The tiles of a viewer's rows are written out by hand from
// the standard's table.
func TestOrientation(t *testing.T) {
	const tile = 16 // JPEG's block of colours: none is blurred into another
	m := image.NewGray(image.Rect(0, 0, 3*tile, 2*tile))
	for y := range 2 * tile {
		for x := range 3 * tile {
			m.SetGray(x, y, color.Gray{Y: uint8(40 * (1 + x/tile + 3*(y/tile)))})
		}
	}
	var plain bytes.Buffer
	solvetest.OK(t, jpeg.Encode(&plain, m, &jpeg.Options{Quality: 100}))
	for _, row := range []struct {
		orientation uint16
		want        []string
	}{
		{0, []string{"123", "456"}}, // is none of the standard's
		{1, []string{"123", "456"}},
		{2, []string{"321", "654"}},
		{3, []string{"654", "321"}},
		{4, []string{"456", "123"}},
		{5, []string{"14", "25", "36"}},
		{6, []string{"41", "52", "63"}},
		{7, []string{"63", "52", "41"}},
		{8, []string{"36", "25", "14"}},
		{9, []string{"123", "456"}},
	} {
		for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
			// Behind the start of the picture and a comment.
			text := slices.Concat(plain.Bytes()[:2], []byte{0xff, 0xfe, 0, 3, 'x'}, exif(order, row.orientation), plain.Bytes()[2:])
			got := solvetest.Must(ReadPicture(bytes.NewReader(text)))(t)
			var seen []string
			for y := tile / 2; y < got.Rect.Dy(); y += tile {
				line := ""
				for x := tile / 2; x < got.Rect.Dx(); x += tile {
					line += string(rune('0' + (int(got.RGBAAt(x, y).R)+20)/40))
				}
				seen = append(seen, line)
			}
			if !slices.Equal(seen, row.want) {
				t.Errorf("orientation %d, %v: %v, want %v", row.orientation, order, seen, row.want)
			}
			// Cut off or spoiled anywhere within the segment it is an error or a picture.
			for i := range exif(order, row.orientation) {
				spoiled := slices.Clone(text)
				spoiled[7+i] ^= 0xff
				_, _ = ReadPicture(bytes.NewReader(spoiled))
				solvetest.Same(t, orientation(bytes.NewReader(text[:7+i])), 1, "cut off at byte %d: orientation", i)
			}
		}
	}
}

// TestOrientationPNG: a PNG is turned by its chunk eXIf as a JPEG is by its segment.
func TestOrientationPNG(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 3, 2))
	m.SetGray(0, 0, color.Gray{Y: 200})
	var plain bytes.Buffer
	solvetest.OK(t, png.Encode(&plain, m))
	const header = 8 + 8 + 13 + 4 // the magic number, and the chunk IHDR
	for _, order := range []binary.AppendByteOrder{binary.BigEndian, binary.LittleEndian} {
		tiff := exif(order, 6)[4+len("Exif\x00\x00"):]
		chunk := slices.Concat([]byte("eXIf"), tiff)
		chunk = slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(tiff))), chunk, binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk)))
		got := solvetest.Must(ReadPicture(bytes.NewReader(slices.Concat(plain.Bytes()[:header], chunk, plain.Bytes()[header:]))))(t)
		if got.Rect.Size() != image.Pt(2, 3) || got.RGBAAt(1, 0).R != 200 {
			t.Errorf("%v: got %v with %v at the top right, want 2×3 with 200", order, got.Rect, got.RGBAAt(1, 0))
		}
	}
}

// TestTransparent: a picture is on white where it is transparent, as a page shows it, and as it is elsewhere.
func TestTransparent(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	m.SetNRGBA(1, 0, color.NRGBA{178, 57, 19, 255})
	var b bytes.Buffer
	solvetest.OK(t, png.Encode(&b, m))
	got := solvetest.Must(ReadPicture(bytes.NewReader(b.Bytes())))(t)
	solvetest.Same(t, got.RGBAAt(0, 0), color.RGBA{255, 255, 255, 255}, "where it is transparent")
	solvetest.Same(t, got.RGBAAt(1, 0), color.RGBA{178, 57, 19, 255}, "where it is not")
}

// TestUnread: pictures of phones and screens that are not decoded are named as what they are.
func TestUnread(t *testing.T) {
	for head, want := range map[string]string{
		"\x00\x00\x00\x18ftypheic\x00\x00": "a file of HEIC", "\x00\x00\x00\x18ftypavif\x00\x00": "a file of AVIF",
		"\x00\x00\x00\x18ftypisom\x00\x00": "a file of MP4", "II\xbc\x01 and what follows": "a file of JPEG XR", "anything that is none": "not a PNG",
	} {
		if _, err := ReadPicture(strings.NewReader(head)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", head, err, want)
		}
	}
}
