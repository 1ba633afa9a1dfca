//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/solve/solvetest"
)

// spot is where a place of the editor's board is on the screen.
func (p *pageTest) spot(host string, x, y float64) (at struct{ X, Y float64 }) {
	p.Helper()
	p.eval(fmt.Sprintf(`const svg = document.querySelector(%q); svg.scrollIntoView({ block: 'center' });
		const p = new DOMPoint(%g, %g).matrixTransform(svg.getScreenCTM()); return { X: p.x, Y: p.y };`, host+" svg", x, y), &at)
	return at
}

// edited waits until the editor has done all that was asked of it, and the
// solver has judged the board.
func (p *pageTest) edited(text string) {
	p.Helper()
	p.until("the board is "+text, "document.getElementById('edit-text').textContent.includes("+quoted(text)+")")
}

func (p *pageTest) judged(want string) {
	p.Helper()
	p.until("the verdict is "+want, "document.getElementById('edit-verdict').textContent === "+quoted(want))
}

// click uses the tool on a place in the picture's coordinates.
func (p *pageTest) click(x, y float64) {
	p.Helper()
	at := p.spot("#edit-canvas", x, y)
	p.do(chromedp.MouseClickXY(at.X, at.Y))
}

func (p *pageTest) drag(x, y, u, v float64) {
	p.Helper()
	from, to := p.spot("#edit-canvas", x, y), p.spot("#edit-canvas", u, v)
	p.do(input.DispatchMouseEvent(input.MousePressed, from.X, from.Y).WithButton(input.Left).WithClickCount(1),
		input.DispatchMouseEvent(input.MouseMoved, to.X, to.Y).WithButton(input.Left),
		input.DispatchMouseEvent(input.MouseReleased, to.X, to.Y).WithButton(input.Left).WithClickCount(1))
}

// pull drags a side of the board.
func (p *pageTest) pull(side string, x, y float64) {
	p.Helper()
	var at struct{ X, Y float64 }
	p.eval(`const svg = document.querySelector('#edit-canvas svg'), g = svg.querySelector('[data-side=`+side+`]');
		return { X: Number(g.getAttribute('x')) + g.getAttribute('width') / 2, Y: Number(g.getAttribute('y')) + g.getAttribute('height') / 2 };`, &at)
	p.drag(at.X, at.Y, at.X+x, at.Y+y)
}

func (p *pageTest) choose(tool string) {
	p.Helper()
	p.do(chromedp.Click("#edit-tools [data-tool='" + tool + "']"))
}

// set fills in a field as typing in it does.
func (p *pageTest) set(host, field, value string) {
	p.Helper()
	p.eval(`const f = document.querySelector('`+host+` [data-field="`+field+`"]');
		if (f.type === 'checkbox') { if ((f.checked ? 'on' : '') !== `+quoted(value)+`) f.click(); return; }
		f.value = `+quoted(value)+`; f.dispatchEvent(new Event('change'));`, new(any))
}

// newBoard begins a board of a family and size.
func (p *pageTest) newBoard(family string, cols, rows int) {
	p.Helper()
	p.eval(`const here = `+quoted("#edit?f="+family+"&")+`, again = location.hash.startsWith(here), s = document.getElementById('edit-family');
		location.hash = '#edit';
		for (let i = 0; i < 100 && !s.options.length; i++) await new Promise(r => setTimeout(r, 20));
		if (again) { // one more of the family is a step of its own
			s.value = [...s.options].find(o => o.value !== s.value).value; s.dispatchEvent(new Event('change'));
			for (let i = 0; i < 500 && !location.hash.startsWith('#edit?f=' + s.value); i++) await new Promise(r => setTimeout(r, 20));
		}
		s.value = `+quoted(family)+`; s.dispatchEvent(new Event('change'));`, new(any))
	p.until("a board of "+family, "document.querySelector('#edit-board [data-field=cols]') && location.hash.startsWith("+quoted("#edit?f="+family+"&")+") && document.getElementById('edit-count').textContent === ''")
	p.set("#edit-board", "cols", fmt.Sprint(cols))
	p.until("the width", fmt.Sprintf("document.querySelector('#edit-board [data-field=cols]').value === '%d' && document.getElementById('edit-count').textContent === 'step 1'", cols))
	p.set("#edit-board", "rows", fmt.Sprint(rows))
	p.until("the height", "document.getElementById('edit-count').textContent === 'step 2'")
}

