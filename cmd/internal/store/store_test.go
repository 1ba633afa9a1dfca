package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestKeepAndFind(t *testing.T) {
	s, ctx := open(t), context.Background()
	p := toy{4, 2, 3, "bridge star"}
	if _, err := s.Get(ctx, 1); !errors.Is(err, ErrNotFound) {
		t.Fatalf("an empty store finds %v", err)
	}
	news := p.seen(File, "a.txt")
	news.Answers = []KeptAnswer{p.answered(true), {Solution: p.another(), Solver: "v1", Own: true, At: day.Add(time.Hour)}}
	id := keep(t, s, news)[0]
	again := p.seen(File, "a.txt")
	again.Seen[0].Last = day.Add(time.Hour)
	again.Answers = news.Answers[:1]
	solvetest.Same(t, keep(t, s, again, p.seen(Screen, ""))[0], id, "the same puzzle twice")
	e, err := s.Get(ctx, id)
	if err != nil || e.ID != id || e.Text != "toy 4 2 3 bridge star\n" || e.Cols != 4 || e.Rows != 2 || e.Status != Solved || !e.Seen.Equal(day) || !slices.Equal(e.Features, []string{"bridge", "star"}) {
		t.Errorf("found %+v, %v", e, err)
	}
	if known, err := s.Recall(ctx, "other", p, "v1"); known != nil || err != nil {
		t.Errorf("another family's puzzle of the same text: %+v, %v", known, err)
	}
	all, err := s.Answers(ctx, id)
	if err != nil || len(all) != 2 || p.Check(t.Context(), all[0].Solution) != nil || all[1].Solution[0][0].Y != 3 {
		t.Errorf("answers %+v, %v", all, err)
	}
	seen, err := s.Sightings(ctx, id)
	if err != nil || len(seen) != 2 || seen[0].Times != 2 || !seen[0].First.Equal(day) || !seen[0].Last.Equal(day.Add(time.Hour)) || seen[1].Source != Screen {
		t.Errorf("sightings %+v, %v", seen, err)
	}
}

func TestKeepRefuses(t *testing.T) {
	s, ctx := open(t), context.Background()
	p := toy{1, 1, 0, ""}
	wrong, both, late, loud := p.entry(), p.entry(), p.seen(File, ""), p.seen("FILE", "")
	wrong.Answers = []KeptAnswer{{Solution: solve.Solution{}}}
	both.Answers, both.Proof = []KeptAnswer{p.answered(true)}, &Proof{}
	late.Seen[0].Last = day.Add(-time.Hour)
	for _, row := range []struct {
		why  string
		news News
		want string
	}{
		{"a wrong answer", wrong, "rule number"},
		{"an answer and none", both, "both"},
		{"ends before it begins", late, "the first time before the last"},
		{"no word for a source", loud, "lower-case"},
		{"features out of order", toy{1, 1, 0, "b a"}.entry(), "sorted"},
	} {
		good := toy{9, 9, 1, ""}.entry()
		if _, err := s.Keep(ctx, good, row.news); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q in it", row.why, err, row.want)
		}
	}
	solvetest.Same(t, solvetest.Must(s.Count(ctx, Filter{}))(t), 0, "puzzles kept of calls that failed")
}

// TestProof shows that no proof stands beside an answer.
func TestProof(t *testing.T) {
	s, ctx := open(t), context.Background()
	p := toy{2, 2, 1, ""}
	none, some := p.entry(), p.entry()
	none.Proof = &Proof{Why: "because", Where: p.answer()[0], Solver: "v1", Own: true, At: day}
	some.Answers = []KeptAnswer{p.answered(false)}
	id := keep(t, s, none)[0]
	proof, err := s.Proof(ctx, id)
	if err != nil || proof == nil || proof.Why != "because" || len(proof.Where) != 1 {
		t.Errorf("proof %+v, %v", proof, err)
	}
	keep(t, s, some) // was checked, so the proof was wrong
	if proof, err := s.Proof(ctx, id); proof != nil || err != nil {
		t.Errorf("a proof %+v beside an answer, %v", proof, err)
	}
	if e, err := s.Get(ctx, id); err != nil || e.Status != Solved {
		t.Errorf("%+v, %v", e, err)
	}
	if _, err := s.Keep(ctx, none); err == nil || !strings.Contains(err.Error(), "which it has") {
		t.Errorf("a proof of none where there is an answer: %v", err)
	}
}

