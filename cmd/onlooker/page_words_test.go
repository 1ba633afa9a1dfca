//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
)

// TestPageBegins has an empty page help, and an example solved at a click.
func TestPageBegins(t *testing.T) {
	p := openPage(t)
	shown := func(id string) string { return "!document.getElementById('" + id + "').hidden" }
	p.until("help where nothing was solved", shown("solve-help"))
	p.eval("location.hash = '#browse'", new(any))
	p.until("help where nothing is kept", shown("browse-help")+" && document.getElementById('browse-count').textContent === 'no puzzles yet' && document.getElementById('browse-clear').hidden")
	p.eval("location.hash = '#live'", new(any))
	p.until("help where nothing watches", shown("live-help"))
	p.eval("location.hash = '#random'", new(any))
	p.until("help where nothing was dealt", shown("random-help"))
	p.eval("location.hash = '#solve'", new(any))
	p.do(chromedp.Click("#solve-example"))
	p.until("the example has one answer", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one answer') && document.getElementById('solve-help').hidden")
	p.until("in words", "[...document.querySelectorAll('#solve-card .moves li')].some(li => li.textContent.startsWith('from corner column 1 row 5: '))")

	p.eval("location.hash = '#browse'", new(any))
	p.until("it is kept", "document.getElementById('browse-count').textContent === '1 puzzle' && document.getElementById('browse-help').hidden")
	p.eval(`const w = document.getElementById('browse-words'); w.value = 'nothing has this'; w.dispatchEvent(new Event('input', { bubbles: true }));`, new(any))
	p.until("no match is not no puzzles", "document.getElementById('browse-count').textContent === 'no puzzle is like that' && document.getElementById('browse-help').hidden")
	p.do(chromedp.Click("#browse-clear"))
	p.until("all again", "document.getElementById('browse-count').textContent === '1 puzzle' && document.getElementById('browse-words').value === ''")
}

// TestPageHidesAnswers has a random puzzle's answer shown only when it is asked for.
func TestPageHidesAnswers(t *testing.T) {
	p := openPage(t)
	p.eval("location.hash = '#random'", new(any))
	p.until("the form", "document.querySelectorAll('#deal-wishes input').length > 0")
	p.eval("document.getElementById('deal-seed').value = '7'; document.getElementById('deal').requestSubmit()", new(any))
	answered := "document.querySelector('#random-card svg polyline[stroke=\"#ffffff\"]') !== null"
	p.until("dealt and solved", "document.querySelector('#random-card .verdict').textContent.includes('answer') && !document.querySelector('#random-card .asked').hidden")
	var seen bool
	if p.eval("return "+answered+" || !document.querySelector('#random-card .moves').hidden || !document.querySelector('#random-card .steps').hidden", &seen); seen {
		t.Error("the answer is shown before it is asked for")
	}
	p.do(chromedp.Click("#random-card .reveal"))
	p.until("the answer", answered+" && document.querySelector('#random-card .asked').hidden && !document.querySelector('#random-card .moves').hidden")
}

// TestPageEditStatus holds the status of the editor against the board at every moment.
func TestPageEditStatus(t *testing.T) {
	p := openPage(t)
	p.newBoard("witness", 2, 2)
	p.judged("more than one answer")
	// What the status says at each change of the board.
	p.eval(`window.seen = []; new MutationObserver(() => seen.push(document.getElementById('edit-verdict').textContent))
		.observe(document.getElementById('edit-text'), { childList: true, characterData: true, subtree: true });`, new(any))
	p.choose("end")
	p.click(4, 0)
	p.judged("no answer")
	p.do(chromedp.Click("#edit-undo"))
	p.judged("more than one answer")
	var seen []string
	p.eval("return window.seen", &seen)
	for _, said := range seen {
		if said != "solving…" {
			t.Errorf("as the board changed the status said %q, want that it is being solved", said)
		}
	}
	if len(seen) != 2 {
		t.Errorf("the board changed %d times, want twice", len(seen))
	}
	p.eval(`const { post } = await import('./api.js'); window.real = window.fetch;
		window.fetch = (path, o) => real(path, path === 'api/edit' ? { ...o, body: JSON.stringify({ ...JSON.parse(o.body), at: [[99, 99]] }) } : o);`, new(any))
	p.choose("square")
	p.click(1, 1)
	p.until("a refusal beside the status", "document.getElementById('edit-trouble').textContent.startsWith('Square at') && document.getElementById('edit-verdict').textContent === 'more than one answer'")
	p.eval(`window.fetch = real`, new(any))
	p.click(1, 1)
	p.until("done, and nothing is in the way", "document.getElementById('edit-trouble').textContent === '' && document.getElementById('edit-text').textContent.includes('black square')")
	p.eval(`document.querySelector('#edit-actions summary').click()`, new(any))
	p.until("the menu", "document.querySelectorAll('#edit-actions .share button').length > 3")
	p.judged("more than one answer")
	p.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text; };
		[...document.querySelectorAll('#edit-actions .share button')].find(b => b.textContent === 'Copy as text').click()`, new(any))
	p.until("copied is said where it was asked for", "document.querySelector('#edit-actions .share .said').textContent === 'copied' && document.getElementById('edit-verdict').textContent === 'more than one answer'")
}

// TestPageCopies copies what others can open: a link to The Windmill, and what
// witnesspuzzles.com takes.
func TestPageCopies(t *testing.T) {
	p := openPage(t)
	panel := solvetest.Must(forms.Parse([]byte(tinyPanel)))(t)
	code := solvetest.Must(forms.EncodeWindmill(panel))(t)
	p.paste(tinyPanel)
	p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('answer')")
	p.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text; }; document.querySelector('#solve-card .share summary').click()`, new(any))
	p.until("the menu", "document.querySelectorAll('#solve-card .share button').length > 3")
	copied := func(words, said string) string {
		p.eval("window.copied = ''; [...document.querySelectorAll('#solve-card .share button')].find(b => b.textContent === "+quoted(words)+").click()", new(any))
		p.until(words, "window.copied !== '' && document.querySelector('#solve-card .share .said').textContent.includes("+quoted(said)+")")
		var text string
		p.eval("return window.copied", &text)
		return text
	}
	if got := copied("Copy a link", "a link to windmill.thefifthmatt.com"); got != "https://windmill.thefifthmatt.com/"+code {
		t.Errorf("the link is %s, want that of %s", got, code)
	}
	got, err := forms.DecodeJSON([]byte(copied("Copy as witnesspuzzles", "importPuzzle()")))
	if err != nil || !strings.Contains(forms.String(got), "white square") {
		t.Errorf("for witnesspuzzles.com: %v, %v", got, err)
	}
	if got := copied("Copy the address of this page", "on this machine only"); !strings.HasPrefix(got, p.url+"/#solve?f=witness") {
		t.Errorf("the page's address is %s", got)
	}
}

