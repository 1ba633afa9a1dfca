package practice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

var began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// right and wrong answer the boards of plain: on a flat one up and over; on a
// pillar straight up.
func right(r *Run, slot int) (board int, stroke solve.Stroke) {
	s := r.Slots[slot]
	if len(s.Boards) == 3 {
		board = 1
	}
	if s.Boards[0].Pillar {
		return board, solve.Stroke{{X: 0, Y: 4}, {X: 0, Y: 2}, {X: 0, Y: 0}, {X: 0, Y: -1}}
	}
	return board, solve.Stroke{{X: 0, Y: 4}, {X: 0, Y: 2}, {X: 0, Y: 0}, {X: 2, Y: 0}, {X: 4, Y: 0}, {X: 4, Y: -1}}
}

var wrong = solve.Stroke{{X: 0, Y: 4}, {X: 0, Y: 2}, {X: 0, Y: 1}}

// A play is what happens in a run, in order.
type move struct {
	slot  int
	right bool
}

func TestStages(t *testing.T) {
	for _, row := range []struct {
		why   string
		moves []move
		want  string // a letter a slot: d dark, l lit, o off, s solved
	}{
		{"the first is lit alone", nil, "ldddddddddddddd"[:14]},
		{"each wall panel lights the next", []move{{0, true}, {1, true}}, "ssldddddddddddd"[:14]},
		{"the map lights the four round the column", []move{{0, true}, {1, true}, {2, true}, {3, true}}, "ssssllll" + "dddddd"},
		{"those go in any order", []move{{0, true}, {1, true}, {2, true}, {3, true}, {6, true}, {4, true}}, "sssssls" + "l" + "dddddd"},
		{"all four light the first triple", []move{{0, true}, {1, true}, {2, true}, {3, true}, {6, true}, {4, true}, {5, true}, {7, true}}, "ssssssssl" + "ddddd"},
		{"a wrong first panel is dealt anew at once", []move{{0, false}}, "l" + "ddddddddddddd"},
		{"a wrong panel goes off and the one before it must be solved again", []move{{0, true}, {1, false}}, "lo" + "dddddddddddd"},
		{"which brings the wrong one back", []move{{0, true}, {1, false}, {0, true}}, "sl" + "dddddddddddd"},
		{"wrong again on the way back: two are off", []move{{0, true}, {1, true}, {2, false}, {1, false}}, "loo" + "ddddddddddd"},
		{"and come back one after the other", []move{{0, true}, {1, true}, {2, false}, {1, false}, {0, true}}, "slo" + "ddddddddddd"},
		{"until all is well", []move{{0, true}, {1, true}, {2, false}, {1, false}, {0, true}, {1, true}}, "ssl" + "ddddddddddd"},
		{"round the column, the one solved last is the one before", []move{{0, true}, {1, true}, {2, true}, {3, true}, {6, true}, {4, false}}, "ssssolll" + "dddddd"},
	} {
		r := solvetest.Must(newRun(3, "", plain, solve.Judge))(t)
		solvetest.OK(t, r.Start(began))
		for i, m := range row.moves {
			board, stroke := right(r, m.slot)
			if !m.right {
				stroke = wrong
			}
			err := r.Answer(t.Context(), began.Add(time.Duration(i)*time.Second), m.slot, board, stroke)
			var rule *solve.RuleError
			if m.right && err != nil || !m.right && !errors.As(err, &rule) {
				t.Fatalf("%s: move %d (slot %d): %v", row.why, i, m.slot, err)
			}
		}
		got := ""
		for _, s := range r.Slots {
			got += string(s.Stage[0])
		}
		solvetest.Same(t, got, row.want, "%s: stages", row.why)
	}
}

