package symbols

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"io/fs"
	rand "math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// What comes along is read.
func TestShipped(t *testing.T) {
	kinds, wrong := Shipped()
	for _, err := range wrong {
		t.Error(err)
	}
	if len(kinds) < 4 {
		t.Errorf("%d kinds, want four or more", len(kinds))
	}
}

func shippedKinds(t *testing.T) []board.Kind {
	kinds, wrong := Shipped()
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return kinds
}

// scout is made up for this test alone: within its ray lie at least so many cells of
// its region.
//
//go:embed testdata/scout.toml
var scout string

// made are kinds made up for this test, of columns that none of those has that come along.
func made(t *testing.T) (kinds []board.Kind) {
	t.Helper()
	for name, rule := range map[string]string{
		"scout":   "scope = \"ray\"\npick = \"own\"\nuntil = \"hole\"\ntest = \">= n\"\n",
		"warden":  "scope = \"rays\"\npick = \"line\"\ntest = \"= n\"\n",
		"ranger":  "scope = \"rays\"\npick = \"own\"\ntest = \"= n\"\n",
		"watcher": "scope = \"rays\"\npick = \"seen\"\ntest = \">= n\"\n",
		"herald":  "scope = \"rays\"\npick = \"symbol\"\nown_colour = true\ntest = \"<= n\"\n",
	} {
		text := strings.Replace(scout, `name = "scout"`, `name = "`+name+`"`, 1)
		head, rest, _ := strings.Cut(text, "scope = ")
		_, shape, _ := strings.Cut(rest, "[shape]")
		if name != "scout" {
			head = strings.Replace(head, "directions = 4\n", "", 1)
		}
		k := solvetest.Must(Parse(name+".toml", []byte(head+rule+"[shape]"+shape)))(t)
		kinds = append(kinds, k)
	}
	return kinds
}

