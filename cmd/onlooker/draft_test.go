package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/witness/learn"
)

// A mender puts a draft right as a person does who sees what the picture shows: a click on each
// ring until it is right, and the editor's tools where no ring is.
type mender struct {
	*see.Draft
	shown solve.Puzzle
	rings int                                    // clicks on rings
	tools int                                    // uses of tools, and choices of one
	does  func(solve.Edit) (solve.Puzzle, error) // in a page; nil: the editor does
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
		var p solve.Puzzle
		var err error
		if m.does != nil {
			p, err = m.does(e)
		} else {
			p, err = editor.Do(m.Puzzle, e)
		}
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
		solvetest.Fine(t, err, name)
		t.Logf("%s: %d for its outline, %d rings, %d clicks, %d places left", name, outline, len(d.Rings), m.rings, left)
		solvetest.Fine(t, m.byTools(m.says(l.shown)), name)
		t.Logf("%d uses of tools", m.tools)
		if got := [3]int{outline, m.rings, left}; got[0] > row.most[0] || got[1] > row.most[1] || got[2] > row.most[2] {
			t.Errorf("%s: %v, want at most %v", name, got, row.most)
		}
	}
}

// A pupil is a page that is taught looks of panels as a browser has it: a picture is looked at,
// its draft is opened and put right, and the board is learned.
type pupil struct {
	*testing.T
	page http.Handler
	game *see.Game
}

// newPupil is a page of somebody who has no looks but those in a folder; "": none.
func newPupil(t *testing.T, looks string) *pupil {
	t.Helper()
	if looks == "" {
		looks = t.TempDir()
	}
	t.Setenv("XDG_CONFIG_HOME", looks)
	list := &intake.Games{List: games.Of()}
	return &pupil{t, testPage(t, filepath.Join(t.TempDir(), "store.sqlite")), list.Find("witness")}
}

// post sends a picture, and takes the first line of the answer.
func (p *pupil) post(to string, of any, file string, into any) (refused string) {
	p.Helper()
	data := solvetest.Must(os.ReadFile(file))(p)
	if of != nil {
		to += "?of=" + url.QueryEscape(quoted(of))
	}
	r := httptest.NewRequest("POST", to, bytes.NewReader(data))
	r.Host = "127.0.0.1:9"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	p.page.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return w.Body.String()
	}
	solvetest.OK(p, json.NewDecoder(w.Body).Decode(into), to)
	return ""
}

// A lesson is a picture of a panel and what it shows.
type lesson struct {
	file string
	refusal
}

// A drafted is a board as the page sees it.
type drafted struct {
	Family string
	Status string
	Text   string
	Quad   [4][2]float64
	Cols   int
	Rows   int
}

func (d *drafted) outline(g *see.Game) see.Outline {
	o := see.Outline{Game: g, Cols: d.Cols, Rows: d.Rows}
	for i, q := range d.Quad {
		o.Quad[i] = vision.Point{X: q[0], Y: q[1]}
	}
	return o
}

// sight is what the page sees of a panel, and how it is read: exact, unsure or WRONG.
func (p *pupil) sight(l *lesson) (here *drafted, verdict string) {
	p.Helper()
	var s struct{ Boards []drafted }
	if refused := p.post("/api/look", nil, l.file, &s); refused != "" {
		p.Fatal(refused)
	}
	verdict = "unsure"
	for i := range s.Boards {
		b := &s.Boards[i]
		if b.Family != p.game.Name {
			continue
		}
		if b.Status == "read" {
			got := solvetest.Must(p.game.Parse(b.Text))(p)
			verdict = "exact"
			if d := learn.DifferShown(panels.Of(l.shown), panels.Of(got)); d != "" {
				p.Logf("%s is WRONG: %s", filepath.Base(l.file), d)
				verdict = "WRONG"
			}
		}
		if here == nil || l.off(b.outline(p.game)) < l.off(here.outline(p.game)) {
			here = b
		}
	}
	return here, verdict
}

