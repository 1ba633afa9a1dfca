//go:build linux || freebsd || netbsd || openbsd

package doctor_test

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/doctor"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/solve/solvetest"
)

// shell knows the commands that these tests are of.
var shell = programtest.Of(func(p *program.Program) *cobra.Command { return doctor.New(doctor.Options{Program: p}) })

// examined runs doctor and gives its doctor.Findings by name.
func examined(t *testing.T, args ...string) (map[string]doctor.Finding, int) {
	t.Helper()
	out, errOut, status := shell.Run(t, "", append([]string{"doctor", "--json"}, args...)...)
	solvetest.Same(t, errOut, "", "standard error")
	all := map[string]doctor.Finding{}
	for line := range strings.Lines(out) {
		var f doctor.Finding
		solvetest.OK(t, json.Unmarshal([]byte(line), &f), fmt.Sprintf("%q", line))
		all[f.What] = f
	}
	return all, status
}

func TestDoctor(t *testing.T) {
	t.Setenv("XDG_SESSION_TYPE", "x11")
	t.Setenv("DISPLAY", "")
	all, status := examined(t)
	for what, works := range map[string]bool{"session": false, "opencv": true, "profiles": true, "reading": true,
		"display": false, "window": false, "frames": false, "mouse": false} {
		if f, ok := all[what]; !ok || f.Works != works || f.Found == "" {
			t.Errorf("without a display %s is %+v, want works: %v", what, f, works)
		}
	}
	solvetest.Same(t, status, 1, "the status without a display")

	d := showcase.TestDisplay(t, 640, 480)
	w := showcase.TestWindow(t, d, "A Window", image.Rect(10, 20, 110, 80))
	if all, _ = examined(t); all["frames"].Works {
		t.Errorf("a black screen: %+v, want a doubt", all["frames"])
	}
	m := image.NewRGBA(image.Rect(0, 0, 100, 60))
	for i := range m.Pix {
		m.Pix[i] = uint8(i) | 1
	}
	solvetest.OK(t, w.Show(m))
	for _, row := range []struct {
		args   []string
		status int
		frames string
	}{
		{nil, 0, "640x480"},
		{[]string{"--window", "a win"}, 0, "100x60"},
		{[]string{"--window", "another"}, 1, "no such window"},
		{[]string{"--display", "3"}, 1, "no display 3"},
	} {
		all, status := examined(t, row.args...)
		if status != row.status || !strings.Contains(all["frames"].Found, row.frames) || all["frames"].Works != (row.status == 0) {
			t.Errorf("%v: status %d, frames %+v; want %d, %q", row.args, status, all["frames"], row.status, row.frames)
		}
		if !all["session"].Works || !all["mouse"].Works {
			t.Errorf("%v: session %+v, mouse %+v; want both to work", row.args, all["session"], all["mouse"])
		}
	}
}
