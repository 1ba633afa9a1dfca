//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"onlooker/solve/solvetest"
)

// TestPageSizes solves a text and a picture, deals a panel, edits one and does what people know of
// other editors on a phone, a tablet and a laptop: the answer is in the first screenful, the
// button in sight, and nothing reaches out of the window.
func TestPageSizes(t *testing.T) {
	p := openPage(t)
	for _, size := range [][2]int64{{390, 844}, {768, 1024}, {1440, 900}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			p := p.with(t)
			p.do(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, size[0] < 500))
			p.paste(tinyPanel)
			p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
			p.inSight("the answer", "#solve-card .board svg")
			p.inspect("a text", "")
			p.dropScreenshot()
			p.inSight("the answer of a picture", "#solve-card .board svg")
			p.inspect("a picture", "")
			p.eval("location.hash = '#random'", new(any))
			p.until("the form", "document.querySelectorAll('#deal-wishes input').length > 0")
			p.inSight("the button that deals", "#deal [type=submit]")
			p.eval("document.getElementById('deal-preset').value = 'stars'", new(any))
			p.do(chromedp.Click("#deal [type=submit]"))
			p.until("dealt", "document.querySelector('#random-card .verdict').textContent.includes('answer')")
			p.inspect("a dealt panel", "")
			p.eval("sessionStorage.clear(); localStorage.clear()", new(any))
			p.do(chromedp.Navigate(p.url + "/?" + fmt.Sprint(size[0]) + "#edit"))
			p.until("a board", "document.querySelector('#edit-canvas svg') !== null")
			p.editWitness()
			p.inspect("the editor", "")
			p.newBoard("flow", 2, 2)
			p.editAsElsewhere()
			p.inspect("the editor of a larger panel", "")
			if size[0] < 500 {
				p.editByFinger()
				p.inspect("the editor by finger", accessibility(t))
			}
		})
	}
}

// TestPageDoors: both doors of a dropped picture are drawn in the first screenful, named, and
// neither of them stays when another board comes.
func TestPageDoors(t *testing.T) {
	file, err := os.ReadFile(solvetest.Shared("captures", "double-door-17.png"))
	if err != nil {
		t.Skip("no shared captures: set ONLOOKER_SHARED to their folder")
	}
	p := openPage(t)
	for _, size := range [][2]int64{{390, 844}, {1440, 900}} {
		p.do(emulation.SetDeviceMetricsOverride(size[0], size[1], 1, size[0] < 500))
		p.drop(file)
		for card, place := range map[string]string{"solve-card": "solve-place", "solve-second": "solve-second-place"} {
			p.until(card, "document.querySelector('#"+card+" .verdict').textContent.includes('solved') && document.getElementById('"+place+"').textContent.endsWith(' door')")
			p.inSight(card, "#"+card+" .board svg")
			p.inSight(place, "#"+place)
		}
		p.paste(tinyPanel)
		p.until("another board", "document.querySelector('#solve-second .card').hidden && document.getElementById('solve-second-place').hidden && document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	}
}

// inSight wants what is found in the first screenful, and large enough to be used.
func (p *pageTest) inSight(what, selector string) {
	p.Helper()
	var box struct{ Top, Bottom, Width, Height float64 }
	p.eval(`scrollTo(0, 0); const r = document.querySelector(`+quoted(selector)+`).getBoundingClientRect();
		return { top: r.top, bottom: r.bottom, width: r.width, height: innerHeight };`, &box)
	if box.Top < 0 || box.Bottom > box.Height || box.Width < 40 {
		p.Errorf("%s lies at %.0f to %.0f of %.0f, %.0f wide", what, box.Top, box.Bottom, box.Height, box.Width)
	}
}
