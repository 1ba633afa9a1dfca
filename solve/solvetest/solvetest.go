// Package solvetest is what every puzzle family must pass, as fstest is for
// file systems. A family's test is two lines:
//
//	func TestFamily(t *testing.T)      { solvetest.Run(t, Family) }
//	func BenchmarkFamily(b *testing.B) { solvetest.Bench(b, Family) }
//
// and two for fuzzing:
//
//	func FuzzDecode(f *testing.F) { solvetest.FuzzDecode(f, Family, "text") }
//	func FuzzSolve(f *testing.F)  { solvetest.FuzzSolve(f, Family, 100) }
//
// The boards are the files testdata/*.txt of the family's package, in any of
// its formats; those named unsolvable-* must be proved to have no answer.
package solvetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
)

// solveLimit is far more than any board of a test may take; it turns a hang
// into a failure.
const solveLimit = time.Minute

// A board is one puzzle with what is known of it.
type board struct {
	name     string
	puzzle   solve.Puzzle
	solvable bool
}

// Run tests a family: its rules and formats, every board of testdata, and
// boards it generates. It wants at least one solvable and one unsolvable file.
func Run(t *testing.T, f solve.Family) {
	t.Run("rules", func(t *testing.T) { rules(t, f) })
	t.Run("orders", func(t *testing.T) { orders(t, f) })
	boards := files(t, f)
	for _, solvable := range []bool{true, false} {
		if !slices.ContainsFunc(boards, func(b board) bool { return b.solvable == solvable }) {
			t.Errorf("testdata has no board with solvable = %t", solvable)
		}
	}
	boards = append(boards, generated(t, f)...)
	t.Run("forms", func(t *testing.T) { everyForm(t, f, boards) })
	for _, b := range boards {
		t.Run(b.name, func(t *testing.T) {
			formats(t, f, b.puzzle)
			describes(t, b.puzzle)
			answers(t, f, b)
		})
	}
}

func rules(t *testing.T, f solve.Family) {
	if f.Name == "" || f.Doc == "" || len(f.Formats) == 0 || len(f.Rules) == 0 || f.Generate == nil {
		t.Fatalf("family %q: a name, a doc, formats, rules and Generate are wanted", f.Name)
	}
	seen := map[string]bool{}
	for _, r := range f.Rules {
		if r.Name == "" || r.Doc == "" || seen[r.Name] {
			t.Errorf("rule %q: a name of its own and a doc are wanted", r.Name)
		}
		seen[r.Name] = true
	}
	for _, format := range f.Formats {
		if format.Name == "" || seen["format "+format.Name] || format.Sniff == nil || format.Decode == nil {
			t.Errorf("format %q: a name of its own, Sniff and Decode are wanted", format.Name)
			continue
		}
		seen["format "+format.Name] = true
		for _, foreign := range []string{"", "\n", "\x89PNG\r\n\x1a\n", "\x00\x01\x02"} {
			if format.Sniff([]byte(foreign)) {
				t.Errorf("format %s would read %q", format.Name, foreign)
			}
		}
	}
	if f.Formats[0].Encode == nil {
		t.Errorf("format %s is the canonical one and cannot be written", f.Formats[0].Name)
	}
}

