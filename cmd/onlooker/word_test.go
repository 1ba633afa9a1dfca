//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"onlooker/solve/solvetest"
)

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
