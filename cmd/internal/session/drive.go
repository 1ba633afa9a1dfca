package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/agent/tape"
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
	"onlooker/input"
	"onlooker/solve"
)

// A driving is a session that enters answers.
type driving struct {
	*session
	driver *drive.Driver
	told   *driven
	armed  chan struct{} // presses of the key that starts the mouse
	goals  []string      // looks of which was said what is wanted
	ended  int           // answers that were entered, or failed
	waits  string        // for what was said that it waits
}

// driving enters answers until it is stopped.
func (s *session) driving(ctx context.Context) error {
	d := &driving{session: s, driver: &drive.Driver{
		Player: &enter.Player{}, Observer: &see.Observer{Eye: s.eye, Timeout: s.timeout},
		DryRun: s.dryRun, Try: s.try, Want: s.want, Patience: s.patience,
		Walks: !s.walk,
	}}
	player := d.driver.Player
	d.told = &driven{Options: s.Options, player: player, began: time.Now()}
	player.Adopt(s.eye.Profiles[0])
	player.Learned = d.learned
	if s.verbose {
		player.Log = d.told.tell
		d.driver.Came = func(at drive.State) { d.told.tell("%s", at) }
	}
	d.driver.Goal = d.goal
	d.driver.Seen = func(t *drive.Drive) { s.audience.tell(func(a Audience) { a.Begin(d.ended+1, t) }) }
	d.driver.Show = func(t *drive.Drive) error {
		d.ended++
		return s.audience.each(func(a Audience) error { return a.End(d.ended, t) })
	}
	if err := s.gather(d.told, bell{Options: s.Options}); err != nil {
		return err
	}
	if s.replay != "" {
		return d.replays(ctx)
	}
	target, err := s.target()
	if err != nil {
		return err
	}
	if target.Window != "" { // until it is there; while it is driven a window that goes ends that
		waiting, err := s.source(ctx)
		if err == nil {
			_, err = waiting.Grab(ctx)
			err = errors.Join(err, waiting.Close())
		}
		if err != nil {
			return err
		}
	}
	source, err := capture.Open(ctx, target)
	if err != nil {
		return err
	}
	return errors.Join(d.play(ctx, source), source.Close())
}

// learned keeps what was found out about a client's pointer with its look.
func (d *driving) learned(look *calibrations.Profile, m calibrations.Motion) {
	if d.replay != "" {
		return // it was kept then
	}
	if name, err := look.Remember(m); err != nil {
		fmt.Fprintf(d.Err, "onlooker: %v\n", err)
	} else {
		fmt.Fprintf(d.Err, "onlooker: the pointer is %s, a line takes %s motion; kept in %s\n", pointerWord(m.Pointer), m.Style, name)
	}
}

// replays drives as a record says.
func (d *driving) replays(ctx context.Context) error {
	replay, err := tape.Open(d.replay)
	if err != nil {
		return err
	}
	player := d.driver.Player
	player.Source, player.Mouse, player.Clock = replay, replay, replay
	if !d.yes {
		d.driver.Waits = func(error) {}
	}
	for again := true; again; again = d.goesOn(err) && replay.Done() != nil {
		err = d.driver.Run(replay.Context(ctx, drive.ErrHand, drive.ErrStopKey))
	}
	d.told.sum()
	if done := replay.Done(); done != nil {
		err = done // what it led to says less
	}
	return errors.Join(d.confirmed(d.stopped(err)), replay.Close())
}

