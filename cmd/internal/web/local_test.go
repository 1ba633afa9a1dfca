package web

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

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
			if _, err := io.CopyN(conn, zeros{}, size); err != nil {
				t.Fatalf("the body is not taken: %v", err)
			}
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
