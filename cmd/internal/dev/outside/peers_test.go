package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPeers races a program that takes longer with another: it is built in a copy of its clone,
// what is not given is left out, and what fails is told.
func TestPeers(t *testing.T) {
	dir := t.TempDir()
	rows, clone := filepath.Join(dir, "rows.tsv"), filepath.Join(dir, "fast")
	program := filepath.Join(dir, "onlooker")
	busy := "#!/bin/sh\n[ \"$1\" = version ] && exit\n[ \"$3\" = board ] && i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done\n"
	for file, text := range map[string]string{
		rows:    "fast\techo 'true' > peer; test -d \"$SHARED\"; test -f \"$BESIDE/rows.tsv\"\tboards\tboard\tsh peer\nother\ttrue\tothers\tboard\ttrue\n",
		program: busy,
	} {
		if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(clone, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"SHARED", "BESIDE"} {
		t.Setenv(name, "") // as it was, afterwards
	}
	m := &measurer{&onlooker{path: program}, dir}
	var table strings.Builder
	if err := m.peers(&table, rows, []string{clone}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(table.String()), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[2], "| start-up | ") || !strings.HasPrefix(lines[3], "| boards | ") {
		t.Fatalf("got the table\n%swant start-up and boards", table.String())
	}
	if cells := strings.Split(lines[3], " | "); len(cells) != 5 || cells[1] <= cells[2] || cells[3] <= "1" {
		t.Errorf("got %s, want that onlooker takes longer", lines[3])
	}
	if left, err := os.ReadDir(clone); err != nil || len(left) > 0 {
		t.Errorf("%v was built in the clone itself, %v", left, err)
	}
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho broken >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := m.peers(&table, rows, []string{clone}); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a program that fails: %v, want what it says", err)
	}
}
