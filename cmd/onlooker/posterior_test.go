package main

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"io/fs"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fogleman/gg"
	xdraw "golang.org/x/image/draw"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/posterior"
)

// A samplePicture is a picture of which it is known what it shows: boards of one family,
// or none.
type samplePicture struct {
	name   string
	frame  *image.RGBA
	family string
	// right tells whether a reading is one of the boards.
	right func(see.Reading) bool
}

// cropped is a picture without 30 to 70 % of its boards: of one side or of two.
func cropped(rng *rand.Rand, m *image.RGBA, box image.Rectangle) *image.RGBA {
	keep := m.Rect
	for range 1 + rng.IntN(2) {
		off := 0.3 + 0.4*rng.Float64()
		x, y := box.Min.X+int(off*float64(box.Dx())), box.Min.Y+int(off*float64(box.Dy()))
		switch rng.IntN(4) {
		case 0:
			keep.Min.X = max(keep.Min.X, x)
		case 1:
			keep.Max.X = min(keep.Max.X, box.Max.X-int(off*float64(box.Dx())))
		case 2:
			keep.Min.Y = max(keep.Min.Y, y)
		default:
			keep.Max.Y = min(keep.Max.Y, box.Max.Y-int(off*float64(box.Dy())))
		}
	}
	if keep.Dx() < 60 || keep.Dy() < 60 {
		keep = image.Rect(m.Rect.Min.X, m.Rect.Min.Y, m.Rect.Max.X, box.Min.Y+box.Dy()/2)
	}
	return kept(m, keep)
}

