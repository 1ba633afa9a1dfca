package witness

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/view"
)

// shapeCells are the cells in which strange shapes are drawn.
func shapeCells() []image.Point {
	return []image.Point{{X: 1, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 5}, {X: 7, Y: 7}}
}

// discAt is a disc about a place, with a radius in half-cells.
func discAt(at image.Point, r float64, c color.NRGBA) picture.Shape {
	return picture.Shape{Kind: picture.Disc, Colour: c, Points: []picture.Point{{X: float64(at.X), Y: float64(at.Y)}}, Width: 2 * r}
}

// polygon is one about a place, with corners relative to that.
func polygon(x, y float64, c color.NRGBA, corners ...picture.Point) picture.Shape {
	for i, p := range corners {
		corners[i] = picture.Point{X: x + p.X, Y: y + p.Y}
	}
	return picture.Shape{Kind: picture.Polygon, Colour: c, Points: corners}
}

// starsIn are stars of so many points in all cells, with the inner corners at a share of their
// way.
func starsIn(points int, reach, inner, turn float64, c color.NRGBA) (all []picture.Shape) {
	for _, at := range shapeCells() {
		var p []picture.Point
		for k := range 2 * points {
			r := reach
			if k&1 == 1 {
				r *= inner
			}
			sin, cos := math.Sincos(turn + math.Pi*float64(k)/float64(points))
			p = append(p, picture.Point{X: r * sin, Y: -r * cos})
		}
		all = append(all, polygon(float64(at.X), float64(at.Y), c, p...))
	}
	return all
}

// squaresIn are upright squares in all cells, with sides of twice a reach.
func squaresIn(reach float64, c color.NRGBA) []picture.Shape {
	return starsIn(4, reach*math.Sqrt2, math.Sqrt2/2, math.Pi/4, c)
}

// columnsIn are triangles one above the other in all cells.
func columnsIn(c color.NRGBA) (all []picture.Shape) {
	for _, at := range shapeCells() {
		for _, y := range []float64{-0.2, 0.2} {
			all = append(all, polygon(float64(at.X), float64(at.Y)+y, c, picture.Point{X: -0.17, Y: 0.18}, picture.Point{Y: -0.18}, picture.Point{X: 0.17, Y: 0.18}))
		}
	}
	return all
}

// pairsIn are two squares side by side in all cells, outlined.
func pairsIn(rim, c color.NRGBA) (all []picture.Shape) {
	square := func(x, y, r float64, c color.NRGBA) picture.Shape {
		return polygon(x, y, c, picture.Point{X: -r, Y: -r}, picture.Point{X: r, Y: -r}, picture.Point{X: r, Y: r}, picture.Point{X: -r, Y: r})
	}
	for _, at := range shapeCells() {
		for _, far := range []float64{-0.155, 0.155} {
			x, y := float64(at.X)+far, float64(at.Y)
			all = append(all, square(x, y, 0.15, rim), square(x, y, 0.1, c))
		}
	}
	return all
}

