//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"rsc.io/qr"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/web"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision/picture"
)

// TestQR reads the printed characters back, module by module.
func TestQR(t *testing.T) {
	const url = "http://192.168.100.100:7763/abc234/"
	var out bytes.Buffer
	solvetest.OK(t, printQR(&out, url, false))
	code := solvetest.Must(qr.Encode(url, qr.L))(t)
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if n := len(lines); n > 20 {
		t.Errorf("the code takes %d lines, want at most 20 of a window's 24", n)
	}
	for y := range code.Size {
		for x := range code.Size {
			c := []rune(lines[(y+quiet)/2])[x+quiet]
			black := c == ' ' || c == '▀' && (y+quiet)%2 == 1 || c == '▄' && (y+quiet)%2 == 0
			if black != code.Black(x, y) {
				t.Fatalf("module (%d,%d) is %q, want black: %v", x, y, c, code.Black(x, y))
			}
		}
	}
}

// A phoneScene is what the phone gets to see, and what it then shows.
type phoneScene struct {
	name     string
	captures []string // the views of one board where there are several
	heading  string
	what     string // in the line below the board
	drawn    bool
}

// TestPhoneView shows captures of a triple, a pedestal, a pillar and a panel to the view
// for a phone: the drawn board is as wide as the phone, the answer on it.
func TestPhoneView(t *testing.T) {
	scenes := []phoneScene{
		{"panel", []string{"wall-maze-3x3-01.png"}, "The answer", "The Witness, 3×3", true},
		{"triple", []string{"triple-two-colours-05.png"}, "On the right", "The Witness", true},
		{"double door", []string{"double-door-01.png"}, "The answers", "The Witness, 4×4", true},
		{"two of three", []string{"triple-two-colours-01.png"}, "solve the third", "", false},
		{"one of three", []string{"triple-three-colours-01.png"}, "No answer", "The Witness", true},
		{"pedestal", []string{"pedestal-01.png"}, "The map", "the floor maze", true},
		{"pillar", []string{"pillar-dots-01-view0.png", "pillar-dots-01-view1.png", "pillar-dots-01-view2.png"}, "The answer", "its right edge joins its left", true},
	}
	if !exists(solvetest.Shared("captures", scenes[0].captures[0])) {
		t.Skip("no shared captures: set ONLOOKER_SHARED to their folder")
	}
	axe := accessibility(t)
	p := openBrowser(t)
	var turns []*see.Turn
	for _, s := range scenes {
		turns = append(turns, turnOf(t, s.captures))
	}
	for _, width := range []int64{390, 768, 1440} {
		height := map[int64]int64{390: 844, 768: 1024, 1440: 900}[width]
		for _, scheme := range []string{"light", "dark"} {
			if width == 768 && scheme == "light" {
				continue
			}
			for i, s := range scenes {
				live := web.New(web.Options{})
				phone := httptest.NewServer(live.Phone())
				p.do(emulation.SetDeviceMetricsOverride(width, height, 1, width < 500),
					emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}),
					chromedp.Navigate(phone.URL+"/"+live.Code()+"/"))
				p.until("connected", "document.getElementById('state').textContent === 'connected'")
				live.State("answered")
				live.Turn(turns[i])
				p.until(s.name, "document.getElementById('name').textContent === "+quoted(s.heading)+" && document.getElementById('what').textContent.includes("+quoted(s.what)+")")
				p.phoneFits(s, width)
				p.do(chromedp.Click("#more summary"))
				p.until("the frame", "document.getElementById('frame').naturalWidth > 0 && document.getElementById('times').textContent.includes(' ms')")
				if axe != "" {
					p.judge(fmt.Sprintf("phone, %s at %d pixels, %s", s.name, width, scheme), axe)
				}
				p.do(chromedp.Click("#more summary"))
				if folder := os.Getenv(shotsFlag); folder != "" {
					p.shoot(filepath.Join(folder, fmt.Sprintf("phone-%s-%d-%s.png", strings.ReplaceAll(s.name, " ", "-"), width, scheme)))
				}
				p.do(chromedp.Navigate("about:blank"))
				phone.Close()
			}
		}
	}
}

