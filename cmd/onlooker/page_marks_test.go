//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// TestPageMarks names, rates, searches, plays and forgets a puzzle.
func TestPageMarks(t *testing.T) {
	p := openPage(t)
	for _, text := range []string{tinyPanel, "grid 3x1\n*o*\n"} {
		p.paste(text)
		p.until("solved and kept", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	}
	p.do(chromedp.Click("nav [data-view=browse]"))
	p.listed("2 puzzles", 2)
	p.eval("document.querySelector('#browse-list li:last-child button').click()", new(any))
	p.until("its marks", "document.querySelector('#browse-marks .times').textContent === 'never played'")
	p.do(chromedp.Click("#browse-marks summary"), chromedp.SendKeys("#browse-marks .title", "The white one"+kb.Enter), chromedp.Click("#browse-marks [data-rate='1']"))
	p.until("liked", "document.querySelector('#browse-marks [data-rate=\"1\"]').ariaPressed === 'true'")
	p.do(chromedp.Click("#browse-marks [data-rate='-1']"))
	p.until("disliked, and not liked", "document.querySelector('#browse-marks [data-rate=\"-1\"]').ariaPressed === 'true' && document.querySelector('#browse-marks [data-rate=\"1\"]').ariaPressed === 'false'")
	p.do(chromedp.Click("#browse-marks [data-rate='1']"))
	p.until("liked again", "document.querySelector('#browse-marks [data-rate=\"1\"]').ariaPressed === 'true'")
	p.do(chromedp.Click("#browse-back"), chromedp.SendKeys("#browse-words", "WHITE"))
	p.listed("1 puzzle", 1)
	p.until("its title is in the list", "document.querySelector('#browse-list button').textContent.startsWith('The white one (witness 2×2), solved ♥')")
	p.eval("document.getElementById('browse-words').value = ''", new(any))
	p.choosing("browse-rating", "-1")
	p.listed("no puzzle is like that", 0)
	p.choosing("browse-rating", "1")
	p.listed("1 puzzle", 1)
	p.choosing("browse-rating", "0")
	p.choosing("browse-order", "oldest first")
	p.listed("2 puzzles", 2)
	p.until("the oldest is first", "document.querySelector('#browse-list button').textContent.startsWith('The white one')")

	// Of panels that are liked one was not solved by hand.
	p.choosing("browse-rating", "1")
	p.listed("1 puzzle", 1)
	p.do(chromedp.Click("#browse-pick"))
	p.until("it is played", "!document.getElementById('play').hidden && document.querySelector('#play-canvas svg') !== null && document.querySelector('#play-marks .title').value === 'The white one'")
	p.traceThrough([2]float64{0, 4}, [2]float64{0, 2}, [2]float64{0, 0}, [2]float64{2, 0}, [2]float64{4, 0}, [2]float64{5, 0})
	p.played("not right")
	p.until("it is counted", "document.querySelector('#play-marks .times').textContent === 'played 1 time'")
	p.traceThrough([2]float64{0, 4}, [2]float64{2, 4}, [2]float64{2, 2}, [2]float64{4, 2}, [2]float64{4, 0}, [2]float64{5, 0})
	p.played("right")
	p.until("solved, in the same go", "document.querySelector('#play-marks .times').textContent === 'played 1 time, solved by hand once'")
	// No other is left of those that are wanted: a new one is dealt.
	p.do(chromedp.Click("#play-another"))
	p.until("another", "document.querySelector('#play-marks .times').textContent === 'not kept' && document.querySelector('#play-canvas svg') !== null")

	p.do(chromedp.Click("nav [data-view=browse]"))
	p.listed("1 puzzle", 1)
	p.do(chromedp.Click("#browse-pick"))
	p.until("none is left", "document.getElementById('browse-count').textContent === 'all of these were solved by hand'")
	p.choosing("browse-hand", "solved")
	p.listed("1 puzzle", 1)
	p.do(chromedp.Click("#browse-list button"))
	p.until("one", "document.querySelector('#browse-marks .title').value === 'The white one'")
	p.do(chromedp.Click("#browse-marks .forget"), chromedp.Click("#browse-marks .no"), chromedp.Click("#browse-marks .forget"), chromedp.Click("#browse-marks .yes"))
	p.listed("no puzzle is like that", 0)
	p.choosing("browse-hand", "")
	p.choosing("browse-rating", "0")
	p.listed("1 puzzle", 1)
}

// TestPageKeepsEdited keeps a board from the editor, under a title.
func TestPageKeepsEdited(t *testing.T) {
	p := openPage(t)
	p.newBoard("flow", 2, 2)
	p.judged("no answer")
	p.choose("ends")
	p.drag(1, 1, 1, 3)
	p.drag(3, 1, 3, 3)
	p.edited("AB\nAB\n")
	p.until("it is not kept", "document.querySelector('#edit-marks .times').textContent === 'not kept'")
	p.do(chromedp.Click("#edit-marks summary"), chromedp.SendKeys("#edit-marks .title", "Two straight"+kb.Enter))
	p.until("it is kept", "document.querySelector('#edit-marks .times').textContent === 'never played' && document.querySelector('#edit-marks .keep').hidden")
	p.do(chromedp.Click("#edit-erase"))
	p.edited("flow 2x2\n..\n..\n")
	p.until("the empty one is not", "document.querySelector('#edit-marks .times').textContent === 'not kept' && document.querySelector('#edit-marks .title').value === ''")
	p.do(chromedp.Click("#edit-undo"))
	p.edited("AB\nAB\n")
	p.do(chromedp.Click("nav [data-view=browse]"))
	p.listed("1 puzzle", 1)
	p.until("its title", "document.querySelector('#browse-list button').textContent.startsWith('Two straight (flow 2×2)')")
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
	if kept != "dark 2" {
		t.Errorf("the next time the settings are %q, want dark and twice as fast", kept)
	}
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
