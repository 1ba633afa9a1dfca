package looktest

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"

	witness "onlooker/solve/witness/board"
)

// A Tile is one picture of a panel, as HTML among others on a sheet.
type Tile struct {
	Panel *witness.Panel
	Look  *Look
	Size  image.Point // in pixels
	// Quad is where the corner nodes are, from the tile's corner in pixels: top
	// left, top right, bottom right, bottom left.
	Quad [4][2]float64
	html string
}

// NewTile draws a panel in a look, at a pitch and among things by chance, and
// turned away by at most slant degrees.
func NewTile(l *Look, panel *witness.Panel, rng *rand.Rand, slant float64) *Tile {
	pitch := float64(l.Pitch[0]) + rng.Float64()*float64(l.Pitch[1]-l.Pitch[0])
	// 760: a large board has smaller cells, but a symbol is 40 pixels' still.
	pitch = max(min(pitch, 760/float64(max(panel.Cols, panel.Rows)+1)), 42)
	c := &canvas{look: l, panel: panel}
	c.board()
	reach := l.reach()
	w, h := (float64(panel.Cols)+2*reach)*pitch, (float64(panel.Rows)+2*reach)*pitch
	t := &Tile{Panel: panel, Look: l}
	left, top, right, bottom := 14+rng.Float64()*70, 14+rng.Float64()*70, 14+rng.Float64()*70, 14+rng.Float64()*60
	switch l.Page.Kind {
	case "web", "game":
		top, bottom = top+86, bottom+40
	case "book":
		top, bottom = top+84, bottom+84
	}
	t.Size = image.Pt(int(left+w+right), int(top+h+bottom))
	v := view{cx: left + w/2, cy: top + h/2, far: 2.2 * max(w, h)}
	v.tilt, v.yaw = (2*rng.Float64()-1)*slant*math.Pi/180, (2*rng.Float64()-1)*slant*math.Pi/180
	for i, corner := range [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		t.Quad[i] = v.screen(left+(reach+corner[0]*float64(panel.Cols))*pitch, top+(reach+corner[1]*float64(panel.Rows))*pitch)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="position:absolute;overflow:hidden;width:%dpx;height:%dpx;background:%s;color:%s;isolation:isolate">`, t.Size.X, t.Size.Y, l.Page.Fill, l.Page.Text)
	l.Page.write(&b, rng, t.Size)
	style := ""
	if slant > 0 {
		style = fmt.Sprintf("transform:perspective(%.3fpx) rotateX(%.5frad) rotateY(%.5frad);", v.far, v.tilt, v.yaw)
	}
	if l.Effects.Blur > 0 {
		style += fmt.Sprintf("filter:blur(%.2fpx);", l.Effects.Blur)
	}
	fmt.Fprintf(&b, `<svg style="position:absolute;left:%.3fpx;top:%.3fpx;%s" width="%.3f" height="%.3f" viewBox="%.4f %.4f %.4f %.4f">`,
		left, top, style, w, h, -reach, -reach, w/pitch, h/pitch)
	b.WriteString(c.String())
	b.WriteString(`</svg>`)
	l.Effects.write(&b)
	b.WriteString("</div>")
	t.html = b.String()
	return t
}

// A view is how a browser shows a box that is turned away: far is its distance
// in pixels.
type view struct{ cx, cy, far, tilt, yaw float64 }

// screen is where a point of the box is seen.
func (v *view) screen(x, y float64) [2]float64 {
	x, y = x-v.cx, y-v.cy
	x, z := x*math.Cos(v.yaw), -x*math.Sin(v.yaw)
	y, z = y*math.Cos(v.tilt)-z*math.Sin(v.tilt), y*math.Sin(v.tilt)+z*math.Cos(v.tilt)
	k := v.far / (v.far - z)
	return [2]float64{v.cx + k*x, v.cy + k*y}
}

// words are what pages are about.
const words = "door garden between every window first over stone before which keep river under small again path"

func say(rng *rand.Rand, n int) string {
	all := strings.Fields(words)
	var out []string
	for range n {
		out = append(out, all[rng.IntN(len(all))])
	}
	return strings.Join(out, " ")
}

// write puts a page's own things into a tile.
func (p *Page) write(b *strings.Builder, rng *rand.Rand, size image.Point) {
	switch p.Kind {
	case "web":
		fmt.Fprintf(b, `<div style="font:15px sans-serif;padding:8px 14px"><b style="font-size:22px">%s</b><p style="margin:6px 0">%s <a href="#">%s</a> <button>%s</button> <input size="8" value="%s"></p><hr></div>`,
			say(rng, 2), say(rng, 4), say(rng, 2), say(rng, 1), say(rng, 1))
		fmt.Fprintf(b, `<div style="position:absolute;left:12px;bottom:8px;font:13px sans-serif"><button>%s</button> <button disabled>%s</button> %s</div>`, say(rng, 1), say(rng, 1), say(rng, 3))
	case "book":
		fmt.Fprintf(b, `<p style="font:17px serif;margin:14px 18px"><b>%d.</b> %s.</p><p style="position:absolute;bottom:0;font:13px serif;margin:12px 18px">%s.</p>`, 1+rng.IntN(99), say(rng, 12), say(rng, 9))
		fmt.Fprintf(b, `<div style="position:absolute;left:%dpx;bottom:66px;width:60px;border-top:1px solid currentColor"></div>`, size.X/2-30)
	case "game":
		fmt.Fprintf(b, `<div style="font:bold 16px monospace;padding:10px 14px;letter-spacing:2px">LEVEL %d <span style="float:right">%02d:%02d</span><div style="margin-top:8px;width:120px;height:9px;border:2px solid currentColor;border-radius:6px"></div></div>`, 1+rng.IntN(40), rng.IntN(10), rng.IntN(60))
		fmt.Fprintf(b, `<div style="position:absolute;right:12px;bottom:10px;font:12px monospace">[%s] [%s]</div>`, say(rng, 1), say(rng, 1))
	}
}

// write lays the effects over a tile.
func (e *Effects) write(b *strings.Builder) {
	if e.Scan > 0 {
		fmt.Fprintf(b, `<div style="position:absolute;inset:0;background:repeating-linear-gradient(0deg,rgba(0,0,0,%.2f) 0 1px,transparent 1px 3px),radial-gradient(transparent 55%%,rgba(0,0,0,.45))"></div>`, e.Scan)
	}
	if e.Shade > 0 {
		fmt.Fprintf(b, `<div style="position:absolute;inset:0;background:linear-gradient(115deg,transparent 20%%,rgba(0,0,0,%.2f))"></div>`, e.Shade)
	}
}

// Sheet is a page of many tiles, its size, and where each of them is.
func Sheet(tiles []*Tile) (html []byte, size image.Point, at []image.Point) {
	// 2600: a browser draws a page up to 16384 pixels, and slows down long before.
	const width = 2600
	var b strings.Builder
	b.WriteString(`<!doctype html><meta charset="utf-8"><style>body{margin:0;background:#777}</style>`)
	x, y, row := 0, 0, 0
	for _, t := range tiles {
		if x > 0 && x+t.Size.X > width {
			x, y, row = 0, y+row, 0
		}
		at = append(at, image.Pt(x, y))
		fmt.Fprintf(&b, `<div style="position:absolute;left:%dpx;top:%dpx">%s</div>`, x, y, t.html)
		x, row = x+t.Size.X, max(row, t.Size.Y)
		size = image.Pt(max(size.X, x), y+row)
	}
	return []byte(b.String()), size, at
}
