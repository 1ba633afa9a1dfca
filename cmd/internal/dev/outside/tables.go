package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// tables measures what READMEs claim, and writes it into them: the rows whose keys begin so.
// What was measured stands in figures.tsv beside this file, with the commit and the day. A figure is marked as old where a commit after its own changed the code that it
// speaks of. A table stands between two comments in a README: <!-- figures NAME --> and
// <!-- end -->.
func tables(m *measurer, only []string, file string) error {
	known, err := readFigures(file)
	if err != nil {
		return err
	}
	commit, err := git("rev-parse", "--short", "HEAD")
	if err != nil {
		return err
	}
	stamp := figure{commit: commit, day: time.Now().Format(time.DateOnly)}
	var failed error
	for _, r := range rows() {
		if !wanted(r.key, only) {
			continue
		}
		fmt.Println("measuring", r.key)
		f, err := r.measure(m)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", r.key, err))
			continue
		}
		f.commit, f.day = stamp.commit, stamp.day
		known[r.key] = f
		if err := writeFigures(file, known); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	return fillAll(known)
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-c", "safe.directory=*"}, args...)...).Output()
	return strings.TrimSpace(string(out)), err
}

// fillAll writes what is known into the READMEs.
func fillAll(known map[string]figure) error {
	for _, t := range []struct{ file, name string }{
		{"README.md", "front"}, {filepath.Join("solve", "README.md"), "solve"}, {filepath.Join("vision", "README.md"), "vision"},
	} {
		data, err := os.ReadFile(t.file)
		if err != nil {
			return err
		}
		text, err := table(t.name, known)
		if err != nil {
			return err
		}
		filled, err := fill(data, t.name, text)
		if err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
		if !bytes.Equal(filled, data) {
			if err := os.WriteFile(t.file, filled, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// fill puts a table between the two comments that name it.
func fill(readme []byte, name, text string) ([]byte, error) {
	begin, end := []byte("<!-- figures "+name+" -->\n"), []byte("<!-- end -->")
	from := bytes.Index(readme, begin)
	if from < 0 {
		return nil, fmt.Errorf("no comment <!-- figures %s -->", name)
	}
	from += len(begin)
	long := bytes.Index(readme[from:], end)
	if long < 0 {
		return nil, fmt.Errorf("no comment <!-- end --> after figures %s", name)
	}
	return append(append(append([]byte(nil), readme[:from]...), text...), readme[from+long:]...), nil
}

// table is the rows of one README, those that nobody measured left out.
func table(name string, known map[string]figure) (string, error) {
	var out strings.Builder
	out.WriteString("| what | cases | right | refused | wrong | time | measured |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rows() {
		f, ok := known[r.key]
		if r.table != name && !(r.front && name == "front") || !ok {
			continue
		}
		when := fmt.Sprintf("%s, %s", f.day, f.commit)
		log, err := git(append([]string{"log", "--format=%h", f.commit + "..HEAD", "--"}, r.code...)...)
		if err != nil {
			return "", fmt.Errorf("%s: commit %s: %w", r.key, f.commit, err)
		}
		if log != "" {
			when += fmt.Sprintf(", old: %d commits since", strings.Count(log, "\n")+1)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s |\n", r.what, f.cases, f.right, f.refused, f.wrong, f.took, when)
	}
	return out.String(), nil
}
