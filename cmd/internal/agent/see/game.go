// Package see makes Turns of frames: what boards a frame shows, what stands on them, and their
// answers. An Eye looks at one frame; an Observer joins what several frames show of one board,
// and solves each board once; a Loop says which frames are worth a look. It knows no family by
// name: what a family can do is in its Game.
package see

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/form"
	"onlooker/vision/picture"
	"onlooker/vision/posterior"
)

// A Reader reads one board: from one view, from several views of it, or from
// several frames one after another.
type Reader interface {
	// Add adds views. An error says that a board is no view of the same puzzle.
	Add(...*vision.Board) error
	// Puzzle is what the views show; a *vision.UnsureError when something that
	// matters cannot be told.
	Puzzle() (solve.Puzzle, error)
}

// A Verdict says how a board belongs together with others of its frame.
type Verdict struct {
	// Set numbers the boards of which exactly one has an answer, from 1; 0 is a
	// board that stands alone.
	Set int
	// Place is what a person calls the board, as in "left"; "" where it stands
	// alone.
	Place string
	// Partial says that not all boards of the set were read, if it is one.
	Partial bool
}

// A Game is a family as the pipeline sees it.
type Game struct {
	*solve.Family
	// NewReader makes a Reader for boards in the profile's look; nil: this
	// family is not read off the screen.
	NewReader func(*calibrations.Profile) Reader
	// Scan finds and reads the family's boards among the grids of cells of a
	// frame that have edges of some contrast; nil: its boards are lattices of
	// lines, which NewReader reads.
	Scan func(scene *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading
	// Teach learns a look of boards of cells from pictures of which it is known what
	// they show; nil: there is nothing to learn.
	Teach func(look *calibrations.Profile, lessons []form.Lesson) error
	// Draft guesses what a board shows that was not read, by some looks; nil: nothing is guessed.
	Draft func(s *form.Sheet, looks []*calibrations.Profile) (*form.Draft, error)
	// Tries are the tools that a person tries in a place that is in doubt; nil: all that go on it.
	Tries []string
	// Learned says in plain words what Teach learned; nil with Teach.
	Learned func(look *calibrations.Profile) []string
	// Goals are the words for what may be wanted of a board where a picture does
	// not tell, as calibrations.Cells has them; nil: pictures tell all.
	Goals []string
	// CheckLook says what is wrong with what a look says of the family's symbols, by its
	// key; nil: looks say nothing of them.
	CheckLook func(*calibrations.Profile) error
	// Structure is a profile that allows any look, with what must be taken over
	// from one that is known; nil: there is none.
	Structure func(known *calibrations.Profile) *calibrations.Profile
	// Explain draws a board as its reader saw it: what it took for what, and how surely;
	// puzzle is nil where it was not read, and why says by what. nil: the family cannot.
	Explain func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle, why error) image.Image
	// Explained is how much of the picture of a board what was read of it explains, less
	// what it leaves, by which looks are compared that read the same picture; nil: the
	// family cannot tell, and the look that reads most is taken.
	Explained func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) float64
	// Account is what a board that NewReader read explains of its picture and what it
	// leaves; nil where nothing is measured.
	Account func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) posterior.Evidence
	// Shows tells whether a puzzle shows any of some kinds of symbols; nil: looks have none
	// beside the usual ones.
	Shows func(p solve.Puzzle, kinds []string) bool
	// Otherwise is another puzzle that the same picture shows, for where the one that
	// was read has no answer, and the half-cells of which all but the line's first stay
	// bare when its line begins: one that does not tells that the picture was read right.
	// A nil puzzle: the picture shows no other. nil: no picture does.
	Otherwise func(solve.Puzzle) (other solve.Puzzle, bare []image.Point)
	// Group tells which boards of one frame, given from left to right, belong
	// together; nil: none do.
	Group func([]solve.Puzzle) []Verdict
	// Map tells what else a board is the map of, and which half-cells of it to
	// look for; "" for most. nil: no board is one.
	Map func(solve.Puzzle) (title string, marks []image.Point)
	// Picture is a board with its answer, or the bare board with a nil answer,
	// in half-cells; nil: the family has no pictures.
	Picture func(solve.Puzzle, solve.Solution) []picture.Shape
	// Place is where a half-cell of the strokes lies in Picture; nil where it
	// lies at itself.
	Place func(solve.Puzzle, image.Point) picture.Point
	// Editor changes boards by hand; nil: this family's boards are not edited.
	Editor *solve.Editor
	// Hand tells how a puzzle's answer is entered by hand; nil, or nil from it:
	// it is not.
	Hand func(solve.Puzzle) *solve.Hand
	// Record names the format that a reading gives as its "puzzle", a JSON
	// object; "" where the family has none.
	Record string
	// Variant returns the puzzle under other rules, written
	// NAME[,OPTION=on|off…]; nil: the family's rules have no variants.
	Variant func(puzzle solve.Puzzle, rules string) (solve.Puzzle, error)
	// CheckVariant tells whether Variant knows such rules; nil with Variant.
	CheckVariant func(rules string) error
	// VariantOptions are the options that Variant knows, for help texts.
	VariantOptions []solve.Rule
}