// teach puts the draft of a picture right and has it learned; it gives the number of corrections,
// and what the page says of it.
func (p *pupil) teach(l *lesson, look string) (corrections int, said string) {
	p.Helper()
	at, verdict := p.sight(l)
	if at == nil || l.off(at.outline(p.game)) > 0 { // a person says where it is
		o := l.quad
		cols, rows := l.shown.(solve.Describer).Size()
		corrections += 4
		if at != nil {
			corrections = l.off(at.outline(p.game))
		}
		at = &drafted{Family: p.game.Name, Cols: cols, Rows: rows}
		for i, q := range o {
			at.Quad[i] = [2]float64{q.X, q.Y}
		}
	}
	outline := map[string]any{"family": p.game.Name, "quad": at.Quad, "cols": at.Cols, "rows": at.Rows}
	text := solvetest.Must(l.shown.MarshalText())(p)
	if verdict != "exact" {
		corrections += p.put(l, outline)
	}
	config := solvetest.Must(intake.LoadPicture(nil, l.file))(p)
	var learned struct{ Said string }
	of := map[string]any{"family": p.game.Name, "text": string(text), "cols": config.Rect.Dx(), "rows": config.Rect.Dy(), "outline": outline, "look": look}
	if refused := p.post("/api/learn", of, l.file, &learned); refused != "" {
		return corrections, refused
	}
	return corrections, learned.Said
}

// put is how many corrections a draft takes: clicks on rings, and two for each place that none says.
func (p *pupil) put(l *lesson, outline any) int {
	p.Helper()
	var d struct {
		Text  string
		Rings []struct {
			At      [2]int
			Alike   [][2]int
			Guesses []struct {
				Tool   string
				Values map[string]string
				Says   string
			}
		}
	}
	if refused := p.post("/api/draft", outline, l.file, &d); refused != "" {
		p.Fatal(refused)
	}
	drawn := solvetest.Must(p.game.Parse(d.Text))(p)
	m := &mender{Draft: &see.Draft{Outline: see.Outline{Game: p.game}, Puzzle: drawn}, shown: l.shown}
	for _, r := range d.Rings {
		ring := see.Ring{At: image.Pt(r.At[0], r.At[1])}
		for _, a := range r.Alike {
			ring.Alike = append(ring.Alike, image.Pt(a[0], a[1]))
		}
		for _, g := range r.Guesses {
			ring.Guesses = append(ring.Guesses, see.Guess{Edit: solve.Edit{Tool: g.Tool, Values: g.Values}, Says: g.Says})
		}
		m.Rings = append(m.Rings, ring)
	}
	left := solvetest.Must(m.clickThrough())(p)
	return m.rings + 2*left
}

