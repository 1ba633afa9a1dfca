package calibrate

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/whole"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/posterior"
)

// A cellShot is a screenshot of boards of cells with what it shows.
type cellShot struct {
	name   string // its file
	frame  *image.RGBA
	boards []cellTruth
	kept   bool // in the profile's folder already
}

// A cellTruth is a board of a screenshot; no quad: it is to be found.
type cellTruth struct {
	puzzle solve.Puzzle
	quad   *[4]vision.Point
}

// calibrateCells learns a look of a family's boards of cells and writes its
// profile: nothing unless most of the screenshots are read back with it.
func (a *Calibrator) calibrateCells(family, out, truth string, names []string) error {
	game, err := a.cellGame(family)
	if err != nil {
		return err
	}
	look, err := calibrations.Load(family + "-cells")
	if err != nil {
		return err
	}
	done := sync.OnceFunc(a.Progress.During(fmt.Sprintf("learning from %d screenshots", len(names))))
	defer done()
	shots, err := a.cellShots(game, truth, names)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(out, calibrations.File)); err == nil {
		if look, err = calibrations.Load(out + string(filepath.Separator)); err != nil {
			return err
		}
		if look.Family != family {
			return fmt.Errorf("%s is a look of %s, want %s", out, look.Family, family)
		}
		before, err := keptCells(game, out)
		if err != nil {
			return err
		}
		shots = append(before, shots...)
	}
	old := *look
	lessons, err := lessonsOf(game, &old, shots, truth != "")
	if err != nil {
		return fmt.Errorf("nothing written: %w", err)
	}
	cells := *look.Cells
	look.Cells, look.Name = &cells, filepath.Base(filepath.Clean(out))
	if game.Teach != nil {
		if err := game.Teach(look, lessons); err != nil {
			return fmt.Errorf("nothing written: %w", err)
		}
	}
	back, refused := 0, []string(nil)
	for _, s := range shots {
		why, misread := readBack(game, look, s)
		if misread {
			return fmt.Errorf("nothing written: with what was learned %s is read as another board than it shows: %s", s.name, why)
		}
		if why != "" {
			refused = append(refused, fmt.Sprintf("%s: %s", s.name, why))
			continue
		}
		back++
	}
	if 2*back <= len(shots) {
		return fmt.Errorf("nothing written: %d of %d screenshots are read back with what was learned: %s", back, len(shots), strings.Join(refused, "; "))
	}
	if err := writeCells(out, look, shots, back); err != nil {
		return err
	}
	done()
	fmt.Fprintf(a.Out, "%s: %d of %d screenshots read back\n", filepath.Join(out, calibrations.File), back, len(shots))
	for _, why := range refused {
		fmt.Fprintf(a.Out, "not read back: %s\n", why)
	}
	if game.Learned != nil {
		fmt.Fprintf(a.Out, "learned: %s\n", strings.Join(game.Learned(look), "; "))
	}
	return nil
}

// cellGame is the family's game, if its boards are of cells.
func (a *Calibrator) cellGame(family string) (*see.Game, error) {
	list := a.Games.List
	var names []string
	for i := range list {
		if list[i].Scan == nil {
			continue
		}
		if list[i].Name == family {
			return &list[i], nil
		}
		names = append(names, list[i].Name)
	}
	return nil, misuse.Errorf("no looks of %q can be learned, want one of %s", family, strings.Join(names, ", "))
}

// cellShots loads screenshots with what a file of lines as read --json prints them
// tells of each; without one they show what they are read as.
func (a *Calibrator) cellShots(game *see.Game, truth string, names []string) ([]cellShot, error) {
	told := map[string][]cellTruth{}
	if truth != "" {
		var err error
		if told, err = readCellTruth(game, truth); err != nil {
			return nil, err
		}
	}
	var shots []cellShot
	for _, name := range names {
		m, err := intake.LoadPicture(a.In, name)
		if err != nil {
			return nil, err
		}
		s := cellShot{name: name, frame: grid.NewScene(m).Frame, boards: told[filepath.Base(name)]}
		if truth != "" && s.boards == nil {
			return nil, fmt.Errorf("%s: it has no line for %s", truth, name)
		}
		shots = append(shots, s)
	}
	return shots, nil
}