// TestPageEdits edits a board of every family to one with a single answer.
func TestPageEdits(t *testing.T) {
	p := openPage(t)
	t.Run("witness", func(t *testing.T) { p.with(t).editWitness() })
	t.Run("fans", func(t *testing.T) {
		p := p.with(t)
		p.newBoard("fans", 2, 1)
		p.choose("fan")
		p.click(1, 1)
		p.choose("turbine")
		p.click(3, 1)
		p.edited("FT\n")
		p.judged("exactly one answer")
	})
	t.Run("switches", func(t *testing.T) {
		p := p.with(t)
		p.newBoard("switches", 3, 1)
		p.judged("exactly one answer")
		p.choose("clear")
		p.click(3, 1)
		p.edited("o.o")
		p.choose("line")
		p.drag(1, 1, 5, 1)
		p.edited("wrap: across\no.o\n") // which is the shorter way to say it
		p.judged("more than one answer")
	})
	t.Run("flow", func(t *testing.T) {
		p := p.with(t)
		p.newBoard("flow", 2, 2)
		p.judged("no answer")
		p.choose("ends")
		p.drag(1, 1, 1, 3)
		p.click(3, 1) // one after the other
		p.click(3, 3)
		p.edited("AB\nAB\n")
		p.judged("exactly one answer")
		p.choose("wall")
		p.click(1, 2)
		p.edited("walls 0,0|0,1")
		p.judged("no answer")
	})
	t.Run("alcazar", func(t *testing.T) {
		p := p.with(t)
		p.newBoard("alcazar", 2, 2)
		p.judged("no answer")
		p.choose("wall")
		p.click(1, 4)
		p.judged("exactly one answer")
		p.click(3, 4)
		p.edited("x.x.x\n")
		p.judged("more than one answer")
		p.choose("given")
		p.click(1, 2)
		p.edited("x|x.x\n")
	})
	t.Run("kept", func(t *testing.T) { p.with(t).editKept() })
	t.Run("other way", func(t *testing.T) { p.with(t).editBackwards() })
	t.Run("told", func(t *testing.T) { p.with(t).editTold() })
	t.Run("bad address", func(t *testing.T) { p.with(t).editBadAddress() })
}

// editWitness makes a panel with one answer, of squares and a star.
func (p *pageTest) editWitness() {
	p.newBoard("witness", 2, 2)
	p.judged("more than one answer")
	p.choose("square")
	p.click(1, 1)
	p.click(3, 1)
	p.click(1, 3)
	p.edited("|a|a|\n+-+-+\n|a| |") // before the colour changes
	p.do(chromedp.Click("#edit-fields [data-value='white']"))
	p.click(3, 3)
	p.edited("b = white square")
	p.judged("exactly one answer")
	p.choose("star")
	p.do(chromedp.Click("#edit-fields [data-value='green']"))
	p.click(3, 3)
	p.edited("green star")
	p.judged("no answer")
	p.until("why", "document.getElementById('edit-why').textContent.includes('green star at column 2 row 2') && document.querySelectorAll('#edit-canvas .ring').length === 1")
	p.do(chromedp.Click("#edit-undo"))
	p.judged("exactly one answer")
	p.choose("end")
	p.click(4, 0) // it points to the last of its sides: now there is none
	p.edited("panel 2x2\n+-+-+\n")
	p.judged("no answer")
	p.set("#edit-board", "symmetry", "rotation")
	p.edited("symmetry=rotation")
}