// lookLessons are the pictures of shared looks, by "LOOK-learn" and "LOOK-test".
func lookLessons(t *testing.T) map[string][]*lesson {
	t.Helper()
	folder := solvetest.Shared("looks", "pictures")
	data, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Skipf("no shared looks: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	all := map[string][]*lesson{}
	for line := range strings.Lines(string(data)) {
		var of struct {
			Image  string
			Boards []struct {
				Puzzle json.RawMessage
				Quad   [4][2]float64
			}
		}
		solvetest.OK(t, json.Unmarshal([]byte(line), &of))
		p := solvetest.Must(forms.DecodeJSON(of.Boards[0].Puzzle))(t)
		l := &lesson{file: filepath.Join(folder, of.Image), refusal: refusal{shown: witness.Of(p)}}
		for k, c := range of.Boards[0].Quad {
			l.quad[k] = vision.Point{X: c[0], Y: c[1]}
		}
		set := of.Image[:strings.LastIndexByte(of.Image, '-')]
		all[set] = append(all[set], l)
	}
	return all
}

// TestTaughtLooks teaches looks board by board in the page, and reads the next pictures of each: as
// many as with what calibrate --truth learns of as many pictures. A look that knows little yet takes
// nothing away that is read without it. Eight looks whole where ONLOOKER_MORE asks for it:
//
//	ONLOOKER_MORE=2 go test ./cmd/onlooker -run TaughtLooks -v -timeout 3h
func TestTaughtLooks(t *testing.T) {
	all := lookLessons(t)
	looks, after, next := []string{"neon"}, []int{2}, []int{1, 5} // which are read without the look, too
	if solvetest.More() > 1 {
		looks, after, next = nil, []int{1, 2, 4, 8}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		for set := range all {
			if look, ok := strings.CutSuffix(set, "-learn"); ok {
				looks = append(looks, look)
			}
		}
		slices.Sort(looks)
	}
	for _, look := range looks {
		t.Run(look, func(t *testing.T) {
			taught, test := all[look+"-learn"], all[look+"-test"]
			read := func(p *pupil) map[string]int {
				tally := map[string]int{}
				for _, n := range next {
					_, verdict := p.sight(test[n-1])
					tally[verdict]++
				}
				return tally
			}
			p, n, corrections := newPupil(t, t.TempDir()), 0, 0
			var page []map[string]int
			for _, k := range after {
				for ; n < k; n++ {
					c, said := p.teach(taught[n], look)
					corrections += c
					t.Logf("%s: %d corrections; %s", filepath.Base(taught[n].file), c, said)
				}
				page = append(page, read(p))
				t.Logf("%d boards, %d corrections: %v", k, corrections, page[len(page)-1])
			}
			for i, k := range after {
				looks := t.TempDir()
				q := newPupil(t, looks)
				args := []string{"calibrate", "--truth", solvetest.Shared("looks", "pictures", "truth.jsonl"), "-o", filepath.Join(looks, "onlooker", "calibrations", look)}
				for _, l := range taught[:k] {
					args = append(args, l.file)
				}
				_, errOut, _ := onlooker(t, "", args...)
				truth := read(q)
				t.Logf("calibrate --truth with %d: %v %.300s", k, truth, errOut)
				if page[i]["exact"] < truth["exact"] || page[i]["WRONG"] > truth["WRONG"] {
					t.Errorf("after %d boards the page reads %v, want as with --truth: %v", k, page[i], truth)
				}
			}
			if solvetest.More() == 1 && page[0]["exact"] < len(next) {
				t.Errorf("it reads %v, want all of %v: each is read without the look, too", page[0], next)
			}
			for i, k := range after {
				if page[i]["WRONG"] > 0 {
					t.Errorf("after %d boards the page reads %v, want none WRONG: what no exemplar is near is a doubt", k, page[i])
				}
			}
		})
	}
}

// TestHexagonalDraft: a board of hexagons of which something is covered comes as one of hexagons, whatever
// corner was dragged a little, and with the pairs that are seen.
func TestHexagonalDraft(t *testing.T) {
	games := &intake.Games{List: games.Of()}
	eye := solvetest.Must(games.PictureEye("auto"))(t)
	dir, told := screensOf(t, "flow")
	frame, err := intake.LoadPicture(nil, filepath.Join(dir, "ft_hexes.jpg"))
	solvetest.OK(t, err)
	r := refusal{game: games.Find("flow")}
	r.shown, err = r.game.Parse(told["ft_hexes.jpg"].Boards[0].Text)
	solvetest.OK(t, err)
	for _, row := range []struct {
		cover image.Rectangle
		most  int // corrections
	}{{image.Rect(440, 650, 590, 770), 0}, {image.Rect(400, 560, 750, 1060), 20}} {
		draw.Draw(frame, row.cover, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
		sight := solvetest.Must(eye.Look(frame, see.Millis{}))(t)
		if len(sight.Readings) == 0 || sight.Readings[0].Err == nil || !sight.Readings[0].Draftable() {
			t.Fatalf("%v: %d boards, want one that is refused and put right", row.cover, len(sight.Readings))
		}
		b := sight.Readings[0].Board
		for _, by := range []float64{0, 12} {
			o := see.Outline{Game: r.game, Quad: b.Quad, Cols: b.Cols, Rows: b.Rows}
			o.Quad[0].X += by
			d, err := eye.Draft(frame, o)
			solvetest.OK(t, err)
			if shape, _ := d.Puzzle.(*flow.Puzzle).Shape(); shape != flow.Hex {
				t.Fatalf("%v, a corner off by %v: a board of shape %v, want hexagons", row.cover, by, shape)
			}
			m := &mender{Draft: d, shown: r.shown}
			solvetest.OK(t, m.mend())
			if all := m.rings + m.tools; all > row.most {
				t.Errorf("%v, a corner off by %v: %d corrections, want at most %d", row.cover, by, all, row.most)
			}
		}
	}
}
