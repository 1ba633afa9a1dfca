package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/overlay"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/web"
	"onlooker/solve"
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
		Args: cli.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error {
			if f.failures != "" {
				return tellFailures(f.Out, f.failures)
			}
			switch {
			case f.folder != "" && (f.drive || f.overlay || f.replay != "" || f.Window != "" || f.ScreenFlags.Region != ""):
				return cli.Misusef("--folder looks at pictures that appear: not with --drive, --overlay, --replay, --window or --region")
			case f.overlay && f.replay != "":
				return cli.Misusef("--overlay draws over the screen: it does not go with --replay")
			case f.replay != "" && f.record != "":
				return cli.Misusef("--replay and --record: take one or the other")
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
				return cli.Misusef("--timeout must be more than 0")
			}
			if f.hint && (f.drive || f.overlay || f.serve != "" || f.json) {
				return cli.Misusef("--hint goes without --drive, --overlay, --serve and --json, which show the answer")
			}
			if name := f.driveFlags.given(c.Flags()); !f.drive && name != "" && f.replay == "" {
				return cli.Misusef("--%s goes with --drive: give that too", name)
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
	c.Flags().StringVar(&f.failures, "failures", "", "only `list` how many failures are kept and where, or clear them")
	c.Flags().StringVar(&f.serve, "serve", "", "show the picture with the answers on it in a page: `PORT` for this machine, lan for a phone on the network")
	c.Flags().BoolVar(&f.hint, "hint", false, "print the first step of an answer instead of the answer")
	c.Flags().BoolVar(&f.json, "json", false, "print a JSON object for each board")
	cli.DurationVar(c.Flags(), &f.timeout, "timeout", 30*time.Second, "give up on a board after this long")
	return c
}

// Try enters the answer of a board on the screen, and drops it instead of submitting it.
func Try(ctx context.Context, p *program.Program, screen intake.ScreenFlags, profile string) error {
	o := Options{Program: p, ScreenFlags: screen, StoreFlags: program.StoreFlags{None: true}, LookFlags: intake.LookFlags{Profile: profile}, timeout: 30 * time.Second}
	o.driveFlags = driveFlags{drive: true, yes: true, try: true, walk: true, patience: 20 * time.Second, stop: StopKey}
	fmt.Fprintf(p.Err, "trying: %s or moving the mouse stops\n", strings.ToUpper(StopKey))
	return o.run(ctx)
}

// The keys that start and stop the mouse, unless others are named.
const (
	ArmKey  = "f9"
	StopKey = "f8"
)

// driveFlags say how answers are entered.
type driveFlags struct {
	drive, yes, dryRun, verbose, walk bool
	want                              int
	patience                          time.Duration
	arm, stop                         string
	try                               bool // of doctor
}

func (f *driveFlags) register(c *pflag.FlagSet) {
	c.BoolVar(&f.drive, "drive", false, "enter the answers with the mouse")
	c.BoolVar(&f.yes, "yes", false, "with --drive: start at once, without waiting for the arm key")
	c.BoolVar(&f.dryRun, "dry-run", false, "with --drive: tell what would be entered, and touch nothing")
	c.BoolVarP(&f.verbose, "verbose", "v", false, "with --drive: tell every step and leg, and when")
	c.IntVar(&f.want, "solves", 0, "with --drive: stop after so many `ANSWERS` were entered and not refused; 0 goes on")
	cli.DurationVar(c, &f.patience, "patience", 20*time.Second, "with --drive: give up when no board is seen for so long")
	c.BoolVar(&f.walk, "walk", true, "with --drive: press the keys that the look names for the next panel and round a pillar; --walk=false where a person walks")
	c.StringVar(&f.arm, "arm-key", ArmKey, "with --drive: the `KEYS` that start it, as in ctrl+f9")
	c.StringVar(&f.stop, "stop-key", StopKey, "with --drive: the `KEYS` that stop it at once")
}

// given names a flag of these that the command line has, or none.
func (f *driveFlags) given(flags *pflag.FlagSet) (name string) {
	own := pflag.NewFlagSet("", pflag.ContinueOnError)
	(&driveFlags{}).register(own)
	flags.Visit(func(g *pflag.Flag) {
		if own.Lookup(g.Name) != nil && g.Name != "drive" {
			name = g.Name
		}
	})
	return name
}

// The keys of the overlay, unless others are named.
const (
	hideKey  = "f7"
	againKey = "f6"
)

// faceFlags say what is drawn over the screen, and by which keys.
type faceFlags struct {
	overlay     bool
	colour      string
	width       float64
	hide, again string
	bell        bool
}

func (f *faceFlags) register(c *pflag.FlagSet) {
	c.BoolVar(&f.overlay, "overlay", false, "draw the answers over the boards, on the same screen; clicks go through")
	c.StringVar(&f.colour, "overlay-colour", "", "the overlay's `COLOUR`, as in \"#ff2bd6\"")
	c.Float64Var(&f.width, "overlay-width", 0, "how many `PIXELS` wide the overlay's lines are; 0: as suits the board")
	c.StringVar(&f.hide, "hide-key", hideKey, "with --overlay: the `KEYS` that hide it, and show it again; none for no key")
	c.StringVar(&f.again, "look-key", againKey, "with --overlay or --drive: the `KEYS` that have all boards looked at anew; none for no key")
	c.BoolVar(&f.bell, "bell", true, "ring the terminal's bell at an answer, and when the mouse starts and stops; --bell=false is silent")
}

// lineColour is the colour that is asked for.
func (f *faceFlags) lineColour() (color.RGBA, error) {
	if f.colour == "" {
		return overlay.Colour(), nil
	}
	hex := strings.TrimPrefix(f.colour, "#")
	v, err := strconv.ParseUint(hex, 16, 32)
	if len(hex) != 6 || err != nil {
		return color.RGBA{}, cli.Misusef("--overlay-colour %q, want six digits as in #ff2bd6", f.colour)
	}
	return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}, nil
}

