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
	"onlooker/solve/solvetest"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
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

// clickThrough clicks on rings, and counts the places that are left.
func (m *mender) clickThrough() (left int, err error) {
	want := m.says(m.shown)
	if err := m.mendRings(want); err != nil {
		return 0, err
	}
	for at, s := range m.says(m.Puzzle) {
		if s != want[at] {
			left++
		}
	}
	return left, nil
}

// says is what stands in the places of a board.
func (m *mender) says(p solve.Puzzle) map[image.Point]string {
	all := map[image.Point]string{}
	for _, at := range m.Game.Editor.Places(p) {
		says, _, _ := strings.Cut(at.Says, ", wanted") // one choice for all
		if panel := panels.Of(p); panel != nil {
			says = labelled(panel, at.At)
		}
		all[at.At] = says
	}
	return all
}

// labelled is what a panel has in a place, without colours, and whose line a dot is of.
func labelled(p *panels.Panel, at image.Point) string {
	q := *p.At(at)
	q.Colour, q.Dot.Line, q.Dot.Colour = "", panels.AnyLine, ""
	if q.IsEnd() {
		q.Cap = image.Pt(1, 0)
	}
	return forms.Describe(at, &q)
}

func (m *mender) put(g see.Guess) error {
	p, err := see.Put(m.Game.Editor, m.Puzzle, g)
	if err == nil {
		m.Puzzle = p
	}
	return err
}

// guessed is what a guess puts into a place.
func (m *mender) guessed(g see.Guess, at image.Point) string {
	g.At = []image.Point{at}
	p, err := see.Put(m.Game.Editor, m.Puzzle, g)
	if err != nil {
		return "?"
	}
	return m.says(p)[at]
}

func (m *mender) mend() error {
	want := m.says(m.shown)
	if err := m.mendRings(want); err != nil {
		return err
	}
	return m.byTools(want)
}

