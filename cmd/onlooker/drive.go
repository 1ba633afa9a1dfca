package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/agent/tape"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/web"
	"onlooker/cmd/internal/whole"
	"onlooker/input"
	"onlooker/vision/picture"
)

// The keys that start and stop the mouse, unless others are named.
const (
	armKey  = "f9"
	stopKey = "f8"
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
	c.StringVar(&f.arm, "arm-key", armKey, "with --drive: the `KEYS` that start it, as in ctrl+f9")
	c.StringVar(&f.stop, "stop-key", stopKey, "with --drive: the `KEYS` that stop it at once")
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

// drive enters answers until it is stopped.
func (a *app) drive(ctx context.Context, f *watchFlags) error {
	target, err := f.Target()
	if err != nil {
		return err
	}
	eye, err := f.LookFlags.Eye(a.games)
	if err != nil {
		return err
	}
	over, err := a.face(&f.faceFlags)
	if err != nil {
		return err
	}
	defer over.close()
	target.Under = f.overlay
	d := &driving{app: a, flags: f, began: time.Now(), journal: a.journal(f), face: over}
	defer d.journal.close()
	driver := &drive.Driver{
		Player: &enter.Player{}, Observer: &see.Observer{Eye: eye, Timeout: f.timeout},
		DryRun: f.dryRun, Try: f.try, Want: f.want, Patience: f.patience, Show: d.show,
		Keys: drive.Keys{Next: input.Key(f.next), Back: input.Key(f.back), Turn: input.Key(f.turn), TurnBack: input.Key(f.turnBack)},
	}
	d.player = driver.Player
	d.player.Adopt(eye.Profiles[0])
	if f.verbose {
		driver.Player.Log = d.tell
		driver.Came = func(at drive.State) { d.tell("%s", at) }
	}
	driver.Goal = d.goal
	driver.Player.Learned = func(look *calibrations.Profile, m calibrations.Motion) {
		if f.replay != "" {
			return // it was kept then
		}
		if name, err := look.Remember(m); err != nil {
			fmt.Fprintf(a.err, "onlooker: %v\n", err)
		} else {
			fmt.Fprintf(a.err, "onlooker: the pointer is %s; kept in %s\n", pointerWord(m.Pointer), name)
		}
	}
	if f.serve != "" {
		live, closeServer, err := a.serve(f.serve)
		if err != nil {
			return err
		}
		defer closeServer()
		d.live = live
		driver.Seen = func(t *drive.Drive) { live.Turn(t.Turn(d.shown + 1)) }
	}
	if f.replay != "" {
		return d.again(ctx, driver)
	}
	source, err := capture.Open(ctx, target)
	if err != nil {
		return err
	}
	return errors.Join(d.play(ctx, driver, source), source.Close())
}

// pointerWord says whose pointer it is.
func pointerWord(p calibrations.Pointer) string {
	if p == calibrations.Drawn {
		return "drawn by the game"
	}
	return "the system's"
}

// again drives as a record says.
func (d *driving) again(ctx context.Context, driver *drive.Driver) error {
	replay, err := tape.Open(d.flags.replay)
	if err != nil {
		return err
	}
	player := driver.Player
	player.Source, player.Mouse, player.Clock = replay, replay, replay
	err = driver.Run(replay.Context(ctx))
	d.sum(player)
	if done := replay.Done(); done != nil {
		err = done // what it led to says less
	}
	return errors.Join(d.confirmed(d.stopped(err)), replay.Close())
}

// play drives on the screen, once it is started.
func (d *driving) play(ctx context.Context, driver *drive.Driver, source capture.Source) error {
	device, err := input.Open("")
	if err != nil {
		return err
	}
	defer device.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.app.keys(d.face, &d.flags.faceFlags, device, driver.LookAgain)
	if _, err := source.Grab(ctx); err != nil {
		return err
	}
	d.at = source.Bounds().Min
	d.draws(driver, source)
	if !d.flags.dryRun {
		guarded, leave, err := d.app.Guard(ctx, device)
		if err != nil {
			return err
		}
		defer leave()
		device = guarded
	}
	if started, err := d.arm(ctx, device, cancel); err != nil || !started {
		return err
	}
	var mouse enter.Mouse = device
	if !d.flags.dryRun {
		hand := drive.NewHand(ctx, device, func() { cancel(drive.ErrHand) })
		driver.Goal = func(ctx context.Context, t *drive.Drive) (bool, error) {
			defer hand.Free()() // who answers moves the mouse
			again, err := d.goal(ctx, t)
			if again && err == nil && !d.await(ctx) {
				err = context.Cause(ctx)
			}
			return again, err
		}
		mouse = hand
		if err := enterWindow(ctx, source, mouse); err != nil {
			return err
		}
	}
	player := driver.Player
	player.Source, player.Mouse = source, mouse
	if d.flags.record != "" {
		kept, err := tape.Create(d.flags.record, source, mouse)
		if err != nil {
			return err
		}
		defer func() {
			if closed := kept.Close(); closed != nil {
				fmt.Fprintf(d.app.err, "onlooker: %v\n", closed)
			}
		}()
		player.Source, player.Mouse, player.Clock = kept, kept, kept
	}
	d.began = time.Now()
	d.state("running: %s stops", true, strings.ToUpper(d.flags.stop))
	if err = driver.Run(ctx); ctx.Err() != nil {
		err = context.Cause(ctx) // why, not where
	}
	d.state("stopped: %s", true, ending(err))
	d.sum(player)
	if err = d.stopped(err); err != nil && !errors.Is(err, input.ErrDisplayGone) {
		d.end(source, err)
	}
	return d.confirmed(err)
}

// confirmed is how a run ended, with answers that no sign of the client's confirmed.
func (d *driving) confirmed(err error) error {
	if err == nil && d.entered > 0 && !d.flags.dryRun && !d.flags.try {
		return program.ErrUnconfirmed
	}
	return err
}

// arm sets the keys that start and stop the mouse, and waits for the first;
// false says that the context ended before.
func (d *driving) arm(ctx context.Context, device input.Device, cancel context.CancelCauseFunc) (started bool, err error) {
	f := d.flags
	switch err := device.Hotkey(f.stop, func() { cancel(drive.ErrStopKey) }); {
	case errors.Is(err, input.ErrNoDevice): // moving the mouse stops it all the same
		fmt.Fprintf(d.app.err, "onlooker: %v\n", err)
	case err != nil:
		return false, fmt.Errorf("%w: name another with --stop-key", err)
	}
	if f.yes {
		return true, nil
	}
	d.armed = make(chan struct{}, 1)
	press := func() {
		select {
		case d.armed <- struct{}{}:
		default: // it was pressed before
		}
	}
	if err := device.Hotkey(f.arm, press); err != nil {
		return false, fmt.Errorf("%w: name another with --arm-key, or start with --yes", err)
	}
	return d.await(ctx), nil
}

// await waits for the key that starts the mouse; false says that the context ended before.
func (d *driving) await(ctx context.Context) (started bool) {
	f := d.flags
	if f.yes {
		return true
	}
	select {
	case <-d.armed: // of before
	default:
	}
	fmt.Fprintf(d.app.err, "%s starts, %s or moving the mouse stops\n", strings.ToUpper(f.arm), strings.ToUpper(f.stop))
	d.state("armed: %s starts, %s stops", false, strings.ToUpper(f.arm), strings.ToUpper(f.stop))
	select {
	case <-d.armed:
		return true
	case <-ctx.Done():
		return false
	}
}

// draws has answers drawn over their boards while they are entered; in a dry run until the
// next.
func (d *driving) draws(driver *drive.Driver, source capture.Source) {
	seen, show := driver.Seen, driver.Show
	driver.Seen = func(t *drive.Drive) {
		if seen != nil {
			seen(t)
		}
		if !t.Reading.Board.Pillar {
			d.face.draw(source.Bounds().Min, marking{t.Reading, t.Answer})
		}
	}
	driver.Show = func(t *drive.Drive) error {
		if !d.flags.dryRun {
			d.face.draw(source.Bounds().Min)
		}
		return show(t)
	}
}

// state shows what the mouse is about: over the screen, on the page, and where it starts or
// stops by the terminal's bell.
func (d *driving) state(format string, rings bool, args ...any) {
	words := fmt.Sprintf(format, args...)
	d.face.say(d.at, words)
	if d.live != nil {
		d.live.Say(words)
	}
	if rings && d.flags.bell && !d.flags.json && show.Terminal(d.app.err) {
		fmt.Fprint(d.app.err, "\a")
	}
}

// ending says in a few words why the mouse stopped.
func ending(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, context.Canceled):
		return "ended"
	}
	return strings.TrimPrefix(plain.OneLine(err.Error()), "drive: ")
}

