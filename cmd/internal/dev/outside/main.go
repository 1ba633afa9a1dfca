// Command outside measures a built onlooker on things with a known truth that
// nobody here chose, and holds each board's verdict against a record:
//
//	make outside                      a fixed sample of every set, in some minutes
//	make outside ALL=1                every board
//	make outside SETS=captures,site   sets whose names begin so
//	make outside UPDATE=1             writes the record anew, where the change is meant
//
// The truth lies in ../shared (ONLOOKER_SHARED overrides it); without it the
// command says that it skips. A verdict is exact, unsure or WRONG. It fails
// when a board is WRONG that was not, when a board that was exact is lost, and
// when a board that is in the record has gone. What was not answered in time
// fails only when it comes twice in a row: it is asked again at once.
//
// Frames that are made of the captures lie in a folder that is removed, or in that which
// ONLOOKER_FRAMES names, to be looked at.
//
// The record (record.tsv beside this file) holds for each board its set, its
// name, its verdict, and eight digits of a hash of what was read, or the class
// of the refusal. It holds no picture and no truth.
package main

import (
	"bytes"
	"encoding/json"
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
	summary := flag.String("summary", "", "a `FILE` for the sets' sums, as JSON lines")
	flag.Parse()
	shared := os.Getenv("ONLOOKER_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "shared")
	}
	if _, err := os.Stat(shared); err != nil {
		fmt.Printf("outside: skipped: %v (ONLOOKER_SHARED names the folder)\n", err)
		return
	}
	ok, err := measure(&onlooker{path: *program}, shared, *record, strings.Split(*only, ","), *all, *update, *verbose, *summary)
	if err != nil {
		fmt.Fprintln(os.Stderr, "outside:", err)
	}
	if !ok || err != nil {
		os.Exit(1)
	}
}

// A Sum is how the boards of a set ended.
type Sum struct {
	Set                           string
	Boards, Exact, Refused, Wrong int
	Seconds                       float64
}

// measure runs the sets that are wanted; ok is false where the record is not
// kept to.
func measure(p *onlooker, shared, file string, only []string, all, update, verbose bool, summary string) (ok bool, err error) {
	known, err := readRecord(file)
	if err != nil {
		return false, err
	}
	fmt.Printf("%-22s %6s %6s %7s %6s %8s %8s\n", "set", "boards", "exact", "unsure", "WRONG", "late", "seconds")
	var changes []string
	var sums bytes.Buffer
	began := time.Now()
	for _, s := range sets() {
		if !wanted(s.name, only) {
			continue
		}
		start := time.Now()
		results, err := s.run(p, filepath.Join(shared, s.folder), pick(all, s.every))
		if os.IsNotExist(err) {
			fmt.Printf("%-22s skipped: %v\n", s.name, err)
			continue
		}
		if err != nil {
			return false, fmt.Errorf("%s: %w", s.name, err)
		}
		if len(results) == 0 {
			return false, fmt.Errorf("%s: no boards in %s", s.name, s.folder)
		}
		n := make(map[verdict]int)
		for _, r := range results {
			n[r.verdict]++
			if verbose && r.verdict != exact {
				fmt.Printf("    %s: %s: %s\n", r.name, r.verdict, r.why)
			}
		}
		fmt.Printf("%-22s %6d %6d %7d %6d %8d %8.1f\n", s.name, len(results), n[exact], n[unsure], n[wrong], n[late], time.Since(start).Seconds())
		if err := json.NewEncoder(&sums).Encode(Sum{s.name, len(results), n[exact], n[unsure] + n[late], n[wrong], time.Since(start).Seconds()}); err != nil {
			return false, err
		}
		changes = append(changes, known.compare(s.name, results)...)
		known.put(s.name, results)
	}
	fmt.Printf("%.0f s in all\n", time.Since(began).Seconds())
	if summary != "" {
		if err := os.WriteFile(summary, sums.Bytes(), 0o644); err != nil {
			return false, err
		}
	}
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
