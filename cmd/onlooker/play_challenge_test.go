//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/practice"
	"onlooker/solve/solvetest"
)

// TestPlaysChallenge plays one practice Challenge with the mouse, all fourteen solves from the
// first panel to the last pillar: the page's own judge must say that it is won, without a wrong
// answer. make demo shows the same.
func TestPlaysChallenge(t *testing.T) {
	client := practice.NewServer(answer.Judge)
	server := httptest.NewServer(client)
	defer server.Close()
	page := openSite(t, server.URL+"/?seed=1", `document.getElementById('go')?.offsetParent !== null`)
	if err := chromedp.Run(page, chromedp.Click("#go")); err != nil {
		t.Fatal(err)
	}
	out, said, status := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--solves", "14")
	result, _ := client.Last()
	for end := time.Now().Add(5 * time.Second); result.Phase == practice.Running && time.Now().Before(end); result, _ = client.Last() {
		time.Sleep(20 * time.Millisecond) // its last answer may be on the way to the judge
	}
	if status != 0 || result.Phase != practice.Won || result.Solved != 14 || result.Wrong > 0 {
		t.Fatalf("status %d, the Challenge is %s, %d of 14 solved, %d wrong answers:\n%s%s", status, result.Phase, result.Solved, result.Wrong, out, said)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	t.Log(lines[len(lines)-1])
}

// openSite opens the page of an address on a display of its own and waits until it is ready.
func openSite(t *testing.T, address, ready string) context.Context {
	t.Helper()
	for _, need := range []string{"chromium", "openbox"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip(err)
		}
	}
	const long = 4 * time.Minute
	d := showcase.TestDisplay(t, 1920, 1080)
	manager := exec.CommandContext(t.Context(), "openbox", "--sm-disable")
	manager.Env = append(os.Environ(), "DISPLAY="+d.Name)
	solvetest.OK(t, manager.Start())
	t.Cleanup(func() { _ = manager.Process.Kill(); _ = manager.Wait() }) // by the signal
	flags := []chromedp.ExecAllocatorOption{chromedp.Flag("headless", false), chromedp.Flag("enable-automation", false),
		chromedp.Flag("mute-audio", true), chromedp.Flag("test-type", true), chromedp.Flag("window-position", "0,0")}
	page := showcase.TestBrowser(t, 1920, 1080, long, flags...)
	if err := chromedp.Run(page, chromedp.Navigate(address), chromedp.Poll(ready, nil, chromedp.WithPollingTimeout(long))); err != nil {
		t.Fatalf("the page has no puzzles: %v", err)
	}
	return page
}
