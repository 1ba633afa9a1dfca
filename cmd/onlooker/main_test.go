package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// A command that does not come to its end is ended when its time is over, not before,
// and says so.
func TestInsist(t *testing.T) {
	late, exited := make(chan time.Time), make(chan int, 1)
	var out bytes.Buffer
	go insist(late, &out, func(status int) { exited <- status })
	select {
	case status := <-exited:
		t.Fatalf("ended with %d while there was time", status)
	default:
	}
	late <- time.Time{}
	if status := <-exited; status != interrupted || !strings.Contains(out.String(), "could not be interrupted") {
		t.Errorf("ended with %d, saying %q; want %d and why", status, out.String(), interrupted)
	}
}
