package solving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
)

// keyOf is the key of a line "key result".
func keyOf(line batchLine) (string, error) {
	key, _, ok := strings.Cut(string(line), " ")
	if !ok {
		return "", fmt.Errorf("%q is no line", line)
	}
	return key, nil
}

// numbers are n inputs whose keys are their numbers.
func numbers(n int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for i := range n {
			if !yield(fmt.Sprint(i), i) {
				return
			}
		}
	}
}

func square(_ context.Context, i int) batchLine { return fmt.Appendf(nil, "%d %d", i, i*i) }

func squares(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d %d\n", i, i*i)
	}
	return b.String()
}

// uneven takes longer over some, so that they come out of order.
func uneven(ctx context.Context, i int) batchLine {
	if i%7 == 0 {
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
	}
	return square(ctx, i)
}

func TestOrder(t *testing.T) {
	var out bytes.Buffer
	ticks := atomic.Int64{}
	o := batchOptions{Workers: 4, KeyOf: keyOf, Tick: func(batchLine, bool) { ticks.Add(1) }}
	if err := runBatch(t.Context(), &batchOutput{w: &out}, numbers(500), uneven, o); err != nil || out.String() != squares(500) || ticks.Load() != 500 {
		t.Errorf("%v, %d ticks\n%s", err, ticks.Load(), &out)
	}
}

// TestAllCores shows that one that takes long stops no other.
func TestAllCores(t *testing.T) {
	var out bytes.Buffer
	others := make(chan struct{}, 300)
	work := func(ctx context.Context, i int) batchLine {
		if i == 0 { // waits for all others
			for range 300 {
				<-others
			}
		} else {
			others <- struct{}{}
		}
		return square(ctx, i)
	}
	if err := runBatch(t.Context(), &batchOutput{w: &out}, numbers(301), work, batchOptions{Workers: 2, KeyOf: keyOf, Tick: func(batchLine, bool) {}}); err != nil || out.String() != squares(301) {
		t.Errorf("%v\n%s", err, &out)
	}
}

func open(t *testing.T, name string) *batchOutput {
	t.Helper()
	out, f, err := openBatch(name)
	solvetest.OK(t, err)
	t.Cleanup(func() { f.Close() })
	return out
}

// TestGoesOn breaks a run off, and shows that no line is worked on again.
func TestGoesOn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithCancel(t.Context())
	stuck := func(ctx context.Context, i int) batchLine {
		if i == 30 {
			cancel()
			return batchLine("30 broken off")
		}
		return square(ctx, i)
	}
	o := batchOptions{Workers: 2, KeyOf: keyOf, Tick: func(batchLine, bool) {}}
	out, f, err := openBatch(name)
	solvetest.OK(t, err)
	if err := errors.Join(runBatch(ctx, out, numbers(100), stuck, o), f.Close()); !errors.Is(err, context.Canceled) {
		t.Fatalf("broken off: %v", err)
	}
	text := solvetest.Must(os.ReadFile(name))(t)
	before := int64(bytes.Count(text, []byte("\n")))
	if before > 30 || string(text) != squares(int(before)) {
		t.Errorf("%q, want at most 30 lines", text)
	}
	var again, worked atomic.Int64
	count := func(ctx context.Context, i int) batchLine { worked.Add(1); return square(ctx, i) }
	o.Tick = func(_ batchLine, old bool) {
		if old {
			again.Add(1)
		}
	}
	solvetest.OK(t, runBatch(t.Context(), open(t, name), numbers(100), count, o))
	if again.Load() != before || worked.Load() != 100-before {
		t.Errorf("%d were done, then %d taken from there and %d worked on", before, again.Load(), worked.Load())
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != squares(100) {
		t.Errorf("%v:\n%s", err, text)
	}
}

func TestRefuses(t *testing.T) {
	for _, row := range []struct{ why, text, want string }{
		{"other inputs", "0 0\nx 1\n", `line 2 is of "x"`},
		{"fewer inputs", squares(6), "has 6 lines, of 5 inputs"},
		{"a line of something else", "0\n", "no line"},
		{"a torn last line is made anew", "0 0\n1 ", ""},
		{"and a torn first one", "0", ""},
	} {
		name := filepath.Join(t.TempDir(), "out")
		solvetest.OK(t, os.WriteFile(name, []byte(row.text), 0o600))
		err := runBatch(t.Context(), open(t, name), numbers(5), square, batchOptions{Workers: 1, KeyOf: keyOf, Tick: func(batchLine, bool) {}})
		want := row.text
		if row.want == "" {
			want = squares(5)
			solvetest.Fine(t, err, row.why)
		} else if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
		if text, err := os.ReadFile(name); err != nil || string(text) != want {
			t.Errorf("%s: the file is %q now, %v", row.why, text, err)
		}
	}
}

// A closed pipe ends a run.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWriteFails(t *testing.T) {
	var worked atomic.Int64
	count := func(ctx context.Context, i int) batchLine { worked.Add(1); return square(ctx, i) }
	const workers = 2
	err := runBatch(t.Context(), &batchOutput{w: closed{}}, numbers(1_000_000), count, batchOptions{Workers: workers, KeyOf: keyOf, Tick: func(batchLine, bool) {}})
	// While the first line's worker waits for a processor the others come as far as the
	// window lets them.
	if !errors.Is(err, os.ErrClosed) || worked.Load() > window+workers {
		t.Errorf("%v after %d inputs, want an end within the window", err, worked.Load())
	}
}

