package main

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/store"
)

// fill keeps so many boards of all families in a store.
func fill(t *testing.T, file string, boards int) {
	t.Helper()
	s, err := store.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all := games()
	rng := rand.New(rand.NewPCG(7, 7))
	now := time.Now()
	var news []store.News
	seen := map[string]bool{}
	for len(news) < boards {
		g := &all[len(news)%len(all)]
		p := g.Generate(rng, 4+rng.IntN(3), 4+rng.IntN(3))
		text, err := p.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if seen[g.Name+string(text)] {
			continue
		}
		seen[g.Name+string(text)] = true
		news = append(news, store.News{Family: g.Name, Puzzle: p, Seen: []store.Sighting{{Source: store.Generated, First: now, Last: now, Times: 1}}})
	}
	if _, err := s.Keep(t.Context(), news...); err != nil {
		t.Fatal(err)
	}
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
	p.do(chromedp.Navigate(p.url+"/#browse"), chromedp.WaitVisible("#browse-list button"))
	p.until("all are counted", "document.getElementById('browse-count').textContent === '3,000 puzzles'")
	// How long frames take of a page that does nothing: where those are long,
	// the machine is busy with something else, and no frame can be judged.
	var idle float64
	p.eval(`let last = performance.now(), worst = 0;
		for (let i = 0; i < 60; i++) { await new Promise(requestAnimationFrame); const now = performance.now(); worst = Math.max(worst, now - last); last = now; }
		return worst;`, &idle)
	var frames struct{ Tiles, Frames, Worst float64 }
	p.eval(`let last = performance.now(), worst = 0, frames = 0, still = 0;
		const began = last;
		let tile = 0;
		while (still < 10 && last - began < 120000) {
			await new Promise(requestAnimationFrame);
			const now = performance.now(); worst = Math.max(worst, now - last); last = now; frames++;
			const before = scrollY; scrollBy(0, 400);
			tile = document.querySelector('#browse-list li:last-child').ariaPosInSet;
			still = scrollY === before && tile === '3000' ? still + 1 : 0;
		}
		return { Tiles: Number(tile), Frames: frames, Worst: worst };`, &frames)
	t.Logf("%.0f puzzles in %.0f frames, the longest took %.0f ms; %.0f ms of a page at rest", frames.Tiles, frames.Frames, frames.Worst, idle)
	if frames.Tiles != 3000 {
		t.Fatalf("%.0f puzzles were listed, want 3000", frames.Tiles)
	}
	switch {
	case idle > 40: // two frames were missed at rest
		t.Log("the machine is busy: how long frames take is not judged")
	case frames.Worst > 100:
		t.Errorf("a frame took %.0f ms, want at most 100", frames.Worst)
	}

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

// TestPageKeeps solves a puzzle twice: the second time the store knows it.
func TestPageKeeps(t *testing.T) {
	p := openPage(t)
	p.paste(tinyPanel)
	p.until("solved", "document.querySelector('#solve-card .verdict').textContent.startsWith('solved in')")
	p.until("counted", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	p.paste(tinyPanel)
	p.until("solved before", "document.querySelector('#solve-card .verdict').textContent.startsWith('solved before')")
	p.do(chromedp.Click("nav [data-view=browse]"))
	p.until("it is in the list", "document.getElementById('browse-count').textContent === '1 puzzle' && document.querySelector('#browse-list').textContent.includes('solved')")
}
