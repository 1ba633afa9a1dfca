package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A set is boards with a known truth in a folder of ../shared.
type set struct {
	name, folder string
	every        int // the sample: every nth board
	run          func(p *onlooker, folder string, pick func(i int) bool) ([]result, error)
}

// sets lists all of them, the quickest first.
func sets() []set {
	auto, site := []string(nil), []string{"--profile", "witnesspuzzles"}
	return []set{
		{"published", "witness/published", 10, published},
		{"pictures", "outside/pictures", 1, pictures},
		{"nothing", "outside/nothing", 1, nothing},
		{"captures", "captures", 1, captures},
		{"captures-pillars", "captures", 1, pillars},
		{"captures-noise", "captures", 3, frames("noise", grained)},
		{"captures-jpeg", "captures", 3, frames("jpeg", squeezed)},
		{"captures-washed", "captures", 3, frames("washed", washed)},
		{"captures-night", "captures", 3, frames("night", night, "other-21.png")},
		{"captures-photo", "captures", 3, frames("photo", photographed)},
		{"captures-stream", "captures", 3, frames("stream", streamed)},
		{"captures-pointer", "captures", 3, frames("pointer", pointed, "triangles-01.png", "triangles-03.png", "triangles-07.png", "wall-maze-3x3-01.png", "wall-maze-3x3-03.png")},
		{"captures-line", "captures", 3, frames("line", begun)},
		{"captures-cut", "captures", 3, frames("cut", cutOff)},
		{"captures-crop", "captures", 3, frames("crop", cropped)},
		{"captures-glare", "captures", 3, frames("glare", shone)},
		{"site-small", "clients/site-2026/small", 1, sitePictures(auto)},
		{"site-pillars", "clients/site-2026/pillars", 1, sitePillars(auto)},
		{"site-light", "clients/site-2026/panels", 3, sitePictures(site)},
		{"site-light-auto", "clients/site-2026/panels", 3, sitePictures(auto, "K8CMCTUM.png")},
		{"site-night", "clients/site-2026/night", 3, sitePictures(site)},
		{"screens-flow", "screens/flow", 3, screens("flow")},
		{"screens-switches", "screens/switches", 3, screens("switches")},
		{"screens-alcazar", "screens/alcazar", 3, screens("alcazar")},
		{"screens-fans", "screens/fans", 3, screens("fans")},
		{"looks", "looks/pictures", 8, looks(false)},
		{"looks-calibrated", "looks/pictures", 3, looks(true)},
	}
}

// A sight is what a picture shows, in the form of `calibrate --truth`.
type sight struct {
	Image  string
	Boards []struct {
		Quad   [4][2]float64
		Puzzle json.RawMessage
	}
}

func readSights(file string) ([]sight, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []sight
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		var one sight
		if err := decoder.Decode(&one); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, one)
	}
}

func some[T any](all []T, pick func(i int) bool) []T {
	var picked []T
	for i, one := range all {
		if pick(i) {
			picked = append(picked, one)
		}
	}
	return picked
}

func middle(quad [4][2]float64) (x, y float64) {
	for _, c := range quad {
		x, y = x+c[0]/4, y+c[1]/4
	}
	return x, y
}

// nearest is the board of a reading whose middle lies nearest to a quad's, and
// within it; -1 where none does.
func nearest(r *reading, quad [4][2]float64) int {
	x, y := middle(quad)
	reach := math.Hypot(quad[1][0]-quad[0][0], quad[1][1]-quad[0][1])
	reach = max(reach, math.Hypot(quad[3][0]-quad[0][0], quad[3][1]-quad[0][1])) / 2
	best, at := reach, -1
	for i, b := range r.Boards {
		bx, by := middle(b.Quad)
		if d := math.Hypot(bx-x, by-y); d < best {
			best, at = d, i
		}
	}
	return at
}

// judgeSight holds a reading against the one board that a picture shows.
func judgeSight(name string, s sight, r *reading) (result, error) {
	want, err := panelOf(s.Boards[0].Puzzle)
	if err != nil {
		return result{}, fmt.Errorf("%s: its truth: %w", name, err)
	}
	return judge(name, r, nearest(r, s.Boards[0].Quad), func(got *panel) string { return want.trim().differs(got.trim()) })
}