// files reads testdata/*.txt.
func files(t testing.TB, f solve.Family) []board {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no testdata/*.txt: %v", err)
	}
	var boards []board
	for _, path := range paths {
		data := Must(os.ReadFile(path))(t)
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		read := 0
		for _, format := range f.Formats {
			if !format.Sniff(data) {
				continue
			}
			n := 0
			for p, err := range format.Decode(bytes.NewReader(data)) {
				OK(t, err, fmt.Sprintf("%s as %s", path, format.Name))
				n++
				boards = append(boards, board{fmt.Sprintf("%s/%d", name, n), p, !strings.HasPrefix(name, "unsolvable-")})
			}
			read += n
			break
		}
		if read == 0 {
			t.Fatalf("%s: no format of %s reads it", path, f.Name)
		}
	}
	return boards
}

// generated are boards that the family makes, oblong ones first.
func generated(t testing.TB, f solve.Family) []board {
	t.Helper()
	var boards []board
	for _, size := range [][2]int{{3, 2}, {2, 4}, {5, 3}, {4, 4}, {5, 5}} {
		for seed := range uint64(4) {
			p := f.Generate(rand.New(rand.NewPCG(seed, 1)), size[0], size[1])
			if p == nil {
				t.Fatalf("no board of %d×%d is generated", size[0], size[1])
			}
			again := f.Generate(rand.New(rand.NewPCG(seed, 1)), size[0], size[1])
			if a, b := text(t, p), text(t, again); !bytes.Equal(a, b) {
				t.Errorf("seed %d gives two boards:\n%s\n%s", seed, a, b)
			}
			boards = append(boards, board{fmt.Sprintf("generated/%dx%d/%d", size[0], size[1], seed), p, true})
		}
	}
	return boards
}

func text(t testing.TB, p solve.Puzzle) []byte {
	t.Helper()
	return Must(p.MarshalText())(t, "no text")
}

// one decodes exactly one puzzle.
func one(format solve.Format, data []byte) (solve.Puzzle, error) {
	var found solve.Puzzle
	for p, err := range format.Decode(bytes.NewReader(data)) {
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, errors.New("a second puzzle")
		}
		found = p
	}
	if found == nil {
		return nil, io.ErrUnexpectedEOF
	}
	return found, nil
}

// comesBack says whether a puzzle comes back from its own text, and gives that.
func comesBack(t *testing.T, canonical solve.Format, p solve.Puzzle) []byte {
	t.Helper()
	want := text(t, p)
	q, err := one(canonical, want)
	if err != nil {
		t.Fatalf("its own text is refused: %v\n%s", err, want)
	}
	if got := text(t, q); !bytes.Equal(got, want) {
		t.Fatalf("the text\n%s\ncomes back as\n%s", want, got)
	}
	return want
}

// formats says whether a puzzle comes back from every form that can hold it.
func formats(t *testing.T, f solve.Family, p solve.Puzzle) {
	t.Helper()
	canonical := f.Formats[0]
	want := comesBack(t, canonical, p)
	crlf := bytes.ReplaceAll(want, []byte("\n"), []byte("\r\n"))
	if q, err := one(canonical, crlf); err != nil {
		t.Errorf("with CR LF its own text is refused: %v", err)
	} else if got := text(t, q); !bytes.Equal(got, want) {
		t.Errorf("with CR LF the text\n%s\ncomes back as\n%s", want, got)
	}
	for i, format := range f.Formats {
		if format.Encode == nil {
			continue
		}
		var b bytes.Buffer
		if err := format.Encode(&b, p); err != nil {
			if i == 0 {
				t.Errorf("%s cannot hold it: %v", format.Name, err)
			}
			continue // a form need not hold everything, but must say so
		}
		if !format.Sniff(b.Bytes()[:min(b.Len(), 512)]) {
			t.Errorf("%s does not recognise what it wrote:\n%s", format.Name, &b)
		}
		back, err := one(format, b.Bytes())
		if err != nil {
			t.Errorf("%s refuses what it wrote: %v\n%s", format.Name, err, &b)
			continue
		}
		var again bytes.Buffer
		if err := format.Encode(&again, back); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
			t.Errorf("%s writes\n%s\nthen\n%s%v", format.Name, &b, &again, err)
		}
	}
}

// everyForm wants each form to read a file of testdata or to hold a board, and to
// refuse it with a control character anywhere in it.
func everyForm(t *testing.T, f solve.Family, boards []board) {
	for _, format := range f.Formats {
		example := exampleOf(t, format, boards)
		if example == nil {
			t.Errorf("%s reads no file of testdata and holds no board", format.Name)
			continue
		}
		for _, c := range []string{"\x00", "\x1b", "\x7f", "\u009b"} {
			for _, at := range []int{0, len(example) / 3, len(example) / 2, len(bytes.TrimRight(example, "\r\n"))} {
				bad := slices.Concat(example[:at], []byte(c), example[at:])
				if _, err := one(format, bad); err == nil {
					t.Errorf("%s reads a text with %q at byte %d:\n%q", format.Name, c, at, bad)
				}
			}
		}
	}
}

// exampleOf is a text in a form: of a board that it can write, or a file of
// testdata that it knows and reads.
func exampleOf(t *testing.T, format solve.Format, boards []board) []byte {
	for _, b := range boards {
		var text bytes.Buffer
		if format.Encode != nil && format.Encode(&text, b.puzzle) == nil {
			return text.Bytes()
		}
	}
	paths := Must(filepath.Glob(filepath.Join("testdata", "*.txt")))(t)
	for _, path := range paths {
		data := Must(os.ReadFile(path))(t)
		if _, err := one(format, data); format.Sniff(data) && err == nil {
			return data
		}
	}
	return nil
}

// answers solves a board and plays the answer, whole and cut short.
func answers(t *testing.T, f solve.Family, b board) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), solveLimit)
	defer cancel()
	p := b.puzzle
	s, err := p.Solve(ctx)
	if !b.solvable {
		if !errors.Is(err, solve.ErrUnsolvable) {
			t.Fatalf("Solve: %v, %v, want %v\n%s", s, err, solve.ErrUnsolvable, text(t, p))
		}
		unsolvable(ctx, t, p)
		return
	}
	if err != nil {
		t.Fatalf("Solve: %v\n%s", err, text(t, p))
	}
	if err := p.Check(t.Context(), s); err != nil {
		t.Fatalf("Check refuses the answer %v: %v\n%s", s, err, text(t, p))
	}
	if all, ok := p.(solve.Faulter); ok && len(all.Faults(t.Context(), s)) > 0 {
		t.Errorf("Faults finds %v in the answer %v\n%s", all.Faults(t.Context(), s), s, text(t, p))
	}
	if again, err := p.Solve(ctx); err != nil || fmt.Sprint(again) != fmt.Sprint(s) {
		t.Errorf("solved again: %v, %v, want %v", again, err, s)
	}
	if r, ok := p.(solve.Reporter); ok {
		told, err := r.SolveProgress(ctx, func(done, estimate float64) {
			if done < 0 || estimate < 0 {
				t.Errorf("progress %v of %v, want nothing below 0", done, estimate)
			}
		})
		if err != nil || fmt.Sprint(told) != fmt.Sprint(s) {
			t.Errorf("SolveProgress: %v, %v; Solve: %v", told, err, s)
		}
	}
	cutShort(t, f, p, s)

	allAnswers(ctx, t, p)
	if pr, ok := p.(solve.Prover); ok {
		if proof, err := pr.Why(ctx); err == nil {
			t.Errorf("Why has a proof that there is no answer: %s\n%s", proof.Text(), text(t, p))
		}
	}

	gone, stop := context.WithCancel(context.Background())
	stop()
	if s, err := p.Solve(gone); err == nil {
		Fine(t, p.Check(t.Context(), s), fmt.Sprintf("cancelled, Solve gives the wrong answer %v", s))
	} else if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, Solve says %v, want %v or an answer", err, context.Canceled)
	}
}

// allAnswers counts and lists the answers of a puzzle that has some.
func allAnswers(ctx context.Context, t *testing.T, p solve.Puzzle) {
	t.Helper()
	const most = 20
	count := -1
	if c, ok := p.(solve.Counter); ok {
		var err error
		if count, err = c.Count(ctx, most); err != nil || count < 1 || count > most {
			t.Errorf("Count: %d, %v, want 1 to %d\n%s", count, err, most, text(t, p))
		}
	}
	if e, ok := p.(solve.Enumerator); ok {
		seen := map[string]bool{}
		for s, err := range e.All(ctx) {
			if err != nil {
				t.Errorf("All: %v", err)
				break
			}
			Fine(t, p.Check(t.Context(), s), fmt.Sprintf("Check refuses %v, which All gave", s))
			if seen[fmt.Sprint(s)] {
				t.Errorf("All gives %v twice", s)
			}
			seen[fmt.Sprint(s)] = true
			if len(seen) == most {
				break
			}
		}
		if count >= 0 && len(seen) != count {
			t.Errorf("All gives %d answers, Count says %d (to %d)\n%s", len(seen), count, most, text(t, p))
		}
	}
}

// unsolvable asks everything else that a puzzle without answers can tell.
func unsolvable(ctx context.Context, t *testing.T, p solve.Puzzle) {
	t.Helper()
	if c, ok := p.(solve.Counter); ok {
		if n, err := c.Count(ctx, 2); err != nil || n != 0 {
			t.Errorf("Count: %d, %v, want 0\n%s", n, err, text(t, p))
		}
	}
	if e, ok := p.(solve.Enumerator); ok {
		for s, err := range e.All(ctx) {
			if !errors.Is(err, solve.ErrUnsolvable) {
				t.Errorf("All gives %v, %v, want nothing\n%s", s, err, text(t, p))
			}
			break
		}
	}
	if pr, ok := p.(solve.Prover); ok {
		proof, err := pr.Why(ctx)
		if err != nil {
			t.Fatalf("Why: %v\n%s", err, text(t, p))
		}
		if err := pr.CheckProof(ctx, proof); err != nil {
			t.Errorf("CheckProof refuses %s: %v\n%s", proof.Text(), err, text(t, p))
		}
		if proof.Text() == "" {
			t.Error("a proof without a text")
		}
	}
}

// cutShort drops the last stroke, and the last point: each breaks a rule of
// the family's list.
func cutShort(t *testing.T, f solve.Family, p solve.Puzzle, s solve.Solution) {
	t.Helper()
	if len(s) == 0 {
		return // nothing to do is the answer
	}
	last := s[len(s)-1]
	if len(last) == 0 {
		t.Fatalf("an empty stroke in %v", s)
	}
	shorter := append(slices.Clone(s[:len(s)-1]), last[:len(last)-1])
	for what, cut := range map[string]solve.Solution{"stroke": s[:len(s)-1], "point": shorter} {
		err := p.Check(t.Context(), cut)
		var broken *solve.RuleError
		if !errors.As(err, &broken) {
			t.Errorf("without its last %s the answer %v gives %v, want a *solve.RuleError\n%s", what, s, err, text(t, p))
			continue
		}
		if all, ok := p.(solve.Faulter); ok && len(all.Faults(t.Context(), cut)) == 0 {
			t.Errorf("without its last %s the answer %v has no faults\n%s", what, s, text(t, p))
		}
		if !slices.ContainsFunc(f.Rules, func(r solve.Rule) bool { return r.Name == broken.Rule }) {
			t.Errorf("rule %q is not on the family's list", broken.Rule)
		}
	}
}

// FuzzDecode feeds a format what it may never have seen. It must not panic,
// and what it accepts must have a canonical text that comes back as it is. The
// seeds are the boards of testdata.
func FuzzDecode(f *testing.F, family solve.Family, format string) {
	i := slices.IndexFunc(family.Formats, func(g solve.Format) bool { return g.Name == format })
	if i < 0 {
		f.Fatalf("%s has no format %q", family.Name, format)
	}
	fuzzed := family.Formats[i]
	for _, b := range files(f, family) {
		var seed bytes.Buffer
		if fuzzed.Encode != nil && fuzzed.Encode(&seed, b.puzzle) == nil {
			f.Add(seed.Bytes())
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzed.Sniff(data[:min(len(data), 512)])
		for p, err := range fuzzed.Decode(bytes.NewReader(data)) {
			if err != nil {
				continue
			}
			comesBack(t, family.Formats[0], p)
		}
	})
}

// FuzzSolve solves whatever text is a board of at most area half-cells, and
// plays the answer. A search that takes more than a second is given up.
func FuzzSolve(f *testing.F, family solve.Family, area int) {
	for _, b := range files(f, family) {
		f.Add(text(f, b.puzzle))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := one(family.Formats[0], data)
		if err != nil || p.Bounds().Dx()*p.Bounds().Dy() > area {
			return
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		s, err := p.Solve(ctx)
		if err != nil {
			if !errors.Is(err, solve.ErrUnsolvable) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, solve.ErrNotSupported) {
				t.Fatalf("Solve: %v\n%s", err, text(t, p))
			}
			return
		}
		if err := p.Check(t.Context(), s); err != nil {
			t.Fatalf("Check refuses the answer %v: %v\n%s", s, err, text(t, p))
		}
	})
}

// Bench measures Solve on every file of testdata and on generated boards.
func Bench(b *testing.B, f solve.Family) {
	for _, board := range append(files(b, f), generated(b, f)...) {
		b.Run(board.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := board.puzzle.Solve(b.Context()); err != nil && board.solvable {
					b.Fatal(err)
				}
			}
		})
	}
}

var feature = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// describes tests a puzzle that can say what it is like.
func describes(t *testing.T, p solve.Puzzle) {
	d, ok := p.(solve.Describer)
	if !ok {
		return
	}
	if cols, rows := d.Size(); cols < 1 || rows < 1 {
		t.Errorf("Size: %d×%d, want cells", cols, rows)
	}
	words := d.Features()
	for i, w := range words {
		if !feature.MatchString(w) || i > 0 && words[i-1] >= w {
			t.Errorf("Features: %q, want words of lower-case letters, digits and hyphens, in order, each once", words)
		}
	}
	if again := d.Features(); !slices.Equal(words, again) {
		t.Errorf("Features again: %q, want %q", again, words)
	}
}

// orders makes boards to order: with each wish alone, with none, and with one
// answer where the family can do that.
func orders(t *testing.T, f solve.Family) {
	ctx, cancel := context.WithTimeout(context.Background(), solveLimit)
	defer cancel()
	all := []solve.Order{{Cols: 4, Rows: 3}, {Cols: 4, Rows: 3, Unique: true}}
	seen := map[string]bool{}
	for _, w := range f.Wishes {
		if !feature.MatchString(w.Name) || w.Doc == "" || w.Most < 0 || seen[w.Name] {
			t.Errorf("wish %+v: a name of its own and a doc are wanted", w)
		}
		seen[w.Name] = true
		all = append(all, solve.Order{Cols: 4, Rows: 3, Wishes: map[string]int{w.Name: 1}})
		for _, n := range []int{-1, 1 << 20} {
			if p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 1)), solve.Order{Cols: 4, Rows: 3, Wishes: map[string]int{w.Name: n}}); err == nil {
				t.Errorf("%s=%d is made:\n%s", w.Name, n, text(t, p))
			}
		}
	}
	for _, p := range f.Presets {
		if !feature.MatchString(p.Name) || p.Doc == "" || seen[p.Name+" (preset)"] {
			t.Errorf("preset %+v: a name of its own and a doc are wanted", p)
		}
		seen[p.Name+" (preset)"] = true
		all = append(all, solve.Order{Cols: 4, Rows: 3, Preset: p.Name})
	}
	if f.Make == nil && len(f.Wishes) > 0 {
		t.Errorf("%d wishes, and nothing makes them", len(f.Wishes))
	}
	for _, o := range []solve.Order{{}, {Cols: 3, Rows: -1}, {Cols: 1 << 10, Rows: 1 << 10}, {Cols: 3, Rows: 3, Wishes: map[string]int{"a sixth wheel": 1}}, {Cols: 3, Rows: 3, Preset: "a sixth wheel"}} {
		if p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 1)), o); err == nil {
			t.Errorf("%+v is made:\n%s", o, text(t, p))
		}
	}
	dealsInTime(t, f)
	for _, o := range all {
		p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 2)), o)
		if err != nil {
			t.Logf("%+v: %v", o, err) // a wish may need another beside it
			if len(o.Wishes) == 0 {
				t.Errorf("%+v: %v", o, err)
			}
			continue
		}
		again, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 2)), o)
		if err != nil || !bytes.Equal(text(t, p), text(t, again)) {
			t.Errorf("%+v gives two boards (%v):\n%s\n%s", o, err, text(t, p), text(t, again))
		}
		if s, err := p.Solve(ctx); err != nil || p.Check(t.Context(), s) != nil {
			t.Errorf("%+v: Solve: %v, %v\n%s", o, s, err, text(t, p))
		}
		single, err := solve.Single(ctx, p)
		if err != nil && !errors.Is(err, solve.ErrNotSupported) {
			t.Errorf("%+v: Single: %v", o, err)
		}
		if o.Unique {
			t.Logf("with one answer: %t", single)
		}
	}
}

// lateDeal is how much processor time a large board may take after its context
// ended: two looks are behind it then, and nobody says that the machine is idle.
const lateDeal = time.Second

// dealsInTime makes large boards with a context that has ended, or soon does.
func dealsInTime(t *testing.T, f solve.Family) {
	t.Helper()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []solve.Order{{Cols: 100, Rows: 100}, {Cols: 100, Rows: 100, Unique: true}, {Cols: 256, Rows: 256}, {Cols: 1, Rows: 1 << 16}} {
		if f.Takes(o) != nil {
			continue
		}
		if p, err := f.Deal(ended, rand.New(rand.NewPCG(1, 3)), o); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v with a context that has ended: %v, %v", o, p, err)
		}
		before := ProcessorTime()
		_, err := f.Deal(limits.WithSteps(context.Background(), 2), rand.New(rand.NewPCG(1, 3)), o)
		if took := ProcessorTime() - before; took > lateDeal {
			t.Errorf("%+v with a context that soon ends took %v of processor time (%v)", o, took, err)
		}
	}
}
