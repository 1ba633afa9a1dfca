//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"onlooker/cmd/internal/intake"
	"onlooker/solve/solvetest"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// A teacher teaches a look in the page by clicks, as somebody who sees what pictures show.
type teacher struct {
	*pageTest
	shown  map[string]*panels.Panel // by the picture's name
	clicks int
	keys   bool // by the keyboard instead
	axe    string
	seen   bool // it was looked at how cells are asked for
}

// asked is what the page asks.
type asked struct {
	Question *struct {
		tile
		Guess   string
		Choices []struct{ Answer string }
	}
	Pictures []struct{ Name string }
	Answers  []tile
}

// A tile is places that look alike, and what was said of them.
type tile struct {
	Sort, Answer string
	Spots        []struct {
		Picture   int
		Half, Way [2]int
	}
}

// hit clicks on something, in the middle of what is seen of it.
func (p *teacher) hit(selector string) {
	p.Helper()
	p.clicks++
	if p.keys {
		p.activate(selector)
		return
	}
	p.do(chromedp.Click(selector, chromedp.ByQuery))
}

const idle = "document.getElementById('teach-progress').hidden && !document.getElementById('teach-file').disabled"

// viewed looks at what the page shows everywhere, and goes on at 1440×900.
func (p *teacher) viewed(name string) {
	p.everywhere(func(said string) { p.inspect("calibrate-"+name+said, p.axe) })
	p.wide()
}

func (p *teacher) wide() { p.do(emulation.SetDeviceMetricsOverride(1440, 900, 1, false)) }

// begin drops pictures into the page.
func (p *teacher) begin(pictures ...string) {
	p.Helper()
	p.wide()
	p.hit("[data-view=calibrate]")
	p.do(chromedp.SetUploadFiles("#teach-file", pictures, chromedp.ByQuery))
	p.clicks++ // one in the dialog: all of a folder
	p.waits(fmt.Sprintf("%d pictures", len(pictures)), fmt.Sprintf("document.querySelectorAll('#teach-pictures figure').length === %d && ", len(pictures))+idle)
}

// waits waits minutes: other tests may keep the processors.
func (p *teacher) waits(what, expr string) {
	p.Helper()
	for range 9 {
		var so bool
		if p.eval("for (let i = 0; i < 1000; i++) { if ("+expr+") return true; await new Promise(r => setTimeout(r, 20)); } return false;", &so); so {
			return
		}
	}
	p.until(what, expr)
}

func (p *teacher) now() (a asked) {
	p.Helper()
	p.waits("it is idle", idle)
	p.eval("const { state } = await import('./calibrate.js'); return { question: state.question, pictures: state.pictures, answers: state.answers };", &a)
	return a
}

// truly is what a person answers.
func (p *teacher) truly(a asked, of tile) string {
	p.Helper()
	says := map[string]bool{}
	var first string
	for i, s := range of.Spots {
		at := image.Pt(s.Half[0], s.Half[1])
		panel := p.shown[a.Pictures[s.Picture].Name]
		answer := forms.LabelAt(panel, at, image.Pt(s.Way[0], s.Way[1])).Shown()
		if of.Sort == "colour" {
			answer = string(panel.At(at).Colour)
		}
		if says[answer] = true; i == 0 {
			first = answer
		}
	}
	if len(says) > 1 {
		return "differ"
	}
	return first
}

// answer answers one question.
func (p *teacher) answer(a asked) {
	p.Helper()
	answer := p.truly(a, a.Question.tile)
	choice := func() string { return fmt.Sprintf("#teach-choices button[data-answer=%q]", answer) }
	shape := answer[strings.LastIndex(answer, " ")+1:]
	seen := func(o struct{ Answer string }) bool { return o.Answer == answer }
	switch {
	case answer == "differ":
		p.hit("#teach-differ")
	case slices.ContainsFunc(a.Question.Choices, seen):
		p.hit(choice())
	case strings.Contains(answer, "piece "):
		for y, row := range strings.Split(shape, "/") {
			for x, c := range row {
				if c == '#' {
					p.hit(fmt.Sprintf("#teach-shape .squares div:nth-of-type(%d) button:nth-of-type(%d)", y+1, x+1))
				}
			}
		}
		p.hit(choice())
	default:
		p.Fatalf("%q is none of %v", answer, a.Question.Choices)
	}
}

