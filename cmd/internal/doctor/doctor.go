// Package doctor has the command that says what works on a machine.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/input"
	"onlooker/vision/cv"
	"onlooker/vision/picture"
)

// A Finding is what doctor says about one thing.
type Finding struct {
	What  string `json:"what"`
	Works bool   `json:"works"`
	// Needed says that onlooker is of no use on this screen without it.
	Needed bool   `json:"needed"`
	Found  string `json:"found"`
	Do     string `json:"do,omitempty"` // about what does not work
}

// Options are what doctor is asked for, and what it tries.
type Options struct {
	*program.Program
	Screen  intake.ScreenFlags
	Profile string
	Keys    []string // that --drive takes
	// Try enters an answer with the mouse, and drops it instead of submitting it.
	Try       func(ctx context.Context, o *Options) error
	try, json bool
}

// New is the command that says what works on this machine.
func New(o Options) *cobra.Command {
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Say what works on this machine, and what to do about the rest",
		Long: `Try everything that onlooker needs: OpenCV, the profiles, the display, frames
of it, the window (--window), the mouse and the hotkeys. Nothing is moved or
pressed, unless --try is given: it enters the answer of a board in the window as
watch --drive does, and drops the line instead of submitting it. What was found
out about the client's pointer and motion is kept for the next time.

The exit status is 1 when something does not work that watching needs.`,
		Example: `  onlooker doctor
  onlooker doctor --window "The Witness"
  onlooker doctor --window "The Witness" --try`,
		Args: cli.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error { return o.run(ctx) }),
	}
	o.Screen.Register(c)
	intake.ProfileFlag(c, &o.Profile)
	c.Flags().BoolVar(&o.try, "try", false, "enter an answer with the mouse, and drop it instead of submitting it")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object for each thing")
	return c
}

func (o *Options) run(ctx context.Context) error {
	target, err := o.Screen.Target()
	if err != nil {
		return err
	}
	failed := false
	for _, f := range o.examine(ctx, target) {
		failed = failed || f.Needed && !f.Works
		if o.json {
			if err := cli.WriteJSON(o.Out, f); err != nil {
				return err
			}
			continue
		}
		mark := "ok "
		if !f.Works {
			mark = "NO "
		}
		fmt.Fprintf(o.Out, "%s %-9s %s\n", mark, f.What, f.Found)
		if f.Do != "" {
			fmt.Fprintf(o.Out, "              %s\n", f.Do)
		}
	}
	switch {
	case failed:
		return program.ErrFailed
	case o.try:
		return o.Try(ctx, o)
	}
	return nil
}

func (o *Options) examine(ctx context.Context, target capture.Target) []Finding {
	// An X server without clients begins anew, and drops who comes meanwhile:
	// one of ours stays.
	if stay, err := capture.Open(ctx, capture.Target{}); err == nil {
		defer stay.Close()
	}
	all := []Finding{
		session(),
		{What: "opencv", Works: true, Needed: true, Found: cv.Version()},
		o.profiles(),
		o.pipeline(ctx),
		display(ctx, target.Display),
	}
	all = append(all, frames(ctx, target)...)
	return append(all, o.mouse(ctx))
}

// session says what draws the screen.
func session() Finding {
	f := Finding{What: "session", Works: true, Found: runtime.GOOS + "/" + runtime.GOARCH}
	switch runtime.GOOS {
	case "windows", "darwin":
		return f
	}
	switch {
	case os.Getenv("XDG_SESSION_TYPE") == "wayland" && os.Getenv("DISPLAY") != "":
		f.Found += ", Wayland, with XWayland at DISPLAY " + os.Getenv("DISPLAY") + ": windows of X programs, as games under Proton, are watched and played by --window TITLE; others are not found"
		f.Do = "start the game or the browser as an X program (Chromium: --ozone-platform=x11, Firefox: MOZ_ENABLE_WAYLAND=0), or log in to an X11 session"
	case os.Getenv("XDG_SESSION_TYPE") == "wayland":
		f.Works = false
		f.Found += ", Wayland without XWayland: a frame takes a question to the desktop's portal, windows are not found by title, the mouse is not moved"
		f.Do = "log in to an X11 session (often called Xorg on the login screen) for several frames a second"
	case os.Getenv("DISPLAY") != "":
		f.Found += ", X11, DISPLAY " + os.Getenv("DISPLAY")
	default:
		f.Works = false
		f.Found += ", no graphical session: DISPLAY is not set"
		f.Do = "start it from a terminal within the desktop; read and solve work on pictures without one"
	}
	return f
}

func (o *Options) profiles() Finding {
	f := Finding{What: "profiles", Works: true, Needed: true}
	var names []string
	for _, name := range calibrations.Names() {
		if _, err := o.Games.Look(name); err != nil {
			f.Works = false
			f.Do = cli.Plainly(err)
			name += " (broken)"
		}
		names = append(names, name)
	}
	f.Found = strings.Join(names, ", ")
	return f
}

