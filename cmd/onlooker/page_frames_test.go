//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"

	"onlooker/solve/solvetest"
)

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
