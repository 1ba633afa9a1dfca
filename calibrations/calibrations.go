// Package calibrations holds what is known about the looks of games: a profile
// per look, as numbers and never as pictures.
//
// A profile is a folder with a profile.toml. Lengths are ratios of the pitch
// (the distance between neighbouring nodes), so that a profile holds at any
// resolution; colours are not in it, since they are told apart within each
// panel. Some profiles are embedded in the program; the user's own live in
// folders of the same form under UserFolder and win over those.
package calibrations

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"
)

// File is the name of the file in a profile's folder.
const File = "profile.toml"

// Format is the version of the profile format that this package reads.
const Format = 1

// Embedded holds the profiles that come with the program, a folder each.
//
//go:embed */profile.toml
var Embedded embed.FS

// A Range is a least and a greatest value, both allowed.
type Range [2]float64

// Has tells whether v lies in the range.
func (r Range) Has(v float64) bool { return v >= r[0] && v <= r[1] }

// A Profile is what is known about one look of one game.
type Profile struct {
	// Name is the folder's name; it is not in the file.
	Name string `toml:"-"`
	// Folder is where it was read from; "" for one that is embedded.
	Folder  string `toml:"-"`
	Format  int    `toml:"format"`
	Family  string `toml:"family"` // a family's name, as in "flow"
	Game    string `toml:"game"`
	Version string `toml:"version"` // of the game
	// Beside says that auto tries it on boards alone that no other look reads, and only for
	// the kinds of symbols that it shows besides the game's own.
	Beside  bool    `toml:"beside,omitempty"`
	Board   Board   `toml:"board"`
	Symbols Symbols `toml:"symbols,omitempty"`
	// Rules are the rules that its boards are under, in the family's words; "" for the usual.
	Rules string `toml:"rules,omitempty"`
	// Kinds are the kinds of symbols that it shows besides the game's own, by name, and
	// AnyKind for all that are known; Shapes are how it draws some of them, by name.
	Kinds   []string         `toml:"kinds,omitempty"`
	Shapes  map[string]Shape `toml:"shapes,omitempty"`
	Motion  Motion           `toml:"motion"`
	Keys    Keys             `toml:"keys"`
	Learned Learned          `toml:"learned,omitempty"`
	// Cells is how boards of cells look, which are read by their structure; nil
	// for boards that are lattices of lines, which Board and Symbols describe.
	Cells  *Cells `toml:"cells,omitempty"`
	Levels Levels `toml:"levels,omitempty"`
	// Loose says that the sizes of symbols are a guess, as where no profile fits.
	Loose bool `toml:"-"`
}

// AnyKind stands in Kinds for all kinds that are known.
const AnyKind = "*"

// A Shape is how a look draws a symbol that brings a shape of its own, in that shape's
// place: polygons from -1 to 1, y down, pointing right.
type Shape struct {
	Once  [][][2]float64 `toml:"once,omitempty"` // drawn once
	Each  [][][2]float64 `toml:"each,omitempty"` // as often as the symbol's number says
	Back  float64        `toml:"back,omitempty"` // between two that stand one behind the other
	Shift float64        `toml:"shift,omitempty"`
	// Places are where Each stands, for one, two and so on; none: as usual.
	Places [][][2]float64 `toml:"places,omitempty"`
}

// Levels are how likely a reading must be right, all things considered: 0 to 1.
type Levels struct {
	Read  float64 `toml:"read,omitempty"`  // to be given
	Mouse float64 `toml:"mouse,omitempty"` // for the mouse to touch its board
}

// Cells are what no picture of a board of cells tells, and the forms that a
// look draws in them.
type Cells struct {
	// Goal is what is wanted, in the family's words; "" for the family's usual.
	Goal string `toml:"goal,omitempty"`
	// Blank is what a cell without a mark is, in the letter of the family's text;
	// "" for nothing.
	Blank string `toml:"blank,omitempty"`
	// Lit and Dark are colours of the two states of lamps, as #rrggbb, where the
	// brighter one need not be the lit one.
	Lit  []string `toml:"lit,omitempty"`
	Dark []string `toml:"dark,omitempty"`
}