// kept is a part of a picture.
func kept(m *image.RGBA, part image.Rectangle) *image.RGBA {
	part = part.Intersect(m.Rect)
	out := image.NewRGBA(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(out, out.Rect, m, part.Min, draw.Src)
	return out
}

func noBoard(see.Reading) bool { return false }

// thumbnailsEach is of how many seeds one gives a page of thumbnails as well, which is one
// kind of everyday pictures of 24 and shows several lattices.
const thumbnailsEach = 6

// drawnSamples yields so many drawn boards, as they are, cropped and with something over
// them, as many everyday pictures and some pages of thumbnails, from a seed on.
func drawnSamples(t *testing.T, seed, count int, yield func(samplePicture)) {
	t.Helper()
	families := []string{"flow", "switches", "alcazar", "fans"}
	kinds := everydays()
	names := slices.Sorted(maps.Keys(kinds))
	for k := seed; k < seed+count; k++ {
		if k%thumbnailsEach == 0 {
			yield(samplePicture{name: fmt.Sprintf("thumbnails %d", k), frame: drawnThumbnails(rand.New(rand.NewPCG(uint64(k), 51))), right: noBoard})
		}
		if k%thumbnailsEach == thumbnailsEach/2 {
			yield(samplePicture{name: fmt.Sprintf("logo %d", k), frame: drawnLogo(rand.New(rand.NewPCG(uint64(k), 52))), right: noBoard})
		}
		kind, family := names[k%len(names)], families[k%len(families)]
		rng := rand.New(rand.NewPCG(uint64(k), 49))
		m, box, p := drawnBoard(family, rng)
		want := alone(t, p)
		board := func(r see.Reading) bool { return r.Game.Name == family && alone(t, r.Puzzle) == want }
		yield(samplePicture{name: fmt.Sprintf("drawn %s %d", family, k), frame: m, family: family, right: board})
		yield(samplePicture{name: fmt.Sprintf("cropped %s %d", family, k), frame: cropped(rng, m, box), family: family, right: noBoard})
		yield(samplePicture{name: fmt.Sprintf("%s %d", kind, k), frame: kinds[kind](rng), right: noBoard})
		yield(samplePicture{name: fmt.Sprintf("covered %s %d", family, k), frame: covered(rng, m, box), family: family, right: board})
	}
}

// covered is a picture with a card of some words over a part of its boards.
func covered(rng *rand.Rand, m *image.RGBA, box image.Rectangle) *image.RGBA {
	s := &sketch{Context: gg.NewContextForImage(m), rng: rng, cell: 30}
	w, h := float64(box.Dx())*(0.2+0.5*rng.Float64()), float64(box.Dy())*(0.2+0.5*rng.Float64())
	x, y := float64(box.Min.X)+(float64(box.Dx())-w/2)*rng.Float64(), float64(box.Min.Y)+(float64(box.Dy())-h/2)*rng.Float64()
	tone := rng.IntN(256)
	s.SetColor(grey(tone))
	s.DrawRoundedRectangle(x, y, w, h, 8*float64(rng.IntN(2)))
	s.FillPreserve()
	s.SetColor(grey((tone + 128) % 256))
	s.SetLineWidth(1)
	s.Stroke()
	s.words(grey((tone+128)%256), []string{"OK", "Paused", "You win", "7"}[rng.IntN(4)], (x+w/2)/s.cell, (y+h/2)/s.cell, 0.5)
	return s.picture()
}

// resized is a picture in another size, and lit otherwise.
func resized(rng *rand.Rand, m *image.RGBA) (out *image.RGBA, by float64) {
	by = 0.6 + rng.Float64()
	out = image.NewRGBA(image.Rect(0, 0, int(by*float64(m.Rect.Dx())), int(by*float64(m.Rect.Dy()))))
	xdraw.CatmullRom.Scale(out, out.Rect, m, m.Rect, xdraw.Src, nil)
	light := 0.7 + 0.3*rng.Float64()
	for i, v := range out.Pix {
		if i%4 < 3 {
			out.Pix[i] = uint8(light*float64(v) + 2*rng.Float64())
		}
	}
	return out, by
}

// screenSamples yields the shared screens, as they are, in another size and with an even margin,
// with crops of each board.
func screenSamples(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		dir, list := screensOf(t, family)
		for _, name := range slices.Sorted(maps.Keys(list)) {
			s := list[name]
			m := openPicture(t, filepath.Join(dir, name))
			rng := rand.New(rand.NewPCG(hashed(name), 3))
			other, by := resized(rng, m)
			boards := func(by float64) func(r see.Reading) bool {
				return func(r see.Reading) bool {
					return slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return rightScreen(t, family, r, b.scaled(by)) })
				}
			}
			yield(samplePicture{name: "screen " + family + "/" + name, frame: m, family: family, right: boards(1)})
			yield(samplePicture{name: "resized " + family + "/" + name, frame: other, family: family, right: boards(by)})
			if len(s.Boards) != 1 || s.Boards[0].Cut {
				continue
			}
			b := s.Boards[0].Box
			box := image.Rect(int(b[0]), int(b[1]), int(b[0]+b[2]), int(b[1]+b[3]))
			if s.Boards[0].Centres == nil {
				even := -int((0.02 + 0.1*rng.Float64()) * float64(min(box.Dx(), box.Dy())))
				yield(samplePicture{name: "tight " + family + "/" + name, frame: kept(m, box.Inset(even).Intersect(m.Rect)), family: family, right: boards(1)})
			}
			for k := range 3 {
				rng := rand.New(rand.NewPCG(hashed(name), uint64(k)))
				yield(samplePicture{name: fmt.Sprintf("crop %d of %s/%s", k, family, name), frame: cropped(rng, m, box), family: family, right: noBoard})
			}
		}
	}
}

// outsideSamples yields the pictures kept outside, of boards of cells and of none.
func outsideSamples(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	dir := outside(t, "pictures")
	for _, row := range outsidePictures() {
		yield(samplePicture{name: "screen pictures/" + row.file, frame: openPicture(t, filepath.Join(dir, row.file)), family: row.family, right: func(r see.Reading) bool {
			return r.Game.Name == row.family && strings.HasPrefix(textOf(r.Puzzle), row.want)
		}})
	}
}

// scaled is a board in a picture of another size.
func (b screenBoard) scaled(by float64) screenBoard {
	b.Centres = slices.Clone(b.Centres)
	for i, c := range b.Centres {
		b.Centres[i] = [2]float64{by * c[0], by * c[1]}
	}
	return b
}