// all answers all that is asked, and gives how many questions that were: it takes the guesses
// where the first is right, and clicks on the tiles that are wrong.
func (p *teacher) all() int {
	p.Helper()
	for p.clicks < 1000 {
		a := p.now()
		wrong := slices.IndexFunc(a.Answers, func(t tile) bool { return p.truly(a, t) != t.Answer })
		switch {
		case wrong >= 0:
			p.hit(fmt.Sprintf("#teach-answers li:nth-child(%d) button", wrong+1))
			if again := p.now(); again.Question != nil { // else the page moved under the click
				p.answer(again)
			}
			continue
		case a.Question == nil:
			return len(a.Answers)
		case a.Question.Sort == "cell" && p.axe != "" && !p.seen:
			p.seen = true
			p.viewed("cell")
		}
		if a.Question.Guess == p.truly(a, a.Question.tile) {
			p.hit("#teach-guess")
		} else {
			p.answer(a)
		}
	}
	p.Fatalf("%d clicks, and there are questions yet", p.clicks)
	return 0
}

// learn has the page learn, prove and keep it.
func (p *teacher) learn(name string) {
	p.Helper()
	p.hit("#teach-go")
	p.waits("it has learned", idle)
	p.until("the proof is there", "!document.getElementById('teach-proof').hidden")
	p.hit("#teach-write [type=submit]")
	p.until("it is kept", "document.getElementById('teach-kept').textContent.includes("+quoted("--profile "+name)+")")
}

// TestPageCalibrates teaches a look of our own whose stars are none of ours: answers are taken
// back, a board is put right over its picture, and the learned look reads another picture.
func TestPageCalibrates(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	folder := t.TempDir()
	s := barred(violet(t))
	p := &teacher{pageTest: openPage(t), shown: map[string]*panels.Panel{"bars-1.png": panelOf(t, squaresText), "bars-2.png": panelOf(t, starsText)}}
	shots := []string{shotOf(t, folder, "bars-1.png", squaresText, s, 60), shotOf(t, folder, "bars-2.png", starsText, s, 60)}
	p.axe = accessibility(t)
	p.begin(shots...)
	p.viewed("pictures")
	p.hit("#teach-go")
	first := p.now()
	p.viewed("question")
	p.answer(first)
	if again := p.now(); len(again.Answers) != 1 {
		t.Fatalf("%d answers, want one", len(again.Answers))
	}
	p.hit("#teach-back")
	if again := p.now(); len(again.Answers) != 0 || again.Question.Spots[0] != first.Question.Spots[0] {
		t.Errorf("back leads to %+v, want %+v", again.Question, first.Question)
	}
	p.keys = true
	questions := p.all()
	p.keys = false
	p.putRight()
	p.learn("bars")
	p.viewed("proof")
	third := shotOf(t, folder, "c.png", strings.ReplaceAll(starsText, "black square", "black star"), s, 55)
	got := texts(t, "bars", append(shots, third)...)
	if len(got) != 3 || strings.Count(got[1], "star") != 1 || strings.Count(got[2], "star") != 2 || strings.Contains(got[2], "square") {
		t.Errorf("it reads %q", got)
	}
	var truth string
	p.eval("return await (await fetch(document.querySelector('#teach-kept a').href)).text()", &truth)
	file := filepath.Join(folder, "truth.jsonl")
	if err := os.WriteFile(file, []byte(truth), 0o644); err != nil {
		t.Fatal(err)
	}
	want(t, "", append([]string{"calibrate", "--truth", file, "-o", filepath.Join(folder, "again")}, shots...)...)
	t.Logf("%d questions, %d clicks and keys", questions, p.clicks)
}

// putRight takes a symbol from the first board over its picture, and puts it back.
func (p *teacher) putRight() {
	p.Helper()
	p.hit("#teach-pictures figure button:not([aria-label])")
	p.until("the picture lies under the board", "document.querySelector('#edit-canvas svg image')?.getBBox().width > 2")
	var far float64
	// A corner of cells lies in the picture where it is drawn.
	p.eval(`const i = document.querySelector('#edit-canvas svg image');
		const m = new Image(); m.src = i.getAttribute('href'); await m.decode();
		return Math.abs(m.naturalWidth / m.naturalHeight - i.width.baseVal.value / i.height.baseVal.value);`, &far)
	if far > 0.01 {
		p.Errorf("the picture is stretched by %.2f", far)
	}
	p.viewed("right")
	p.choose("clear")
	p.click(1, 1)
	p.edited("\n| |a| |b|\n")
	p.do(chromedp.Click("#edit-undo"))
	p.edited("\n|a|b| |a|\n")
	p.hit("#edit-right-done")
	p.until("back among the pictures", "location.hash === '#calibrate' && "+idle)
}

