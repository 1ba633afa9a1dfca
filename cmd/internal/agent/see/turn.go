package see

import (
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A Sighting is one board of a Turn.
type Sighting struct {
	Reading
	// Text is the puzzle's canonical text, its identity; "" when it was not
	// read.
	Text string
	// New says that the board was not answered in a Turn before.
	New bool
	// Before is the board's status in the Turn that answered it; "" when it is
	// new, or was not read.
	Before string
	Verdict
	// Answer is the board's answer, found now or before.
	Answer answer.Answer
	// Failed is why there is no answer: of reading, solving or checking. It is
	// told once: of a board that is not new only Before tells.
	Failed error
	Millis Millis // of this board: solve, check

	// read is the text of what was read, where Text is of what else the picture shows.
	read   string
	Bare   []image.Point // see Game.Otherwise
	Turned *Spin         // of a pillar that was followed, in the puzzle's columns
}

// identity is what a board that was read is remembered by.
func (s *Sighting) identity() string { return s.Game.Name + "\n" + cmp.Or(s.read, s.Text) }

// otherwise makes it a board of another puzzle that its picture shows.
func (s *Sighting) otherwise(other solve.Puzzle, bare []image.Point) {
	text, err := other.MarshalText()
	if err != nil {
		return
	}
	s.read, s.Text, s.Puzzle, s.Bare = cmp.Or(s.read, s.Text), string(text), other, bare
}

// Solved tells whether the board has an answer, found now or before.
func (s *Sighting) Solved() bool {
	return s.Before == "solved" || s.New && s.Failed == nil
}

// A Turn is what one look at the screen led to, from the frame to the answers.
type Turn struct {
	Number  int
	At      time.Time
	Frame   *image.RGBA
	Name    string          // of the picture, where a folder is replayed
	Bounds  image.Rectangle // the frame's place on the screen
	Profile *calibrations.Profile
	Brief   bool // see Sight.Brief
	// Boards are the boards seen, from left to right.
	Boards []Sighting
	// Failed is why nothing was looked at, or nothing was found.
	Failed error
	Millis Millis // of the frame: grab, locate, read; solve is the longest board's
}

// String is what the Turn saw, in a line: its boards, and the milliseconds that
// each stage took.
func (t *Turn) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "seen:")
	for i := range t.Boards {
		b := &t.Boards[i]
		what := "unread"
		switch {
		case b.Board.Solved:
			what = "with a line"
		case b.Solved():
			what = "answered"
		case b.Puzzle != nil:
			what = "read"
		}
		fmt.Fprintf(&out, " %d×%d %s,", b.Board.Cols, b.Board.Rows, what)
	}
	for _, stage := range slices.Sorted(maps.Keys(t.Millis)) {
		fmt.Fprintf(&out, " %s %.0f", stage, t.Millis[stage])
	}
	return out.String()
}

// News tells whether the Turn has anything to show: a new answer, a new
// failure.
func (t *Turn) News() bool {
	for i := range t.Boards {
		if t.Boards[i].New {
			return true
		}
	}
	return t.Failed != nil
}

// Strokes are the answer of a board, nil without one.
func (s *Sighting) Strokes() solve.Solution { return s.Answer.Solution }

// Outcome is what became of a board in this look, or in the one that answered it, as
// Status says it.
func (s *Sighting) Outcome() string {
	switch {
	case s.Solved():
		return "solved"
	case s.Failed != nil:
		return answer.Status(s.Failed)
	}
	return s.Before
}

// Map tells what else a board is the map of, and what to look for on it; "" for most.
func (s *Sighting) Map() (title string, marks []image.Point) {
	if s.Game.Map == nil || s.Puzzle == nil {
		return "", nil
	}
	return s.Game.Map(s.Puzzle)
}

// Picture is a board with its answer, and a map with what to look for on it.
func (s *Sighting) Picture(answer solve.Solution) []picture.Shape {
	if s.Game.Picture == nil || s.Puzzle == nil {
		return nil
	}
	shapes := s.Game.Picture(s.Puzzle, answer)
	red := color.NRGBA{R: 0xff, A: 0xff}
	_, marks := s.Map()
	for _, m := range marks {
		x, y := float64(m.X), float64(m.Y)
		shapes = append(shapes,
			picture.Shape{Kind: picture.Polygon, Colour: red, Points: []picture.Point{{X: x - 0.35, Y: y + 0.3}, {X: x, Y: y - 0.4}, {X: x + 0.35, Y: y + 0.3}}, Fine: true},
			picture.Shape{Kind: picture.Glyph, Colour: red, Points: []picture.Point{{X: x, Y: y}}, Words: "▲"})
	}
	return shapes
}

