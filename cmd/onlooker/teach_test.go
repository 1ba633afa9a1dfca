package main

import (
	"bytes"
	"encoding/json"
	"image"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/witness/learn"
)

// A pupil is a page that is taught looks of panels as a browser has it: a picture is looked at,
// its draft is opened and put right, and the board is learned.
type pupil struct {
	*testing.T
	page http.Handler
	game *see.Game
}

// newPupil is a page of somebody who has no looks but those in a folder; "": none.
func newPupil(t *testing.T, looks string) *pupil {
	t.Helper()
	if looks == "" {
		looks = t.TempDir()
	}
	t.Setenv("XDG_CONFIG_HOME", looks)
	list := &intake.Games{List: games.Of()}
	return &pupil{t, testPage(t, filepath.Join(t.TempDir(), "store.sqlite")), list.Find("witness")}
}

// post sends a picture, and takes the first line of the answer.
func (p *pupil) post(to string, of any, file string, into any) (refused string) {
	p.Helper()
	data := solvetest.Must(os.ReadFile(file))(p)
	if of != nil {
		to += "?of=" + url.QueryEscape(quoted(of))
	}
	r := httptest.NewRequest("POST", to, bytes.NewReader(data))
	r.Host = "127.0.0.1:9"
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	p.page.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return w.Body.String()
	}
	if err := json.NewDecoder(w.Body).Decode(into); err != nil {
		p.Fatalf("%s: %v", to, err)
	}
	return ""
}

// A lesson is a picture of a panel and what it shows.
type lesson struct {
	file string
	refusal
}

// A drafted is a board as the page sees it.
type drafted struct {
	Family string
	Status string
	Text   string
	Quad   [4][2]float64
	Cols   int
	Rows   int
}

func (d *drafted) outline(g *see.Game) see.Outline {
	o := see.Outline{Game: g, Cols: d.Cols, Rows: d.Rows}
	for i, q := range d.Quad {
		o.Quad[i] = vision.Point{X: q[0], Y: q[1]}
	}
	return o
}

// sight is what the page sees of a panel, and how it is read: exact, unsure or WRONG.
func (p *pupil) sight(l *lesson) (here *drafted, verdict string) {
	p.Helper()
	var s struct{ Boards []drafted }
	if refused := p.post("/api/look", nil, l.file, &s); refused != "" {
		p.Fatal(refused)
	}
	verdict = "unsure"
	for i := range s.Boards {
		b := &s.Boards[i]
		if b.Family != p.game.Name {
			continue
		}
		if b.Status == "read" {
			got := solvetest.Must(p.game.Parse(b.Text))(p)
			verdict = "exact"
			if d := learn.DifferShown(panels.Of(l.shown), panels.Of(got)); d != "" {
				p.Logf("%s is WRONG: %s", filepath.Base(l.file), d)
				verdict = "WRONG"
			}
		}
		if here == nil || l.off(b.outline(p.game)) < l.off(here.outline(p.game)) {
			here = b
		}
	}
	return here, verdict
}

// teach puts the draft of a picture right and has it learned; it gives the number of corrections,
// and what the page says of it.
func (p *pupil) teach(l *lesson, look string) (corrections int, said string) {
	p.Helper()
	at, verdict := p.sight(l)
	if at == nil || l.off(at.outline(p.game)) > 0 { // a person says where it is
		o := l.quad
		cols, rows := l.shown.(solve.Describer).Size()
		corrections += 4
		if at != nil {
			corrections = l.off(at.outline(p.game))
		}
		at = &drafted{Family: p.game.Name, Cols: cols, Rows: rows}
		for i, q := range o {
			at.Quad[i] = [2]float64{q.X, q.Y}
		}
	}
	outline := map[string]any{"family": p.game.Name, "quad": at.Quad, "cols": at.Cols, "rows": at.Rows}
	text := solvetest.Must(l.shown.MarshalText())(p)
	if verdict != "exact" {
		corrections += p.put(l, outline)
	}
	config := solvetest.Must(intake.LoadPicture(nil, l.file))(p)
	var learned struct{ Said string }
	of := map[string]any{"family": p.game.Name, "text": string(text), "cols": config.Rect.Dx(), "rows": config.Rect.Dy(), "outline": outline, "look": look}
	if refused := p.post("/api/learn", of, l.file, &learned); refused != "" {
		return corrections, refused
	}
	return corrections, learned.Said
}

