//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
)

// sitePanels are panels with arrows that have an answer, as the site's editor begins
// them: four cells each way, a start below at the left, an end above at the right.
func sitePanels(t *testing.T, n int) (all []*panels.Panel) {
	t.Helper()
	rng := rand.New(rand.NewPCG(53, 1))
	for len(all) < n {
		p := panels.New(4, 4, false)
		p.Rules = panels.WitnessPuzzles
		p.At(image.Pt(0, 8)).Start, p.At(image.Pt(8, 0)).Cap = true, image.Pt(1, 0)
		for i, k := range rng.Perm(16)[:3+rng.IntN(4)] {
			s := &p.At(image.Pt(2*(k%4)+1, 2*(k/4)+1)).Symbol
			if *s = panels.Arrow.Sample(rng); i > 2 {
				*s = panels.Square.Sample(rng)
			}
			s.Colour, s.Count = []panels.Colour{"black", "white", "purple"}[rng.IntN(3)], min(s.Count, 3)
		}
		if _, err := witness.Of(p).Solve(t.Context()); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// siteEditor is the site's editor, in which panels are set by what it has for that.
type siteEditor struct {
	*testing.T
	page context.Context
	rot  int    // that the next arrow has
	tool string // the last button
}

// do runs a script on the page.
func (e *siteEditor) do(script string, to any) {
	e.Helper()
	if err := chromedp.Run(e.page, chromedp.Evaluate(script, to)); err != nil {
		e.Fatalf("%s: %v", script, err)
	}
}

// press presses a button of the page by its id.
func (e *siteEditor) press(id string) {
	e.Helper()
	e.do(fmt.Sprintf("document.getElementById('%s').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))", id), nil)
}

// set sets a panel and has the page wait for a line.
func (e *siteEditor) set(p *panels.Panel) {
	e.Helper()
	e.press("newButton")
	for at := range p.Points() {
		s := p.At(at).Symbol
		if s.Kind == panels.NoSymbol {
			continue
		}
		e.press(string(s.Colour))
		name := s.Kind.About().Site
		if e.tool != name {
			e.press(name)
			e.tool = name
		}
		if want := slices.Index(panels.Directions(8), s.Way); s.Kind == panels.Arrow {
			for ; e.rot != want; e.rot = (e.rot + 1) % 8 {
				e.press(name)
			}
		}
		for range max(1, s.Count) {
			// Of the places that take a click those of one column follow each other.
			e.do(fmt.Sprintf("document.querySelectorAll('#puzzle rect[opacity]')[%d].dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))", at.X*p.Height()+at.Y), nil)
		}
		var shown string
		e.do(fmt.Sprintf("(c => [c.type, c.color, c.count || 0, c.rot || 0].join())(puzzle.grid[%d][%d])", at.X, at.Y), &shown)
		if want := fmt.Sprintf("%s,%s,%d,%d", name, s.Colour, s.Count, max(0, slices.Index(panels.Directions(8), s.Way))); shown != want {
			e.Fatalf("the editor has %s at %v, want %s", shown, at, want)
		}
	}
	e.press("solveMode")
	e.do("window.heard = ''; window.PLAY_SOUND = name => { window.heard = name }", nil)
}

// TestSiteArrows sets panels with arrows in witnesspuzzles.com's editor for sigma144's
// randomizer, where a clone of the site lies at $SCRATCH/jbzdarkid.github.io, and has
// them read off the screen, solved and entered: the page's own rules must accept each.
func TestSiteArrows(t *testing.T) {
	server := httptest.NewServer(http.FileServer(http.Dir(siteClone(t, "editor_sigma.html"))))
	defer server.Close()
	const ready = "document.querySelectorAll('#puzzle rect[opacity]').length > 0"
	// The page for the randomizer needs a panel from the usual editor to begin with.
	e := &siteEditor{T: t, page: openSite(t, server.URL+"/editor.html", ready)}
	solvetest.OK(t, chromedp.Run(e.page, chromedp.Navigate(server.URL+"/editor_sigma.html"), chromedp.Poll(ready, nil, chromedp.WithPollingTimeout(time.Minute))))
	all, accepted := sitePanels(t, 10), 0
	for i, p := range all {
		e.set(p)
		out, said, status := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--solves", "1", "--patience", "20s", "--profile", "witnesspuzzles")
		var heard string
		e.do("window.heard", &heard)
		if status != 0 || heard != "success" {
			t.Errorf("panel %d: status %d, the page says %q:\n%s\n%s%s", i, status, heard, panelText(t, p), out, said)
			continue
		}
		accepted++
	}
	t.Logf("%d of %d accepted", accepted, len(all))
}

// panelText is a panel as text.
func panelText(t *testing.T, p *panels.Panel) string {
	t.Helper()
	b := solvetest.Must(witness.Of(p).MarshalText())(t)
	return strings.TrimSpace(string(b))
}