// editAsElsewhere does what people know of other editors: a click counts on, a right click and a
// long press clear whatever the tool, a key colours, sides are dragged, the board is turned and
// flipped, played in its place, and what was drawn can be undone over a reload.
func (p *pageTest) editAsElsewhere() {
	p.newBoard("witness", 2, 2)
	p.choose("triangle")
	for n := range 3 {
		p.click(1, 1)
		p.edited(fmt.Sprintf("a = %d orange triangle", n+1))
	}
	p.choose("start")
	at := p.spot("#edit-canvas", 1, 1)
	p.do(chromedp.MouseEvent(input.MouseMoved, at.X, at.Y), chromedp.KeyEvent("2"))
	p.edited("a = 3 white triangles")
	p.do(chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonRight))
	p.edited("panel 2x2\n+-+->\n| | |\n+-+-+\n| | |\n@-+-+\n")
	p.choose("square")
	p.click(1, 1)
	p.edited("|a| |")
	p.do(chromedp.Click("#edit-tools [data-tool=turn]"))
	p.edited("panel 2x2\n@-+-+\n| |a|")
	p.do(chromedp.Click("#edit-tools [data-tool=flip]"))
	p.edited("panel 2x2\n+-+-@\n|a| |")
	p.pull("right", 4, 0) // by two cells
	p.edited("panel 4x2\n+-+-+-+-@\n|a| |")
	p.choose("square")
	p.click(7, 1)
	p.edited("|a| | |a|")
	p.eval(`const svg = document.querySelector('#edit-canvas svg'), at = new DOMPoint(7, 1).matrixTransform(svg.getScreenCTM());
		document.getElementById('edit-canvas').dispatchEvent(new PointerEvent('pointerdown', { clientX: at.x, clientY: at.y, button: 0, pointerType: 'touch' }));`, new(any))
	p.edited("|a| | | |") // a finger that rests clears
	p.pull("left", 2, 0)
	p.edited("panel 3x2\n")
	var steps, text string
	p.eval("return document.getElementById('edit-count').textContent", &steps)
	p.do(chromedp.Click("#edit-try"))
	p.until("it is played there", "document.querySelector('#edit-play #play-canvas svg') !== null && document.getElementById('edit-canvas').hidden")
	p.do(chromedp.Click("#edit-try"))
	p.until("it is edited again", "document.querySelector('#edit-canvas svg').getBoundingClientRect().width > 100 && document.querySelector('#play #play-canvas') !== null")
	p.eval("return document.getElementById('edit-text').textContent", &text)
	p.do(chromedp.Reload())
	p.edited(text)
	p.until("the steps are there", "document.getElementById('edit-count').textContent === "+quoted(steps))
	p.do(chromedp.Click("#edit-undo"))
	p.edited("panel 4x2\n")
}

// textOf is what an element says.
func (p *pageTest) textOf(id string) (text string) {
	p.Helper()
	p.eval("return document.getElementById("+quoted(id)+").textContent", &text)
	return text
}

