package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
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
		text := solvetest.Must(r.ReadString('\n'))(t)
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
	r := solvetest.Must(http.NewRequestWithContext(ctx, http.MethodGet, url, nil))(t)
	return solvetest.Must(http.DefaultClient.Do(r))(t)
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
		solvetest.Same(t, answer.StatusCode, row.status, "%s: status", row.why)
	}
	posted := solvetest.Must(http.Post(base, "text/plain", strings.NewReader("")))(t)
	posted.Body.Close()
	solvetest.Same(t, posted.StatusCode, http.StatusMethodNotAllowed, "POST: status")

	events := get(t, ctx, base+"live/events")
	defer events.Body.Close()
	solvetest.Same(t, events.Header.Get("Content-Type"), "text/event-stream", "the kind of events")
	in := bufio.NewReader(events.Body)
	live.Beat(see.Beat{Frame: frame(color.RGBA{200, 0, 0, 255}), Moving: true})
	if event, data := next(t, in); event != "frame" || data != "1" {
		t.Errorf("after the first frame: %s %s, want frame 1", event, data)
	}
	// A still picture pushes nothing; what comes next is the look.
	live.Beat(see.Beat{Frame: frame(color.RGBA{0, 200, 0, 255})})
	live.Turn(&see.Turn{Number: 7, Frame: frame(color.RGBA{0, 0, 200, 255}), Millis: see.Millis{"read": 12}, Failed: errors.New("no board found")})
	event, data := next(t, in)
	if event != "look" || !strings.Contains(data, `"turn":7`) || !strings.Contains(data, `"width":64`) {
		t.Errorf("after the look: %s %s", event, data)
	}
	if event, data = next(t, in); event != "frame" || data != "2" {
		t.Errorf("after the look: %s %s, want frame 2", event, data)
	}
	picture := get(t, ctx, base+"live/frame.jpg?2")
	defer picture.Body.Close()
	m := solvetest.Must(jpeg.Decode(picture.Body))(t)
	if r, g, b, _ := m.At(32, 24).RGBA(); m.Bounds().Dx() != 64 || b < 3*r || b < 3*g {
		t.Errorf("the frame is %v with (%d,%d,%d), want the blue one of the look", m.Bounds(), r>>8, g>>8, b>>8)
	}

	// A board that was refused is put right over the very pixels of its frame.
	placed := solvetest.Must(vision.Placed(image.Pt(64, 48), 4, 3, [4]vision.Point{{X: 8, Y: 8}, {X: 40, Y: 8}, {X: 40, Y: 32}, {X: 8, Y: 32}}))(t)
	refused := see.Sighting{Reading: see.Reading{Game: &see.Game{Family: &solve.Family{Name: "a family"}}, Board: placed, Err: errors.New("unsure")}}
	live.Turn(&see.Turn{Number: 8, Frame: frame(color.RGBA{1, 2, 3, 255}), Boards: []see.Sighting{refused}})
	for event, data = next(t, in); event != "look"; {
		event, data = next(t, in)
	}
	if !strings.Contains(data, `"draft":true`) || !strings.Contains(data, `"cols":4,"rows":3`) {
		t.Errorf("a refused board is told as %s, want it a draft of 4×3", data)
	}
	exact := get(t, ctx, base+"live/frame.png")
	defer exact.Body.Close()
	if m, err := png.Decode(exact.Body); err != nil || color.RGBAModel.Convert(m.At(9, 9)) != (color.RGBA{1, 2, 3, 255}) {
		t.Errorf("the frame as PNG: %v, want each pixel as it was", err)
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
	served := solvetest.Must(live.Serve(":0", 0))(t)
	if !strings.HasPrefix(served.URL, "http://127.0.0.1:") || served.Lan {
		t.Errorf("served at %s, want loopback", served.URL)
	}
	answer := get(t, t.Context(), served.URL)
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(body), "<svg") {
		t.Errorf("the page is %q, %v", body, err)
	}
	solvetest.Fine(t, served.Close())
	for _, address := range []string{"nonsense", "lan:x", ":99999", "1:2:3"} {
		if _, err := live.Serve(address, 0); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("--serve %s: %v, want what may stand there", address, err)
		}
	}
	if _, err := http.Get(served.URL); err == nil {
		t.Error("still served after it was stopped")
	}
}

