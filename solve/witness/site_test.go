package witness_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
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
// engine: some of the published panels. It runs where SCRATCH names a folder with a clone of the site.
func TestSiteAccepts(t *testing.T) {
	clone := siteClone(t)
	wanted := 40 * solvetest.More()
	unzip := solvetest.Must(gzip.NewReader(bytes.NewReader(witnesstest.Shared(t, "witness/published/panels.jsonl.gz"))))(t)
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
		answer, err := witness.Of(p).Solve(ctx)
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

// siteClone is the folder of a clone of the site, in the folder that SCRATCH names; the
// test is skipped where there is none.
func siteClone(t *testing.T) string {
	t.Helper()
	clone := filepath.Join(os.Getenv("SCRATCH"), "jbzdarkid.github.io")
	if _, err := os.Stat(filepath.Join(clone, "engine", "validate.js")); err != nil || os.Getenv("SCRATCH") == "" {
		t.Skipf("no clone of jbzdarkid.github.io in SCRATCH=%q", os.Getenv("SCRATCH"))
	}
	return clone
}

// Lines that begin or end in the middle of an edge are judged as the site's own engine
// does. It calls an edge a wall that a line covers, but for the middle at which it
// begins or ends: there the cells beside it hang together. Of two symmetric lines it
// clears the middles of the player's alone. It knows where a line begins from its page
// (startPoint), not from the puzzle's text: whoever asks validate without telling it
// that is told that the cells are parted. 1,000 boards; it runs where SCRATCH names a
// folder with a clone of the site.
func TestSiteAmidEdges(t *testing.T) {
	site := &sitePage{clone: siteClone(t)}
	defer site.close()
	if text, err := os.ReadFile(solvetest.Shared("outside", "break", "p2649.json")); err == nil { // a published one
		p := solvetest.Must(forms.DecodeJSON(text))(t)
		answer := solvetest.Must(witness.Of(p).Solve(t.Context()))(t)
		if verdict, err := site.judge(string(text), answer); verdict != "accepted" {
			t.Errorf("p2649.json: of %v the site says %s, %v", answer, verdict, err)
		}
	}
	boards, lines, right := 0, 0, 0
	for seed := uint64(0); boards < 1000; seed++ {
		p := tinyPanel(rand.New(rand.NewPCG(seed, 65)), board.WitnessPuzzles)
		amid := false
		strange := !p.Pillar && p.Symmetry == board.Parallel // or what the site's editor makes none of
		for at := range p.Points() {
			s := p.At(at)
			amid = amid || board.IsEdge(at) && s.Gap == board.Whole && (s.Start || s.IsEnd())
			strange = strange || s.Gap != board.Whole && (s.Dot.On || s.Start || s.IsEnd())
		}
		text, err := forms.EncodeJSON(p)
		if !amid || strange || err != nil {
			continue
		}
		n := 0
		for _, s := range everyLine(p, func(*drawing) bool { return true }) {
			if n++; n > 20 {
				break
			}
			want := witness.Of(p).Check(t.Context(), s)
			if want == nil && !rules.Rows().Accepted(t.Context(), p, s) {
				want = errors.New("right, but not on the site")
			}
			verdict := solvetest.Must(site.judge(string(text), s))(t)
			if lines++; want == nil {
				right++
			}
			if verdict != "" && (verdict == "accepted") != (want == nil) {
				words, _ := witness.Of(p).MarshalText()
				t.Errorf("seed %d: of %v the site says %s, Check %v\n%s", seed, s, verdict, want, words)
			}
		}
		if n > 0 {
			boards++
		}
	}
	t.Logf("%d boards, %d of %d lines right", boards, right, lines)
}