// TestPageSettingsClose closes the settings in every way that people try.
func TestPageSettingsClose(t *testing.T) {
	p := openPage(t)
	open := "document.getElementById('settings').open"
	for _, row := range []struct {
		why string
		act chromedp.Action
	}{
		{"the button", chromedp.Click("#set-close")},
		{"a click elsewhere", chromedp.MouseClickXY(700, 700)},
		{"Escape", chromedp.KeyEvent(kb.Escape)},
		{"another view", chromedp.Evaluate("location.hash = '#browse'; 0", nil)},
	} {
		p.do(chromedp.Click("#settings summary"))
		p.until("open", open)
		p.do(chromedp.Focus("#set-theme"), row.act)
		p.until(row.why, "!"+open)
	}
}

// TestPageServerGone has the page say by itself that the program has ended, and
// go on when it is there again.
func TestPageServerGone(t *testing.T) {
	p := openBrowser(t)
	page := testPage(t, filepath.Join(t.TempDir(), "store.sqlite"))
	server := httptest.NewServer(page)
	address := server.Listener.Addr().String()
	p.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#paste-text"))
	p.paste(tinyPanel)
	p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	server.CloseClientConnections()
	server.Close()
	p.until("said without being asked", "!document.getElementById('gone').hidden")
	p.do(chromedp.Click("#paste button[type=submit]"))
	p.until("the answer to a question says so too", "document.querySelector('#solve-card .verdict').textContent === 'not answered: onlooker is not running any more'")
	if axe := accessibility(t); axe != "" {
		p.judge("a page whose server has gone", axe)
	}
	l := solvetest.Must(listenAgain(address))(t)
	again := &http.Server{Handler: page}
	go func(l net.Listener) { _ = again.Serve(l) }(l)
	t.Cleanup(func() { again.Close() })
	p.until("it goes on", "document.getElementById('gone').hidden")
	p.do(chromedp.Click("#paste button[type=submit]"))
	p.until("solved again", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
}

// TestPageWords wants errors in the page's own words: no flag, no command, no word of Go.
func TestPageWords(t *testing.T) {
	p := openPage(t)
	for _, text := range []string{"once upon a time", "{\"grid\": 3", "panel 2x2\n+-+\n", "CAUSAigEEgII", "flow 3x2\nA.B\nA.\n", "https://windmill.thefifthmatt.com/cmkhg78", "alcazar 2x2\nxx\n", "4,0,1,2;0,1"} {
		p.paste(text)
		p.until(text+" is refused", "document.querySelector('#solve-card .verdict').classList.contains('bad') && document.querySelector('#solve-card .verdict').textContent !== ''")
		var said string
		p.eval("return document.querySelector('#solve-card .verdict').textContent", &said)
		for _, word := range []string{"--", "onlooker ", "EOF", "strconv", "json:", "invalid character", "no such file"} {
			if strings.Contains(said, word) {
				t.Errorf("%q is refused with %q, which has %q", text, said, word)
			}
		}
	}
}