// Marks draws an answer over the picture that its board was found in: shapes in
// pixels of the frame. A stroke is a line with a disc at its start and a head at
// its end; a click is a ring. Each is light within dark, to be seen on any
// ground.
func Marks(r Reading, s solve.Solution) []picture.Shape {
	wide := max(3, r.Board.ScreenPitch/10)
	return append(layer(r, s, wide, max(2, 0.7*wide), color.NRGBA{A: 0xff}),
		layer(r, s, wide, 0, color.NRGBA{R: 0xff, G: 0xf0, B: 0x40, A: 0xff})...)
}

// Plain is Marks in one colour, whose lines are so many pixels wide; 0: as wide as suits the
// board.
func Plain(r Reading, s solve.Solution, wide float64) []picture.Shape {
	return layer(r, s, width(r, wide), 0, color.NRGBA{A: 0xff})
}

func width(r Reading, wide float64) float64 {
	if wide <= 0 {
		return max(4, r.Board.ScreenPitch/8)
	}
	return wide
}

// Cross is two lines across a board, so wide.
func Cross(r Reading, wide float64) []picture.Shape {
	var d picture.Drawing
	q := r.Board.Quad
	for i := range 2 {
		d.Line(color.NRGBA{A: 0xff}, width(r, wide), picture.Point{X: q[i].X, Y: q[i].Y}, picture.Point{X: q[i+2].X, Y: q[i+2].Y})
	}
	return d.Shapes
}

// Facing is Plain for a pillar, of what faces the viewer as it stands: where the line goes on
// behind, it ends in a head, too.
func Facing(r Reading, s solve.Solution, stands *Spin, wide float64) (out []picture.Shape) {
	const steps = 8 // of a half-cell
	around := 2 * float64(r.Board.Cols)
	for _, stroke := range s {
		var run []picture.Point
		first := true
		end := func() {
			if len(run) > 1 {
				marks := mark(run, width(r, wide), 0, r.Board.ScreenPitch, color.NRGBA{A: 0xff})
				if !first {
					marks = marks[:2] // no disc
				}
				out = append(out, marks...)
			}
			run, first = nil, false
		}
		for i := range steps*(len(stroke)-1) + 1 {
			a, b, f := stroke[i/steps], stroke[min(i/steps+1, len(stroke)-1)], float64(i%steps)/steps
			x, y := float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)
			off := math.Remainder(x-stands.Faced, around)
			if math.Abs(off) > math.Acos(leastFacing)*around/(2*math.Pi) {
				end()
				continue
			}
			p := stands.At(stands.Faced+off, y)
			run = append(run, picture.Point{X: p.X + 0.5, Y: p.Y + 0.5})
		}
		end()
	}
	return out
}

// layer are the marks of an answer whose lines are so much wider than wide.
func layer(r Reading, s solve.Solution, wide, more float64, colour color.NRGBA) (out []picture.Shape) {
	for _, stroke := range answer.Onto(r.Board, r.Puzzle).Strokes(s) {
		points := make([]picture.Point, len(stroke))
		for i, p := range stroke {
			points[i] = picture.Point{X: p.X + 0.5, Y: p.Y + 0.5} // a pixel's middle
		}
		out = append(out, mark(points, wide, more, r.Board.ScreenPitch, colour)...)
	}
	return out
}

// mark is one stroke, its lines so much wider than wide.
func mark(points []picture.Point, wide, more, pitch float64, colour color.NRGBA) []picture.Shape {
	line := func(points ...picture.Point) picture.Shape {
		return picture.Shape{Kind: picture.Line, Points: points, Width: wide + more, Round: true, Colour: colour, Line: picture.Answer}
	}
	first, last := points[0], points[len(points)-1]
	if len(points) == 1 {
		const corners = 32
		ring := make([]picture.Point, corners+1)
		for i := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			ring[i] = picture.Point{X: first.X + 0.28*pitch*cos, Y: first.Y + 0.28*pitch*sin}
		}
		return []picture.Shape{line(ring...)}
	}
	before := points[len(points)-2]
	way := math.Atan2(last.Y-before.Y, last.X-before.X)
	tip := func(turn float64) picture.Point {
		sin, cos := math.Sincos(way + turn)
		return picture.Point{X: last.X - 0.22*pitch*cos, Y: last.Y - 0.22*pitch*sin}
	}
	return []picture.Shape{
		line(points...),
		line(tip(0.6), last, tip(-0.6)),
		{Kind: picture.Disc, Points: []picture.Point{first}, Width: 2.2*wide + more, Colour: colour, Line: picture.Answer},
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