// TestNotJudged: an answer whose judging the request's end cut short is not wrong. Judging
// pieces is a search.
func TestNotJudged(t *testing.T) {
	r, err := newRun(3, "", plain, solve.Judge)
	solvetest.OK(t, err)
	solvetest.OK(t, r.Start(began))
	s := r.Slots[0]
	p, line := crowded(t)
	s.Boards[s.Board] = p
	err = r.Answer(limits.WithSteps(t.Context(), 20), began, 0, s.Board, line)
	if !errors.Is(err, ErrNotJudged) || errors.As(err, new(*solve.RuleError)) {
		t.Errorf("%v, want that it was not judged", err)
	}
	if s.Wrong != 0 || s.Stage != Lit || s.Boards[s.Board] != p {
		t.Errorf("the panel is %s with %d wrong answers, want it as it was", s.Stage, s.Wrong)
	}
}

// crowded is a panel of 8×8 cells with eighteen turnable pieces and as many negative ones as
// make their squares 64, and a line below them all.
func crowded(t *testing.T) (*board.Panel, solve.Stroke) {
	t.Helper()
	p := board.New(8, 8, false)
	p.At(image.Pt(0, 16)).Start = true
	p.At(image.Pt(16, 16)).Cap = image.Pt(1, 0)
	at, squares := 0, 0
	put := func(kind board.Kind, colour board.Colour, words string) {
		shape := solvetest.Must(forms.ParseShape(words))(t)
		p.At(image.Pt(2*(at%8)+1, 2*(at/8)+1)).Symbol = board.Symbol{Kind: kind, Colour: colour, Shape: shape, Turnable: true}
		at++
		if kind == board.Negative {
			squares -= len(shape)
		} else {
			squares += len(shape)
		}
	}
	for k := range 18 {
		put(board.Polyomino, board.Yellow, []string{"##./.##", "###/#../#..", ".#./###/.#.", "##./.#./.##", "#.#/###", "##/##/#."}[k%6])
	}
	for squares > 64 {
		put(board.Negative, board.Blue, []string{"#../..#", "#.#/.#."}[squares%2])
	}
	line := solve.Stroke{}
	for x := 0; x <= 16; x += 2 {
		line = append(line, image.Pt(x, 16))
	}
	return p, append(line, image.Pt(17, 16))
}

func TestFailedPanelComesBackNew(t *testing.T) {
	r := solvetest.Must(newRun(11, "", deal, solve.Judge))(t)
	solvetest.OK(t, r.Start(began))
	text := func(slot int) string {
		b := solvetest.Must(witness.Of(r.Slots[slot].Boards[0]).MarshalText())(t)
		return string(b)
	}
	solved := func(slot int) {
		t.Helper()
		for i, b := range r.Slots[slot].Boards {
			s, err := witness.Of(b).Solve(t.Context())
			if errors.Is(err, solve.ErrNotSupported) {
				t.Skip(err)
			}
			if err == nil {
				solvetest.OK(t, r.Answer(t.Context(), began, slot, i, s[0]))
			}
		}
	}
	solved(0)
	first, second := text(0), text(1)
	if err := r.Answer(t.Context(), began, 1, 0, wrong); err == nil {
		t.Fatal("a line that ends in the middle was taken")
	}
	solvetest.Same(t, text(0), first, "the panel before a failed one was dealt anew")
	solved(0)
	if text(1) == second {
		t.Error("the failed panel came back as it was, want a new one")
	}
}

func TestWinAndTimes(t *testing.T) {
	r := solvetest.Must(newRun(5, "", plain, solve.Judge))(t)
	if err := r.Answer(t.Context(), began, 0, 0, wrong); !errors.Is(err, ErrNotNow) {
		t.Errorf("an answer before the start: %v, want %v", err, ErrNotNow)
	}
	solvetest.OK(t, r.Start(began))
	if err := r.Start(began); !errors.Is(err, ErrNotNow) {
		t.Errorf("a second start: %v, want %v", err, ErrNotNow)
	}
	for slot := range SlotCount {
		board, stroke := right(r, slot)
		for _, bad := range []struct{ slot, board int }{{slot + 1, 0}, {-1, 0}, {slot, 7}} {
			if slot >= 3 && bad.slot == slot+1 {
				continue // it may well be lit
			}
			if err := r.Answer(t.Context(), began, bad.slot, bad.board, stroke); !errors.Is(err, ErrNotNow) {
				t.Errorf("an answer for slot %d, board %d with slot %d lit: %v, want %v", bad.slot, bad.board, slot, err, ErrNotNow)
			}
		}
		solvetest.OK(t, r.Answer(t.Context(), began.Add(time.Duration(slot+1)*time.Second), slot, board, stroke), fmt.Sprintf("slot %d", slot))
	}
	if got := r.Elapsed(began.Add(time.Hour)); r.Phase != Won || got != 14*time.Second {
		t.Errorf("the run is %s after %s, want won after 14s", r.Phase, got)
	}
	r.Tick(began.Add(time.Hour))
	solvetest.Same(t, r.Phase, Won, "a won run is an hour later")
}

