//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/web"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
)

// A drafter puts boards right in the page that are not read, as somebody does who sees what
// pictures show.
type drafter struct {
	*pageTest
	clicks int
}

// drop drops a picture into the page, and opens its board as a draft.
func (p *drafter) drop(file string) {
	p.Helper()
	data := solvetest.Must(os.ReadFile(file))(p)
	p.do(emulation.SetDeviceMetricsOverride(1440, 900, 1, false))
	p.pageTest.drop(data)
	p.until("its board is refused", "document.querySelector('#solve-sight button.put') !== null")
	p.hit("#solve-sight button.put")
	p.until("the draft is there", "!document.getElementById('draft').hidden")
}

// told is JavaScript for what is said of a place, without what one choice makes of all, and without colours
// and the ways of ends, as labelled has it.
const told = `((p) => (p.says ?? '').split(', wanted')[0].replace(/#[0-9a-f]{6}|\b(black|white|orange|yellow|blue|purple|green|red|cyan|magenta)\b/g, 'colourless').replace(/end (up|down|left)\b/, 'end right').replace(/colourless dot/, 'dot'))`

// click is pageTest.click, with the place scrolled into sight.
func (p *drafter) click(x, y float64) {
	p.Helper()
	p.clicks++
	var at struct{ X, Y float64 }
	p.eval(fmt.Sprintf(`const svg = document.querySelector('#edit-canvas svg'), to = () => new DOMPoint(%g, %g).matrixTransform(svg.getScreenCTM());
		if (to().y < 100 || to().y > innerHeight - 50) scrollBy({ top: to().y - innerHeight / 2, behavior: 'instant' });
		return { X: to().x, Y: to().y };`, x, y), &at)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

func (p *drafter) hit(selector string) {
	p.Helper()
	p.clicks++
	p.do(chromedp.Click(selector, chromedp.ByQuery))
}

// ready waits until the draft was looked at.
func (p *drafter) ready() {
	p.Helper()
	p.until("it was looked at", "document.getElementById('draft-said').textContent !== 'looking…' && document.querySelector('#edit-canvas image') !== null")
}

// shows is what places of a family's board show that is given as text.
func (p *drafter) shows(family, text string) (of refusal, want map[string]string) {
	p.Helper()
	want = map[string]string{}
	for _, g := range games.Of() {
		if g.Name != family {
			continue
		}
		var err error
		if of.shown, err = g.Parse(text); err != nil {
			p.Fatal(err)
		}
		of.game = &g
		for _, at := range g.Editor.Places(of.shown) {
			says, _, _ := strings.Cut(at.Says, ", wanted") // one choice for all
			if panel := panels.Of(of.shown); panel != nil {
				says = labelled(panel, at.At)
			}
			want[fmt.Sprintf("%d,%d", at.At.X, at.At.Y)] = says
		}
	}
	return of, want
}

// mend clicks on rings until the board is what the picture shows, and gives the places that are left.
func (p *drafter) mend(family, text string) (left []string) {
	p.Helper()
	_, want := p.shows(family, text)
	for range 200 {
		var ring *struct {
			X, Y float64
		}
		p.eval(`const { current } = await import('./draft.js'), edit = await import('./edit.js'); await edit.idle();
			const want = `+quoted(want)+`, s = current(), says = `+told+`;
			for (const r of s.of.rings) {
				const p = s.board.places.find((p) => p.at.join() === r.at.join());
				if (r.guesses.length > 1 && says(p) !== want[p.at.join()] && r.guesses.some((g) => says(g) === want[p.at.join()])) return { x: p.shown[0], y: p.shown[1] };
			}
			return null;`, &ring)
		if ring == nil {
			break
		}
		p.click(ring.X, ring.Y)
	}
	p.eval(`const { current } = await import('./draft.js'); const want = `+quoted(want)+`;
		return current().board.places.filter((p) => `+told+`(p) !== want[p.at.join()]).map((p) => p.at.join() + ' is ' + p.says + ', want ' + want[p.at.join()]);`, &left)
	return left
}

// outline chooses the family and has the board's outline right: by a box, its corners and its size.
func (p *drafter) outline(of *refusal) {
	p.Helper()
	choose := func(id, value string) {
		p.clicks++
		p.eval(`const f = document.getElementById('draft-`+id+`'); f.value = `+quoted(value)+`; f.dispatchEvent(new Event('change'));`, new(any))
		p.ready()
	}
	now := func() (o see.Outline) {
		var is *struct {
			Quad       [][2]float64
			Cols, Rows int
		}
		p.eval(`const { current } = await import('./draft.js'); const { quad, cols, rows } = current(); return quad ? { quad, cols, rows } : null;`, &is)
		if is == nil {
			return see.Outline{}
		}
		for i, c := range is.Quad {
			o.Quad[i] = vision.Point{X: c[0], Y: c[1]}
		}
		o.Cols, o.Rows = is.Cols, is.Rows
		return o
	}
	pull := func(from, to vision.Point) {
		p.clicks++
		var at [2]struct{ X, Y float64 }
		p.eval(fmt.Sprintf(`const svg = document.getElementById('draft-over'); svg.scrollIntoView({ block: 'center' });
			const { width, height } = svg.viewBox.baseVal, within = (v, n) => Math.max(1, Math.min(n - 2, v)); // a corner may lie beyond the picture
			return [[%g, %g], [%g, %g]].map(([x, y]) => { const p = new DOMPoint(within(x, width), within(y, height)).matrixTransform(svg.getScreenCTM()); return { X: p.x, Y: p.y }; });`, from.X, from.Y, to.X, to.Y), &at)
		p.do(input.DispatchMouseEvent(input.MousePressed, at[0].X, at[0].Y).WithButton(input.Left).WithClickCount(1),
			input.DispatchMouseEvent(input.MouseMoved, at[1].X, at[1].Y).WithButton(input.Left),
			input.DispatchMouseEvent(input.MouseReleased, at[1].X, at[1].Y).WithButton(input.Left).WithClickCount(1))
		p.ready()
	}
	var family string
	if p.eval("return document.getElementById('draft-family').value", &family); family != of.game.Name {
		choose("family", of.game.Name)
	}
	cols, rows := of.shown.(solve.Describer).Size()
	if now().Cols == 0 {
		pull(of.quad[0], of.quad[2])
	}
	p.ready()
	for range 2 { // where a size changes, the corners may move
		for i, n := range []int{cols, rows} {
			if o := now(); []int{o.Cols, o.Rows}[i] != n {
				choose([]string{"cols", "rows"}[i], fmt.Sprint(n))
			}
		}
		for i := range 4 {
			if o := now(); o.Quad[i].Dist(of.quad[i]) > 0.2*(of.quad[1].X-of.quad[0].X)/float64(cols) {
				pull(o.Quad[i], of.quad[i])
			}
		}
	}
}

// byTools puts right with the editor's tools what no ring says.
func (p *drafter) byTools(of *refusal) {
	p.Helper()
	settled := func() (text string) {
		p.eval(`const edit = await import('./edit.js'); await edit.idle(); return document.getElementById('edit-text').textContent;`, &text)
		return text
	}
	text := settled()
	m := &mender{Draft: &see.Draft{Outline: see.Outline{Game: of.game}}, shown: of.shown}
	var err error
	if m.Puzzle, err = of.game.Parse(text); err != nil {
		p.Fatal(err)
	}
	m.does = func(e solve.Edit) (solve.Puzzle, error) {
		var now string
		if p.eval("return document.querySelector('#edit-tools [aria-pressed=true]')?.dataset.tool ?? ''", &now); now != e.Tool {
			p.clicks++
			p.choose(e.Tool)
		}
		for _, at := range e.At {
			var spot struct{ X, Y float64 }
			p.eval(fmt.Sprintf(`const { current } = await import('./draft.js'); const s = current().board.places.find((p) => p.at.join() === '%d,%d').shown; return { X: s[0], Y: s[1] };`, at.X, at.Y), &spot)
			p.click(spot.X, spot.Y)
		}
		before := text
		if text = settled(); text == before {
			return nil, fmt.Errorf("%v changed nothing", e)
		}
		return of.game.Parse(text)
	}
	if err := m.byTools(m.says(of.shown)); err != nil {
		p.Errorf("%v", err)
	}
}

// TestPageDraft: lamps of two hues of which nothing tells the lit one are refused, and put right
// in the page.
func TestPageDraft(t *testing.T) {
	rows := []string{"ooo**", "*o*o*", "o*ooo", "oo*oo", "o**oo"} // four presses from all lit
	m := image.NewRGBA(image.Rect(0, 0, 520, 460))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{28, 30, 34, 255}), image.Point{}, draw.Src)
	for y, row := range rows {
		for x, c := range row {
			ink := color.RGBA{210, 90, 40, 255}
			if c == 'o' {
				ink = color.RGBA{40, 120, 210, 255}
			}
			draw.Draw(m, image.Rect(70+70*x, 60+70*y, 132+70*x, 122+70*y), image.NewUniform(ink), image.Point{}, draw.Src)
		}
	}
	file := filepath.Join(t.TempDir(), "lamps.png")
	solvetest.OK(t, cli.WritePicture(file, m))
	if _, errOut, code := onlooker(t, "", "solve", "--no-store", file); code != 1 || !strings.Contains(errOut, "onlooker serve "+file) {
		t.Fatalf("status %d: %s", code, errOut)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	p := &drafter{pageTest: openPage(t)}
	p.drop(file)
	p.ready()
	if left := p.mend("switches", "grid 5x5\n"+strings.Join(rows, "\n")+"\n"); len(left) > 0 {
		t.Errorf("no ring says %q", left)
	}
	p.do(chromedp.Click("#draft-learn button"))
	p.until("it is learned", "document.getElementById('draft-said').textContent === 'learned: 1 board of this look, my-look'")
	p.eval("document.getElementById('edit-canvas').focus()", new(any))
	p.do(chromedp.KeyEvent(kb.Enter))
	p.until("the answer lies over the picture", "document.querySelectorAll('#solve-sight circle[fill=\"#fff\"]').length > 0 && document.querySelector('#solve-card .verdict').textContent.includes('answer')")
	if out := want(t, "", "solve", "--no-store", file); !strings.Contains(out, "all on") {
		t.Errorf("with what was learned it says %q", out)
	}
	t.Logf("%d corrections", p.clicks)
	if p.clicks > 6 {
		t.Errorf("%d corrections, want at most 6", p.clicks)
	}
}

