//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"onlooker/solve/solvetest"
)

// shotsFlag names a folder that gets a picture of every view at every width,
// for somebody to look at.
const shotsFlag = "ONLOOKER_KEEP"

// TestPageViews looks at every view in two widths, light and dark: nothing
// reaches out of the window, and axe-core finds no serious fault of
// accessibility.
func TestPageViews(t *testing.T) {
	p := openPage(t)
	axe := accessibility(t)
	p.paste(tinyPanel)
	p.until("a puzzle is solved and kept", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	p.eval(`const { post } = await import('./api.js'); await post('api/mark', { family: 'witness', text: `+quoted(tinyPanel)+`, title: 'The white one', note: 'two of three', rating: 1 });`, new(any))
	views := p.views()
	p.everywhere(func(said string) {
		for _, view := range views {
			p.eval("location.hash = "+quoted(view.hash), new(any))
			p.until(view.name, "!document.getElementById(location.hash.slice(1).split('?')[0]).hidden && "+view.ready)
			if view.act != nil {
				view.act()
				p.until(view.name+" after it", view.then)
			}
			p.inspect(view.name+said, axe)
		}
	})
}

// everywhere does something in two widths, light and dark, which is said.
func (p *pageTest) everywhere(do func(said string)) {
	for _, width := range []int64{1440, 390} {
		for _, scheme := range []string{"light", "dark"} {
			height := map[int64]int64{1440: 900, 390: 844}[width]
			p.do(emulation.SetDeviceMetricsOverride(width, height, 1, width < 500),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			do(fmt.Sprintf("-%d-%s", width, scheme))
		}
	}
}

// inspect looks at what the page shows now.
func (p *pageTest) inspect(name, axe string) {
	p.Helper()
	var over float64
	p.eval("return document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
	if over > 0 {
		p.Errorf("%s reaches %.0f pixels out of the window", name, over)
	}
	if axe != "" {
		p.judge(name, axe)
	}
	if folder := os.Getenv(shotsFlag); folder != "" {
		p.shoot(filepath.Join(folder, name+".png"))
	}
}

// accessibility is axe-core; "" where it was not fetched.
func accessibility(t *testing.T) string {
	t.Helper()
	found := solvetest.Must(filepath.Glob("../../.build/axe-*.js"))(t)
	if len(found) == 0 {
		t.Log("axe-core is not in .build (.ci/setup test fetches it): accessibility is not judged")
		return ""
	}
	axe := solvetest.Must(os.ReadFile(found[0]))(t)
	return string(axe)
}

// A pageView is a view to look at: where it is, what is true when it is there,
// and what is done then, until something else is true.
type pageView struct {
	name, hash, ready string
	act               func()
	then              string
}

// views are all views of the page, some of them in several states.
func (p *pageTest) views() []pageView {
	at := func(view, family, text string) string {
		var hash string
		p.eval(`const { link } = await import('./api.js'); return link(`+quoted(view)+`, { family: `+quoted(family)+`, text: `+quoted(text)+` });`, &hash)
		return hash
	}
	click := func(selector string) func() {
		return func() { p.eval("document.querySelector("+quoted(selector)+").click()", new(any)) }
	}
	drawn := "[...document.querySelectorAll('#browse-list img')].every(i => i.complete && i.naturalWidth > 0) && document.querySelectorAll('#browse-list img').length > 0"
	settled := "document.querySelector('#settings').open === "
	return []pageView{
		{name: "solve", hash: at("solve", "witness", tinyPanel), ready: "document.querySelector('#solve-card .verdict').textContent.includes('answer')"},
		{name: "sight", hash: "#solve", ready: "true", act: p.dropScreenshot, then: "document.querySelector('#solve-card .verdict').textContent.includes('answer')"},
		{name: "none", hash: at("solve", "fans", "FT.\n..T\n"), ready: "document.querySelector('#solve-card .why').textContent !== ''"},
		{name: "browse", hash: "#browse", ready: drawn},
		{name: "one", hash: "#browse", ready: drawn, act: click("#browse-list li:last-child button"), then: "document.querySelector('#browse-marks .title')?.value === 'The white one'"},
		{name: "edit", hash: at("edit", "witness", tinyPanel), ready: "document.getElementById('edit-verdict').textContent === 'exactly one answer'"},
		{name: "edit-piece", hash: at("edit", "witness", tinyPanel), ready: "document.getElementById('edit-verdict').textContent === 'exactly one answer'",
			act: click("#edit-tools [data-tool=piece]"), then: "document.querySelectorAll('#edit-fields .squares button').length === 25"},
		{name: "edit-flow", hash: at("edit", "flow", "flow 3x2\nA.B\nA.B\n"), ready: "document.getElementById('edit-text').textContent.includes('A.B') && document.getElementById('edit-verdict').textContent.includes('answer')"},
		{name: "play", hash: at("play", "alcazar", "alcazar 2x2\nxxxxx\n.0.0x\nx.x.x\nx0.0x\nx.xxx\n"), ready: "document.querySelector('#play-canvas svg') !== null"},
		{name: "random-empty", hash: "#random", ready: "true"},
		{name: "random", hash: "#random", ready: "document.querySelectorAll('#deal-wishes input').length > 0",
			act: func() {
				p.eval("document.getElementById('deal-seed').value = '7'; document.getElementById('deal').requestSubmit()", new(any))
			}, then: "document.querySelector('#random-card .verdict').textContent.includes('answer')"},
		{name: "practice", hash: "#practice", ready: "!!document.querySelector('#practice-frame iframe')?.contentDocument?.getElementById('go')"},
		{name: "live", hash: "#live", ready: "!document.getElementById('live-help').hidden"},
		{name: "settings", hash: "#live", ready: "true", act: click("#settings summary"), then: settled + "true"},
		{name: "settings-closed", hash: "#live", ready: "true", act: click("#settings summary"), then: settled + "false"},
	}
}

// judge lets axe-core look at the page.
func (p *pageTest) judge(what, axe string) {
	p.Helper()
	var there bool
	if p.eval("return typeof axe !== 'undefined'", &there); !there {
		p.do(chromedp.Evaluate(axe+"; 0", nil))
	}
	var faults []string
	p.eval(`const r = await axe.run(document, { resultTypes: ['violations'], iframes: false });
		return r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.help + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).slice(0, 3).join('; '));`, &faults)
	for _, f := range faults {
		p.Errorf("%s: %s", what, f)
	}
}

func (p *pageTest) shoot(file string) {
	p.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		data, err := cdp.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o644)
	}))
}