// enterWindow brings the pointer over the client, for its clicks to arrive.
func enterWindow(ctx context.Context, source capture.Source, mouse enter.Mouse) error {
	if _, err := source.Grab(ctx); err != nil {
		return err
	}
	at := source.Bounds()
	if p, err := mouse.Pointer(); err != nil || p.In(at) {
		return nil // where it is not known it is left where it is
	}
	return mouse.MoveTo(image.Pt((at.Min.X+at.Max.X)/2, (at.Min.Y+at.Max.Y)/2))
}

// stopped says what stopped the mouse, which is no error, and returns what is
// one.
func (d *driving) stopped(err error) error {
	switch {
	case errors.Is(err, drive.ErrStopKey), errors.Is(err, drive.ErrHand):
		fmt.Fprintf(d.app.err, "stopped: %v; the buttons are up\n", err)
		return nil
	case errors.Is(err, input.ErrDisplayGone):
		return fmt.Errorf("drive: %w", input.ErrDisplayGone)
	case errors.Is(err, context.Canceled):
		return nil
	}
	return err
}

// A driving prints what a driver does.
type driving struct {
	app      *app
	flags    *watchFlags
	began    time.Time
	accepted int
	entered  int // and not confirmed
	refused  int
	shown    int
	armed    chan struct{} // presses of the key that starts the mouse
	face     *face         // nil: nothing is drawn over the screen
	live     *web.Live     // nil: no page shows it
	at       image.Point   // the corner of what is looked at
	told     []string      // looks of which was said what is wanted
	player   *enter.Player
	journal  *journal
}

