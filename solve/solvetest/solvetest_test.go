package solvetest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"onlooker/solve"
)

// toy is the least family there can be: its puzzle is a number of clicks in a
// row. A negative number has no answer. With a defect it is wrong in one way.
type toy struct {
	n      int
	defect string
}

func (p toy) MarshalText() ([]byte, error) {
	if p.defect == "text" {
		return fmt.Appendf(nil, "toy %d\n", p.n+1), nil
	}
	return fmt.Appendf(nil, "toy %d\n", p.n), nil
}

func (p toy) Bounds() image.Rectangle { return image.Rect(0, 0, 2*p.n+1, 3) }

func (p toy) Solve(ctx context.Context) (solve.Solution, error) {
	if err := ctx.Err(); err != nil && p.defect != "cancelled" {
		return nil, err
	} else if err != nil {
		return nil, fmt.Errorf("cancelled")
	}
	if p.n < 0 && p.defect != "proof" || p.defect == "gives up" {
		return nil, solve.ErrUnsolvable
	}
	var s solve.Solution
	for i := range p.n {
		s = append(s, solve.Stroke{image.Pt(2*i+1, 1)})
	}
	if p.defect == "answer" {
		s = s[1:]
	}
	return s, nil
}

func (p toy) Check(ctx context.Context, s solve.Solution) error {
	name := "clicks"
	if p.defect == "rule" {
		name = "no such rule"
	}
	if p.defect == "check" {
		return nil
	}
	if len(s) != p.n {
		return &solve.RuleError{Rule: name, Got: fmt.Sprintf("%d clicks, want %d", len(s), p.n)}
	}
	for i, stroke := range s {
		if len(stroke) != 1 || stroke[0] != image.Pt(2*i+1, 1) {
			if p.defect == "point" {
				return fmt.Errorf("a stroke is wrong")
			}
			return &solve.RuleError{Rule: name, Got: "another stroke"}
		}
	}
	return nil
}

func (p toy) Count(context.Context, int) (int, error) {
	if p.n < 0 {
		return 0, nil
	}
	if p.defect == "count" {
		return 2, nil
	}
	return 1, nil
}

func (p toy) All(context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		s, err := p.Solve(context.Background())
		if err == nil && yield(s, nil) && p.defect == "all" {
			yield(s, nil)
		}
	}
}

func toys(defect string) solve.Family {
	return solve.Family{
		Name: "toy", Doc: "clicks in a row",
		Rules: []solve.Rule{{Name: "clicks", Doc: "Every cell is clicked once, in order."}},
		Formats: []solve.Format{{
			Name: "text",
			Sniff: func(head []byte) bool {
				return defect == "sniff" || bytes.HasPrefix(head, []byte("toy "))
			},
			Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
				return func(yield func(solve.Puzzle, error) bool) {
					for lines := bufio.NewReader(r); ; {
						text, _ := lines.ReadString('\n') // the end of the file ends a line too
						if text == "" {
							return
						}
						if err := solve.Printable(strings.TrimRight(text, "\r\n")); err != nil && defect != "control" {
							yield(nil, err)
							return
						}
						p := toy{defect: defect}
						if _, err := fmt.Sscanf(text, "toy %d", &p.n); err != nil || defect == "line ends" && strings.Contains(text, "\r") {
							yield(nil, fmt.Errorf("%q: %v", text, err))
							return
						}
						if !yield(p, nil) {
							return
						}
					}
				}
			},
			Encode: func(w io.Writer, p solve.Puzzle) error {
				text, err := p.MarshalText()
				if err != nil {
					return err
				}
				_, err = w.Write(text)
				return err
			},
		}},
		Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle {
			if defect == "generator" {
				return toy{n: 1 + rand.IntN(1000), defect: defect}
			}
			return toy{n: 1 + rng.IntN(cols*rows), defect: defect}
		},
	}
}

const defectVariable = "SOLVETEST_DEFECT"

// The sound family passes. TestDefects runs this test again with a defect.
func TestSound(t *testing.T) { Run(t, toys(os.Getenv(defectVariable))) }

// Whatever is wrong with a family fails its test.
func TestDefects(t *testing.T) {
	if os.Getenv(defectVariable) != "" {
		t.Skip("this is the run with a defect")
	}
	for _, row := range []struct{ defect, want string }{
		{"text", "comes back as"},
		{"line ends", "with CR LF"},
		{"sniff", "would read"},
		{"control", `reads a text with "\x00"`},
		{"answer", "Check refuses the answer"},
		{"gives up", "Solve: no solution"},
		{"proof", "want no solution"},
		{"check", "without its last"},
		{"point", "want a *solve.RuleError"},
		{"rule", "not on the family's list"},
		{"count", "Count says 2"},
		{"all", "twice"},
		{"cancelled", "context canceled or an answer"},
		{"generator", "gives two boards"},
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestSound$")
		cmd.Env = append(os.Environ(), defectVariable+"="+row.defect)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), row.want) {
			t.Errorf("defect %q: %v, want a failure with %q; it said\n%s", row.defect, err, row.want, out)
		}
	}
}

func BenchmarkSound(b *testing.B) { Bench(b, toys("")) }
func FuzzSound(f *testing.F)      { FuzzDecode(f, toys(""), "text") }
func FuzzSoundSolve(f *testing.F) { FuzzSolve(f, toys(""), 100) }
