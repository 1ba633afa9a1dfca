//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
)

// siteChallengeTime is how long one game of the site's Challenge may take: it is won
// in a minute on two cores at rest.
const siteChallengeTime = 4 * time.Minute

// TestSiteChallenge plays the Challenge of witnesspuzzles.com without a profile, in both
// themes, where a clone of the site lies at $SCRATCH/jbzdarkid.github.io. A game is won
// when the page says so.
func TestSiteChallenge(t *testing.T) {
	clone := siteClone(t, "challenge.html")
	games := solvetest.More()
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(clone)))
	mux.HandleFunc("POST /", func(http.ResponseWriter, *http.Request) {}) // what the page counts
	mux.HandleFunc("GET /begin", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<script>const q = new URLSearchParams(location.search)
localStorage.setItem('settings', JSON.stringify({theme: q.get('theme')}))
location.replace('/challenge.html?seed=' + q.get('seed') + '#full')</script>`)
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	if games > 1 {
		for _, window := range []struct {
			name   string
			screen image.Point
			flags  []chromedp.ExecAllocatorOption
		}{
			{"1366x768", image.Pt(1366, 768), nil},
			{"150 percent", image.Pt(1920, 1080), []chromedp.ExecAllocatorOption{chromedp.Flag("force-device-scale-factor", "1.5")}},
			{"off the corner", image.Pt(1920, 1080), []chromedp.ExecAllocatorOption{chromedp.Flag("window-position", "237,61"), chromedp.WindowSize(1500, 960)}},
		} {
			t.Run(window.name, func(t *testing.T) {
				playSite(t, server.URL+"/begin?theme=light&seed=601", window.screen, window.flags...)
			})
		}
	}
	for n := range games {
		for _, theme := range []string{"light", "night"} {
			t.Run(fmt.Sprintf("%s-%d", theme, 501+n), func(t *testing.T) {
				playSite(t, fmt.Sprintf("%s/begin?theme=%s&seed=%d", server.URL, theme, 501+n), image.Pt(1920, 1080))
			})
		}
	}
}

// siteClone is where a clone of the site lies that has a page.
func siteClone(t *testing.T, page string) string {
	t.Helper()
	clone := filepath.Join(os.Getenv("SCRATCH"), "jbzdarkid.github.io")
	if _, err := os.Stat(filepath.Join(clone, page)); os.Getenv("SCRATCH") == "" || err != nil {
		t.Skip("no clone of the site at $SCRATCH/jbzdarkid.github.io")
	}
	for _, need := range []string{"chromium", "openbox"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip(err)
		}
	}
	return clone
}

// openSite opens the page of an address on a display of its own and waits until it is
// ready.
func openSite(t *testing.T, address, ready string) context.Context {
	t.Helper()
	return openSiteOn(t, address, ready, image.Pt(1920, 1080))
}

// openSiteOn is openSite on a screen of a size, in a browser with further flags.
func openSiteOn(t *testing.T, address, ready string, screen image.Point, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	d := showcase.TestDisplay(t, screen.X, screen.Y)
	manager := exec.CommandContext(t.Context(), "openbox", "--sm-disable")
	manager.Env = append(os.Environ(), "DISPLAY="+d.Name)
	solvetest.OK(t, manager.Start())
	t.Cleanup(func() { _ = manager.Process.Kill(); _ = manager.Wait() }) // by the signal
	flags = append([]chromedp.ExecAllocatorOption{chromedp.Flag("headless", false), chromedp.Flag("enable-automation", false),
		chromedp.Flag("mute-audio", true), chromedp.Flag("test-type", true), chromedp.Flag("window-position", "0,0")}, flags...)
	page := showcase.TestBrowser(t, screen.X, screen.Y, siteChallengeTime, flags...)
	if err := chromedp.Run(page, chromedp.Navigate(address), chromedp.Poll(ready, nil, chromedp.WithPollingTimeout(siteChallengeTime))); err != nil {
		t.Fatalf("the page has no puzzles: %v", err)
	}
	return page
}

// playSite plays the page of an address on a screen of a size, in a browser with further flags.
func playSite(t *testing.T, address string, screen image.Point, flags ...chromedp.ExecAllocatorOption) {
	page := openSiteOn(t, address, `document.getElementById('progressBox')?.style.display === 'none' && document.querySelectorAll('#puzzles > div svg').length > 0`, screen, flags...)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, said watched
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--drive", "--yes", "--no-store"}, strings.NewReader(""), &out, &said)
	}()
	const fanfare = `[...document.querySelectorAll('#puzzles > div')].some(p => p.id.startsWith('fanfare') && p.style.display !== 'none')`
	won := false
	for running := true; running && !won && page.Err() == nil; {
		select {
		case <-ended:
			running = false
		case <-time.After(200 * time.Millisecond):
		}
		if err := chromedp.Run(page, chromedp.Evaluate(fanfare, &won)); err != nil {
			break
		}
	}
	stop()
	if lines := out.lines(); !won {
		t.Errorf("not won: %s\n%s", strings.Join(lines, "\n"), strings.Join(said.lines(), "\n"))
	} else {
		t.Log(strings.Join(lines, "\n"))
	}
}
