package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"os"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// sameAnswers compares the solver's answers with brute force's.
func sameAnswers(t *testing.T, p *board.Panel) int {
	t.Helper()
	return bruteAnswers(t, Of(p))
}

func bruteAnswers(t *testing.T, q Puzzle) int {
	p := q.Panel
	t.Helper()
	want := map[string]bool{}
	for a := range witnesstest.BruteForce(q.rooms.rules(), p) {
		want[lineKey(p, a)] = true
	}
	got := map[string]bool{}
	for a, err := range q.All(context.Background()) {
		if err != nil {
			t.Fatalf("%v\n%s", err, forms.String(p))
		}
		k := lineKey(p, a)
		if got[k] {
			t.Fatalf("%s twice, of\n%s", k, forms.String(p))
		}
		if got[k] = true; !want[k] {
			t.Fatalf("%s is no answer of\n%s", k, forms.String(p))
		}
	}
	for k := range want {
		if !got[k] {
			t.Fatalf("%d answers, %d found; missed %s, of\n%s", len(want), len(got), k, forms.String(p))
		}
	}
	a, err := q.Solve(context.Background())
	if len(want) == 0 && !errors.Is(err, solve.ErrUnsolvable) || len(want) > 0 && (err != nil || q.Check(t.Context(), a) != nil) {
		t.Fatalf("%d answers, but Solve says %v, %v, of\n%s", len(want), a, err, forms.String(p))
	}
	return len(want)
}

// lineKey names an answer, the same whichever way it is written on a pillar.
func lineKey(p *board.Panel, a solve.Solution) string {
	line := []image.Point{p.Wrap(a[0][0])}
	for i, q := range a[0][1:] {
		line = append(line, q.Sub(a[0][i])) // two edges may join the same nodes round a pillar
	}
	return fmt.Sprint(line)
}

func TestAgainstBruteForce(t *testing.T) {
	rounds := 6000
	if testing.Short() {
		rounds = 600
	}
	solvable, single := 0, 0
	for seed := range uint64(rounds) {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 7)))
		if p.Valid() != nil {
			t.Fatalf("seed %d: %v", seed, p.Valid())
		}
		switch n := sameAnswers(t, p); {
		case n == 1:
			single++
			fallthrough
		case n > 0:
			solvable++
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d panels, %d solvable, %d of them in one way", rounds, solvable, single)
	if solvable < rounds/10 || solvable > rounds*9/10 {
		t.Errorf("%d of %d panels are solvable: the sample decides little", solvable, rounds)
	}
}

// Two lines may begin at a start that is its own image, where the rule set says so.
func TestSharedStarts(t *testing.T) {
	for _, row := range []struct {
		why, panel string
		want       int
	}{
		{"the middle of a turned panel", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-@-+\n| | |\n<-+-+\n", 8},
		{"not by the game's rules", "panel 2x2 symmetry=rotation rules=game\n+-+->\n| | |\n+-@-+\n| | |\n<-+-+\n", 0},
		{"on the axis of a mirror, which the line does not follow", "panel 2x1 symmetry=mirror rules=witnesspuzzles\n<-+->\n| | |\n+-@-+\n", 2},
		{"the middle of an edge across the axis", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n| |\n+-+\n| |\n+@+\n", 2},
		{"the middle of an edge, inside", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n|a|\n+@+\n|b|\n+-+\na = white square\nb = white square\n", 2},
		{"the same, where squares must be parted", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n<->\n|a|\n+@+\n|b|\n+-+\na = white square\nb = black square\n", 0},
		{"nothing of it comes by later", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n@-+->\n| | |\n+-@-+\n| | |\n<-+-@\n", 12},
		{"a dot on it is covered", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-a-+\n| | |\n<-+-+\na = start, dot\n", 8},
		{"a dot of one line on it is not", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-a-+\n| | |\n<-+-+\na = start, own dot\n", 0},
		{"the way that a dot of one line leaves", "panel 2x2 symmetry=rotation rules=witnesspuzzles\n+-+->\n| | |\n+-@-a\n| | |\n<-+-+\na = own dot\n", 3},
		{"starts all along the axis", "panel 2x2 symmetry=mirror rules=witnesspuzzles\n<-@->\n| @ |\n+-@-+\n| @ |\n+-@-+\n", 6},
		{"an end too: both lines stop where they begin", "panel 1x2 symmetry=mirror rules=witnesspuzzles\n+a+\n| |\n+-+\n| |\n+-+\na = start, end up\n", 1},
		{"round a pillar", "pillar 4x1 symmetry=mirror rules=witnesspuzzles\n+-+-@-+-\n| | | | \n^-+-+-+-\n", 0},
	} {
		solvetest.Same(t, sameAnswers(t, witnesstest.Parsed(t, row.panel)), row.want, "%s: answers", row.why)
	}
}

// On a pillar of two columns the cells of a row meet on both hands: a line on one
// of them bars a piece there, and none on the other.
func TestPieceOnTwoColumns(t *testing.T) {
	p := witnesstest.Parsed(t, "pillar 2x3 rules=witnesspuzzles\n@-+-\n| |b\n+-^-\n|c|d\n+-v-\n| |b\n+-+-\nb = black piece #\nc = colourless piece #\nd = turned colourless piece ##/#.\n")
	if n := sameAnswers(t, p); n == 0 {
		t.Errorf("no answer to\n%s", Of(p))
	}
}

// However soon its context ends a search gives an answer, or says that it ended; what was
// found and not looked at is no mistake of the search.
func TestSolveEndsWithItsContext(t *testing.T) {
	panels := map[string]*board.Panel{"triangles": witnesstest.Parsed(t, "panel 3x3\n+-+-+->\n|a| |a|\n+-+-+-+\n| |a| |\n+-+-+-+\n|a| | |\n@-+-+-+\na = 2 triangles\n")}
	if text, err := os.ReadFile(solvetest.Shared("outside", "break", "p2097.json")); err == nil {
		if panels["p2097.json"], err = forms.DecodeJSON(text); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range panels {
		given := 0
		for steps := 1; steps < 1<<14; steps *= 64 {
			s, err := Of(p).Solve(limits.WithSteps(t.Context(), steps))
			switch {
			case err == nil:
				given++
				solvetest.Fine(t, Of(p).Check(t.Context(), s), fmt.Sprintf("%s, %d steps", name, steps))
			case !errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "internal"):
				t.Errorf("%s, %d steps: %v", name, steps, err)
			}
		}
		if given == 0 {
			t.Errorf("%s: no answer with any number of steps", name)
		}
	}
}
