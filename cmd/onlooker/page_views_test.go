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
)

// shotsFlag names a folder that gets a picture of every view at every width,
// for somebody to look at.
const shotsFlag = "ONLOOKER_SHOTS"

// TestPageViews looks at every view in two widths, light and dark: nothing
// reaches out of the window, and axe-core finds no serious fault of
// accessibility.
func TestPageViews(t *testing.T) {
	p := openPage(t)
	found, err := filepath.Glob("../../.build/axe-*.js")
	if err != nil {
		t.Fatal(err)
	}
	var axe []byte
	if len(found) > 0 {
		if axe, err = os.ReadFile(found[0]); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Log("axe-core is not in .build (.ci/setup test fetches it): accessibility is not judged")
	}
	p.paste(tinyPanel)
	p.until("a puzzle is solved and kept", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	at := func(view, family, text string) string {
		var hash string
		p.eval(`const { link } = await import('./api.js'); return link(`+quoted(view)+`, { family: `+quoted(family)+`, text: `+quoted(text)+` });`, &hash)
		return hash
	}
	views := []struct{ name, hash, ready string }{
		{"solve", at("solve", "witness", tinyPanel), "document.querySelector('#solve-card .verdict').textContent.includes('answer')"},
		{"none", at("solve", "fans", "FT.\n..T\n"), "document.querySelector('#solve-card .why').textContent !== ''"},
		{"browse", "#browse", "document.querySelector('#browse-list img[src]')?.complete"},
		{"edit", at("edit", "witness", tinyPanel), "document.getElementById('edit-verdict').textContent === 'exactly one answer'"},
		{"edit-flow", at("edit", "flow", "flow 3x2\nA.B\nA.B\n"), "document.getElementById('edit-text').textContent.includes('A.B')"},
		{"play", at("play", "alcazar", "alcazar 2x2\nxxxxx\n.0.0x\nx.x.x\nx0.0x\nx.xxx\n"), "document.querySelector('#play-canvas svg') !== null"},
		{"random", "#random", "document.querySelectorAll('#deal-wishes input').length > 0"},
		{"practice", "#practice", "document.querySelector('#practice-frame iframe')?.contentDocument?.getElementById('go') !== null"},
	}
	for _, width := range []int64{1400, 390} {
		for _, scheme := range []string{"light", "dark"} {
			p.do(emulation.SetDeviceMetricsOverride(width, 900, 1, width < 500),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			for _, view := range views {
				p.eval("location.hash = "+quoted(view.hash), new(any))
				p.until(view.name, "!document.getElementById(location.hash.slice(1).split('?')[0]).hidden && "+view.ready)
				var over float64
				p.eval("return document.documentElement.scrollWidth - innerWidth", &over)
				if over > 0 {
					t.Errorf("%s at %d pixels reaches %.0f pixels out of the window", view.name, width, over)
				}
				if axe != nil {
					p.judge(fmt.Sprintf("%s at %d pixels, %s", view.name, width, scheme), string(axe))
				}
				if folder := os.Getenv(shotsFlag); folder != "" {
					p.shoot(filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", view.name, width, scheme)))
				}
			}
		}
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
