package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func toyFamily(name string) *solve.Family {
	if name == toys.Name {
		return &toys
	}
	return nil
}

// varied is a store that holds some of everything.
func varied(t *testing.T) *Store {
	t.Helper()
	s, ctx := open(t), context.Background()
	p, q := toy{4, 3, 2, "bridge star"}, toy{5, 1, 0, ""}
	solved, none := p.seen(File, "a \u2192 <b>\n.txt"), q.seen(Screen, "")
	second := p.answered(false)
	second.Solution, second.Solver = p.another(), "v2"
	dear := p.answered(true)
	dear.Best, dear.Took = &solve.BestAnswer{Unit: "clicks", Cost: 3, Bound: 2}, 1234*time.Microsecond
	solved.Answers = []KeptAnswer{second, dear}
	solved.Seen = append(solved.Seen, Origin{Source: Page, First: day.Add(-time.Hour), Last: day, Times: 7})
	none.Proof = &Proof{Why: "nothing\ngoes", Where: q.answer()[0], Took: time.Second, Solver: "v1", At: day, Own: true}
	ids := keep(t, s, solved, none, toy{1, 1, 0, "dot"}.entry())
	solvetest.OK(t, errors.Join(s.Label(ctx, ids[0], "Bridges", "hard\nat first"), s.Rate(ctx, ids[1], -1), s.Play(ctx, ids[2], true, false, day)))
	return s
}

func export(t *testing.T, s *Store) string {
	t.Helper()
	var out bytes.Buffer
	solvetest.OK(t, s.Export(context.Background(), &out))
	return out.String()
}

// TestExportImport shows that nothing is lost, and that doing it again changes
// nothing.
func TestExportImport(t *testing.T) {
	text := export(t, varied(t))
	s := open(t)
	// Runs of the agent, which exports of before have, are left out.
	before := text + `{"run":{"key":"` + strings.Repeat("ab", 16) + `","at":"2026-11-22T10:00:00Z","what":"watch","flags":{}}}` + "\n" + `{"turn":{"run":"x","number":1}}` + "\n"
	for range 2 {
		got, err := s.Import(context.Background(), strings.NewReader(before), ImportOptions{Family: toyFamily, Own: true,
			Refused: func(line int, err error) { t.Errorf("line %d: %v", line, err) }})
		if want := (ImportSummary{Puzzles: 3, Answers: 2, Proofs: 1}); err != nil || got != want {
			t.Errorf("imported %+v, %v, want %+v", got, err, want)
		}
		if again := export(t, s); again != text {
			t.Errorf("exported again:\n%s\nwant\n%s", again, text)
		}
	}
}

// TestImportOfOthers shows that somebody else's word is not taken for proof.
func TestImportOfOthers(t *testing.T) {
	s := open(t)
	solvetest.Must(s.Import(context.Background(), strings.NewReader(export(t, varied(t))), ImportOptions{Family: toyFamily}))(t)
	if text := export(t, s); strings.Contains(text, `"own":true`) {
		t.Errorf("imported as our own:\n%s", text)
	}
}

