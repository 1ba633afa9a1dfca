package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
)

// New is the command that watches, with o's Program and Serve.
func New(o Options) *cobra.Command {
	f := &o
	var c *cobra.Command
	c = &cobra.Command{
		Use:   "watch",
		Short: "Look at the screen and print each new board's answer",
		Long: `Look at the screen several times a second, wait for a still picture, and print
each new board's answer once. Ctrl-C ends it. Nothing touches the mouse, unless
--drive enters the answers with it. A pillar is followed while it is turned, and
answered once all of it was in view: rest for a moment at each column.

With --drive F9 starts the mouse, and F8 or a move of it stops it. An answer is
accepted where the client shows it: its line lights up, the board goes, or
another comes. Red that comes, or a line that goes, says that it was refused.
Otherwise it is entered, not confirmed, and the exit status is 3: look at the
screen. The mouse keeps to the window that is watched, or that the board was
read in: where another lies over it, what was begun is broken off. Which motion
a client takes is found out: motion.style in a profile says it. What is wanted
of lamps is said before anything is clicked; where neither --goal nor their look
says it, it is asked for once, or with --yes taken as is usual.

When a board cannot be read or answered, its frame (frame-*.png) and what was
made of it (turn-*.json) are kept, and the path is printed. Where all boards of
a game are refused, six to ten such frames teach its look: see onlooker help
calibrate. A run that was kept with --record is replayed as it was, with the
flags that it had; a folder of pictures can be replayed too.`,
		Example: `  onlooker watch
  onlooker watch --window "The Witness"
  onlooker watch --json --record run1
  onlooker watch --replay run1
  onlooker watch --serve lan
  onlooker watch --drive --record run2
  onlooker watch --replay run2`,
		Args: misuse.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error {
			if f.failures != "" {
				return tellFailures(f.Out, f.failures)
			}
			switch {
			case f.folder != "" && (f.drive || f.overlay || f.replay != "" || f.Window != "" || f.ScreenFlags.Region != ""):
				return misuse.Errorf("--folder looks at pictures that appear: not with --drive, --overlay, --replay, --window or --region")
			case f.overlay && f.replay != "":
				return misuse.Errorf("--overlay draws over the screen: it does not go with --replay")
			case f.replay != "" && f.record != "":
				return misuse.Errorf("--replay and --record: take one or the other")
			case f.replay != "":
				if err := takeFlags(c.Flags(), f.replay); err != nil {
					return err
				}
			case f.record != "":
				if err := keepFlags(c.Flags(), f.record); err != nil {
					return err
				}
			}
			if f.timeout <= 0 {
				return misuse.Errorf("--timeout must be more than 0")
			}
			if name := f.driveFlags.given(c.Flags()); !f.drive && name != "" && f.replay == "" {
				return misuse.Errorf("--%s goes with --drive: give that too", name)
			}
			return f.run(ctx)
		}),
	}
	f.ScreenFlags.Register(c)
	f.LookFlags.Register(c)
	f.StoreFlags.Register(c)
	f.driveFlags.register(c.Flags())
	f.faceFlags.register(c.Flags())
	c.Flags().StringVar(&f.replay, "replay", "", "look at the pictures in a `FOLDER` instead, once, or play the run that --record kept there again")
	c.Flags().StringVar(&f.folder, "folder", "", "answer each new picture that appears in a `FOLDER`, as screenshots of Steam or of a console do")
	c.Flags().StringVar(&f.record, "record", "", "keep each frame with something new, and what was made of it, in a `FOLDER`; with --drive, every frame and every motion")
	c.Flags().StringVar(&f.pictures, "pictures", "", "leave a picture of each answer in a `FOLDER`")
	c.Flags().StringVar(&f.failures, "failures", "", "only `list` how many failures are kept and where, or clear them")
	c.Flags().StringVar(&f.serve, "serve", "", "show the picture with the answers on it in a page: `PORT` for this machine, lan for a phone on the network")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	misuse.DurationVar(c.Flags(), &f.timeout, "timeout", 30*time.Second, "give up on a board after this long")
	return c
}

// Try enters the answer of a board on the screen, and drops it instead of submitting it.
func Try(ctx context.Context, p *program.Program, screen intake.ScreenFlags, profile string) error {
	o := Options{Program: p, ScreenFlags: screen, StoreFlags: program.StoreFlags{None: true}, LookFlags: intake.LookFlags{Profile: profile}, timeout: 30 * time.Second}
	o.driveFlags = driveFlags{drive: true, yes: true, try: true, patience: 20 * time.Second, stop: StopKey}
	fmt.Fprintf(p.Err, "trying: %s or moving the mouse stops\n", strings.ToUpper(StopKey))
	return o.run(ctx)
}
