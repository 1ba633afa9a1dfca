package practice

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
)

// browser starts a headless browser. A second, with a display and a real mouse, is the agent's
// business.
func browser(t *testing.T) context.Context {
	t.Helper()
	ctx := showcase.TestBrowser(t, 1280, 720, 5*time.Minute)
	showcase.TestThrown(t, ctx)
	solvetest.OK(t, chromedp.Run(ctx), "start Chromium")
	return ctx
}

// plain deals boards without clues: 2×2, of the kind's number, whose answer is
// known to everybody. A pillar stays a pillar.
func plain(_ *rand.Rand, kind string) ([]*board.Panel, error) {
	n := 1
	if strings.HasPrefix(kind, "triple") {
		n = 3
	}
	var boards []*board.Panel
	for i := range n {
		p := board.New(2, 2, strings.HasPrefix(kind, "pillar"))
		if p.Pillar {
			p = board.New(6, 2, true)
			p.At(image.Pt(0, 0)).Cap = image.Pt(0, -1)
		} else {
			p.At(image.Pt(4, 0)).Cap = image.Pt(0, -1)
		}
		p.At(image.Pt(0, 4)).Start = true
		if n == 3 && i != 1 { // a dot in a corner that no line reaches: no answer
			dot := p.At(image.Pt(2, 2))
			dot.Dot.On = true
			for _, at := range []image.Point{{X: 1, Y: 2}, {X: 3, Y: 2}, {X: 2, Y: 1}, {X: 2, Y: 3}} {
				p.At(at).Gap = board.Broken
			}
		}
		boards = append(boards, p)
	}
	return boards, nil
}

// A page is the practice page in a browser, and its server.
type page struct {
	t      *testing.T
	ctx    context.Context
	server *Server
}

func open(t *testing.T, ctx context.Context, deal dealer) *page {
	t.Helper()
	p := &page{t: t, ctx: ctx, server: NewServer(solve.Judge)}
	p.server.deal = deal
	web := httptest.NewServer(p.server)
	t.Cleanup(web.Close)
	p.do(chromedp.EmulateViewport(1280, 720), chromedp.Navigate(web.URL+"/?seed=1"), chromedp.WaitVisible("#go"))
	return p
}

func (p *page) do(actions ...chromedp.Action) {
	p.t.Helper()
	solvetest.OK(p.t, chromedp.Run(p.ctx, actions...))
}

// eval runs an async function's body in the page and decodes what it returns.
func (p *page) eval(body string, out any) {
	p.t.Helper()
	var raw string
	expr := "(async () => { const r = await (async () => {" + body + "})(); return JSON.stringify(r === undefined ? null : r); })()"
	p.do(chromedp.Evaluate(expr, &raw, func(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }))
	solvetest.OK(p.t, json.Unmarshal([]byte(raw), out), fmt.Sprintf("eval gave %q", raw))
}

// frame waits until the page has applied what was sent: it does so once a frame,
// and motions that share a frame are one motion to it.
func (p *page) frame() {
	p.t.Helper()
	var done bool
	p.eval("for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame); return true", &done)
}

// run calls f with the only run, under the server's lock; nil before there is
// one.
func (p *page) run(f func(*Run)) {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	var run *Run
	if n := len(p.server.ids); n > 0 {
		run = p.server.runs[p.server.ids[n-1]]
	}
	f(run)
}

// soon tells whether the run gets as wanted within a time.
func (p *page) soon(ok func(*Run) bool, within time.Duration) bool {
	for begun := time.Now(); ; time.Sleep(25 * time.Millisecond) {
		good := false
		p.run(func(r *Run) { good = r != nil && ok(r) })
		if good || time.Since(begun) > within {
			return good
		}
	}
}

// until waits until the run is as wanted.
func (p *page) until(what string, ok func(*Run) bool) {
	p.t.Helper()
	if !p.soon(ok, 30*time.Second) {
		p.t.Fatalf("waited 30 s for: %s", what)
	}
}

