package solve

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestJSONError(t *testing.T) {
	type inner struct{ N int }
	var to struct {
		List   [][]*inner
		Words  string
		Share  float64
		Is     bool
		Inside inner
	}
	for text, want := range map[string]string{
		`{"list":5}`:                `key "List": a number, want a list`,
		`{"list":[["x"]]}`:          `key "List": a text, want an object`,
		`{"words":[1]}`:             `key "Words": a list, want a text`,
		`{"share":true}`:            `key "Share": true or false, want a number`,
		`{"is":{}}`:                 `key "Is": an object, want true or false`,
		`{"inside":{"n":1.5}}`:      `key "Inside.N": a number, want a whole number`,
		strings.Repeat("[", 20_000): `JSON that is nested too deep`,
		`{"list":tru}`:              `no JSON at byte 12`,
		`{"list":[[`:                `JSON that is cut off`,
		``:                          `JSON that is cut off`,
	} {
		err := JSONError(json.Unmarshal([]byte(text), &to))
		if err == nil || !strings.EqualFold(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	strict := json.NewDecoder(strings.NewReader(`{"nothing":1}`))
	strict.DisallowUnknownFields()
	if err := JSONError(strict.Decode(&to)); err == nil || err.Error() != `key "nothing", which is not known here` {
		t.Errorf("an unknown key: %v", err)
	}
	if err := JSONError(io.ErrClosedPipe); err != io.ErrClosedPipe {
		t.Errorf("another error: %v", err)
	}
	if err := JSONError(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}
