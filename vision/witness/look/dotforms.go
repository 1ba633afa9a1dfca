package look

import (
	"strconv"

	"onlooker/calibrations"
	"onlooker/vision"
)

// A DotForms is what a place of the lines shows that has a dot of each line, as far as that
// differs from the line's colour: at the samples that about takes.
type DotForms [3][]vision.RGB

// PoolMatch is where a profile keeps them, a row for each line that has dots, in which
// levels are half of the differences, and 128 is none.
const PoolMatch = "match"

// dotSteps is how many samples are taken each way from a dot's middle, and dotReached how
// far, in line widths: within lines, so that it is the same on edges and nodes.
const (
	dotSteps   = 5
	dotReached = 0.45
)

// Match is how much of a dot is seen at a place: 1 where it shows as those that were seen
// do, 0 where it shows none of that, by regression.
func (f *DotForms) Match(seen []vision.RGB) (most float64) {
	for _, form := range f {
		var like, all float64
		for i, c := range form {
			like, all = like+c.Dot(seen[i]), all+c.Dot(c)
		}
		most = max(most, like/max(all, 1))
	}
	return most
}

// DotFormsOf are those of a profile; nil where it has none.
func DotFormsOf(p *calibrations.Profile) *DotForms {
	for _, l := range p.Learned.Places {
		if l.Name != PoolMatch {
			continue
		}
		var f DotForms
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
