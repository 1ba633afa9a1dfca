//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/deal"
)

// TestPageCancels cancels a search that would go on for long, by the keyboard: the page
// says so at once, and the server's search ends.
func TestPageCancels(t *testing.T) {
	p := openPage(t)
	var solving atomic.Int64
	ended := make(chan time.Time, 100)
	page := testPage(t, filepath.Join(t.TempDir(), "store.sqlite"))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/solve" {
			page.ServeHTTP(w, r)
			return
		}
		solving.Add(1)
		page.ServeHTTP(w, r)
		solving.Add(-1)
		ended <- time.Now()
	}))
	t.Cleanup(server.Close)
	panel, _, err := deal.Solvable(context.Background(), rand.New(rand.NewPCG(0, 3)), deal.Options{Cols: 12, Rows: 12, Pieces: 10, Stars: 10, Squares: 20})
	solvetest.OK(t, err)
	text := solvetest.Must(witness.Of(panel).MarshalText())(t)
	p.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#paste-text"))
	best := time.Hour
	for range 3 {
		p.paste(string(text))
		p.until("it says how far it has come", "!document.querySelector('#solve-card .progress').hidden && document.querySelector('#solve-card .progress span').textContent !== ''")
		if solving.Load() != 1 {
			t.Fatalf("%d searches go on, want 1", solving.Load())
		}
		p.tabTo("#solve-card .cancel")
		clicked := time.Now()
		p.press(kb.Enter)
		p.until("it says that it was cancelled", "document.querySelector('#solve-card .verdict').textContent === 'cancelled'")
		select {
		case at := <-ended:
			best = min(best, max(0, at.Sub(clicked)))
		case <-time.After(time.Minute):
			t.Fatal("the search went on for a minute after it was cancelled")
		}
	}
	t.Logf("the search ended %v after the click", best)
	// A loaded machine says nothing about the page: ONLOOKER_IDLE=1 says that
	// it does nothing else.
	if best > 200*time.Millisecond && os.Getenv("ONLOOKER_IDLE") != "" {
		t.Errorf("the search ended %v after the click, want at most 200 ms", best)
	}
}

// TestPageStalled: bodies that stand still hold nobody else, small texts, large
// ones and a picture; each is told so and ends.
func TestPageStalled(t *testing.T) {
	server := httptest.NewServer(testPage(t, filepath.Join(t.TempDir(), "store.sqlite")))
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	stalled := make(chan string, 300)
	stand := func(path, kind string, length int) {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Error(err)
			stalled <- ""
			return
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n{", path, address, kind, length)
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		said, _ := io.ReadAll(c)
		stalled <- string(said)
	}
	const posts = 256
	for range posts {
		go stand("/api/solve", "application/json", 1000)
	}
	go stand("/api/look", "image/png", 1_000_000)
	go stand("/api/solve", "application/json", 1_000_000)
	body := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	worst, asked := time.Duration(0), 0
	for ended := 0; ended < posts+2; {
		select {
		case said := <-stalled:
			ended++
			if !strings.Contains(said, "408 Request Timeout") || !strings.Contains(said, "stood still") {
				t.Errorf("a request that stood still is told %.200q", said)
			}
			continue
		default:
		}
		start := time.Now()
		r := solvetest.Must(http.Post(server.URL+"/api/solve", "application/json", strings.NewReader(body)))(t)
		said, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err != nil || !strings.Contains(string(said), `"kind":"answer"`) {
			t.Errorf("beside them: %s, %v: %.200q", r.Status, err, said)
		}
		worst = max(worst, time.Since(start))
		asked++
	}
	t.Logf("%d questions beside them, the slowest answered in %v", asked, worst)
	if worst > 2*time.Second {
		t.Errorf("a question beside them was answered after %v, want at most 2 s", worst)
	}
}

// TestPageFlooded holds a page as many ways as there are at once (bodies that stand still,
// a picture that does, streams whose clients do not read, 2,000 requests) while one client
// asks for something beside them: it is answered throughout, each of the others is answered or
// told to try again, and memory stays bounded.
func TestPageFlooded(t *testing.T) {
	command := child(t, nil, "serve", "--no-open", "--port", "0", "--store", filepath.Join(t.TempDir(), "store.sqlite"))
	url := served(t, command)
	address := strings.TrimPrefix(url, "http://")
	ctx, cancel := context.WithCancel(t.Context())
	var held sync.WaitGroup
	defer held.Wait()
	defer cancel()
	// hold sends a request, or the beginning of one, and neither reads nor ends.
	hold := func(path, kind string, length int, body string) {
		held.Go(func() {
			c, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			_ = c.(*net.TCPConn).SetReadBuffer(4096) // else it would take long to fill
			fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s", path, address, kind, length, body)
			<-ctx.Done()
		})
	}
	for range 256 {
		hold("/api/solve", "application/json", 1000, "{")
	}
	hold("/api/look", "image/png", 1_000_000, "x")
	boards := `{"family":"","text":` + quoted(strings.Repeat(tinyPanel+"\n", 2000)) + `}`
	lists := `{"family":"switches","number":100000,"text":` + quoted("grid 9x9\n"+strings.Repeat("ooooooooo\n", 9)) + `}`
	for range 16 {
		hold("/api/open", "application/json", len(boards), boards)
		hold("/api/answers", "application/json", len(lists), lists)
	}
	question := func(path, body string) (took time.Duration, said string, code int) {
		start := time.Now()
		r := solvetest.Must(http.Post(url+path, "application/json", strings.NewReader(body)))(t)
		defer r.Body.Close()
		data := solvetest.Must(io.ReadAll(r.Body))(t)
		return time.Since(start), string(data), r.StatusCode
	}
	panel := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	flood := make(chan struct{})
	go func() {
		defer close(flood)
		client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 500}}
		defer client.CloseIdleConnections()
		time.Sleep(2 * time.Second)
		var all sync.WaitGroup
		for range 2000 {
			all.Go(func() {
				r, err := client.Post(url+"/api/solve", "application/json", strings.NewReader(panel))
				if err != nil {
					t.Error(err)
					return
				}
				defer r.Body.Close()
				said, err := io.ReadAll(r.Body)
				if err != nil || !strings.Contains(string(said), `"kind":"answer"`) && (r.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(said), "try again")) {
					t.Errorf("in the flood: %s, %v: %.100q", r.Status, err, said)
				}
			})
		}
		all.Wait()
	}()
	worst, asked, busy := time.Duration(0), 0, 0
	for flooding, end := true, time.Now().Add(8*time.Second); flooding || time.Now().Before(end); asked++ {
		select {
		case <-flood:
			flooding, flood = false, nil
		default:
		}
		took, said, code := question("/api/solve", panel)
		switch {
		case strings.Contains(said, `"kind":"answer"`):
		case code == http.StatusServiceUnavailable && strings.Contains(said, "try again"):
			busy++
		default:
			t.Errorf("beside them: %d, %.200q", code, said)
		}
		worst = max(worst, took)
	}
	t.Logf("%d questions beside them, %d of them told to try again, the slowest answered in %v", asked, busy, worst)
	most := 20 * time.Second // of a machine that does much else
	if os.Getenv("ONLOOKER_IDLE") != "" {
		most = 6 * time.Second // three times as many streams as there are turns stand still for 2 s each
	}
	if worst > most {
		t.Errorf("a question beside them was answered after %v, want at most %v", worst, most)
	}
	if busy == asked {
		t.Error("no question was answered but by asking to try again")
	}
	if took := peakMemory(t, command.Process.Pid); took > 1<<30 {
		t.Errorf("%d MB were taken, want at most 1 GiB", took>>20)
	}
}
