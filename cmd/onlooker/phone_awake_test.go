//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"onlooker/cmd/internal/web"
)

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