// A Board is how the boards of a look are drawn. Lengths are ratios of the
// pitch, unless they say something else.
type Board struct {
	Line  Range `toml:"line"`  // width of a line
	Gap   Range `toml:"gap"`   // length of the break in a broken edge
	Start Range `toml:"start"` // radius of a start circle, in line widths
	Cap   Range `toml:"cap"`   // from an end's node to its tip, in line widths
	// MinPitch is the least pitch in pixels at which a board is read.
	MinPitch float64 `toml:"min_pitch_pixels"`
	MaxCells int     `toml:"max_cells"` // the most columns or rows
	// Confidence is how sure each part of a reading must be: 0.5 would be a
	// toss, 1 is clear.
	Confidence float64 `toml:"confidence"`
	Cursor     Cursor  `toml:"cursor"`
	// Lines are the colours that lines have in this look, as #rrggbb, and LinesWithin how
	// far the colour of a board's lines may be from the nearest of them, in steps of 255
	// a channel; none: any colour.
	Lines       []string `toml:"lines,omitempty"`
	LinesWithin float64  `toml:"lines_within,omitempty"`
	// Rims are the colours of what outlines the lines, as #rrggbb; none: nothing does that
	// is not a shade between the lines' and the ground's. RimWidth is how far it goes on
	// beyond what counts as the line.
	Rims     []string `toml:"rims,omitempty"`
	RimWidth float64  `toml:"rim_width,omitempty"`
}

// A Cursor is what the game lays over its picture. Lengths are ratios of the
// picture's height; all 0 where there is nothing such.
type Cursor struct {
	Radius float64 `toml:"radius"` // of the disc
	Ring   float64 `toml:"ring"`   // outer radius of the ring round it
	Alpha  float64 `toml:"alpha"`  // of the disc's white, 0 to 1
	Frame  float64 `toml:"frame"`  // width of the border while solving
}

// Symbols are what a look says of its family's symbols, as their sizes: numbers, lists
// of them, and yes or no, by names that the family's own packages know, explain and
// check. nil where it says nothing.
type Symbols map[string]any

// A Style is how a stroke is entered.
type Style string

// The styles.
const (
	Relative Style = "relative" // click, move by relative motion, click
	Absolute Style = "absolute" // click, move to places, click
	Drag     Style = "drag"     // press, move to places, release
	Clicks   Style = "clicks"   // click at each point
)

// A Pointer is what a client shows of where the mouse is.
type Pointer string

// The pointers.
const (
	Tried  Pointer = ""       // not known: it is found out by trying
	Drawn  Pointer = "drawn"  // the game draws its own, after a click into its solve mode
	System Pointer = "system" // the system's, until a click begins a line
)

// Motion is how strokes are entered.
type Motion struct {
	Style      Style   `toml:"style"`
	Pointer    Pointer `toml:"pointer,omitempty"`
	StepPixels int     `toml:"step_pixels"` // most motion in one event
	// StepShare is that in shares of the shorter side of what is looked at, where that is
	// less; 0: StepPixels alone.
	StepShare    float64 `toml:"step_share,omitempty"`
	StepMillis   int     `toml:"step_millis"`   // least time between events
	SettleMillis int     `toml:"settle_millis"` // until the picture shows a motion
	NudgePixels  int     `toml:"nudge_pixels"`  // first motion after a turn
	MissPixels   float64 `toml:"miss_pixels"`   // tolerance of the head's place
	Gain         float64 `toml:"gain"`          // pixels on the screen per unit of motion
}

// Keys are what a client offers for going about, by name; "" where it offers
// none and a person walks.
type Keys struct {
	Next     string `toml:"next,omitempty"`      // to the next panel
	Back     string `toml:"back,omitempty"`      // to the one before
	Turn     string `toml:"turn,omitempty"`      // round a pillar
	TurnBack string `toml:"turn_back,omitempty"` // round it the other way
	// TurnWay is 1 where Turn brings the column to the right of the one that
	// faces the viewer to face him, -1 for the left one; 0: it is found out.
	TurnWay int `toml:"turn_way,omitempty"`
}

// UserFolder is the folder of the user's own profiles:
// onlooker/calibrations in the user's config folder.
func UserFolder() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("calibrations: %w", err)
	}
	return filepath.Join(dir, "onlooker", "calibrations"), nil
}

// Names lists the profiles by name, sorted: the user's own and the embedded.
func Names() []string {
	var names []string
	if dir, err := UserFolder(); err == nil {
		names = list(os.DirFS(dir))
	}
	names = append(names, list(Embedded)...)
	slices.Sort(names)
	return slices.Compact(names)
}

func list(fsys fs.FS) []string {
	found, err := fs.Glob(fsys, "*/"+File)
	if err != nil {
		return nil
	}
	for i, f := range found {
		found[i] = strings.TrimSuffix(f, "/"+File)
	}
	return found
}

// Unreadable tells why nothing of the user's folder can be read; nil where it can,
// or where there is none. What is embedded is then loaded as it is.
func Unreadable() error {
	dir, err := UserFolder()
	if err == nil {
		_, err = os.ReadDir(dir)
	}
	if !errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("calibrations: %w", err)
}

