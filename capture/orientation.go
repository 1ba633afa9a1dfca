package capture

import (
	"bufio"
	"encoding/binary"
	"image"
	"io"
)

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