// phoneFits wants the drawn board in the first screenful, as large as fits.
func (p *pageTest) phoneFits(s phoneScene, width int64) {
	p.Helper()
	var box struct {
		Over, Width, Bottom, Height float64
		Lines                       int
	}
	p.eval(`const svg = document.querySelector('#board svg'), r = svg?.getBoundingClientRect();
		return { over: document.documentElement.scrollWidth - innerWidth, width: r?.width ?? 0, bottom: r?.bottom ?? 0, height: innerHeight,
			lines: svg?.querySelectorAll('polyline').length ?? 0 };`, &box)
	if box.Over > 0 {
		p.Errorf("%s at %d pixels reaches %.0f pixels out of the window", s.name, width, box.Over)
	}
	if s.drawn && (box.Width < 300 || box.Bottom > box.Height || box.Lines == 0) {
		p.Errorf("%s at %d pixels: the board is %.0f pixels wide, ends at %.0f of %.0f, and has %d lines", s.name, width, box.Width, box.Bottom, box.Height, box.Lines)
	}
	var crossed, doors []string
	p.eval("return [...document.querySelectorAll('#choice button')].filter(b => b.textContent.includes('no answer')).map(b => b.textContent)", &crossed)
	p.eval("return [...document.querySelectorAll('#board figure')].map(f => `${f.querySelector('figcaption')?.textContent}${f.getBoundingClientRect().bottom <= innerHeight ? '' : ' out of sight'}`)", &doors)
	if want := map[string]int{"triple": 2, "two of three": 2}[s.name]; len(crossed) != want {
		p.Errorf("%s at %d pixels: %q are crossed out, want %d", s.name, width, crossed, want)
	}
	if got := strings.Join(doors, ", "); s.name == "double door" && got != "left door, right door" {
		p.Errorf("the double door at %d pixels is %q", width, got)
	}
	if !s.drawn && box.Width > 0 {
		p.Errorf("%s: a board is drawn where none is right", s.name)
	}
}

// turnOf is the Turn of a capture, or of a board that several captures show.
func turnOf(t *testing.T, captures []string) *see.Turn {
	t.Helper()
	p := quietProgram()
	eye, err := p.Games.Eye("witness-challenge")
	solvetest.OK(t, err)
	var names []string
	var frame *image.RGBA
	for _, name := range captures {
		names = append(names, solvetest.Shared("captures", name))
	}
	if frame, err = intake.LoadPicture(p.In, names[0]); err != nil {
		t.Fatal(err)
	}
	if len(names) == 1 {
		o := &see.Observer{Eye: eye}
		turn := o.Observe(t.Context(), see.View{Frame: frame, Alone: true})
		return turn
	}
	line, sight := intake.ReadPictures(p.In, eye, names)
	if sight == nil || sight.Readings[0].Err != nil {
		t.Fatalf("%v: %s%s", captures, line.Unsure, line.Error)
	}
	found := (&answer.Service{}).Answer(t.Context(), answer.Question{Puzzle: sight.Readings[0].Puzzle})
	if found.Err != nil {
		t.Fatal(found.Err)
	}
	return &see.Turn{Number: 1, Frame: frame, Millis: see.Millis{"read": 1},
		Boards: []see.Sighting{{Reading: sight.Readings[0], Text: line.Boards[0].Text, New: true, Answer: found.Answer}}}
}

// TestPhoneComesBack has the view lose its server and find it again, follow a board that
// goes, and keep the screen on.
func TestPhoneComesBack(t *testing.T) {
	p := openBrowser(t)
	live := web.New(web.Options{})
	phone := httptest.NewServer(live.Phone())
	address := phone.Listener.Addr().String()
	p.do(emulation.SetDeviceMetricsOverride(390, 844, 1, true), chromedp.Navigate(phone.URL+"/"+live.Code()+"/"))
	state := "document.getElementById('state').textContent"
	p.until("connected", state+" === 'connected'")
	live.Say("waiting for the window")
	p.until("a state without a look", state+" === 'waiting for the window'")
	p.do(chromedp.Click("#awake"))
	p.until("the screen stays on", "document.getElementById('awake').getAttribute('aria-pressed') === 'true'")
	p.do(chromedp.Click("#awake"))
	p.until("it may go dark", "document.getElementById('awake').getAttribute('aria-pressed') === 'false'")

	phone.CloseClientConnections()
	phone.Close()
	p.until("the loss is told", state+".startsWith('no connection')")
	again := httptest.NewUnstartedServer(live.Phone())
	again.Listener.Close()
	var err error
	if again.Listener, err = listenAgain(address); err != nil {
		t.Fatal(err)
	}
	again.Start()
	p.until("it is back by itself", state+" === 'waiting for the window'")
	again.CloseClientConnections()
	again.Close()
	other := httptest.NewUnstartedServer(web.New(web.Options{}).Phone())
	other.Listener.Close()
	if other.Listener, err = listenAgain(address); err != nil {
		t.Fatal(err)
	}
	other.Start()
	defer func() {
		other.CloseClientConnections()
		other.Close()
	}()
	p.until("another start has another code", state+".includes('started anew')")
	if r, err := http.Get(other.URL); err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("the page for codes: %v, %v", r, err)
	}
	p.do(chromedp.Navigate(other.URL))
	if axe := accessibility(t); axe != "" {
		p.judge("where a code is typed", axe)
	}
}