// count compares the answers of a panel with those that brute force finds by Check.
func count(t *testing.T, p *board.Panel) int {
	t.Helper()
	want := witnesstest.BruteCount(p, 0)
	got, err := witness.Of(p).Count(t.Context(), 0)
	text, _ := witness.Of(p).MarshalText()
	if got != want || err != nil {
		t.Fatalf("%d answers, %v, want %d\n%s", got, err, want, text)
	}
	if want > 0 {
		return want
	}
	if _, err := witness.Of(p).Solve(t.Context()); !errors.Is(err, solve.ErrUnsolvable) {
		t.Fatalf("%v, want no answer\n%s", err, text)
	}
	proof, err := witness.Of(p).Why(t.Context())
	if err == nil {
		err = witness.Of(p).CheckProof(t.Context(), proof)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return 0
}

// Every kind from a file, among all others and under every rule set, has the answers
// that Check accepts, and a reason where it has none.
func TestAgainstBruteForce(t *testing.T) {
	for _, k := range append(shippedKinds(t), made(t)...) {
		t.Run(k.String(), func(t *testing.T) {
			most, solvable := witnesstest.Rounds(400, 60), 0
			for seed := range most {
				rng := rand.New(rand.NewPCG(seed, 40))
				p := witnesstest.AnyPanel(rng)
				for at := range p.Points() {
					if s := p.At(at); board.IsCell(at) && rng.IntN(3) == 0 {
						s.Symbol = k.Sample(rng)
						s.Colour = []board.Colour{board.White, board.Black}[rng.IntN(2)]
					}
				}
				if count(t, p) > 0 {
					solvable++
				}
			}
			if solvable < int(most)/20 {
				t.Errorf("%d of %d panels have an answer: the sample decides little", solvable, most)
			}
		})
	}
}

// Each shipped rule against an account of its own, on lines of panels without erasers.
func TestRules(t *testing.T) {
	kinds := map[string]board.Kind{}
	for _, k := range shippedKinds(t) {
		kinds[k.String()] = k
	}
	accounts := map[string]func(l *rules.Line, r *rules.Region, at image.Point, all []image.Point) bool{
		"head": func(l *rules.Line, r *rules.Region, at image.Point, _ []image.Point) bool {
			w := l.Panel.At(at).Way
			for _, q := range r.Symbols {
				d := q.Sub(at)
				if (w.X == 0 || w.X*d.X > 0) && (w.Y == 0 || w.Y*d.Y > 0) {
					return false
				}
			}
			return true
		},
		"diamond": func(l *rules.Line, r *rules.Region, at image.Point, _ []image.Point) bool {
			return len(r.Symbols) == l.Panel.At(at).Count
		},
		"dice": func(l *rules.Line, r *rules.Region, at image.Point, _ []image.Point) bool {
			n := 0
			for _, q := range r.Symbols {
				if l.Panel.At(q).Kind == l.Panel.At(at).Kind {
					n += l.Panel.At(q).Count
				}
			}
			return len(r.Cells) == n
		},
		"bell": func(l *rules.Line, _ *rules.Region, at image.Point, all []image.Point) bool {
			ahead := func(at image.Point) (sides [4]bool) {
				way := l.Panel.At(at).Way
				for i := range sides {
					sides[i] = l.Covered(at.Add(way))
					way = image.Pt(-way.Y, way.X)
				}
				return sides
			}
			return ahead(at) == ahead(all[0])
		},
		"tent": func(l *rules.Line, _ *rules.Region, at image.Point, all []image.Point) bool {
			return l.Sides(at) > 0 && l.Sides(at) == l.Sides(all[0])
		},
		"circle": func(l *rules.Line, _ *rules.Region, _ image.Point, all []image.Point) bool {
			for _, d := range board.Beside() {
				n := 0
				for _, q := range all {
					if l.Covered(q.Add(d)) {
						n++
					}
				}
				if n != 1 {
					return false
				}
			}
			return true
		},
		"mushroom": func(l *rules.Line, _ *rules.Region, at image.Point, _ []image.Point) bool {
			for _, d := range board.Beside() {
				n := 0
				for q := at.Add(d); l.Panel.In(q); q = q.Add(d.Mul(2)) {
					if l.Covered(q) {
						n++
					}
				}
				if n == 0 {
					return false
				}
			}
			return true
		},
	}
	for name, k := range kinds {
		account := accounts[name]
		if account == nil {
			t.Errorf("no account of %s", name)
			continue
		}
		right, wrong := 0, 0
		for seed := range uint64(150) {
			rng := rand.New(rand.NewPCG(seed, 41))
			p := board.New(2+rng.IntN(2), 2, false)
			p.Rules = board.Sigma
			p.At(image.Pt(0, 4)).Start = true
			p.At(image.Pt(2*p.Cols, 0)).Cap = image.Pt(1, 0)
			bare := p.Clone()
			var all []image.Point
			for at := range p.Points() {
				if board.IsCell(at) && rng.IntN(3) == 0 {
					p.At(at).Symbol = k.Sample(rng)
					all = append(all, at)
				}
			}
			for a := range witnesstest.BruteForce(rules.Rows(), bare) {
				l, _ := rules.Rows().Draw(t.Context(), p, a)
				want := true
				for _, r := range l.Regions() {
					for _, at := range r.Symbols {
						want = want && account(l, r, at, all)
					}
				}
				if err := witness.Of(p).Check(t.Context(), a); (err == nil) != want {
					text, _ := witness.Of(p).MarshalText()
					t.Fatalf("%s: Check says %v, want right: %t, of %v on\n%s", name, err, want, a, text)
				}
				if want {
					right++
				} else {
					wrong++
				}
			}
		}
		if right < 20 || wrong < 20 {
			t.Errorf("%s: %d lines are right, %d wrong: the sample decides little", name, right, wrong)
		}
	}
}

// A symbol that only a file knows is typed, solved, generated and edited.
func TestOwnSymbol(t *testing.T) {
	k := solvetest.Must(Parse("scout.toml", []byte(scout)))(t)
	kinds := append(board.Kinds(), k)
	family := witness.NewFamily(kinds, nil)
	const text = "panel 3x2 rules=sigma\n+-+-+->\n|a| |b|\n+-+-+-+\n|c| | |\n@-+-+-+\na = 1 red scout right\nb = 2 white scouts left\nc = 0 red scouts up\n"
	var p solve.Puzzle
	for q, err := range family.Formats[0].Decode(strings.NewReader(text)) {
		solvetest.OK(t, err)
		p = q
	}
	if got, _ := p.MarshalText(); string(got) != text {
		t.Errorf("typed as\n%s\nand comes back as\n%s", text, got)
	}
	if n := count(t, board.Of(p)); n == 0 {
		t.Errorf("no answer to\n%s", text)
	}
	if !slices.ContainsFunc(family.Rules, func(r solve.Rule) bool { return r.Name == "scout" }) {
		t.Error("the family has no rule scout")
	}
	dealt := solvetest.Must(family.Make(t.Context(), rand.New(rand.NewPCG(1, 1)), solve.Order{Cols: 4, Rows: 4, Wishes: map[string]int{"scouts": 3}}))(t)
	if got, _ := dealt.MarshalText(); bytes.Count(got, []byte("scout")) == 0 {
		t.Errorf("dealt without a scout\n%s", got)
	}
	editor := witness.NewEditor(kinds, nil)
	q := solvetest.Must(editor.Do(p, solve.Edit{Tool: "scout", At: []image.Point{{X: 3, Y: 1}}, Values: map[string]string{"count": "3", "way": "down", "colour": "red"}}))(t)
	if got, _ := q.MarshalText(); !bytes.Contains(got, []byte("3 red scouts down")) {
		t.Errorf("edited to\n%s", got)
	}
}

// What is wrong in a file is told in one line: the file, the place, what stands there
// and what is wanted; testdata/refused.rows has why, what is replaced in scout.toml, by what, and a part of it.
func TestBadFiles(t *testing.T) {
	for _, line := range solvetest.Rows(t, "testdata/refused.rows") {
		var row struct{ why, from, to, want string }
		solvetest.Must(fmt.Sscanf(line, "%q %q %q %q", &row.why, &row.from, &row.to, &row.want))(t, line)
		bad := strings.Replace(scout, row.from, row.to, 1)
		if bad == scout {
			t.Fatalf("%s: nothing was changed", row.why)
		}
		_, err := Parse("scout.toml", []byte(bad))
		if err == nil || !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "scout.toml") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want one line with %q", row.why, err, row.want)
		}
	}
	for _, name := range []string{"square", "turned", "arrow", "Scout"} {
		bad := strings.Replace(scout, `name = "scout"`, `name = "`+name+`"`, 1)
		if _, err := Parse(name+".toml", []byte(bad)); err == nil || !strings.Contains(err.Error(), "means nothing yet") {
			t.Errorf("named %s: %v, want an error", name, err)
		}
	}
	for _, name := range []string{"dot", "cut", "piece", "colour", "negative", "mine", "purple", "gold", "teal"} {
		if _, err := Parse(name+".toml", []byte(named(name))); err == nil || !strings.Contains(err.Error(), "want a word that names no colour") && !strings.Contains(err.Error(), "means nothing yet") {
			t.Errorf("named %s: %v, want an error", name, err)
		}
	}
	_, wrong := Load(fstest.MapFS{"bat.toml": {Data: []byte(named("bat"))}, "bats.toml": {Data: []byte(named("bats"))}})
	if len(wrong) != 1 || !strings.Contains(wrong[0].Error(), "but for an s") {
		t.Errorf("bat and bats: %v, want an error", wrong)
	}
}