// editKept has a board outlive another family, a reload in another view, and a box that is ticked.
func (p *pageTest) editKept() {
	p.newBoard("witness", 2, 2)
	p.choose("square")
	p.click(1, 1)
	p.edited("|a| |")
	panel := p.textOf("edit-text")
	p.newBoard("flow", 2, 2)
	for range 3 { // the height, the width, the family
		p.do(chromedp.Click("#edit-undo"))
	}
	p.edited(panel)
	p.until("its family", "document.getElementById('edit-family').value === 'witness' && document.getElementById('edit-count').textContent === 'step 3'")
	p.do(chromedp.Click("nav [data-view=browse]"), chromedp.Reload(), chromedp.WaitVisible("#browse-list", chromedp.ByQuery), chromedp.Click("nav [data-view=edit]"))
	p.edited(panel)
	p.do(chromedp.Click("#edit-show"), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	p.edited("panel 2x2\n+-+->\n| | |")
	p.do(chromedp.Click("#edit-show"), chromedp.Click("#edit-try"))
	p.until("it is played", "document.getElementById('edit-canvas').hidden")
	p.choose("square")
	p.until("it is edited again", "!document.getElementById('edit-canvas').hidden && !document.getElementById('edit-try').checked")
}

// editBackwards turns, flips and counts the other way.
func (p *pageTest) editBackwards() {
	p.newBoard("witness", 2, 1)
	p.choose("triangle")
	back := func(x, y float64) {
		p.Helper()
		at := p.spot("#edit-canvas", x, y)
		p.do(chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonModifiers(input.ModifierShift)))
	}
	p.click(1, 1)
	p.edited("a = 1 ")
	p.click(1, 1)
	p.edited("a = 2 ")
	back(1, 1)
	p.edited("a = 1 ")
	back(1, 1)
	p.edited("panel 2x1\n+-+->\n| | |\n@-+-+\n")
	back(1, 1)
	p.edited("a = 4 ")
	before := p.textOf("edit-text")
	for _, tool := range []string{"turn", "flip"} {
		p.eval(`document.querySelector('#edit-tools [data-tool=`+tool+`]').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }))`, new(any))
		p.until(tool, "document.getElementById('edit-text').textContent !== "+quoted(before))
		switch got := p.textOf("edit-text"); {
		case tool == "turn" && !strings.HasPrefix(got, "panel 1x2\n^-+\n| |\n+-+\n|a|\n+-@"):
			p.Errorf("turned to the left it is\n%s", got)
		case tool == "flip" && !strings.Contains(got, "\n|a| |\n+-+->"):
			p.Errorf("upside down it is\n%s", got)
		}
		p.do(chromedp.Click("#edit-undo"))
		p.edited(before)
	}
}

// editTold holds what is said of a place against what stands there.
func (p *pageTest) editTold() {
	p.newBoard("witness", 2, 2)
	says := func(want string) {
		p.Helper()
		p.until("it is said: "+want, "document.getElementById('edit-at').textContent === "+quoted(want))
	}
	p.choose("square")
	p.click(1, 1)
	says("column 1 row 1: black square")
	p.do(chromedp.Click("#edit-undo"))
	says("column 1 row 1: empty")
	p.newBoard("flow", 3, 2)
	says("")
	p.drag(1, 1, 1, 3)
	p.edited("A..\nA..\n")
	p.click(1, 1)
	p.until("the first of two", "document.querySelector('#edit-canvas .first') !== null")
	at := p.spot("#edit-canvas", 1, 1)
	p.do(chromedp.MouseClickXY(at.X, at.Y, chromedp.ButtonRight))
	p.until("forgotten with what stood there", "document.querySelector('#edit-canvas .first') === null && !document.getElementById('edit-text').textContent.includes('A')")
}

// editBadAddress wants a board to go on with, and a word, of an address that has none.
func (p *pageTest) editBadAddress() {
	p.eval("sessionStorage.clear()", new(any))
	for i, bad := range []string{"f=witness&t=AAAA", "f=nosuch&t=AAAA", "f=witness&t=%%%"} {
		p.do(chromedp.Navigate(fmt.Sprintf("%s/?bad%d#edit?%s", p.url, i, bad)))
		p.until("a word and a board", "document.getElementById('edit-trouble').textContent !== '' && document.querySelector('#edit-canvas svg') !== null")
		before := p.textOf("edit-text")
		p.choose("turn")
		p.until("it can be edited", "document.getElementById('edit-trouble').textContent === '' && document.getElementById('edit-text').textContent !== "+quoted(before))
	}
}