func TestDecoysAreWrong(t *testing.T) {
	r := solvetest.Must(newRun(5, "", plain, solve.Judge))(t)
	solvetest.OK(t, r.Start(began))
	for slot := range 8 {
		board, stroke := right(r, slot)
		solvetest.OK(t, r.Answer(t.Context(), began, slot, board, stroke))
	}
	_, stroke := right(r, 8)
	if err := r.Answer(t.Context(), began, 8, 2, stroke); err == nil || r.Slots[8].Stage != Off {
		t.Errorf("a decoy's answer gave %v and left the triple %s, want an error and off", err, r.Slots[8].Stage)
	}
}

func TestSameSeedSameChallenge(t *testing.T) {
	all := func(seed uint64) string {
		r := solvetest.Must(newRun(seed, "", deal, solve.Judge))(t)
		var out bytes.Buffer
		for _, s := range r.Slots {
			out.WriteString(s.Kind)
			for _, b := range s.Boards {
				text := solvetest.Must(witness.Of(b).MarshalText())(t)
				out.Write(text)
			}
		}
		return out.String()
	}
	first, second := all(7), all(7)
	solvetest.Same(t, first, second, "seed 7 deals two Challenges")
	if first == all(8) {
		t.Error("seeds 7 and 8 deal the same Challenge")
	}
}

func TestServer(t *testing.T) {
	s := NewServer(solve.Judge)
	s.deal = plain
	call := func(method, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		return w
	}
	w := call("POST", "/api/runs", `{"seed":"4"}`)
	var run runJSON
	if err := json.Unmarshal(w.Body.Bytes(), &run); err != nil || run.Seed != "4" || len(run.Slots) != SlotCount {
		t.Fatalf("a new run: %d %s (%v)", w.Code, w.Body, err)
	}
	at := "/api/runs/" + run.ID
	for _, row := range []struct {
		why, method, path, body string
		code                    int
	}{
		{"the page", "GET", "/", "", http.StatusOK},
		{"a seed that is no number", "POST", "/api/runs", `{"seed":"x"}`, http.StatusBadRequest},
		{"a seed that is no text", "POST", "/api/runs", `{"seed":1}`, http.StatusBadRequest},
		{"no such run", "GET", "/api/runs/nope", "", http.StatusNotFound},
		{"an answer before the start", "POST", at + "/answers", `{"slot":0,"board":0,"stroke":[[0,4]]}`, http.StatusConflict},
		{"the start", "POST", at + "/start", "{}", http.StatusOK},
		{"an answer that is no JSON", "POST", at + "/answers", "{", http.StatusBadRequest},
		{"a wrong answer is no error of the request", "POST", at + "/answers", `{"slot":0,"board":0,"stroke":[[0,4]]}`, http.StatusOK},
		{"a huge body", "POST", at + "/answers", `{"stroke":[` + strings.Repeat("[0,0],", 50000) + `[0,0]]}`, http.StatusBadRequest},
		{"a pause", "POST", at + "/stop", `{"reason":"paused"}`, http.StatusOK},
	} {
		if w := call(row.method, row.path, row.body); w.Code != row.code || strings.Contains(w.Body.String(), "json:") || strings.Contains(w.Body.String(), "EOF") {
			t.Errorf("%s: status %d (%s), want %d and plain words", row.why, w.Code, strings.TrimSpace(w.Body.String()), row.code)
		}
	}
	w = call("GET", at, "")
	solvetest.OK(t, json.Unmarshal(w.Body.Bytes(), &run))
	if run.Phase != Aborted || run.Reason != "paused" || run.Slots[0].Wrong != 1 {
		t.Errorf("the run is %s (%s) with %d wrong answers, want aborted (paused) with 1", run.Phase, run.Reason, run.Slots[0].Wrong)
	}
	if slices.ContainsFunc(run.Slots, func(s slotJSON) bool { return s.Stage == Dark && len(s.Boards) > 0 }) {
		t.Error("the page is told the boards of a panel that is dark")
	}
	if got, ok := s.Last(); !ok || got.Phase != Aborted || got.Seed != 4 || got.Wrong != 1 || got.Solved != 0 {
		t.Errorf("the last run's result is %+v (%t), want seed 4 aborted with 1 wrong answer", got, ok)
	}
	for range maxRuns + 3 {
		call("POST", "/api/runs", "{}")
	}
	if len(s.runs) != maxRuns || len(s.ids) != maxRuns {
		t.Errorf("the server keeps %d runs, want %d", len(s.runs), maxRuns)
	}
}