// TestBarePort has a port alone mean this machine, and lan the network.
func TestBarePort(t *testing.T) {
	for _, row := range []struct {
		address string
		lan     bool
	}{{"0", false}, {":0", false}, {"localhost:0", false}, {"127.0.0.1:0", false}, {"lan:0", true}, {"0.0.0.0:0", true}, {"lan", true}} {
		served, err := New(Options{}).Serve(row.address, 0)
		if err != nil {
			t.Errorf("--serve %s: %v", row.address, err)
			continue
		}
		loopback := strings.HasPrefix(served.URL, "http://127.0.0.1:") || strings.HasPrefix(served.URL, "http://[::1]:")
		if served.Lan != row.lan || loopback == row.lan || strings.Contains(served.URL, "[::]") || strings.Contains(served.URL, "0.0.0.0") {
			t.Errorf("--serve %s is at %s, on the network %v, want %v", row.address, served.URL, served.Lan, row.lan)
		}
		served.Close()
	}
}

// TestPhone asks the phone's side for all that it must not give.
func TestPhone(t *testing.T) {
	live := New(Options{})
	served := solvetest.Must(live.Serve("lan:0", 0))(t)
	defer served.Close()
	live.Beat(see.Beat{Frame: frame(color.White), Moving: true})
	base := served.URL
	root := strings.TrimSuffix(base, live.Code()+"/")
	if n := len(live.Code()); n != codeLetters || root == base {
		t.Fatalf("the address is %s, want one that ends with a code of %d letters", base, codeLetters)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for _, row := range []struct {
		why, method, url string
		status           int
	}{
		{"the view", "GET", base, http.StatusOK},
		{"its script", "GET", base + "phone.js", http.StatusOK},
		{"what it shares", "GET", base + "svg.js", http.StatusOK},
		{"the shown frame", "GET", base + "live/frame.jpg", http.StatusOK},
		{"where the code is typed", "GET", root, http.StatusOK},
		{"a code typed there", "GET", root + "?code=" + strings.ToUpper(live.Code()), http.StatusSeeOther},
		{"without the last stroke", "GET", strings.TrimSuffix(base, "/"), http.StatusSeeOther},
		{"capitals, as phones begin a word", "GET", root + strings.ToUpper(live.Code()) + "/", http.StatusSeeOther},
		{"a name that is no text", "GET", base + "%ff", http.StatusNotFound},
		{"a lesson on the phone", "POST", base + "api/teach/begin", http.StatusMethodNotAllowed},
		{"a lesson's board on the phone", "GET", base + "api/teach/board?id=1", http.StatusNotFound},
		{"another code", "GET", root + "aaaaaa/", http.StatusNotFound},
		{"the view without a code", "GET", root + "phone.js", http.StatusNotFound},
		{"the frame without a code", "GET", root + "live/frame.jpg", http.StatusNotFound},
		{"the whole page by its own secret", "GET", root + live.Path()[1:], http.StatusNotFound},
		{"the page's files", "GET", base + "main.js", http.StatusNotFound},
		{"families", "GET", base + "api/games", http.StatusNotFound},
		{"solving", "POST", base + "api/solve", http.StatusMethodNotAllowed},
		{"a picture to be read", "POST", base + "api/look", http.StatusMethodNotAllowed},
		{"the store", "POST", base + "api/list", http.StatusMethodNotAllowed},
		{"a kept board", "GET", base + "api/kept/1/board.svg", http.StatusNotFound},
		{"practice", "GET", base + "practice/", http.StatusNotFound},
		{"the page itself", "GET", base + "static/main.js", http.StatusNotFound},
	} {
		r := solvetest.Must(http.NewRequest(row.method, row.url, strings.NewReader("")))(t)
		answer := solvetest.Must(client.Do(r))(t)
		answer.Body.Close()
		solvetest.Same(t, answer.StatusCode, row.status, "%s: %s %s", row.why, row.method, row.url)
	}
	for range wrongGuesses {
		get(t, t.Context(), root+"bbbbbb/").Body.Close()
	}
	answer := get(t, t.Context(), base)
	answer.Body.Close()
	solvetest.Same(t, answer.StatusCode, http.StatusTooManyRequests, "after %d wrong codes the right one", wrongGuesses)
	if a, b := newCode(), newCode(); a == b || strings.Trim(a+b, letters) != "" {
		t.Errorf("codes %q and %q", a, b)
	}
}

// TestPaced writes to a client that does not read: it ends with an error.
func TestPaced(t *testing.T) {
	failed := make(chan error, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := pace(w).Write(make([]byte, 64<<20))
		failed <- err
	}))
	defer server.Close()
	r := solvetest.Must(http.Get(server.URL))(t)
	defer r.Body.Close()
	select {
	case err := <-failed:
		if err == nil {
			t.Error("64 MB were written that nobody read")
		}
	case <-time.After(10 * stall):
		t.Errorf("the writing goes on after %v", 10*stall)
	}
}

