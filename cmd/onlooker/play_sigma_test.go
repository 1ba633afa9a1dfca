//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// TestPlaysDealtSigma deals panels with the randomizer's symbols, shows each on the page
// in a browser, and has it read off the screen, solved and entered with the mouse: the
// page must find the line right.
func TestPlaysDealtSigma(t *testing.T) {
	// The page wants lines drawn with the button held.
	look := solvetest.Must(calibrations.Embedded.ReadFile("witness-sigma-dev/" + calibrations.File))(t)
	own := filepath.Join(t.TempDir(), "page")
	solvetest.OK(t, os.Mkdir(own, 0o755))
	dragged := strings.NewReplacer(`style = "relative"`, `style = "drag"`, `pointer = "drawn"`, `pointer = "system"`).Replace(string(look))
	solvetest.OK(t, os.WriteFile(filepath.Join(own, calibrations.File), []byte(dragged), 0o644))
	server := httptest.NewServer(testPage(t, filepath.Join(t.TempDir(), "store.sqlite")))
	defer server.Close()
	p := &pageTest{t, openSite(t, server.URL, "document.querySelector('#paste-text') !== null"), server.URL}
	for _, symbols := range []string{"arrows=2,flowers=2", "mines=2,antitriangles=2", "caves=2,darts=2", "arrows=1,mines=1,caves=1,darts=1,squares=2"} {
		dealt, said, status := onlooker(t, "", "generate", "witness", "--size", "4x4", "--symbols", symbols, "--seed", "7", "--no-store")
		if status != 0 {
			t.Fatalf("%s: %s", symbols, said)
		}
		p.playing("witness", dealt)
		out, said, status := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--solves", "1", "--profile", own)
		var verdict string
		solvetest.OK(t, chromedp.Run(p.ctx, chromedp.Sleep(time.Second), chromedp.Text("#play-verdict", &verdict)))
		// The page says it in words alone, which are no sign of an answer that was taken.
		if status != 3 || !strings.Contains(said, "entered, not confirmed") || !strings.HasPrefix(verdict, "right") {
			t.Errorf("%s: status %d, the page says %q:\n%s\n%s%s", symbols, status, verdict, dealt, out, said)
		}
	}
}