// TestStrangeShapes has shapes on boards that the look does not know and that it read as
// the nearest of its own: by its sizes they are refused.
func TestStrangeShapes(t *testing.T) {
	look := challengeLook(t)
	style := drawing.Typical(look)
	style.Ground, style.Lines = made.RGB(255, 251, 234), made.RGB(240, 120, 48)
	dark, grey, white := made.RGB(27, 26, 21), made.RGB(88, 88, 88), made.RGB(255, 255, 255)
	corner, middle := image.Pt(0, 8), image.Pt(5, 8)
	none := witness.Symbol{}
	of := func(kind witness.Kind) witness.Symbol { return witness.Symbol{Kind: kind, Colour: witness.White} }
	two, single, pair := of(witness.Triangle), of(witness.Negative), of(witness.Polyomino)
	two.Count, single.Shape, pair.Shape = 2, []image.Point{{}}, []image.Point{{}, {X: 1}}
	for _, row := range []struct {
		why    string
		start  image.Point
		symbol witness.Symbol
		shapes []picture.Shape
	}{
		{"a start circle whose middle has another colour", corner, none, []picture.Shape{discAt(corner, 0.2, made.RGB(255, 240, 120))}},
		{"a hollow start circle on the middle of an edge", middle, none, []picture.Shape{discAt(middle, 0.25, style.Ground)}},
		{"five-pointed stars, outlined", corner, of(witness.Star), append(starsIn(5, 0.5, 0.5, 0, dark), starsIn(5, 0.42, 0.5, 0, grey)...)},
		{"blunt stars", corner, of(witness.Star), starsIn(8, 0.5, 0.75, 0.1, grey)},
		{"triangles one above the other", corner, two, columnsIn(dark)},
		{"pieces of one small square, outlined", corner, single, append(squaresIn(0.14, made.RGB(96, 20, 16)), squaresIn(0.05, made.RGB(190, 140, 120))...)},
		{"pieces of two squares, white, outlined", corner, pair, pairsIn(dark, white)},
		{"stars of four points, turned", corner, of(witness.Star), starsIn(4, 0.52, 0.64, 0.4, grey)},
		{"white squares, outlined", corner, of(witness.Square), append(starsIn(4, 0.5, math.Sqrt2/2, math.Pi/4, dark), starsIn(4, 0.43, math.Sqrt2/2, math.Pi/4, white)...)},
		{"stars of one colour outlined in another", corner, of(witness.Star), append(starsIn(8, 0.55, 0.62, 0, dark), starsIn(8, 0.46, 0.58, 0, made.RGB(90, 184, 120))...)},
	} {
		p := witness.New(4, 4, false)
		p.At(row.start).Start, p.At(image.Pt(8, 0)).Cap = true, image.Pt(0, -1)
		m := picture.Image(append(drawing.Shapes(p, nil, style), row.shapes...), 40)
		boards, err := locate.Boards(m, look.Board)
		if err != nil || len(boards) != 1 {
			t.Errorf("%s: %d boards, %v", row.why, len(boards), err)
			continue
		}
		r := NewReader(look)
		if err := r.Add(boards[0]); err != nil {
			t.Fatal(err)
		}
		got, err := r.single(boards[0])
		var unsure *vision.UnsureError
		if !errors.As(err, &unsure) {
			t.Errorf("%s: read as %v, %v", row.why, forms.String(got), err)
		}
		// By its own places the board may be read, but not wrong.
		for _, at := range shapeCells() {
			p.At(at).Symbol = row.symbol
		}
		if got, err = r.Panel(); err == nil {
			solvetest.Same(t, witness.Differ(seen(p), seen(got)), "", "%s: read wrong", row.why)
		}
		t.Logf("%s: %v", row.why, err)
	}
}

// TestThirdColour: dots for either line in a colour of their own are none of one line's, and
// of those without a colour it can be told only beside both.
func TestThirdColour(t *testing.T) {
	at := []image.Point{{X: 1, Y: 0}, {X: 5, Y: 4}, {X: 6, Y: 3}}
	dark, bright := vision.RGB{20, 20, 20}, vision.RGB{230, 255, 110}
	for _, row := range []struct {
		why    string
		lines  vision.RGB
		cols   []vision.RGB
		unsure bool
	}{
		{"two of one line, compressed", dark, []vision.RGB{{60, 120, 240}, {225, 97, 161}, {219, 98, 162}}, false},
		{"blue, light blue and pink", dark, []vision.RGB{{82, 116, 239}, {225, 97, 161}, {61, 164, 221}}, true},
		{"purple, teal and ochre", dark, []vision.RGB{{103, 13, 183}, {46, 159, 166}, {189, 132, 6}}, true},
		{"blue, yellow and grey", dark, []vision.RGB{{60, 120, 240}, {220, 200, 40}, {120, 122, 119}}, false},
		{"blue and grey", dark, []vision.RGB{{60, 120, 240}, {120, 122, 119}, {118, 120, 121}}, true},
		{"black ones, all darker than the lines", bright, []vision.RGB{{20, 20, 20}, {10, 5, 20}, {30, 28, 25}}, false},
		{"red and teal, all darker than the lines", bright, []vision.RGB{{190, 20, 50}, {60, 190, 130}, {60, 188, 128}}, true},
		{"red, and green once as bright as the lines", bright, []vision.RGB{{245, 20, 80}, {70, 206, 130}, {70, 200, 130}}, true},
	} {
		p := witness.New(4, 4, false)
		p.Symmetry = witness.Rotation
		s := &view.View{Board: &vision.Board{Ink: row.lines, Paper: vision.RGB{90, 90, 90}}}
		if err := line.DotsByLine(s, p, at, row.cols, true); (err != nil) != row.unsure {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}

// TestStrangeLook reads boards whose lines, circles, breaks, caps and symbols have other
// sizes than the game's: none may be read wrong, by its sizes or by their structure.
func TestStrangeLook(t *testing.T) {
	base := challengeLook(t)
	for seed := range 6 {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		want := mixedPanel(rng, 3+rng.IntN(2), 3)
		boards := located(t, onPage(drawing.Shapes(want, nil, strangeStyle(base))), base)
		if len(boards) != 1 {
			continue
		}
		for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
			got, err := Read(of, drawing.Known(), boards[0])
			if err != nil {
				t.Logf("seed %d, loose %v: %v", seed, of.Loose, err)
			} else if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("seed %d, loose %v: read wrong: %s", seed, of.Loose, d)
			}
		}
	}
}

