package tape

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/answer"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// record plays the snake on a client and keeps it in a folder.
func record(t *testing.T, folder string) (clicks string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := agenttest.NewClient()
		tape := solvetest.Must(Create(folder, c, c))(t)
		p := playerOf(c)
		p.Source, p.Mouse, p.Clock = tape, tape, tape
		if got, err := trace(t.Context(), p); err != nil || got != enter.Accepted {
			t.Fatalf("outcome %s, %v", got, err)
		}
		solvetest.OK(t, tape.Close())
		clicks = strings.Join(c.Clicks, " ")
	})
	return clicks
}

// TestReplay: a recorded run is the same again without a screen, a mouse or a
// clock, and the first thing that differs is told.
func TestReplay(t *testing.T) {
	folder := t.TempDir()
	if clicks := record(t, folder); clicks != "enter begin submit" {
		t.Fatalf("recorded with the clicks %s", clicks)
	}
	again := func(change func(*enter.Player)) (enter.Outcome, error) {
		r := solvetest.Must(Open(folder))(t)
		defer r.Close()
		p := playerOf(nil)
		p.Source, p.Mouse, p.Clock = r, r, r
		change(p)
		got, err := trace(t.Context(), p)
		return got, errors.Join(err, r.Done())
	}
	if got, err := again(func(*enter.Player) {}); err != nil || got != enter.Accepted {
		t.Errorf("replayed: %s, %v; want it accepted again", got, err)
	}
	var differs *DivergenceError
	if _, err := again(func(p *enter.Player) { p.Motion.NudgePixels = 7 }); !errors.As(err, &differs) || !strings.HasPrefix(differs.Got, "moveby") {
		t.Errorf("with other motions: %v, want where they diverge", err)
	}
	// A frame that shows another line makes for other motions.
	pictures, err := filepath.Glob(filepath.Join(folder, "tape-*.png"))
	if err != nil || len(pictures) < 10 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	solvetest.OK(t, os.Rename(pictures[len(pictures)/2], pictures[len(pictures)/2]+".away"))
	if _, err := again(func(*enter.Player) {}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a picture: %v, want that it is missing", err)
	}
	tape := filepath.Join(folder, tapeName)
	data := solvetest.Must(os.ReadFile(tape))(t)
	solvetest.OK(t, os.WriteFile(tape, data[:len(data)/3], 0o644))
	if _, err := again(func(*enter.Player) {}); err == nil {
		t.Error("a tape cut short is replayed without an error")
	}
}

func playerOf(c *agenttest.Client) *enter.Player {
	return &enter.Player{
		Source: c, Mouse: c,
		Motion: calibrations.Motion{Style: calibrations.Relative, Pointer: calibrations.Drawn, StepPixels: 100, StepMillis: 20, NudgePixels: 4, MissPixels: 0.7, Gain: 1},
		Cursor: calibrations.Cursor{Radius: 6.5 / 480, Ring: 8.0 / 480, Alpha: 0.4},
	}
}

// trace traces the snake.
func trace(ctx context.Context, p *enter.Player) (enter.Outcome, error) {
	if err := p.Enter(ctx); err != nil {
		return enter.Unknown, err
	}
	at := func(x, y float64) vision.Point { return agenttest.ClientAt(x/2, y/2) }
	line := p.Line(enter.Sheet{Projection: answer.Projection{At: at}, On: at, Line: agenttest.ClientLine}, agenttest.Snake, nil)
	if err := line.Trace(ctx); err != nil {
		return enter.Unknown, err
	}
	if err := line.Submit(ctx); err != nil {
		return enter.Unknown, err
	}
	return line.Judge(ctx)
}
