package capture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

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
				if o := orientation(bytes.NewReader(text[:7+i])); o != 1 {
					t.Errorf("cut off at byte %d: orientation %d, want 1", i, o)
				}
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
