// Command outside measures a built onlooker on things with a known truth that
// nobody here chose, and holds each board's verdict against a record:
//
//	make outside                      a fixed sample of every set, in some minutes
//	make outside ALL=1                every board
//	make outside SETS=captures,site   sets whose names begin so
//	make outside UPDATE=1             writes the record anew, where the change is meant
//	make figures ROWS=captures        measures what READMEs claim, see figures.go
//	make bench-peers CLONES="A B"     races other programs, see peers.go
//
// The truth lies in ../shared (ONLOOKER_SHARED overrides it); without it the
// command says that it skips. A verdict is exact, unsure or WRONG. It fails
// when a board is WRONG that was not, when a board that was exact is lost, and
// when a board that is in the record has gone. What was not answered in time
// fails only when it comes twice in a row: it is asked again at once.
//
// Frames that are made of the captures lie in a folder that is removed, or in that which
// ONLOOKER_KEEP names, to be looked at. ONLOOKER_MORE=48 makes as many of each capture: a crop at 12
// places from each side.
//
// The record (record.tsv beside this file) holds for each board its set, its
// name, its verdict, and eight digits of a hash of what was read, or the class
// of the refusal. It holds no picture and no truth.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	program := flag.String("program", "./onlooker", "the onlooker to measure")
	record := flag.String("record", filepath.Join("cmd", "internal", "dev", "outside", "record.tsv"), "the record")
	only := flag.String("sets", "", "sets whose names begin so, with commas between; NAME$ is that one alone")
	all := flag.Bool("all", false, "every board instead of a sample")
	update := flag.Bool("update", false, "write the record anew")
	verbose := flag.Bool("v", false, "say why a board is not exact")
	figures := flag.Bool("figures", false, "measure what READMEs claim, those of its rows whose keys begin as -sets says, and write it there")
	race := flag.Bool("peers", false, "race the programs of the clones whose folders are the arguments")
	flag.Parse()
	shared := os.Getenv("ONLOOKER_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "shared")
	}
	if _, err := os.Stat(shared); err != nil {
		fmt.Printf("outside: skipped: %v (ONLOOKER_SHARED names the folder)\n", err)
		return
	}
	m, ok, err := &measurer{&onlooker{path: *program}, shared}, true, error(nil)
	if *race {
		err = m.peers(os.Stdout, filepath.Join("cmd", "internal", "dev", "outside", "peers.tsv"), flag.Args())
	} else if *figures {
		err = tables(m, strings.Split(*only, ","), filepath.Join("cmd", "internal", "dev", "outside", "figures.tsv"))
	} else {
		ok, err = compare(m, *record, strings.Split(*only, ","), *all, *update, *verbose)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "outside:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

// A sum is how the boards of a set ended.
type sum struct {
	boards, exact, unsure, wrong, late int
	seconds                            float64
}

// measure runs a set, all of it or its sample.
func (s *set) measure(p *onlooker, shared string, all, verbose bool) (of sum, results []result, err error) {
	start := time.Now()
	if results, err = s.run(p, filepath.Join(shared, s.folder), pick(all, s.every)); err != nil {
		return of, nil, err
	}
	if of.boards = len(results); of.boards == 0 {
		return of, nil, fmt.Errorf("no boards in %s", s.folder)
	}
	n := make(map[verdict]int)
	for _, r := range results {
		n[r.verdict]++
		if verbose && r.verdict != exact {
			fmt.Printf("    %s: %s: %s\n", r.name, r.verdict, r.why)
		}
	}
	return sum{of.boards, n[exact], n[unsure], n[wrong], n[late], time.Since(start).Seconds()}, results, nil
}

// compare runs the sets that are wanted; ok is false where the record is not
// kept to.
func compare(m *measurer, file string, only []string, all, update, verbose bool) (ok bool, err error) {
	known, err := readRecord(file)
	if err != nil {
		return false, err
	}
	fmt.Printf("%-22s %6s %6s %7s %6s %8s %8s\n", "set", "boards", "exact", "unsure", "WRONG", "late", "seconds")
	var changes []string
	began := time.Now()
	for _, s := range sets() {
		if !wanted(s.name, only) {
			continue
		}
		of, results, err := s.measure(m.program, m.shared, all, verbose)
		if os.IsNotExist(err) {
			fmt.Printf("%-22s skipped: %v\n", s.name, err)
			continue
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		fmt.Printf("%-22s %6d %6d %7d %6d %8d %8.1f\n", s.name, of.boards, of.exact, of.unsure, of.wrong, of.late, of.seconds)
		changes = append(changes, known.compare(s.name, results)...)
		known.put(s.name, results)
	}
	fmt.Printf("%.0f s in all\n", time.Since(began).Seconds())
	lost := false
	for _, c := range changes {
		fmt.Println(c)
		lost = lost || strings.HasPrefix(c, "LOST")
	}
	if update {
		return true, known.write(file)
	}
	if lost {
		fmt.Println("outside: boards are lost against the record; make outside UPDATE=1 where that is meant")
	}
	return !lost, nil
}

func wanted(name string, only []string) bool {
	for _, o := range only {
		if whole, ok := strings.CutSuffix(o, "$"); ok && name == whole || !ok && strings.HasPrefix(name, o) {
			return true
		}
	}
	return false
}

// pick returns which boards of a set are measured: every nth, or all.
func pick(all bool, every int) func(i int) bool {
	if all {
		every = 1
	}
	return func(i int) bool { return i%every == 0 }
}
