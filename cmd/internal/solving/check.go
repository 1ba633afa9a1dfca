package solving

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
)

// A checkLine is what check prints with --json.
type checkLine struct {
	Input  string  `json:"input"`
	Family string  `json:"family"`
	Status string  `json:"status"` // right, begun, wrong, unsure or error
	Rule   string  `json:"rule,omitempty"`
	At     *[2]int `json:"at,omitempty"`
	Error  string  `json:"error,omitempty"`
	left   string  // of a line begun: what is not right yet
}

// begunLine is the status of a line with which some answer begins.
const begunLine = "begun"

// CheckOptions are what check is asked for.
type CheckOptions struct {
	*program.Program
	intake.Flags
	json    bool
	timeout time.Duration
}

// NewCheck is the command that checks answers.
func NewCheck(p *program.Program) *cobra.Command {
	o := CheckOptions{Program: p}
	c := &cobra.Command{
		Use:   "check PUZZLE SOLUTION",
		Short: "Check an answer by the rules",
		Long: `Check an answer by the rules. A SOLUTION is strokes as JSON, what solve
printed, with --json or without, a file that holds either, or - for standard
input. Lines may be told by their moves, as solve prints them or by the letters
U, D, L and R; where some answer begins so it is "right so far".

The exit status is 0 for a right answer and for such a beginning, 1 for a wrong
one.`,
		Example: `  onlooker check panel.txt '[[[0,4],[2,4],[2,2],[4,2],[4,0],[5,0]]]'
  onlooker check panel.txt 'right 1, up 1, right 1, up 1'
  onlooker check panel.txt RURU
  onlooker solve --json panel.txt | onlooker check panel.txt -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return cli.Misusef("check takes a puzzle and a solution, not %d arguments", len(args))
			}
			if args[0] == "-" && args[1] == "-" {
				return cli.Misusef("puzzle and solution cannot both be standard input")
			}
			return nil
		},
		RunE: program.Runs(o.run),
	}
	o.Register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object")
	cli.DurationVar(c.Flags(), &o.timeout, "timeout", 0, "give up after so many seconds, or as in 2m (0: never)")
	return c
}

func (o *CheckOptions) run(ctx context.Context, args []string) error {
	d, err := intake.NewDecoder(ctx, o.Games, o.In, o.Flags)
	if err != nil {
		return err
	}
	if o.timeout < 0 {
		return cli.Misusef("--timeout must not be negative")
	}
	ctx, cancel := intake.Limited(ctx, o.timeout)
	defer cancel()
	d.Timeout = o.timeout
	done := o.Progress().During("checking " + args[0])
	line := o.judge(ctx, d, args[0], args[1])
	done()
	switch {
	case o.json:
		err = cli.WriteJSON(o.Out, line)
	case line.Status == "right":
		_, err = fmt.Fprintln(o.Out, "right")
	case line.Status == begunLine:
		_, err = fmt.Fprintf(o.Out, "right so far%s\n", line.left)
	case line.Status == "wrong":
		_, err = fmt.Fprintf(o.Out, "wrong: %s\n", line.Error)
	default:
		_, err = fmt.Fprintf(o.Err, "onlooker: %s\n", line.Error)
	}
	if err == nil && line.Status != "right" && line.Status != begunLine {
		err = program.ErrFailed
	}
	return err
}

func (o *CheckOptions) judge(ctx context.Context, d *intake.Decoder, input, given string) checkLine {
	line := checkLine{Input: input, Status: answer.Failed}
	fail := func(err error) checkLine {
		line.Error = cli.Plainly(err)
		if intake.Unsure(err) {
			line.Status = answer.Unsure
		}
		return line
	}
	solution, walks, number, err := readSolution(o.In, given)
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
		return fail(fmt.Errorf("%s: the solution is of board %d, which is not there", cli.Shorten(input), number+1))
	case len(found) > 1:
		return fail(fmt.Errorf("%s: %d boards, want one", cli.Shorten(input), len(found)))
	}
	b := found[0]
	if b.Game != nil {
		line.Family = b.Game.Name
	}
	if b.Err != nil {
		return fail(b.Err)
	}
	var begun solve.Solution
	if walks != nil {
		begun, err = judgeMoves(ctx, b.Game, b.Puzzle, walks)
	} else {
		err = answer.Judge(ctx, b.Puzzle, solution)
	}
	var broken *solve.RuleError
	switch {
	case begun != nil:
		line.Status, line.left = begunLine, left(ctx, b.Puzzle, begun)
	case err == nil:
		line.Status = "right"
	case errors.As(err, &broken):
		line.Status, line.Rule, line.At = "wrong", broken.Rule, &[2]int{broken.At.X, broken.At.Y}
		line.Error = cli.Plainly(err)
	default:
		return fail(fmt.Errorf("check: %w", err))
	}
	return line
}

// readSolution reads strokes as JSON, or a line that solve printed, and the
// number of the board that the line names (-1: none), or moves.
func readSolution(in io.Reader, arg string) (solve.Solution, []walk, int, error) {
	data, what := []byte(arg), "no file, neither JSON nor moves"
	if !isJSON(data) {
		d := intake.Decoder{In: in}
		loaded, isFile, err := d.Load(arg)
		if _, none := os.Stat(arg); err != nil && (none == nil || arg == "-") {
			return nil, nil, -1, fmt.Errorf("solution: %w", err)
		} else if isFile && err == nil {
			data, what = loaded, "neither JSON nor moves"
		}
	}
	if isJSON(data) {
		s, number, err := readStrokes(data)
		return s, nil, number, err
	}
	if flips, ok := readFlips(string(data)); ok {
		return flips, nil, -1, nil
	}
	for _, text := range []string{string(data), strings.Join(fromPlace.FindAllString(string(data), -1), "\n")} {
		if walks, ok := readMoves(text); ok {
			return nil, walks, -1, nil
		}
	}
	return nil, nil, -1, fmt.Errorf("solution: %q is %s, which look like \"right 1, up 2\" or RUU", cli.Shorten(arg), what)
}

// isJSON tells whether a text begins as an array or an object does.
func isJSON(data []byte) bool {
	data = bytes.TrimSpace(data)
	return len(data) > 0 && (data[0] == '[' || data[0] == '{')
}

// readStrokes reads strokes as JSON, or a line that solve printed.
func readStrokes(data []byte) (solve.Solution, int, error) {
	data = bytes.TrimSpace(data)
	var strokes [][][2]int
	number := -1
	if len(data) > 0 && data[0] == '{' {
		var line Line
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
	s, err := solve.FromPairs(strokes)
	if err != nil {
		err = fmt.Errorf("solution: %w", err)
	}
	return s, number, err
}
