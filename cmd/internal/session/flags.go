package session

import (
	"errors"
	"image/color"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/overlay"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/web"
	"onlooker/solve"
)

// The keys that start and stop the mouse, unless others are named.
const (
	ArmKey  = "f9"
	StopKey = "f8"
)

// driveFlags say how answers are entered.
type driveFlags struct {
	drive, yes, dryRun, verbose bool
	want                        int
	patience                    time.Duration
	next, back, turn, turnBack  string
	arm, stop                   string
	try                         bool // of doctor
}

func (f *driveFlags) register(c *pflag.FlagSet) {
	c.BoolVar(&f.drive, "drive", false, "enter the answers with the mouse")
	c.BoolVar(&f.yes, "yes", false, "with --drive: start at once, without waiting for the arm key")
	c.BoolVar(&f.dryRun, "dry-run", false, "with --drive: tell what would be entered, and touch nothing")
	c.BoolVarP(&f.verbose, "verbose", "v", false, "with --drive: tell every step and leg, and when")
	c.IntVar(&f.want, "solves", 0, "with --drive: stop after so many `ANSWERS` were entered and not refused; 0 goes on")
	misuse.DurationVar(c, &f.patience, "patience", 20*time.Second, "with --drive: give up when no board is seen for so long")
	c.StringVar(&f.next, "next-key", "", "with --drive: the `KEY` that walks to the next panel, if not the look's; none where a person walks")
	c.StringVar(&f.back, "back-key", "", "with --drive: the `KEY` that walks to the panel before, if not the look's")
	c.StringVar(&f.turn, "turn-key", "", "with --drive: the `KEY` that steps round a pillar, if not the look's")
	c.StringVar(&f.turnBack, "turn-back-key", "", "with --drive: the `KEY` that steps round it the other way, if not the look's")
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
	c.BoolVar(&f.bell, "bell", true, "with --drive: ring the terminal's bell when the mouse starts and stops; --bell=false is silent")
}

// lineColour is the colour that is asked for.
func (f *faceFlags) lineColour() (color.RGBA, error) {
	if f.colour == "" {
		return overlay.Colour(), nil
	}
	hex := strings.TrimPrefix(f.colour, "#")
	v, err := strconv.ParseUint(hex, 16, 32)
	if len(hex) != 6 || err != nil {
		return color.RGBA{}, misuse.Errorf("--overlay-colour %q, want six digits as in #ff2bd6", f.colour)
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
	replay, record, pictures, serve, failures string
	folder                                    string
	json                                      bool
	timeout                                   time.Duration
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
		return "waiting for new pictures in " + plain.OneLine(o.folder)
	}
	return "watching"
}