// put is how many corrections a draft takes: clicks on rings, and two for each place that none says.
func (p *pupil) put(l *lesson, outline any) int {
	p.Helper()
	var d struct {
		Text  string
		Rings []struct {
			At      [2]int
			Alike   [][2]int
			Guesses []struct {
				Tool   string
				Values map[string]string
				Says   string
			}
		}
	}
	if refused := p.post("/api/draft", outline, l.file, &d); refused != "" {
		p.Fatal(refused)
	}
	drawn := solvetest.Must(p.game.Parse(d.Text))(p)
	m := &mender{Draft: &see.Draft{Outline: see.Outline{Game: p.game}, Puzzle: drawn}, shown: l.shown}
	for _, r := range d.Rings {
		ring := see.Ring{At: image.Pt(r.At[0], r.At[1])}
		for _, a := range r.Alike {
			ring.Alike = append(ring.Alike, image.Pt(a[0], a[1]))
		}
		for _, g := range r.Guesses {
			ring.Guesses = append(ring.Guesses, see.Guess{Edit: solve.Edit{Tool: g.Tool, Values: g.Values}, Says: g.Says})
		}
		m.Rings = append(m.Rings, ring)
	}
	left := solvetest.Must(m.clickThrough())(p)
	return m.rings + 2*left
}

// lookLessons are the pictures of shared looks, by "LOOK-learn" and "LOOK-test".
func lookLessons(t *testing.T) map[string][]*lesson {
	t.Helper()
	folder := solvetest.Shared("looks", "pictures")
	data, err := os.ReadFile(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Skipf("no shared looks: %v (set ONLOOKER_SHARED to their folder)", err)
	}
	all := map[string][]*lesson{}
	for line := range strings.Lines(string(data)) {
		var of struct {
			Image  string
			Boards []struct {
				Puzzle json.RawMessage
				Quad   [4][2]float64
			}
		}
		solvetest.OK(t, json.Unmarshal([]byte(line), &of))
		p := solvetest.Must(forms.DecodeJSON(of.Boards[0].Puzzle))(t)
		l := &lesson{file: filepath.Join(folder, of.Image), refusal: refusal{shown: witness.Of(p)}}
		for k, c := range of.Boards[0].Quad {
			l.quad[k] = vision.Point{X: c[0], Y: c[1]}
		}
		set := of.Image[:strings.LastIndexByte(of.Image, '-')]
		all[set] = append(all[set], l)
	}
	return all
}

// TestTaughtLooks teaches looks board by board in the page, and reads the next pictures of each: as
// many as with what calibrate --truth learns of as many pictures. A look that knows little yet takes
// nothing away that is read without it. Eight looks whole where ONLOOKER_MORE asks for it:
//
//	ONLOOKER_MORE=2 go test ./cmd/onlooker -run TaughtLooks -v -timeout 3h
func TestTaughtLooks(t *testing.T) {
	all := lookLessons(t)
	looks, after, next := []string{"neon"}, []int{2}, []int{1, 5} // which are read without the look, too
	if solvetest.More() > 1 {
		looks, after, next = nil, []int{1, 2, 4, 8}, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
		for set := range all {
			if look, ok := strings.CutSuffix(set, "-learn"); ok {
				looks = append(looks, look)
			}
		}
		slices.Sort(looks)
	}
	for _, look := range looks {
		t.Run(look, func(t *testing.T) {
			taught, test := all[look+"-learn"], all[look+"-test"]
			read := func(p *pupil) map[string]int {
				tally := map[string]int{}
				for _, n := range next {
					_, verdict := p.sight(test[n-1])
					tally[verdict]++
				}
				return tally
			}
			p, n, corrections := newPupil(t, t.TempDir()), 0, 0
			var page []map[string]int
			for _, k := range after {
				for ; n < k; n++ {
					c, said := p.teach(taught[n], look)
					corrections += c
					t.Logf("%s: %d corrections; %s", filepath.Base(taught[n].file), c, said)
				}
				page = append(page, read(p))
				t.Logf("%d boards, %d corrections: %v", k, corrections, page[len(page)-1])
			}
			for i, k := range after {
				looks := t.TempDir()
				q := newPupil(t, looks)
				args := []string{"calibrate", "--truth", solvetest.Shared("looks", "pictures", "truth.jsonl"), "-o", filepath.Join(looks, "onlooker", "calibrations", look)}
				for _, l := range taught[:k] {
					args = append(args, l.file)
				}
				_, errOut, _ := onlooker(t, "", args...)
				truth := read(q)
				t.Logf("calibrate --truth with %d: %v %.300s", k, truth, errOut)
				if page[i]["exact"] < truth["exact"] || page[i]["WRONG"] > truth["WRONG"] {
					t.Errorf("after %d boards the page reads %v, want as with --truth: %v", k, page[i], truth)
				}
			}
			if solvetest.More() == 1 && page[0]["exact"] < len(next) {
				t.Errorf("it reads %v, want all of %v: each is read without the look, too", page[0], next)
			}
			for i, k := range after {
				if page[i]["WRONG"] > 0 {
					t.Errorf("after %d boards the page reads %v, want none WRONG: what no exemplar is near is a doubt", k, page[i])
				}
			}
		})
	}
}
