package web

import (
	"bufio"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/agent"
)

func frame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

// next reads one event, its name and its data.
func next(t *testing.T, r *bufio.Reader) (event, data string) {
	t.Helper()
	for {
		text, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		text = strings.TrimSuffix(text, "\n")
		switch {
		case strings.HasPrefix(text, "event: "):
			event = text[len("event: "):]
		case strings.HasPrefix(text, "data: "):
			data = text[len("data: "):]
		case text == "" && event != "":
			return event, data
		}
	}
}

func get(t *testing.T, ctx context.Context, url string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

func TestLive(t *testing.T) {
	live := New(Options{})
	server := httptest.NewServer(live)
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	base := server.URL + live.Path()

	for _, row := range []struct {
		why, url string
		status   int
	}{
		{"without the secret", server.URL + "/", http.StatusNotFound},
		{"another secret", server.URL + "/" + strings.Repeat("A", len(live.Path())-2) + "/", http.StatusNotFound},
		{"no such file", base + "static/live.html", http.StatusNotFound},
		{"no frame yet", base + "frame.jpg", http.StatusNotFound},
		{"the page", base, http.StatusOK},
	} {
		answer := get(t, ctx, row.url)
		answer.Body.Close()
		if answer.StatusCode != row.status {
			t.Errorf("%s: status %d, want %d", row.why, answer.StatusCode, row.status)
		}
	}
	posted, err := http.Post(base, "text/plain", strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	posted.Body.Close()
	if posted.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: status %d", posted.StatusCode)
	}

	events := get(t, ctx, base+"live/events")
	defer events.Body.Close()
	if kind := events.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("events are %q", kind)
	}
	in := bufio.NewReader(events.Body)
	live.Beat(agent.Beat{Frame: frame(color.RGBA{200, 0, 0, 255}), Moving: true})
	if event, data := next(t, in); event != "frame" || data != "1" {
		t.Errorf("after the first frame: %s %s, want frame 1", event, data)
	}
	// A still picture pushes nothing; what comes next is the look.
	live.Beat(agent.Beat{Frame: frame(color.RGBA{0, 200, 0, 255})})
	live.Turn(&agent.Turn{Number: 7, Frame: frame(color.RGBA{0, 0, 200, 255}), Millis: agent.Millis{"read": 12}, Failed: errors.New("no board found")})
	event, data := next(t, in)
	if event != "look" || !strings.Contains(data, `"turn":7`) || !strings.Contains(data, `"width":64`) {
		t.Errorf("after the look: %s %s", event, data)
	}
	if event, data = next(t, in); event != "frame" || data != "2" {
		t.Errorf("after the look: %s %s, want frame 2", event, data)
	}
	picture := get(t, ctx, base+"live/frame.jpg?2")
	defer picture.Body.Close()
	m, err := jpeg.Decode(picture.Body)
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := m.At(32, 24).RGBA(); m.Bounds().Dx() != 64 || b < 3*r || b < 3*g {
		t.Errorf("the frame is %v with (%d,%d,%d), want the blue one of the look", m.Bounds(), r>>8, g>>8, b>>8)
	}

	// Who comes later gets what there is.
	late := get(t, ctx, base+"live/events")
	defer late.Body.Close()
	if event, _ := next(t, bufio.NewReader(late.Body)); event != "look" {
		t.Errorf("who comes late gets %s first, want the look", event)
	}
}

func TestServe(t *testing.T) {
	live := New(Options{})
	url, stop, err := live.Serve(":0")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(url, "http://127.0.0.1:") {
		t.Errorf("served at %s, want loopback", url)
	}
	answer := get(t, t.Context(), url)
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(body), "<svg") {
		t.Errorf("the page is %q, %v", body, err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if _, _, err := live.Serve("nonsense"); err == nil {
		t.Error("an address without a port is served")
	}
	if _, err := http.Get(url); err == nil {
		t.Error("still served after it was stopped")
	}
}
