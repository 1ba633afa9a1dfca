package store

import (
	"context"
	"database/sql"
	"errors"
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
	if _, err := s.Find(ctx, "toy", p); !errors.Is(err, ErrNotFound) {
		t.Fatalf("an empty store finds %v", err)
	}
	news := p.seen(File, "a.txt")
	news.Answers = []KeptAnswer{p.answered(true), {Solution: p.another(), Solver: "v1", Own: true, At: day.Add(time.Hour)}}
	id := keep(t, s, news)[0]
	again := p.seen(File, "a.txt")
	again.Seen[0].Last = day.Add(time.Hour)
	again.Answers = news.Answers[:1]
	if other := keep(t, s, again, p.seen(Screen, ""))[0]; other != id {
		t.Errorf("the same puzzle is kept as %d and %d", id, other)
	}
	e, err := s.Find(ctx, "toy", p)
	if err != nil || e.ID != id || e.Text != "toy 4 2 3 bridge star\n" || e.Cols != 4 || e.Rows != 2 || e.Status != Solved || !e.Seen.Equal(day) || !slices.Equal(e.Features, []string{"bridge", "star"}) {
		t.Errorf("found %+v, %v", e, err)
	}
	if _, err := s.Find(ctx, "other", p); !errors.Is(err, ErrNotFound) {
		t.Errorf("another family's puzzle of the same text: %v", err)
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
	if n, err := s.Count(ctx, Filter{}); n != 0 || err != nil {
		t.Errorf("%d puzzles were kept of calls that failed (%v)", n, err)
	}
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
		if n, err := s.Count(ctx, row.filter); n != row.want || err != nil {
			t.Errorf("%+v: %d, %v, want %d", row.filter, n, err, row.want)
		}
		var ids []int64
		for before := int64(0); ; before = ids[len(ids)-1] {
			page := solvetest.Must(s.List(ctx, row.filter, Orders()[0], before, 7))(t)
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
			older, err1 := s.Neighbour(ctx, row.filter, Orders()[0], ids[i-1], false)
			newer, err2 := s.Neighbour(ctx, row.filter, Orders()[0], ids[i], true)
			if older.ID != ids[i] || newer.ID != ids[i-1] || err1 != nil || err2 != nil {
				t.Errorf("%+v: beside %d and %d: %d, %d (%v, %v)", row.filter, ids[i-1], ids[i], older.ID, newer.ID, err1, err2)
			}
		}
		if len(ids) > 0 {
			if e, err := s.Neighbour(ctx, row.filter, Orders()[0], ids[0], true); !errors.Is(err, ErrNotFound) {
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
		if n, err := s.Count(context.Background(), Filter{Features: []string{"star"}}); n != 1 || err != nil {
			t.Errorf("from version %d: %d, %v", version, n, err)
		}
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
