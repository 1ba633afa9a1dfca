package store

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

// marked is a store of six puzzles, some of them marked.
func marked(t *testing.T) (*Store, []int64) {
	t.Helper()
	s, ctx := open(t), context.Background()
	var news []News
	for i := range 6 {
		news = append(news, toy{1 + i%3, 2, i, ""}.seen(File, "folder/50%.txt"))
	}
	ids := keep(t, s, news...)
	for _, err := range []error{
		s.Label(ctx, ids[0], "  Two bridges ", "seen in a dream"),
		s.Label(ctx, ids[1], "a bridge_too far", ""),
		s.Rate(ctx, ids[0], -1),
		s.Rate(ctx, ids[4], 1),
		s.Play(ctx, ids[2], false, false, day),
		s.Play(ctx, ids[2], true, true, day.Add(time.Minute)), // the same go
		s.Play(ctx, ids[2], false, false, day.Add(time.Hour)),
		s.Play(ctx, ids[3], false, false, day.Add(2*time.Hour)),
	} {
		solvetest.OK(t, err)
	}
	return s, ids
}

func TestMarks(t *testing.T) {
	s, ids := marked(t)
	ctx := context.Background()
	for i, want := range map[int]Mark{
		0: {Title: "Two bridges", Note: "seen in a dream", Rating: -1},
		2: {Plays: 2, Wins: 1, Played: day.Add(time.Hour)},
		3: {Plays: 1, Played: day.Add(2 * time.Hour)},
		5: {},
	} {
		if e, err := s.Get(ctx, ids[i]); err != nil || e.Mark != want {
			t.Errorf("puzzle %d: %+v, %v, want %+v", i, e.Mark, err, want)
		}
	}
	// A label of nothing is none.
	solvetest.OK(t, s.Label(ctx, ids[0], "", " "))
	if e, err := s.Get(ctx, ids[0]); err != nil || e.Mark != (Mark{Rating: -1}) {
		t.Errorf("without its label: %+v, %v", e.Mark, err)
	}
	for _, row := range []struct {
		why  string
		err  error
		want string
	}{
		{"a rating of 2", s.Rate(ctx, ids[0], 2), "want -1, 0 or 1"},
		{"a title of two lines", s.Label(ctx, ids[0], "a\nb", ""), "more than one line"},
		{"a long title", s.Label(ctx, ids[0], strings.Repeat("x", maxTitle+1), ""), "want at most"},
		{"a title of no letters", s.Label(ctx, ids[0], "\xff", ""), "not UTF-8"},
		{"no such puzzle is rated", s.Rate(ctx, 99, 1), ErrNotFound.Error()},
		{"no such puzzle is named", s.Label(ctx, 99, "x", ""), ErrNotFound.Error()},
		{"no such puzzle is played", s.Play(ctx, 99, true, false, day), ErrNotFound.Error()},
		{"no such puzzle is forgotten", s.Forget(ctx, 99), ErrNotFound.Error()},
	} {
		if row.err == nil || !strings.Contains(row.err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.why, row.err, row.want)
		}
	}
}

