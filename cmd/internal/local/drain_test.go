package local

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
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
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			headers := row.headers
			if !strings.Contains(headers, "Host:") {
				headers += "Host: localhost\r\n"
			}
			if _, err := fmt.Fprintf(conn, "POST /api/look HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n", headers, size); err != nil {
				t.Fatal(err)
			}
			if _, err := io.CopyN(conn, zeros{}, size); err != nil {
				t.Fatalf("the body is not taken: %v", err)
			}
			r, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
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
