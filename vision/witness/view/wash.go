package view

import (
	"image"

	"onlooker/vision"
)

// Unwashed is a board without the light that lies over all of it, as over a screen of more light
// than a picture holds: what is darkest of it is black.
func Unwashed(b *vision.Board) *vision.Board {
	black := darkest(b.Flat)
	if float64(black) < Slightly*255 { // a panel need not have black
		return b
	}
	clear := *b
	clear.Flat = image.NewRGBA(b.Flat.Rect)
	for i, v := range b.Flat.Pix {
		if clear.Flat.Pix[i] = v; i%4 != 3 {
			clear.Flat.Pix[i] -= min(v, black)
		}
	}
	for k := range clear.Ink {
		clear.Ink[k], clear.Paper[k] = max(0, clear.Ink[k]-float64(black)), max(0, clear.Paper[k]-float64(black))
	}
	return &clear
}

// Levelled is a board without the light that falls on a part of it, where that is more than light
// and shade on a board are elsewhere. It adds to the ground of cells, takes of what lines differ from
// that by, and changes evenly from cell to cell.
func Levelled(b *vision.Board) *vision.Board {
	if b.Round() {
		return b
	}
	s, size, contrast := &View{Board: b}, image.Rect(0, 0, b.Cols, b.Rows), b.Ink.Dist(b.Paper)
	pictures := [2]*image.RGBA{image.NewRGBA(size), image.NewRGBA(size)} // of grounds and of lines, a pixel a cell
	all := [2][]vision.RGB{}
	clear, most := 0, 0.0
	for i := range b.Cols * b.Rows {
		for k, out := range [2]float64{0.86 * (1 - b.Line), 1} { // off symbols, and of lines off breaks
			var seen []vision.RGB
			for _, along := range [...]float64{-0.6, -0.45, 0.45, 0.6} {
				for _, way := range Ways {
					x, y := float64(way.X), float64(way.Y)
					seen = append(seen, s.At(float64(2*(i%b.Cols)+1)+out*(x+y*along), float64(2*(i/b.Cols)+1)+out*(y+x*along)))
				}
			}
			all[k] = append(all[k], vision.MedianRGB(seen))
			pictures[k].SetRGBA(i%b.Cols, i/b.Cols, Pixel(all[k][i]))
		}
		if all[1][i].Dist(all[0][i]) > all[1][clear].Dist(all[0][clear]) {
			clear = i
		}
	}
	for _, c := range all[0] {
		most = max(most, c.Dist(all[0][clear]))
	}
	if most < 0.5*contrast {
		return b
	}
	for i, c := range all[0] { // the pointer's disc brightens a cell more than those beside it
		across, down := i%b.Cols > 0 && i%b.Cols < b.Cols-1, i >= b.Cols && i+b.Cols < len(all[0])
		if across && c.Add(c).Dist(all[0][i-1].Add(all[0][i+1])) > 0.5*most || down && c.Add(c).Dist(all[0][i-b.Cols].Add(all[0][i+b.Cols])) > 0.5*most {
			return b
		}
	}
	level := *b
	level.Ink, level.Paper, level.Flat = all[1][clear], all[0][clear], image.NewRGBA(b.Flat.Rect)
	for i := 0; i < len(level.Flat.Pix); i += 4 {
		x, y := float64(i%b.Flat.Stride/4-b.Margin)/float64(b.Pitch)-0.5, float64(i/b.Flat.Stride-b.Margin)/float64(b.Pitch)-0.5
		c, ground := level.Paper, vision.At(pictures[0], x, y)
		by := level.Ink.Dist(c) / max(1, vision.At(pictures[1], x, y).Dist(ground)) // of less than a level nothing is told
		for k := range c {
			c[k] += by * (float64(b.Flat.Pix[i+k]) - ground[k])
		}
		level.Flat.SetRGBA(i%b.Flat.Stride/4, i/b.Flat.Stride, Pixel(c))
	}
	return &level
}

// darkest is the level below which a thousandth of all channels of a picture are: noise is.
func darkest(m *image.RGBA) (level uint8) {
	var counts [256]int
	for i, v := range m.Pix {
		if i%4 != 3 {
			counts[v]++
		}
	}
	for below := 0; ; level++ {
		if below += counts[level]; 1000*below >= 3*len(m.Pix)/4 {
			return level
		}
	}
}
