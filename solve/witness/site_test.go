package witness

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// A sitePage is the engine of witnesspuzzles.com, which judges answers in node.
type sitePage struct {
	clone    string
	node     *exec.Cmd
	in       io.WriteCloser
	verdicts chan string // closed when node has ended
}

func (s *sitePage) open() (err error) {
	s.node = exec.Command("node", filepath.Join("testdata", "site.js"), s.clone)
	s.node.Stderr = os.Stderr
	if s.in, err = s.node.StdinPipe(); err != nil {
		return err
	}
	out, err := s.node.StdoutPipe()
	if err != nil {
		return err
	}
	s.verdicts = make(chan string)
	go func(to chan<- string) {
		defer close(to)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			to <- lines.Text()
		}
	}(s.verdicts)
	return s.node.Start()
}

func (s *sitePage) close() {
	if s.node != nil {
		s.in.Close()
		_ = s.node.Process.Kill()
		for range s.verdicts {
		}
		_ = s.node.Wait() // killed
		s.node = nil
	}
}

// judge is the engine's verdict, "" where it comes to none in a minute.
func (s *sitePage) judge(puzzle string, answer solve.Solution) (string, error) {
	stroke := [][2]int{}
	for _, at := range answer[0] {
		stroke = append(stroke, [2]int{at.X, at.Y})
	}
	line, err := json.Marshal(map[string]any{"puzzle": puzzle, "stroke": stroke})
	if err != nil {
		return "", err
	}
	if s.node == nil {
		if err := s.open(); err != nil {
			return "", err
		}
	}
	if _, err := fmt.Fprintf(s.in, "%s\n", line); err != nil {
		return "", err
	}
	select {
	case verdict, ok := <-s.verdicts:
		if !ok {
			return "", errors.New("node has ended")
		}
		return verdict, nil
	case <-time.After(time.Minute):
		s.close()
		return "", nil
	}
}

// What is answered by the rules of witnesspuzzles is accepted by the site's own
// engine: some of the published panels, or with ONLOOKER_SITE=2000 so many of
// them. It runs where SCRATCH names a folder with a clone of the site.
func TestSiteAccepts(t *testing.T) {
	clone := filepath.Join(os.Getenv("SCRATCH"), "jbzdarkid.github.io")
	if _, err := os.Stat(filepath.Join(clone, "engine", "validate.js")); err != nil || os.Getenv("SCRATCH") == "" {
		t.Skipf("no clone of jbzdarkid.github.io in SCRATCH=%q", os.Getenv("SCRATCH"))
	}
	wanted := 40
	if text := os.Getenv("ONLOOKER_SITE"); text != "" {
		var err error
		if wanted, err = strconv.Atoi(text); err != nil || wanted < 1 {
			t.Fatalf("ONLOOKER_SITE=%q, want a number of panels", text)
		}
	}
	unzip, err := gzip.NewReader(bytes.NewReader(witnesstest.Shared(t, "witness/published/panels.jsonl.gz")))
	if err != nil {
		t.Fatal(err)
	}
	type published struct{ ID, Puzzle string }
	var all []published
	for dec := json.NewDecoder(unzip); ; {
		var one published
		if err := dec.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	site := &sitePage{clone: clone}
	defer site.close()
	accepted, undecided, late := 0, 0, 0
	for k := range min(wanted, len(all)) {
		one := all[k*len(all)/min(wanted, len(all))]
		p, err := forms.DecodeJSON([]byte(one.Puzzle))
		if err != nil {
			continue // see TestPublished
		}
		ctx, cancel := witnesstest.Within(20 * time.Second)
		answer, err := Of(p).Solve(ctx)
		cancel()
		if err != nil {
			if ctx.Err() == nil {
				t.Errorf("%s: %v, and its author drew an answer", one.ID, err)
			}
			late++
			continue
		}
		switch verdict, err := site.judge(one.Puzzle, answer); {
		case err != nil:
			t.Fatalf("%s: %v", one.ID, err)
		case verdict == "":
			undecided++
		case verdict != "accepted":
			t.Errorf("%s: the site refuses %v: %s", one.ID, answer, verdict)
		default:
			accepted++
		}
	}
	t.Logf("%d accepted, %d not decided in a minute, %d not answered in time", accepted, undecided, late)
	if accepted < min(wanted, len(all))*9/10 {
		t.Errorf("only %d of %d answers were accepted", accepted, wanted)
	}
}
