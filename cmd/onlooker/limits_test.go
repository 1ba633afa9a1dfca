//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/solve/witness"
	"onlooker/solve/witness/deal"
)

// What a question may take with --timeout: that, and half a second; and memory.
const (
	limitSpare  = 500 * time.Millisecond
	limitMemory = 2 << 30
)

// limitBoards are boards that a program without limits would think about for long: of panels
// alone, or of all families.
func limitBoards(t *testing.T, all bool) map[string]string {
	t.Helper()
	panel := func(head string, n int, cell func(x, y int) string, legend string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "panel %dx%d%s\n", n, n, head)
		for y := range n {
			b.WriteString(strings.Repeat("+-", n) + "+\n")
			for x := range n {
				b.WriteString("|" + cell(x, y))
			}
			b.WriteString("|\n")
		}
		return b.String() + "@" + strings.Repeat("-+", n-1) + "->\n" + legend
	}
	boards := map[string]string{
		"empty": panel("", 100, func(int, int) string { return " " }, ""),
		"stars": panel("", 12, func(x, y int) string { return string("ab"[x%2]) }, "a = black star\nb = 2 triangles\n"),
		"pieces": panel("", 20, func(x, y int) string { return string("ab "[(x+7*y)%3]) },
			"a = turned yellow piece ###/#..\nb = turned blue negative piece ##/.#\n"),
		"erasers": panel(" rules=witnesspuzzles", 10, func(x, y int) string { return string("abcde"[min(x, y, 9-x, 9-y)]) },
			"a = white eraser\nb = black eraser\nc = white star\nd = black star\ne = white square\n"),
	}
	if !all {
		return boards
	}
	deal := func(name string, f *solve.Family, o solve.Order) {
		p := solvetest.Must(f.Deal(t.Context(), rand.New(rand.NewPCG(1, 1)), o))(t)
		text := solvetest.Must(p.MarshalText())(t)
		boards[name] = string(text)
	}
	deal("flow", &flow.Family, solve.Order{Cols: 50, Rows: 50})
	deal("alcazar", &alcazar.Family, solve.Order{Cols: 40, Rows: 40})
	deal("fans", &fans.Family, solve.Order{Cols: 100, Rows: 100})
	deal("switches", &switches.Family, solve.Order{Cols: 150, Rows: 150})
	return boards
}

// limitQuestions are command lines; BOARD stands for the file of one.
func limitQuestions() []string {
	return []string{
		"solve empty", "generate witness --size 60x60", // these two are always asked
		"solve stars", "solve pieces", "solve erasers", "solve flow", "solve alcazar", "solve fans", "solve switches",
		"solve --rules windmill erasers", "solve --json erasers",
		"solve --count empty", "solve --count stars", "solve --count erasers", "solve --count fans", "solve --count switches", "solve --count flow",
		"solve --all empty",
		"solve --why stars", "solve --why pieces", "solve --why flow",
		"batch stars", "batch --count empty", "batch --why pieces",
		"generate witness --size 100x100 --unique", "generate witness --size 30x30 --symbols pieces=90,stars=40 --unique",
		"generate flow --size 256x256 --unique", "generate alcazar --size 256x256", "generate alcazar --size 100x100 --unique",
		"generate fans --size 100x100 --unique", "generate switches --size 256x256",
		"check erasers", "convert --to svg empty", "convert --to text fans",
	}
}

// limitRequests are what a page is asked: the client leaves when its time is over.
func limitRequests() []string {
	return []string{
		"random witness cols=60 rows=60", // this one is always asked
		"random alcazar cols=100 rows=100", "random flow cols=100 rows=100 unique",
		"solve stars", "count stars", "answers empty", "hint pieces", "check erasers",
	}
}

// border is the answer to the panel of erasers that the page would judge for hours.
func border() [][2]int {
	line := [][2]int{}
	for x := 0; x <= 20; x += 2 {
		line = append(line, [2]int{x, 20})
	}
	return append(line, [2]int{21, 20})
}

