package picture

import (
	"fmt"
	"io"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/goregular"
)

// PDF writes pages of shapes as a document, unit millimetres a half-cell. A
// page's top left corner is the least point of its Extent. The same pages make
// the same bytes.
func PDF(w io.Writer, pages [][]Shape, unit float64) error {
	doc := fpdf.New("P", "mm", "A4", "")
	doc.SetCreationDate(time.Unix(0, 0).UTC())
	doc.SetModificationDate(time.Unix(0, 0).UTC())
	doc.SetCatalogSort(true)
	doc.SetAutoPageBreak(false, 0)
	doc.AddUTF8FontFromBytes("go", "", goregular.TTF)
	doc.SetLineJoinStyle("round")
	for _, shapes := range pages {
		least, most := Extent(shapes)
		doc.AddPageFormat("P", fpdf.SizeType{Wd: (most.X - least.X) * unit, Ht: (most.Y - least.Y) * unit})
		for _, s := range shapes {
			if len(s.Points) > 0 {
				pdfShape(doc, s, least, unit)
			}
		}
	}
	if err := doc.Output(w); err != nil {
		return fmt.Errorf("pdf: %w", err)
	}
	return nil
}

func pdfShape(doc *fpdf.Fpdf, s Shape, least Point, unit float64) {
	at := make([]fpdf.PointType, len(s.Points))
	for i, p := range s.Points {
		at[i] = fpdf.PointType{X: (p.X - least.X) * unit, Y: (p.Y - least.Y) * unit}
	}
	r, g, b := int(s.Colour.R), int(s.Colour.G), int(s.Colour.B)
	doc.SetAlpha(float64(s.Colour.A)/255, "Normal")
	doc.SetFillColor(r, g, b)
	switch s.Kind {
	case Line:
		doc.SetDrawColor(r, g, b)
		doc.SetLineWidth(s.Width * unit)
		doc.SetLineCapStyle("butt")
		if s.Round {
			doc.SetLineCapStyle("round")
		}
		doc.MoveTo(at[0].X, at[0].Y)
		for _, p := range at[1:] {
			doc.LineTo(p.X, p.Y)
		}
		doc.DrawPath("D")
	case Disc:
		doc.Circle(at[0].X, at[0].Y, s.Width*unit/2, "F")
	case Polygon:
		doc.Polygon(at, "F")
	case Text:
		doc.SetTextColor(r, g, b)
		doc.SetFont("go", "", 1)
		doc.SetFontUnitSize(s.Width * unit)
		// 0.35: half the height of a capital, in heights of the font.
		doc.Text(at[0].X-doc.GetStringWidth(s.Words)/2, at[0].Y+0.35*s.Width*unit, s.Words)
	}
}