// PlacesOf tells how each board of a picture belongs together with others of it.
func PlacesOf(readings []Reading) []Verdict {
	t := &Turn{}
	var order []int
	for i := range readings {
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(readings[i].Board.Centre().X, readings[j].Board.Centre().X) })
	for _, i := range order {
		t.Boards = append(t.Boards, Sighting{Reading: readings[i]})
	}
	t.Group()
	places := make([]Verdict, len(readings))
	for k, i := range order {
		places[i] = t.Boards[k].Verdict
	}
	return places
}

// A Set is boards of a Turn of which exactly one should have an answer.
type Set struct {
	New    bool // any of them is
	Boards []*Sighting
}

// Conclude says in one line which board of a set is the one to solve; "" says that
// nothing is known. Of three of which two have no answer it is the third, though that one
// could not be read, or is not lit yet; right is nil where no board of the Turn is it.
func (s *Set) Conclude() (line string, right *Sighting) {
	var names []string
	var open []*Sighting
	excluded, partial := 0, false
	for _, b := range s.Boards {
		partial = partial || b.Partial
		switch b.Outcome() {
		case "solved":
			names = append(names, b.Place)
			right = b
		case "unsolvable":
			excluded++
		default:
			open = append(open, b)
		}
	}
	switch {
	case partial && excluded == len(s.Boards):
		line = "two have no answer: solve the third"
		// On captures neighbours are 4.0 to 5.1 of their own widths apart, the outer two 8.9.
		if a, b := s.Boards[0].Board, s.Boards[1].Board; a.Centre().Dist(b.Centre()) > 7*float64(a.Cols)*(a.ScreenPitch+b.ScreenPitch)/2 {
			line += ", between them"
		}
		return line, nil
	case partial && excluded == 0:
		return "", nil // two boards that only look like it
	case len(names) == 1:
		return "the one to solve: " + right.Place, right
	case len(names) > 1:
		return "more than one has an answer: " + strings.Join(names, ", "), nil
	case len(open) == 1 && excluded >= 2:
		return "the one to solve: " + open[0].Place + " (the others have no solution)", open[0]
	}
	return "", nil
}

// Sets are the sets of a Turn's boards, in their order.
func (t *Turn) Sets() []*Set {
	sets := map[int]*Set{}
	for i := range t.Boards {
		b := &t.Boards[i]
		if b.Set == 0 {
			continue
		}
		if sets[b.Set] == nil {
			sets[b.Set] = &Set{}
		}
		sets[b.Set].New = sets[b.Set].New || b.New
		sets[b.Set].Boards = append(sets[b.Set].Boards, b)
	}
	var list []*Set
	for _, n := range slices.Sorted(maps.Keys(sets)) {
		list = append(list, sets[n])
	}
	return list
}

// ToEnter are the boards whose answers may be entered, the largest first: those
// with an answer and without a line. Of a set in which more than one has an
// answer, one was misread or is still coming on: none of them is named, and
// doubt is true.
func (t *Turn) ToEnter() (boards []*Sighting, doubt bool) {
	unsure := map[int]bool{}
	for i := range t.Boards {
		if b := &t.Boards[i]; b.Set > 0 && !b.Partial && b.Solved() {
			if _, twice := unsure[b.Set]; twice {
				unsure[b.Set] = true
			} else {
				unsure[b.Set] = false
			}
		}
	}
	for i := range t.Boards {
		b := &t.Boards[i]
		switch {
		case b.Puzzle == nil || b.Board.Solved || len(b.Strokes()) == 0:
		case b.Board.Pillar && b.Turned == nil: // nobody knows how it stands
		case unsure[b.Set]:
			doubt = true
		default:
			boards = append(boards, b)
		}
	}
	slices.SortStableFunc(boards, func(a, b *Sighting) int {
		p, q := a.Board.Area().Size(), b.Board.Area().Size()
		return q.X*q.Y - p.X*p.Y
	})
	return boards, doubt
}

