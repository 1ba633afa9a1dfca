//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program/programtest"
	"onlooker/cmd/internal/solving"
	"onlooker/solve/solvetest"
)

// broken are what once broke the program, in ../shared/outside/break, and what is right
// of each. A file without a row fails.
func broken() map[string]func(t *testing.T, file string) {
	return map[string]func(t *testing.T, file string){
		"README.md": func(*testing.T, string) {}, // says what they are
		"min.txt":   answered("[[[0,2],[0,4],[2,4],[2,5]]]"),
		"no.txt":    answered(""),
		"no3.txt":   answered("[[[1,2],[2,2],[2,4],[2,6],[1,6],[2,6]]]"),
		"no3.json":  answered("[[[1,2],[2,2],[2,4],[2,6],[1,6],[2,6]]]"),
		"ie.txt": func(t *testing.T, file string) {
			if out := want(t, "", "solve", "--no-store", "--why", file); !strings.Contains(out, "no solution") {
				t.Error(out)
			}
		},
		"ie2.txt":  answered(""),
		"one.txt":  statesGone,
		"tera.txt": statesGone,
		"why2.txt": func(t *testing.T, file string) {
			if out := want(t, "", "solve", "--no-store", "--why", file); !strings.Contains(out, "cannot be met by any line: white piece") || strings.Contains(out, "white star") {
				t.Error(out)
			}
		},
		"n2.txt":  refusedAt("line 2, character 3: a control character (U+0000)"),
		"nul.txt": refusedAt("line 3, character 3: a control character (U+0000)"),
		"hard.txt": func(t *testing.T, file string) {
			before := solvetest.ProcessorTime()
			_, errOut, status := onlooker(t, "", "check", file, "[[[0,20],[2,20],[2,21]]]")
			if took := solvetest.ProcessorTime() - before; status != 1 || errOut != "" || took > 2*time.Second {
				t.Errorf("status %d after %v of processor time: %s", status, took, errOut)
			}
			// Told to end it ends.
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			start := time.Now()
			run(ctx, []string{"check", file, "[[[0,20],[2,20],[2,21]]]"}, nil, io.Discard, io.Discard)
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("ended %v after it was told to", took)
			}
		},
		"slowcheck.json": slowCheck,
		"exif6.jpg":      turnedPicture,
		"flow.html":      func(*testing.T, string) {}, // TestNoButtonStaysDown drags on such a board
		"eachsum.toml":   elsewhere, "eachsum.txt": elsewhere, "rayother.toml": elsewhere, "rayother.txt": elsewhere,
		"aroundother.toml": elsewhere, "aroundother.txt": elsewhere, "anti.txt": elsewhere, "anti1.txt": elsewhere, "p2097.json": elsewhere, "p2649.json": elsewhere,
		"diamonds-60x60.txt": elsewhere, "diamonds-60x60-line.json": elsewhere, "e6.png": elsewhere, "hd_blocks10.png": elsewhere,
		"esc.toml": elsewhere, "mk.toml": elsewhere,
	}
}

// statesGone is refused: bulbs are lit or dark.
func statesGone(t *testing.T, file string) {
	if _, errOut, status := onlooker(t, "", "solve", "--no-store", file); status != 1 || !strings.Contains(errOut, `line 2: got "states:"`) {
		t.Errorf("status %d: %s", status, errOut)
	}
}

// elsewhere is what tests beside what it broke look at: of symbols and their rules, of reading
// within a time, of pictures that are turned.
func elsewhere(*testing.T, string) {}

func TestBroken(t *testing.T) {
	dir := outside(t, "break")
	files := solvetest.Must(os.ReadDir(dir))(t)
	rows := broken()
	for _, f := range files {
		check := rows[f.Name()]
		if check == nil {
			t.Errorf("%s: nothing is known of it", f.Name())
			continue
		}
		t.Run(f.Name(), func(t *testing.T) { check(t, filepath.Join(dir, f.Name())) })
		delete(rows, f.Name())
	}
	for name := range rows {
		t.Errorf("%s is not there", name)
	}
}

// answered wants a puzzle solved, by the rules of the site where that is its form, and the
// answer that is given called right.
func answered(right string) func(t *testing.T, file string) {
	return func(t *testing.T, file string) {
		lines := programtest.Lines[solving.Line](t, want(t, "", "solve", "--json", "--no-store", file))
		if len(lines) != 1 || lines[0].Status != answer.Solved {
			t.Fatalf("%+v", lines)
		}
		own := solvetest.Must(json.Marshal(lines[0].Strokes))(t)
		for _, strokes := range []string{string(own), right} {
			if strokes != "" {
				solvetest.Same(t, want(t, "", "check", file, strokes), "right\n", "%s", strokes)
			}
		}
	}
}

func refusedAt(where string) func(t *testing.T, file string) {
	return func(t *testing.T, file string) {
		for _, command := range []string{"solve", "convert --to text", "batch"} {
			args := strings.Fields(command)
			if args[0] != "convert" {
				args = append(args, "--no-store")
			}
			out, errOut, status := onlooker(t, "", append(args, file)...)
			if status != 1 || !strings.Contains(out+errOut, where) {
				t.Errorf("%s: status %d: %s%s", command, status, out, errOut)
			}
		}
	}
}

// slowCheck posts a check that takes long, three times, goes away, and asks for something
// else.
func slowCheck(t *testing.T, file string) {
	body := solvetest.Must(os.ReadFile(file))(t)
	url := served(t, child(t, nil, "serve", "--no-open", "--port", "0", "--no-store"))
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		r := solvetest.Must(http.NewRequestWithContext(ctx, http.MethodPost, url+"/api/check", bytes.NewReader(body)))(t)
		r.Header.Set("Content-Type", "application/json")
		go func() {
			if answer, err := http.DefaultClient.Do(r); err == nil { // else it went away, as it was to
				answer.Body.Close()
			}
		}()
	}
	start := time.Now()
	if said := posted(t, url+"/api/solve", `{"family":"witness","text":`+quoted(tinyPanel)+`}`); !strings.Contains(said, `"kind":"answer"`) {
		t.Errorf("beside it the page says %.300s", said)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("beside it the page answers after %v", took)
	}
	if said := posted(t, url+"/api/check", string(body)); !strings.Contains(said, `"ok"`) {
		t.Errorf("the check itself: %.300s", said)
	}
}

// turnedPicture is read as the browser shows it: 1920 wide, and its panel not on its side.
func turnedPicture(t *testing.T, file string) {
	var line intake.Sight
	if err := json.Unmarshal([]byte(want(t, "", "read", "--json", "--no-store", file)), &line); err != nil || len(line.Boards) != 1 {
		t.Fatalf("%v, %d boards", err, len(line.Boards))
	}
	for _, corner := range line.Boards[0].Quad {
		if corner[0] < 700 || corner[0] > 1200 || corner[1] < 300 || corner[1] > 780 {
			t.Errorf("a corner at %v, want it in the middle of 1920×1080", corner)
		}
	}
	if answer := want(t, "", "solve", "--no-store", file); !strings.Contains(answer, "out down") {
		t.Errorf("it is answered\n%s", answer)
	}
}