// key presses a key as a keyboard does.
func (p *page) key(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		code, text, virtual := k, "", int64(0)
		switch {
		case k == " ":
			code, text, virtual = "Space", " ", 32
		case len(k) == 1:
			code, text, virtual = "Key"+strings.ToUpper(k), k, int64(strings.ToUpper(k)[0])
		}
		p.do(input.DispatchKeyEvent(input.KeyDown).WithKey(k).WithCode(code).WithText(text).WithWindowsVirtualKeyCode(virtual),
			input.DispatchKeyEvent(input.KeyUp).WithKey(k).WithCode(code).WithWindowsVirtualKeyCode(virtual))
		time.Sleep(30 * time.Millisecond)
	}
}

func (p *page) begin() {
	p.t.Helper()
	p.key(" ")
	p.until("the run is going", func(r *Run) bool { return r.Phase == Running })
	p.pass(350 * time.Millisecond) // the walk to the first panel
}

// pass waits while a time passes to the page, which counts at most 50 ms a frame: so one that
// is starved of its processor has as many frames as any other.
func (p *page) pass(time time.Duration) {
	p.t.Helper()
	var done bool
	p.eval(fmt.Sprintf(`let left = %d, before = performance.now();
		while (left > 0) { const now = await new Promise(requestAnimationFrame); left -= Math.max(0, Math.min(50, now - before)); before = now; }
		return true`, time.Milliseconds()), &done)
}

// solveByKeys traces the plain board before the player: up, up, right, right
// and into the cap.
func (p *page) solveByKeys() {
	p.t.Helper()
	p.key(" ", "Tab", " ")
	p.steps("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowUp")
	p.key(" ")
}

func (p *page) steps(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.key(k)
		p.pass(200 * time.Millisecond) // an edge takes some 90 ms
	}
}

// walkTo walks to a panel from wherever the player stands: where a key was dropped,
// those that follow may have led elsewhere.
func (p *page) walkTo(slot int) {
	p.t.Helper()
	here := -1
	for range 4 * SlotCount {
		p.eval(`return [...document.querySelectorAll("#steps li")].findIndex((s) => s.classList.contains("here"));`, &here)
		switch {
		case here == slot:
			return
		case here < slot:
			p.key("d")
		default:
			p.key("a")
		}
		p.pass(350 * time.Millisecond) // what the walk takes
	}
	p.t.Fatalf("at slot %d, want %d", here, slot)
}

func stage(slot int, want Stage) func(*Run) bool {
	return func(r *Run) bool { return r.Slots[slot].Stage == want }
}

// solveSlot walks to a panel of plain and solves it by the keyboard.
func (p *page) solveSlot(slot int) {
	p.t.Helper()
	p.answerSlot(slot, "it is solved", stage(slot, Solved))
}

// answerSlot walks to a panel and enters the answer of plain by the keyboard, until the run is
// as wanted.
func (p *page) answerSlot(slot int, what string, ok func(*Run) bool) {
	p.t.Helper()
	var kind string
	p.run(func(r *Run) { kind = r.Slots[slot].Kind })
	// A browser that is starved of its processor drops keys: begin again.
	for try := 0; try < 8 && (try == 0 || !p.soon(ok, 2*time.Second)); try++ {
		if try > 0 {
			p.key("Backspace", "Backspace") // out of the line, out of the panel
		}
		p.walkTo(slot)
		switch {
		case strings.HasPrefix(kind, "triple"):
			p.key(" ")
			time.Sleep(2100 * time.Millisecond) // all are lit by now (looks.js)
			p.key("Tab", "Tab", " ")            // the middle one is the second
			p.steps("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowUp")
			p.key(" ")
		case strings.HasPrefix(kind, "pillar"):
			p.key(" ", "Tab", " ")
			p.steps("ArrowUp", "ArrowUp", "ArrowUp")
			p.key(" ")
		default:
			p.solveByKeys()
		}
	}
	if !p.soon(ok, 5*time.Second) {
		var frames int
		p.eval("let n = 0; const t = performance.now(); await new Promise((r) => { const f = () => { n++; performance.now() - t < 1000 ? requestAnimationFrame(f) : r(); }; requestAnimationFrame(f); }); return n;", &frames)
		if frames < 20 { // keys are taken frame by frame
			p.t.Skipf("skipped at slot %d (%s): the browser paints %d frames a second, want 20; this machine is too busy for a player", slot, kind, frames)
		}
		p.t.Fatalf("not so after slot %d (%s) was answered: %s; at %d frames a second", slot, kind, what, frames)
	}
}

