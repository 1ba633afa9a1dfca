package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io/fs"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/solve"
)

// A checkLine is what check prints with --json.
type checkLine struct {
	Input  string  `json:"input"`
	Family string  `json:"family"`
	Status string  `json:"status"` // right, wrong, unsure or error
	Rule   string  `json:"rule,omitempty"`
	At     *[2]int `json:"at,omitempty"`
	Error  string  `json:"error,omitempty"`
}

func newCheck(a *app) *cobra.Command {
	var flags intake.Flags
	var asJSON bool
	c := &cobra.Command{
		Use:   "check PUZZLE SOLUTION",
		Short: "Check an answer by the rules",
		Long: `Check an answer by the rules. A SOLUTION is strokes as JSON, a line that
solve --json printed, a file that holds either, or - for standard input.

The exit status is 0 for a right answer, 1 for a wrong one.`,
		Example: `  onlooker check panel.txt '[[[0,4],[2,4],[2,2],[4,2],[4,0],[5,0]]]'
  onlooker solve --json panel.txt | onlooker check panel.txt -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return misuse.Errorf("check takes a puzzle and a solution, not %d arguments", len(args))
			}
			if args[0] == "-" && args[1] == "-" {
				return misuse.Errorf("puzzle and solution cannot both be standard input")
			}
			return nil
		},
		RunE: runs(func(ctx context.Context, args []string) error {
			d, err := intake.NewDecoder(a.games, a.in, flags)
			if err != nil {
				return err
			}
			line := a.check(ctx, d, args[0], args[1])
			if asJSON {
				err = plain.WriteJSON(a.out, line)
			} else {
				switch line.Status {
				case "right":
					_, err = fmt.Fprintln(a.out, "right")
				case "wrong":
					_, err = fmt.Fprintf(a.out, "wrong: %s\n", line.Error)
				default:
					_, err = fmt.Fprintf(a.err, "onlooker: %s\n", line.Error)
				}
			}
			if err == nil && line.Status != "right" {
				err = errFailed
			}
			return err
		}),
	}
	flags.Register(c)
	if err := c.Flags().MarkHidden("lines"); err != nil {
		panic(err) // the flag is registered above
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

func (a *app) check(ctx context.Context, d *intake.Decoder, input, given string) checkLine {
	line := checkLine{Input: input, Status: answer.Failed}
	fail := func(err error) checkLine {
		line.Error = plain.Plainly(err)
		if intake.Unsure(err) {
			line.Status = answer.Unsure
		}
		return line
	}
	solution, number, err := a.readSolution(given)
	if err != nil {
		return fail(err)
	}
	var found []intake.Board
	for b := range d.Boards(input) {
		if number < 0 || b.Index < 0 || b.Index == number {
			found = append(found, b)
		}
	}
	switch {
	case len(found) == 0:
		return fail(fmt.Errorf("%s: the solution is of board %d, which is not there", plain.Shorten(input), number+1))
	case len(found) > 1:
		return fail(fmt.Errorf("%s: %d boards, want one", plain.Shorten(input), len(found)))
	}
	b := found[0]
	if b.Game != nil {
		line.Family = b.Game.Name
	}
	if b.Err != nil {
		return fail(b.Err)
	}
	err = answer.Judge(ctx, b.Puzzle, solution)
	var broken *solve.RuleError
	switch {
	case err == nil:
		line.Status = "right"
	case errors.As(err, &broken):
		line.Status, line.Rule, line.At = "wrong", broken.Rule, &[2]int{broken.At.X, broken.At.Y}
		line.Error = plain.Plainly(err)
	default:
		return fail(fmt.Errorf("check: %w", err))
	}
	return line
}

// readSolution reads strokes as JSON, or a line that solve printed, and the
// number of the board that the line names (-1: none).
func (a *app) readSolution(arg string) (solve.Solution, int, error) {
	data := []byte(arg)
	if trimmed := bytes.TrimSpace(data); len(trimmed) == 0 || trimmed[0] != '[' && trimmed[0] != '{' {
		d := intake.Decoder{In: a.in}
		var isFile bool
		var err error
		if data, isFile, err = d.Load(arg); err != nil {
			return nil, -1, fmt.Errorf("solution: %w", err)
		}
		if !isFile {
			return nil, -1, fmt.Errorf("solution: %q is neither JSON nor a file: %w", plain.Shorten(arg), fs.ErrNotExist)
		}
	}
	data = bytes.TrimSpace(data)
	var strokes [][][2]int
	number := -1
	if len(data) > 0 && data[0] == '{' {
		var line solveLine
		if err := json.Unmarshal(data, &line); err != nil {
			return nil, -1, fmt.Errorf("solution: not a line that solve printed: %w", solve.JSONError(err))
		}
		if line.Status != answer.Solved || line.Strokes == nil {
			return nil, -1, fmt.Errorf("solution: the line's status is %q, want %q with strokes", line.Status, answer.Solved)
		}
		if strokes = line.Strokes; line.Board != nil {
			number = *line.Board
		}
	} else {
		// Decoded into slices, so that a point of three numbers is refused.
		var loose [][][]int
		if err := json.Unmarshal(data, &loose); err != nil {
			return nil, -1, fmt.Errorf("solution: not strokes as [[[x,y],…]]: %w", solve.JSONError(err))
		}
		strokes = make([][][2]int, len(loose))
		for i, stroke := range loose {
			for j, p := range stroke {
				if len(p) != 2 {
					return nil, -1, fmt.Errorf("solution: stroke %d, point %d has %d numbers, want 2", i+1, j+1, len(p))
				}
				strokes[i] = append(strokes[i], [2]int{p[0], p[1]})
			}
		}
	}
	// Half-cells of a board are few; larger numbers would overflow in sums.
	const most = 1 << 20
	s := make(solve.Solution, len(strokes))
	for i, stroke := range strokes {
		for j, p := range stroke {
			if p[0] < -most || p[0] > most || p[1] < -most || p[1] > most {
				return nil, -1, fmt.Errorf("solution: stroke %d, point %d is (%d,%d), far off any board", i+1, j+1, p[0], p[1])
			}
			s[i] = append(s[i], image.Pt(p[0], p[1]))
		}
	}
	return s, number, nil
}