// strangeStyle has other sizes than a look's.
func strangeStyle(look *calibrations.Profile) drawing.Style {
	style := drawing.Typical(look)
	style.Line *= 0.6
	style.Gap *= 1.3
	style.Cap *= 1.5
	style.Ground, style.Lines = color.NRGBA{150, 140, 125, 255}, color.NRGBA{40, 50, 70, 255}
	return style
}

// onPage is a page that shows shapes, 36 pixels to a half-cell.
func onPage(shapes []picture.Shape) *image.RGBA {
	m := picture.Image(shapes, 36)
	return framed(m, m.Rect.Size().Add(image.Pt(160, 160)), image.Pt(80, 80), color.RGBA{236, 236, 240, 255})
}

// TestHiddenEnds has an end behind a dot whose rim is as the ground is, and a start circle of
// which thick lines leave as much to see as of an end: neither is read otherwise.
func TestHiddenEnds(t *testing.T) {
	base := challengeLook(t)
	white, red := color.NRGBA{250, 250, 250, 255}, color.NRGBA{200, 30, 50, 255}
	corner := image.Pt(8, 0)
	ringed, thick := strangeStyle(base), strangeStyle(base)
	ringed.Ground, ringed.Around = white, white
	thick.Line, thick.Start, thick.Cap = 0.33, 0.8, 0.8
	for _, row := range []struct {
		why    string
		style  drawing.Style
		change func(p *witness.Panel)
		over   []picture.Shape
	}{
		{"an end behind a dot", ringed, func(p *witness.Panel) {
			p.At(corner).Dot.On = true
		}, []picture.Shape{discAt(corner, 1.9*ringed.Line, white), discAt(corner, 1.2*ringed.Line, red)}},
		{"a circle on a thick border", thick, func(p *witness.Panel) {
			p.At(image.Pt(3, 4)).Start, p.At(image.Pt(8, 6)).Start, p.At(image.Pt(0, 8)).Start = true, true, false
		}, nil},
	} {
		want := witness.New(4, 4, false)
		want.At(image.Pt(0, 8)).Start, want.At(corner).Cap = true, image.Pt(0, -1)
		want.At(image.Pt(1, 7)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		row.change(want)
		board := only(t, onPage(append(drawing.Shapes(want, nil, row.style), row.over...)), base)
		for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
			got, err := Read(of, drawing.Known(), board)
			t.Logf("%s, loose %v: %v", row.why, of.Loose, err)
			if err == nil && witness.Differ(seen(want), seen(got)) != "" {
				t.Errorf("%s, loose %v: read wrong: %s", row.why, of.Loose, witness.Differ(seen(want), seen(got)))
			}
		}
	}
}

// TestOpenBorder reads boards on whose border edges are missing: the smaller of two parts passes
// for a board, and is not read as one.
func TestOpenBorder(t *testing.T) {
	base := challengeLook(t)
	for _, row := range []struct {
		why        string
		cols, rows int
		missing    []image.Point
	}{
		{"edges here and there", 4, 4, []image.Point{{3, 0}, {0, 5}, {8, 3}}},
		{"a corner", 4, 4, []image.Point{{1, 0}, {0, 1}}},
		{"two parts, of which the smaller passes for a board", 6, 2, []image.Point{{3, 0}, {3, 2}, {3, 4}, {6, 3}}},
	} {
		want := witnesstest.Corners(row.cols, row.rows, image.Pt(0, -1))
		want.At(image.Pt(1, 2*row.rows-1)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		for _, at := range row.missing {
			want.At(at).Gap = witness.Missing
		}
		for _, b := range located(t, onPage(drawing.Shapes(want, nil, strangeStyle(base))), base) {
			got, err := Read(look.Structure(base), drawing.Known(), b)
			if err != nil {
				t.Logf("%s: %v", row.why, err)
			} else if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("%s: read wrong: %s", row.why, d)
			}
		}
	}
}

