// Package sheet lays puzzles out on pages to print.
package sheet

import (
	"fmt"
	"image/color"
	"io"
	"os"
	"path/filepath"

	"onlooker/cmd/internal/whole"
	"onlooker/vision/picture"
)

// A sheet's measures in millimetres: A4, and what is printed on it.
const (
	PageWidth, PageHeight = 210.0, 297.0
	margin                = 15.0
	gutter                = 8.0 // between puzzles
	captionHeight         = 4.0
	titleHeight           = 6.0
	// A half-cell is no larger than a person needs, and as large as a pencil
	// needs where that leaves room for more than one puzzle on a page.
	mostHalfCell  = 6.0
	leastHalfCell = 3.0
	pixelsPerMM   = 96 / 25.4 // as browsers print SVG
)

// An Item is a puzzle for a sheet, with its caption.
type Item struct {
	Caption       string
	Board, Answer []picture.Shape
}

// Pages lays puzzles out on pages, and their answers on pages behind, in
// millimetres.
func Pages(title string, puzzles []Item) (pages [][]picture.Shape) {
	boards, answers := make([][]picture.Shape, len(puzzles)), make([][]picture.Shape, len(puzzles))
	for i, p := range puzzles {
		boards[i], answers[i] = p.Board, p.Answer
	}
	pages = layOut(title, puzzles, boards, leastHalfCell)
	// Nobody draws on the answers: half as large is large enough.
	return append(pages, layOut(title+": answers", puzzles, answers, leastHalfCell/2)...)
}

// layOut puts as many pictures on a page as leaves each large enough.
func layOut(title string, puzzles []Item, pictures [][]picture.Shape, least float64) (pages [][]picture.Shape) {
	var size picture.Point // of the largest, in half-cells
	for _, s := range pictures {
		from, to := picture.Extent(s)
		size.X, size.Y = max(size.X, to.X-from.X), max(size.Y, to.Y-from.Y)
	}
	var across, down, scale float64
	for _, grid := range [][2]float64{{4, 6}, {3, 4}, {2, 3}, {1, 2}, {1, 1}} {
		across, down = grid[0], grid[1]
		width := (PageWidth - 2*margin - (across-1)*gutter) / across
		height := (PageHeight-2*margin-titleHeight-gutter-(down-1)*gutter)/down - captionHeight
		scale = min(width/size.X, height/size.Y, mostHalfCell)
		if scale >= least {
			break
		}
	}
	each := int(across * down)
	for i := 0; i < len(pictures); i += each {
		page := paper(fmt.Sprintf("%s, page %d of %d", title, i/each+1, (len(pictures)+each-1)/each))
		for k := i; k < min(i+each, len(pictures)); k++ {
			col, row := float64((k-i)%int(across)), float64((k-i)/int(across))
			width := (PageWidth - 2*margin - (across-1)*gutter) / across
			height := (PageHeight - 2*margin - titleHeight - gutter - (down-1)*gutter) / down
			corner := picture.Point{X: margin + col*(width+gutter), Y: margin + titleHeight + gutter + row*(height+gutter)}
			centre := corner.X + width/2
			page = append(page, words(fmt.Sprintf("%d. %s", k+1, puzzles[k].Caption), centre, corner.Y+captionHeight/2, captionHeight*0.7))
			page = append(page, placed(pictures[k], centre, corner.Y+captionHeight*1.5, scale)...)
		}
		pages = append(pages, page)
	}
	return pages
}

// paper is an empty page with a title.
func paper(title string) []picture.Shape {
	return []picture.Shape{
		{Kind: picture.Polygon, Points: picture.Box(0, 0, PageWidth, PageHeight), Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}},
		words(title, PageWidth/2, margin+titleHeight/2, titleHeight*0.7),
	}
}

func words(text string, x, y, height float64) picture.Shape {
	return picture.Shape{Kind: picture.Text, Words: text, Width: height, Points: []picture.Point{{X: x, Y: y}}, Colour: color.NRGBA{A: 0xff}}
}

// placed is a picture with its top at y and its middle at centre.
func placed(shapes []picture.Shape, centre, y, scale float64) []picture.Shape {
	from, to := picture.Extent(shapes)
	left := centre - (to.X-from.X)*scale/2
	out := make([]picture.Shape, len(shapes))
	for i, s := range shapes {
		s.Width *= scale
		points := make([]picture.Point, len(s.Points))
		for k, p := range s.Points {
			points[k] = picture.Point{X: left + (p.X-from.X)*scale, Y: y + (p.Y-from.Y)*scale}
		}
		s.Points = points
		out[i] = s
	}
	return out
}

// Write writes pages as one PDF file, or as an SVG file each into a
// folder; it returns the files.
func Write(pages [][]picture.Shape, format, output string) (files []string, err error) {
	write := func(name string, f func(io.Writer) error) error {
		to, err := whole.Create(name, 0o644)
		if err != nil {
			return err
		}
		if err = to.Done(f(to)); err == nil {
			files = append(files, name)
		}
		return err
	}
	if format == "pdf" {
		err := write(output, func(w io.Writer) error { return picture.PDF(w, pages, 1) })
		return files, err
	}
	if err := os.MkdirAll(output, 0o755); err != nil {
		return nil, err
	}
	for i, page := range pages {
		err := write(filepath.Join(output, fmt.Sprintf("page-%02d.svg", i+1)), func(w io.Writer) error { return picture.SVG(w, page, pixelsPerMM) })
		if err != nil {
			return files, err
		}
	}
	return files, nil
}