// TestNoFiles has a pipe and a huge file among the symbols: each costs itself alone.
func TestNoFiles(t *testing.T) {
	folder := fstest.MapFS{
		"scout.toml": {Data: []byte(scout)},
		"pipe.toml":  {Mode: fs.ModeNamedPipe},
		"large.toml": {Data: []byte(named("large") + "#" + strings.Repeat("#", 1<<20))},
	}
	kinds, wrong := Load(folder)
	if len(kinds) != 1 || len(wrong) != 2 || !strings.Contains(wrong[0].Error(), "large.toml") || !strings.Contains(wrong[1].Error(), "pipe.toml: p") {
		t.Errorf("got %v and %v, want the scout, and errors of the two others", kinds, wrong)
	}
}

// named is scout by another name.
func named(name string) string {
	return strings.Replace(scout, `name = "scout"`, `name = "`+name+`"`, 1)
}

// No symbol of a file may be asked for by a word that asks for something else.
func TestWishesAreApart(t *testing.T) {
	for _, w := range deal.Wishes(board.Kinds()) {
		for _, name := range []string{w.Name, strings.TrimSuffix(w.Name, "s")} {
			if _, err := Parse(name+".toml", []byte(named(name))); err == nil {
				t.Errorf("a symbol may be called %s, and %s is a wish", name, w.Name)
			}
		}
	}
}