// TestDrawnOnMostCells: what a clean picture shows along a side of some of its empty cells, as
// where a pillar drawn flat fades, is none of what is drawn on most of them.
func TestDrawnOnMostCells(t *testing.T) {
	profile := challengeLook(t)
	p := witnesstest.Corners(5, 5, image.Pt(0, -1))
	for _, row := range []struct {
		columns int // that show it
		drawn   bool
	}{{0, false}, {1, false}, {2, false}, {3, true}, {4, true}} {
		style := strangeStyle(profile)
		shapes := drawing.Shapes(p, nil, style)
		for cell := range p.Points() {
			if witness.IsCell(cell) && cell.X > 10-2*row.columns {
				x, y := float64(cell.X)+0.55, float64(cell.Y)
				shapes = append(shapes, picture.Shape{Kind: picture.Polygon, Points: picture.Box(x, y-0.6, x+0.1, y+0.6), Colour: style.Lines})
			}
		}
		board := only(t, onPage(shapes), profile)
		if board.Cols != 5 || board.Rows != 5 {
			t.Fatalf("%d columns: a board of %dx%d, want 5x5 cells", row.columns, board.Cols, board.Rows)
		}
		learned := *profile
		look.LearnGround(&learned, []look.Lesson{look.Lesson{Model: look.New(board, profile, drawing.Known()), Panel: p, Name: ""}})
		solvetest.Same(t, learned.Learned.Drawn != nil, row.drawn, "in the cells of %d columns of five: drawn on most", row.columns)
	}
}

// TestUnlikeTheOthers has blunt stars among the squares of a look that is not known:
// they are nearly square, and were read as the squares that they are most like.
func TestUnlikeTheOthers(t *testing.T) {
	style := inventedLooks(challengeLook(t))["saturated"]
	style.Symbols.Square, style.Symbols.SquareCorner = 0.36, 0.1
	style.Symbols.Star, style.Symbols.StarNotch = 0.42, 0.9
	white := func(kind witness.Kind, at ...image.Point) made.Change {
		return made.Symbol(witness.Symbol{Kind: kind, Colour: witness.White}, at...)
	}
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1),
		white(witness.Square, image.Pt(1, 1), image.Pt(5, 1), image.Pt(3, 3), image.Pt(7, 5)), white(witness.Star, image.Pt(7, 1)))
	frame := looktest.OnWall(panel, style, 56)
	base := challengeLook(t)
	for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
		b := solvetest.Must((learn.Truth{Panel: panel}).Find(frame, of))(t)
		got, err := Read(of, drawing.Known(), b)
		t.Logf("loose %v: %v", of.Loose, err)
		if err == nil && witness.Differ(seen(panel), seen(got)) != "" {
			t.Errorf("loose %v: WRONG: %s", of.Loose, witness.Differ(seen(panel), seen(got)))
		}
	}
}

// TestClearPlaces: a place in doubt is what those clear ones are that it looks like as much
// as these do like each other, and none of them where it looks like none.
func TestClearPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	around := func(level, noise int) (a look.Appearance) {
		for range 60 {
			a = append(a, uint8(level+rng.IntN(2*noise+1)-noise))
		}
		return a
	}
	c := &look.Pool{}
	if label, likely := c.Tell(around(40, 6)); likely > 0.5 {
		t.Errorf("with no clear place %q, %.2f", label, likely)
	}
	for range 8 {
		c.Add(look.SeenWhole, around(40, 6), 0.02)
	}
	for range 3 {
		c.Add(look.SeenBroken, around(200, 6), 0.02)
	}
	c.Bound(0.02)
	for _, row := range []struct {
		level int
		want  string
	}{{40, look.SeenWhole}, {200, look.SeenBroken}, {120, ""}, {60, ""}} {
		label, likely := c.Tell(around(row.level, 6))
		if likely < 0.9 {
			label = ""
		}
		solvetest.Same(t, label, row.want, "about %d: %.2f", row.level, likely)
	}
}

// TestSharedLooksAsTheyCome reads pictures of shared looks of which nothing is known: an end that
// hardly stands out from what lies outside (also where circles make the lines seem wider), a
// break between two grounds, dots of the ground's colour, and dots whose rims reach out as ends
// do are not taken for something else, nor stars for squares and outlines for full pieces where
// sizes are guessed.
func TestSharedLooksAsTheyCome(t *testing.T) {
	base := challengeLook(t)
	for name, pictures := range map[string][]string{"glass": {"02", "04", "13", "16"}, "photo": {"15"}, "chalk": {"03"}, "crt": {"03", "08", "10"}, "plain": {"18"}} {
		panels, shots := sharedLook(t, name, "test")
		for i, s := range shots {
			if !slices.ContainsFunc(pictures, func(n string) bool { return strings.Contains(s.Name, "-"+n+".") }) {
				continue
			}
			for _, profile := range []*calibrations.Profile{base, look.Structure(base)} {
				if wrong, unsure := readSighting(profile, seenIn(s, panels[i])); wrong != "" {
					t.Errorf("%s: WRONG: %s", s.Name, wrong)
				} else {
					t.Logf("%s: %v", s.Name, unsure)
				}
			}
		}
	}
}

