//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

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
	if err := json.Unmarshal([]byte(raw), out); err != nil {
		p.Fatalf("eval gave %q: %v", raw, err)
	}
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
	var file bytes.Buffer
	solvetest.OK(p, png.Encode(&file, scene(p.T, "maze-3", 800, 600, 1)))
	p.drop(file.Bytes())
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
