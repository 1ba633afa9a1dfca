//go:build linux || freebsd || netbsd || openbsd

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
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/solve/witness"
	"onlooker/solve/witness/deal"
)

// TestPageCancels cancels a search that would go on for long: the page says so
// at once, and the server's search ends.
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
	if err != nil {
		t.Fatal(err)
	}
	text, err := witness.Of(panel).MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#paste-text"))
	best := time.Hour
	for range 3 {
		p.paste(string(text))
		p.until("it says how far it has come", "!document.querySelector('#solve-card .progress').hidden && document.querySelector('#solve-card .progress span').textContent !== ''")
		if solving.Load() != 1 {
			t.Fatalf("%d searches go on, want 1", solving.Load())
		}
		clicked := time.Now()
		p.eval("document.querySelector('#solve-card .cancel').click()", new(any))
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

// TestPageUnderLoad asks ten thousand things at once: what is too much is
// refused with a message, memory stays bounded, and the page answers
// afterwards.
func TestPageUnderLoad(t *testing.T) {
	server := httptest.NewServer(testPage(t, filepath.Join(t.TempDir(), "store.sqlite")))
	defer server.Close()
	const asked = 10_000
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 2000, MaxIdleConnsPerHost: 2000, DialContext: (&net.Dialer{}).DialContext}}
	defer client.CloseIdleConnections()
	body := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	var answered, refused, broken, most atomic.Int64
	var wait sync.WaitGroup
	debug.FreeOSMemory() // what tests before it took is none of its own
	for range asked {
		wait.Go(func() {
			r, err := client.Post(server.URL+"/api/solve", "application/json", strings.NewReader(body))
			if err != nil {
				broken.Add(1)
				t.Log("broken:", err)
				return
			}
			defer r.Body.Close()
			said, err := io.ReadAll(r.Body)
			switch {
			case err == nil && r.StatusCode == http.StatusOK && strings.Contains(string(said), `"kind":"answer"`):
				answered.Add(1)
			case r.StatusCode == http.StatusServiceUnavailable && strings.Contains(string(said), "try again"):
				refused.Add(1)
			default:
				broken.Add(1)
				t.Logf("broken: %s, %v: %.100q", r.Status, err, said)
			}
			s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
			metrics.Read(s)
			for now := int64(s[0].Value.Uint64() - s[1].Value.Uint64()); ; {
				if was := most.Load(); now <= was || most.CompareAndSwap(was, now) {
					break
				}
			}
		})
	}
	wait.Wait()
	t.Logf("%d answered, %d refused, %d broken; %d MB for the server and those that asked", answered.Load(), refused.Load(), broken.Load(), most.Load()>>20)
	if answered.Load() == 0 || answered.Load()+refused.Load()+broken.Load() != asked {
		t.Errorf("%d of %d were answered and %d refused", answered.Load(), asked, refused.Load())
	}
	if broken.Load() > 0 {
		t.Errorf("%d connections broke", broken.Load())
	}
	if most.Load() > 1<<30 {
		t.Errorf("%d MB were taken, want at most 1 GiB", most.Load()>>20)
	}
	r, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("the page answers %s afterwards", r.Status)
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
		r, err := http.Post(server.URL+"/api/solve", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
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
// asks for something beside them: it is answered throughout.
func TestPageFlooded(t *testing.T) {
	url := served(t, child(t, nil, "serve", "--no-open", "--port", "0", "--store", filepath.Join(t.TempDir(), "store.sqlite")))
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
		r, err := http.Post(url+path, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		data, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
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
				if r, err := client.Post(url+"/api/solve", "application/json", strings.NewReader(panel)); err == nil {
					_, _ = io.Copy(io.Discard, r.Body) // the client beside is what is looked at
					r.Body.Close()
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
		most = 2 * time.Second
	}
	if worst > most {
		t.Errorf("a question beside them was answered after %v, want at most %v", worst, most)
	}
	if busy == asked {
		t.Error("no question was answered but by asking to try again")
	}
}