// finger drags by real touches.
func (p *pageTest) finger(x, y, u, v float64) {
	p.Helper()
	touch := func(kind input.TouchType, points ...*input.TouchPoint) {
		p.do(input.DispatchTouchEvent(kind, append([]*input.TouchPoint{}, points...)))
	}
	touch(input.TouchStart, &input.TouchPoint{X: x, Y: y})
	for n := range 12 {
		k := float64(n+1) / 12
		if u != x || v != y {
			touch(input.TouchMove, &input.TouchPoint{X: x + k*(u-x), Y: y + k*(v-y)})
		}
	}
	touch(input.TouchEnd)
}

// editByFinger drags two sides by real touches, and wants the board to stay under the finger, and
// the board, tools and colours in one screenful.
func (p *pageTest) editByFinger() {
	p.do(emulation.SetTouchEmulationEnabled(true))
	p.newBoard("flow", 2, 2)
	p.newBoard("witness", 3, 3)
	for _, side := range []struct {
		name, text string
		x, y       float64
	}{{"right", "panel 2x3\n", -2, 0}, {"bottom", "panel 2x2\n", 0, -2}} {
		var at [4]float64
		p.eval(fmt.Sprintf(`const svg = document.querySelector('#edit-canvas svg'); svg.scrollIntoView({ block: 'center' });
			const r = svg.querySelector('[data-side=%s]').getBoundingClientRect(), k = svg.getScreenCTM().a;
			const [x, y] = [r.x + r.width / 2, r.y + r.height / 2]; return [x, y, x + %g * k, y + %g * k];`, side.name, side.x, side.y), &at)
		p.finger(at[0], at[1], at[2], at[3])
		p.edited(side.text)
	}
	p.choose("star")
	for _, selector := range []string{"#edit-canvas svg", "#edit-tools", "#edit-fields .swatches"} {
		p.inSight(selector, selector)
	}
	p.until("the tools are under the board", "document.querySelector('.bar').getBoundingClientRect().top >= document.querySelector('#edit-canvas svg').getBoundingClientRect().bottom")
	top := func() (y float64) {
		p.eval("return document.querySelector('#edit-canvas svg').getBoundingClientRect().top", &y)
		return y
	}
	p.judged("more than one answer")
	p.eval("scrollTo(0, 150)", new(any))
	before := top()
	var at struct{ X, Y float64 }
	p.eval(`const p = new DOMPoint(1, 1).matrixTransform(document.querySelector('#edit-canvas svg').getScreenCTM()); return { X: p.x, Y: p.y };`, &at)
	p.finger(at.X, at.Y, at.X, at.Y)
	p.until("why", "document.getElementById('edit-why').textContent !== ''")
	solvetest.Same(p, top(), before, "where the board is after a tap")
	p.do(emulation.SetTouchEmulationEnabled(false))
}

// tabTo presses Tab until an element has the focus, or Shift and Tab where it
// lies before.
func (p *pageTest) tabTo(selector string) {
	p.Helper()
	for range 120 {
		var way int
		p.eval(`const to = document.querySelector(`+quoted(selector)+`), from = document.activeElement;
			return to === from ? 0 : from !== document.body && to && from.compareDocumentPosition(to) & Node.DOCUMENT_POSITION_PRECEDING ? -1 : 1;`, &way)
		switch way {
		case 0:
			return
		case 1:
			p.do(chromedp.KeyEvent(kb.Tab))
		default:
			p.do(chromedp.KeyEvent(kb.Tab, chromedp.KeyModifiers(input.ModifierShift)))
		}
	}
	p.Fatalf("120 presses of Tab do not lead to %s", selector)
}

// press presses keys one after the other.
func (p *pageTest) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// activate goes to an element with the Tab key, and presses Enter on it.
func (p *pageTest) activate(selector string) {
	p.Helper()
	p.tabTo(selector)
	p.press(kb.Enter)
}