// TestRefusalArrives sends large bodies to a page that reads none of them, as
// a browser does: the whole body first, the answer afterwards.
func TestRefusalArrives(t *testing.T) {
	server := httptest.NewServer(Only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		http.Error(w, "not now", http.StatusServiceUnavailable)
	})))
	defer server.Close()
	const size = 32 << 20 // more than both ends' buffers hold
	for _, row := range []struct {
		why, headers, want string
	}{
		{"the page refuses", "", "not now"},
		{"another host's name", "Host: evil.example\r\n", "not this machine"},
		{"another site's page", "Origin: http://evil.example\r\n", "may not ask"},
	} {
		t.Run(row.why, func(t *testing.T) {
			conn := solvetest.Must(net.Dial("tcp", server.Listener.Addr().String()))(t)
			defer conn.Close()
			headers := row.headers
			if !strings.Contains(headers, "Host:") {
				headers += "Host: localhost\r\n"
			}
			solvetest.Must(fmt.Fprintf(conn, "POST /api/look HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n", headers, size))(t)
			solvetest.Must(io.CopyN(conn, zeros{}, size))(t, "the body is not taken")
			r := solvetest.Must(http.ReadResponse(bufio.NewReader(conn), nil))(t)
			defer r.Body.Close()
			if said, err := io.ReadAll(r.Body); err != nil || !strings.Contains(string(said), row.want) {
				t.Errorf("it says %q, %v; want %q", said, err, row.want)
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestOnly: this machine's own pages are answered, by any of its names, and links to a whole
// page from elsewhere; what other names and other sites' pages ask is not.
func TestOnly(t *testing.T) {
	page := Only(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "asked %s %v", body, err)
	}))
	for _, row := range []struct {
		method, host, body string
		head               map[string]string
		want               int
	}{
		{"GET", "localhost", "", nil, 200},
		{"GET", "127.0.0.1:80", "", nil, 200},
		{"GET", "[::1]:80", "", nil, 200},
		{"POST", "localhost", "this", map[string]string{"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200},
		{"GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "none"}, 200},
		{"GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200},
		{"POST", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 403},
		{"GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403},
		{"GET", "localhost", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "document"}, 403},
		{"GET", "localhost", "", map[string]string{"Origin": "http://localhost:81"}, 403},
		{"GET", "localhost", "", map[string]string{"Origin": "null"}, 403},
		{"GET", "192.0.2.1", "", nil, 403},
		{"GET", "localhost.example", "", nil, 403},
	} {
		r := httptest.NewRequest(row.method, "http://"+row.host+"/", strings.NewReader(row.body))
		for name, v := range row.head {
			r.Header.Set(name, v)
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		if asked := "asked " + row.body + " <nil>"; w.Code != row.want || (w.Body.String() == asked) != (row.want == 200) {
			t.Errorf("%s of %s with %v: %d %q, want %d", row.method, row.host, row.head, w.Code, w.Body, row.want)
		}
	}
}