func TestRecall(t *testing.T) {
	p := toy{3, 3, 2, ""}
	answer := func(a KeptAnswer) News { n := p.entry(); n.Answers = []KeptAnswer{a}; return n }
	proof := func(own bool) News { n := p.entry(); n.Proof = &Proof{Solver: "v1", Own: own, At: day}; return n }
	best := func(cost, bound int, own bool) News {
		a := p.answered(own)
		a.Best = &solve.BestAnswer{Unit: "clicks", Cost: cost, Bound: bound}
		return answer(a)
	}
	for _, row := range []struct {
		why    string
		news   News
		puzzle solve.Puzzle
		solver string
		want   string
	}{
		{"an answer", answer(p.answered(true)), p, "v2", "answer"},
		{"an imported answer was checked", answer(p.answered(false)), p, "v2", "answer"},
		{"nothing kept of it", p.entry(), p, "v1", ""},
		{"a proof by this solver", proof(true), p, "v1", "proof"},
		{"a proof by another solver", proof(true), p, "v2", ""},
		{"a proof that was imported", proof(false), p, "v1", ""},
		{"proved to be the cheapest", best(2, 2, true), dear{p}, "v2", "answer"},
		{"the best that this solver knows", best(3, 2, true), dear{p}, "v1", "answer"},
		{"another solver may know a cheaper one", best(3, 2, true), dear{p}, "v2", ""},
		{"an imported bound", best(2, 2, false), dear{p}, "v1", ""},
		{"its cost is not known", answer(p.answered(true)), dear{p}, "v1", ""},
	} {
		s := open(t)
		keep(t, s, row.news)
		known, err := s.Recall(context.Background(), "toy", row.puzzle, row.solver)
		got := ""
		switch {
		case known != nil && known.Proof != nil:
			got = "proof"
		case known != nil && p.Check(t.Context(), known.Answer.Solution) == nil:
			got = "answer"
		}
		if err != nil || got != row.want {
			t.Errorf("%s: got %q (%v), want %q", row.why, got, err, row.want)
		}
	}
}

// TestRecallChecks shows that an answer that somebody changed in the file is
// not shown.
func TestRecallChecks(t *testing.T) {
	s, ctx, p := open(t), context.Background(), toy{3, 3, 2, ""}
	news := p.entry()
	news.Answers = []KeptAnswer{p.answered(true)}
	keep(t, s, news)
	solvetest.Must(s.db.Exec("UPDATE answer SET strokes = '[[[1,1]]]'"))(t)
	if known, err := s.Recall(ctx, "toy", p, "v1"); known != nil || err != nil {
		t.Errorf("a wrong answer is recalled: %+v, %v", known, err)
	}
}

