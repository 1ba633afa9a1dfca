package witness_test

import (
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

// quux is one kind of symbols, of a rule.
func quux(t *testing.T, rule string) board.Kind {
	t.Helper()
	file := "name = \"quux\"\ndoc = \"x\"\n" + rule + "[shape]\nmark = \"Q\"\nonce = [[[0, 0], [0.5, 0], [0, 0.5]]]\n"
	if strings.HasPrefix(rule, "numbers") {
		file += "count = \"digit\"\n"
	}
	return solvetest.Must(symbols.Parse("quux.toml", []byte(file)))(t)
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
			family := witness.NewFamily(append(board.Kinds(), quux(t, row.rule)), nil)
			p := board.Of(solvetest.Must(family.Parse(row.text))(t))
			for _, w := range append(compare(t.Context(), p, &tally{}), lineByLine(t, p)...) {
				t.Error(w)
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
		k := quux(t, rule)
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
