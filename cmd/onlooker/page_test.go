//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/web"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
)

// A pageTest is the local page in a headless browser.
type pageTest struct {
	*testing.T
	ctx context.Context
	url string
}

// testPage is the page of all games with a store of its own.
func testPage(t *testing.T, file string) http.Handler {
	t.Helper()
	p := quietProgram()
	page, closer := page(t.Context(), p, program.StoreFlags{File: file}, pageMemory, web.Given{})
	t.Cleanup(closer)
	return page
}

// openPage serves the page of all games and opens it; what the page throws
// fails the test.
func openPage(t *testing.T) *pageTest {
	t.Helper()
	p := openBrowser(t)
	server := httptest.NewServer(testPage(t, filepath.Join(t.TempDir(), "store.sqlite")))
	t.Cleanup(server.Close)
	p.url = server.URL
	p.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#paste-text"))
	// What it shows is there before what it does: a key pressed then is lost.
	p.until("its scripts run", "document.querySelectorAll('#paste-family option').length > 1")
	return p
}

// openBrowser opens an empty page.
func openBrowser(t *testing.T, more ...chromedp.ExecAllocatorOption) *pageTest {
	t.Helper()
	ctx := showcase.TestBrowser(t, 1400, 900, 10*time.Minute, more...)
	showcase.TestThrown(t, ctx)
	return &pageTest{t, ctx, ""}
}

// with is the page under a part of the test.
func (p *pageTest) with(t *testing.T) *pageTest { return &pageTest{t, p.ctx, p.url} }

func (p *pageTest) do(actions ...chromedp.Action) {
	p.Helper()
	solvetest.OK(p, chromedp.Run(p.ctx, actions...))
}

// eval runs an async function's body in the page, as if somebody had clicked,
// and decodes what it returns.
func (p *pageTest) eval(body string, out any) {
	p.Helper()
	var raw string
	expr := "(async () => { const r = await (async () => {" + body + "})(); return JSON.stringify(r === undefined ? null : r); })()"
	p.do(chromedp.Evaluate(expr, &raw, func(e *runtime.EvaluateParams) *runtime.EvaluateParams {
		return e.WithAwaitPromise(true).WithUserGesture(true)
	}))
	solvetest.OK(p, json.Unmarshal([]byte(raw), out), fmt.Sprintf("eval gave %q", raw))
}

// until waits until an expression is true in the page.
func (p *pageTest) until(what, expr string) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
	defer cancel()
	poll := func() error {
		return chromedp.Run(ctx, chromedp.Poll(expr, nil, chromedp.WithPollingInterval(20*time.Millisecond)))
	}
	err := poll()
	// A page that goes elsewhere takes what waits in it along.
	for err != nil && ctx.Err() == nil && strings.Contains(err.Error(), "Cannot find context") {
		err = poll()
	}
	if err != nil {
		var said string
		p.eval(`const on = document.activeElement;
			return `+"`${document.body.innerText}\n(the focus is on ${on.tagName} ${on.id} ${on.className} ${JSON.stringify(on.dataset)} ${on.value ?? ''})`"+`;`, &said)
		p.Fatalf("%s: %v; the page says\n%s", what, err, said)
	}
}

func quoted(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and byte slices always can be
	}
	return string(data)
}

// paste pastes as somebody does who presses the keys with no field in focus.
func (p *pageTest) paste(text string) {
	p.Helper()
	p.eval(`document.activeElement.blur();
		document.querySelector('#solve-card .verdict').textContent = '';
		const data = new DataTransfer(); data.setData('text', `+quoted(text)+`);
		document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));`, new(any))
}

const tinyPanel = "panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"

