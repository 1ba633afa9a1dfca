package store

import (
	"context"
	"errors"
	"fmt"
	"onlooker/solve"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// filled is a store of n puzzles, a third of them solved, with texts and
// answers as long as a panel's of 6×6 cells. One of a hundred was played by
// hand, and one of five hundred is liked and has a title.
func filled(b *testing.B, n int) *Store {
	b.Helper()
	s := open(b)
	words := []string{"", "star", "square star", "bridge", "dot", "dot square triangle"}
	var news []News
	for i := range n {
		p := toy{3 + i%8, 3 + i/8%8, i, words[i%len(words)]}
		one := p.seen([]string{File, Screen, Typed}[i*7%3], fmt.Sprintf("folder/puzzles-%d.txt", i%100))
		if i%3 == 0 {
			a := p.answered(true)
			one.Answers = []KeptAnswer{a}
		}
		if news = append(news, one); len(news) == 1000 || i == n-1 {
			for j, id := range keep(b, s, news...) {
				ctx, err := context.Background(), error(nil)
				if j%100 == 0 {
					err = s.Play(ctx, id, j%200 == 0, false, day.Add(time.Duration(j)*time.Minute))
				}
				if j%500 == 0 {
					err = errors.Join(err, s.Rate(ctx, id, 1), s.Label(ctx, id, fmt.Sprintf("title %d", j), "a note"))
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			news = news[:0]
		}
	}
	return s
}

const many = 100_000

// median is of the durations of n calls.
func median(b *testing.B, n int, call func(i int)) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		start := time.Now()
		call(i)
		all[i] = time.Since(start)
	}
	slices.Sort(all)
	return all[n/2]
}

// BenchmarkStore measures what a person waits for, among 100,000 puzzles: the
// median look-up by the puzzle with its answer, and pages of 50 of the list.
func BenchmarkStore(b *testing.B) {
	s, ctx := filled(b, many), context.Background()
	fail := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("look-up", func(b *testing.B) {
		for b.Loop() {
			b.ReportMetric(float64(median(b, 1001, func(i int) {
				i = i * 99 / 3 * 3 // of those with an answer
				known, err := s.Recall(ctx, "toy", toy{3 + i%8, 3 + i/8%8, i, []string{"", "star", "square star", "bridge", "dot", "dot square triangle"}[i%6]}, "v1")
				fail(err)
				if known == nil {
					b.Fatalf("puzzle %d is not known", i)
				}
			}).Microseconds()), "µs/median")
		}
	})
	solved := Solved
	unsolvable := Unsolvable
	for _, row := range []struct {
		name   string
		filter Filter
		order  string
		after  int64
	}{
		{"all", Filter{}, "", 0},
		{"all-deep", Filter{}, "", many / 2},
		{"family", Filter{Family: "toy"}, "", many / 2},
		{"rare", Filter{Family: "toy", Cols: 10, Rows: 10, Status: &solved, Source: Screen, Features: []string{"triangle"}}, "", 0},
		{"none", Filter{Status: &unsolvable}, "", 0},
		{"none-of-all", Filter{Family: "toy", Status: &unsolvable, Source: File, Features: []string{"star"}}, "", 0},
		{"words", Filter{Words: "puzzles-77"}, "", 0},
		{"no-words", Filter{Words: "nowhere to be found"}, "", 0},
		{"liked", Filter{}, "best liked", 0},
		{"liked-deep", Filter{}, "best liked", many / 2},
		{"played-rare", Filter{Hand: NotSolved, Features: []string{"triangle"}}, "most played", 0},
		{"least-played-rare", Filter{Hand: Unplayed, Features: []string{"triangle"}}, "least played", many / 2},
		{"solved", Filter{Hand: ByHand}, "most solved by hand", 0},
	} {
		order, err := ParseOrder(row.order)
		fail(err)
		b.Run("page-"+row.name, func(b *testing.B) {
			for b.Loop() {
				_, err := s.List(ctx, row.filter, order, row.after, 50)
				fail(err)
			}
		})
	}
	b.Run("pick", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Pick(ctx, Filter{Hand: NotSolved}, 1)
			fail(err)
		}
	})
	b.Run("count", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Count(ctx, Filter{Family: "toy", Status: &solved})
			fail(err)
		}
	})
	b.Run("facets", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Facets(ctx)
			fail(err)
		}
	})
	b.Run("keep", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			keep(b, s, toy{5, 5, many + i, "dot"}.seen(File, "x"))
		}
	})
	info, err := os.Stat(s.path)
	fail(err)
	b.Logf("%s: %d MB", filepath.Base(s.path), info.Size()>>20)
}

// BenchmarkOpen measures what a command pays that looks one puzzle up.
func BenchmarkOpen(b *testing.B) {
	s := filled(b, 1000)
	path := s.path
	ctx := context.Background()
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s, err := Open(ctx, path, solve.Judge)
			if err != nil {
				b.Fatal(err)
			}
			s.Close()
		}
	})
	b.Run("open-recall-keep", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s, err := Open(ctx, path, solve.Judge)
			if err != nil {
				b.Fatal(err)
			}
			p := toy{5, 5, many + i, "dot"}
			if _, err := s.Recall(ctx, "toy", p, "v1"); err != nil {
				b.Fatal(err)
			}
			keep(b, s, p.seen(File, "x"))
			s.Close()
		}
	})
}