func TestKeyboardPlaysTheChallenge(t *testing.T) {
	p := open(t, browser(t), plain)
	p.begin()
	for slot := range SlotCount {
		p.solveSlot(slot)
	}
	p.until("the run is won", func(r *Run) bool { return r.Phase == Won })
	var title string
	p.do(chromedp.WaitVisible("#over"), chromedp.Text("#overTitle", &title))
	if !strings.HasPrefix(title, "Solved in ") {
		t.Errorf("title is %q, want Solved in …", title)
	}
}

func TestWrongAnswerPowersOff(t *testing.T) {
	dotted := func(_ *rand.Rand, kind string) ([]*board.Panel, error) {
		boards, err := plain(nil, kind)
		if kind == "maze-7" { // the corner that solveByKeys does not pass
			boards[0].At(image.Pt(4, 4)).Dot.On = true
		}
		return boards, err
	}
	p := open(t, browser(t), dotted)
	p.begin()
	p.solveSlot(0)
	p.answerSlot(1, "slot 1 is off and slot 0 lit again", func(r *Run) bool { return r.Slots[1].Stage == Off && r.Slots[0].Stage == Lit })
	var note string
	p.do(chromedp.Text("#note", &note))
	if note == "" {
		t.Error("nothing said about the wrong answer")
	}
	p.pass(time.Second)    // the line blinks
	p.key(" ", "Tab", " ") // nothing to begin on a panel that is off
	p.answerSlot(0, "slot 1 is back, new", func(r *Run) bool { return r.Slots[1].Stage == Lit && r.Slots[1].Deal == 2 })
}

func TestTimeAndPauseEndTheRun(t *testing.T) {
	for _, row := range []struct {
		name  string
		end   func(*page)
		phase Phase
		title string
	}{
		{"the music ends", func(p *page) {
			p.run(func(r *Run) { r.began = r.began.Add(-Limit) })
			p.do(chromedp.Evaluate("performance.now = () => 1e9", nil)) // six minutes pass at once
		}, Lost, "The music is over"},
		{"paused", func(p *page) { p.key("p") }, Aborted, "The run was paused"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := open(t, browser(t), plain)
			p.begin()
			row.end(p)
			var title string
			p.do(chromedp.WaitVisible("#over"), chromedp.Text("#overTitle", &title))
			solvetest.Same(t, title, row.title, "title")
			p.until("the server agrees", func(r *Run) bool { return r.Phase == row.phase })
			p.run(func(r *Run) {
				if err := r.Answer(t.Context(), time.Now(), 0, 0, nil); !errors.Is(err, ErrNotNow) {
					t.Errorf("an answer after the end gave %v, want %v", err, ErrNotNow)
				}
			})
		})
	}
}

// middle gives where a half-cell of the board before the player is in the
// window, in CSS pixels; the maze-3 place hangs it within 5 px of the middle.
func middle(x, y int) (float64, float64) {
	const pitch = 430.0 / 2 * 720 / 1080
	return 640 + (float64(x)/2-1)*pitch, 360 + (float64(y)/2-1)*pitch
}