const killed = 400 // inputs

// TestMain is also the process that TestKill kills: it notes each line that it
// wrote, and goes on when it is given a byte for it, or when no more are given.
func TestMain(m *testing.M) {
	name := os.Getenv("BATCH_TEST_OUTPUT")
	if name == "" {
		programtest.Main(m)
	}
	out, _, err := openBatch(name)
	if err == nil {
		err = runBatch(context.Background(), out, numbers(killed), uneven, batchOptions{Workers: 3, KeyOf: keyOf, Tick: func(line batchLine, old bool) {
			if !old {
				fmt.Printf("%s\n", line)
				_, _ = os.Stdin.Read(make([]byte, 1))
			}
		}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// TestLock opens a file that a run writes: the second is told which process does,
// and leaves everything as it is.
func TestLock(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "BATCH_TEST_OUTPUT="+name)
	rations := solvetest.Must(cmd.StdinPipe())(t)
	pipe, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	solvetest.OK(t, err)
	if _, err := pipe.Read(make([]byte, 1)); err != nil { // it has put a line
		t.Fatal(err)
	}
	out, _, err := openBatch(name)
	want := fmt.Sprintf("process %d", cmd.Process.Pid)
	if runtime.GOOS == "windows" {
		want = "another process"
	}
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, %v, want it refused: %s writes it", out, err, want)
	}
	rations.Close()
	if _, err := io.Copy(io.Discard, pipe); err != nil {
		t.Error(err)
	}
	solvetest.Fine(t, cmd.Wait())
	if text, err := os.ReadFile(name); err != nil || string(text) != squares(killed) {
		t.Errorf("the first run's file: %v\n%s", err, text)
	}
}

// TestKill kills runs until one comes through. None gets far past the line that it
// is killed at, however late the kill comes on a loaded machine.
func TestKill(t *testing.T) {
	name := filepath.Join(t.TempDir(), "out")
	said := map[string]int{}
	kills := 0
	for round := 0; ; round++ {
		if round > killed {
			t.Fatal("no run comes to its end")
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "BATCH_TEST_OUTPUT="+name)
		var out bytes.Buffer
		cmd.Stderr = os.Stderr
		pipe := solvetest.Must(cmd.StdoutPipe())(t)
		rations, err := cmd.StdinPipe() // stays open: an end would let it run on
		if err == nil {
			err = cmd.Start()
		}
		solvetest.OK(t, err)
		lines := 10 + rand.IntN(60)
		_, _ = rations.Write(make([]byte, lines+rand.IntN(20))) // one that has nothing left to do may be gone
		buffer := make([]byte, 512)
		for bytes.Count(out.Bytes(), []byte("\n")) < lines {
			n, err := pipe.Read(buffer)
			out.Write(buffer[:n])
			if err != nil {
				break
			}
		}
		dying := cmd.Process.Kill()
		_, _ = out.ReadFrom(pipe) // until it is gone
		ended := cmd.Wait()
		for _, line := range strings.SplitAfter(out.String(), "\n") {
			if strings.HasSuffix(line, "\n") {
				said[line]++
			}
		}
		if ended == nil || dying != nil {
			break
		}
		kills++
	}
	text, err := os.ReadFile(name)
	if err != nil || string(text) != squares(killed) {
		t.Errorf("after %d kills: %v\n%s", kills, err, text)
	}
	for line, n := range said {
		if n > 1 {
			t.Errorf("written %d times: %s", n, line)
		}
	}
	if kills < 3 || len(said) < killed/2 {
		t.Errorf("%d kills, %d lines said: too few to show anything", kills, len(said))
	}
	t.Logf("%d kills", kills)
}

// pieces is how much is written at once, at most.
type pieces struct {
	bytes.Buffer
	most int
}

func (p *pieces) Write(b []byte) (int, error) {
	p.most = max(p.most, len(b))
	return p.Buffer.Write(b)
}

// TestLineInPieces writes the answer of a large board without holding it as text, and wants
// each of its strokes and its words.
func TestLineInPieces(t *testing.T) {
	p := switches.Generate(rand.New(rand.NewPCG(6, 5)), 400, 400)
	best := solvetest.Must(p.FewestPacked(t.Context()))(t)
	var out pieces
	solvetest.OK(t, (solvedLine{line: Line{Status: answer.Solved}, best: &best}).write(&out, p))
	var line struct {
		Line
		Moves []string
	}
	solvetest.OK(t, json.Unmarshal(out.Bytes(), &line))
	strokes, err := solve.FromPairs(line.Strokes)
	if err == nil {
		err = p.Check(t.Context(), strokes)
	}
	if err != nil || len(strokes) != best.Cost || len(line.Moves) != best.Cost {
		t.Errorf("%d strokes and %d moves of %d flips: %v", len(strokes), len(line.Moves), best.Cost, err)
	}
	if out.most > 64<<10 || out.Len() < 10*out.most {
		t.Errorf("%d bytes in pieces of up to %d, want up to 64 KiB", out.Len(), out.most)
	}
}