// pipeline draws a board of each family that is read off the screen, reads it,
// solves it and checks the answer.
func (o *Options) pipeline(ctx context.Context) Finding {
	f := Finding{What: "reading", Works: true, Needed: true}
	eye, err := o.Games.Eye("auto")
	if err != nil {
		return Finding{What: f.What, Needed: true, Found: cli.Plainly(err)}
	}
	var told []string
	for i := range o.Games.List {
		g := &o.Games.List[i]
		if g.NewReader == nil || g.Picture == nil || g.Generate == nil {
			continue
		}
		start := time.Now()
		err := func() error {
			// Always the same board: what is tried is the machine. This one is flat.
			drawn := g.Generate(rand.New(rand.NewPCG(1, 2)), 3, 3)
			board := picture.Image(g.Picture(drawn, nil), cli.PixelsPerHalfCell)
			frame := image.NewRGBA(image.Rectangle{Max: board.Rect.Size().Mul(2)})
			draw.Draw(frame, frame.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(frame, board.Rect.Add(board.Rect.Size().Div(2)), board, image.Point{}, draw.Over)
			sight, err := eye.Look(frame, see.Millis{})
			if err != nil {
				return err
			}
			if len(sight.Readings) == 0 {
				return errors.New("the board drawn for the test was not found")
			}
			if err := sight.Readings[0].Err; err != nil {
				return err
			}
			puzzle := sight.Readings[0].Puzzle
			found := (&answer.Service{}).Answer(ctx, answer.Question{Family: g.Name, Puzzle: puzzle})
			if found.Err != nil {
				return found.Err
			}
			return answer.Judge(ctx, drawn, found.Solution)
		}()
		if err != nil {
			f.Works = false
			told = append(told, g.Name+": "+cli.Plainly(err))
		} else {
			told = append(told, fmt.Sprintf("%s: a board drawn, read, solved and checked in %d ms", g.Name, time.Since(start).Milliseconds()))
		}
	}
	f.Found = strings.Join(told, "; ")
	return f
}

func display(ctx context.Context, number int) Finding {
	f := Finding{What: "display", Needed: true}
	all, err := capture.Displays(ctx)
	if err != nil {
		f.Found = cli.Plainly(err)
		f.Do = "nothing can be watched; read and solve work on pictures"
		return f
	}
	var sizes []string
	for i, d := range all {
		sizes = append(sizes, fmt.Sprintf("%d: %dx%d at (%d,%d)", i, d.Dx(), d.Dy(), d.Min.X, d.Min.Y))
	}
	f.Works, f.Found = number >= 0 && number < len(all), strings.Join(sizes, ", ")
	if !f.Works {
		f.Do = fmt.Sprintf("there is no display %d", number)
	}
	return f
}

// frames grabs a few frames, and looks for the window.
func frames(ctx context.Context, target capture.Target) []Finding {
	window := Finding{What: "window"}
	titles, err := capture.Windows(ctx)
	switch {
	case err != nil:
		window.Found = cli.Plainly(err)
	case target.Window != "":
		window.Needed = true
	default:
		window.Works = true
		names := make([]string, len(titles))
		for i, w := range titles {
			names[i] = fmt.Sprintf("%q", w.Title)
		}
		if window.Found = strings.Join(names, ", "); len(names) == 0 {
			window.Found = "none is open"
		}
	}
	frame := Finding{What: "frames", Needed: true}
	source, err := capture.Open(ctx, target)
	if err != nil {
		frame.Found = cli.Plainly(err)
		if errors.Is(err, capture.ErrNoWindow) {
			window.Found, window.Do = frame.Found, "name a part of the title that the window shows, and have it open and not minimised"
		}
		return []Finding{window, frame}
	}
	defer source.Close()
	least := time.Hour
	var m *image.RGBA
	for range 5 { // the first sets things up
		start := time.Now()
		if m, err = source.Grab(ctx); err != nil {
			frame.Found = cli.Plainly(err)
			return []Finding{window, frame}
		}
		least = min(least, time.Since(start))
	}
	if target.Window != "" {
		window.Works = true
		window.Found = fmt.Sprintf("%q at %v", target.Window, source.Bounds())
	}
	frame.Works = true
	frame.Found = fmt.Sprintf("%dx%d pixels in %.1f ms", m.Rect.Dx(), m.Rect.Dy(), float64(least.Microseconds())/1000)
	if capture.Blank(m) {
		// What a system shows to programs that may not record the screen.
		frame.Works = false
		frame.Found += ", all of one colour"
		frame.Do = capture.BlankRemedy()
	}
	return []Finding{window, frame}
}

// mouse tries what --drive needs, without moving anything.
func (o *Options) mouse(ctx context.Context) Finding {
	f := Finding{What: "mouse"}
	const help = "only watch --drive needs it"
	device, err := input.Open("")
	if err != nil {
		f.Found, f.Do = cli.Plainly(err), help
		return f
	}
	defer device.Close()
	at, err := device.Pointer()
	if err != nil {
		f.Found, f.Do = cli.Plainly(err), help
		return f
	}
	f.Works, f.Found = true, fmt.Sprintf("the pointer is at (%d,%d)", at.X, at.Y)
	for _, key := range o.Keys {
		if err := device.Hotkey(key, func() {}); err != nil {
			f.Works = false
			f.Found += fmt.Sprintf("; hotkey %s: %s", key, cli.Plainly(err))
			f.Do = "name other keys with --arm-key and --stop-key, or start with --yes"
		} else {
			f.Found += "; hotkey " + key + " is free"
		}
	}
	if _, err := device.Touched(); err != nil {
		f.Found += "; a hand is noticed only while onlooker rests: " + cli.Plainly(err)
	} else {
		f.Found += "; a hand on the mouse is noticed at once"
		if runtime.GOOS == "linux" {
			f.Found += ", one that moves the pointer by a program (remote control, a shared mouse) is not"
		}
	}
	if _, leave, err := o.Guard(ctx, device); err != nil {
		f.Works = false
		f.Found += "; " + cli.Plainly(err)
	} else {
		leave()
		f.Found += "; a button that is held is released when onlooker is killed"
	}
	return f
}