func TestList(t *testing.T) {
	s, ctx := open(t), context.Background()
	for i := range 60 {
		news := toy{3 + i%2, 4, i, []string{"", "star", "bridge star"}[i%3]}.seen([]string{File, Screen}[i/30], "x")
		if i%5 == 0 {
			news.Answers = []KeptAnswer{toy{number: i}.answered(true)}
		}
		keep(t, s, news)
	}
	solved := Solved
	for _, row := range []struct {
		filter Filter
		want   int
	}{
		{Filter{}, 60}, {Filter{Family: "toy"}, 60}, {Filter{Family: "other"}, 0}, {Filter{Cols: 3}, 30}, {Filter{Rows: 4, Cols: 4}, 30},
		{Filter{Features: []string{"star"}}, 40}, {Filter{Features: []string{"bridge", "star"}}, 20}, {Filter{Features: []string{"wall"}}, 0},
		{Filter{Status: &solved}, 12}, {Filter{Source: Screen}, 30}, {Filter{Source: "nowhere"}, 0},
		{Filter{Source: Screen, Status: &solved, Features: []string{"star"}, Cols: 4}, 2}, // 35 and 55
	} {
		solvetest.Same(t, solvetest.Must(s.Count(ctx, row.filter))(t), row.want, "%+v", row.filter)
		var ids []int64
		for before := int64(0); ; before = ids[len(ids)-1] {
			page := solvetest.Must(s.List(ctx, row.filter, before, 7))(t)
			for _, e := range page {
				ids = append(ids, e.ID)
			}
			if len(page) < 7 {
				break
			}
		}
		if len(ids) != row.want || !slices.IsSortedFunc(ids, func(a, b int64) int { return int(b - a) }) {
			t.Errorf("%+v: pages give %v, want %d, newest first", row.filter, ids, row.want)
		}
		for i := 1; i < len(ids); i++ {
			older, err1 := s.Neighbour(ctx, row.filter, ids[i-1], false)
			newer, err2 := s.Neighbour(ctx, row.filter, ids[i], true)
			if older.ID != ids[i] || newer.ID != ids[i-1] || err1 != nil || err2 != nil {
				t.Errorf("%+v: beside %d and %d: %d, %d (%v, %v)", row.filter, ids[i-1], ids[i], older.ID, newer.ID, err1, err2)
			}
		}
		if len(ids) > 0 {
			if e, err := s.Neighbour(ctx, row.filter, ids[0], true); !errors.Is(err, ErrNotFound) {
				t.Errorf("%+v: newer than the newest: %d, %v", row.filter, e.ID, err)
			}
		}
	}
	f, err := s.Facets(ctx)
	if err != nil || f.Families["toy"] != 60 || f.Features["toy"]["star"] != 40 || f.Sizes["toy"][[2]int{3, 4}] != 30 || f.Statuses[Solved] != 12 || f.Sources[File] != 30 {
		t.Errorf("facets %+v, %v", f, err)
	}
}

// change opens a file as SQLite does, past the store.
func change(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err == nil {
		_, err = db.Exec(statement)
	}
	solvetest.OK(t, errors.Join(err, db.Close()))
}

func TestOpenRefuses(t *testing.T) {
	steps := solvetest.Must(migrations())(t)
	for _, row := range []struct {
		why  string
		make func(path string)
		want string
	}{
		{"a newer store", func(path string) {
			openAt(t, path)
			change(t, path, "PRAGMA user_version = 99")
		}, "a newer onlooker wrote it"},
		{"something else's", func(path string) { change(t, path, "CREATE TABLE song (name TEXT)") }, "something else"},
		{"no database", func(path string) {
			solvetest.OK(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o600))
		}, "not a database"},
		{"a folder", func(path string) {
			solvetest.OK(t, os.Mkdir(path, 0o700))
		}, "is a directory"},
	} {
		path := filepath.Join(t.TempDir(), "s.sqlite")
		row.make(path)
		s, err := Open(context.Background(), path, solve.Judge)
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want the path and %q", row.why, err, row.want)
		}
		var newer *NewerError
		if errors.As(err, &newer) && (newer.Got != 99 || newer.Want != len(steps)) {
			t.Errorf("%s: %+v", row.why, newer)
		}
	}
}

// TestMigrates shows that every older version can be brought up to date.
func TestMigrates(t *testing.T) {
	steps := solvetest.Must(migrations())(t)
	for version := range steps {
		path := filepath.Join(t.TempDir(), "s.sqlite")
		for _, step := range steps[:version] {
			change(t, path, step)
		}
		if version > 0 {
			change(t, path, "PRAGMA application_id = 0x6f6e6c6b")
		}
		change(t, path, "PRAGMA user_version = "+string(rune('0'+version)))
		s := openAt(t, path)
		keep(t, s, toy{1, 1, 1, "star"}.seen(File, "x"))
		solvetest.Same(t, solvetest.Must(s.Count(context.Background(), Filter{Features: []string{"star"}}))(t), 1, "from version %d", version)
	}
}

