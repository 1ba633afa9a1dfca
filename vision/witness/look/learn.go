package look

import (
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A Lesson is a board of which it is known what it shows.
type Lesson struct {
	*Model
	Panel *witness.Panel
	Name  string
}

// A Sample is a symbol in a cell that is known to hold it.
type Sample struct {
	Symbol witness.Symbol
	View   *Cell
	Mask   vision.Map  // how strongly it shows, 0 to 1
	Own    vision.RGB  // its colour
	Off    image.Point // by how many places it lies off the first of its kind
	Board  int         // the number of its lesson
}

// LearnLoose learns whether symbols stand anywhere in their cells: whether one in five pieces, and
// two at least, are off the middle by more than may be.
func LearnLoose(p *calibrations.Profile, lessons []Lesson) {
	n, all := 0, 0
	for _, l := range lessons {
		l.Model.Known.loose = true
		for at := range l.Panel.Points() {
			if q := l.Panel.At(at); witness.IsCell(at) && q.Kind.IsPiece() {
				all++
				if o := l.Model.Cells.CellAt(at).Moved; max(o.X, -o.X, o.Y, -o.Y) > 2*view.Tuned.Slack {
					n++
				}
			}
		}
	}
	p.Learned.Loose = n > 1 && float64(n) >= view.Slightly*float64(all)
	for _, l := range lessons {
		l.Model.Known.loose = p.Learned.Loose
	}
}

// LearnGround learns the pattern of empty cells, where they have one.
func LearnGround(p *calibrations.Profile, lessons []Lesson) {
	sum, n := vision.NewMap(CellSide, CellSide), float32(0)
	cells := 0
	for _, l := range lessons {
		for at := range l.Panel.Points() {
			if !witness.IsCell(at) || l.Panel.At(at).Kind != witness.NoSymbol {
				continue
			}
			cells++
			v := l.Model.Cells.CellAt(at)
			var middle []vision.RGB
			for j := range CellSide {
				for i := range CellSide {
					if max(math.Abs(Offset(i)), math.Abs(Offset(j))) < 0.5*v.Inner {
						middle = append(middle, v.Pix[j*CellSide+i])
					}
				}
			}
			core := vision.MedianRGB(middle)
			axis := v.Ground.Sub(core)
			if far := math.Sqrt(axis.Dot(axis)); far < view.Hardly*l.Contrast() || far < 2*v.Grain {
				continue
			}
			n++
			for k, c := range v.Pix {
				sum.V[k] += float32(c.Sub(core).Dot(axis) / axis.Dot(axis))
			}
		}
	}
	// A pattern is that of most cells: what shines into a few is none.
	if 2*int(n) <= cells || n < 4 {
		learnDrawn(p, lessons)
		return
	}
	most := float32(0)
	for k, c := range sum.V {
		sum.V[k] = max(0, c/n)
		if v := (&Cell{Inner: 0.5 - lessons[0].LineWidth/2}); max(math.Abs(Offset(k%CellSide)), math.Abs(Offset(k/CellSide))) < v.Inner {
			most = max(most, sum.V[k])
		}
	}
	for k := range sum.V {
		sum.V[k] = min(1, sum.V[k]/most)
	}
	p.Learned.Ground, p.Learned.GroundFile = shape.GreyOf(sum), "mask-00-ground.png"
	for _, l := range lessons {
		l.Model.Known.ground = shape.MapOf(p.Learned.Ground)
	}
}

// learnDrawn learns where something is drawn on most empty cells, of which most shows the ground.
// What symbols stand on is none of that, as stripes that lie in one place in all cells.
func learnDrawn(p *calibrations.Profile, lessons []Lesson) {
	off := make([][]float64, CellSide*CellSide) // of each place, in contrasts, in each empty cell; 0 where nothing is seen of it
	under := make([]int, CellSide*CellSide)     // how many symbols show over each place
	inner := 1.0
	for _, l := range lessons {
		for at := range l.Panel.Points() {
			if witness.IsCell(at) && l.Panel.At(at).Kind == witness.NoSymbol {
				v := l.Model.Cells.CellAt(at)
				inner = min(inner, v.Inner)
				for k, d := range v.Off.V {
					off[k] = append(off[k], float64(d)/l.Contrast())
				}
			}
		}
	}
	for _, l := range lessons {
		for at := range l.Panel.Points() {
			if !witness.IsCell(at) || l.Panel.At(at).Kind == witness.NoSymbol {
				continue
			}
			for k, d := range l.Model.Cells.CellAt(at).Off.V {
				if len(off[k]) > 0 && float64(d)/l.Contrast() > 2*slices.Max(off[k]) {
					under[k]++
				}
			}
		}
	}
	drawn := vision.NewMap(CellSide, CellSide)
	n, all := 0, 0
	for k := range drawn.V {
		x, y := k%CellSide, k/CellSide
		if max(math.Abs(Offset(x)), math.Abs(Offset(y))) > inner {
			continue
		}
		if all++; len(off[k]) < 4 || under[k] > 1 || vision.Median(off[k]) < view.Faintly {
			continue
		}
		n++
		for dy := -1; dy <= 1; dy++ { // it may lie beside that elsewhere
			for dx := -1; dx <= 1; dx++ {
				if u, w := x+dx, y+dy; min(u, w) >= 0 && max(u, w) < CellSide {
					drawn.V[w*CellSide+u] = 1
				}
			}
		}
	}
	if float64(n) < view.Hardly/2*float64(all) || float64(n) > view.Clearly*float64(all) {
		return
	}
	p.Learned.Drawn, p.Learned.DrawnFile = shape.GreyOf(drawn), "mask-00-drawn.png"
	for _, l := range lessons {
		l.Model.Known.overdrawn = drawn
	}
}

// Correlation is how alike two maps are, laid over each other within slack, and the
// place of the best.
func Correlation(v *Cell, m, template vision.Map, slack int) vision.Matched {
	return vision.Match(v.Window(m, slack), []vision.Map{v.Window(template, 0)})[0]
}

// UnlitGround is the least correlation that a template may have with what it stands for:
// some less than the least that was seen, which it gives as well.
func FloorOf(seen []Sample, template func(Sample) vision.Map) (floor, least float64) {
	least = 1
	for _, s := range seen {
		least = min(least, Correlation(s.View, s.Mask, template(s), view.Tuned.Slack).Score)
	}
	return FloorBelow(least), shape.Round3(least)
}

// FloorBelow is as far below the least that was seen as that is below 1, and some for what
// was not seen.
func FloorBelow(least float64) float64 {
	return shape.Round3(max(view.Strongly, min(1-2*(1-least), view.Tuned.Recognised)))
}

// FileName is a kind's name as a part of a file's.
func FileName(kind string) string { return strings.ReplaceAll(kind, " ", "-") }