// judge holds a board of a reading, below 0 none, against what differs in it.
func judge(name string, r *reading, at int, differs func(got *panel) string) (result, error) {
	if at < 0 {
		return refused(name, r.refusal()), nil
	}
	b := r.Boards[at]
	if b.Family != "witness" {
		return given(name, b.Text, "read as "+b.Family), nil
	}
	got, err := panelOf(b.Puzzle)
	if err != nil {
		return result{}, fmt.Errorf("%s: the reading: %w", name, err)
	}
	return given(name, got.String(), differs(got)), nil
}

func judgeSights(p *onlooker, folder string, sights []sight, flags ...string) ([]result, error) {
	var names []string
	for _, s := range sights {
		names = append(names, s.Image)
	}
	readings, err := p.named(folder, names, flags...)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, s := range sights {
		r, err := judgeSight(s.Image, s, readings[s.Image])
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// sitePictures are panels as witnesspuzzles.com draws them.
func sitePictures(flags []string, held ...string) func(*onlooker, string, func(int) bool) ([]result, error) {
	return func(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
		sights, err := readSights(filepath.Join(folder, "truth.jsonl"))
		if err != nil {
			return nil, err
		}
		of := some(sights, pick)
		for _, s := range sights {
			if slices.Contains(held, s.Image) && !slices.ContainsFunc(of, func(o sight) bool { return o.Image == s.Image }) {
				of = append(of, s)
			}
		}
		return judgeSights(p, folder, of, flags...)
	}
}

// sitePillars are scenes of the site's Challenge; each shows two panels that go
// round, and others.
func sitePillars(flags []string) func(*onlooker, string, func(int) bool) ([]result, error) {
	return func(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
		files, err := filepath.Glob(filepath.Join(folder, "*.png"))
		if err != nil {
			return nil, err
		}
		var images []string
		for _, file := range some(files, pick) {
			images = append(images, filepath.Base(file))
		}
		readings, err := p.named(folder, images, flags...)
		if err != nil {
			return nil, err
		}
		var all []result
		for _, image := range images {
			truth, err := readTruth[json.RawMessage](filepath.Join(folder, strings.TrimSuffix(image, ".png")+".truth.json"))
			if err != nil {
				return nil, err
			}
			for _, name := range slices.Sorted(maps.Keys(truth)) {
				one, err := judgePillar(image+"#"+name, truth[name], readings[image])
				if err != nil {
					return nil, err
				}
				all = append(all, one)
			}
		}
		return all, nil
	}
}

// judgePillar takes the pillar among a reading's boards that is most like the
// truth: where each stands is not told.
func judgePillar(name string, truth json.RawMessage, r *reading) (result, error) {
	want, err := panelOf(truth)
	if err != nil {
		return result{}, fmt.Errorf("%s: its truth: %w", name, err)
	}
	best, mark := "", ""
	for _, b := range r.Boards {
		got, err := panelOf(b.Puzzle)
		if err != nil {
			return result{}, fmt.Errorf("%s: the reading: %w", name, err)
		}
		if d := want.differs(got); got.pillar && (mark == "" || len(d) < len(best)) {
			best, mark = d, got.String()
		}
	}
	if mark == "" {
		return refused(name, r.refusal()), nil
	}
	return given(name, mark, best), nil
}

// looks are pictures of panels in looks of other people, as they come or after
// `calibrate --truth` with the look's own.
func looks(calibrated bool) func(*onlooker, string, func(int) bool) ([]result, error) {
	return func(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
		sights, err := readSights(filepath.Join(folder, "truth.jsonl"))
		if err != nil {
			return nil, err
		}
		learn, test := make(map[string][]string), make(map[string][]sight)
		for _, s := range sights {
			look, part, _ := strings.Cut(s.Image, "-")
			if strings.HasPrefix(part, "learn") {
				learn[look] = append(learn[look], filepath.Join(folder, s.Image))
			} else {
				test[look] = append(test[look], s)
			}
		}
		var all []result
		for n, look := range slices.Sorted(maps.Keys(test)) {
			if calibrated && !pick(n) {
				continue // a look is taught whole or not at all
			}
			chosen := test[look]
			var flags []string
			if calibrated {
				profile, err := os.MkdirTemp("", "outside-look-")
				if err != nil {
					return nil, err
				}
				defer os.RemoveAll(profile)
				profile = filepath.Join(profile, look)
				args := append([]string{"calibrate", "--truth", filepath.Join(folder, "truth.jsonl"), "-o", profile}, learn[look]...)
				out, err := p.run("", args...)
				if err != nil {
					return nil, err
				}
				if _, err := os.Stat(filepath.Join(profile, "profile.toml")); err != nil {
					for _, s := range chosen {
						all = append(all, refused(s.Image, "calibrate: "+string(out)))
					}
					continue
				}
				flags = []string{"--profile", profile}
			} else {
				chosen = some(chosen, pick)
			}
			results, err := judgeSights(p, folder, chosen, flags...)
			if err != nil {
				return nil, err
			}
			all = append(all, results...)
		}
		return all, nil
	}
}

// A scene is what one of the captures shows.
type scene struct {
	Negative bool
	Boards   []capture
}

// A capture is a board of the game as it was transcribed.
type capture struct {
	Size            spot
	Quad            *[4][2]float64
	Side, Set       string
	Pillar          bool
	Starts          []spot
	Ends            []struct{ At spot }
	Breaks, Missing []spot
	Dots            []struct {
		At     spot
		Colour string
	}
	Symbols []struct {
		Kind, Colour string
		At           spot
		Count        int
		Shape        []spot
		Turnable     bool
	}
}

func (c *capture) panel() *panel {
	p := newPanel()
	p.cols, p.rows, p.pillar, p.twofold = c.Size[0], c.Size[1], c.Pillar, len(c.Starts) > 1
	for _, at := range c.Starts {
		p.starts[at] = true
	}
	for _, e := range c.Ends {
		p.ends[e.At] = true
	}
	for _, at := range c.Breaks {
		p.breaks[at] = true
	}
	for _, at := range c.Missing {
		p.missing[at] = true
	}
	for _, d := range c.Dots {
		p.dots[d.At] = d.Colour
	}
	for _, s := range c.Symbols {
		g := glyph{kind: s.Kind}
		if s.Kind == "triangle" {
			g.count = s.Count
		}
		if len(s.Shape) > 0 {
			g.shape, g.turns = outline(s.Shape, s.Turnable)
		}
		p.cells[s.At], p.colours[s.At] = g, s.Colour
	}
	return p
}

// readTruth reads what pictures, or boards, show by their names.
func readTruth[T any](file string) (all map[string]T, err error) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil && !os.IsNotExist(err) {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return all, err
}

// captures are flat boards of the game, and pictures in which there is none.
func captures(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	scenes, err := readTruth[scene](filepath.Join(folder, "truth.json"))
	if err != nil {
		return nil, err
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(scenes)), func(name string) bool {
		s := scenes[name]
		return len(s.Boards) == 0 && !s.Negative || len(s.Boards) > 0 && s.Boards[0].Pillar
	})
	names = some(names, pick)
	return judgeScenes(p, folder, names, scenes)
}

// judgeScenes reads pictures of the game and holds each flat board against its truth.
func judgeScenes(p *onlooker, folder string, names []string, scenes map[string]scene) ([]result, error) {
	readings, err := p.named(folder, names)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, name := range names {
		r := readings[name]
		if scenes[name].Negative {
			all = append(all, empty(name, r))
			continue
		}
		for i := range scenes[name].Boards {
			b := &scenes[name].Boards[i]
			if b.Quad == nil || b.Pillar {
				continue
			}
			one, err := judge(fmt.Sprintf("%s#%d", name, i), r, nearest(r, *b.Quad), b.panel().differs)
			if err != nil {
				return nil, err
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// empty judges a picture in which nothing is to be read.
func empty(name string, r *reading) result {
	if len(r.Boards) == 0 {
		return result{name: name, verdict: exact, mark: "none"}
	}
	return result{name: name, verdict: wrong, mark: digits(r.Boards[0].Text), why: "a board of " + r.Boards[0].Family + ", and there is none"}
}

// pillars are pillars of the game, each from three sides.
func pillars(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	scenes, err := readTruth[scene](filepath.Join(folder, "truth.json"))
	if err != nil {
		return nil, err
	}
	views := make(map[string][]string)
	truth := make(map[string]*panel)
	for _, name := range slices.Sorted(maps.Keys(scenes)) {
		if s := scenes[name]; len(s.Boards) > 0 && s.Boards[0].Pillar {
			set := s.Boards[0].Set
			views[set] = append(views[set], filepath.Join(folder, name))
			truth[set] = s.Boards[0].panel()
		}
	}
	var all []result
	for _, set := range some(slices.Sorted(maps.Keys(views)), pick) {
		readings, err := p.read(views[set], "--views")
		if err != nil {
			return nil, err
		}
		var r reading
		for _, one := range readings {
			r = *one
		}
		at := slices.IndexFunc(r.Boards, func(b seenBoard) bool {
			return b.Family == "witness"
		})
		one, err := judge(set, &r, at, func(got *panel) string {
			best := truth[set].differs(got)
			for by := 2; by < 2*got.cols; by += 2 { // where a pillar begins nobody sees
				if d := truth[set].differs(got.turned(by)); len(d) < len(best) {
					best = d
				}
			}
			return best
		})
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// nothing are pictures without a puzzle.
func nothing(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.*"))
	if err != nil {
		return nil, err
	}
	files = some(files, pick)
	readings, err := p.read(files)
	if err != nil {
		return nil, err
	}
	var all []result
	for _, file := range files {
		r := readings[filepath.Base(file)]
		if r == nil {
			return nil, fmt.Errorf("%s: no line was printed", file)
		}
		all = append(all, empty(filepath.Base(file), r))
	}
	return all, nil
}

// published are panels that people published on witnesspuzzles.com: each was
// accepted there with some line. An answer is exact when it is one (its Check
// passes: nothing else is printed as solved).
func published(p *onlooker, folder string, pick func(int) bool) ([]result, error) {
	f, err := os.Open(filepath.Join(folder, "panels.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unzip, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var names, panels []string
	scan := bufio.NewScanner(unzip)
	scan.Buffer(nil, 1<<26)
	for i := 0; scan.Scan(); i++ {
		if !pick(i) {
			continue
		}
		var one struct{ ID, Puzzle string }
		if err := json.Unmarshal(scan.Bytes(), &one); err != nil {
			return nil, err
		}
		names, panels = append(names, one.ID), append(panels, strings.ReplaceAll(one.Puzzle, "\n", " "))
	}
	if err := scan.Err(); err != nil {
		return nil, err
	}
	ask := func(panels []string) ([]answer, error) {
		answers, err := lines[answer](p, strings.Join(panels, "\n")+"\n", "batch", "--no-store", "--rules", "witnesspuzzles", "--timeout", "10s")
		if err == nil && len(answers) != len(panels) {
			err = fmt.Errorf("%d answers to %d panels", len(answers), len(panels))
		}
		return answers, err
	}
	answers, err := ask(panels)
	if err != nil {
		return nil, err
	}
	for i := range answers { // what comes late is asked again: the machine may have been busy
		if answers[i].Status == "timeout" {
			again, err := ask(panels[i : i+1])
			if err != nil {
				return nil, err
			}
			answers[i] = again[0]
		}
	}
	var all []result
	for i, a := range answers {
		switch a.Status {
		case "solved":
			all = append(all, result{name: names[i], verdict: exact, mark: "solved"})
		case "timeout":
			all = append(all, result{name: names[i], verdict: late, mark: "late", why: a.Error})
		case "unsolvable":
			all = append(all, result{name: names[i], verdict: wrong, mark: "none", why: "no solution"})
		default:
			all = append(all, refused(names[i], a.Error))
		}
	}
	return all, nil
}