// TestSharedLooksTaughtLittle teaches shared looks by two or three pictures: a sort of symbols that
// none of them showed is in doubt, and is not read as the one that it is most like. Squares were
// read as stars and stars as squares, two triangles as a piece of two squares and a turned piece as
// an upright one. So is what lies on an edge: where breaks were shown and no dot on an edge dots
// were read as breaks, or as the line. One look of every day, all with ONLOOKER_MORE.
func TestSharedLooksTaughtLittle(t *testing.T) {
	doubt, edge := "your pictures showed no symbol like this one", "your pictures showed no edge like this one"
	for _, taught := range []struct {
		look, learn string            // numbers of pictures
		read        map[string]string // by their names why they are refused; "": they are read
	}{
		{"glass", "03 01", map[string]string{"glass-test-01": doubt, "glass-test-14": doubt, "glass-learn-06": doubt, "glass-learn-05": ""}},
		{"glass", "01 05", map[string]string{"glass-test-20": edge, "glass-test-11": ""}},
		{"crt", "07 01 03", map[string]string{"crt-test-05": edge, "crt-test-07": edge}},
		{"glass", "05 06 01", map[string]string{"glass-test-16": doubt}},
		{"photo", "08 05", map[string]string{"photo-learn-02": doubt, "photo-test-02": doubt}},
		{"chalk", "06 04 02", map[string]string{"chalk-test-01": doubt}},
		{"plain", "03 06 02", map[string]string{"plain-learn-05": doubt}},
		{"blueprint", "03 02 05", map[string]string{"blueprint-test-06": doubt, "blueprint-test-04": doubt, "blueprint-test-17": doubt}},
	} {
		if solvetest.More() == 1 && len(taught.learn) > len("03 01") {
			continue
		}
		panels, shots := sharedLook(t, taught.look, "learn")
		var learn []learn.Shot
		for _, s := range shots {
			if slices.ContainsFunc(strings.Fields(taught.learn), func(n string) bool { return strings.Contains(s.Name, "-"+n+".") }) {
				learn = append(learn, s)
			}
		}
		c := solvetest.Must(Calibrate(challengeLook(t), learn))(t)
		more, others := sharedLook(t, taught.look, "test")
		panels, shots = append(panels, more...), append(shots, others...)
		for i, s := range shots {
			why, ok := taught.read[strings.TrimSuffix(s.Name, filepath.Ext(s.Name))]
			if !ok {
				continue
			}
			wrong, unsure := readSighting(c.Profile, seenIn(s, panels[i]))
			if said := fmt.Sprint(unsure); wrong != "" || (unsure == nil) != (why == "") || !strings.Contains(said, why) {
				t.Errorf("%s, taught by %s: WRONG %q, refused: %v, want %q", s.Name, taught.learn, wrong, unsure, why)
			}
		}
	}
}

// seenIn is a picture of one board.
func seenIn(s learn.Shot, p *witness.Panel) *sighting {
	of := &sighting{Tile: &looktest.Tile{Panel: p}, frame: s.Frame}
	for k, c := range s.Truth[0].Quad {
		of.Quad[k] = [2]float64{c.X, c.Y}
	}
	return of
}

// sharedLook is the pictures of a shared look whose names begin with the look's and the
// set's, with what they show, and what each panel is; the test is skipped without them.
func sharedLook(t *testing.T, look, set string) (panels []*witness.Panel, shots []learn.Shot) {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "looks", "pictures")
	f, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Skipf("no shared looks: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var l struct {
			Image  string
			Boards []struct {
				Puzzle json.RawMessage
				Quad   [4][2]float64
			}
		}
		solvetest.OK(t, json.Unmarshal(lines.Bytes(), &l))
		if !strings.HasPrefix(l.Image, look+"-"+set+"-") {
			continue
		}
		p := solvetest.Must(forms.DecodeJSON(l.Boards[0].Puzzle))(t, l.Image)
		g := solvetest.Must(os.Open(filepath.Join(folder, l.Image)))(t)
		m, _, err := image.Decode(g)
		g.Close()
		solvetest.OK(t, err, l.Image)
		var quad [4]vision.Point
		for i, c := range l.Boards[0].Quad {
			quad[i] = vision.Point{X: c[0], Y: c[1]}
		}
		panels, shots = append(panels, p), append(shots, learn.Shot{Name: l.Image, Frame: m, Truth: []learn.Truth{{Panel: p, Quad: &quad}}})
	}
	if len(shots) == 0 {
		t.Fatalf("no pictures of %s", look)
	}
	return panels, shots
}
