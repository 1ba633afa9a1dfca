//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/store"
	"onlooker/solve/solvetest"
)

// fill keeps so many boards of all families in a store.
func fill(t *testing.T, file string, boards int) {
	t.Helper()
	s := solvetest.Must(store.Open(t.Context(), file, answer.Judge))(t)
	defer s.Close()
	all := games.Of()
	rng := rand.New(rand.NewPCG(7, 7))
	now := time.Now()
	var news []store.News
	seen := map[string]bool{}
	for len(news) < boards {
		g := &all[len(news)%len(all)]
		p := g.Generate(rng, 4+rng.IntN(3), 4+rng.IntN(3))
		text := solvetest.Must(p.MarshalText())(t)
		if seen[g.Name+string(text)] {
			continue
		}
		seen[g.Name+string(text)] = true
		news = append(news, store.News{Family: g.Name, Puzzle: p, Seen: []store.Origin{{Source: store.Generated, First: now, Last: now, Times: 1}}})
	}
	solvetest.Must(s.Keep(t.Context(), news...))(t)
}

// TestPageBrowses scrolls through 3,000 puzzles, filters them, and steps from
// one to the next.
func TestPageBrowses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "store.sqlite")
	fill(t, file, 3000)
	server := httptest.NewServer(testPage(t, file))
	t.Cleanup(server.Close)
	p := openPage(t)
	p.url = server.URL
	open := func() {
		p.do(chromedp.Navigate(p.url+"/#browse"), chromedp.Reload(), chromedp.WaitVisible("#browse-list button"))
		p.until("all are counted", "document.getElementById('browse-count').textContent === '3,000 puzzles'")
	}
	p.framesWhileScrolling(open)
	choose := func(id, value string) {
		p.eval(fmt.Sprintf("const s = document.getElementById(%q); s.value = %q; s.dispatchEvent(new Event('change', { bubbles: true }));", id, value), new(any))
	}
	choose("browse-family", "flow")
	p.until("those of flow", "document.getElementById('browse-count').textContent === '600 puzzles'")
	choose("browse-size", "5x5")
	p.until("those of 5x5", "[...document.querySelectorAll('#browse-list button')].every(b => b.textContent.includes('flow 5×5')) && document.querySelectorAll('#browse-list button').length > 0")
	// By keyboard: the first, the next, and back.
	p.eval("document.querySelector('#browse-list button').focus()", new(any))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("one is solved", "document.querySelector('#browse-card .verdict').textContent.includes('solved in')")
	var first, second string
	p.eval("return document.querySelector('#browse-card pre').textContent", &first)
	p.tabTo("#browse-one [data-step='1']")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("the next", "document.querySelector('#browse-card pre').textContent !== "+quoted(first)+" && document.querySelector('#browse-card .verdict').textContent.includes('solved in')")
	p.eval("document.querySelector('#browse-one [data-step=\"-1\"]').click()", new(any))
	p.until("the one before", "document.querySelector('#browse-card pre').textContent === "+quoted(first))
	p.eval("return document.querySelector('#browse-card pre').textContent", &second)
	solvetest.Same(t, first, second, "next and before")
	p.eval("document.getElementById('browse-back').click()", new(any))
	p.until("the list is back, at the puzzle that was left", "!document.getElementById('browse-list').hidden && document.activeElement.closest('#browse-list') !== null")
}

// framesWhileScrolling scrolls from the first puzzle of a list, opened anew, to its
// last, and once more where that was too slow. No task of the page may take more than
// 100 ms of the processor in all of three scrolls. Where ONLOOKER_IDLE=1
// says that the machine does nothing else, nor may a frame: of all threads
// together, as if they ran one after the other, so that by the clock it takes
// less. (Frames that wait for a processor gather what belongs to others.) The
// clock is told, beside that of a page that does nothing: what both have is the
// machine's.
func (p *pageTest) framesWhileScrolling(open func()) {
	p.Helper()
	open()
	idle := p.traced("for (let i = 0; i < 120; i++) { await new Promise(requestAnimationFrame); mark(); }", new(any))
	// What scrolling itself takes it takes each time. What a busy machine adds, or the
	// collection of garbage that was left from before, it does not.
	var busy frameCost
	for try := range 3 {
		if try > 0 {
			open()
		}
		if cost := p.scrolled(); try == 0 || cost.Task < busy.Task {
			busy = cost
		}
		if busy.Task <= 100 && (busy.All <= 100 || os.Getenv("ONLOOKER_IDLE") == "") {
			break
		}
	}
	p.Logf("longest frame, in ms: at rest %+v; scrolling %+v", idle, busy)
	if busy.Task > 100 {
		p.Errorf("a task took %.1f ms of the processor in each of three scrolls, want at most 100", busy.Task)
	}
	if busy.All > 100 && os.Getenv("ONLOOKER_IDLE") != "" {
		p.Errorf("a frame took %.1f ms of the processor, want at most 100", busy.All)
	}
}