func TestMouse(t *testing.T) {
	p := open(t, browser(t), plain)
	p.begin()
	mouse := func(kind input.MouseType, x, y float64, button input.MouseButton) {
		t.Helper()
		ev := input.DispatchMouseEvent(kind, x, y).WithButton(button)
		if kind != input.MouseMoved {
			ev = ev.WithClickCount(1)
		}
		p.do(ev)
		p.frame()
	}
	click := func(button input.MouseButton) {
		mouse(input.MousePressed, 640, 360, button)
		mouse(input.MouseReleased, 640, 360, button)
	}
	// Relative motion, as the lock gives it.
	move := func(x, y float64) {
		t.Helper()
		p.do(chromedp.Evaluate(fmt.Sprintf("document.getElementById('stage').dispatchEvent(new MouseEvent('mousemove', {movementX: %g, movementY: %g}))", x, y), nil))
		p.frame()
	}
	click(input.Left)
	var solving, locked bool
	p.do(chromedp.Evaluate("document.body.classList.contains('solving')", &solving))
	if !solving {
		t.Fatal("a click does not enter solve mode")
	}
	for range 20 { // the lock takes its time
		p.do(chromedp.Evaluate("document.pointerLockElement !== null", &locked))
		if locked {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !locked {
		t.Error("a click does not lock the pointer")
	}
	sx, sy := middle(0, 4)
	move(sx-640, sy-360)
	click(input.Left)
	const pitch = 430.0 / 2 * 720 / 1080 / 1.2 // the 3×3 multiplies motion by 1.2
	move(0, -pitch)
	click(input.Right) // drops the line
	click(input.Left)  // in mid-board: no start here
	p.run(func(r *Run) {
		if r.Slots[0].Stage != Lit || r.Slots[0].Wrong != 0 {
			t.Errorf("after a dropped line slot 0 is %s with %d wrong answers", r.Slots[0].Stage, r.Slots[0].Wrong)
		}
	})
	move(0, pitch*1.2) // back to the start
	click(input.Left)
	for range 2 {
		move(0, -pitch*1.02) // past the corner: harmless
	}
	move(4, 0) // leaks back to the corner
	for range 3 {
		move(pitch*0.8, 0)
	}
	move(0, -4)
	click(input.Left) // not yet in the cap
	move(0, -60)
	click(input.Left)
	p.until("slot 0 is solved", stage(0, Solved))
	click(input.Right)
	p.do(chromedp.Evaluate("document.body.classList.contains('solving')", &solving))
	if solving {
		t.Error("a right click does not leave solve mode")
	}
}

func TestTouch(t *testing.T) {
	ctx := browser(t)
	solvetest.OK(t, chromedp.Run(ctx, emulation.SetTouchEmulationEnabled(true)))
	p := open(t, ctx, plain)
	p.begin()
	touch := func(kind input.TouchType, at ...[2]float64) {
		t.Helper()
		points := []*input.TouchPoint{}
		for i, q := range at {
			points = append(points, &input.TouchPoint{X: q[0], Y: q[1], ID: float64(i + 1)})
		}
		p.do(input.DispatchTouchEvent(kind, points))
		p.frame()
	}
	// drag moves the finger in steps, as a finger does.
	drag := func(from, to [2]float64) {
		for i := 1; i <= 8; i++ {
			f := float64(i) / 8
			touch(input.TouchMove, [2]float64{from[0] + (to[0]-from[0])*f, from[1] + (to[1]-from[1])*f})
		}
	}
	at := func(x, y int) [2]float64 {
		a, b := middle(x, y)
		return [2]float64{a, b}
	}
	touch(input.TouchStart, at(0, 4))
	drag(at(0, 4), at(0, 2))
	touch(input.TouchStart, at(0, 2), [2]float64{900, 600}) // a second finger drops the line
	touch(input.TouchEnd)
	touch(input.TouchStart, at(0, 4))
	drag(at(0, 4), at(0, 0))
	touch(input.TouchEnd) // lifted half way: the line waits
	touch(input.TouchStart, [2]float64{200, 200})
	drag([2]float64{200, 200}, [2]float64{500, 200})
	drag([2]float64{500, 200}, [2]float64{500, 120})
	touch(input.TouchEnd)
	p.until("slot 0 is solved", stage(0, Solved))
	p.do(chromedp.Click("#pad button[data-do=next]"))
	var here int
	p.eval("return [...document.querySelectorAll('#steps li')].findIndex((li) => li.classList.contains('here'))", &here)
	solvetest.Same(t, here, 1, "the panel that the button walks to")
}

// TestTracer tries the rules of motion on the page's own tracer: testdata/tracer.rows has why, the board as the
// server sends it, with a start at (0,4) of 2×2, moves in cells, a frame each, and the nodes of the line and its
// head. The line is .2 wide, a break .3.
func TestTracer(t *testing.T) {
	p := open(t, browser(t), plain)
	for _, line := range solvetest.Rows(t, "testdata/tracer.rows") {
		var row struct{ why, board, moves, want string }
		solvetest.Must(fmt.Sscanf(line, "%q %q %q %q", &row.why, &row.board, &row.moves, &row.want))(t, line)
		var got string
		p.eval(fmt.Sprintf(`
			const { Board } = await import('./board.js'), { Tracer } = await import('./tracer.js');
			const tracer = new Tracer(new Board({ cols: 2, rows: 2, ...%s }), [0, 4], { line: 0.2, gap: 0.3, cap: 0.3 });
			for (const [x, y] of %s) tracer.move(x, y);
			const round = (v) => Math.round(v * 100) / 100 || 0;
			return JSON.stringify(tracer.nodes) + ' ' + tracer.head().map(round).join(' ');`, row.board, row.moves), &got)
		solvetest.Same(t, got, row.want, "%s: moves %s", row.why, row.moves)
	}
}

// TestPartInPage trains a part by itself: no clock, and a best time of its own.
func TestPartInPage(t *testing.T) {
	p := open(t, browser(t), plain)
	var parts []string
	p.eval(`const s = document.getElementById('part'); for (let i = 0; i < 100 && s.options.length < 2; i++) await new Promise(r => setTimeout(r, 20));
		s.value = 'mazes'; s.dispatchEvent(new Event('change')); document.activeElement.blur();
		return [...s.options].map(o => o.value).slice(1)`, &parts)
	if strings.Join(parts, " ") != strings.Join(PartNames(), " ") {
		t.Errorf("the page offers %v, want %v", parts, PartNames())
	}
	p.begin()
	for slot := range PartCount {
		p.solveSlot(slot)
		var clock string
		if p.eval("return document.getElementById('clock').textContent", &clock); clock != "" {
			t.Fatalf("a clock runs: %s", clock)
		}
	}
	var title, best string
	p.do(chromedp.WaitVisible("#over"), chromedp.Text("#overTitle", &title), chromedp.Click("#menu"), chromedp.Text("#best", &best))
	if !strings.HasPrefix(title, "Solved in ") || !strings.HasSuffix(title, "your first time") || !strings.HasPrefix(best, "Best so far: mazes ") {
		t.Errorf("the end says %q, the menu %q", title, best)
	}
}

// TestPlacesFit wants every place of the Challenge within a phone that is held upright,
// and as large as ever on a wide screen.
func TestPlacesFit(t *testing.T) {
	p := open(t, browser(t), plain)
	var out []string
	p.eval(`const { views, extent, margin } = await import('./scene.js'), { kinds } = await import('./looks.js');
		const out = [];
		for (const [w, h] of [[390, 844], [390, 648], [360, 560], [844, 390], [1280, 720]]) {
			for (const [name, kind] of Object.entries(kinds)) {
				const n = kind.place === 'triple' ? 3 : 1, [cols, rows] = kind.cells;
				const boards = Array.from({ length: n }, () => ({ cols, rows }));
				for (const seed of [1, 2, 3, 4, 5]) for (const v of views(kind, boards, w, h, seed, 0)) {
					const m = margin(kind), at = v.pillar ? [[v.clip[0], 0], [v.clip[1], rows]] : [[-m, -m], [cols + m, -m], [cols + m, rows + m], [-m, rows + m]];
					for (const [x, y] of at.map(([a, b]) => v.project(a, b))) if (x < 0 || x > w || y < 0 || y > h) out.push(name + ' at ' + w + 'x' + h + ' reaches ' + x.toFixed(0) + ',' + y.toFixed(0));
				}
				const s = extent(kind, w, h);
				if (w > h && s !== h / 1080) out.push(name + ' is smaller on ' + w + 'x' + h);
				if (w < h && !v(s)) out.push(name + ' is tiny on ' + w + 'x' + h);
				function v(s) { return s * (kind.size ?? (kind.pitch ? 4 * kind.pitch : 547)) * (n === 3 ? 3 : 1) > 0.5 * w; }
			}
		}
		return out.slice(0, 20);`, &out)
	for _, fault := range out {
		t.Error(fault)
	}
}
