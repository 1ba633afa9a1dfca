package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

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