func TestPageSolves(t *testing.T) {
	p := openPage(t)
	verdict := "document.querySelector('#solve-card .verdict').textContent"
	panel := solvetest.Must(forms.Parse([]byte(tinyPanel)))(t)
	code := solvetest.Must(forms.EncodeWindmill(panel))(t)
	asJSON := solvetest.Must(forms.EncodeJSON(panel))(t)
	for _, row := range []struct{ why, text, want string }{
		{"our text", tinyPanel, "exactly one answer"},
		{"a code", code, "solved"},
		{"a link", "https://windmill.thefifthmatt.com/" + code, "solved before"},
		{"JSON", string(asJSON), "solved"},
		{"rows of ends", "A.B\nA.B\n", "solved in"},
		{"a level line", "4,0,1,2;0,1,2,3;4,5,6,7,11,10,9,8,12,13,14,15", "solved in"},
		{"walls", "xxxxx\n 0 0 \nx x x\nx0 0x\nxxxxx\n", "solved in"},
		{"bulbs that cannot all be lit", "grid 2x1\n*o\n", "no answer"},
		{"bulbs", "grid 3x1\n*o*\n", "exactly one answer"},
		{"connections", "a b c\nb\na b\nb c\n", "solved in"},
		{"fans", "FTT\nT.F\n", "solved in"},
		{"no puzzle", "once upon a time", "in no form that is known"},
		{"the name of a file is no file", "/etc/passwd", "in no form that is known"},
		{"markup is text", "<img src=x onerror=alert(1)>", "in no form that is known"},
	} {
		p.paste(row.text)
		p.until(row.why, verdict+".includes("+quoted(row.want)+")")
	}
	t.Run("screenshot", func(t *testing.T) { p.with(t).dropScreenshot() })
	t.Run("file of boards", func(t *testing.T) {
		p := p.with(t)
		p.paste(tinyPanel + "\n" + strings.ReplaceAll(tinyPanel, "a = black", "a = red"))
		p.until("two boards", "document.getElementById('solve-at').textContent === 'board 1 of 2'")
		p.do(chromedp.Click("#solve-list [data-by='1']"))
		p.until("the second", "document.getElementById('solve-at').textContent === 'board 2 of 2' && document.querySelector('#solve-card pre').textContent.includes('red')")
	})
	t.Run("the search, watched", func(t *testing.T) {
		p := p.with(t)
		p.paste("FTT\nT.F\n")
		p.until("what has no such search offers none", verdict+".includes('solved') && document.querySelector('#solve-card .trace').hidden")
		p.paste(tinyPanel)
		p.until("solved", verdict+".includes('exactly one answer')")
		p.eval(`window.drawnSteps = new Set();
			const lines = () => [...document.querySelectorAll('#solve-card svg polyline.traced')].map((l) => l.getAttribute('points')).join(' ');
			new MutationObserver(() => { if (lines()) window.drawnSteps.add(lines()); }).observe(document.querySelector('#solve-card .board'), { childList: true, subtree: true });`, new(any))
		p.do(chromedp.Click("#solve-card .trace"))
		p.until("a step", "document.querySelector('#solve-card .why').textContent.startsWith('step ')")
		p.until("the answer is back", "document.querySelector('#solve-card .trace').textContent === 'Watch the search' && document.querySelector('#solve-card .why').textContent === '' && document.querySelectorAll('#solve-card svg polyline[stroke=\"#ffffff\"]').length > 0")
		var steps int
		p.eval("return window.drawnSteps.size", &steps)
		if steps < 4 {
			t.Errorf("%d steps were drawn, want four or more", steps)
		}
	})
	t.Run("answers", func(t *testing.T) {
		p := p.with(t)
		// An empty 2x2 panel has 12 lines from corner to corner.
		p.paste("panel 2x2\n+-+->\n| | |\n+-+-+\n| | |\n@-+-+\n")
		p.until("solved", verdict+".includes('at least 2 answers')")
		seen := map[string]bool{}
		for i := 1; i <= 12; i++ {
			p.until(fmt.Sprintf("answer %d", i), fmt.Sprintf("document.querySelector('#solve-card .which').textContent.startsWith('answer %d')", i))
			var points string
			p.eval("return [...document.querySelectorAll('#solve-card svg polyline[stroke=\"#ffffff\"]')].map(l => l.getAttribute('points')).join(' ')", &points)
			if i > 1 && seen[points] {
				t.Errorf("answer %d is drawn as another was", i)
			}
			if i > 1 {
				seen[points] = true
			}
			if i < 12 {
				p.do(chromedp.Click("#solve-card [data-step='1']"))
			}
		}
		p.until("the last is known to be the last", "document.querySelector('#solve-card [data-step=\"1\"]').disabled && document.querySelector('#solve-card .which').textContent === 'answer 12 of 12'")
	})
}

