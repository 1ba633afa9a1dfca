package witness

import (
	"fmt"
	"image"
	"strconv"

	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// A dotForms is what a place of the lines shows that has a dot of each line, as far as that
// differs from the line's colour: at the samples that about takes.
type dotForms [3][]vision.RGB

// poolMatch is where a profile keeps them, a row for each line that has dots, in which
// levels are half of the differences, and 128 is none.
const poolMatch = "match"

// dotSteps is how many samples are taken each way from a dot's middle, and dotReached how
// far, in line widths: within lines, so that it is the same on edges and nodes.
const (
	dotSteps   = 5
	dotReached = 0.45
)

// about is how what lies about a place of the lines, on them, differs from their colour.
func (m *model) about(at image.Point) (all []vision.RGB) {
	ink := m.lineInk(at)
	step := 2 * m.LineWidth * dotReached / dotSteps
	for j := -dotSteps; j <= dotSteps; j++ {
		for i := -dotSteps; i <= dotSteps; i++ {
			if i*i+j*j <= dotSteps*dotSteps {
				all = append(all, m.At(float64(at.X)+step*float64(i), float64(at.Y)+step*float64(j)).Sub(ink))
			}
		}
	}
	return all
}

// match is how much of a dot is seen at a place: 1 where it shows as those that were seen
// do, 0 where it shows none of that, by regression.
func (f *dotForms) match(seen []vision.RGB) (most float64) {
	for _, form := range f {
		var like, all float64
		for i, c := range form {
			like, all = like+c.Dot(seen[i]), all+c.Dot(c)
		}
		most = max(most, like/max(all, 1))
	}
	return most
}

// learnDotForms learns them of places with dots, but for those in circles.
func learnDotForms(p *calibrations.Profile, lessons []lesson) *dotForms {
	var sums dotForms
	var n [3]float64
	for _, l := range lessons {
		for at := range l.panel.Points() {
			q := l.panel.At(at)
			if !q.Dot.On || q.Start {
				continue
			}
			seen, k := l.about(at), q.Dot.Line
			if n[k]++; sums[k] == nil {
				sums[k] = make([]vision.RGB, len(seen))
			}
			for i := range seen {
				for c := range seen[i] {
					sums[k][i][c] += seen[i][c]
				}
			}
		}
	}
	places := calibrations.Places{Name: poolMatch, File: fmt.Sprintf("mask-places-%s.png", poolMatch)}
	var rows [][]uint8
	for k, sum := range sums {
		if sum == nil {
			continue
		}
		var row []uint8
		for i := range sum {
			for c := range sum[i] {
				sum[i][c] /= n[k]
				row = append(row, view.Level(128+sum[i][c]/2))
			}
		}
		rows, places.Labels = append(rows, row), append(places.Labels, strconv.Itoa(k))
	}
	if len(rows) > 0 {
		places.Mask = image.NewGray(image.Rect(0, 0, len(rows[0]), len(rows)))
		for y, row := range rows {
			copy(places.Mask.Pix[y*places.Mask.Stride:], row)
		}
		p.Learned.Places = append(p.Learned.Places, places)
	}
	return &sums
}

// dotFormsOf are those of a profile; nil where it has none.
func dotFormsOf(p *calibrations.Profile) *dotForms {
	for _, l := range p.Learned.Places {
		if l.Name != poolMatch {
			continue
		}
		var f dotForms
		for y, label := range l.Labels {
			k, err := strconv.Atoi(label)
			if err != nil || k < 0 || k >= len(f) {
				continue
			}
			row := l.Mask.Pix[y*l.Mask.Stride:][:l.Mask.Rect.Dx()]
			for i := 0; i+2 < len(row); i += 3 {
				f[k] = append(f[k], vision.RGB{2 * (float64(row[i]) - 128), 2 * (float64(row[i+1]) - 128), 2 * (float64(row[i+2]) - 128)})
			}
		}
		return &f
	}
	return nil
}
