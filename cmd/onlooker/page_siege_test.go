//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// TestPageSiege asks a page of its own process ten thousand things at once, of
// all kinds that take much: pictures of 16 megapixels and of 100, PNGs that
// unpack to gigabytes, megabytes of text, deep JSON, searches that would go on
// for hours. It takes minutes:
//
//	ONLOOKER_MORE=2 go test ./cmd/onlooker -run PageSiege -v
func TestPageSiege(t *testing.T) {
	if solvetest.More() == 1 {
		t.Skip("lays siege to the page where ONLOOKER_MORE asks for it")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "onlooker")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	url, process := serveApart(t, program, filepath.Join(dir, "store.sqlite"))
	var answered, refused, unfinished, cut, strange atomic.Int64
	var wait sync.WaitGroup
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxConnsPerHost: 1000}}
	defer client.CloseIdleConnections()
	kinds := siegeBodies(t)
	for i := range 10_000 {
		wait.Go(func() {
			kind := kinds[i%len(kinds)]
			r, err := client.Post(url+kind.path, kind.kind, bytes.NewReader(kind.body))
			var said []byte
			if err == nil {
				defer r.Body.Close()
				said, err = io.ReadAll(r.Body)
			}
			var out net.Error
			switch {
			case errors.As(err, &out) && out.Timeout(): // a search that goes on
				unfinished.Add(1)
			case err != nil:
				cut.Add(1)
			case r.StatusCode == http.StatusOK:
				answered.Add(1)
			case r.StatusCode >= 400 && len(said) > 0:
				refused.Add(1)
			default:
				strange.Add(1)
			}
		})
	}
	wait.Wait()
	most := peakMemory(t, process)
	t.Logf("%d answered, %d refused with words, %d not done in a minute, %d cut off; at most %d MB",
		answered.Load(), refused.Load(), unfinished.Load(), cut.Load(), most>>20)
	if strange.Load() > 0 || cut.Load() > 0 || answered.Load() == 0 {
		t.Errorf("%d answers without words, %d cut off, %d answered", strange.Load(), cut.Load(), answered.Load())
	}
	if most > 1<<30 {
		t.Errorf("%d MB were taken, want at most 1 GiB", most>>20)
	}
	// Those who went away take a moment to be missed.
	for tries := 0; ; tries++ {
		r, err := client.Post(url+"/api/solve", "application/json", strings.NewReader(`{"family":"witness","text":`+quoted(tinyPanel)+`}`))
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err == nil && strings.Contains(string(said), `"kind":"answer"`) {
			return
		}
		if tries == 30 {
			t.Fatalf("afterwards it says %.300q, %v", said, err)
		}
		time.Sleep(time.Second)
	}
}

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
			r, err := http.Post(url+path, "application/json", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
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

// serveApart starts a program's page in a process of its own.
func serveApart(t *testing.T, program, store string) (url string, process int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, "serve", "--no-open", "--port", "0", "--store", store)
	c.Stderr = os.Stderr
	return served(t, c), c.Process.Pid
}

// peakMemory is the most memory that a process held, in bytes.
func peakMemory(t *testing.T, process int) int64 { return memoryOf(t, process, "VmHWM") }

// memoryOf is the memory of a process that its status has under a name, in bytes.
func memoryOf(t *testing.T, process int, name string) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, name+": %d kB", &kB); n == 1 {
			return kB << 10
		}
	}
	t.Fatalf("no %s in\n%s", name, text)
	return 0
}

type siegeBody struct {
	path, kind string
	body       []byte
}

// siegeBodies are requests that want much.
func siegeBodies(t *testing.T) []siegeBody {
	t.Helper()
	honest := image.NewGray(image.Rect(0, 0, 4000, 4000))
	for i := range honest.Pix {
		honest.Pix[i] = uint8(i * i >> 8)
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, honest); err != nil {
		t.Fatal(err)
	}
	const asJSON = "application/json"
	hard := "panel 12x12\n" + strings.Repeat(strings.Repeat("+-", 12)+"+\n"+strings.Repeat("|a|b", 6)+"|\n", 12) + "@" + strings.Repeat("-+", 12) + ">\na = black star\nb = 2 triangles\n"
	ask := func(family, text string) []byte {
		return []byte(`{"family":` + quoted(family) + `,"text":` + quoted(text) + `}`)
	}
	return []siegeBody{
		{"/api/solve", asJSON, ask("witness", tinyPanel)},
		{"/api/solve", asJSON, ask("witness", hard)},
		{"/api/open", asJSON, ask("", strings.Repeat(tinyPanel+"\n", 7<<20/len(tinyPanel)))},
		{"/api/open", asJSON, []byte(`{"text":` + quoted(`{"grid":`+strings.Repeat("[", 1<<20)) + `}`)},
		{"/api/solve", asJSON, []byte(`{"text":` + strings.Repeat("[", 1<<20))},
		{"/api/look", "application/octet-stream", hollowPNG(t, 10_000, 10_000, 1)},
		{"/api/look", "application/octet-stream", hollowPNG(t, 60_000, 60_000, 50)},
		{"/api/look", "application/octet-stream", hollowPNG(t, 4000, 4000, 4000)},
		{"/api/look", "application/octet-stream", picture.Bytes()},
		{"/api/edit", asJSON, []byte(`{"family":"witness","text":` + quoted(hard) + `,"tool":"board","values":{"cols":"100","rows":"100"}}`)},
		{"/api/random", asJSON, []byte(`{"family":"flow","cols":100,"rows":100,"unique":true}`)},
	}
}
