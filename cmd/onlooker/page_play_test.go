//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/solve/solvetest"
)

// choosing sets a select of the page, as choosing in it does.
func (p *pageTest) choosing(id, value string) {
	p.Helper()
	p.eval(`const s = document.getElementById(`+quoted(id)+`); s.value = `+quoted(value)+`;
		if (s.value !== `+quoted(value)+`) throw new Error('no such choice');
		s.dispatchEvent(new Event('change', { bubbles: true }));`, new(any))
}

// listed waits until the list says how many puzzles there are, and shows them.
func (p *pageTest) listed(count string, tiles int) {
	p.Helper()
	p.until(count+" are listed", "document.getElementById('browse-count').textContent.startsWith("+quoted(count)+") && document.querySelectorAll('#browse-list button').length === "+quoted(tiles))
}

// TestPageForgets: one of two kept puzzles is forgotten, once that was asked twice.
func TestPageForgets(t *testing.T) {
	p := openPage(t)
	for _, text := range []string{tinyPanel, "grid 3x1\n*o*\n"} {
		p.paste(text)
		p.until("solved and kept", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	}
	p.do(chromedp.Click("nav [data-view=browse]"))
	p.listed("2 puzzles", 2)
	p.eval("document.querySelector('#browse-list li:last-child button').click()", new(any))
	p.until("one", "!document.querySelector('#browse-one').hidden && document.querySelector('#browse-forget .sure').hidden")
	p.do(chromedp.Click("#browse-forget .forget"), chromedp.Click("#browse-forget .no"), chromedp.Click("#browse-forget .forget"), chromedp.Click("#browse-forget .yes"))
	p.listed("1 puzzle", 1)
	p.until("the other is left", "document.querySelector('#browse-list button').textContent.startsWith('switches 3×1')")
	p.choosing("browse-family", "switches")
	p.listed("1 puzzle", 1)
}

// TestPageCounts counts all answers of a panel and goes through them by tens.
func TestPageCounts(t *testing.T) {
	p := openPage(t)
	// An empty 3x3 panel has 184 lines from corner to corner.
	p.paste("panel 3x3\n+-+-+->\n| | | |\n+-+-+-+\n| | | |\n+-+-+-+\n| | | |\n@-+-+-+\n")
	said := "document.querySelector('#solve-card .verdict').textContent"
	which := "document.querySelector('#solve-card .which').textContent"
	p.until("more than one", said+".includes('at least 2 answers')")
	p.do(chromedp.Click("#solve-card .count"))
	p.until("all are counted", said+" === '184 answers' && document.querySelector('#solve-card .count').hidden && "+which+" === 'answer 1 of 184'")
	p.do(chromedp.Click("#solve-card [data-step='10']"))
	p.until("the eleventh", which+" === 'answer 11 of 184'")
	p.do(chromedp.Click("#solve-card [data-step='-1']"))
	p.until("the tenth", which+" === 'answer 10 of 184'")
	p.do(chromedp.Click("#solve-card [data-step='-10']"))
	p.until("the first again", which+" === 'answer 1 of 184'")
	for i := range 19 {
		p.do(chromedp.Focus("#solve-card .board"), chromedp.KeyEvent(kb.PageDown))
		p.until("ten more", which+" === 'answer "+quoted(min(184, 11+10*i))+" of 184'")
	}
	p.until("that is the last", "document.querySelector('#solve-card [data-step=\"10\"]').disabled")
}

// TestPageSettings chooses colours, and a faster mouse.
func TestPageSettings(t *testing.T) {
	p := openPage(t)
	ground := func() (colour string) {
		p.eval("return getComputedStyle(document.body).backgroundColor", &colour)
		return colour
	}
	p.do(chromedp.Click("#settings summary"))
	p.choosing("set-theme", "light")
	light := ground()
	p.choosing("set-theme", "dark")
	if dark := ground(); dark == light || dark == "rgba(0, 0, 0, 0)" {
		t.Errorf("the ground is %s in light and %s in dark", light, dark)
	}
	p.eval(`const f = document.getElementById('set-speed'); f.value = 2; f.dispatchEvent(new Event('input'));`, new(any))
	p.do(chromedp.Navigate(p.url+"/?again"), chromedp.WaitVisible("#paste-text"))
	var kept string
	p.eval("return document.documentElement.dataset.theme + ' ' + document.getElementById('set-speed').value", &kept)
	solvetest.Same(t, kept, "dark 2", "the next time the settings")
	// The pointer goes half of the way to the end.
	p.playing("witness", "panel 2x1\n+-+-+\n| | |\n@-+->\n")
	p.traceThrough([2]float64{0, 2}, [2]float64{1, 2}, [2]float64{2.6, 2})
	p.played("right")
}

// TestPageGrows makes the largest panel, and grows a small one at its top.
func TestPageGrows(t *testing.T) {
	p := openPage(t)
	p.newBoard("witness", 2, 2)
	p.choose("square")
	p.click(1, 1)
	p.edited("|a| |\n+-+-+\n| | |\n@-+-+\n")
	p.pull("top", 0, -2)
	p.edited("panel 2x3\n+-+->\n| | |\n+-+-+\n|a| |\n+-+-+\n| | |\n@-+-+\n")
	p.set("#edit-board", "cols", "100")
	p.edited("panel 100x3\n")
	p.set("#edit-board", "rows", "100")
	p.edited("panel 100x100\n")
	p.until("it is drawn", "document.querySelectorAll('#edit-canvas svg *').length > 10000")
	p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	p.edited("panel 100x3\n")
}

// playing opens a board in the view Play.
func (p *pageTest) playing(family, text string) {
	p.Helper()
	p.eval(`const { link } = await import('./api.js'); location.hash = link('play', { family: `+quoted(family)+`, text: `+quoted(text)+` });`, new(any))
	p.until("the board is there", `document.querySelector('#play-canvas svg') !== null && document.querySelector('#play-actions a')?.href.includes('f=`+family+`')`)
}

func (p *pageTest) played(want string) {
	p.Helper()
	p.until("the verdict begins "+want, "document.getElementById('play-verdict').textContent.startsWith("+quoted(want)+")")
}

// traceThrough drags the pointer over places of the picture.
func (p *pageTest) traceThrough(places ...[2]float64) {
	p.Helper()
	at := p.spot("#play-canvas", places[0][0], places[0][1])
	p.do(input.DispatchMouseEvent(input.MousePressed, at.X, at.Y).WithButton(input.Left).WithClickCount(1))
	for _, place := range places[1:] {
		from := at
		at = p.spot("#play-canvas", place[0], place[1])
		for _, part := range []float64{0.3, 0.7, 1} {
			p.do(input.DispatchMouseEvent(input.MouseMoved, from.X+part*(at.X-from.X), from.Y+part*(at.Y-from.Y)).WithButton(input.Left))
		}
	}
	p.do(input.DispatchMouseEvent(input.MouseReleased, at.X, at.Y).WithButton(input.Left).WithClickCount(1))
}

// TestPagePlays enters answers by hand: a line, several lines, and choices.
func TestPagePlays(t *testing.T) {
	p := openPage(t)
	t.Run("panel", func(t *testing.T) {
		p := p.with(t)
		p.playing("witness", tinyPanel)
		// Round the white square on the wrong side, and then as it is right.
		p.traceThrough([2]float64{0, 4}, [2]float64{0, 2}, [2]float64{0, 0}, [2]float64{2, 0}, [2]float64{4, 0}, [2]float64{5, 0})
		p.played("not right")
		p.until("all that is wrong is ringed", "document.querySelectorAll('#play-canvas .ring').length === 4")
		p.traceThrough([2]float64{0, 4}, [2]float64{2, 4}, [2]float64{2, 2}, [2]float64{4, 2}, [2]float64{4, 0}, [2]float64{5, 0})
		p.played("right")
	})
	t.Run("panel by keyboard, with a hint", func(t *testing.T) {
		p := p.with(t)
		p.do(chromedp.Click("#play-drop"), chromedp.Focus("#play-canvas"))
		p.do(chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowRight))
		p.do(chromedp.Click("#play-hint"))
		p.played("the next step is shown")
		var hinted string
		p.eval("return document.querySelector('#play-canvas .hinted').getAttribute('points')", &hinted)
		solvetest.Same(t, hinted, "2.000,4.000 2.000,2.000", "the next step is shown at")
		p.do(chromedp.Focus("#play-canvas"), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp))
		p.do(chromedp.Click("#play-hint"))
		p.played("no answer goes on from there")
		p.do(chromedp.Focus("#play-canvas"), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter))
		p.played("right")
	})
	t.Run("flow", func(t *testing.T) {
		p := p.with(t)
		p.playing("flow", "flow 3x2\nA.B\nA.B\n")
		p.traceThrough([2]float64{1, 1}, [2]float64{3, 1}, [2]float64{3, 3}, [2]float64{1, 3})
		p.played("1 of 2 lines")
		p.traceThrough([2]float64{5, 3}, [2]float64{5, 1})
		p.played("right")
	})
	t.Run("alcazar", func(t *testing.T) {
		p := p.with(t)
		p.playing("alcazar", "alcazar 2x2\nxxxxx\n.0.0x\nx.x.x\nx0.0x\nx.xxx\n")
		p.traceThrough([2]float64{1, 5}, [2]float64{1, 3}, [2]float64{3, 3}, [2]float64{3, 1}, [2]float64{1, 1}, [2]float64{-1, 1}, [2]float64{-2, 1})
		p.played("right")
	})
	t.Run("fans", func(t *testing.T) {
		p := p.with(t)
		p.playing("fans", "FT\n")
		at := p.spot("#play-canvas", 1, 1)
		p.do(chromedp.MouseClickXY(at.X, at.Y))
		p.played("not right")
		p.do(chromedp.MouseClickXY(at.X, at.Y))
		p.played("right")
	})
	t.Run("switches by keyboard", func(t *testing.T) {
		p := p.with(t)
		p.playing("switches", "grid 3x1\n*o*\n")
		p.do(chromedp.Focus("#play-canvas"), chromedp.KeyEvent(kb.Enter), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter))
		p.played("not right")
		p.do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.Enter))
		p.played("right")
	})
}

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