func TestImportRefuses(t *testing.T) {
	const begin = "{\"store\":1}\n" // the oldest form that is read
	puzzle := func(more string) string {
		return `{"puzzle":{"family":"toy","text":"toy 2 2 1 \n","first":"2026-11-22T10:00:00Z"` + more + `}}`
	}
	answer := func(strokes string) string {
		return puzzle(`,"answers":[{"strokes":` + strokes + `,"micros":1,"solver":"v1","at":"2026-11-22T10:00:00Z"}]`)
	}
	for _, row := range []struct{ why, text, want string }{
		{"a wrong answer", answer(`[[[1,1]]]`), "rule number"},
		{"a point of three", answer(`[[[3,1,1]]]`), ""}, // json takes the first two, Check the rest
		{"strokes that are none", answer(`"x"`), "want a list"},
		{"another family", strings.Replace(puzzle(""), `"toy"`, `"song"`, 1), `no family "song"`},
		{"a text that the family refuses", strings.Replace(puzzle(""), "toy 2 2", "toy x", 1), "expected integer"},
		{"a field that is not known", puzzle(`,"colour":"red"`), "not known here"},
		{"no JSON", "{", "cut off"},
		{"nothing", "{}", "no puzzle"},
		{"an unknown field deep down", puzzle(`,"seen":[{"sauce":"file"}]`), "not known here"},
		{"a rating of nine", puzzle(`,"mark":{"rating":9}`), "want -1, 0 or 1"},
		{"solved more often than played", puzzle(`,"mark":{"wins":2,"plays":1}`), "no more of the second"},
		{"a title of two lines", puzzle(`,"mark":{"title":"a\nb"}`), "more than one line"},
		{"a long note", puzzle(`,"mark":{"note":"` + strings.Repeat("x", maxNote+1) + `"}`), "want at most"},
		{"two on a line", puzzle("") + puzzle(""), "more than one"},
		{"deep", strings.Repeat("[", 1_000_000), "nested too deep"},
		{"deep within", `{"run":{"flags":` + strings.Repeat(`{"a":`, 1_000_000) + "1" + strings.Repeat("}", 1_000_000) + "}}", "nested too deep"},
		{"a source of too many letters", puzzle(`,"seen":[{"source":"` + strings.Repeat("x", 99) + `","first":"2026-11-22T10:00:00Z","last":"2026-11-22T10:00:00Z","times":1}]`), "want a source"},
		{"an answer and none", answer(`[[[3,1]]]`)[:len(answer(`[[[3,1]]]`))-2] + `,"proof":{"where":[],"micros":1,"solver":"x","at":"2026-11-22T10:00:00Z"}}}`, "both"},
	} {
		if row.want == "" {
			continue
		}
		s := open(t)
		good := strings.Replace(puzzle(""), "toy 2 2", "toy 3 3", 1)
		var said string
		got, err := s.Import(context.Background(), strings.NewReader(begin+good+"\n"+row.text+"\n"+strings.Replace(good, "toy 3", "toy 4", 1)),
			ImportOptions{Family: toyFamily, Refused: func(line int, err error) { said = fmt.Sprintf("%d: %v", line, err) }})
		if err != nil || got.Refused != 1 || got.Puzzles != 2 || !strings.Contains(said, row.want) {
			t.Errorf("%s: %+v, %v, said %.200q, want %q and the other two lines", row.why, got, err, said, row.want)
		}
	}
	for _, row := range []struct{ why, text, want string }{
		{"no export", "{\"family\":\"toy\"}\n", "no beginning"},
		{"a later form", "{\"store\":3}\n", "no beginning"},
		{"a line without end", begin + strings.Repeat("x", maxLine+2), "longer than 49 MB"},
		{"no form at all", "{\"store\":0}\n", "no beginning"},
	} {
		if _, err := open(t).Import(context.Background(), strings.NewReader(row.text), ImportOptions{Family: toyFamily}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, err, row.want)
		}
	}
}

// TestImportBothWays shows that a line that contradicts the store is refused by
// itself.
func TestImportBothWays(t *testing.T) {
	p := toy{2, 2, 1, ""}
	mine, theirs := open(t), open(t)
	solved, none := p.entry(), p.entry()
	solved.Answers = []KeptAnswer{p.answered(true)}
	none.Proof = &Proof{Solver: "v1", Own: true, At: day}
	keep(t, mine, solved)
	keep(t, theirs, toy{1, 1, 0, ""}.entry(), none, toy{3, 3, 0, ""}.entry())
	lines := []int{}
	got, err := mine.Import(context.Background(), strings.NewReader(export(t, theirs)), ImportOptions{Family: toyFamily, Own: true,
		Refused: func(line int, err error) { lines = append(lines, line) }})
	if err != nil || got.Puzzles != 2 || len(lines) != 1 || lines[0] != 3 {
		t.Errorf("imported %+v, %v, refused lines %v, want line 3", got, err, lines)
	}
}
