package main

import (
	"cmp"
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/vision"
)

// A mender puts a draft right as a person does who sees what the picture shows: a click on each
// ring until it is right, and the editor's tools where no ring is.
type mender struct {
	*see.Draft
	shown solve.Puzzle
	rings int // clicks on rings
	tools int // uses of tools, and choices of one
}

// says is what stands in the places of a board.
func (m *mender) says(p solve.Puzzle) map[image.Point]string {
	all := map[image.Point]string{}
	for _, at := range m.Game.Editor.Places(p) {
		says, _, _ := strings.Cut(at.Says, ", wanted") // one choice for all
		all[at.At] = says
	}
	return all
}

func (m *mender) put(g see.Guess) error {
	p, err := see.Put(m.Game.Editor, m.Puzzle, g)
	if err == nil {
		m.Puzzle = p
	}
	return err
}

func (m *mender) mend() error {
	want := m.says(m.shown)
	touched := map[image.Point]bool{}
	for _, r := range m.Rings {
		for range r.Guesses {
			now := m.says(m.Puzzle)
			if now[r.At] == want[r.At] || len(r.Guesses) < 2 || !slices.ContainsFunc(r.Guesses, func(g see.Guess) bool { return g.Says == want[r.At] }) {
				break
			}
			k := slices.IndexFunc(r.Guesses, func(g see.Guess) bool { return g.Says == now[r.At] })
			g := r.Guesses[(k+1)%len(r.Guesses)]
			g.At = slices.DeleteFunc(slices.Clone(r.Alike), func(at image.Point) bool {
				return at != r.At && (touched[at] || now[at] != now[r.At])
			})
			m.rings++
			if err := m.put(g); err != nil {
				return err
			}
		}
		touched[r.At] = true
	}
	return m.byTools(want)
}

// byTools puts right what is left.
func (m *mender) byTools(want map[image.Point]string) error {
	editor, used := m.Game.Editor, map[string]bool{}
	use := func(e solve.Edit) error {
		if !used[e.Tool] {
			used[e.Tool] = true
			m.tools++
		}
		m.tools++
		p, err := editor.Do(m.Puzzle, e)
		if err == nil {
			m.Puzzle = p
		}
		return err
	}
	pairs := func(says map[image.Point]string) map[string][]image.Point {
		out := map[string][]image.Point{}
		for at, s := range says {
			if strings.HasPrefix(s, "end ") && strings.Count(s, " ") == 1 && m.Game.Name == "flow" {
				out[s] = append(out[s], at)
			}
		}
		for _, at := range out {
			slices.SortFunc(at, func(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
		}
		return out
	}
	right := pairs(want)
	has := func(list map[string][]image.Point, pair []image.Point) bool {
		for _, o := range list {
			if slices.Equal(o, pair) {
				return true
			}
		}
		return false
	}
	for _, pair := range pairs(m.says(m.Puzzle)) {
		if !has(right, pair) {
			if err := use(solve.Edit{Tool: "clear", At: pair[:1]}); err != nil {
				return err
			}
		}
	}
	for _, pair := range right {
		if !has(pairs(m.says(m.Puzzle)), pair) {
			if err := use(solve.Edit{Tool: "ends", At: pair}); err != nil {
				return err
			}
		}
	}
	for at, says := range want {
		if strings.HasPrefix(says, "end ") && m.Game.Name == "flow" || m.says(m.Puzzle)[at] == says {
			continue
		}
		done := false
		for _, t := range editor.Tools(m.Puzzle) {
			if done || t.Takes != 1 {
				continue
			}
			before := m.Puzzle
			if p, err := editor.Do(m.Puzzle, solve.Edit{Tool: t.Name, At: []image.Point{at}}); err == nil {
				m.Puzzle = p
				if done = m.says(p)[at] == says; done {
					m.Puzzle = before
					if err := use(solve.Edit{Tool: t.Name, At: []image.Point{at}}); err != nil {
						return err
					}
					continue
				}
			}
			m.Puzzle = before
		}
		if !done {
			return fmt.Errorf("no tool puts %q at %v, where %q stands", says, at, m.says(m.Puzzle)[at])
		}
	}
	return nil
}

// drafted is the draft of a board in an outline that is told, put right; why is what cannot be.
func drafted(frame *image.RGBA, game *see.Game, shown solve.Puzzle, quad [4]vision.Point, cols, rows int) (*mender, error) {
	list := &intake.Games{List: games.Of()}
	eye, err := list.PictureEye("auto")
	if err != nil {
		return nil, err
	}
	d, err := eye.Draft(frame, see.Outline{Game: game, Quad: quad, Cols: cols, Rows: rows})
	if err != nil {
		return nil, err
	}
	m := &mender{Draft: d, shown: shown}
	return m, m.mend()
}

// TestDraftsOfScreens puts the drafts right of shared screens that are not read, and of some that
// are: none is a dead end.
func TestDraftsOfScreens(t *testing.T) {
	list := games.Of()
	for _, row := range []struct {
		family, name string
		most         int // corrections
	}{
		{"flow", "du01.png", 10}, {"flow", "du07.png", 10}, {"flow", "du12.png", 10},
		{"alcazar", "ps06.png", 10},
	} {
		dir, told := screensOf(t, row.family)
		k := slices.IndexFunc(list, func(g see.Game) bool { return g.Name == row.family })
		of, ok := told[row.name]
		if !ok {
			t.Logf("no %s", row.name)
			continue
		}
		shown, err := list[k].Parse(of.Boards[0].Text)
		if err != nil {
			t.Fatal(err)
		}
		frame, err := intake.LoadPicture(nil, filepath.Join(dir, row.name))
		if err != nil {
			t.Fatal(err)
		}
		b := of.Boards[0].Box
		x, y, u, v := b[0], b[1], b[0]+b[2], b[1]+b[3]
		cols, rows := shown.(solve.Describer).Size()
		m, err := drafted(frame, &list[k], shown, [4]vision.Point{{X: x, Y: y}, {X: u, Y: y}, {X: u, Y: v}, {X: x, Y: v}}, cols, rows)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		t.Logf("%s: %v; %d rings, %d clicks on them, %d with tools", row.name, m.Why, len(m.Rings), m.rings, m.tools)
		if m.rings+m.tools > row.most {
			t.Errorf("%s: %d corrections, want at most %d", row.name, m.rings+m.tools, row.most)
		}
	}
}
