//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/practice"
	"onlooker/solve/solvetest"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// TestPlaysChallenge plays one practice Challenge with the mouse, all fourteen solves from the
// first panel to the last pillar: the page's own judge must say that it is won, without a wrong
// answer. make demo shows the same.
func TestPlaysChallenge(t *testing.T) {
	client := practice.NewServer(answer.Judge)
	server := httptest.NewServer(client)
	defer server.Close()
	page := openSite(t, server.URL+"/?seed=1", `document.getElementById('go')?.offsetParent !== null`)
	solvetest.OK(t, chromedp.Run(page, chromedp.Click("#go")))
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
	solvetest.OK(t, chromedp.Run(page, chromedp.Navigate(address), chromedp.Poll(ready, nil, chromedp.WithPollingTimeout(long))), "the page has no puzzles")
	return page
}

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

// TestRandomizerPages has boards of the randomizers drawn by a page in the game's sizes, and reads
// them off the screen as nothing else was said: nine of ten must be exact, and none wrong.
func TestRandomizerPages(t *testing.T) {
	eye, page := autoEye(t), showcase.TestBrowser(t, 1280, 1000, time.Hour)
	script := solvetest.Must(os.ReadFile("testdata/dealt.js"))(t)
	kinds := []string{"square", "star", "triangle", "arrow", "antitriangle", "cave", "mines", "flower", "dart"}
	n, exact := 0, 0
	for i, c := range witnesstest.Cases(t) {
		drawn := n < 24
		for _, s := range c.Board.Cells {
			drawn = drawn && slices.Contains(kinds, s.Kind)
		}
		if !drawn {
			continue
		}
		n++
		var shot []byte
		solvetest.OK(t, chromedp.Run(page, chromedp.Navigate("about:blank"), chromedp.Evaluate(fmt.Sprintf("%s\ndrawn(%s, %d)", script, c.Text, n), nil), chromedp.CaptureScreenshot(&shot)))
		frame := solvetest.Must(capture.ReadPicture(bytes.NewReader(shot)))(t)
		keepPicture(t, fmt.Sprintf("dealt-%03d", i), frame)
		sight, err := eye.Look(frame, see.Millis{})
		if err != nil || sight.Read() == 0 {
			t.Logf("case %d: not read: %v", i, err)
			continue
		}
		p := c.Panel(t)
		p.Symmetry = panels.SymmetryOf(p) // what a picture tells of it
		if d := panels.Differ(p, panels.Of(sight.Readings[0].Puzzle)); d != "" {
			t.Errorf("case %d: WRONG in %s, %.2f sure: %s\n%s", i, sight.Profile.Name, sight.Readings[0].Confidence, d, forms.String(p))
			continue
		}
		exact++
	}
	t.Logf("%d of %d exact", exact, n)
	if 10*exact < 9*n || n < 24 {
		t.Errorf("%d of %d exact, want nine of ten of 24", exact, n)
	}
}

// TestWord: what is said of an answer is what the client says of it, and of one that says
// nothing that it is not confirmed. Where more is asked for every client says everything.
func TestWord(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	own := httptest.NewServer(http.FileServer(http.Dir("testdata")))
	defer own.Close()
	shared := httptest.NewServer(http.FileServer(http.Dir(solvetest.Shared("outside", "live"))))
	defer shared.Close()
	const accepted, refused, unconfirmed = "accepted", "refused", "entered, not confirmed"
	type row struct {
		why, page string
		words     []string // of which one is to be said
		always    bool     // not only where more is asked for
	}
	rows := []row{
		{"another board stands there at once", "shared/next.html", []string{accepted}, true},
		{"another board comes after a while", "shared/next.html?d=400", []string{accepted}, false},
		{"red words beside a board that stays", "shared/wrong.html", []string{refused}, true},
		{"the line lights up, once the style is found out", "client.html?kind=line&says=lit&mode=right", []string{accepted}, true},
		{"the line lights up, led by places between two clicks", "client.html?kind=clickline&says=lit&mode=right", []string{accepted}, true},
		{"the line stays as it is", "client.html?kind=line&says=lit&mode=none", []string{unconfirmed}, false},
		{"the line goes out", "client.html?kind=line&says=lit&mode=refuse", []string{refused}, false},
		{"the line lights up late", "client.html?kind=line&says=lit&mode=late", []string{accepted, unconfirmed}, false},
		{"lamps go", "client.html?kind=lamps&says=gone&mode=right", []string{accepted}, false},
		{"lamps that nobody judges", "client.html?kind=lamps&says=gone&mode=none", []string{unconfirmed}, true},
		{"lamps that are as they were", "client.html?kind=lamps&says=next&mode=refuse", []string{refused}, true},
		{"lamps that are dimmed", "client.html?kind=lamps&says=dim&mode=refuse", []string{unconfirmed, refused}, false},
		{"pipes that shake", "client.html?kind=pipes&says=shake&mode=refuse", []string{unconfirmed, refused}, false},
		{"pipes that are taken away", "client.html?kind=pipes&says=next&mode=refuse", []string{refused}, false},
		{"black words", "client.html?kind=pipes&says=text&mode=refuse", []string{unconfirmed}, false},
		{"a number", "client.html?kind=pipes&says=text&mode=none", []string{unconfirmed}, false},
	}
	for _, client := range []string{
		"pipes&says=next", "pipes&says=text", "pipes&says=reset", "pipes&says=dim", "pipes&says=shake", "pipes&says=gone",
		"lamps&says=next", "lamps&says=text", "lamps&says=gone", "lamps&says=dim", "line&says=lit", "clickline&says=lit",
	} {
		for mode, words := range map[string][]string{"none": {unconfirmed}, "refuse": {refused, unconfirmed}, "late": {accepted, unconfirmed}} {
			rows = append(rows, row{"never false: " + client + " " + mode, "client.html?kind=" + client + "&mode=" + mode, words, false})
		}
	}
	for _, row := range rows {
		if !row.always && solvetest.More() == 1 {
			continue
		}
		t.Run(row.why, func(t *testing.T) {
			address := own.URL + "/" + row.page
			if page, ok := strings.CutPrefix(row.page, "shared/"); ok {
				if !exists(solvetest.Shared("outside", "live", "next.html")) {
					t.Skip("no shared pages of clients: set ONLOOKER_SHARED to their folder")
				}
				address = shared.URL + "/" + page
			}
			page := openSite(t, address, `document.querySelector('canvas') !== null`)
			out, said, _ := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--patience", "30s", "--solves", "1", "--goal", "off")
			ok := false
			for _, word := range row.words {
				ok = ok || strings.Contains(out, "  "+word+"  ")
			}
			if !ok {
				t.Errorf("want %s: %s%s", strings.Join(row.words, " or "), out, said)
			}
			_ = chromedp.Cancel(page) // it may be gone
		})
	}
}