// panelSamples yields drawn panels of a known look. Whether a panel is read as it is, its reader
// states: here counts whether there is one.
func panelSamples(t *testing.T, seed, count int, yield func(samplePicture)) {
	t.Helper()
	panel := func(r see.Reading) bool { return r.Game.Name == witness.Family.Name }
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	for k := seed; k < seed+count; k++ {
		rng := rand.New(rand.NewPCG(uint64(k), 50))
		p := witness.Family.Generate(rng, 2+rng.IntN(5), 2+rng.IntN(5))
		m := drawing.Draw(panels.Of(p), drawing.Typical(look), 40+60*rng.Float64())
		yield(samplePicture{name: fmt.Sprintf("drawn panel %d", k), frame: m, family: "witness", right: panel})
		b := m.Rect
		yield(samplePicture{name: fmt.Sprintf("cropped panel %d", k), frame: cropped(rng, m, image.Rect(b.Dx()/6, b.Dy()/6, b.Dx()*5/6, b.Dy()*5/6)), family: "witness", right: noBoard})
	}
}

// captureSamples yields shared captures and pictures of other looks.
func captureSamples(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	panel := func(r see.Reading) bool { return r.Game.Name == witness.Family.Name }
	for _, folder := range []string{"captures", "looks/pictures"} {
		files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", folder, "*.png"))
		for _, f := range files {
			yield(samplePicture{name: folder + "/" + filepath.Base(f), frame: openPicture(t, f), family: "witness", right: panel})
		}
	}
}

// rightScreen tells whether a reading is a board of a screen.
func rightScreen(t *testing.T, family string, r see.Reading, want screenBoard) bool {
	t.Helper()
	if r.Game.Name != family {
		return false
	}
	return alone(t, r.Puzzle) == alone(t, decode(t, r.Game, want.Text)) || sameBulbs(t, r, want)
}

func hashed(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// folderSamples yields the pictures of a folder, which shows none of our puzzles.
func folderSamples(t *testing.T, folder string, yield func(samplePicture)) {
	t.Helper()
	solvetest.OK(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		p := quietProgram()
		m, err := intake.LoadPicture(p.In, path)
		if err == nil {
			yield(samplePicture{name: "everyday " + filepath.Base(filepath.Dir(path)) + "/" + d.Name(), frame: m, right: noBoard})
		}
		return nil
	}))
}

// A sampleLine is a reading in the file that TestFit reads: see there.
type sampleLine struct {
	From, Family string
	// Place is which of its picture's boards it reads: readings of one place share their odds,
	// but those that say the same are one.
	Place    int
	Says     string
	Right    bool
	Evidence posterior.Evidence
}