// pasteKeys presses Ctrl+V.
func (p *pageTest) pasteKeys() {
	p.Helper()
	down := input.DispatchKeyEvent(input.KeyDown).WithKey("v").WithCode("KeyV").WithWindowsVirtualKeyCode('V').WithModifiers(input.ModifierCtrl)
	up := input.DispatchKeyEvent(input.KeyUp).WithKey("v").WithCode("KeyV").WithWindowsVirtualKeyCode('V').WithModifiers(input.ModifierCtrl)
	p.do(down.WithCommands([]string{"paste"}), up)
}

// TestPageByKeyboard does by keyboard alone what the page is for: it pastes
// every form and a picture, steps through answers, browses, edits a board of
// every family to one with a single answer, and takes a hundred steps back.
func TestPageByKeyboard(t *testing.T) {
	p := openPage(t)
	p.do(emulation.SetFocusEmulationEnabled(true)) // else no clipboard is there
	t.Run("paste", func(t *testing.T) { p.with(t).pasteByKeyboard() })
	t.Run("answers", func(t *testing.T) {
		p := p.with(t)
		p.clip("panel 2x2\n+-+->\n| | |\n+-+-+\n| | |\n@-+-+\n")
		p.pasteKeys()
		p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('at least 2 answers')")
		p.activate("#solve-card .count")
		p.until("all", "document.querySelector('#solve-card .which').textContent === 'answer 1 of 12'")
		p.tabTo("#solve-card .board")
		p.press(kb.ArrowRight)
		p.until("the second", "document.querySelector('#solve-card .which').textContent.startsWith('answer 2')")
		p.press(kb.ArrowLeft)
		p.until("the first", "document.querySelector('#solve-card .which').textContent.startsWith('answer 1 ')")
	})
	t.Run("browse", func(t *testing.T) {
		p := p.with(t)
		p.activate("nav [data-view=browse]")
		p.until("the list", "document.querySelectorAll('#browse-list button').length > 2")
		p.activate("#browse-list li:first-child button")
		p.until("one", "document.querySelector('#browse-card .verdict').textContent.includes('answer')")
		p.until("it has an address", "/^#browse\\?id=[0-9]+$/.test(location.hash)")
		p.do(chromedp.NavigateBack())
		p.until("Back goes back to the list", "location.hash === '#browse' && document.getElementById('browse-one').hidden && document.activeElement.closest('#browse-list') !== null")
		p.press(kb.Enter)
		p.until("one again", "!document.getElementById('browse-one').hidden && document.querySelector('#browse-card .verdict').textContent.includes('answer')")
		p.activate("#browse-one [data-step='1']")
		p.until("the next", "document.querySelector('#browse-card pre').textContent !== '' && document.querySelector('#browse-card .verdict').textContent.includes('answer')")
		p.activate("#browse-back")
		p.until("the list again", "document.activeElement.closest('#browse-list') !== null")
	})
	t.Run("edit", func(t *testing.T) { p.with(t).editAllByKeyboard() })
	t.Run("undo", func(t *testing.T) { p.with(t).undoByKeyboard() })
}

// clip puts a text into the clipboard.
func (p *pageTest) clip(text string) {
	p.Helper()
	p.eval(`await navigator.clipboard.writeText(`+quoted(text)+`); document.querySelector('#solve-card .verdict').textContent = '';`, new(any))
}

func (p *pageTest) pasteByKeyboard() {
	p.Helper()
	p.clip(tinyPanel)
	p.pasteKeys()
	p.until("what was pasted is solved", "document.querySelector('#solve-card .verdict').textContent.includes('answer')")
	file := encoded(p.T, scene(p.T, "maze-3", 800, 600, 1))
	p.eval(`const bytes = Uint8Array.from(atob(`+quoted(base64.StdEncoding.EncodeToString(file))+`), c => c.charCodeAt(0));
		await navigator.clipboard.write([new ClipboardItem({ 'image/png': new Blob([bytes], { type: 'image/png' }) })]);`, new(any))
	p.pasteKeys()
	p.until("the answer lies over the picture", "document.querySelectorAll('#solve-sight polyline.line').length === 1")
}

