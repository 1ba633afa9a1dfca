// Package intake turns files, links, codes and pictures into puzzles.
package intake

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/limits"
)

// minSide is the least width and height in pixels of a picture worth looking
// at: a board of one cell at the least pitch that any profile may ask for.
const minSide = 4

// A Board is one puzzle of an input, or why there is none.
type Board struct {
	Input  string
	Index  int // among the boards of its input, from 0; -1 when it is the only one
	Game   *see.Game
	Puzzle solve.Puzzle
	Err    error
	Millis see.Millis
	Source string // one of the store's
	Goal   string // what it was taken to want, where its text does not tell
	// Deadline is when the time for its picture is over, which looking took a part of; zero: it
	// is not limited.
	Deadline time.Time
	// Frame is the picture that the board was read in, and reading what of it;
	// nil: it came as text.
	Frame   *image.RGBA
	Reading see.Reading
	// Together says how it belongs together with others of its picture.
	Together see.Verdict
}

// A Decoder turns inputs into puzzles.
type Decoder struct {
	Games *Games
	In    io.Reader
	Flags Flags
	// Timeout is how long a picture may take; 0: as long as it wants.
	Timeout time.Duration
	ctx     context.Context
	eye     *see.Eye // made when the first picture comes
	Views   []string // the pictures of one board, where they are the one input
	// Slow is told of what may take long, and gives what ends it; nil: nobody is.
	Slow func(what string) (done func())
}

// NewDecoder decodes inputs, in the memory that ctx gives; in is what stands behind -.
func NewDecoder(ctx context.Context, games *Games, in io.Reader, flags Flags) (*Decoder, error) {
	if err := flags.parse(games, &see.Eye{}); err != nil {
		return nil, err
	}
	if err := games.checkRules(flags.Rules); err != nil {
		return nil, err
	}
	return &Decoder{ctx: ctx, Games: games, In: in, Flags: flags}, nil
}

// Inputs yields what the command line names: the arguments, or the lines of
// --lines. An input that cannot be opened still comes, and fails when it is
// decoded; an error here ends the input.
func (d *Decoder) Inputs(args []string) (iter.Seq2[string, error], error) {
	if d.Flags.Lines == "" {
		if len(args) == 0 {
			return nil, cli.Misusef("no input: name a file, a link, a code, or - for standard input")
		}
		return func(yield func(string, error) bool) {
			for _, arg := range args {
				if !yield(arg, nil) {
					return
				}
			}
		}, nil
	}
	if len(args) > 0 {
		return nil, cli.Misusef("--lines and %q: take one or the other", args[0])
	}
	from := d.In
	closeFrom := func() error { return nil }
	if d.Flags.Lines != "-" {
		f, err := cli.OpenFile(d.Flags.Lines)
		if err != nil {
			return nil, fmt.Errorf("--lines %w", err)
		}
		from, closeFrom = f, f.Close
	}
	return func(yield func(string, error) bool) {
		defer closeFrom()
		head := bufio.NewReader(from)
		if start, _ := head.Peek(2); isUTF16(start) {
			data, err := io.ReadAll(io.LimitReader(head, cli.MostRead))
			if err != nil {
				yield("", fmt.Errorf("--lines %s: %w", d.Flags.Lines, err))
				return
			}
			head.Reset(bytes.NewReader(fromUTF16(data)))
		}
		for line, err := range solve.Lines(head, cli.MostRead) {
			if err != nil {
				yield("", fmt.Errorf("--lines %s: %w", d.Flags.Lines, err))
				return
			}
			if strings.TrimSpace(line) == "" {
				continue
			}
			if !yield(line, nil) {
				return
			}
		}
	}, nil
}

// Boards yields the puzzles of one input in order, and an error in the place
// of each that cannot be had.
func (d *Decoder) Boards(input string) iter.Seq[Board] {
	return func(yield func(Board) bool) {
		if d.Views != nil {
			yield(d.viewed())
			return
		}
		data, isFile, err := d.Load(input)
		source := store.Typed
		switch {
		case capture.IsPicture(data) || capture.Unread(data) != "" || isFile && endsIn(input, pictureEndings()) && printable(plainLines(data)) != nil:
			source = store.Picture
		case isFile && input != "-":
			source = store.File
		}
		sourced := func(b Board) bool {
			b.Source = source
			return yield(b)
		}
		switch {
		case err != nil:
			sourced(Board{Input: input, Index: -1, Err: err, Millis: see.Millis{}})
		case source == store.Picture:
			d.picture(input, data, sourced)
		default:
			d.Text(input, data, isFile, sourced)
		}
	}
}