// Every question ends with its time, whatever the board: two of the command line
// and one of the page, or where more is asked for all, which are printed as a table.
// Where ONLOOKER_IDLE=1 says that nobody else uses the machine, time is the clock's,
// and otherwise the processor's.
func TestLimits(t *testing.T) {
	all, timeout := solvetest.More() > 1, 3*time.Second
	questions, requests := limitQuestions(), limitRequests()
	if !all {
		questions, requests, timeout = questions[:2], requests[:1], time.Second
	}
	dir, boards := t.TempDir(), limitBoards(t, all)
	for name, text := range boards {
		solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	tell := func(what string, wall, cpu time.Duration, memory int64, said string) {
		took := cpu
		if os.Getenv("ONLOOKER_IDLE") != "" {
			took = wall
		}
		t.Logf("%-64s %6.2f s %6.2f s of processor time %5d MiB  %.70s", what, wall.Seconds(), cpu.Seconds(), memory>>20, cli.OneLine(said))
		// Two searches side by side take twice the time.
		if most := timeout + limitSpare; took > most && wall == took || took > 2*most {
			t.Errorf("%s took %v, want at most %v", what, took, most)
		}
		if memory > limitMemory {
			t.Errorf("%s held %d MiB, want at most %d", what, memory>>20, limitMemory>>20)
		}
	}
	for _, q := range questions {
		args := strings.Fields(q)
		last := len(args) - 1
		if _, ok := boards[args[last]]; ok {
			args[last] = filepath.Join(dir, args[last])
		}
		switch args[0] {
		case "check":
			line, _ := json.Marshal([][][2]int{border()})
			args = append(args, string(line))
		case "solve", "batch", "generate":
			args = append(args, "--no-store", "--timeout", timeout.String())
		}
		c := exec.Command(os.Args[0], args...)
		c.Env = append(os.Environ(), asProgram+"=1")
		start := time.Now()
		said, err := c.CombinedOutput()
		if c.ProcessState == nil {
			t.Fatal(err)
		}
		if code := c.ProcessState.ExitCode(); code != 0 && code != 1 {
			t.Errorf("%s: %v: %.300s", q, err, said)
		}
		lines := strings.Split(strings.TrimSpace(string(said)), "\n")
		tell(q, time.Since(start), c.ProcessState.UserTime()+c.ProcessState.SystemTime(),
			c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss<<10, lines[len(lines)-1])
	}
	for _, r := range requests {
		wall, cpu, memory, said := askPage(t, dir, r, boards, timeout)
		tell("page: "+r, wall, cpu, memory, said)
	}
}

// askPage asks a page of its own process, and leaves when the time is over; the page
// is done when it takes no more processor time.
func askPage(t *testing.T, dir, request string, boards map[string]string, timeout time.Duration) (wall, cpu time.Duration, memory int64, said string) {
	t.Helper()
	c := exec.Command(os.Args[0], "serve", "--no-open", "--port", "0", "--no-store")
	c.Env = append(os.Environ(), asProgram+"=1")
	url := served(t, c)
	words := strings.Fields(request)
	body := map[string]any{"family": words[1]}
	if text, ok := boards[words[1]]; ok {
		body = map[string]any{"family": "witness", "text": text}
		if words[0] == "check" {
			body["strokes"] = [][][2]int{border()}
		}
	}
	for _, word := range words[2:] {
		var n int
		switch name, number, _ := strings.Cut(word, "="); {
		case number == "":
			body[name] = true
		default:
			fmt.Sscan(number, &n)
			body[name] = n
		}
	}
	data := solvetest.Must(json.Marshal(body))(t)
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	ask := solvetest.Must(http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/"+words[0], strings.NewReader(string(data))))(t)
	ask.Header.Set("Content-Type", "application/json")
	start, before := time.Now(), processorTime(t, c.Process.Pid)
	answer, err := http.DefaultClient.Do(ask)
	if err == nil {
		text, _ := io.ReadAll(answer.Body) // cut off when the client leaves
		answer.Body.Close()
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		said = fmt.Sprint(answer.StatusCode, " ", lines[len(lines)-1])
		if answer.StatusCode != http.StatusOK && answer.StatusCode != http.StatusUnprocessableEntity {
			t.Errorf("%s: %s", request, said)
		}
	} else {
		said = err.Error()
	}
	wall = time.Since(start)
	// Until a tenth of a second passes in which it does nothing, or it goes on and on.
	last := processorTime(t, c.Process.Pid)
	for quiet := 0; quiet < 5 && last-before < 4*timeout; quiet++ {
		time.Sleep(100 * time.Millisecond)
		now := processorTime(t, c.Process.Pid)
		if now-last > 20*time.Millisecond {
			quiet, wall = 0, time.Since(start)
		}
		last = now
	}
	return wall, last - before, peakMemory(t, c.Process.Pid), said
}

// processorTime is what a process took so far, in hundredths of a second.
func processorTime(t *testing.T, process int) time.Duration {
	t.Helper()
	text := solvetest.Must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", process)))(t)
	fields := strings.Fields(string(text)[strings.LastIndexByte(string(text), ')')+1:])
	var user, system int64
	fmt.Sscan(fields[11], &user)
	fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}

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

// TestPageStalled: a body that stands still is told so, and ends; beside many others see TestPageFlooded.
func TestPageStalled(t *testing.T) {
	server := httptest.NewServer(testPage(t, filepath.Join(t.TempDir(), "store.sqlite")))
	defer server.Close()
	c := solvetest.Must(net.Dial("tcp", strings.TrimPrefix(server.URL, "http://")))(t)
	defer c.Close()
	fmt.Fprint(c, "POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
	solvetest.OK(t, c.SetReadDeadline(time.Now().Add(time.Minute)))
	if said, _ := io.ReadAll(c); !strings.Contains(string(said), "408 Request Timeout") || !strings.Contains(string(said), "stood still") {
		t.Errorf("a request that stood still is told %.200q", said)
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