func TestDataFolder(t *testing.T) {
	home := func() (string, error) { return "/home/u", nil }
	for _, row := range []struct {
		system string
		env    map[string]string
		want   string
	}{
		{"linux", nil, "/home/u/.local/share"},
		{"linux", map[string]string{"XDG_DATA_HOME": "/data"}, "/data"},
		{"linux", map[string]string{"XDG_DATA_HOME": "data"}, "/home/u/.local/share"},
		{"darwin", map[string]string{"XDG_DATA_HOME": "/data"}, "/home/u/Library/Application Support"},
		{"windows", map[string]string{"LocalAppData": `C:\u`}, `C:\u`},
		{"windows", nil, ""},
	} {
		got, err := dataFolder(row.system, func(name string) string { return row.env[name] }, home)
		if filepath.ToSlash(got) != row.want || (err == nil) != (row.want != "") {
			t.Errorf("%s %v: %q, %v, want %q", row.system, row.env, got, err, row.want)
		}
	}
}

// A toy is a puzzle of a made-up family: click the cell with that number.
type toy struct {
	cols, rows, number int
	words              string // features
}

func (p toy) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "toy %d %d %d %s\n", p.cols, p.rows, p.number, p.words), nil
}
func (p toy) Bounds() image.Rectangle { return image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1) }
func (p toy) Size() (cols, rows int)  { return p.cols, p.rows }
func (p toy) Features() []string      { return strings.Fields(p.words) }
func (p toy) answer() solve.Solution  { return solve.Solution{{image.Pt(2*p.number+1, 1)}} }
func (p toy) another() solve.Solution { return solve.Solution{{image.Pt(2*p.number+1, 3)}} }
func (p toy) entry() News             { return News{Family: "toy", Puzzle: p} }
func (p toy) seen(in, at string) News { n := p.entry(); n.Seen = []Origin{sighted(in, at)}; return n }
func (p toy) answered(own bool) KeptAnswer {
	return KeptAnswer{Solution: p.answer(), Solver: "v1", Own: own, At: day}
}
func (p toy) Solve(context.Context) (solve.Solution, error) {
	return p.answer(), nil
}
func (p toy) Check(ctx context.Context, s solve.Solution) error {
	if len(s) != 1 || len(s[0]) != 1 || s[0][0].X != 2*p.number+1 {
		return &solve.RuleError{Rule: "number", Got: fmt.Sprint(s)}
	}
	return nil
}

// A dear toy has answers that cost something.
type dear struct{ toy }

func (p dear) Fewest(context.Context) (solve.BestAnswer, error) {
	return solve.BestAnswer{}, errors.ErrUnsupported
}

var toys = solve.Family{Name: "toy", Formats: []solve.Format{{Name: "text", Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(yield func(solve.Puzzle, error) bool) {
		var p toy
		data, err := io.ReadAll(r)
		if err == nil {
			_, err = fmt.Sscanf(string(data), "toy %d %d %d", &p.cols, &p.rows, &p.number)
		}
		if fields := bytes.Fields(data); err == nil {
			p.words = string(bytes.Join(fields[4:], []byte(" ")))
		}
		yield(p, err)
	}
}}}}

var day = time.Date(2026, 11, 22, 10, 0, 0, 123_000, time.UTC)

func sighted(source, place string) Origin {
	return Origin{Source: source, Place: place, First: day, Last: day, Times: 1}
}

func open(t testing.TB) *Store {
	return openAt(t, filepath.Join(t.TempDir(), "a #1?%", "store.sqlite"))
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s := solvetest.Must(Open(context.Background(), path, solve.Judge))(t)
	t.Cleanup(func() {
		solvetest.Fine(t, s.Close())
	})
	return s
}

func keep(t testing.TB, s *Store, news ...News) []int64 {
	t.Helper()
	return solvetest.Must(s.Keep(context.Background(), news...))(t)
}

func toyFamily(name string) *solve.Family {
	if name == toys.Name {
		return &toys
	}
	return nil
}

