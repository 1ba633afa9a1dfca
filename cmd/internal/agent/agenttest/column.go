package agenttest

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// A Column is a pillar on the screen: a panel wound round it, seen from 8 radii
// away.
type Column struct {
	Cols, rows int
	wound      *image.RGBA // the panel's picture, unrolled
	pitch      float64     // of wound, in pixels a cell
	origin     image.Point // its node (0, 0)
}

func NewColumn(t *testing.T, text string) *Column {
	t.Helper()
	p := solvetest.Must(forms.Parse([]byte(text)))(t)
	// Unrolled it is a flat panel, whose last column is its first again.
	flat := witness.New(p.Cols, p.Rows, false)
	for at := range flat.Points() {
		*flat.At(at) = *p.At(at)
	}
	const pitch = 80.0
	style := drawing.Typical(Profile(t))
	style.Ground, style.Lines = color.NRGBA{107, 67, 0, 255}, color.NRGBA{201, 126, 0, 255}
	least, _ := picture.Extent(drawing.Shapes(flat, nil, style))
	return &Column{
		Cols: p.Cols, rows: p.Rows, pitch: pitch, wound: drawing.Draw(flat, style, pitch),
		origin: image.Pt(int(math.Round(-least.X*pitch/2)), int(math.Round(-least.Y*pitch/2))),
	}
}

// Frame is what is seen when a column of half-cells faces the viewer.
func (c *Column) Frame(faced float64) *image.RGBA {
	const away, half, middle, level = 8.0, 100.0, 320.0, 400.0
	const e = 1 / away
	m := image.NewRGBA(image.Rect(0, 0, 640, 800))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{12, 10, 8, 255}), image.Point{}, draw.Src)
	root := math.Sqrt(1 - e*e)
	around := 2 * math.Pi / float64(c.Cols) // radii, and the rows' pitch too
	const fine = 2                          // samples a pixel each way
	for x := int(middle - half); x <= int(middle+half); x++ {
		// Of each sample's upright line: where round it is, and how its rows are seen.
		var col, high [fine]float64
		var on [fine]bool
		for i := range fine {
			u := (float64(x) + (float64(i)+0.5)/fine - 0.5 - middle) / half
			a := math.Hypot(root, u*e)
			if on[i] = math.Abs(u) <= 1; on[i] {
				theta := math.Asin(u/a) - math.Atan2(u*e, root)
				high[i] = (1 - e*math.Cos(theta)) / (half * root)
				col[i] = math.Mod(faced/2+theta/around+4*float64(c.Cols), float64(c.Cols))
			}
		}
		for y := range m.Rect.Dy() {
			var sum [3]int
			for i := range fine * fine {
				k := i % fine
				r, g, b := 12, 10, 8
				if on[k] {
					v := (float64(y) + (float64(i/fine)+0.5)/fine - 0.5 - level) * high[k]
					if row := v/around + float64(c.rows)/2; row > -0.5 && row < float64(c.rows)+0.5 {
						p := c.wound.RGBAAt(c.origin.X+int(math.Round(col[k]*c.pitch)), c.origin.Y+int(math.Round(row*c.pitch)))
						r, g, b = int(p.R), int(p.G), int(p.B)
					}
				}
				sum[0], sum[1], sum[2] = sum[0]+r, sum[1]+g, sum[2]+b
			}
			const n = fine * fine
			m.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return m
}

// Lonely is a pillar on which hardly anything stands: its views go together in
// many ways.
const Lonely = `pillar 6x6
+-^-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |a
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-@-+-+-+-+-
a = white square
`

func (c *Column) Find(t *testing.T, faced float64) *vision.Board {
	t.Helper()
	boards := solvetest.Must(locate.Boards(c.Frame(faced), Profile(t).Board))(t)
	for _, b := range boards {
		if b.Pillar && b.Cols == c.Cols && b.Rows == c.rows {
			return b
		}
	}
	t.Fatalf("no pillar among %d boards", len(boards))
	return nil
}
