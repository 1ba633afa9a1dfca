package main

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

// A verdict is how a board ended.
type verdict string

const (
	exact  verdict = "exact"
	unsure verdict = "unsure" // refused, with a reason
	wrong  verdict = "WRONG"  // given, and not the truth
	late   verdict = "late"   // not answered in time
)

// A result is what became of one board.
type result struct {
	name    string
	verdict verdict
	mark    string // eight digits of what was given, or the refusal's class
	why     string // for people: what differs, or the refusal
}

// given is the result of a board that was given: what differs from the truth is
// nothing where it is exact.
func given(name, got, differs string) result {
	r := result{name: name, verdict: exact, mark: digits(got), why: differs}
	if differs != "" {
		r.verdict = wrong
	}
	return r
}

// refused is the result of a board that was refused for a reason.
func refused(name, reason string) result {
	return result{name: name, verdict: unsure, mark: class(reason), why: reason}
}

func digits(what string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(what)))[:8] }

var (
	place  = regexp.MustCompile(`\([^()]*\)|\S*[0-9/.]\S*`)
	spaces = regexp.MustCompile(`[\s:;,]+`)
)

// class is a reason without its numbers, places and names of files.
func class(reason string) string {
	words := strings.TrimSpace(spaces.ReplaceAllString(place.ReplaceAllString(reason, " "), " "))
	if len(words) > 60 {
		words = strings.ToValidUTF8(words[:60], "")
	}
	return strings.TrimSpace(words)
}

// A record holds the results that are known, by set and name.
type record map[string]map[string]result

func readRecord(file string) (record, error) {
	known := make(record)
	return known, readTSV(file, 4, func(p []string) {
		known.put(p[0], []result{{name: p[1], verdict: verdict(p[2]), mark: p[3]}})
	})
}

func (k record) put(set string, results []result) {
	if k[set] == nil {
		k[set] = make(map[string]result)
	}
	for _, r := range results {
		k[set][r.name] = r
	}
}

func (k record) write(file string) error {
	var out strings.Builder
	for _, set := range slices.Sorted(maps.Keys(k)) {
		for _, name := range slices.Sorted(maps.Keys(k[set])) {
			r := k[set][name]
			fmt.Fprintf(&out, "%s\t%s\t%s\t%s\n", set, name, r.verdict, r.mark)
		}
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}

// compare lists what changed, board by board. Lines that begin with LOST fail.
func (k record) compare(set string, results []result) (changes []string) {
	fresh := 0
	for _, r := range results {
		was, ok := k[set][r.name]
		say := func(word string) {
			from := string(was.verdict)
			if !ok {
				from = "new"
			}
			changes = append(changes, fmt.Sprintf("%-5s %s %s: %s, was %s: %s", word, set, r.name, r.verdict, from, r.why))
		}
		switch {
		case r.verdict == wrong && was.verdict != wrong, was.verdict == exact && r.verdict != exact:
			say("LOST")
		case !ok:
			fresh++
		case r.verdict != was.verdict:
			say("now")
		case r.mark != was.mark:
			say("other")
		}
	}
	if fresh > 0 {
		changes = append(changes, fmt.Sprintf("new   %s: %d boards that the record does not have", set, fresh))
	}
	return changes
}

// readTSV hands over the fields of each line of a file, which are so many. A file that is not
// there has no lines.
func readTSV(file string, fields int, take func(line []string)) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line := strings.Split(lines.Text(), "\t")
		if len(line) != fields {
			return fmt.Errorf("%s: line %d has %d fields, want %d", file, n, len(line), fields)
		}
		take(line)
	}
	return lines.Err()
}