// Load reads a profile: from a folder where the argument is one (or has a
// separator in it), else by name, the user's own before the embedded.
func Load(nameOrFolder string) (*Profile, error) {
	if nameOrFolder == "" {
		return nil, errors.New("calibrations: no profile named")
	}
	if strings.ContainsAny(nameOrFolder, `/`+string(filepath.Separator)) || nameOrFolder == "." || nameOrFolder == ".." {
		return loadFolder(nameOrFolder)
	}
	dir, err := UserFolder()
	if err == nil {
		own := filepath.Join(dir, nameOrFolder)
		if _, err := os.Stat(filepath.Join(own, File)); err == nil {
			return loadFolder(own)
		}
	}
	if data, bad := fs.ReadFile(Embedded, nameOrFolder+"/"+File); bad == nil {
		p, bad := Parse(nameOrFolder, nameOrFolder+"/"+File, data)
		if bad != nil || err != nil {
			return p, bad
		}
		err = p.recall(filepath.Join(dir, nameOrFolder))
		if errors.Is(err, fs.ErrPermission) && Unreadable() != nil {
			err = nil
		}
		return p, err
	}
	if _, err := os.Stat(filepath.Join(nameOrFolder, File)); err == nil {
		return loadFolder(nameOrFolder)
	}
	return nil, UnknownError(nameOrFolder)
}

// An UnknownError is the name of a profile that there is not.
type UnknownError string

func (e UnknownError) Error() string {
	return fmt.Sprintf("no profile %q; there are %s", string(e), strings.Join(Names(), ", "))
}

// maxProfile bounds the files of a profile, in bytes: the largest learned ones have
// some 60,000.
const maxProfile = 4 << 20

// readFile is os.ReadFile of at most maxProfile bytes: a device may have no end.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxProfile+1))
	if err == nil && len(data) > maxProfile {
		err = fmt.Errorf("%s: more than %d MB", name, maxProfile>>20)
	}
	return data, err
}

func loadFolder(dir string) (*Profile, error) {
	file := filepath.Join(dir, File)
	data, err := readFile(file)
	if err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	p, err := Parse(filepath.Base(abs), file, data)
	if err != nil {
		return nil, err
	}
	p.Folder = abs
	if err := p.Learned.load(os.DirFS(dir)); err != nil {
		return nil, err
	}
	if err := p.recall(abs); err != nil {
		return nil, err
	}
	return p, nil
}

// MotionFile is the file in a user's folder of a look that keeps what was found
// out about the client's motion. It wins over the profile's own, and leaves the
// rest of the profile to it: an embedded one may still get better.
const MotionFile = "motion.toml"

// kept is a MotionFile.
type kept struct {
	Motion Motion `toml:"motion"`
}

// recall takes what a folder's MotionFile says, where it has one.
func (p *Profile) recall(folder string) error {
	file := filepath.Join(folder, MotionFile)
	data, err := readFile(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	var named *fs.PathError
	if errors.As(err, &named) {
		err = named.Err // the file's name stands before it
	}
	k := kept{Motion: p.Motion}
	if err == nil {
		err = toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields().Decode(&k)
	}
	if err == nil {
		own := *p
		own.Motion = k.Motion
		err = own.check()
	}
	if err != nil {
		return fmt.Errorf("calibrations: %s: %w", file, err)
	}
	p.Motion = k.Motion
	return nil
}

// Remember keeps what was found out about a client's motion in the user's folder
// of its look, and returns the file.
func (p *Profile) Remember(m Motion) (string, error) {
	folder := p.Folder
	if folder == "" {
		dir, err := UserFolder()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(dir, p.Name)
	}
	text, err := toml.Marshal(kept{m})
	if err == nil {
		err = os.MkdirAll(folder, 0o755)
	}
	file := filepath.Join(folder, MotionFile)
	if err == nil {
		// What is there is lost only when all of the new is written.
		if err = os.WriteFile(file+".part", append([]byte("# Found out by trying. Delete this file to have it found out anew.\n"), text...), 0o644); err == nil {
			err = os.Rename(file+".part", file)
		}
		if err != nil {
			_ = os.Remove(file + ".part") // where it came to be
		}
	}
	if err != nil {
		return "", fmt.Errorf("calibrations: %w", err)
	}
	return file, nil
}

// Parse reads the text of a profile.toml and checks it; file is only named in
// errors, which give the key and, where the text itself is at fault, the line.
func Parse(name, file string, data []byte) (*Profile, error) {
	p := Profile{Name: name}
	dec := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := dec.Decode(&p); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) && len(strict.Errors) > 0 {
			e := strict.Errors[0]
			line, _ := e.Position()
			return nil, fmt.Errorf("calibrations: %s: line %d: unknown key %s", file, line, strings.Join(e.Key(), "."))
		}
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			key := strings.Join(at.Key(), ".")
			if key != "" {
				key = " key " + key + ":"
			}
			return nil, fmt.Errorf("calibrations: %s: line %d, column %d:%s %s", file, line, column, key, strings.TrimPrefix(at.Error(), "toml: "))
		}
		return nil, fmt.Errorf("calibrations: %s: %w", file, err)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("calibrations: %s: %w", file, err)
	}
	return &p, nil
}