// TestOrders walks through each order in pages of two, and back one by one.
func TestOrders(t *testing.T) {
	s, ids := marked(t)
	ctx := context.Background()
	for name, want := range map[string][]int{
		"":                     {5, 4, 3, 2, 1, 0},
		"newest first":         {5, 4, 3, 2, 1, 0},
		"oldest first":         {0, 1, 2, 3, 4, 5},
		"best liked":           {4, 5, 3, 2, 1, 0},
		"played last":          {3, 2, 5, 4, 1, 0},
		"most played":          {2, 3, 5, 4, 1, 0},
		"least played":         {0, 1, 4, 5, 3, 2},
		"most solved by hand":  {2, 5, 4, 3, 1, 0},
		"least solved by hand": {0, 1, 3, 4, 5, 2},
	} {
		o := solvetest.Must(ParseOrder(name))(t)
		var got []int
		for after := int64(0); ; {
			page := solvetest.Must(s.List(ctx, Filter{}, o, after, 2))(t, name)
			for _, e := range page {
				got, after = append(got, slices.Index(ids, e.ID)), e.ID
			}
			if len(page) < 2 {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q gives %v, want %v", name, got, want)
			continue
		}
		for i := 1; i < len(want); i++ {
			next, err1 := s.Neighbour(ctx, Filter{}, o, ids[want[i-1]], false)
			last, err2 := s.Neighbour(ctx, Filter{}, o, ids[want[i]], true)
			if err1 != nil || err2 != nil || next.ID != ids[want[i]] || last.ID != ids[want[i-1]] {
				t.Errorf("%q: beside %d and %d: %d, %d (%v, %v)", name, want[i-1], want[i], next.ID, last.ID, err1, err2)
			}
		}
	}
	if _, err := ParseOrder("hot"); err == nil || !strings.Contains(err.Error(), "newest first") {
		t.Errorf("no such order: %v", err)
	}
}

func TestMarkFilters(t *testing.T) {
	s, ids := marked(t)
	ctx := context.Background()
	for _, row := range []struct {
		filter Filter
		want   []int
	}{
		{Filter{Words: "BRIDGE"}, []int{0, 1}},
		{Filter{Words: "bridge dream"}, []int{0}},
		{Filter{Words: "bridge_"}, []int{1}},
		{Filter{Words: "50%"}, []int{0, 1, 2, 3, 4, 5}},
		{Filter{Words: "5%0"}, nil},
		{Filter{Words: `\`}, nil},
		{Filter{Rating: 1}, []int{4}},
		{Filter{Rating: -1}, []int{0}},
		{Filter{Hand: Unplayed}, []int{0, 1, 4, 5}},
		{Filter{Hand: NotSolved, Cols: 1}, []int{0, 3}},
		{Filter{Hand: ByHand}, []int{2}},
	} {
		if n, err := s.Count(ctx, row.filter); n != len(row.want) || err != nil {
			t.Errorf("%+v: %d, %v, want %v", row.filter, n, err, row.want)
		}
		picked := map[int]bool{}
		for range 100 {
			e, err := s.Pick(ctx, row.filter, 0)
			if len(row.want) == 0 {
				if !errors.Is(err, ErrNotFound) {
					t.Errorf("%+v: picked %d, %v", row.filter, e.ID, err)
				}
				break
			}
			solvetest.OK(t, err)
			picked[slices.Index(ids, e.ID)] = true
		}
		for _, i := range row.want {
			if !picked[i] { // one of six is missed a hundred times once in 80 million
				t.Errorf("%+v: puzzle %d was never picked", row.filter, i)
			}
		}
		if len(picked) != len(row.want) {
			t.Errorf("%+v: picked %v, want %v", row.filter, picked, row.want)
		}
	}
	if e, err := s.Pick(ctx, Filter{Rating: 1}, ids[4]); !errors.Is(err, ErrNotFound) {
		t.Errorf("another than the only one: %d, %v", e.ID, err)
	}
	none := toy{9, 9, 9, ""}.entry()
	none.Proof = &Proof{Solver: "v1", Own: true, At: day}
	keep(t, s, none)
	if e, err := s.Pick(ctx, Filter{Cols: 9}, 0); !errors.Is(err, ErrNotFound) {
		t.Errorf("one without an answer: %d, %v", e.ID, err)
	}
	for _, name := range []string{"", "not played", "not solved", "solved"} {
		if _, err := ParsePlayState(name); err != nil {
			t.Error(err)
		}
	}
	if _, err := ParsePlayState("lost"); err == nil {
		t.Error("by hand: lost is taken")
	}
}

// TestForget shows that nothing of a puzzle stays, and nothing else goes.
func TestForget(t *testing.T) {
	s := varied(t)
	ctx := context.Background()
	all := solvetest.Must(s.List(ctx, Filter{}, Orders()[0], 0, 10))(t)
	for _, e := range all[1:] { // all but the newest
		solvetest.OK(t, s.Forget(ctx, e.ID))
	}
	for table, want := range map[string]int{"puzzle": 1, "text": 1, "sighting": 0, "answer": 0, "proof": 0, "label": 0} {
		var n int
		if err := s.db.QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil || n != want {
			t.Errorf("table %s holds %d rows, %v, want %d", table, n, err, want)
		}
	}
}

// TestImportMarks shows that what is said here stands beside what a file says.
func TestImportMarks(t *testing.T) {
	ctx := context.Background()
	mine, theirs := open(t), open(t)
	p := toy{2, 2, 1, ""}
	for i, s := range []*Store{mine, theirs} {
		id := keep(t, s, p.entry())[0]
		for _, err := range []error{s.Label(ctx, id, []string{"", "theirs"}[i], []string{"mine", "theirs"}[i]), s.Rate(ctx, id, []int{1, -1}[i]),
			s.Play(ctx, id, i == 0, false, day), s.Play(ctx, id, false, i == 0, day.Add(time.Duration(i)*time.Hour))} {
			solvetest.OK(t, err)
		}
	}
	solvetest.Must(mine.Import(ctx, strings.NewReader(export(t, theirs)), ImportOptions{Family: toyFamily}))(t)
	want := Mark{Title: "theirs", Note: "mine", Rating: 1, Plays: 2, Wins: 1, Played: day.Add(time.Hour)}
	if e, err := mine.Find(ctx, "toy", p); err != nil || e.Mark != want {
		t.Errorf("%+v, %v, want %+v", e.Mark, err, want)
	}
}
