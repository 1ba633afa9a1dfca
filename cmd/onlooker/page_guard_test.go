//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageRefuses asks what a stranger's page, or a mistake, could ask.
func TestPageRefuses(t *testing.T) {
	page := testPage(t, filepath.Join(t.TempDir(), "store.sqlite"))
	deep := `{"family":"witness","text":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`
	puzzle := `{"family":"witness","text":` + quoted(tinyPanel) + `}`
	for _, row := range []struct {
		why, method, path, body string
		head                    map[string]string
		code                    int
		says                    string
	}{
		{"the page", "GET", "/", "", nil, 200, "<title>onlooker"},
		{"an answer", "POST", "/api/solve", puzzle, nil, 200, `"kind":"answer"`},
		{"an answer, asked by the page itself", "POST", "/api/solve", puzzle, map[string]string{"Origin": "http://127.0.0.1:9", "Sec-Fetch-Site": "same-origin"}, 200, `"kind":"answer"`},
		{"a link from elsewhere", "GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}, 200, "<title>onlooker"},
		{"a name that resolves here", "GET", "/", "", map[string]string{"Host": "evil.example:7763"}, 403, "not this machine"},
		{"a name that begins as this machine's", "GET", "/", "", map[string]string{"Host": "127.0.0.1.evil.example"}, 403, "not this machine"},
		{"another site's script", "POST", "/api/solve", puzzle, map[string]string{"Origin": "https://evil.example"}, 403, "may not ask"},
		{"a page without an origin", "POST", "/api/solve", puzzle, map[string]string{"Origin": "null"}, 403, "may not ask"},
		{"another port of this machine", "POST", "/api/solve", puzzle, map[string]string{"Origin": "http://127.0.0.1:10"}, 403, "may not ask"},
		{"a picture in another site's page", "GET", "/api/games", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}, 403, "may not ask"},
		{"another site's frame", "GET", "/", "", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}, 403, "may not ask"},
		{"a form's body", "POST", "/api/solve", puzzle, map[string]string{"Content-Type": "text/plain"}, 415, "want application/json"},
		{"deep JSON", "POST", "/api/solve", deep, nil, 400, "nested too deep"},
		{"deep JSON as a puzzle", "POST", "/api/open", `{"text":` + quoted(`{"grid":`+strings.Repeat("[", 200_000)) + `}`, nil, 200, `"error":`},
		{"more text than there is", "POST", "/api/open", `{"text":"` + strings.Repeat("a", 9<<20) + `"}`, nil, 413, "more than 8 MB"},
		{"a board of a million cells", "POST", "/api/open", `{"text":"flow 1000x1000\n"}`, nil, 200, `"error":`},
		{"a path out of the folder", "GET", "/../../etc/passwd", "", nil, 307, ""},
		{"the same, escaped", "GET", "/%2e%2e/%2e%2e/etc/passwd", "", nil, 404, "not found"},
		{"the same with another slash", "GET", "/..%5c..%5cetc%5cpasswd", "", nil, 404, "not found"},
		{"out of the practice page", "GET", "/practice/..%2f..%2fserver.go", "", nil, 404, "not found"},
		{"a family that is a path", "POST", "/api/solve", `{"family":"../witness","text":"panel 1x1"}`, nil, 200, `no family`},
		{"a format that is a path", "POST", "/api/save", `{"family":"witness","to":"../../x","text":` + quoted(tinyPanel) + `}`, nil, 400, "no format"},
		{"a file's name is text", "POST", "/api/open", `{"text":"/etc/passwd"}`, nil, 200, "in no form that is known"},
		{"strokes far off", "POST", "/api/draw", `{"family":"witness","text":` + quoted(tinyPanel) + `,"strokes":[[[999999999,1]]]}`, nil, 400, "far off"},
		{"strokes that are no answer", "POST", "/api/draw", `{"family":"witness","text":` + quoted(tinyPanel) + `,"strokes":[[[0,4],[2,4]]]}`, nil, 400, "want the cap of an end"},
		{"a random board of any size", "POST", "/api/random", `{"family":"witness","cols":1000000,"rows":1000000}`, nil, 200, "want 1×1 to"},
		{"another method", "DELETE", "/api/solve", "", nil, 405, ""},
		{"a rating of nine", "POST", "/api/mark", `{"family":"witness","text":` + quoted(tinyPanel) + `,"rating":9}`, nil, 400, "want -1, 0 or 1"},
		{"a title of a megabyte", "POST", "/api/mark", `{"family":"witness","text":` + quoted(tinyPanel) + `,"title":"` + strings.Repeat("a", 1<<20) + `"}`, nil, 400, "want at most"},
		{"no such puzzle is forgotten", "POST", "/api/forget", `{"id":999}`, nil, 404, "no such puzzle"},
		{"no such order", "POST", "/api/list", `{"wanted":{"order":"id; DROP TABLE puzzle"}}`, nil, 400, "want one of"},
		{"words are no SQL", "POST", "/api/list", `{"wanted":{"words":"' OR 1=1 --"}}`, nil, 200, `"count":0`},
		{"none is left to play", "POST", "/api/pick", `{"wanted":{"words":"nothing like it"}}`, nil, 404, "no other puzzle"},
		{"100 megapixels", "POST", "/api/look", string(hollowPNG(t, 10_000, 10_000, 1)), nil, 413, "at most 16 million"},
		{"gigabytes in kilobytes", "POST", "/api/look", string(hollowPNG(t, 60_000, 60_000, 50)), nil, 413, "at most 16 million"},
		{"more pixels than it says", "POST", "/api/look", string(hollowPNG(t, 64, 64, 100_000)), nil, 400, "corrupt"},
		{"fewer pixels than it says", "POST", "/api/look", string(hollowPNG(t, 4000, 4000, 3)), nil, 400, "corrupt"},
		{"no picture", "POST", "/api/look", "hello", nil, 400, "no picture"},
		{"a file of 65 MB", "POST", "/api/look", strings.Repeat("x", 65<<20), nil, 413, "at most 64"},
		{"a draft of no outline", "POST", "/api/draft", string(hollowPNG(t, 64, 64, 64)), nil, 400, "the outline"},
		{"another site's draft", "POST", "/api/draft", "", map[string]string{"Origin": "https://evil.example"}, 403, "may not ask"},
		{"a draft in an outline without area", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"flow","cols":3,"rows":3}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no board in the outline"},
		{"a draft of a million cells", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"flow","cols":1000,"rows":1000}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "want 1×1 to"},
		{"a draft of no family", "POST", "/api/draft?of=" + url.QueryEscape(`{"family":"chess","cols":3,"rows":3}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no family"},
		{"a draft in 100 megapixels", "POST", "/api/draft?of={}", string(hollowPNG(t, 10_000, 10_000, 1)), nil, 413, "at most 16 million"},
		{"a draft without its outline", "POST", "/api/lay", puzzle, nil, 400, "no outline"},
		{"a look by a path", "POST", "/api/learn?of=" + url.QueryEscape(`{"family":"witness","look":"../mine","outline":{"cols":2,"rows":2,"quad":[[9,9],[49,9],[49,49],[9,49]]},"text":`+quoted(tinyPanel)+`}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "no name for a look"},
		{"a look that is there", "POST", "/api/learn?of=" + url.QueryEscape(`{"family":"witness","look":"witness-challenge","outline":{"cols":2,"rows":2,"quad":[[9,9],[49,9],[49,49],[9,49]]},"text":`+quoted(tinyPanel)+`}`), string(hollowPNG(t, 64, 64, 64)), nil, 400, "already"},
	} {
		r := httptest.NewRequest(row.method, row.path, strings.NewReader(row.body))
		r.Host = "127.0.0.1:9"
		r.Header.Set("Content-Type", "application/json")
		for name, value := range row.head {
			if name == "Host" {
				r.Host = value
				continue
			}
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		said := w.Body.String()
		if w.Code != row.code || !strings.Contains(said, row.says) {
			t.Errorf("%s: status %d, %.300q; want %d with %q", row.why, w.Code, said, row.code, row.says)
		}
		if strings.Contains(said, "root:") {
			t.Errorf("%s: a file of the machine was served", row.why)
		}
		if row.code == http.StatusOK && row.method == "GET" && !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: the policy is %q", row.why, w.Header().Get("Content-Security-Policy"))
		}
	}
}
