package main

import (
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out strings.Builder
	p := &progress{out: &out}
	p.clear()
	p.of("quick.txt", time.Now())(100, 200)
	if out.Len() > 0 {
		t.Errorf("a board of less than a second: %q, want nothing", out.String())
	}
	p.of("slow.txt", time.Now().Add(-12*time.Second))(4500, 0)
	p.of("slow.txt", time.Now().Add(-14*time.Second))(6000, 250_000)
	p.clear()
	p.clear()
	want := "\rslow.txt: 12 s, 4500 conflicts met of nobody knows how many\x1b[K" +
		"\rslow.txt: 14 s, 6000 conflicts met of perhaps 2.5e+05\x1b[K" +
		"\r\x1b[K"
	if got := out.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if newProgress(&out).of("slow.txt", time.Time{}) != nil {
		t.Error("something that is no terminal is told of the progress")
	}
}