// boardByKeyboard begins a board of a family with so many columns and rows,
// of the four that a new one has.
func (p *pageTest) boardByKeyboard(family, letters string, cols, rows int) {
	p.Helper()
	p.tabTo("#edit-family")
	p.press(strings.Split(letters, "")...)
	p.until("a board of "+family, "location.hash.includes('f="+family+"&') && document.getElementById('edit-count').textContent === ''")
	step := 0
	for _, side := range []struct {
		name string
		n    int
	}{{"cols", cols}, {"rows", rows}} {
		p.tabTo("#edit-board [data-field=" + side.name + "]")
		key, by := kb.ArrowDown, -1
		if side.n > 4 {
			key, by = kb.ArrowUp, 1
		}
		for n := 4; n != side.n; n += by {
			p.press(key)
			step++
			p.until("one more or less", fmt.Sprintf("document.getElementById('edit-count').textContent === 'step %d' && document.querySelector('#edit-board [data-field=%s]').value === '%d'", step, side.name, n+by))
		}
	}
}

func (p *pageTest) editAllByKeyboard() {
	p.activate("nav [data-view=edit]")
	p.until("a board", "document.querySelector('#edit-canvas svg') !== null")
	const right, left, up, down, enter = kb.ArrowRight, kb.ArrowLeft, kb.ArrowUp, kb.ArrowDown, kb.Enter
	type use struct {
		chosen string
		keys   []string // the first shows where the cursor is: at the first place
	}
	tool := func(name string) string { return "#edit-tools [data-tool=" + name + "]" }
	for _, row := range []struct {
		family, letters string
		cols, rows      int
		uses            []use
		text            string
	}{
		{"fans", "fa", 2, 1, []use{{tool("fan"), []string{right, enter}}, {tool("turbine"), []string{right, right, enter}}}, "FT\n"},
		{"switches", "s", 3, 1, []use{{tool("clear"), []string{right, right, enter}}, {tool("clear"), nil}}, "grid 3x1\n"},
		{"flow", "fl", 2, 2, []use{{tool("ends"), []string{right, enter, down, enter, right, enter, up, enter}}}, "AB\nAB\n"},
		{"alcazar", "a", 2, 2, []use{{tool("wall"), []string{right, down, down, enter}}}, "x.xxx\n"},
		{"witness", "w", 2, 2, []use{{tool("square"), []string{right, enter, right, enter, down, left, enter}}, {"#edit-fields [data-value=white]", []string{right, enter}}}, "b = white square"},
	} {
		p.boardByKeyboard(row.family, row.letters, row.cols, row.rows)
		for _, use := range row.uses {
			if use.keys == nil { // what was done is not wanted
				p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
				continue
			}
			p.activate(use.chosen)
			p.tabTo("#edit-canvas")
			p.press(use.keys...)
		}
		p.edited(row.text)
		p.judged("exactly one answer")
	}
	p.press(kb.Delete)
	p.judged("more than one answer")
}

func (p *pageTest) undoByKeyboard() {
	p.boardByKeyboard("fans", "fa", 10, 10)
	p.activate("#edit-tools [data-tool=turbine]")
	p.tabTo("#edit-canvas")
	p.press(kb.ArrowRight)
	for row := range 10 {
		for column := range 10 {
			p.press(kb.Enter)
			switch {
			case column == 9:
				p.press(kb.ArrowDown)
			case row%2 == 0:
				p.press(kb.ArrowRight)
			default:
				p.press(kb.ArrowLeft)
			}
		}
	}
	full := strings.Repeat("TTTTTTTTTT\n", 10)
	p.edited(full)
	for range 100 {
		p.do(chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	}
	p.edited(strings.Repeat("..........\n", 10))
	p.until("the steps of its size are left", "document.getElementById('edit-count').textContent === 'step 12'")
	for range 100 {
		p.do(chromedp.KeyEvent("y", chromedp.KeyModifiers(input.ModifierCtrl)))
	}
	p.edited(full)
}