// TestSamples writes what TestFit in vision/posterior fits to, where SAMPLES names a file:
// every reading of drawn boards, the same cropped and covered, and everyday pictures (DRAWN of
// each, 600 without it, from the seed FIRST on), of the shared screens, in another size and
// cropped too, and of the pictures without a puzzle in the folders EVERYDAY. PARTS names some of
// drawn, panels, captures and screens; LOOKS=cells leaves out the looks of boards of lines, which take most
// of the time.
func TestSamples(t *testing.T) {
	file := os.Getenv("SAMPLES")
	if file == "" {
		t.Skip("SAMPLES names no file to write")
	}
	count, first := 600, 1
	if s := os.Getenv("DRAWN"); s != "" {
		count, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("FIRST"); s != "" {
		first, _ = strconv.Atoi(s)
	}
	eye := autoEye(t)
	if os.Getenv("LOOKS") == "cells" {
		eye = cellEye(t)
	}
	eye.Model = nil
	out := newSampleFile(t, file)
	add := func(p samplePicture) {
		sight, err := eye.Look(p.frame, see.Millis{})
		if err != nil {
			return
		}
		seen := map[string]bool{}
		var places []*vision.Board
		for _, r := range sight.Candidates {
			if r.Err != nil || len(r.Evidence) == 0 {
				continue
			}
			right := p.right(r)
			key := r.Game.Name + r.Evidence.String() + textOf(r.Puzzle)
			if seen[key] {
				continue
			}
			seen[key] = true
			place := slices.IndexFunc(places, func(b *vision.Board) bool { return r.Board.Area().Overlaps(b.Area()) })
			if place < 0 {
				place, places = len(places), append(places, r.Board)
			}
			says := fmt.Sprintf("%x", hashed(r.Game.Name+textOf(r.Puzzle)))
			out.add(t, sampleLine{p.name, r.Game.Name, place, says, right, r.Evidence})
		}
		out.flush(t)
	}
	part := func(name string) bool {
		return strings.Contains(cmp.Or(os.Getenv("PARTS"), "drawn panels captures screens"), name)
	}
	if part("drawn") {
		drawnSamples(t, first, count, add)
	}
	if part("panels") {
		panelSamples(t, first, count/2, add)
	}
	if part("captures") {
		captureSamples(t, add)
	}
	if part("screens") {
		screenSamples(t, add)
		outsideSamples(t, add)
	}
	for _, folder := range filepath.SplitList(os.Getenv("EVERYDAY")) {
		folderSamples(t, folder, add)
	}
	out.close(t)
}

// A sampleFile takes lines of JSON, compressed.
type sampleFile struct {
	zip   *gzip.Writer
	file  *os.File
	lines int
}

func newSampleFile(t *testing.T, name string) *sampleFile {
	t.Helper()
	f := solvetest.Must(os.Create(name))(t)
	return &sampleFile{zip: gzip.NewWriter(f), file: f}
}

func (s *sampleFile) add(t *testing.T, line any) {
	t.Helper()
	solvetest.OK(t, json.NewEncoder(s.zip).Encode(line))
	s.lines++
}

// flush: a run that is stopped keeps what it has.
func (s *sampleFile) flush(t *testing.T) {
	t.Helper()
	solvetest.OK(t, s.zip.Flush())
}

func (s *sampleFile) close(t *testing.T) {
	t.Helper()
	solvetest.OK(t, cmp.Or(s.zip.Close(), s.file.Close()))
	t.Logf("%d lines", s.lines)
}

func textOf(p solve.Puzzle) string {
	text, err := p.MarshalText()
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text))
}

// autoEye looks with all looks, as the program does.
func autoEye(t *testing.T) *see.Eye {
	t.Helper()
	return solvetest.Must((&intake.Games{List: games.Of()}).PictureEye("auto"))(t)
}

// panelRefusals yields drawn panels that are cut or have a line drawn on them, and shared captures,
// whole and cut.
func panelRefusals(t *testing.T, count int, yield func(samplePicture)) {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	for k := range count {
		rng := rand.New(rand.NewPCG(uint64(k), 52))
		p := witness.Family.Generate(rng, 2+rng.IntN(5), 2+rng.IntN(5))
		answer := solvetest.Must(p.Solve(t.Context()))(t)
		if k%2 == 1 {
			answer = nil
		}
		name := fmt.Sprintf("panel drawn %d", k)
		m := picture.Image(drawing.Shapes(panels.Of(p), answer, drawing.Typical(look)), 20+30*rng.Float64())
		if b := m.Rect; k%2 == 1 {
			m = cropped(rng, m, image.Rect(b.Dx()/6, b.Dy()/6, b.Dx()*5/6, b.Dy()*5/6))
		}
		yield(samplePicture{name: name, frame: m, family: "witness"})
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(outside(t, "pictures"))), "captures")
	data := solvetest.Must(os.ReadFile(filepath.Join(dir, "truth.json")))(t)
	var truth map[string]struct{ Boards []struct{ Quad [][2]float64 } }
	solvetest.OK(t, json.Unmarshal(data, &truth))
	for name, s := range truth {
		if len(s.Boards) == 0 {
			continue
		}
		m := openPicture(t, filepath.Join(dir, name))
		yield(samplePicture{name: "panel " + name, frame: m, family: "witness"})
		if len(s.Boards) > 1 || len(s.Boards[0].Quad) < 4 {
			continue
		}
		var box image.Rectangle
		for _, p := range s.Boards[0].Quad {
			box = box.Union(image.Rect(int(p[0]), int(p[1]), int(p[0])+1, int(p[1])+1))
		}
		yield(samplePicture{name: "panel cut " + name, frame: cropped(rand.New(rand.NewPCG(hashed(name), 1)), m, box), family: "witness"})
	}
}