// scrolled is what the frames of one scroll through the list cost.
func (p *pageTest) scrolled() frameCost {
	p.Helper()
	var last string
	busy := p.traced(`scrollTo(0, 0);
		let still = 0, tile = '';
		for (let i = 0; i < 2000 && still < 5; i++) {
			await new Promise(requestAnimationFrame);
			mark();
			const before = scrollY;
			scrollBy(0, 800);
			tile = document.querySelector('#browse-list li:last-child').ariaPosInSet;
			still = scrollY === before && tile === '3000' ? still + 1 : 0;
		}
		return tile;`, &last)
	if last != "3000" {
		p.Fatalf("puzzle %s is the last in the list, want 3000", last)
	}
	if busy.Frames < 50 || busy.All == 0 {
		p.Fatalf("%d frames were traced, of %.1f ms: nothing was measured", busy.Frames, busy.All)
	}
	return busy
}

// A traceEvent is one of Chromium's; times are microseconds.
type traceEvent struct {
	Name     string  `json:"name"`
	Category string  `json:"cat"`
	Phase    string  `json:"ph"`
	Process  int     `json:"pid"`
	Thread   int     `json:"tid"`
	At       float64 `json:"ts"`
	Took     float64 `json:"dur"`
	Used     float64 `json:"tdur"` // of the processor
	Args     struct {
		Name string `json:"name"` // of a process or a thread
	} `json:"args"`
}

// frameMark is what the page marks each of its frames with while it is traced.
const frameMark = "onlooker-frame"

// A frameCost is what the frames of a page took, in milliseconds: the longest.
type frameCost struct {
	Frames int
	Clock  float64 // from one frame to the next
	Main   float64 // processor time of the page's main thread between them
	All    float64 // processor time of all threads that make its picture, one after the other
	Task   float64 // processor time of one task of the main thread
}

// traced runs the body of an async function in the page, which marks each frame
// with mark(), and tells what the frames cost.
func (p *pageTest) traced(body string, out any) frameCost {
	p.Helper()
	var mutex sync.Mutex
	var events []traceEvent
	done := make(chan struct{})
	listening, stop := context.WithCancel(p.ctx)
	defer stop()
	chromedp.ListenBrowser(listening, func(ev any) {
		switch e := ev.(type) {
		case *tracing.EventDataCollected:
			mutex.Lock()
			defer mutex.Unlock()
			for _, raw := range e.Value {
				var one traceEvent
				if json.Unmarshal(raw, &one) == nil { // some have another form, and are none of ours
					events = append(events, one)
				}
			}
		case *tracing.EventTracingComplete:
			close(done)
		}
	})
	browser := cdp.WithExecutor(p.ctx, chromedp.FromContext(p.ctx).Browser)
	config := &tracing.TraceConfig{IncludedCategories: []string{"toplevel", "blink.user_timing", "__metadata"}, RecordMode: "recordAsMuchAsPossible"}
	solvetest.OK(p, tracing.Start().WithTraceConfig(config).WithTransferMode(tracing.TransferModeReportEvents).Do(browser))
	p.eval(`const mark = () => performance.mark('`+frameMark+`');`+body, out)
	solvetest.OK(p, tracing.End().Do(browser))
	select {
	case <-done:
	case <-time.After(time.Minute):
		p.Fatal("the browser's trace does not end")
	}
	mutex.Lock()
	defer mutex.Unlock()
	return costOf(events)
}

// costOf sums what every thread of the page's process, and of the process that
// puts its pictures together, ran between one mark and the next.
func costOf(events []traceEvent) frameCost {
	type thread struct{ process, thread int }
	names := map[thread]string{}
	processes := map[int]string{}
	var marks []traceEvent
	tasks := map[thread][]traceEvent{}
	for _, e := range events {
		at := thread{e.Process, e.Thread}
		switch {
		case e.Phase == "M" && e.Name == "thread_name":
			names[at] = e.Args.Name
		case e.Phase == "M" && e.Name == "process_name":
			processes[e.Process] = e.Args.Name
		case e.Name == frameMark && e.Phase != "e" && e.Phase != "E":
			marks = append(marks, e)
		case e.Phase == "X" && strings.Contains(e.Category, "toplevel"):
			tasks[at] = append(tasks[at], e)
		}
	}
	if len(marks) < 2 {
		return frameCost{}
	}
	byTime := func(a, b traceEvent) int { return cmp.Compare(a.At, b.At) }
	slices.SortFunc(marks, byTime)
	page := marks[0].Process
	cost := frameCost{Frames: len(marks) - 1}
	all, main := make([]float64, len(marks)), make([]float64, len(marks))
	for at, list := range tasks {
		if at.process != page && !strings.Contains(processes[at.process], "GPU") {
			continue
		}
		isMain := at == thread{page, marks[0].Thread}
		slices.SortFunc(list, byTime)
		end := math.Inf(-1)
		for _, e := range list {
			if e.At < end { // part of the task before
				continue
			}
			end = e.At + e.Took
			if isMain {
				cost.Task = max(cost.Task, e.Used/1000)
			}
			for i := range marks[1:] {
				from, to := max(e.At, marks[i].At), min(end, marks[i+1].At)
				if to <= from {
					continue
				}
				used := e.Used / 1000 * (to - from) / e.Took
				all[i] += used
				if isMain {
					main[i] += used
				}
			}
		}
	}
	for i := range marks[1:] {
		cost.Clock = max(cost.Clock, (marks[i+1].At-marks[i].At)/1000)
	}
	cost.All, cost.Main = slices.Max(all), slices.Max(main)
	return cost
}
