package session

import (
	"fmt"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
)

// A driven prints what becomes of the answers that are entered, for people or as JSON.
type driven struct {
	deaf
	*Options
	player   *enter.Player
	began    time.Time
	accepted int
	entered  int // and not confirmed
	refused  int
}

// tell says what is done, with the seconds since the start: what a line's time
// went into is read from these.
func (d *driven) tell(format string, args ...any) {
	fmt.Fprintf(d.Err, "%8.3f  %s\n", time.Since(d.began).Seconds(), fmt.Sprintf(format, args...))
}

// A driveLine is what drive prints for one board with --json.
type driveLine struct {
	Number  int        `json:"number"`
	Family  string     `json:"family"`
	Cols    int        `json:"cols"`
	Rows    int        `json:"rows"`
	Puzzle  string     `json:"puzzle"`
	Outcome string     `json:"outcome"`
	Tries   int        `json:"tries"`
	Error   string     `json:"error,omitempty"`
	Seconds float64    `json:"seconds"` // since the start
	Millis  see.Millis `json:"millis"`
}

// End prints what became of an answer.
func (d *driven) End(n int, t *drive.Drive) error {
	switch t.Outcome {
	case enter.Accepted:
		d.accepted++
	case enter.Entered:
		d.entered++
	case enter.Refused:
		d.refused++
	}
	outcome := t.Outcome.String()
	if t.Outcome == enter.Entered && !d.json {
		outcome = "entered, not confirmed"
	}
	if d.dryRun {
		outcome = "not entered"
		d.accepted++
	}
	if d.try {
		outcome = "not submitted"
	}
	failed := ""
	if t.Failed != nil {
		failed = cli.OneLine(t.Failed.Error())
	}
	if d.json {
		return cli.WriteJSON(d.Out, driveLine{
			Number: n, Family: t.Reading.Game.Name, Cols: t.Reading.Board.Cols, Rows: t.Reading.Board.Rows,
			Puzzle: t.Text, Outcome: outcome, Tries: t.Tries, Error: failed, Seconds: time.Since(d.began).Seconds(), Millis: t.Millis,
		})
	}
	entered := fmt.Sprintf(", enter %4.0f, trace %5.0f, submit %4.0f, tries %d", t.Millis["enter"], t.Millis["trace"], t.Millis["submit"], t.Tries)
	if d.dryRun {
		entered = ""
	}
	fmt.Fprintf(d.Out, "%2d  %-8s %d×%d  %-11s  read and solve %4.0f ms%s  %s%s\n",
		n, t.Reading.Game.Name, t.Reading.Board.Cols, t.Reading.Board.Rows, outcome,
		t.Millis["read and solve"], entered, clock(time.Since(d.began)), prefixedError(failed))
	if m := d.player.Found(); d.try && t.Failed == nil {
		fmt.Fprintf(d.Out, "    the pointer is %s; a line takes %s motion, %.3g pixels a unit; it was dropped again\n", pointerWord(m.Pointer), m.Style, m.Gain)
	}
	if d.dryRun {
		for _, stroke := range t.Answer {
			fmt.Fprintf(d.Out, "    would trace %v\n", stroke)
		}
	}
	return nil
}

// done says that so many answers are all, of what is seen whole: a board of which a part is seen
// may pass for none. beyond says that there is what may be one.
func (d *driven) done(answers int, beyond bool) string {
	words := fmt.Sprintf("%d of %d done", d.accepted+d.entered, answers)
	if d.entered > 0 {
		words += fmt.Sprintf(", %d not confirmed", d.entered)
	}
	if words += ", of boards seen whole"; beyond {
		words += "; what may be another goes on beyond what is seen: make its window larger, or zoom out"
	}
	return words
}

func prefixedError(s string) string {
	if s == "" {
		return ""
	}
	return "  (" + s + ")"
}

func clock(t time.Duration) string {
	return fmt.Sprintf("%d:%04.1f", int(t.Minutes()), t.Seconds()-60*float64(int(t.Minutes())))
}

// sum prints what became of all of them.
func (d *driven) sum() {
	if d.json || d.dryRun || d.try {
		return
	}
	unconfirmed := ""
	if d.entered > 0 {
		unconfirmed = fmt.Sprintf(", %d entered and not confirmed", d.entered)
	}
	fmt.Fprintf(d.Out, "%d accepted%s, %d refused in %s; %d ms a leg\n", d.accepted, unconfirmed, d.refused, clock(time.Since(d.began)), d.player.PerLeg().Milliseconds())
}

// pointerWord says whose pointer it is.
func pointerWord(p calibrations.Pointer) string {
	if p == calibrations.Drawn {
		return "drawn by the game"
	}
	return "the system's"
}