// check says which key is out of its bounds, with what was wanted.
func (p *Profile) check() error {
	if p.Format != Format {
		return fmt.Errorf("format is %d, want %d", p.Format, Format)
	}
	if p.Family == "" {
		return errors.New("family is missing")
	}
	if p.Cells == nil {
		if err := p.checkLines(); err != nil {
			return err
		}
	}
	if p.Keys.TurnWay < -1 || p.Keys.TurnWay > 1 {
		return fmt.Errorf("keys.turn_way is %d, want 1 or -1, or none where it is to be found out", p.Keys.TurnWay)
	}
	return p.Motion.check()
}

// ranged says which value of a list is out of its bounds.
func ranged(list []bounded) error {
	for _, r := range list {
		// Written so that NaN fails too.
		if !(r.got >= r.least && r.got <= r.most) {
			return fmt.Errorf("%s is %g, want %g to %g", r.key, r.got, r.least, r.most)
		}
	}
	return nil
}

type bounded struct {
	key              string
	got, least, most float64
}

// checkLines checks what describes boards that are lattices of lines.
func (p *Profile) checkLines() error {
	b := &p.Board
	for _, r := range []struct {
		key         string
		got         Range
		least, most float64
	}{
		{"board.line", b.Line, 0.01, 0.9},
		{"board.gap", b.Gap, 0.01, 0.9},
		{"board.start", b.Start, 0.5, 5},
		{"board.cap", b.Cap, 0.3, 5},
	} {
		if r.got[0] < r.least || r.got[1] > r.most || r.got[0] > r.got[1] {
			return fmt.Errorf("%s is [%g, %g], want a rising pair within [%g, %g]", r.key, r.got[0], r.got[1], r.least, r.most)
		}
	}
	for key, list := range map[string][]string{"lines": b.Lines, "rims": b.Rims} {
		for _, c := range list {
			if _, err := strconv.ParseUint(strings.TrimPrefix(c, "#"), 16, 32); err != nil || len(c) != 7 {
				return fmt.Errorf("board.%s has %q, want colours as #rrggbb", key, c)
			}
		}
	}
	return ranged([]bounded{
		{"board.min_pitch_pixels", b.MinPitch, 4, 1000},
		{"board.max_cells", float64(b.MaxCells), 1, 64},
		{"board.confidence", b.Confidence, 0.5, 1},
		{"board.lines_within", b.LinesWithin, 0, 442},
		{"board.rim_width", b.RimWidth, 0, 0.4},
		{"board.cursor.radius", b.Cursor.Radius, 0, 0.2},
		{"board.cursor.ring", b.Cursor.Ring, 0, 0.2},
		{"board.cursor.alpha", b.Cursor.Alpha, 0, 1},
		{"board.cursor.frame", b.Cursor.Frame, 0, 0.2},
	})
}

// check checks how strokes are entered.
func (m *Motion) check() error {
	if err := ranged([]bounded{
		{"motion.step_pixels", float64(m.StepPixels), 1, 1000},
		{"motion.step_share", m.StepShare, 0, 1},
		{"motion.step_millis", float64(m.StepMillis), 0, 10000},
		{"motion.settle_millis", float64(m.SettleMillis), 0, 10000},
		{"motion.nudge_pixels", float64(m.NudgePixels), 0, 100},
		{"motion.miss_pixels", m.MissPixels, 0, 100},
		{"motion.gain", m.Gain, 0.001, 1000},
	}); err != nil {
		return err
	}
	if !slices.Contains([]Style{Relative, Absolute, Drag, Clicks}, m.Style) {
		return fmt.Errorf("motion.style is %q, want %q, %q, %q or %q", m.Style, Relative, Absolute, Drag, Clicks)
	}
	if !slices.Contains([]Pointer{Tried, Drawn, System}, m.Pointer) {
		return fmt.Errorf("motion.pointer is %q, want %q or %q, or none where it is to be found out", m.Pointer, Drawn, System)
	}
	return nil
}