// lookRefusals yields panels of looks kept elsewhere, as they come.
func lookRefusals(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	files := solvetest.Must(filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(outside(t, "pictures"))), "looks", "pictures", "*-test-*")))(t)
	for _, f := range files {
		yield(samplePicture{name: "panel " + filepath.Base(f), frame: openPicture(t, f), family: "witness"})
	}
}

// lampRefusals yields drawn boards of lamps of which one has a third colour, as a hint or the cell
// under the pointer has.
func lampRefusals(count int, yield func(samplePicture)) {
	for k := range count {
		rng := rand.New(rand.NewPCG(uint64(k), 53))
		m, box, p := drawnLamps(rng)
		spec := p.(*switches.Puzzle).Spec()
		c, r := rng.IntN(spec.Cols), rng.IntN(spec.Rows)
		at := image.Pt(box.Min.X+(2*c+1)*box.Dx()/(2*spec.Cols), box.Min.Y+(2*r+1)*box.Dy()/(2*spec.Rows))
		flood(m, at, m.RGBAAt(at.X, at.Y), hueOf(rng.IntN(15)))
		yield(samplePicture{name: fmt.Sprintf("third %d", k), frame: m, family: "switches"})
	}
}

// flood fills all that has a colour and joins a place of it.
func flood(m *image.RGBA, at image.Point, from color.RGBA, to color.Color) {
	for todo := []image.Point{at}; len(todo) > 0; {
		p := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !p.In(m.Rect) || m.RGBAAt(p.X, p.Y) != from {
			continue
		}
		m.Set(p.X, p.Y, to)
		todo = append(todo, p.Add(image.Pt(1, 0)), p.Add(image.Pt(-1, 0)), p.Add(image.Pt(0, 1)), p.Add(image.Pt(0, -1)))
	}
}

// A refusedLine is a board that could not be read in the file that TestRefused in
// vision/posterior reads: of which picture it is, which family's board that shows, and whose
// reader refused it.
type refusedLine struct {
	From, Shows, Family string
	Evidence            posterior.Evidence
}

// TestRefusedSamples writes what refused.json in vision/posterior is fitted to, where REFUSED names a
// file: all refusals of pictures that show a board and of which nothing is read: shared screens and
// captures, whole and cut, panels of other looks, and drawn boards that are cut or have a line drawn
// on them, 150 of each family, of cells of several shapes, 90, and of lamps with a third colour, 30.
func TestRefusedSamples(t *testing.T) {
	file := os.Getenv("REFUSED")
	if file == "" {
		t.Skip("REFUSED names no file to write")
	}
	const count = 150
	eye := autoEye(t)
	out := newSampleFile(t, file)
	defer out.close(t)
	add := func(p samplePicture) {
		sight, err := eye.Look(p.frame, see.Millis{})
		if err != nil || slices.ContainsFunc(sight.Readings, func(r see.Reading) bool { return r.Err == nil }) {
			return
		}
		unread := slices.DeleteFunc(sight.Candidates, func(r see.Reading) bool { return r.Err == nil })
		told := map[string]bool{}
		for i, e := range see.Refusals(unread) {
			for n, v := range e {
				e[n] = math.Round(1e4*v) / 1e4
			}
			line := refusedLine{p.name, p.family, unread[i].Game.Name, e}
			if key := fmt.Sprint(line); !told[key] {
				told[key] = true
				out.add(t, line)
			}
		}
		out.flush(t)
	}
	screenSamples(t, func(p samplePicture) {
		if !strings.HasPrefix(p.name, "resized") && !strings.HasPrefix(p.name, "tight") {
			add(p)
		}
	})
	panelRefusals(t, count, add)
	lookRefusals(t, add)
	lampRefusals(count/5, add)
	for kind, tiled := range tilings() {
		for k := range count / 5 {
			add(samplePicture{name: fmt.Sprintf("tiled %s %d", kind, k), frame: tiled.drawn(unfitted+k, kind), family: "flow"})
		}
	}
	drawnSamples(t, 1, 4*count, func(p samplePicture) {
		if strings.HasPrefix(p.name, "cropped") {
			add(p)
		}
	})
}
