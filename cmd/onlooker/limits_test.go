//go:build linux

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
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