// play drives on the screen, once it is started.
func (d *driving) play(ctx context.Context, source capture.Source) error {
	device, err := input.Open("")
	if err != nil {
		return err
	}
	defer device.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	d.keys(device, d.driver.LookAgain)
	if _, err := source.Grab(ctx); err != nil {
		return err
	}
	if d.face != nil {
		d.audience = append(d.audience, answers{Options: d.Options, face: d.face, source: source, at: source.Bounds().Min})
	}
	if !d.dryRun {
		guarded, leave, err := d.Guard(ctx, device)
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
	free := func() func() { return func() {} }
	if !d.dryRun {
		hand := drive.NewHand(ctx, device, func() { cancel(drive.ErrHand) })
		free = hand.Free
		d.driver.Goal = func(ctx context.Context, t *drive.Drive) (bool, error) {
			defer hand.Free()() // who answers moves the mouse
			again, err := d.goal(ctx, t)
			if again && err == nil && !d.await(ctx, "armed: ") {
				err = context.Cause(ctx)
			}
			return again, err
		}
		mouse = hand
		if err := enterWindow(ctx, source, mouse); err != nil {
			return err
		}
	}
	player := d.driver.Player
	player.Source, player.Mouse = source, mouse
	if !d.dryRun {
		player.Keep = func(at image.Point) error { return keep(device, mouse, source, at) }
		player.Dismiss = device.Dismiss
	}
	if d.record != "" {
		kept, err := tape.Create(d.record, source, mouse)
		if err != nil {
			return err
		}
		defer func() {
			if closed := kept.Close(); closed != nil {
				fmt.Fprintf(d.Err, "onlooker: %v\n", closed)
			}
		}()
		player.Source, player.Mouse, player.Clock = kept, kept, kept
	}
	d.told.began = time.Now()
	d.log.began = d.told.began
	running := fmt.Sprintf("running: %s stops", strings.ToUpper(d.stop))
	if !d.yes {
		d.driver.Waits = func(why error) {
			free() // until a board is seen
			d.audience.State(fmt.Sprintf("waiting for a board: %s stops", strings.ToUpper(d.stop)), false)
			if text := ending(why); text != d.waits {
				d.waits = text
				fmt.Fprintf(d.Err, "onlooker: waiting: %s\n", text)
			}
		}
	}
	for again := true; again; {
		d.audience.State(running, true)
		if err = d.driver.Run(ctx); ctx.Err() != nil {
			err = context.Cause(ctx) // why, not where
		}
		words := "stopped: " + ending(err)
		if err == nil && d.want == 0 {
			words = d.told.done(d.ended, d.driver.Beyond)
			if !d.json {
				fmt.Fprintln(d.Out, words)
			}
		}
		d.audience.State(words, true)
		if again = d.goesOn(err); again {
			back := free()
			if again = d.await(ctx, words+": "); !again {
				err = context.Cause(ctx)
			}
			back()
		}
	}
	d.told.sum()
	if err = d.stopped(err); err != nil && !errors.Is(err, input.ErrDisplayGone) {
		d.end(source, err)
	}
	return d.confirmed(err)
}

// keep has the mouse go to the window that is watched, and where a whole display is, to the one
// that lies at a place. A pointer that is elsewhere is brought there: a game takes clicks wherever
// it is.
func keep(device input.Device, mouse enter.Mouse, source capture.Source, at image.Point) error {
	there, err := device.WindowAt(at)
	if errors.Is(err, input.ErrNoDevice) {
		return nil
	}
	own := there
	if s, ok := source.(capture.WindowSource); ok && s.Window() != 0 {
		own = input.Window(s.Window())
	}
	device.Only(own)
	if err == nil && own != there {
		err = input.ErrCovered
	}
	if err != nil {
		return err
	}
	pointer, err := device.Pointer()
	if err != nil {
		return err
	}
	if there, err = device.WindowAt(pointer); err == nil && there != own {
		err = mouse.MoveTo(at)
	}
	return err
}

// confirmed is how a run ended, with answers that no sign of the client's confirmed.
func (d *driving) confirmed(err error) error {
	if err == nil && d.told.entered > 0 && !d.dryRun && !d.try {
		return program.ErrUnconfirmed
	}
	return err
}

// arm sets the keys that start and stop the mouse, and waits for the first;
// false says that the context ended before.
func (d *driving) arm(ctx context.Context, device input.Device, cancel context.CancelCauseFunc) (started bool, err error) {
	f := d.Options
	switch err := device.Hotkey(f.stop, func() { cancel(drive.ErrStopKey) }); {
	case errors.Is(err, input.ErrNoDevice): // moving the mouse stops it all the same
		fmt.Fprintf(d.Err, "onlooker: %v\n", err)
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
	return d.await(ctx, "armed: "), nil
}

// goesOn tells whether what is done may be started once more.
func (d *driving) goesOn(err error) bool { return err == nil && d.want == 0 && !d.yes && !d.try }

// await waits in a state for the key that starts the mouse; false says that the context ended
// before.
func (d *driving) await(ctx context.Context, state string) (started bool) {
	f := d.Options
	if f.yes {
		return true
	}
	select {
	case <-d.armed: // of before
	default:
	}
	fmt.Fprintf(d.Err, "%s starts, %s or moving the mouse stops\n", strings.ToUpper(f.arm), strings.ToUpper(f.stop))
	d.audience.State(state+fmt.Sprintf("%s starts, %s stops", strings.ToUpper(f.arm), strings.ToUpper(f.stop)), false)
	select {
	case <-d.armed:
		return true
	case <-ctx.Done():
		return false
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
	return strings.TrimPrefix(cli.OneLine(err.Error()), "drive: ")
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
		fmt.Fprintf(d.Err, "stopped: %v; the buttons are up\n", err)
		return nil
	case errors.Is(err, input.ErrDisplayGone):
		return fmt.Errorf("drive: %w", input.ErrDisplayGone)
	case errors.Is(err, context.Canceled):
		return nil
	}
	return err
}

// end keeps the frame that the screen shows when driving failed.
func (d *driving) end(source capture.Source, why error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	frame, err := source.Grab(ctx)
	if err != nil {
		return // the screen is what failed
	}
	t := &see.Turn{Number: d.ended + 1, At: time.Now(), Frame: frame, Bounds: source.Bounds(), Failed: why, Millis: see.Millis{}}
	if err := d.log.driven(t, true); err != nil {
		fmt.Fprintf(d.Err, "onlooker: %v\n", err)
	}
}

// errGoal says that nobody told what is wanted of a board.
var errGoal = errors.New("what is wanted is not known")

// goal says what is wanted of a board before anything is clicked, where its picture does not
// tell: what --goal or its look says, and where neither does, what the player answers; that is
// kept with the look. again says that the board is to be read anew with the answer.
func (d *driving) goal(ctx context.Context, t *drive.Drive) (again bool, err error) {
	wanter, asks := t.Reading.Puzzle.(solve.GoalSetter)
	words := t.Reading.Game.Goals
	if !asks || len(words) == 0 || t.Reading.Profile.Cells == nil {
		return false, nil
	}
	said := t.Reading.Profile.Cells.Goal
	if said != "" || d.dryRun || d.yes {
		if !slices.Contains(d.goals, t.Reading.Profile.Name) {
			d.goals = append(d.goals, t.Reading.Profile.Name)
			fmt.Fprintf(d.Err, "onlooker: %s: %s\n", t.Reading.Game.Name, d.wanted(t.Reading.Profile, wanter.Goal()))
		}
		return false, nil
	}
	fmt.Fprintf(d.Err, "onlooker: what is wanted of all of them, %s? ", strings.Join(words, " or "))
	answer, err := d.answer(ctx)
	if err == nil && !slices.Contains(words, answer) {
		err = errGoal
	}
	if err != nil {
		fmt.Fprintln(d.Err)
		return false, fmt.Errorf("drive: %s: %w: say --goal %s", t.Reading.Game.Name, err, strings.Join(words, " or --goal "))
	}
	puzzle, err := wanter.WithGoal(answer)
	if err != nil {
		return false, err
	}
	name, err := calibrate.KeepGoal(t.Reading, t.Frame, puzzle, answer)
	if err != nil {
		fmt.Fprintf(d.Err, "onlooker: it is not kept: %v\n", err)
	} else {
		fmt.Fprintf(d.Err, "onlooker: kept with the look in %s\n", name)
	}
	t.Reading.Profile.Cells.Goal, d.goals = answer, append(d.goals, t.Reading.Profile.Name)
	return true, nil
}

// wanted says what is taken to be wanted of boards in a look, and by whose word; usual is what
// its family takes where nobody says.
func (d *driving) wanted(look *calibrations.Profile, usual string) string {
	goal := look.Cells.Goal
	switch {
	case goal == "":
		return fmt.Sprintf("all are wanted %s, as is usual: nothing says what is wanted; --goal says otherwise", usual)
	case d.Goal != "":
		return fmt.Sprintf("all are wanted %s, as --goal says", goal)
	}
	return fmt.Sprintf("all are wanted %s, as the look %s says; --goal says otherwise", goal, cli.OneLine(look.Name))
}

// answer reads a line that the player types.
func (d *driving) answer(ctx context.Context) (string, error) {
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(io.LimitReader(d.In, cli.MostTyped)).ReadString('\n') // "" where nobody is there to answer
		line <- strings.TrimSpace(text)
	}()
	select {
	case text := <-line:
		return text, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

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