// namesFile tells an input that can only be a file's name from a board or a link
// that was typed: it says where it lies, has an ending that files of boards and
// pictures have, or is a word.
func namesFile(input string) bool {
	if strings.Contains(input, "\n") || strings.Contains(input, "://") {
		return false
	}
	others := []string{".txt", ".text", ".md", ".json", ".jsonl", ".csv", ".puzzle", ".az", ".fz", ".in", ".dat", ".svg", ".pdf"}
	if endsIn(input, append(others, pictureEndings()...)) {
		return true
	}
	if strings.ContainsAny(input, "{[;") {
		return false
	}
	for _, place := range []string{"/", "./", "../", "~/", `.\`, `..\`} {
		if strings.HasPrefix(input, place) {
			return true
		}
	}
	if dir := filepath.Dir(input); dir != "." {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return true
		}
	}
	return input != "" && strings.Trim(input, "abcdefghijklmnopqrstuvwxyz") == ""
}

// pictureEndings are those of files that are meant as pictures.
func pictureEndings() []string {
	return []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
}

func endsIn(name string, endings []string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

// Load gives an input's bytes: standard input for -, a file's, or the
// argument itself.
func (d *Decoder) Load(input string) (data []byte, isFile bool, err error) {
	var from io.Reader
	if input == "-" {
		from = d.In
	} else {
		f, err := cli.OpenFile(input)
		file := namesFile(input)
		switch {
		case err == nil:
			defer f.Close()
			from = f
		case !errors.As(err, new(*fs.PathError)) || errors.Is(err, fs.ErrPermission):
			return nil, true, err
		case file && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENAMETOOLONG)):
			return nil, true, fmt.Errorf("%s: no such file", cli.Shorten(input))
		case file:
			return nil, true, err
		default:
			return []byte(input), false, nil // a code has no file
		}
	}
	data, err = cli.ReadMost(from, input)
	if err == nil && len(data) == 0 {
		err = fmt.Errorf("%s: empty", input)
	}
	return data, true, err
}

// open makes the eye when the first picture comes.
func (d *Decoder) open() error {
	if d.eye != nil {
		return nil
	}
	eye, err := d.Flags.Eye(d.Games)
	if err == nil {
		d.eye = eye
	}
	return err
}

func (d *Decoder) slow(what string) (done func()) {
	if d.Slow == nil {
		return func() {}
	}
	return d.Slow(what)
}

func (d *Decoder) picture(input string, data []byte, yield func(Board) bool) {
	fail := func(err error) { yield(Board{Input: input, Index: -1, Err: err, Millis: see.Millis{}}) }
	if err := d.open(); err != nil {
		fail(err)
		return
	}
	millis := see.Millis{}
	start := time.Now()
	frame, err := decodePicture(data)
	if err == nil {
		frame, err = within(d.eye, frame)
	}
	millis.Add("grab", start)
	if err != nil {
		fail(fmt.Errorf("%s: %w", input, err))
		return
	}
	done := d.slow("reading " + input)
	ctx, cancel := Limited(context.Background(), d.Timeout)
	defer cancel()
	sight, err := d.eye.Within(ctx).Look(frame, millis)
	late := ctx.Err()
	done()
	if err == nil && len(sight.Readings) == 0 {
		err = noBoard(d.eye.Within(ctx), frame)
	}
	if asked := d.Flags.Goal; err == nil && asked != "" && !slices.ContainsFunc(sight.Readings, func(r see.Reading) bool { return r.Game == nil || slices.Contains(r.Game.Goals, asked) }) {
		err = cli.Misusef("--goal %s: no board of the picture may want it", asked)
	}
	if err != nil {
		fail(fmt.Errorf("%s: %w", input, err))
		return
	}
	places := see.PlacesOf(sight.Readings)
	deadline, _ := ctx.Deadline()
	for i, r := range sight.Readings {
		b := Board{Deadline: deadline, Together: places[i], Input: input, Index: i, Game: r.Game, Puzzle: r.Puzzle, Err: r.Err, Millis: see.Millis{}, Frame: frame, Reading: r}
		for stage, took := range millis {
			b.Millis[stage] = took
		}
		if b.Err == nil {
			b.Puzzle, b.Err = d.withRules(b.Game, b.Puzzle)
		}
		if look := r.Profile; b.Err == nil && len(b.Game.Goals) > 0 && look.Cells != nil && look.Cells.Goal == "" {
			b.Goal = cli.Goal(b.Puzzle)
		}
		if !yield(b) {
			return
		}
	}
	if late != nil && sight.Broken != nil {
		fail(fmt.Errorf("%s: %w", input, sight.Broken))
	}
}

// Limited is a context that ends after some time; 0: it does not by itself.
func Limited(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout > 0 {
		return context.WithTimeout(ctx, timeout)
	}
	return context.WithCancel(ctx)
}

// errNoBoard says that a picture shows nothing that looks like a board.
var errNoBoard = errors.New("no board found")

// noBoard says so, and which boards of other sizes than that of --size a picture shows.
func noBoard(eye *see.Eye, frame image.Image) error {
	if eye.Size == (image.Point{}) {
		return errNoBoard
	}
	all := *eye
	all.Size = image.Point{}
	sight, err := all.Look(frame, see.Millis{})
	if err != nil || sight.Read() == 0 {
		return errNoBoard
	}
	var sizes []string
	for _, r := range sight.Readings {
		if r.Err == nil {
			sizes = append(sizes, fmt.Sprintf("%dx%d", r.Board.Cols, r.Board.Rows))
		}
	}
	slices.Sort(sizes)
	return fmt.Errorf("%w of %dx%d; there is one of %s", errNoBoard, eye.Size.X, eye.Size.Y, strings.Join(slices.Compact(sizes), ", one of "))
}

// Drafted tells whether a board was refused that the page opens as a draft, to be put right.
func (b *Board) Drafted() bool {
	return errors.Is(b.Err, errNoBoard) || b.Reading.Draftable()
}

// head is how much of a text the formats' Sniff sees, longest how much of one whose lines are long.
const head, longest = 4096, 32 << 10

// headOf is how long the head of a text is: two lines where they are long.
func headOf(data []byte) int {
	n := 0
	for range 2 {
		n += 1 + bytes.IndexByte(data[n:min(len(data), longest)], '\n')
	}
	return min(len(data), max(head, n))
}

// decodePicture reads a picture and refuses one that is too small to show
// anything.
func decodePicture(data []byte) (*image.RGBA, error) {
	m, err := capture.ReadPicture(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return m, bigEnough(m)
}

func bigEnough(m *image.RGBA) error {
	if size := m.Rect.Size(); size.X < minSide || size.Y < minSide {
		return fmt.Errorf("a picture of %dx%d pixels is too small to show a board", size.X, size.Y)
	}
	return nil
}

// A candidate is a format that may fit a text, and why it does not.
type candidate struct {
	game   *see.Game
	format *solve.Format
	err    error
	boards iter.Seq2[solve.Puzzle, error] // as decoded so far, and on; to be gone through once
}

func (c candidate) Error() string {
	return fmt.Sprintf("as %s (%s): %s", c.game.Name, c.format.Name, strings.TrimPrefix(c.err.Error(), c.game.Name+": "))
}

// form tells which family's which form a text is in. Of the formats that might
// fit, those are tried whose Sniff accepts its head; the first of a family that
// decodes the first board is taken, and two families are an error. firstWrong: its
// first board is wrong, and no other form is possible.
func (d *Decoder) form(name string, data []byte, isFile bool) (fit candidate, firstWrong bool, err error) {
	fits, failed := d.candidates(data, func(_ *see.Game, f *solve.Format) bool {
		return f.Sniff != nil && f.Sniff(data[:headOf(data)])
	})
	defer func() {
		for _, c := range append(fits, failed...) {
			if err != nil || c.format != fit.format {
				c.boards(func(solve.Puzzle, error) bool { return false })
			}
		}
	}()
	tried := map[string]bool{}
	for _, c := range failed {
		tried[c.game.Name] = true
	}
	// A mistake further down keeps a form from knowing its own: the longest
	// beginning that some family knows says whose the text is as well, and
	// decoding it says what is wrong.
	for _, n := range beginnings(data) {
		if !isFile || len(fits) > 0 {
			break
		}
		more, why := d.candidates(data, func(g *see.Game, f *solve.Format) bool {
			return f.Sniff != nil && !tried[g.Name] && f.Sniff(data[:n])
		})
		if len(more)+len(why) > 0 {
			fits, failed = more, append(failed, why...)
			break
		}
	}
	if isFile && d.Flags.Family != "" && len(fits)+len(failed) == 0 {
		fits, failed = d.candidates(data, func(*see.Game, *solve.Format) bool { return true })
	}
	if isFile && len(fits) == 0 && len(failed) == 1 {
		// Its first board is wrong; those behind it need not be.
		fits, firstWrong = failed, true
	}
	large := (*limits.MemoryError)(nil)
	switch {
	case len(failed) > 0 && errors.As(failed[0].err, &large):
		return fit, false, fmt.Errorf("%s: %w", name, large)
	case len(fits) > 1:
		names := make([]string, len(fits))
		for i, c := range fits {
			names[i] = c.game.Name + " (" + c.format.Name + ")"
		}
		return fit, false, &FormError{name + ": could be " + strings.Join(names, " or "), ": say which with --family"}
	case len(fits) == 0 && len(failed) > 0:
		why := failed[0].Error()
		for _, err := range failed[1:] {
			why += "; " + err.Error()
		}
		if !isFile && !strings.Contains(name, "://") {
			why = "no such file; " + why
		}
		return fit, false, fmt.Errorf("%s: %s", name, why)
	case len(fits) == 0 && isFile:
		return fit, false, &FormError{name + ": in no form that is known", " (see onlooker games; --family NAME tells what is wrong with it as such)"}
	case len(fits) == 0:
		return fit, false, fmt.Errorf("%s: no such file, and no puzzle in a form that is known (see onlooker games)", name)
	}
	return fits[0], firstWrong, nil
}

// Text yields the boards of a text.
func (d *Decoder) Text(input string, data []byte, isFile bool, yield func(Board) bool) {
	start := time.Now()
	name := cli.Shorten(input)
	fail := func(err error) { yield(Board{Input: input, Index: -1, Err: err, Millis: see.Millis{}}) }
	data = plainLines(data)
	if err := printable(data); err != nil {
		fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	fit, firstWrong, err := d.form(name, data, isFile)
	if err != nil {
		fail(err)
		return
	}

	// Whether a board is the only one is known when the next one comes.
	var held *Board
	index := 0
	for puzzle, err := range fit.boards {
		b := Board{Input: input, Index: index, Game: fit.game, Puzzle: puzzle, Err: err, Millis: see.Millis{}}
		b.Millis.Add("read", start)
		switch {
		case b.Err == nil:
			b.Puzzle, b.Goal, b.Err = d.wanting(b.Game, b.Puzzle, fit.format.Goal)
			if b.Err == nil {
				b.Puzzle, b.Err = d.withRules(b.Game, b.Puzzle)
			}
		case firstWrong: // which form it was taken for is worth knowing
			b.Err = fmt.Errorf("%s: %w", name, candidate{game: fit.game, format: fit.format, err: b.Err})
		default:
			b.Err = fmt.Errorf("%s: %w", name, b.Err)
		}
		if held != nil && !yield(*held) {
			return
		}
		held = &b
		index++
		start = time.Now()
	}
	if held == nil {
		fail(fmt.Errorf("%s: %s", name, fit.Error()))
		return
	}
	if index == 1 {
		held.Index = -1
	}
	yield(*held)
}

// wanting puts a board under the goal of --goal, where its form does not tell what is wanted;
// goal is what such a form takes, "" of the others.
func (d *Decoder) wanting(g *see.Game, p solve.Puzzle, goal string) (solve.Puzzle, string, error) {
	asked := d.Flags.Goal
	if asked == "" || cli.Goal(p) == asked && goal == "" {
		return p, goal, nil
	}
	w, ok := p.(solve.GoalSetter)
	switch {
	case !slices.Contains(g.Goals, asked):
		return nil, goal, cli.Misusef("--goal %s: nothing that a board of %s may want", asked, g.Name)
	case !ok || goal == "":
		return nil, goal, cli.Misusef("--goal %s: the board's text tells itself what is wanted", asked)
	}
	q, err := w.WithGoal(asked)
	if err != nil {
		return nil, goal, fmt.Errorf("--goal %s: %w", asked, err)
	}
	return q, asked, nil
}

// printable says where a text holds a control character: no form of a board does.
func printable(data []byte) error {
	no := 0
	for line := range bytes.Lines(data) {
		no++
		if err := solve.Printable(strings.TrimRight(string(line), "\r\n")); err != nil {
			return fmt.Errorf("line %d, %w", no, err)
		}
	}
	return nil
}

// aLink is a line with a link alone, whatever stands about it: brackets, quotes, a list's mark, a # or
// an emoji behind it.
var aLink = regexp.MustCompile(`(?m)^[^\w\n]*(https?://[!-~]*[\w=+/.-])[^\w\n]*$`)

// plainLines makes of a text what every form knows: UTF-8 of the UTF-16 that
// PowerShell's > and some editors write, no mark of byte order before it, and
// line feeds where it has carriage returns alone.
func plainLines(data []byte) []byte {
	if isUTF16(data) {
		data = fromUTF16(data)
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if bytes.IndexByte(data, '\n') < 0 {
		data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	}
	if bytes.Contains(data, []byte("://")) {
		data = aLink.ReplaceAll(data, []byte("$1"))
	}
	return data
}

// isUTF16 tells a text by its mark of byte order.
func isUTF16(data []byte) bool {
	return bytes.HasPrefix(data, []byte{0xff, 0xfe}) || bytes.HasPrefix(data, []byte{0xfe, 0xff})
}

// fromUTF16 decodes a text that isUTF16 knows, its mark taken off.
func fromUTF16(data []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if data[0] == 0xfe {
		order = binary.BigEndian
	}
	data = data[2:]
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = order.Uint16(data[2*i:])
	}
	if len(data)%2 == 1 { // it was cut short
		units = append(units, utf8.RuneError)
	}
	return []byte(string(utf16.Decode(units)))
}

// beginnings lists where a text's first lines end, at most 64 of them within
// its head, the longest first.
func beginnings(data []byte) []int {
	var ends []int
	for i, c := range data[:min(len(data), head)] {
		if c == '\n' && len(ends) < 64 {
			ends = append(ends, i+1)
		}
	}
	slices.Reverse(ends)
	return ends
}

// candidates lists the forms that may fit a text: those that decode its first
// board, the first of each family, and why others do not.
func (d *Decoder) candidates(data []byte, may func(*see.Game, *solve.Format) bool) (fits, failed []candidate) {
	for i := range d.Games.List {
		g := &d.Games.List[i]
		if d.Flags.Family != "" && g.Name != d.Flags.Family {
			continue
		}
		for j := range g.Formats {
			f := &g.Formats[j]
			if !may(g, f) {
				continue
			}
			boards, err := d.begun(f, data)
			if err == nil {
				fits = append(fits, candidate{g, f, nil, boards})
				break
			}
			failed = append(failed, candidate{g, f, err, boards})
		}
	}
	return fits, failed
}

// begun decodes a text's first board, and yields it and those behind it.
func (d *Decoder) begun(f *solve.Format, data []byte) (boards iter.Seq2[solve.Puzzle, error], err error) {
	next, stop := iter.Pull2(f.Decode(bounded{bytes.NewReader(data), d.ctx}))
	p, err, ok := next()
	if !ok {
		err = errors.New("no board in it")
	}
	return func(yield func(solve.Puzzle, error) bool) {
		defer stop()
		for b, wrong := p, err; ok && yield(b, wrong); {
			b, wrong, ok = next()
		}
	}, err
}

// A bounded is read as long as its context gives memory for what is made of it.
type bounded struct {
	io.Reader
	ctx context.Context
}

func (b bounded) Read(p []byte) (int, error) {
	if err := limits.Room(b.ctx, 0); err != nil {
		return 0, err
	}
	return b.Reader.Read(p)
}

// withRules puts the puzzle under the rules of --rules.
func (d *Decoder) withRules(g *see.Game, p solve.Puzzle) (solve.Puzzle, error) {
	if d.Flags.Rules == "" {
		return p, nil
	}
	if g.Variant == nil {
		return nil, fmt.Errorf("--rules %s: %s has no other rules", d.Flags.Rules, g.Name)
	}
	q, err := g.Variant(p, d.Flags.Rules)
	if err != nil {
		return nil, fmt.Errorf("--rules %s: %w", d.Flags.Rules, err)
	}
	return q, nil
}

// A FormError says that a text is in no form that is known, or in several. Hint
// is what helps on the command line.
type FormError struct{ Text, Hint string }

func (e *FormError) Error() string { return e.Text + e.Hint }

// FullName is a file's whole path; "" for standard input.
func FullName(name string) string {
	if name == "-" {
		return ""
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// SeenNow is one sighting, now.
func SeenNow(source, place string) store.Origin {
	now := time.Now()
	return store.Origin{Source: source, Place: place, First: now, Last: now, Times: 1}
}

// Sighting is where a board was seen, now.
func (d *Decoder) Sighting(b Board) store.Origin {
	seen := SeenNow(b.Source, "")
	place := b.Input
	if b.Source == store.Typed && d.Flags.Lines != "" { // it stands in a list
		seen.Source, place = store.File, d.Flags.Lines
	}
	if seen.Source != store.Typed { // else the input is the puzzle
		seen.Place = FullName(place)
	}
	return seen
}