// varied is a store that holds some of everything.
func varied(t *testing.T) *Store {
	t.Helper()
	s := open(t)
	p, q := toy{4, 3, 2, "bridge star"}, toy{5, 1, 0, ""}
	solved, none := p.seen(File, "a \u2192 <b>\n.txt"), q.seen(Screen, "")
	second := p.answered(false)
	second.Solution, second.Solver = p.another(), "v2"
	dear := p.answered(true)
	dear.Best, dear.Took = &solve.BestAnswer{Unit: "clicks", Cost: 3, Bound: 2}, 1234*time.Microsecond
	solved.Answers = []KeptAnswer{second, dear}
	solved.Seen = append(solved.Seen, Origin{Source: Page, First: day.Add(-time.Hour), Last: day, Times: 7})
	none.Proof = &Proof{Why: "nothing\ngoes", Where: q.answer()[0], Took: time.Second, Solver: "v1", At: day, Own: true}
	keep(t, s, solved, none, toy{1, 1, 0, "dot"}.entry())
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
	// What exports of before have besides is left out.
	before := strings.Replace(text, `,"seen"`, `,"mark":{"title":"Bridges","rating":1},"seen"`, 1) + `{"run":{"key":"` + strings.Repeat("ab", 16) + `","at":"2026-11-22T10:00:00Z","what":"watch","flags":{}}}` + "\n" + `{"turn":{"run":"x","number":1}}` + "\n"
	for range 2 {
		got, err := s.Import(context.Background(), strings.NewReader(before), ImportOptions{Family: toyFamily, Own: true,
			Refused: func(line int, err error) { t.Errorf("line %d: %v", line, err) }})
		if want := (ImportSummary{Puzzles: 3, Answers: 2, Proofs: 1}); err != nil || got != want {
			t.Errorf("imported %+v, %v, want %+v", got, err, want)
		}
		solvetest.Same(t, export(t, s), text, "exported again")
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
		{"strokes that are none", answer(`"x"`), "want a list"},
		{"another family", strings.Replace(puzzle(""), `"toy"`, `"song"`, 1), `no family "song"`},
		{"a text that the family refuses", strings.Replace(puzzle(""), "toy 2 2", "toy x", 1), "expected integer"},
		{"a field that is not known", puzzle(`,"colour":"red"`), "not known here"},
		{"no JSON", "{", "cut off"},
		{"nothing", "{}", "no puzzle"},
		{"an unknown field deep down", puzzle(`,"seen":[{"sauce":"file"}]`), "not known here"},
		{"two on a line", puzzle("") + puzzle(""), "more than one"},
		{"deep", strings.Repeat("[", 1_000_000), "nested too deep"},
		{"deep within", `{"run":{"flags":` + strings.Repeat(`{"a":`, 1_000_000) + "1" + strings.Repeat("}", 1_000_000) + "}}", "nested too deep"},
		{"a source of too many letters", puzzle(`,"seen":[{"source":"` + strings.Repeat("x", 99) + `","first":"2026-11-22T10:00:00Z","last":"2026-11-22T10:00:00Z","times":1}]`), "want a source"},
		{"an answer and none", answer(`[[[3,1]]]`)[:len(answer(`[[[3,1]]]`))-2] + `,"proof":{"where":[],"micros":1,"solver":"x","at":"2026-11-22T10:00:00Z"}}}`, "both"},
	} {
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

// TestForget shows that nothing of a puzzle stays, and nothing else goes.
func TestForget(t *testing.T) {
	s := varied(t)
	ctx := context.Background()
	all := solvetest.Must(s.List(ctx, Filter{}, 0, 10))(t)
	for _, e := range all[1:] { // all but the newest
		solvetest.OK(t, s.Forget(ctx, e.ID))
	}
	for table, want := range map[string]int{"puzzle": 1, "text": 1, "sighting": 0, "answer": 0, "proof": 0} {
		var n int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != want {
			t.Errorf("table %s holds %d rows, %v, want %d", table, n, err, want)
		}
	}
}
