//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"image"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/dev/showcase"
)

// TestLivePage opens the page of watch --serve in a browser: the answer's line
// is on the picture, from the panel's start.
func TestLivePage(t *testing.T) {
	d := showcase.TestDisplay(t, 800, 600)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(0, 0, 800, 600))
	if err := w.Show(scene(t, "maze-3", 800, 600, 1)); err != nil {
		t.Fatal(err)
	}
	watch := begin(t, "", "watch", "--json", "--serve", ":0")
	defer watch.stopped()
	page := showcase.TestBrowser(t, 800, 600, time.Minute)
	var points, box, told string
	var width int
	err := chromedp.Run(page,
		chromedp.Navigate(watch.live()),
		chromedp.WaitReady("#over polyline", chromedp.ByQuery),
		chromedp.Poll("document.getElementById('frame').naturalWidth > 0", nil),
		chromedp.Evaluate("document.querySelector('polyline.line').getAttribute('points')", &points),
		chromedp.Evaluate("document.getElementById('over').getAttribute('viewBox')", &box),
		chromedp.Evaluate("document.getElementById('frame').naturalWidth", &width),
		chromedp.Evaluate("document.getElementById('told').textContent", &told),
	)
	if err != nil {
		t.Fatalf("%v; watch said %s", err, watch)
	}
	if n := len(strings.Fields(points)); n < 5 || box != "0 0 800 600" || width != 800 || !strings.Contains(told, "solved") {
		t.Errorf("the line has %d points, the picture %s and %d pixels, the page says %q", n, box, width, told)
	}
}