// TestDraftInDoubt: a draft that has no answer as it stands is said to be in doubt, where it is.
func TestDraftInDoubt(t *testing.T) {
	file := solvetest.Shared("screens", "alcazar", "neg_sgt_net.png")
	if !exists(file) {
		t.Skip("no shared screens: set ONLOOKER_SHARED to their folder")
	}
	p := &drafter{pageTest: openPage(t)}
	p.drop(file)
	p.ready()
	p.until("its doubts are told", "document.getElementById('edit-verdict').textContent === 'no answer as it stands: places are in doubt'")
}

// bulbPlaces are where the bulbs of bulbs.png of vision/switches are.
func bulbPlaces() []image.Point {
	return []image.Point{{60, 60}, {200, 50}, {330, 80}, {120, 190}, {260, 210}}
}

// onBulbs wants marks, each on a bulb of its own.
func (p *pageTest) onBulbs(what string, marks [][2]float64) {
	p.Helper()
	if len(marks) == 0 {
		p.Errorf("%s: nothing is marked", what)
	}
	taken := map[image.Point]bool{}
	for _, m := range marks {
		var bulb image.Point
		for _, at := range bulbPlaces() {
			if math.Hypot(m[0]-float64(at.X), m[1]-float64(at.Y)) < 5 {
				bulb = at
			}
		}
		if bulb == (image.Point{}) || taken[bulb] {
			p.Errorf("%s: a mark at %v, want each on a bulb of its own, of %v", what, m, bulbPlaces())
		}
		taken[bulb] = true
	}
}

