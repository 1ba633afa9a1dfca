//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"fmt"
	"image/color"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"onlooker/capture"
)

// TestDrivesFlip has sgt-flip, a program that nobody here wrote, deal boards and
// drives them by what is seen: crosses of 5×5 and random patterns in turn.
// ONLOOKER_BOARDS=N plays N boards instead of two. That a board is won is told by
// its colours, which the program is given: no pixel of a dark square is left.
func TestDrivesFlip(t *testing.T) {
	program, err := exec.LookPath("sgt-flip")
	if err != nil {
		if program = "/usr/games/sgt-flip"; exec.Command("test", "-x", program).Run() != nil {
			t.Skip("no sgt-flip (Debian: sgt-puzzles)")
		}
	}
	boards := 2
	if s := os.Getenv("ONLOOKER_BOARDS"); s != "" {
		if boards, err = strconv.Atoi(s); err != nil || boards < 1 {
			t.Fatalf("ONLOOKER_BOARDS=%q, want a number", s)
		}
	}
	dark, lit := color.RGBA{0x30, 0x40, 0x58, 255}, color.RGBA{0xf4, 0xe8, 0xb0, 255}
	startDisplay(t, 800, 600)
	source, err := capture.Open(t.Context(), capture.Target{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	// count tells how many pixels of the screen have a colour.
	count := func(c color.RGBA) (n int) {
		f, err := source.Grab(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(f.Pix); i += 4 {
			if f.Pix[i] == c.R && f.Pix[i+1] == c.G && f.Pix[i+2] == c.B {
				n++
			}
		}
		return n
	}
	waitFor := func(why string, is func() bool) {
		for range 600 {
			if is() {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatalf("waited in vain: %s", why)
	}
	won := 0
	for n := range boards {
		order := fmt.Sprintf("5x5c#%d", n+1)
		if n%2 == 1 {
			order = fmt.Sprintf("%dx%dr#%d", 3+n/2%5, 3+n/10%5, n+1)
		}
		id, err := exec.Command(program, "--generate", "1", order).Output()
		if err != nil {
			t.Fatalf("sgt-flip --generate 1 %s: %v", order, err)
		}
		game := exec.Command(program, strings.TrimSpace(string(id)))
		game.Env = append(os.Environ(), "GSETTINGS_BACKEND=memory", "NO_AT_BRIDGE=1",
			fmt.Sprintf("FLIP_COLOUR_1=%02x%02x%02x", dark.R, dark.G, dark.B), fmt.Sprintf("FLIP_COLOUR_2=%02x%02x%02x", lit.R, lit.G, lit.B))
		if err := game.Start(); err != nil {
			t.Fatal(err)
		}
		waitFor("no board is shown", func() bool { return count(dark) > 500 })
		out, said, status := onlooker(t, "", "watch", "--drive", "--yes", "--no-store", "--solves", "1", "--profile", "switches-cells")
		left, bright := count(dark), count(lit)
		for range 100 { // the last squares turn over, and a board that is won blinks
			if left == 0 {
				break
			}
			time.Sleep(50 * time.Millisecond)
			left, bright = count(dark), count(lit)
		}
		if status == 0 && left == 0 && bright > 9*24*24 {
			won++
		} else {
			t.Logf("%s: status %d, %d dark pixels are left, %d lit: %s%s", order, status, left, bright, out, said)
		}
		_ = game.Process.Kill()
		_ = game.Wait()
		waitFor("the window stays", func() bool { return count(lit) == 0 })
	}
	t.Logf("%d of %d boards won", won, boards)
	if 20*won < 19*boards {
		t.Errorf("%d of %d boards won, want 19 of 20", won, boards)
	}
}
