package learn

import (
	"fmt"
	"image"
	"strconv"

	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// learnDotForms learns them of places with dots, but for those in circles.
func learnDotForms(p *calibrations.Profile, lessons []look.Lesson) *look.DotForms {
	var sums look.DotForms
	var n [3]float64
	for _, l := range lessons {
		for at := range l.Panel.Points() {
			q := l.Panel.At(at)
			if !q.Dot.On || q.Start {
				continue
			}
			seen, k := l.Model.Places.About(at), q.Dot.Line
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
	places := calibrations.Places{Name: look.PoolMatch, File: fmt.Sprintf("mask-places-%s.png", look.PoolMatch)}
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
