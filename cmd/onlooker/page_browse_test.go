//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// fill keeps so many boards of all families in a store.
func fill(t *testing.T, file string, boards int) {
	t.Helper()
	s := solvetest.Must(store.Open(t.Context(), file, answer.Judge))(t)
	defer s.Close()
	all := games.Of()
	rng := rand.New(rand.NewPCG(7, 7))
	now := time.Now()
	var news []store.News
	seen := map[string]bool{}
	for len(news) < boards {
		g := &all[len(news)%len(all)]
		p := g.Generate(rng, 4+rng.IntN(3), 4+rng.IntN(3))
		text := solvetest.Must(p.MarshalText())(t)
		if seen[g.Name+string(text)] {
			continue
		}
		seen[g.Name+string(text)] = true
		news = append(news, store.News{Family: g.Name, Puzzle: p, Seen: []store.Origin{{Source: store.Generated, First: now, Last: now, Times: 1}}})
	}
	solvetest.Must(s.Keep(t.Context(), news...))(t)
}

// TestPageBrowses scrolls through 3,000 puzzles, filters them, and steps from
// one to the next.
func TestPageBrowses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.sqlite")
	fill(t, file, 3000)
	server := httptest.NewServer(testPage(t, file))
	t.Cleanup(server.Close)
	p := openPage(t)
	p.url = server.URL
	open := func() {
		p.do(chromedp.Navigate(p.url+"/#browse"), chromedp.Reload(), chromedp.WaitVisible("#browse-list button"))
		p.until("all are counted", "document.getElementById('browse-count').textContent === '3,000 puzzles'")
	}
	p.framesWhileScrolling(open)
	choose := func(id, value string) {
		p.eval(fmt.Sprintf("const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event('change', { bubbles: true }));", id, value), new(any))
	}
	choose("browse-family", "flow")
	p.until("those of flow", "document.getElementById('browse-count').textContent === '600 puzzles'")
	choose("browse-size", "5x5")
	p.until("those of 5x5", "[...document.querySelectorAll('#browse-list button')].every(b => b.textContent.includes('flow 5×5')) && document.querySelectorAll('#browse-list button').length > 0")
	// By keyboard: the first, the next, and back.
	p.eval("document.querySelector('#browse-list button').focus()", new(any))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("one is solved", "document.querySelector('#browse-card .verdict').textContent.includes('solved in')")
	var first, second string
	p.eval("return document.querySelector('#browse-card pre').textContent", &first)
	p.tabTo("#browse-one [data-step='1']")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("the next", "document.querySelector('#browse-card pre').textContent !== "+quoted(first)+" && document.querySelector('#browse-card .verdict').textContent.includes('solved in')")
	p.eval("document.querySelector('#browse-one [data-step=\"-1\"]').click()", new(any))
	p.until("the one before", "document.querySelector('#browse-card pre').textContent === "+quoted(first))
	p.eval("return document.querySelector('#browse-card pre').textContent", &second)
	if first != second {
		t.Error("next and before do not lead back")
	}
	p.eval("document.getElementById('browse-back').click()", new(any))
	p.until("the list is back, at the puzzle that was left", "!document.getElementById('browse-list').hidden && document.activeElement.closest('#browse-list') !== null")
}

// framesWhileScrolling scrolls from the first puzzle of a list, opened anew, to its
// last, and once more where that was too slow. No task of the page may take more than
// 100 ms of the processor in all of three scrolls. Where ONLOOKER_IDLE=1
// says that the machine does nothing else, nor may a frame: of all threads
// together, as if they ran one after the other, so that by the clock it takes
// less. (Frames that wait for a processor gather what belongs to others.) The
// clock is told, beside that of a page that does nothing: what both have is the
// machine's.
func (p *pageTest) framesWhileScrolling(open func()) {
	p.Helper()
	open()
	idle := p.traced("for (let i = 0; i < 120; i++) { await new Promise(requestAnimationFrame); mark(); }", new(any))
	// What scrolling itself takes it takes each time. What a busy machine adds, or the
	// collection of garbage that was left from before, it does not.
	var busy frameCost
	for try := range 3 {
		if try > 0 {
			open()
		}
		if cost := p.scrolled(); try == 0 || cost.Task < busy.Task {
			busy = cost
		}
		if busy.Task <= 100 && (busy.All <= 100 || os.Getenv("ONLOOKER_IDLE") == "") {
			break
		}
	}
	p.Logf("longest frame, in ms: at rest %+v; scrolling %+v", idle, busy)
	if busy.Task > 100 {
		p.Errorf("a task took %.1f ms of the processor in each of three scrolls, want at most 100", busy.Task)
	}
	if busy.All > 100 && os.Getenv("ONLOOKER_IDLE") != "" {
		p.Errorf("a frame took %.1f ms of the processor, want at most 100", busy.All)
	}
}

// scrolled is what the frames of one scroll through the list cost.
func (p *pageTest) scrolled() frameCost {
	p.Helper()
	var last string
	busy := p.traced(`scrollTo(0, 0);
		let still = 0, tile = '';
		for (let i = 0; i < 2000 && still < 5; i++) {
			await new Promise(requestAnimationFrame);
			mark();
			const before = scrollY;
			scrollBy(0, 800);
			tile = document.querySelector('#browse-list li:last-child').ariaPosInSet;
			still = scrollY === before && tile === '3000' ? still + 1 : 0;
		}
		return tile;`, &last)
	if last != "3000" {
		p.Fatalf("puzzle %s is the last in the list, want 3000", last)
	}
	if busy.Frames < 50 || busy.All == 0 {
		p.Fatalf("%d frames were traced, of %.1f ms: nothing was measured", busy.Frames, busy.All)
	}
	return busy
}