// dropScreenshot drops a picture of a panel; what was read lies over it.
func (p *pageTest) dropScreenshot() {
	file := encoded(p.T, scene(p.T, "maze-3", 800, 600, 1))
	p.drop(file)
	p.until("the answer lies over the picture", "document.querySelectorAll('#solve-sight polyline.line').length === 1 && document.querySelectorAll('#solve-sight polygon.read').length === 1")
	p.until("and beside it", "document.querySelector('#solve-card .verdict').textContent.includes('solved')")
	var far float64
	// The line begins where the board's bottom left corner was seen.
	p.eval(`const [x, y] = document.querySelector('#solve-sight polyline.line').getAttribute('points').split(' ')[0].split(',').map(Number);
		const [u, v] = document.querySelector('#solve-sight polygon.read').getAttribute('points').split(' ')[3].split(',').map(Number);
		return Math.hypot(x - u, y - v);`, &far)
	if far > 3 {
		p.Errorf("the line begins %.1f pixels from the board's corner, want at most 3", far)
	}
}

// drop drops a picture on the page.
func (p *pageTest) drop(file []byte) {
	p.Helper()
	p.eval(`const bytes = Uint8Array.from(atob(`+quoted(base64.StdEncoding.EncodeToString(file))+`), c => c.charCodeAt(0));
		const data = new DataTransfer(); data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
		document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));`, new(any))
}

