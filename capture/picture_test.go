package capture

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
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
