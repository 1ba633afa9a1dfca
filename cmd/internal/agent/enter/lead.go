package enter

import (
	"context"
	"fmt"

	"onlooker/solve"
)

// A leadEntry enters strokes by relative motion, one after another: each is led to its end
// and submitted there, and stays, before the next one begins.
type leadEntry struct {
	task  *Task
	lines []*Tracing // that are still to be entered; at least one
}

// newLeading is how an answer is entered by relative motion.
func newLeading(p *Player, t *Task, sheet Sheet, answer solve.Solution) (Entry, error) {
	if len(answer) == 0 || t.Turned != nil && len(answer) > 1 {
		return nil, fmt.Errorf("drive: an answer of %d strokes, want one, or on a board that does not turn one and more", len(answer))
	}
	// What is there of an earlier try is not entered again.
	e := &leadEntry{task: t}
	for _, s := range answer[min(t.strokes, len(answer)-1):] {
		if len(s) < 2 {
			return nil, fmt.Errorf("drive: a stroke of %d places, want a start and an end: this client takes lines", len(s))
		}
		line := p.Line(sheet, s, t.Turned)
		line.task, line.unlit, line.read = t, t.Unlit, t.Frame
		line.capless = drawn(s[len(s)-2], s[len(s)-1])
		e.lines = append(e.lines, line)
	}
	return e, nil
}

// Trace enters all strokes but the last, and that up to what submits it.
func (e *leadEntry) Trace(ctx context.Context) error {
	for ; len(e.lines) > 1; e.lines = e.lines[1:] {
		line := e.lines[0]
		if err := line.Trace(ctx); err != nil {
			return err
		}
		if err := line.Submit(ctx); err != nil {
			return err
		}
		outcome, err := line.judgeFor(ctx, SettleTime)
		if err != nil {
			return err
		}
		if outcome != Accepted && outcome != Entered {
			from, to := line.stroke[0], line.stroke[len(line.stroke)-1]
			return &OtherwiseError{What: fmt.Sprintf("the line from %s to %s goes when it is let go of", solve.PlaceName(from), solve.PlaceName(to))}
		}
		e.task.strokes++
	}
	return e.lines[0].Trace(ctx)
}

// Try tries the first stroke: the next would need it to be submitted.
func (e *leadEntry) Try(ctx context.Context) error { return e.lines[0].Try(ctx) }

func (e *leadEntry) Submit(ctx context.Context) error { return e.lines[0].Submit(ctx) }

func (e *leadEntry) Judge(ctx context.Context) (Outcome, error) { return e.lines[0].Judge(ctx) }
