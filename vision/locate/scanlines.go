package locate

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// Scan lines: a tube's picture, and a shader or a page that imitates one, has every few
// rows darkened alike. They cross all that a board shows, and are no part of it.
const (
	// leastScan is the least that a row is darkened by, as a logarithm; a picture's noise
	// comes to less where the median of many columns is taken.
	leastScan = 0.04
	// mostScanPeriod is the most rows from one scan line to the next.
	mostScanPeriod = 8
	// scannedShare is the share of what is bright enough to tell that must be darkened as the
	// period says; the borders of what is shown are not. Half of the rows of half the period
	// would be so by chance.
	scannedShare = 0.55
	// scanColumns is how many columns are looked at, and tellingColumns in how many of them a
	// row tells something at the least.
	scanColumns, tellingColumns = 40, 4
)

// withoutScanLines takes scan lines off a picture, where it has them: each row is made as
// bright as the brightest of its period. A picture without any is given back as it is.
func withoutScanLines(m *image.RGBA) *image.RGBA {
	gains := scanGains(rowSteps(m))
	if gains == nil {
		return m
	}
	out := image.NewRGBA(m.Rect)
	copy(out.Pix, m.Pix)
	for y := range m.Rect.Dy() {
		gain := gains[y%len(gains)]
		if gain == 1 {
			continue
		}
		var level [256]uint8
		for v := range level {
			level[v] = uint8(math.Round(min(255, float64(v)*gain)))
		}
		row := out.Pix[y*out.Stride:][:4*m.Rect.Dx()]
		for i := 0; i < len(row); i += 4 {
			row[i], row[i+1], row[i+2] = level[row[i]], level[row[i+1]], level[row[i+2]]
		}
	}
	return out
}

// rowSteps are of each row by how much it is brighter than the one above it, as
// logarithms, in those of some columns that are bright enough in both to tell.
func rowSteps(m *image.RGBA) [][]float64 {
	const dark = 12 // of 255: of what is darker half a level is four percent and more
	w, h := m.Rect.Dx(), m.Rect.Dy()
	every := max(1, w/scanColumns)
	brightness := func(x, y int) int {
		p := m.Pix[y*m.Stride+4*x:]
		return int(p[0]) + int(p[1]) + int(p[2])
	}
	var logs [3*255 + 1]float64
	for v := range logs {
		logs[v] = math.Log(float64(v))
	}
	steps, all := make([][]float64, h), make([]float64, 0, h*(w/every+1))
	for y := 1; y < h; y++ {
		first := len(all)
		for x := every / 2; x < w; x += every {
			if a, b := brightness(x, y-1), brightness(x, y); min(a, b) >= 3*dark {
				all = append(all, logs[b]-logs[a])
			}
		}
		steps[y] = all[first:]
	}
	return steps
}

// scanGains is by how much each row of a period is to be brightened; nil where the rows'
// steps have no period.
func scanGains(steps [][]float64) []float64 {
	var rows []int
	medians := make([]float64, len(steps))
	for y, v := range steps {
		if len(v) >= tellingColumns {
			rows, medians[y] = append(rows, y), vision.Median(slices.Clone(v))
		}
	}
	for period := 2; period <= mostScanPeriod; period++ {
		of := make([][]float64, period)
		for _, y := range rows {
			of[y%period] = append(of[y%period], medians[y])
		}
		usual, most := make([]float64, period), 0.0
		for r, v := range of {
			if len(v) < mostScanPeriod {
				return nil
			}
			usual[r] = vision.Median(v)
			most = max(most, math.Abs(usual[r]))
		}
		if most < leastScan || !scanned(steps, usual, most/2) {
			continue
		}
		gains := make([]float64, period)
		level, brightest := 0.0, 0.0
		for r, step := range usual {
			level += step
			gains[r] = level
			brightest = max(brightest, level)
		}
		for r, g := range gains {
			gains[r] = math.Exp(brightest - g)
		}
		return gains
	}
	return nil
}

// scanned tells whether steps are as usual in each row of the period, but for some.
func scanned(steps [][]float64, usual []float64, within float64) bool {
	alike, all := make([]int, len(usual)), make([]int, len(usual))
	for y, v := range steps {
		r := y % len(usual)
		for _, s := range v {
			if all[r]++; math.Abs(s-usual[r]) < within {
				alike[r]++
			}
		}
	}
	for r, n := range all {
		if float64(alike[r]) < scannedShare*float64(n) {
			return false
		}
	}
	return true
}