// tell says what is done, with the seconds since the start: what a line's time
// went into is read from these.
func (d *driving) tell(format string, args ...any) {
	fmt.Fprintf(d.app.err, "%8.3f  %s\n", time.Since(d.began).Seconds(), fmt.Sprintf(format, args...))
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

func (d *driving) show(t *drive.Drive) error {
	d.shown++
	switch t.Outcome {
	case enter.Accepted:
		d.accepted++
	case enter.Entered:
		d.entered++
	case enter.Refused:
		d.refused++
	}
	outcome := t.Outcome.String()
	if t.Outcome == enter.Entered && !d.flags.json {
		outcome = "entered, not confirmed"
	}
	if d.flags.dryRun {
		outcome = "not entered"
	}
	if d.flags.try {
		outcome = "not submitted"
	}
	failed := ""
	if t.Failed != nil {
		failed = plain.OneLine(t.Failed.Error())
	}
	if d.flags.json {
		err := plain.WriteJSON(d.app.out, driveLine{
			Number: d.shown, Family: t.Reading.Game.Name, Cols: t.Reading.Board.Cols, Rows: t.Reading.Board.Rows,
			Puzzle: t.Text, Outcome: outcome, Tries: t.Tries, Error: failed, Seconds: time.Since(d.began).Seconds(), Millis: t.Millis,
		})
		if err != nil {
			return err
		}
		return d.keep(t.Turn(d.shown), t.Outcome != enter.Accepted && !d.flags.dryRun)
	}
	entered := fmt.Sprintf(", enter %4.0f, trace %5.0f, submit %4.0f, tries %d", t.Millis["enter"], t.Millis["trace"], t.Millis["submit"], t.Tries)
	if d.flags.dryRun {
		entered = ""
	}
	fmt.Fprintf(d.app.out, "%2d  %-8s %d×%d  %-11s  read and solve %4.0f ms%s  %s%s\n",
		d.shown, t.Reading.Game.Name, t.Reading.Board.Cols, t.Reading.Board.Rows, outcome,
		t.Millis["read and solve"], entered, clock(time.Since(d.began)), prefixedError(failed))
	if m := d.player.Found(); d.flags.try && t.Failed == nil {
		fmt.Fprintf(d.app.out, "    the pointer is %s; a line takes %s motion, %.3g pixels a unit; it was dropped again\n", pointerWord(m.Pointer), m.Style, m.Gain)
	}
	if d.flags.dryRun {
		for _, stroke := range t.Answer {
			fmt.Fprintf(d.app.out, "    would trace %v\n", stroke)
		}
	}
	if t.Outcome == enter.Accepted {
		if err := d.picture(t); err != nil {
			return err
		}
	}
	return d.keep(t.Turn(d.shown), t.Outcome != enter.Accepted && !d.flags.dryRun && !d.flags.try)
}

// picture leaves a picture of an answer.
func (d *driving) picture(t *drive.Drive) error {
	if d.flags.pictures == "" {
		return nil
	}
	if err := os.MkdirAll(d.flags.pictures, 0o755); err != nil {
		return err
	}
	s, err := show.Shapes(t.Reading.Game, t.Reading.Puzzle, t.Answer)
	if err != nil {
		return err
	}
	f, err := whole.Create(filepath.Join(d.flags.pictures, fmt.Sprintf("answer-%02d.png", d.shown)), 0o644)
	if err != nil {
		return err
	}
	return f.Done(picture.PNG(f, s, show.PixelsPerHalfCell))
}

// keep writes a Turn down: every one with --record, else those that failed.
func (d *driving) keep(t *see.Turn, failed bool) error {
	if d.flags.replay != "" {
		return nil // it was kept
	}
	name := ""
	var err error
	switch {
	case d.flags.record != "":
		if name, err = t.Keep(d.flags.record); err != nil {
			return err
		}
	case failed:
		name = d.app.keepFailure(t, d.began)
	}
	d.journal.keep(t, name)
	if failed && name != "" {
		fmt.Fprintf(d.app.err, "onlooker: kept as %s\n", name)
	}
	return nil
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

func (d *driving) sum(p *enter.Player) {
	if d.flags.json || d.flags.dryRun || d.flags.try {
		return
	}
	unconfirmed := ""
	if d.entered > 0 {
		unconfirmed = fmt.Sprintf(", %d entered and not confirmed", d.entered)
	}
	fmt.Fprintf(d.app.out, "%d accepted%s, %d refused in %s; %d ms a leg\n", d.accepted, unconfirmed, d.refused, clock(time.Since(d.began)), p.PerLeg().Milliseconds())
}

// end keeps the frame that the screen shows when driving failed.
func (d *driving) end(source capture.Source, why error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	frame, err := source.Grab(ctx)
	if err != nil {
		return // the screen is what failed
	}
	t := &see.Turn{Number: d.shown + 1, At: time.Now(), Frame: frame, Bounds: source.Bounds(), Failed: why, Millis: see.Millis{}}
	if err := d.keep(t, true); err != nil {
		fmt.Fprintf(d.app.err, "onlooker: %v\n", err)
	}
}
