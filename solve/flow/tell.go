package flow

import (
	"fmt"
	"image"
	"strings"

	"onlooker/solve"
)

// Tell gives a stroke of an answer in words: the pair whose end it begins at,
// where that is, and how many cells it goes which way. A path that goes over a
// joined border or a single join is told in several strokes; those that do not
// begin at the path's first end begin with "on".
func (p *Puzzle) Tell(s solve.Stroke) string {
	if len(s) == 0 {
		return "nothing"
	}
	cell := func(at image.Point) int {
		c := at.X / 2
		y := at.Y
		if p.shape == Hex {
			y += c & 1
		}
		if at.X%2 == 0 || y%2 == 0 || at.X < 0 || y < 0 || c >= p.cols || y/2 >= p.rows {
			return -1
		}
		return y/2*p.cols + c
	}
	start := s
	if cell(s[0]) < 0 && len(s) > 1 { // in over the border
		start = s[1:]
	}
	who, first := "on", cell(start[0])
	for i, e := range p.pairs {
		if len(start) == len(s) && (int(e[0]) == first || int(e[1]) == first) {
			who = p.pairName(i)
		}
	}
	where := solve.PlaceName(start[0])
	if first >= 0 {
		where = fmt.Sprintf("column %d row %d", first%p.cols+1, first/p.cols+1)
	}
	text := who + " from " + where
	var words []string
	run, was := 0, ""
	flush := func() {
		if run > 0 {
			words = append(words, fmt.Sprintf("%s %d", was, run))
		}
		run = 0
	}
	for i := 1; i < len(start); i++ {
		way := direction(start[i].Sub(start[i-1]))
		if i == len(start)-1 && cell(start[i]) < 0 {
			flush()
			words = append(words, way+" over the border")
			break
		}
		if way != was {
			flush()
		}
		was = way
		run++
	}
	flush()
	if len(words) == 0 {
		return text
	}
	return text + ": " + strings.Join(words, ", ")
}

// direction is the way from one cell to a neighbour.
func direction(d image.Point) string {
	var words []string
	switch {
	case d.Y < 0:
		words = append(words, "up")
	case d.Y > 0:
		words = append(words, "down")
	}
	switch {
	case d.X < 0:
		words = append(words, "left")
	case d.X > 0:
		words = append(words, "right")
	}
	return strings.Join(words, "-")
}