// TestPageCalibrateRefuses has the page say what is wrong.
func TestPageCalibrateRefuses(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	folder := t.TempDir()
	p := &teacher{pageTest: openPage(t)}
	shot := shotOf(t, folder, "a.png", squaresText, violet(t), 52)
	text := filepath.Join(folder, "b.png")
	if err := os.WriteFile(text, []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.begin(shot)
	trouble := "document.getElementById('teach-trouble').textContent"
	for _, row := range []struct{ why, file, want string }{
		{"no picture", text, "b.png: no picture that can be opened"},
		{"the same again", shot, "a.png: there is a picture of that name already"},
	} {
		p.do(chromedp.SetUploadFiles("#teach-file", []string{row.file}, chromedp.ByQuery))
		p.until(row.why, trouble+".includes("+quoted(row.want)+") && "+idle)
	}
	// Another page begins another lesson.
	p.eval("const { post } = await import('./api.js'); await post('api/teach/begin', {});", new(any))
	p.hit("#teach-go")
	p.until("the lesson is over", trouble+".includes('begin again')")
	p.hit("#teach-over")
	p.until("it is begun again", "document.querySelectorAll('#teach-pictures figure').length === 0")
	p.press(kb.Tab)
}

// TestPageCalibratesSharedLook teaches a look that is none of ours by eight pictures, and
// reads the others by it as by one that was told the truth.
func TestPageCalibratesSharedLook(t *testing.T) {
	pictures := solvetest.Shared("looks", "pictures")
	data, err := os.ReadFile(filepath.Join(pictures, "truth.jsonl"))
	if err != nil {
		t.Skipf("no shared looks: %v", err)
	}
	look := "neon"
	if other := os.Getenv("ONLOOKER_SHARED_LOOKS"); other != "" {
		look = other
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	p := &teacher{pageTest: openPage(t), shown: map[string]*panels.Panel{}}
	var learned, others []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var l struct {
			Image  string
			Boards []struct{ Puzzle json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		panel, err := forms.DecodeJSON(l.Boards[0].Puzzle)
		if err != nil {
			t.Fatal(err)
		}
		switch name := filepath.Join(pictures, l.Image); {
		case strings.HasPrefix(l.Image, look+"-learn-"):
			learned = append(learned, name)
		case strings.HasPrefix(l.Image, look+"-test-"):
			others = append(others, name)
		default:
			continue
		}
		p.shown[l.Image] = panel
	}
	for i, name := range learned { // a browser takes whole names
		if learned[i], err = filepath.Abs(name); err != nil {
			t.Fatal(err)
		}
	}
	p.begin(learned...)
	p.hit("#teach-go")
	questions := p.all()
	p.learn(look + "-learn")
	told := filepath.Join(t.TempDir(), "told")
	want(t, "", append([]string{"calibrate", "--truth", filepath.Join(pictures, "truth.jsonl"), "-o", told}, learned...)...)
	clicked, told2 := p.right(look+"-learn", others), p.right(told, others)
	t.Logf("%s: %d pictures, %d questions, %d clicks; of %d others it reads %d, and %d with the truth", look, len(learned), questions, p.clicks, len(others), clicked, told2)
	if clicked < told2-1 {
		t.Errorf("it reads %d, and %d with the truth", clicked, told2)
	}
}

// right is how many pictures a look reads as what they show; what it reads otherwise is an error.
func (p *teacher) right(look string, pictures []string) (n int) {
	p.Helper()
	out, _, _ := onlooker(p.T, "", append([]string{"read", "--json", "--profile", look}, pictures...)...)
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var l intake.Sight
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			p.Fatal(err)
		}
		for _, b := range l.Boards {
			got, shows := panelOf(p.T, b.Text), p.shown[filepath.Base(l.Image)].Clone()
			for at := range shows.Points() { // the truth leaves out which way diagonal ends lead
				if w, g := shows.At(at), got.At(at); g != nil && w.IsEnd() && g.IsEnd() {
					w.Cap = g.Cap
				}
			}
			shows.Symmetry = got.Symmetry
			if d := panels.Differ(panels.Untwisted(shows), panels.Untwisted(got)); d != "" {
				p.Errorf("%s reads %s otherwise than it is: %s", look, l.Image, d)
				continue
			}
			n++
		}
	}
	return n
}
