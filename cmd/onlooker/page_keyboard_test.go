//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/solve/solvetest"
)

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
	var file bytes.Buffer
	solvetest.OK(p, png.Encode(&file, scene(p.T, "maze-3", 800, 600, 1)))
	p.eval(`const bytes = Uint8Array.from(atob(`+quoted(base64.StdEncoding.EncodeToString(file.Bytes()))+`), c => c.charCodeAt(0));
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
