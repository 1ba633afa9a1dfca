package picture

import (
	"bytes"
	"compress/zlib"
	"image/color"
	"io"
	"strings"
	"testing"
)

// drawn are the drawing operators of a document's pages, unpacked.
func drawn(t *testing.T, doc []byte) (all []string) {
	t.Helper()
	for _, part := range bytes.Split(doc, []byte("\nstream\n"))[1:] {
		r, err := zlib.NewReader(bytes.NewReader(part))
		if err != nil {
			continue // a font
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte(" RG\n")) || bytes.Contains(text, []byte(" rg\n")) {
			all = append(all, string(text))
		}
	}
	return all
}

// TestPDF finds shapes where they belong, in points (1/72 inch) from below.
func TestPDF(t *testing.T) {
	red := color.NRGBA{R: 0xff, A: 0xff}
	page := []Shape{
		{Kind: Polygon, Points: Box(-1, -1, 9, 4), Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}}, // 20 × 10 mm
		{Kind: Line, Points: []Point{{0, 0}, {8, 0}}, Width: 0.5, Round: true, Colour: red},
		{Kind: Text, Points: []Point{{4, 2}}, Width: 1, Words: "A", Colour: red},
		{Kind: Glyph, Points: []Point{{4, 2}}, Words: "never", Colour: red},
	}
	var once, again bytes.Buffer
	for _, w := range []io.Writer{&once, &again} {
		if err := PDF(w, [][]Shape{page, page[:2]}, 2); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(once.Bytes(), again.Bytes()) {
		t.Error("the same pages make other bytes")
	}
	if !strings.HasPrefix(once.String(), "%PDF-") || !strings.Contains(once.String(), "/Count 2") || !strings.Contains(once.String(), "/MediaBox [0 0 56.69 28.35]") {
		t.Errorf("want two pages of 56.69 × 28.35 points:\n%.600s", once.String())
	}
	pages := drawn(t, once.Bytes())
	if len(pages) != 2 {
		t.Fatalf("%d pages that draw, want 2", len(pages))
	}
	for _, want := range []string{
		"0.00 28.35 m", "56.69291 0.00000 l", // the ground, to its corner at the right below
		"1.000 0.000 0.000 RG", "2.83 w", // red, 1 mm wide
		"5.67 22.68 m", "51.02 22.68 l", // 2 mm to 18 mm from the left, 8 mm from below
		"Tj", // words
	} {
		if !strings.Contains(pages[0], want) {
			t.Errorf("no %q in\n%s", want, pages[0])
		}
	}
	if strings.Contains(pages[1], "Tj") {
		t.Errorf("words on a page without any:\n%s", pages[1])
	}
	if strings.Contains(pages[0], "never") {
		t.Error("a terminal's glyph is printed")
	}
}