// TestPhoneNext: a pillar that is not seen whole yet is said large, and takes the place of the
// panel before by itself, also of one that was tapped.
func TestPhoneNext(t *testing.T) {
	if !exists(solvetest.Shared("captures", "pillar-dots-01-view0.png")) {
		t.Skip("no shared captures: set ONLOOKER_SHARED to their folder")
	}
	p := openBrowser(t)
	live := web.New(web.Options{})
	phone := httptest.NewServer(live.Phone())
	defer phone.Close()
	defer phone.CloseClientConnections()
	p.do(emulation.SetDeviceMetricsOverride(390, 844, 1, true), chromedp.Navigate(phone.URL+"/"+live.Code()+"/"))
	triple := turnOf(t, []string{"triple-two-colours-05.png"})
	live.Turn(triple)
	p.until("the triple", "document.getElementById('name').textContent === 'On the right'")
	p.do(chromedp.Click("#choice button:first-child"))
	p.until("the first is crossed out", "document.querySelectorAll('#choice button[aria-pressed=true]').length === 1 && document.querySelector('#choice button').getAttribute('aria-pressed') === 'true'")
	pillar := turnOf(t, []string{"pillar-dots-01-view0.png"})
	for i := range pillar.Boards {
		if pillar.Boards[i].Board.Pillar {
			pillar.Boards[i].Err = &see.PartError{Seen: 5, Of: 12, Way: "right"}
			pillar.Boards[i].Failed = pillar.Boards[i].Err
		}
	}
	live.Turn(pillar)
	p.until("the pillar", "document.getElementById('name').textContent === 'turn the pillar to the right: 5 of 12 columns seen' && document.querySelector('#board svg')?.getAttribute('aria-label') === 'its front goes to the right'")
	live.State("unsure: at corner column 2 row 1: a dot or none")
	unread := turnOf(t, []string{"wall-maze-3x3-01.png"})
	unread.Boards[0].Text, unread.Boards[0].Failed = "", errors.New("a dot or none")
	live.Turn(unread)
	p.until("a refusal, told where the board would be", "document.getElementById('name').textContent === 'Not read yet' && document.getElementById('what').textContent.includes('a dot or none')")
	live.State("answered")
	live.Turn(turnOf(t, []string{"wall-maze-3x3-01.png"}))
	p.until("the next panel", "document.getElementById('name').textContent === 'The answer' && document.querySelector('#board svg') !== null")
}

// TestFacing: of an answer on a pillar what faces the viewer is drawn, on the pillar, from its
// start where that is in view; of its other side nothing.
func TestFacing(t *testing.T) {
	if !exists(solvetest.Shared("captures", "pillar-dots-01-view0.png")) {
		t.Skip("no shared captures: set ONLOOKER_SHARED to their folder")
	}
	b := &turnOf(t, []string{"pillar-dots-01-view0.png", "pillar-dots-01-view1.png", "pillar-dots-01-view2.png"}).Boards[0]
	stands := see.NewSpin(b.Board)
	line := solve.Solution{{{X: 4, Y: 12}, {X: 4, Y: 10}, {X: 6, Y: 10}, {X: 8, Y: 10}, {X: 10, Y: 10}}}
	for _, row := range []struct {
		faced float64
		discs int
		lines bool
	}{{4, 1, true}, {8, 0, true}, {12, 0, false}} {
		stands.Faced = row.faced
		discs, lines := 0, 0
		for _, s := range see.Facing(b.Reading, line, stands, 3) {
			if s.Kind == picture.Disc {
				discs++
			} else {
				lines++
			}
			for _, p := range s.Points {
				if !image.Pt(int(p.X), int(p.Y)).In(b.Board.Area().Inset(-40)) {
					t.Errorf("facing %v it is drawn at %v, beside the pillar", row.faced, p)
				}
			}
		}
		if discs != row.discs || (lines > 0) != row.lines {
			t.Errorf("facing %v: %d discs and %d lines, want %d, and lines %v", row.faced, discs, lines, row.discs, row.lines)
		}
	}
}

