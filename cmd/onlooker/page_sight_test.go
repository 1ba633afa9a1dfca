//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/web"
	"onlooker/solve/solvetest"
)

// bulbPlaces are where the bulbs of bulbFrame are.
func bulbPlaces() []image.Point {
	return []image.Point{{60, 60}, {200, 50}, {330, 80}, {120, 190}, {260, 210}}
}

// bulbFrame is a picture of bulbs joined by lines, all of which are lit by the
// switches of the first and the fourth.
func bulbFrame() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 400, 280))
	draw.Draw(m, m.Rect, image.NewUniform(color.Black), image.Point{}, draw.Src)
	at := bulbPlaces()
	for _, l := range [][2]int{{0, 1}, {1, 2}, {0, 3}, {3, 4}, {1, 4}} {
		a, b := at[l[0]], at[l[1]]
		for k := range 2000 {
			x, y := a.X+(b.X-a.X)*k/2000, a.Y+(b.Y-a.Y)*k/2000
			draw.Draw(m, image.Rect(x-1, y-1, x+2, y+2), image.White, image.Point{}, draw.Src)
		}
	}
	for i, p := range at {
		ink := color.RGBA{250, 230, 90, 255}
		if i == 1 || i == 4 {
			ink = color.RGBA{40, 60, 40, 255}
		}
		for y := -16; y <= 16; y++ {
			for x := -16; x <= 16; x++ {
				switch d := x*x + y*y; {
				case d <= 13*13:
					m.Set(p.X+x, p.Y+y, ink)
				case d <= 16*16:
					m.Set(p.X+x, p.Y+y, color.White)
				}
			}
		}
	}
	return m
}

// onBulbs wants marks, each on a bulb of its own.
func (p *pageTest) onBulbs(what string, marks [][2]float64) {
	p.Helper()
	if len(marks) == 0 {
		p.Errorf("%s: nothing is marked", what)
	}
	taken := map[image.Point]bool{}
	for _, m := range marks {
		var bulb image.Point
		for _, at := range bulbPlaces() {
			if math.Hypot(m[0]-float64(at.X), m[1]-float64(at.Y)) < 5 {
				bulb = at
			}
		}
		if bulb == (image.Point{}) || taken[bulb] {
			p.Errorf("%s: a mark at %v, want each on a bulb of its own, of %v", what, m, bulbPlaces())
		}
		taken[bulb] = true
	}
}

// TestBulbsOnPages: an answer is marked on its bulbs, in a picture that is dropped on
// the page and on the live page.
func TestBulbsOnPages(t *testing.T) {
	p := openPage(t)
	frame := bulbFrame()
	var file bytes.Buffer
	solvetest.OK(t, png.Encode(&file, frame))
	p.eval(`const bytes = Uint8Array.from(atob(`+quoted(base64.StdEncoding.EncodeToString(file.Bytes()))+`), c => c.charCodeAt(0));
		const data = new DataTransfer(); data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));`, new(any))
	p.until("the answer lies over the picture", "document.querySelectorAll('#solve-sight circle[fill=\"#fff\"]').length > 0")
	centres := func(selector string) (at [][2]float64) {
		p.eval(`return [...document.querySelectorAll(`+quoted(selector)+`)].map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])`, &at)
		return at
	}
	p.onBulbs("a dropped picture", centres(`#solve-sight circle[fill="#fff"][stroke="#000"]`))
	drawn := centres("#solve-sight g.drawn circle")
	for _, at := range bulbPlaces() {
		found := false
		for _, c := range drawn {
			found = found || math.Hypot(c[0]-float64(at.X), c[1]-float64(at.Y)) < 5
		}
		if !found {
			t.Errorf("no bulb is drawn at %v of what was read, but at %v", at, drawn)
		}
	}

	quiet := quietProgram()
	eye := solvetest.Must(quiet.Games.PictureEye("auto"))(t)
	turn := (&see.Observer{Eye: eye}).Observe(t.Context(), see.View{Frame: frame, At: time.Now(), Alone: true})
	if len(turn.Boards) != 1 || turn.Boards[0].Strokes() == nil {
		t.Fatalf("%v, %v, want a board that is answered", turn, turn.Failed)
	}
	live := web.New(pageOptions(quiet, pageMemory))
	live.Turn(turn)
	served := solvetest.Must(live.Serve(":0", 0))(t)
	defer served.Close()
	p.do(chromedp.Navigate(served.URL))
	p.until("the answer lies over the frame", "document.querySelectorAll('#over circle').length > 0")
	p.onBulbs("the live page", centres(`#over circle[fill="#fff"]`))
}