// Options are what a session is asked for.
type Options struct {
	*program.Program
	// Serve serves the live page at an address; the caller ends that.
	Serve func(address string) (*web.LiveView, func() error, error)

	intake.ScreenFlags
	intake.LookFlags
	program.StoreFlags
	driveFlags
	faceFlags
	replay, record, serve, failures string
	folder                          string
	json, hint                      bool
	timeout                         time.Duration
}

// still tells whether pictures are looked at, each by itself, and not a screen.
func (s *Options) still() bool { return s.replay != "" || s.folder != "" }

// fails tells whether a new board counts as a failure. One that is proved to have no answer is
// a finding, as of boards of which one has an answer.
func (s *Options) fails(b *see.Sighting) bool {
	return b.Failed != nil && !(errors.Is(b.Failed, solve.ErrUnsolvable) && (b.Set > 0 || s.still()))
}

// failing tells whether a look, or any of its new boards, failed.
func (s *Options) failing(t *see.Turn) bool {
	failed := t.Failed != nil
	for i := range t.Boards {
		failed = failed || t.Boards[i].New && s.fails(&t.Boards[i])
	}
	return failed
}

// target is what of the screen is looked at.
func (o *Options) target() (capture.Target, error) {
	target, err := o.Target()
	target.Under = o.overlay
	return target, err
}

// doing is what a look at the screen or at a folder is called.
func (o *Options) doing() string {
	if o.folder != "" {
		return "waiting for new pictures in " + cli.OneLine(o.folder)
	}
	return "watching"
}

// keptName is the file of a run's flags in the folder that --record names.
const keptName = "run.json"

// keptFlags are those that a run depends on besides what it sees.
func keptFlags() []string {
	return []string{"drive", "yes", "dry-run", "profile", "goal", "timeout", "solves", "patience", "walk"}
}

// keepFlags writes the flags of a run beside its record.
func keepFlags(flags *pflag.FlagSet, folder string) error {
	values := map[string]string{}
	for _, name := range keptFlags() {
		values[name] = flags.Lookup(name).Value.String()
	}
	data, err := json.MarshalIndent(values, "", "  ")
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, keptName), append(data, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// takeFlags sets the flags that a record was kept with, where the command line
// says nothing else. A folder of pictures alone has none.
func takeFlags(flags *pflag.FlagSet, folder string) error {
	data, err := cli.ReadOwn(filepath.Join(folder, keptName))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // what is no folder is told later
		return nil
	}
	values := map[string]string{}
	if err == nil {
		err = solve.JSONError(json.Unmarshal(data, &values))
	}
	for _, name := range keptFlags() {
		if value, kept := values[name]; err == nil && kept && !flags.Changed(name) {
			err = flags.Set(name, value)
		}
	}
	if err != nil {
		return fmt.Errorf("replay: %s: %w", keptName, err)
	}
	return nil
}
