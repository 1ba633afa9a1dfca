//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// TestPageBesideLarge asks a page large things of every kind at once, which nobody stays for: a
// small question beside them is answered, what nobody waits for ends, and all stay within the
// memory.
func TestPageBesideLarge(t *testing.T) {
	command := child(t, nil, "serve", "--no-open", "--port", "0", "--no-store", "--memory", "1GiB")
	url := served(t, command)
	// The largest that there is: 2 million shapes.
	lamps := "grid 724x724\n" + strings.Repeat(strings.Repeat("o", 724)+"\n", 724)
	hard := "panel 12x12\n" + strings.Repeat(strings.Repeat("+-", 12)+"+\n"+strings.Repeat("|a|b", 6)+"|\n", 12) + "@" + strings.Repeat("-+", 12) + ">\na = black star\nb = 2 triangles\n"
	ctx, leave := context.WithTimeout(t.Context(), 8*time.Second)
	defer leave()
	var large sync.WaitGroup
	for _, asked := range [][3]string{{"draw", "switches", lamps}, {"play", "switches", lamps}, {"edit", "switches", lamps}, {"solve", "switches", lamps}, {"count", "witness", hard}, {"hint", "witness", hard}} {
		for range 3 {
			large.Go(func() {
				r, err := http.NewRequestWithContext(ctx, "POST", url+"/api/"+asked[0], strings.NewReader(`{"family":`+quoted(asked[1])+`,"text":`+quoted(asked[2])+`}`))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Content-Type", "application/json")
				if got, err := http.DefaultClient.Do(r); err == nil { // else nobody waits for it
					_, _ = io.Copy(io.Discard, got.Body)
					got.Body.Close()
				}
			})
		}
	}
	most := 10 * time.Second // of a machine that does much else
	if os.Getenv("ONLOOKER_IDLE") != "" {
		most = time.Second
	}
	body := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	worst, asked := time.Duration(0), 0
	for ; ctx.Err() == nil; asked++ {
		for _, path := range []string{"/api/solve", "/api/draw", "/api/check"} {
			start := time.Now()
			r := solvetest.Must(http.Post(url+path, "application/json", strings.NewReader(body)))(t)
			said, err := io.ReadAll(r.Body)
			r.Body.Close()
			if err != nil || r.StatusCode != http.StatusOK || strings.Contains(string(said), `"kind":"error"`) {
				t.Errorf("beside them %s is told %s, %v: %.200q", path, r.Status, err, said)
			}
			worst = max(worst, time.Since(start))
		}
	}
	large.Wait()
	took := peakMemory(t, command.Process.Pid)
	t.Logf("%d times three questions beside them, the slowest answered in %v; at most %d MB", asked, worst, took>>20)
	if worst > most {
		t.Errorf("a question beside them was answered after %v, want at most %v", worst, most)
	}
	if took > 11<<30/10 {
		t.Errorf("%d MB were taken of 1 GiB", took>>20)
	}
	// A second in which next to nothing is done: those who went away are missed by then.
	for before, tries := processorTime(t, command.Process.Pid), 0; ; tries++ {
		time.Sleep(time.Second)
		now := processorTime(t, command.Process.Pid)
		if now-before < 200*time.Millisecond {
			break
		}
		if before = now; tries == 30 {
			t.Fatal("it goes on for half a minute for those who went away")
		}
	}
}

// peakMemory is the most memory that a process held, in bytes.
func peakMemory(t *testing.T, process int) int64 { return memoryOf(t, process, "VmHWM") }

// memoryOf is the memory of a process that its status has under a name, in bytes.
func memoryOf(t *testing.T, process int, name string) int64 {
	t.Helper()
	text := solvetest.Must(os.ReadFile(fmt.Sprintf("/proc/%d/status", process)))(t)
	for line := range strings.Lines(string(text)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, name+": %d kB", &kB); n == 1 {
			return kB << 10
		}
	}
	t.Fatalf("no %s in\n%s", name, text)
	return 0
}