// listenAgain takes a port that was just given up.
func listenAgain(address string) (net.Listener, error) {
	var err error
	for range 50 {
		var l net.Listener
		if l, err = net.Listen("tcp", address); err == nil {
			return l, nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil, err
}

// spyOnLocks keeps the locks that a page is given, and the films that it plays.
const spyOnLocks = `window.locks = []; window.films = [];
	if (navigator.wakeLock) {
		const request = navigator.wakeLock.request.bind(navigator.wakeLock);
		navigator.wakeLock.request = async (kind) => { const lock = await request(kind); locks.push(lock); return lock; };
	}
	const play = HTMLMediaElement.prototype.play;
	HTMLMediaElement.prototype.play = function () { films.push(this); return play.call(this); };`

// TestPhoneStaysAwake: the browser keeps the screen on from the tap on, takes that up again
// after the phone was away, and ends it with the next tap. Where the page may not use the
// browser's lock, as on a network without HTTPS, a film with sound that nobody hears plays
// instead: browsers keep the screen on for those.
func TestPhoneStaysAwake(t *testing.T) {
	p := openBrowser(t, chromedp.Flag("host-resolver-rules", "MAP phone.example 127.0.0.1"))
	live := web.New(web.Options{})
	phone := httptest.NewServer(live.Phone())
	defer func() {
		p.do(chromedp.Navigate("about:blank"))
		phone.CloseClientConnections()
		phone.Close()
	}()
	_, port, _ := strings.Cut(phone.Listener.Addr().String(), ":")
	p.do(onEachPage(spyOnLocks))
	open := func(host string) {
		p.Helper()
		p.do(emulation.SetDeviceMetricsOverride(390, 844, 1, true), chromedp.Navigate("http://"+host+":"+port+"/"+live.Code()+"/"))
		p.until("connected", "document.getElementById('state').textContent === 'connected'")
		p.until("it may go dark", "locks.length + films.length === 0")
	}
	tap := func(awake, words string) {
		p.Helper()
		p.do(chromedp.Click("#awake"))
		p.until(words, "document.getElementById('awake').getAttribute('aria-pressed') === '"+awake+"' && document.getElementById('awake').textContent === '"+words+"'")
	}
	const on, off = "Screen stays on", "Keep the screen on"

	open("127.0.0.1")
	tap("true", on)
	p.until("the browser's lock is held, and no film plays", "locks.length === 1 && locks[0].type === 'screen' && !locks[0].released && films.length === 0")
	// A browser takes the lock back when the page is out of sight.
	p.do(chromedp.Evaluate("void locks[0].release().then(() => document.dispatchEvent(new Event('visibilitychange')))", nil))
	p.until("it is taken again", "locks.length === 2 && !locks[1].released")
	tap("false", off)
	p.until("it is given back", "locks.every((l) => l.released)")

	open("phone.example")
	p.until("no lock may be used", "!navigator.wakeLock")
	tap("true", on)
	p.until("a film plays that is heard, of silence", "films.length === 1 && !films[0].paused && films[0].currentTime > 0.3 && !films[0].muted && films[0].volume > 0 && films[0].srcObject.getAudioTracks().length === 1")
	p.do(chromedp.Evaluate("films[0].pause(); document.dispatchEvent(new Event('visibilitychange'))", nil))
	p.until("it goes on", "!films[0].paused")
	tap("false", off)
	p.until("it ends", "films.every((f) => f.paused)")
}

// onEachPage runs a script in each page before its own.
func onEachPage(script string) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := cdp.AddScriptToEvaluateOnNewDocument(script).Do(ctx)
		return err
	})
}
