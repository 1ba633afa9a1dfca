package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// A record keeps what it is given, and compare tells what is worse.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record.tsv")
	before := []result{
		given("kept", "a", ""), given("lost", "a", ""), refused("mended", "board at (3,4): a dot in file x/1.png"),
		given("still-wrong", "a", "differs"), refused("turned-wrong", "no board"), given("slow", "a", ""),
	}
	known := make(record)
	known.put("set", before)
	solvetest.OK(t, known.write(file))
	known = solvetest.Must(readRecord(file))(t)
	if all := known.compare("set", before); len(all) > 0 {
		t.Errorf("the same again: %q", all)
	}
	now := []result{
		given("kept", "a", ""), refused("lost", "no board"), given("mended", "a", ""),
		given("still-wrong", "a", "differs"), given("turned-wrong", "b", "differs"), {name: "slow", verdict: late, mark: "late"}, given("fresh", "a", ""),
	}
	all := known.compare("set", now)
	for _, want := range []string{"LOST  set lost: unsure, was exact", "now   set mended: exact, was unsure", "LOST  set turned-wrong: WRONG, was unsure", "LOST  set slow: late, was exact", "new   set: 1 boards"} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no %q in\n%s", want, strings.Join(all, "\n"))
		}
	}
	if len(all) != 5 {
		t.Errorf("%d changes, want 5:\n%s", len(all), strings.Join(all, "\n"))
	}
	if got := known["set"]["mended"].mark; got != "board at a dot in file" {
		t.Errorf("class %q: numbers, places and names of files are left out", got)
	}
}

// A broken record is an error that names the line.
func TestBrokenRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "record.tsv")
	solvetest.OK(t, os.WriteFile(file, []byte("a\tb\texact\t12345678\na\tb\n"), 0o644))
	if _, err := readRecord(file); err == nil || !strings.Contains(err.Error(), "line 2 has 2 fields, want 4") {
		t.Errorf("error %v", err)
	}
}

// What differs in a panel is found, one thing at a time, and nothing in itself.
func TestDiffers(t *testing.T) {
	const text = `{"grid":[[{"line":0,"start":true},{"line":0},{"line":0}],[{"line":0},{"type":"square","color":"red"},{"line":0,"gap":1}],[{"line":0},{"line":0},{"line":0}],[{"line":0},{"type":"square","color":"blue"},{"line":0}],[{"line":0,"end":"top"},{"line":0,"dot":1},{"line":0}]]}`
	want := solvetest.Must(panelOf([]byte(text)))(t)
	for _, row := range []struct{ from, to, differs string }{
		{"", "", ""},
		{`"red"`, `"white"`, ""}, // colours are a partition
		{`"red"`, `"blue"`, "colours of symbols"},
		{`"start":true`, `"start":false`, "starts lost"},
		{`"gap":1`, `"gap":2`, "breaks lost"},
		{`"end":"top"`, `"end":""`, "ends lost"},
		{`"dot":1`, `"dot":0`, "dots lost"},
		{`"square","color":"red"`, `"star","color":"red"`, "symbol at [1 1]"},
		{`{"type":"square","color":"red"}`, `null`, "symbols lost"},
	} {
		changed := strings.Replace(text, row.from, row.to, 1)
		if row.from != "" && changed == text {
			t.Fatalf("%q is not in the panel", row.from)
		}
		got := solvetest.Must(panelOf(json.RawMessage(changed)))(t)
		if d := want.trim().differs(got.trim()); row.differs == "" && d != "" || !strings.Contains(d, row.differs) {
			t.Errorf("%s instead of %s: %q, want %q", row.to, row.from, d, row.differs)
		}
	}
}
