package calibrate

import (
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// asking is what asks in a folder, of somebody who types.
func asking(t *testing.T, folder, types string) (*questions, *strings.Builder) {
	out := &strings.Builder{}
	return &questions{Session: &Session{given: map[asked]string{}}, ctx: t.Context(), in: strings.NewReader(types), out: out, folder: folder}, out
}

// TestQuestionsKept: answers that were given are there at the next run, and what is no answer
// is told with its line, as is a folder that cannot be written.
func TestQuestionsKept(t *testing.T) {
	folder := t.TempDir()
	key := asked{Shot: "a.png", Sort: "cell", At: image.Pt(3, 5), Places: 2}
	q, _ := asking(t, folder, "")
	q.given[key] = "black square"
	if err := q.keep(); err != nil {
		t.Fatal(err)
	}
	again, out := asking(t, folder, "")
	if err := again.open(); err != nil || again.given[key] != "black square" || !strings.Contains(out.String(), "has 1 answers") {
		t.Errorf("%v: %v is known, and it says %q", err, again.given, out)
	}
	if got := again.unwritten(os.ErrInvalid).Error(); !strings.Contains(got, "has 1 answers") {
		t.Errorf("unwritten it says %q", got)
	}
	name := filepath.Join(folder, answersFile)
	if err := os.WriteFile(name, []byte("{}\nno answer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged, _ := asking(t, folder, "")
	if err := damaged.open(); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("of a damaged file it says %v, want the line", err)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(name, 0o700); err != nil {
		t.Fatal(err)
	}
	barred, _ := asking(t, folder, "")
	if barred.open() == nil || barred.keep() == nil {
		t.Error("a folder in the place of the answers is no error")
	}
}

// TestQuestionsTyped: lines one by one, without their blanks; the end of the input is an error,
// and so is a line that never ends.
func TestQuestionsTyped(t *testing.T) {
	q, _ := asking(t, t.TempDir(), " black square \n\n")
	for _, want := range []string{"black square", ""} {
		if got, err := q.line(); err != nil || got != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	if got, err := q.line(); err == nil || !strings.Contains(err.Error(), "at its end") {
		t.Errorf("after the end: %q, %v", got, err)
	}
	endless, _ := asking(t, t.TempDir(), strings.Repeat("a", 64<<20))
	if got, err := endless.line(); err == nil {
		t.Errorf("a line of 64 MB is taken: %d bytes", len(got))
	}
}
