package calibrate

import (
	"encoding/json"
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
	"onlooker/cmd/internal/cli"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/form"
	"onlooker/vision/posterior"
)

// calibrateCells learns a look of a family's boards of cells and writes its
// profile: nothing unless most of the screenshots are read back with it.
func (a *Calibrator) calibrateCells(family, out, truth string, names []string) error {
	game, err := a.cellGame(family)
	if err != nil {
		return err
	}
	done := sync.OnceFunc(a.Progress.During("learning from " + cli.Counted(len(names), "screenshot")))
	defer done()
	shots, err := a.shots(truth, names, "text", func(told json.RawMessage) (solve.Puzzle, error) {
		var text string
		if err := json.Unmarshal(told, &text); err != nil {
			return nil, solve.JSONError(err)
		}
		return game.Parse(text)
	})
	if err != nil {
		return err
	}
	look, shots, back, refused, err := a.learnCells(game, out, shots, truth != "")
	if err != nil {
		return fmt.Errorf("nothing written: %w", err)
	}
	if err := writeCells(out, look, shots, back); err != nil {
		return err
	}
	done()
	fmt.Fprintf(a.Out, "%s: %d of %s read back\n", filepath.Join(out, calibrations.File), back, cli.Counted(len(shots), "screenshot"))
	for _, why := range refused {
		fmt.Fprintf(a.Out, "not read back: %s\n", why)
	}
	if game.Learned != nil {
		fmt.Fprintf(a.Out, "learned: %s\n", strings.Join(game.Learned(look), "; "))
	}
	return nil
}

// learnCells learns the look of a folder from its screenshots and others, told or as they are
// read, and says how many are read back by it and which are not.
func (a *Calibrator) learnCells(game *see.Game, out string, shots []shot, told bool) (look *calibrations.Profile, all []shot, back int, refused []string, err error) {
	if look, err = calibrations.Load(game.Name + "-cells"); err != nil {
		return nil, nil, 0, nil, err
	}
	if there(filepath.Join(out, calibrations.File)) {
		if look, err = calibrations.Load(out + string(filepath.Separator)); err != nil {
			return nil, nil, 0, nil, err
		}
		if look.Family != game.Name {
			return nil, nil, 0, nil, fmt.Errorf("%s is a look of %s, want %s", out, look.Family, game.Name)
		}
	}
	before, err := kept(game.Family, out)
	if err != nil {
		return nil, nil, 0, nil, err
	}
	shots = append(before, shots...)
	for i := range shots {
		shots[i].frame = grid.NewScene(shots[i].frame).Frame
	}
	old := *look
	lessons, err := lessonsOf(game, &old, shots, told)
	if err != nil {
		return nil, nil, 0, nil, err
	}
	cells := *look.Cells
	look.Cells, look.Name = &cells, filepath.Base(filepath.Clean(out))
	if game.Teach != nil {
		if err := game.Teach(look, lessons); err != nil {
			return nil, nil, 0, nil, err
		}
	}
	for _, s := range shots {
		why, misread := readBack(game, look, s)
		if misread {
			return nil, nil, 0, nil, fmt.Errorf("with what was learned %s is read as another board than it shows: %s", s.name, why)
		}
		if why != "" {
			refused = append(refused, fmt.Sprintf("%s: %s", s.name, why))
			continue
		}
		back++
	}
	if 2*back <= len(shots) {
		return nil, nil, 0, nil, fmt.Errorf("%d of %d screenshots are read back with what was learned: %s", back, len(shots), strings.Join(refused, "; "))
	}
	return look, shots, back, refused, nil
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
	return nil, cli.Misusef("no looks of %q can be learned, want one of %s", family, strings.Join(names, ", "))
}

// lessonsOf says where the boards are that the screenshots show, which it also
// finds where nobody told: told is false where screenshots show what they are read
// as.
func lessonsOf(game *see.Game, look *calibrations.Profile, shots []shot, told bool) ([]form.Lesson, error) {
	var lessons []form.Lesson
	for i := range shots {
		s := &shots[i]
		var read []see.Reading
		if !told && !s.kept || slices.ContainsFunc(s.boards, func(t boardTruth) bool { return t.quad == nil }) {
			read = readCells(game, look, s.frame)
		}
		if !told && !s.kept {
			for _, r := range read {
				s.boards = append(s.boards, boardTruth{r.Puzzle, &r.Board.Quad})
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
			lessons = append(lessons, form.Lesson{Scene: scene, Quad: *t.quad, Puzzle: t.puzzle})
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
func readBack(game *see.Game, look *calibrations.Profile, s shot) (why string, misread bool) {
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
func writeCells(folder string, look *calibrations.Profile, shots []shot, back int) error {
	return cli.WriteFolder(folder, calibrations.File, func(stage string) error {
		return stageCells(folder, stage, look, shots, back)
	})
}

// stageCells writes what is new of a profile's folder into another.
func stageCells(folder, stage string, look *calibrations.Profile, shots []shot, back int) error {
	for _, s := range shots {
		if s.kept {
			continue
		}
		if err := s.stage(folder, stage); err != nil {
			return err
		}
	}
	return stageLook(stage, look, fmt.Sprintf("Learned from %d screenshots, %d of which are read back.", len(shots), back))
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
	shown := shot{frame: frame, boards: []boardTruth{{puzzle, &quad}}}
	if err := r.Game.Teach(&look, []form.Lesson{{Scene: grid.NewScene(frame), Quad: quad, Puzzle: puzzle}}); err != nil {
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
	if why, _ := readBack(r.Game, &look, shown); why != "" {
		return "", fmt.Errorf("it is not read back: %s", why)
	}
	return filepath.Join(folder, calibrations.File), writeCells(folder, &look, []shot{shown}, 1)
}

func there(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