// TestBulbsOnPages: an answer is marked on its bulbs, in a picture that is dropped on
// the page and on the live page.
func TestBulbsOnPages(t *testing.T) {
	p := openPage(t)
	frame := openPicture(t, "../../vision/switches/testdata/bulbs.png")
	p.drop(encoded(t, frame))
	p.until("the answer lies over the picture", "document.querySelectorAll('#solve-sight circle[fill=\"#fff\"]').length > 0")
	centres := func(selector string) (at [][2]float64) {
		p.eval(`return [...document.querySelectorAll(`+quoted(selector)+`)].map(c => [+c.getAttribute('cx'), +c.getAttribute('cy')])`, &at)
		return at
	}
	p.onBulbs("a dropped picture", centres(`#solve-sight circle[fill="#fff"][stroke="#000"]`))
	drawn := centres("#solve-sight g.drawn circle")
	for _, at := range bulbPlaces() {
		found := false
		for _, c := range drawn {
			found = found || math.Hypot(c[0]-float64(at.X), c[1]-float64(at.Y)) < 5
		}
		if !found {
			t.Errorf("no bulb is drawn at %v of what was read, but at %v", at, drawn)
		}
	}

	quiet := quietProgram()
	eye := solvetest.Must(quiet.Games.PictureEye("auto"))(t)
	turn := (&see.Observer{Eye: eye}).Observe(t.Context(), see.View{Frame: frame, At: time.Now(), Alone: true})
	if len(turn.Boards) != 1 || turn.Boards[0].Strokes() == nil {
		t.Fatalf("%v, %v, want a board that is answered", turn, turn.Failed)
	}
	live := web.New(pageOptions(quiet, pageMemory))
	live.Turn(turn)
	served := solvetest.Must(live.Serve(":0", 0))(t)
	defer served.Close()
	p.do(chromedp.Navigate(served.URL))
	p.until("the answer lies over the frame", "document.querySelectorAll('#over circle').length > 0")
	p.onBulbs("the live page", centres(`#over circle[fill="#fff"]`))
}

