package board

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

var update = flag.Bool("update", false, "write the README's table of words anew")

// The README says of symbols' rules what Words says.
func TestWordsInReadme(t *testing.T) {
	const file, from, to = "../../README.md", "<!-- words -->\n", "<!-- end -->"
	data := solvetest.Must(os.ReadFile(file))(t)
	before, rest, ok := strings.Cut(string(data), from)
	got, after, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("%s has no %q before a %q", file, from, to)
	}
	switch want := wordsText(); {
	case got == want:
	case *update:
		solvetest.OK(t, os.WriteFile(file, []byte(before+from+want+to+after), 0o644))
	default:
		t.Errorf("%s says otherwise than Words: run this test with -update", file)
	}
}

// Every value that a column may have in Go has its word.
func TestEveryValueHasAWord(t *testing.T) {
	for _, said := range [][2]string{
		{"scope", string(Ray)}, {"scope", string(Rays)}, {"scope", string(Corners)}, {"scope", string(Sides)}, {"scope", string(Next)},
		{"scope", string(Around)}, {"scope", string(Cross)}, {"scope", string(Ahead)}, {"scope", string(All)},
		{"pick", string(PickLine)}, {"pick", string(PickTurn)}, {"pick", string(PickSeen)}, {"pick", string(PickOwn)}, {"pick", string(PickOther)}, {"pick", string(PickSymbol)},
		{"until", string(Hole)}, {"fold", string(Lined)}, {"fold", string(SidesSet)},
	} {
		if !strings.Contains(wordsText(), "| `"+said[1]+"` |") {
			t.Errorf("%s %q has no word", said[0], said[1])
		}
	}
	for _, k := range Kinds() {
		if c := k.By(); c != nil {
			if err := c.Meaning(); err != nil {
				t.Errorf("%s: %v", k, err)
			}
		}
	}
}

// wordsText is the table of Words for people, as rows of Markdown.
func wordsText() string {
	var b strings.Builder
	b.WriteString("| column | says | counts, or means | wants |\n|---|---|---|---|\n")
	last := ""
	for _, w := range Words() {
		if w.Means == "" {
			continue
		}
		column := ""
		if w.Column != last {
			column = "`rule." + w.Column + "`"
		}
		last = w.Column
		wants := strings.NewReplacer("rule.", "", "\"", "`").Replace(w.Wants)
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s |\n", column, w.Value, w.Means, wants)
	}
	return b.String()
}