// readCellTruth reads what screenshots show, by the name of the picture.
func readCellTruth(game *see.Game, file string) (map[string][]cellTruth, error) {
	told := map[string][]cellTruth{}
	err := eachTruth(file, func(where, image string, boards []struct {
		Quad *[4][2]float64
		Text string
	}) error {
		if len(boards) == 0 {
			return fmt.Errorf("%s names no image or no board", where)
		}
		for _, b := range boards {
			list, err := cellPuzzles(game, []byte(b.Text))
			if err != nil || len(list) != 1 {
				return fmt.Errorf("%s: want the text of one board, got %d: %v", where, len(list), err)
			}
			told[image] = append(told[image], cellTruth{puzzle: list[0], quad: quadOf(b.Quad)})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return told, nil
}

func cellPuzzles(game *see.Game, text []byte) (list []solve.Puzzle, err error) {
	for p, err := range game.Formats[0].Decode(bytes.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, nil
}

// keptCells are the screenshots of a profile's folder with what must be read from
// each.
func keptCells(game *see.Game, folder string) ([]cellShot, error) {
	frames, err := filepath.Glob(filepath.Join(folder, "frame-*.png"))
	if err != nil {
		return nil, err
	}
	var shots []cellShot
	for _, name := range frames {
		m, err := openPNG(name)
		if err != nil {
			return nil, err
		}
		text, err := whole.Read(wantName(name))
		if err != nil {
			return nil, err
		}
		list, err := cellPuzzles(game, text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", wantName(name), err)
		}
		s := cellShot{name: name, frame: grid.NewScene(m).Frame, kept: true}
		for _, p := range list {
			s.boards = append(s.boards, cellTruth{puzzle: p})
		}
		shots = append(shots, s)
	}
	return shots, nil
}

// lessonsOf says where the boards are that the screenshots show, which it also
// finds where nobody told: told is false where screenshots show what they are read
// as.
func lessonsOf(game *see.Game, look *calibrations.Profile, shots []cellShot, told bool) ([]grid.Lesson, error) {
	var lessons []grid.Lesson
	for i := range shots {
		s := &shots[i]
		var read []see.Reading
		if !told && !s.kept || slices.ContainsFunc(s.boards, func(t cellTruth) bool { return t.quad == nil }) {
			read = readCells(game, look, s.frame)
		}
		if !told && !s.kept {
			for _, r := range read {
				s.boards = append(s.boards, cellTruth{r.Puzzle, &r.Board.Quad})
			}
			if len(s.boards) == 0 {
				return nil, fmt.Errorf("%s is not read without help: say with --truth what it shows", s.name)
			}
		}
		scene := grid.NewScene(s.frame)
		for k := range s.boards {
			t := &s.boards[k]
			if t.quad == nil {
				j := slices.IndexFunc(read, func(r see.Reading) bool { return solve.Same(r.Puzzle, t.puzzle) })
				if j < 0 && !s.kept {
					return nil, fmt.Errorf("%s: its board was not found: say with \"quad\" in --truth where it is", s.name)
				}
				if j < 0 {
					continue // it was not read back when it was kept, either
				}
				t.quad = &read[j].Board.Quad
			}
			lessons = append(lessons, grid.Lesson{Scene: scene, Quad: *t.quad, Puzzle: t.puzzle})
		}
	}
	return lessons, nil
}

// seeCells is what one look makes of a frame.
func seeCells(game *see.Game, look *calibrations.Profile, frame image.Image) []see.Reading {
	model, err := posterior.Fitted()
	if err != nil {
		return nil
	}
	eye := &see.Eye{Games: []see.Game{*game}, Profiles: []*calibrations.Profile{look}, Model: model}
	sight, err := eye.Look(frame, see.Millis{})
	if err != nil {
		return nil
	}
	return sight.Readings
}

// readCells reads the boards of a frame with one look.
func readCells(game *see.Game, look *calibrations.Profile, frame image.Image) []see.Reading {
	return slices.DeleteFunc(slices.Clone(seeCells(game, look, frame)), func(r see.Reading) bool { return r.Err != nil })
}

// readBack tells why a screenshot is not read as what it shows, "" where it is; misread says
// that a board is read where it shows another.
func readBack(game *see.Game, look *calibrations.Profile, s cellShot) (why string, misread bool) {
	seen := seeCells(game, look, s.frame)
	for _, t := range s.boards {
		if slices.ContainsFunc(seen, func(r see.Reading) bool { return r.Err == nil && solve.Same(r.Puzzle, t.puzzle) }) {
			continue
		}
		if why == "" {
			why = "no board found"
		}
		for _, r := range seen {
			switch {
			case r.Err == nil && t.quad != nil && within(r.Board, *t.quad):
				text, _ := r.Puzzle.MarshalText()
				return fmt.Sprintf("got %q", text), true
			case r.Err != nil:
				why = r.Err.Error()
			}
		}
	}
	return why, false
}

// within tells whether a board's middle lies in a box.
func within(b *vision.Board, quad [4]vision.Point) bool {
	var at vision.Point
	low, high := quad[0], quad[0]
	for k, q := range quad {
		at.X, at.Y = at.X+b.Quad[k].X/4, at.Y+b.Quad[k].Y/4
		low, high = vision.Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}, vision.Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
	}
	return at.X > low.X && at.X < high.X && at.Y > low.Y && at.Y < high.Y
}

// writeCells writes a profile's folder; the profile itself last, since without it
// the folder is none.
func writeCells(folder string, look *calibrations.Profile, shots []cellShot, back int) error {
	return whole.WriteFolder(folder, calibrations.File, func(stage string) error {
		return stageCells(folder, stage, look, shots, back)
	})
}

// stageCells writes what is new of a profile's folder into another.
func stageCells(folder, stage string, look *calibrations.Profile, shots []cellShot, back int) error {
	for _, s := range shots {
		if s.kept {
			continue
		}
		frame, err := newFrame(folder, stage)
		if err != nil {
			return err
		}
		if err := whole.WritePicture(frame, s.frame); err != nil {
			return err
		}
		var want bytes.Buffer
		for k, t := range s.boards {
			text, err := t.puzzle.MarshalText()
			if err != nil {
				return err
			}
			if k > 0 {
				want.WriteString("\n")
			}
			want.Write(append(bytes.TrimRight(text, "\n"), '\n'))
		}
		if err := os.WriteFile(wantName(frame), want.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if err := calibrations.WriteMasks(look, stage); err != nil {
		return err
	}
	text, err := calibrations.Write(look, fmt.Sprintf("Learned from %d screenshots, %d of which are read back.", len(shots), back))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(stage, calibrations.File), text, 0o644)
}

// KeepGoal keeps what is wanted of a board as a look of its colours.
func KeepGoal(r see.Reading, frame *image.RGBA, puzzle solve.Puzzle, goal string) (file string, err error) {
	dir, err := calibrations.UserFolder()
	if err != nil {
		return "", err
	}
	look, cells := *r.Profile, *r.Profile.Cells
	look.Cells = &cells
	quad := r.Board.Quad
	shot := cellShot{frame: frame, boards: []cellTruth{{puzzle, &quad}}}
	if err := r.Game.Teach(&look, []grid.Lesson{{Scene: grid.NewScene(frame), Quad: quad, Puzzle: puzzle}}); err != nil {
		return "", err
	}
	if look.Cells.Goal = goal; len(look.Cells.Lit) == 0 || len(look.Cells.Dark) == 0 {
		return "", errors.New("one picture of it does not tell its look from others'")
	}
	var folder string
	for n := 1; ; n++ {
		look.Name = fmt.Sprintf("%s-wanted-%s-%d", r.Game.Name, goal, n)
		if folder = filepath.Join(dir, look.Name); !there(folder) {
			break
		}
	}
	if why, _ := readBack(r.Game, &look, shot); why != "" {
		return "", fmt.Errorf("it is not read back: %s", why)
	}
	return filepath.Join(folder, calibrations.File), writeCells(folder, &look, []cellShot{shot}, 1)
}

func there(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