func TestKindsAreDealtAsTheChallengeIs(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(20) {
		r := solvetest.Must(newRun(seed, "", deal, solve.Judge))(t)
		order := ""
		for i, s := range r.Slots {
			if i < 4 || i > 7 {
				if s.Kind != kinds[i] {
					t.Fatalf("seed %d: slot %d is %s, want %s", seed, i, s.Kind, kinds[i])
				}
			} else {
				order += s.Kind + " "
			}
			for _, b := range s.Boards {
				solvetest.OK(t, b.Valid(), fmt.Sprintf("seed %d, %s", seed, s.Kind))
				starts := 0
				for at := range b.Points() {
					if b.At(at).Start {
						starts++
					}
				}
				if two := b.Symmetry != 0; starts == 0 || two != (starts == 2) {
					t.Errorf("seed %d, %s: %d starts", seed, s.Kind, starts)
				}
			}
		}
		seen[order] = true
	}
	if len(seen) < 8 {
		t.Errorf("20 seeds deal the column in %d orders", len(seen))
	}
}

// TestPart trains each part: its kinds alone, one after the other, without a clock,
// a failed panel anew at once.
func TestPart(t *testing.T) {
	dealt := map[string]bool{}
	for _, part := range Parts() {
		r := solvetest.Must(newRun(5, part.Name, plain, solve.Judge))(t)
		solvetest.OK(t, r.Start(began))
		for slot := range PartCount {
			for i, s := range r.Slots {
				if want := map[bool]Stage{true: Solved, false: Dark}[i < slot]; i != slot && s.Stage != want || i == slot && s.Stage != Lit {
					t.Fatalf("%s: with %d solved slot %d is %s", part.Name, slot, i, s.Stage)
				}
			}
			dealt[r.Slots[slot].Kind] = true
			if !slices.Contains(part.Kinds, r.Slots[slot].Kind) {
				t.Errorf("%s deals %s", part.Name, r.Slots[slot].Kind)
			}
			now := began.Add(time.Hour + time.Duration(slot)*time.Second)
			if err := r.Answer(t.Context(), now, slot, 0, wrong); err == nil || r.Slots[slot].Stage != Lit || r.Slots[slot].Deal != 2 {
				t.Fatalf("%s: a wrong answer: %v, then %s and dealt %d times", part.Name, err, r.Slots[slot].Stage, r.Slots[slot].Deal)
			}
			board, stroke := right(r, slot)
			solvetest.OK(t, r.Answer(t.Context(), now, slot, board, stroke), fmt.Sprintf("%s, slot %d", part.Name, slot))
		}
		solvetest.Same(t, r.Phase, Won, "%s: after its last panel", part.Name)
	}
	for _, kind := range kinds {
		if !dealt[kind] {
			t.Errorf("no part trains %s", kind)
		}
	}
	if _, err := newRun(5, "nothing", plain, solve.Judge); err == nil || !strings.Contains(err.Error(), "triples") {
		t.Errorf("a part that is none: %v", err)
	}
}
