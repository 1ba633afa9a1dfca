package witness_test

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/symbols"
	"onlooker/solve/witness/witnesstest"
)

// withRule reads a panel's text that has one kind of symbols, quux, of a rule.
func withRule(t *testing.T, rule, text string) *board.Panel {
	t.Helper()
	k := solvetest.Must(symbols.Parse("quux.toml", []byte("name = \"quux\"\ndoc = \"x\"\n"+rule+"[shape]\nmark = \"Q\"\nonce = [[[0, 0], [0.5, 0], [0, 0.5]]]\n")))(t)
	for p, err := range witness.NewFamily(append(board.Kinds(), k), nil).Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		return board.Of(p)
	}
	t.Fatal("no panel")
	return nil
}

// Panels of which Check, search and the account once said different things.
func TestColumnsOnce(t *testing.T) {
	const none = "[rule]\nscope = \"rays\"\npick = \"own\"\ntest = \"= 0\"\n"
	for _, row := range []struct{ why, rule, text string }{
		{"two antitriangles beside a start that both lines share", none, "panel 2x1 symmetry=flip rules=witnesspuzzles\nv-+-+\n| |a@\nv-+-+\na = 2 white antitriangles\n"},
		{"one", none, "panel 2x1 symmetry=flip rules=witnesspuzzles\nv-+-+\n| |a@\nv-+-+\na = 1 white antitriangle\n"},
		{"what is no cell along rays", "[rule]\nscope = \"rays\"\npick = \"other\"\ntest = \"= 0\"\n", "panel 2x1 rules=game\n+-+->\n|a|  \n@-+-+\na = white quux\n"},
		{"and round a cell", "[rule]\nscope = \"around\"\npick = \"other\"\ntest = \"= 0\"\n", "panel 2x1 rules=game\n+-+->\n|a|  \n@-+-+\na = white quux\n"},
		{"rays of both ways round a pillar, compared", "[rule]\nscope = \"rays\"\npick = \"line\"\neach = true\ntest = \"equal\"\n", "pillar 3x2\n+-^-+-\n|a| | \n+-+-+-\n| |a| \n@-+-+-\na = white quux\n"},
		{"the same of cells", "[rule]\nscope = \"rays\"\npick = \"own\"\neach = true\ntest = \"equal\"\n", "pillar 3x2\n+-^-+-\n|a| | \n+-+-+-\n| |a| \n@-+-+-\na = white quux\n"},
	} {
		t.Run(row.why, func(t *testing.T) {
			p := withRule(t, row.rule, row.text)
			var sum tally
			for _, w := range compare(t.Context(), p, &sum) {
				t.Error(w)
			}
			right := make(map[string]bool)
			for _, s := range everyAnswer(p) {
				right[fmt.Sprint(s)] = true
			}
			for _, s := range everyLine(p, func(*drawing) bool { return true }) {
				if err := witness.Of(p).Check(t.Context(), s); (err == nil) != right[fmt.Sprint(s)] {
					t.Errorf("check of %v: %v, want right: %t", s, err, right[fmt.Sprint(s)])
				}
			}
		})
	}
}

// A panel full of symbols of columns is judged in a time that hardly grows faster than
// it: of four times as many cells in less than twelve times as much, and not without end.
func TestCheckOfManySymbols(t *testing.T) {
	for _, rule := range []string{
		"numbers = [1, 9]\n[rule]\nscope = \"region\"\npick = \"symbol\"\nitself = true\ntest = \"!= n\"\n",
		"[rule]\nscope = \"rays\"\npick = \"other\"\ntest = \">= 0\"\n",
		"[rule]\nscope = \"cross\"\npick = \"own\"\ntest = \">= 1\"\n",
		"directions = 8\n[rule]\nscope = \"ahead\"\npick = \"symbol\"\ntest = \">= 0\"\n",
		"[rule]\nscope = \"rays\"\npick = \"own\"\ntest = \"equal != 0\"\n",
		"[rule]\nscope = \"region\"\npick = \"own\"\nitself = true\ntest = \"equal\"\n",
	} {
		shape := "[shape]\nmark = \"Q\"\nonce = [[[0, 0], [0.5, 0], [0, 0.5]]]\n"
		if strings.HasPrefix(rule, "numbers") {
			shape += "count = \"digit\"\n"
		}
		k := solvetest.Must(symbols.Parse("quux.toml", []byte("name = \"quux\"\ndoc = \"x\"\n"+rule+shape)))(t)
		took := func(n int) time.Duration {
			p := board.New(n, n, false)
			line := solve.Stroke{}
			for y := 2 * n; y > 0; y -= 2 {
				line = append(line, image.Pt(0, y))
			}
			for x := 0; x <= 2*n; x += 2 {
				line = append(line, image.Pt(x, 0))
			}
			p.At(image.Pt(0, 2*n)).Start = true
			p.At(image.Pt(2*n, 0)).Cap = image.Pt(1, 0)
			for at := range p.Points() {
				if board.IsCell(at) {
					p.At(at).Symbol = board.Symbol{Kind: k, Count: min(k.Most(), 1), Colour: board.White}
					if w := k.About().Ways; w > 0 {
						p.At(at).Way = board.Directions(w)[(at.X+at.Y)%w]
					}
				}
			}
			least := time.Hour
			for range 3 {
				start := witnesstest.Clock()
				_ = witness.Of(p).Faults(t.Context(), solve.Solution{append(line, image.Pt(2*n+1, 0))})
				least = min(least, witnesstest.Clock()-start)
			}
			return least
		}
		small, large := took(50), took(100)
		t.Logf("%s\n%v, %v", rule, small, large)
		if large > 12*small+10*time.Millisecond {
			t.Errorf("%s\n50×50 cells took %v, 100×100 %v: want less than twelve times as much", rule, small, large)
		}
	}
}