// mendRings clicks on rings.
func (m *mender) mendRings(want map[image.Point]string) error {
	touched := map[image.Point]bool{}
	for _, r := range m.Rings {
		for range r.Guesses {
			now := m.says(m.Puzzle)
			guess := slices.IndexFunc(r.Guesses, func(g see.Guess) bool { return m.guessed(g, r.At) == want[r.At] })
			if now[r.At] == want[r.At] || len(r.Guesses) < 2 || guess < 0 {
				break
			}
			g := r.Guesses[guess]
			if guess >= 14 { // it is offered in no words
				k := slices.IndexFunc(r.Guesses, func(g see.Guess) bool { return m.guessed(g, r.At) == now[r.At] })
				g = r.Guesses[(k+1)%len(r.Guesses)]
			}
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
	return nil
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
		done, before := false, m.Puzzle
		for _, clear := range []bool{false, true} { // what stands there may have to go first
			var edits []solve.Edit
			if clear {
				edits = []solve.Edit{{Tool: "clear", At: []image.Point{at}}}
			}
			for _, t := range editor.Tools(before) {
				if done || t.Takes != 1 {
					continue
				}
				p, err, all := before, error(nil), append(slices.Clone(edits), solve.Edit{Tool: t.Name, At: []image.Point{at}})
				for _, e := range all {
					if err == nil {
						p, err = editor.Do(p, e)
					}
				}
				if done = err == nil && m.says(p)[at] == says; !done {
					continue
				}
				for _, e := range all {
					if err := use(e); err != nil {
						return err
					}
				}
			}
		}
		if !done {
			return fmt.Errorf("no tool puts %q at %v, where %q stands", says, at, m.says(m.Puzzle)[at])
		}
	}
	return nil
}

// A refusal is a picture with what one of its boards shows.
type refusal struct {
	game  *see.Game
	shown solve.Puzzle
	quad  [4]vision.Point
}

// off counts the corners and sides of an outline that are not the board's.
func (r *refusal) off(o see.Outline) (n int) {
	cols, rows := r.shown.(solve.Describer).Size()
	for i, got := range []int{o.Cols, o.Rows} {
		if got != []int{cols, rows}[i] {
			n++
		}
	}
	pitch := (r.quad[1].X - r.quad[0].X) / float64(cols)
	for i, p := range o.Quad {
		if p.Dist(r.quad[i]) > 0.2*pitch {
			n++
		}
	}
	return n
}

// outlined is where a person has the board, beginning with what a look gives, and how many
// corrections that takes: the family, a box, sizes and corners.
func (r *refusal) outlined(eye *see.Eye, frame *image.RGBA) (o see.Outline, n int, err error) {
	sight, err := eye.Look(frame, see.Millis{})
	if err != nil {
		return o, 0, err
	}
	size := frame.Rect.Size()
	box := func(x, y, u, v float64) [4]vision.Point {
		x, y, u, v = max(x, 0), max(y, 0), min(u, float64(size.X-1)), min(v, float64(size.Y-1))
		return [4]vision.Point{{X: x, Y: y}, {X: u, Y: y}, {X: u, Y: v}, {X: x, Y: v}}
	}
	o = eye.Found(frame, see.Outline{Game: r.game, Quad: box(0, 0, float64(size.X), float64(size.Y))})
	n++ // another family
	for _, seen := range slices.Backward(sight.Readings) {
		at := see.Outline{Game: r.game, Quad: seen.Board.Quad, Cols: seen.Board.Cols, Rows: seen.Board.Rows}
		if seen.Game.Name != r.game.Name {
			continue
		}
		if r.off(at) <= r.off(o) {
			o, n = at, 0
		}
	}
	if r.off(o) > 0 {
		edge := 0.04 * (r.quad[2].X - r.quad[0].X)
		drawn := eye.Found(frame, see.Outline{Game: r.game, Quad: box(r.quad[0].X-edge, r.quad[0].Y-edge, r.quad[2].X+edge, r.quad[2].Y+edge)})
		if r.off(drawn)+1 < r.off(o) {
			o, n = drawn, n+1
		}
	}
	if k := r.off(o); k > 0 {
		cols, rows := r.shown.(solve.Describer).Size()
		o, n = see.Outline{Game: r.game, Quad: r.quad, Cols: cols, Rows: rows}, n+k
	}
	return o, n, nil
}

// mended is the draft of a picture's board, put right.
func (r *refusal) mended(eye *see.Eye, frame *image.RGBA) (m *mender, outline int, err error) {
	o, n, err := r.outlined(eye, frame)
	if err != nil {
		return nil, n, err
	}
	d, err := eye.Draft(frame, o)
	if err != nil {
		return nil, n, err
	}
	m = &mender{Draft: d, shown: r.shown}
	return m, n, m.mend()
}

// TestDraftsOfScreens puts the drafts right of shared screens that are not read, beginning with
// what a look gives: none is a dead end, and few corrections are enough.
func TestDraftsOfScreens(t *testing.T) {
	games := &intake.Games{List: games.Of()}
	eye := solvetest.Must(games.PictureEye("auto"))(t)
	for _, row := range []struct {
		family, name string
		most         int // corrections
	}{
		{"flow", "du01.png", 0}, {"flow", "du07.png", 2}, {"flow", "du12.png", 10}, {"flow", "pz14.png", 14}, {"alcazar", "ps06.png", 10},
		{"alcazar", "ps02.png", 12}, {"switches", "lo17.png", 9},
	} {
		dir, told := screensOf(t, row.family)
		of := told[row.name]
		frame, err := intake.LoadPicture(nil, filepath.Join(dir, row.name))
		solvetest.OK(t, err)
		r := refusal{game: games.Find(row.family)}
		if r.shown, err = r.game.Parse(of.Boards[0].Text); err != nil {
			t.Fatal(err)
		}
		b := of.Boards[0].Box
		x, y, u, v := b[0], b[1], b[0]+b[2], b[1]+b[3]
		r.quad = [4]vision.Point{{X: x, Y: y}, {X: u, Y: y}, {X: u, Y: v}, {X: x, Y: v}}
		m, outline, err := r.mended(eye, frame)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		t.Logf("%s: %v; %d for its outline, %d rings, %d clicks on them, %d with tools", row.name, m.Why, outline, len(m.Rings), m.rings, m.tools)
		if all := outline + m.rings + m.tools; all > row.most {
			t.Errorf("%s: %d corrections, want at most %d", row.name, all, row.most)
		}
	}
}

// TestDraftsOfLooks clicks through the rings of panels in shared looks of which nothing is known:
// few places are left that no ring says, and tools put these right.
func TestDraftsOfLooks(t *testing.T) {
	games := &intake.Games{List: games.Of()}
	eye := solvetest.Must(games.PictureEye("auto"))(t)
	looks := lookLessons(t)
	for _, row := range []struct {
		set   string
		which int
		// Corrections of the outline, clicks on rings, and places that are left.
		most [3]int
	}{
		{"worksheet-test", 2, [3]int{0, 3, 0}}, {"chalk-test", 2, [3]int{2, 7, 2}}, {"blueprint-test", 1, [3]int{1, 4, 1}}, {"blueprint-test", 2, [3]int{1, 7, 0}},
	} {
		l := looks[row.set][row.which-1]
		l.game = games.Find("witness")
		name := filepath.Base(l.file)
		frame := solvetest.Must(intake.LoadPicture(nil, l.file))(t)
		o, outline, err := l.outlined(eye, frame)
		solvetest.OK(t, err)
		d, err := eye.Draft(frame, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := &mender{Draft: d, shown: l.shown}
		left, err := m.clickThrough()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: %d for its outline, %d rings, %d clicks, %d places left", name, outline, len(d.Rings), m.rings, left)
		if err := m.byTools(m.says(l.shown)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%d uses of tools", m.tools)
		if got := [3]int{outline, m.rings, left}; got[0] > row.most[0] || got[1] > row.most[1] || got[2] > row.most[2] {
			t.Errorf("%s: %v, want at most %v", name, got, row.most)
		}
	}
}