// TestPageBegins has an empty page help, and an example solved at a click.
func TestPageBegins(t *testing.T) {
	p := openPage(t)
	shown := func(id string) string { return "!document.getElementById('" + id + "').hidden" }
	p.until("help where nothing was solved", shown("solve-help"))
	p.eval("location.hash = '#browse'", new(any))
	p.until("help where nothing is kept", shown("browse-help")+" && document.getElementById('browse-count').textContent === 'no puzzles yet' && document.getElementById('browse-clear').hidden")
	p.eval("location.hash = '#live'", new(any))
	p.until("help where nothing watches", shown("live-help"))
	p.eval("location.hash = '#random'", new(any))
	p.until("help where nothing was dealt", shown("random-help"))
	p.eval("location.hash = '#solve'", new(any))
	p.do(chromedp.Click("#solve-example"))
	p.until("the example has one answer", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one answer') && document.getElementById('solve-help').hidden")
	p.until("in words", "[...document.querySelectorAll('#solve-card .moves li')].some(li => li.textContent.startsWith('from corner column 1 row 5: '))")

	p.eval("location.hash = '#browse'", new(any))
	p.until("it is kept", "document.getElementById('browse-count').textContent === '1 puzzle' && document.getElementById('browse-help').hidden")
	p.eval(`const s = document.getElementById('browse-status'); s.append(new Option('unsolvable')); s.value = 'unsolvable'; s.dispatchEvent(new Event('change', { bubbles: true }));`, new(any))
	p.until("no match is not no puzzles", "document.getElementById('browse-count').textContent === 'no puzzle is like that' && document.getElementById('browse-help').hidden")
	p.do(chromedp.Click("#browse-clear"))
	p.until("all again", "document.getElementById('browse-count').textContent === '1 puzzle' && document.getElementById('browse-status').value === ''")
}

// TestPageHidesAnswers has a random puzzle's answer shown only when it is asked for.
func TestPageHidesAnswers(t *testing.T) {
	p := openPage(t)
	p.eval("location.hash = '#random'", new(any))
	p.until("the form", "document.querySelectorAll('#deal-wishes input').length > 0")
	p.eval("document.getElementById('deal-seed').value = '7'; document.getElementById('deal').requestSubmit()", new(any))
	answered := "document.querySelector('#random-card svg polyline[stroke=\"#ffffff\"]') !== null"
	p.until("dealt and solved", "document.querySelector('#random-card .verdict').textContent.includes('answer') && !document.querySelector('#random-card .asked').hidden")
	var seen bool
	if p.eval("return "+answered+" || !document.querySelector('#random-card .moves').hidden || !document.querySelector('#random-card .steps').hidden", &seen); seen {
		t.Error("the answer is shown before it is asked for")
	}
	p.do(chromedp.Click("#random-card .reveal"))
	p.until("the answer", answered+" && document.querySelector('#random-card .asked').hidden && !document.querySelector('#random-card .moves').hidden")
}

// TestPageEditStatus holds the status of the editor against the board at every moment.
func TestPageEditStatus(t *testing.T) {
	p := openPage(t)
	p.newBoard("witness", 2, 2)
	p.judged("more than one answer")
	// What the status says at each change of the board.
	p.eval(`window.seen = []; new MutationObserver(() => seen.push(document.getElementById('edit-verdict').textContent))
		.observe(document.getElementById('edit-text'), { childList: true, characterData: true, subtree: true });`, new(any))
	p.choose("end")
	p.click(4, 0)
	p.judged("no answer")
	p.do(chromedp.Click("#edit-undo"))
	p.judged("more than one answer")
	var seen []string
	p.eval("return window.seen", &seen)
	for _, said := range seen {
		solvetest.Same(t, said, "solving…", "as the board changed the status said")
	}
	solvetest.Same(t, len(seen), 2, "changes of the board")
	p.eval(`const { post } = await import('./api.js'); window.real = window.fetch;
		window.fetch = (path, o) => real(path, path === 'api/edit' ? { ...o, body: JSON.stringify({ ...JSON.parse(o.body), at: [[99, 99]] }) } : o);`, new(any))
	p.choose("square")
	p.click(1, 1)
	p.until("a refusal beside the status", "document.getElementById('edit-trouble').textContent.startsWith('Square at') && document.getElementById('edit-verdict').textContent === 'more than one answer'")
	p.eval(`window.fetch = real`, new(any))
	p.click(1, 1)
	p.until("done, and nothing is in the way", "document.getElementById('edit-trouble').textContent === '' && document.getElementById('edit-text').textContent.includes('black square')")
	p.eval(`document.querySelector('#edit-actions summary').click()`, new(any))
	p.until("the menu", "document.querySelectorAll('#edit-actions .share button').length > 3")
	p.judged("more than one answer")
	p.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text; };
		[...document.querySelectorAll('#edit-actions .share button')].find(b => b.textContent === 'Copy as text').click()`, new(any))
	p.until("copied is said where it was asked for", "document.querySelector('#edit-actions .share .said').textContent === 'copied' && document.getElementById('edit-verdict').textContent === 'more than one answer'")
}

// TestPageCopies copies what others can open: a link to The Windmill, and what
// witnesspuzzles.com takes.
func TestPageCopies(t *testing.T) {
	p := openPage(t)
	panel := solvetest.Must(forms.Parse([]byte(tinyPanel)))(t)
	code := solvetest.Must(forms.EncodeWindmill(panel))(t)
	p.paste(tinyPanel)
	p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('answer')")
	p.eval(`navigator.clipboard.writeText = async (text) => { window.copied = text; }; document.querySelector('#solve-card .share summary').click()`, new(any))
	p.until("the menu", "document.querySelectorAll('#solve-card .share button').length > 3")
	copied := func(words, said string) string {
		p.eval("window.copied = ''; [...document.querySelectorAll('#solve-card .share button')].find(b => b.textContent === "+quoted(words)+").click()", new(any))
		p.until(words, "window.copied !== '' && document.querySelector('#solve-card .share .said').textContent.includes("+quoted(said)+")")
		var text string
		p.eval("return window.copied", &text)
		return text
	}
	if got := copied("Copy a link", "a link to windmill.thefifthmatt.com"); got != "https://windmill.thefifthmatt.com/"+code {
		t.Errorf("the link is %s, want that of %s", got, code)
	}
	got, err := forms.DecodeJSON([]byte(copied("Copy as witnesspuzzles", "importPuzzle()")))
	if err != nil || !strings.Contains(forms.String(got), "white square") {
		t.Errorf("for witnesspuzzles.com: %v, %v", got, err)
	}
	if got := copied("Copy the address of this page", "on this machine only"); !strings.HasPrefix(got, p.url+"/#solve?f=witness") {
		t.Errorf("the page's address is %s", got)
	}
}

// TestPageSettingsClose closes the settings in every way that people try.
func TestPageSettingsClose(t *testing.T) {
	p := openPage(t)
	open := "document.getElementById('settings').open"
	for _, row := range []struct {
		why string
		act chromedp.Action
	}{
		{"the button", chromedp.Click("#set-close")},
		{"a click elsewhere", chromedp.MouseClickXY(700, 700)},
		{"Escape", chromedp.KeyEvent(kb.Escape)},
		{"another view", chromedp.Evaluate("location.hash = '#browse'; 0", nil)},
	} {
		p.do(chromedp.Click("#settings summary"))
		p.until("open", open)
		p.do(chromedp.Focus("#set-theme"), row.act)
		p.until(row.why, "!"+open)
	}
}

// TestPageServerGone has the page say by itself that the program has ended, and
// go on when it is there again.
func TestPageServerGone(t *testing.T) {
	p := openBrowser(t)
	page := testPage(t, filepath.Join(t.TempDir(), "store.sqlite"))
	server := httptest.NewServer(page)
	address := server.Listener.Addr().String()
	p.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#paste-text"))
	p.paste(tinyPanel)
	p.until("solved", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	server.CloseClientConnections()
	server.Close()
	p.until("said without being asked", "!document.getElementById('gone').hidden")
	p.do(chromedp.Click("#paste button[type=submit]"))
	p.until("the answer to a question says so too", "document.querySelector('#solve-card .verdict').textContent === 'not answered: onlooker is not running any more'")
	if axe := accessibility(t); axe != "" {
		p.judge("a page whose server has gone", axe)
	}
	l := solvetest.Must(listenAgain(address))(t)
	again := &http.Server{Handler: page}
	go func(l net.Listener) { _ = again.Serve(l) }(l)
	t.Cleanup(func() { again.Close() })
	p.until("it goes on", "document.getElementById('gone').hidden")
	p.do(chromedp.Click("#paste button[type=submit]"))
	p.until("solved again", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
}

// TestPageWords wants errors in the page's own words: no flag, no command, no word of Go.
func TestPageWords(t *testing.T) {
	p := openPage(t)
	for _, text := range []string{"once upon a time", "{\"grid\": 3", "panel 2x2\n+-+\n", "CAUSAigEEgII", "flow 3x2\nA.B\nA.\n", "https://windmill.thefifthmatt.com/cmkhg78", "alcazar 2x2\nxx\n", "4,0,1,2;0,1"} {
		p.paste(text)
		p.until(text+" is refused", "document.querySelector('#solve-card .verdict').classList.contains('bad') && document.querySelector('#solve-card .verdict').textContent !== ''")
		var said string
		p.eval("return document.querySelector('#solve-card .verdict').textContent", &said)
		for _, word := range []string{"--", "onlooker ", "EOF", "strconv", "json:", "invalid character", "no such file"} {
			if strings.Contains(said, word) {
				t.Errorf("%q is refused with %q, which has %q", text, said, word)
			}
		}
	}
}

// shotsFlag names a folder that gets a picture of every view at every width,
// for somebody to look at.
const shotsFlag = "ONLOOKER_KEEP"

// TestPageViews looks at every view in two widths, light and dark: nothing
// reaches out of the window, and axe-core finds no serious fault of
// accessibility.
func TestPageViews(t *testing.T) {
	p := openPage(t)
	axe := accessibility(t)
	p.paste(tinyPanel)
	p.until("a puzzle is solved and kept", "document.querySelector('#solve-card .verdict').textContent.includes('exactly one')")
	views := p.views()
	p.everywhere(func(said string) {
		for _, view := range views {
			p.eval("location.hash = "+quoted(view.hash), new(any))
			p.until(view.name, "!document.getElementById(location.hash.slice(1).split('?')[0]).hidden && "+view.ready)
			if view.act != nil {
				view.act()
				p.until(view.name+" after it", view.then)
			}
			p.inspect(view.name+said, axe)
		}
	})
}

// everywhere does something in two widths, light and dark, which is said.
func (p *pageTest) everywhere(do func(said string)) {
	for _, width := range []int64{1440, 390} {
		for _, scheme := range []string{"light", "dark"} {
			height := map[int64]int64{1440: 900, 390: 844}[width]
			p.do(emulation.SetDeviceMetricsOverride(width, height, 1, width < 500),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
			do(fmt.Sprintf("-%d-%s", width, scheme))
		}
	}
}

// inspect looks at what the page shows now.
func (p *pageTest) inspect(name, axe string) {
	p.Helper()
	var over float64
	p.eval("return document.documentElement.scrollWidth - document.documentElement.clientWidth", &over)
	if over > 0 {
		p.Errorf("%s reaches %.0f pixels out of the window", name, over)
	}
	if axe != "" {
		p.judge(name, axe)
	}
	if folder := os.Getenv(shotsFlag); folder != "" {
		p.shoot(filepath.Join(folder, name+".png"))
	}
}

// accessibility is axe-core; "" where it was not fetched.
func accessibility(t *testing.T) string {
	t.Helper()
	found := solvetest.Must(filepath.Glob("../../.build/axe-*.js"))(t)
	if len(found) == 0 {
		t.Log("axe-core is not in .build (.ci/setup test fetches it): accessibility is not judged")
		return ""
	}
	axe := solvetest.Must(os.ReadFile(found[0]))(t)
	return string(axe)
}

// A pageView is a view to look at: where it is, what is true when it is there,
// and what is done then, until something else is true.
type pageView struct {
	name, hash, ready string
	act               func()
	then              string
}

// views are all views of the page, some of them in several states.
func (p *pageTest) views() []pageView {
	at := func(view, family, text string) string {
		var hash string
		p.eval(`const { link } = await import('./api.js'); return link(`+quoted(view)+`, { family: `+quoted(family)+`, text: `+quoted(text)+` });`, &hash)
		return hash
	}
	click := func(selector string) func() {
		return func() { p.eval("document.querySelector("+quoted(selector)+").click()", new(any)) }
	}
	drawn := "[...document.querySelectorAll('#browse-list img')].every(i => i.complete && i.naturalWidth > 0) && document.querySelectorAll('#browse-list img').length > 0"
	settled := "document.querySelector('#settings').open === "
	return []pageView{
		{name: "solve", hash: at("solve", "witness", tinyPanel), ready: "document.querySelector('#solve-card .verdict').textContent.includes('answer')"},
		{name: "sight", hash: "#solve", ready: "true", act: p.dropScreenshot, then: "document.querySelector('#solve-card .verdict').textContent.includes('answer')"},
		{name: "none", hash: at("solve", "fans", "FT.\n..T\n"), ready: "document.querySelector('#solve-card .why').textContent !== ''"},
		{name: "browse", hash: "#browse", ready: drawn},
		{name: "one", hash: "#browse", ready: drawn, act: click("#browse-list li:last-child button"), then: "!document.querySelector('#browse-one').hidden"},
		{name: "edit", hash: at("edit", "witness", tinyPanel), ready: "document.getElementById('edit-verdict').textContent === 'exactly one answer'"},
		{name: "edit-piece", hash: at("edit", "witness", tinyPanel), ready: "document.getElementById('edit-verdict').textContent === 'exactly one answer'",
			act: click("#edit-tools [data-tool=piece]"), then: "document.querySelectorAll('#edit-fields .squares button').length === 25"},
		{name: "edit-flow", hash: at("edit", "flow", "flow 3x2\nA.B\nA.B\n"), ready: "document.getElementById('edit-text').textContent.includes('A.B') && document.getElementById('edit-verdict').textContent.includes('answer')"},
		{name: "play", hash: at("play", "alcazar", "alcazar 2x2\nxxxxx\n.0.0x\nx.x.x\nx0.0x\nx.xxx\n"), ready: "document.querySelector('#play-canvas svg') !== null"},
		{name: "random-empty", hash: "#random", ready: "true"},
		{name: "random", hash: "#random", ready: "document.querySelectorAll('#deal-wishes input').length > 0",
			act: func() {
				p.eval("document.getElementById('deal-seed').value = '7'; document.getElementById('deal').requestSubmit()", new(any))
			}, then: "document.querySelector('#random-card .verdict').textContent.includes('answer')"},
		{name: "practice", hash: "#practice", ready: "!!document.querySelector('#practice-frame iframe')?.contentDocument?.getElementById('go')"},
		{name: "live", hash: "#live", ready: "!document.getElementById('live-help').hidden"},
		{name: "settings", hash: "#live", ready: "true", act: click("#settings summary"), then: settled + "true"},
		{name: "settings-closed", hash: "#live", ready: "true", act: click("#settings summary"), then: settled + "false"},
	}
}

// judge lets axe-core look at the page.
func (p *pageTest) judge(what, axe string) {
	p.Helper()
	var there bool
	if p.eval("return typeof axe !== 'undefined'", &there); !there {
		p.do(chromedp.Evaluate(axe+"; 0", nil))
	}
	var faults []string
	p.eval(`const r = await axe.run(document, { resultTypes: ['violations'], iframes: false });
		return r.violations.filter(v => v.impact === 'serious' || v.impact === 'critical').map(v => v.id + ': ' + v.help + ': ' + v.nodes.map(n => n.target.join(' ') + ' ' + (n.any[0]?.message ?? '')).slice(0, 3).join('; '));`, &faults)
	for _, f := range faults {
		p.Errorf("%s: %s", what, f)
	}
}

func (p *pageTest) shoot(file string) {
	p.Helper()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		data, err := cdp.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(file, data, 0o644)
	}))
}

// TestPageRefuses asks what a stranger's page, or a mistake, could ask.
func TestPageRefuses(t *testing.T) {
	page := testPage(t, filepath.Join(t.TempDir(), "store.sqlite"))
	deep := `{"family":"witness","text":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`
	puzzle := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	for _, row := range []struct {
		why, method, path, body string
		head                    map[string]string
		code                    int
		says                    string
	}{
		{"the page", "GET", "/", "", nil, 200, "<title>onlooker"},
		{"an answer", "POST", "/api/solve", puzzle, nil, 200, `"kind":"answer"`},
		{"an answer, asked by the page itself", "POST", "/api/solve", puzzle, map[string]string{"Origin": "http://127.0.0.1:9", "Sec-Fetch-Site": "same-origin"}, 200, `"kind":"answer"`},
		{"a link from elsewhere", "GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200, "<title>onlooker"},
		{"a name that resolves here", "GET", "/", "", map[string]string{"Host": "evil.example:7763"}, 403, "not this machine"},
		{"a name that begins as this machine's", "GET", "/", "", map[string]string{"Host": "127.0.0.1.evil.example"}, 403, "not this machine"},
		{"another site's script", "POST", "/api/solve", puzzle, map[string]string{"Origin": "https://evil.example"}, 403, "may not ask"},
		{"a page without an origin", "POST", "/api/solve", puzzle, map[string]string{"Origin": "null"}, 403, "may not ask"},
		{"another port of this machine", "POST", "/api/solve", puzzle, map[string]string{"Origin": "http://127.0.0.1:10"}, 403, "may not ask"},
		{"a picture in another site's page", "GET", "/api/games", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403, "may not ask"},
		{"another site's frame", "GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403, "may not ask"},
		{"a form's body", "POST", "/api/solve", puzzle, map[string]string{"Content-Type": "text/plain"}, 415, "want application/json"},
		{"deep JSON", "POST", "/api/solve", deep, nil, 400, "nested too deep"},
		{"deep JSON as a puzzle", "POST", "/api/open", `{"text":` + quoted(`{"grid":`+strings.Repeat("[", 200_000)) + `}`, nil, 200, `"error":`},
		{"more text than there is", "POST", "/api/open", `{"text":"` + strings.Repeat("a", 9<<20) + `"}`, nil, 413, "more than 8 MB"},
		{"a board of a million cells", "POST", "/api/open", `{"text":"flow 1000x1000\n"}`, nil, 200, `"error":`},
		{"a path out of the folder", "GET", "/../../etc/passwd", "", nil, 307, ""},
		{"the same, escaped", "GET", "/%2e%2e/%2e%2e/etc/passwd", "", nil, 404, "not found"},
		{"the same with another slash", "GET", "/..%5c..%5cetc%5cpasswd", "", nil, 404, "not found"},
		{"out of the practice page", "GET", "/practice/..%2f..%2fserver.go", "", nil, 404, "not found"},
		{"a family that is a path", "POST", "/api/solve", `{"family":"../witness","text":"panel 1x1"}`, nil, 200, `no family`},
		{"a format that is a path", "POST", "/api/save", `{"family":"witness","to":"../../x","text":` + quoted(tinyPanel) + `}`, nil, 400, "no format"},
		{"a file's name is text", "POST", "/api/open", `{"text":"/etc/passwd"}`, nil, 200, "in no form that is known"},
		{"strokes far off", "POST", "/api/draw", `{"family":"witness","text":` + quoted(tinyPanel) + `,"strokes":[[[999999999,1]]]}`, nil, 400, "far off"},
		{"strokes that are no answer", "POST", "/api/draw", `{"family":"witness","text":` + quoted(tinyPanel) + `,"strokes":[[[0,4],[2,4]]]}`, nil, 400, "want the cap of an end"},
		{"a random board of any size", "POST", "/api/random", `{"family":"witness","cols":1000000,"rows":1000000}`, nil, 200, "want 1×1 to"},
		{"another method", "DELETE", "/api/solve", "", nil, 405, ""},
		{"no such puzzle is forgotten", "POST", "/api/forget", `{"id":999}`, nil, 404, "no such puzzle"},
		{"words are no SQL", "POST", "/api/list", `{"wanted":{"family":"' OR 1=1 --"}}`, nil, 200, `"count":0`},
		{"100 megapixels", "POST", "/api/look", string(hollowPNG(t, 10_000, 10_000, 1)), nil, 413, "at most 16 million"},
		{"gigabytes in kilobytes", "POST", "/api/look", string(hollowPNG(t, 60_000, 60_000, 50)), nil, 413, "at most 16 million"},
		{"more pixels than it says", "POST", "/api/look", string(hollowPNG(t, 64, 64, 100_000)), nil, 400, "corrupt"},
		{"fewer pixels than it says", "POST", "/api/look", string(hollowPNG(t, 4000, 4000, 3)), nil, 400, "corrupt"},
		{"no picture", "POST", "/api/look", "hello", nil, 400, "no picture"},
		{"a file of 65 MB", "POST", "/api/look", strings.Repeat("x", 65<<20), nil, 413, "at most 64"},
		{"a draft of no outline", "POST", "/api/draft", string(hollowPNG(t, 64, 64, 64)), nil, 400, "the outline"},
		{"another site's draft", "POST", "/api/draft", "", map[string]string{"Origin": "https://evil.example"}, 403, "may not ask"},
		{"a draft in an outline without area", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"flow","cols":3,"rows":3}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no board in the outline"},
		{"a draft of a million cells", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"flow","cols":1000,"rows":1000}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "want 1×1 to"},
		{"a draft of no family", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"chess","cols":3,"rows":3}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no family"},
		{"a draft in 100 megapixels", "POST", "/api/draft?of={}", string(hollowPNG(t, 10_000, 10_000, 1)), nil, 413, "at most 16 million"},
		{"a draft without its outline", "POST", "/api/lay", puzzle, nil, 400, "no outline"},
		{"a look by a path", "POST", "/api/learn?of=" + url.QueryEscape(`{"family":"witness","look":"../mine","outline":{"cols":2,"rows":2,"quad":[[9,9],[49,9],[49,49],[9,49]]},"text":`+quoted(tinyPanel)+`}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no name for a look"},
		{"a look that is there", "POST", "/api/learn?of=" + url.QueryEscape(`{"family":"witness","look":"witness-challenge","outline":{"cols":2,"rows":2,"quad":[[9,9],[49,9],[49,49],[9,49]]},"text":`+quoted(tinyPanel)+`}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "already"},
	} {
		r := httptest.NewRequest(row.method, row.path, strings.NewReader(row.body))
		r.Host = "127.0.0.1:9"
		r.Header.Set("Content-Type", "application/json")
		for name, value := range row.head {
			if name == "Host" {
				r.Host = value
				continue
			}
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		said := w.Body.String()
		if w.Code != row.code || !strings.Contains(said, row.says) {
			t.Errorf("%s: status %d, %.300q; want %d with %q", row.why, w.Code, said, row.code, row.says)
		}
		if strings.Contains(said, "root:") {
			t.Errorf("%s: a file of the machine was served", row.why)
		}
		if row.code == http.StatusOK && row.method == "GET" && !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: the policy is %q", row.why, w.Header().Get("Content-Security-Policy"))
		}
	}
}