// Beside tells whether boards that were not read are no findings: others were, and these
// are neither of a set nor pillars.
func Beside(list []Reading) bool {
	read := false
	for i, place := range PlacesOf(list) {
		r := list[i]
		if read = read || r.Err == nil; r.Err != nil && (place.Set > 0 || r.Board.Pillar) {
			return false
		}
	}
	return read
}

// Group asks each family which of its boards, from left to right, belong together.
func (t *Turn) Group() {
	byGame := map[*Game][]int{}
	for i := range t.Boards {
		if b := &t.Boards[i]; b.Puzzle != nil && b.Game.Group != nil {
			byGame[b.Game] = append(byGame[b.Game], i)
		}
	}
	for game, at := range byGame {
		puzzles := make([]solve.Puzzle, len(at))
		for i, k := range at {
			puzzles[i] = t.Boards[k].Puzzle
		}
		for i, v := range game.Group(puzzles) {
			t.Boards[at[i]].Verdict = v
		}
	}
}

// A Record is a Turn as it is written down: a line of JSON beside its frame.
type Record struct {
	Turn    int           `json:"turn"`
	At      time.Time     `json:"at"`
	Frame   string        `json:"frame,omitempty"`
	Profile string        `json:"profile,omitempty"`
	Boards  []BoardRecord `json:"boards"`
	Error   string        `json:"error,omitempty"`
	Millis  Millis        `json:"millis"`
}

// A BoardRecord is one board of a Record.
type BoardRecord struct {
	Board   int           `json:"board"` // from the left, from 0
	Family  string        `json:"family,omitempty"`
	Status  string        `json:"status"` // as solve's, or "seen" for one that is answered or solved already
	Text    string        `json:"text,omitempty"`
	Quad    [4][2]float64 `json:"quad"`
	Set     int           `json:"set,omitempty"`   // boards of which one has an answer
	Place   string        `json:"place,omitempty"` // of those, which
	Strokes [][][2]int    `json:"strokes,omitempty"`
	Error   string        `json:"error,omitempty"`
	Millis  Millis        `json:"millis"`
}

// Record is the Turn as it is written down, with the name of its frame's file.
func (t *Turn) Record(frame string) Record {
	r := Record{Turn: t.Number, At: t.At, Frame: frame, Boards: []BoardRecord{}, Millis: t.Millis}
	if t.Failed != nil {
		r.Error = t.Failed.Error()
	}
	for i := range t.Boards {
		r.Boards = append(r.Boards, t.Boards[i].Record(i))
	}
	return r
}

// Record is the board as it is written down.
func (s *Sighting) Record(number int) BoardRecord {
	r := BoardRecord{Board: number, Family: s.Game.Name, Text: s.Text, Status: answer.Status(s.Failed),
		Quad: Quad(s.Board), Set: s.Set, Place: s.Place, Millis: s.Millis}
	switch {
	case s.Failed != nil:
		r.Error = s.Failed.Error()
	case !s.New:
		r.Status = "seen"
	}
	r.Strokes = s.Answer.Solution.Pairs()
	return r
}

// Quad gives a board's corner nodes to a hundredth of a pixel, which is more
// than any is good for.
func Quad(b *vision.Board) (quad [4][2]float64) {
	for i, p := range b.Quad {
		quad[i] = [2]float64{math.Round(p.X*100) / 100, math.Round(p.Y*100) / 100}
	}
	return quad
}

// FrameFile is the name that Keep gives the frame.
func (t *Turn) FrameFile() string { return fmt.Sprintf("frame-%04d.png", t.Number) }

// Keep writes a Turn into a folder: its frame as frame-NNNN.png and its Record
// as turn-NNNN.json, whose path it returns. The folder is made where it is not
// there.
func (t *Turn) Keep(folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	frame := ""
	if t.Frame != nil {
		frame = t.FrameFile()
		if err := WritePNG(filepath.Join(folder, frame), t.Frame); err != nil {
			return "", fmt.Errorf("record: %w", err)
		}
	}
	data, err := json.MarshalIndent(t.Record(frame), "", "  ")
	if err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	name := filepath.Join(folder, fmt.Sprintf("turn-%04d.json", t.Number))
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	return name, nil
}

func WritePNG(name string, m image.Image) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	// A frame of 1920×1080 takes 90 ms so, and five times that at the best
	// compression.
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, m)
}
