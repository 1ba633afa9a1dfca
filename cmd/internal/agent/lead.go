package agent

import (
	"context"
	"fmt"

	"onlooker/solve"
)

// A leading enters strokes by relative motion, one after another: each is led to its end
// and submitted there, and stays, before the next one begins.
type leading struct {
	drive *Drive
	lines []*Tracing // that are still to be entered; at least one
}

// leading is how an answer is entered by relative motion.
func (p *Player) leading(t *Drive, sheet Sheet, answer solve.Solution) (entry, error) {
	if len(answer) == 0 || t.turned != nil && len(answer) > 1 {
		return nil, fmt.Errorf("drive: an answer of %d strokes, want one, or on a board that does not turn one and more", len(answer))
	}
	// What is there of an earlier try is not entered again.
	e := &leading{drive: t}
	for _, s := range answer[min(t.strokes, len(answer)-1):] {
		if len(s) < 2 {
			return nil, fmt.Errorf("drive: a stroke of %d places, want a start and an end: this client takes lines", len(s))
		}
		line := p.line(sheet, s, t.turned)
		line.unlit, line.read = t.unlit, t.Frame
		line.half = drawn(s[len(s)-2], s[len(s)-1])
		e.lines = append(e.lines, line)
	}
	return e, nil
}

// trace enters all strokes but the last, and that up to what submits it.
func (e *leading) trace(ctx context.Context) error {
	for ; len(e.lines) > 1; e.lines = e.lines[1:] {
		line := e.lines[0]
		if err := line.trace(ctx); err != nil {
			return err
		}
		if err := line.submit(ctx); err != nil {
			return err
		}
		outcome, err := line.judgeFor(ctx, settleTime)
		if err != nil {
			return err
		}
		if outcome != Accepted && outcome != Entered {
			from, to := line.stroke[0], line.stroke[len(line.stroke)-1]
			return &OtherwiseError{What: fmt.Sprintf("the line from (%d,%d) to (%d,%d) goes when it is let go of", from.X, from.Y, to.X, to.Y)}
		}
		e.drive.strokes++
	}
	return e.lines[0].trace(ctx)
}

// try tries the first stroke: the next would need it to be submitted.
func (e *leading) try(ctx context.Context) error { return e.lines[0].try(ctx) }

func (e *leading) submit(ctx context.Context) error { return e.lines[0].submit(ctx) }

func (e *leading) judge(ctx context.Context) (Outcome, error) { return e.lines[0].judge(ctx) }

// beside is nil: the client is looked at in parts, which do not show what is beside the board.
func (e *leading) beside() *signs { return nil }