// TestPageDrafts puts boards right in the page that are not read, of all families, from the dropped
// file to the answer: none is a dead end. Those that ONLOOKER_DRAFTS names are put right too, a line
// each with the picture, family, box and board:
//
//	{"file": "lamps.png", "family": "switches", "box": [10, 10, 400, 400], "text": "grid 3x3\n**o\n*oo\nooo\n"}
func TestPageDrafts(t *testing.T) {
	type row struct {
		File, Family, Text string
		Box                [4]float64
		Quad               [4]vision.Point // in place of a box
	}
	var list []row
	for _, of := range []struct{ family, name string }{{"flow", "du07.png"}, {"alcazar", "ps06.png"}, {"flow", "du12.png"}, {"flow", "pz14.png"}, {"alcazar", "ps04.png"},
		{"alcazar", "ps08.png"}} {
		dir, told := screensOf(t, of.family)
		b := told[of.name].Boards[0]
		list = append(list, row{File: filepath.Join(dir, of.name), Family: of.family, Text: b.Text, Box: b.Box})
	}
	looks := lookLessons(t)
	for _, l := range []*lesson{looks["chalk-test"][1], looks["blueprint-test"][0], looks["worksheet-test"][1]} {
		list = append(list, row{File: l.file, Family: "witness", Text: forms.String(panels.Of(l.shown)), Quad: l.quad})
	}
	if solvetest.More() <= 1 {
		list = list[:2]
	}
	if own := os.Getenv("ONLOOKER_DRAFTS"); own != "" {
		data := solvetest.Must(os.ReadFile(own))(t)
		list = nil
		for line := range strings.Lines(string(data)) {
			r := row{}
			solvetest.OK(t, json.Unmarshal([]byte(line), &r))
			list = append(list, r)
		}
	}
	page := openPage(t)
	for _, r := range list {
		t.Run(filepath.Base(r.File), func(t *testing.T) {
			p := &drafter{pageTest: page.with(t)}
			p.do(chromedp.Navigate("about:blank"), chromedp.Navigate(p.url))
			p.until("its scripts run", "document.querySelectorAll('#paste-family option').length > 1")
			of, _ := p.shows(r.Family, r.Text)
			x, y, u, v := r.Box[0], r.Box[1], r.Box[0]+r.Box[2], r.Box[1]+r.Box[3]
			of.quad = [4]vision.Point{{X: x, Y: y}, {X: u, Y: y}, {X: u, Y: v}, {X: x, Y: v}}
			if r.Quad != ([4]vision.Point{}) {
				of.quad = r.Quad
			}
			p.drop(r.File)
			p.outline(&of)
			outline := p.clicks
			left := p.mend(r.Family, r.Text)
			rings := p.clicks - outline
			p.byTools(&of)
			p.eval("document.getElementById('edit-canvas').focus()", new(any))
			p.do(chromedp.KeyEvent(kb.Enter))
			p.until("the answer is there", "document.querySelector('#solve-card .verdict')?.textContent.match(/answer|solved/)")
			var verdict string
			p.eval("return document.querySelector('#solve-card .verdict').textContent", &verdict)
			if len(left) > 0 {
				t.Log(left[:min(3, len(left))])
			}
			t.Logf("%d clicks to its outline, %d on rings, %d with tools (%d places), %d in all; %s", outline, rings, p.clicks-outline-rings, len(left), p.clicks, verdict)
		})
	}
}
