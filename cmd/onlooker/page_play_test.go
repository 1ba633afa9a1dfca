package main

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
		if hinted != "2.000,4.000 2.000,2.000" {
			t.Errorf("the next step is shown at %s, want from (2,4) up to (2,2)", hinted)
		}
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
