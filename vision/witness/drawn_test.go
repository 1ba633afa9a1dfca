package witness

import (
	"errors"
	"fmt"
	"image"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
)

// A tally counts readings.
type tally struct{ exact, unsure, wrong int }

func (c tally) String() string {
	return fmt.Sprintf("%d exact, %d unsure, %d WRONG", c.exact, c.unsure, c.wrong)
}

// A scene is a drawn panel before a camera.
type scene struct {
	panel *witness.Panel
	frame image.Image
	quad  [4]vision.Point
	pitch float64
}

// randomScene makes the scene of a seed: any panel in any style, up to 45° off
// the axis, a cell from 20 pixels up, and then the distortion.
func randomScene(t testing.TB, profile *calibrations.Profile, seed uint64) scene {
	t.Helper()
	return overlaid(t, profile, seed, func(_ *rand.Rand, sc scene) image.Image { return sc.frame })
}

// randomScenes are n scenes that are not too small to be read, by seed, from the first one on.
func randomScenes(t testing.TB, profile *calibrations.Profile, first uint64, n int) iter.Seq2[uint64, scene] {
	return func(yield func(uint64, scene) bool) {
		for done, seed := 0, first; done < n; seed++ {
			s := randomScene(t, profile, seed)
			if s.pitch < 20 {
				continue
			}
			if done++; !yield(seed, s) {
				return
			}
		}
	}
}

// overlaid is a random scene with something laid over the frame before the distortion.
func overlaid(t testing.TB, profile *calibrations.Profile, seed uint64, over func(*rand.Rand, scene) image.Image) scene {
	rng := rand.New(rand.NewPCG(seed, 1))
	cols := 2 + rng.IntN(5)
	rows := cols
	if rng.IntN(3) == 0 {
		rows = 1 + rng.IntN(6)
	}
	panel := randomPanel(rng, cols, rows)
	style := randomStyle(rng, profile)
	near := rng.Float64()
	// 400: a board of many cells has small ones, as on a screen.
	sc := hung(rng, panel, style, min(24+40*near*near, 400/float64(max(cols, rows)+1)), [2]float64{math.Pi / 4, math.Pi / 5})
	sc.frame = randomDistortion(rng).apply(t, rng, copied(over(rng, sc)))
	return sc
}

// hung is the scene of a panel that hangs before a camera, in cells of so many pixels before
// what is turned away grows smaller, and turned and tilted by up to so much, in radians.
func hung(rng *rand.Rand, panel *witness.Panel, style drawing.Style, pitch float64, aside [2]float64) scene {
	if panel.Symmetry != witness.NoSymmetry && brighter(style.Dot, style.Lines) {
		// Where there are two lines a bright dot is one line's, so that of this
		// look's plain ones there can be none.
		for at := range panel.Points() {
			if d := &panel.At(at).Dot; d.Line == witness.AnyLine {
				*d = witness.Dot{}
			}
		}
	}
	cols, rows := panel.Cols, panel.Rows
	p := pose{pitch: pitch, distance: 1.2 + 2*rng.Float64()}
	// Five cells more than the board: what turns towards the camera grows.
	p.frame = image.Pt(int(float64(cols+5)*p.pitch), int(float64(rows+5)*p.pitch))
	if rng.IntN(2) == 0 {
		p.yaw = (rng.Float64()*2 - 1) * aside[0]
	}
	if rng.IntN(3) == 0 {
		p.tilt = (rng.Float64()*2 - 1) * aside[1]
	}
	p.turned = (rng.Float64()*2 - 1) * 0.03
	p.at = vision.Point{X: float64(p.frame.X)/2 + p.pitch*(rng.Float64()-0.5), Y: float64(p.frame.Y)/2 + p.pitch*(rng.Float64()-0.5)}
	least, _ := picture.Extent(drawing.Shapes(panel, nil, style))
	wall := randomWall(rng, p.frame, style.Around)
	frame, quad := p.hang(drawing.Draw(panel, style, 1.5*p.pitch), cols, rows, least, 0.75*p.pitch, wall)
	shortest := math.Inf(1)
	for i, a := range quad {
		shortest = min(shortest, a.Dist(quad[(i+1)%4])/float64([]int{cols, rows}[i%2]))
	}
	return scene{panel: panel, frame: frame, quad: quad, pitch: shortest}
}

// readScene reads a scene: what differs from the truth, or why the reading is
// unsure, and the board, which says how sure the reading is.
func readScene(profile *calibrations.Profile, s scene) (wrong string, best *vision.Board, unsure error) {
	boards, err := locate.Boards(s.frame, profile.Board)
	if err != nil {
		return "", nil, err
	}
	for _, b := range boards {
		var dx, dy float64
		for i := range 4 {
			dx += (b.Quad[i].X - s.quad[i].X) / 4
			dy += (b.Quad[i].Y - s.quad[i].Y) / 4
		}
		if math.Hypot(dx, dy) < 1.5*s.pitch {
			best = b
			break
		}
	}
	if best == nil {
		return "", nil, errors.New("no board found")
	}
	r := NewReader(profile)
	if err := r.Add(best); err != nil {
		return "", nil, err
	}
	got, err := r.Panel()
	if err != nil {
		return "", nil, err
	}
	return witness.Differ(s.panel, got), best, nil
}

// TestSymbolsOfTheLookAreKnown reads drawn boards on which something looks otherwise
// than sharply drawn and alone, and is all the same what the look knows.
func TestSymbolsOfTheLookAreKnown(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		what string
		seed uint64
	}{
		{"a blue piece whose squares' middles are blurred", 790000028},
		{"a start circle that reaches far into an empty cell", 790000005},
		{"a piece whose squares run together", 822000007},
		{"an empty cell that compression colours", 910000188},
		{"a square of a colour that compression blurs", 941000011},
		{"erasers so thin that the cell's colour is mixed with theirs", 941000076},
		{"erasers so thin, compressed", 941000769},
		{"a yellow piece too bright for the picture", 949001351},
		{"a long piece that reaches beyond what is seen of its cell", 1800003929},
		{"a white star that passes for a pointer, with others beside it", 1200002940},
		{"a wall as dark as the lines, of which a lattice grows into the board's", 1900004698},
		{"a blue piece of two by two squares whose outlines are thinner than two pixels", 1950004194},
		{"a slanting piece of which blocks alone tell that it slants", 949000028},
		{"a tall piece that reaches beyond what is seen of its cell", 1800004082},
		{"white lines that are cut off: there is no dot on them", 1920002744},
		{"two dark start circles side by side: no end lies between them", 1950006847},
		{"two light start circles side by side: no end lies between them", 1910003320},
	} {
		if wrong, _, unsure := readScene(profile, randomScene(t, profile, row.seed)); wrong != "" || unsure != nil {
			t.Errorf("%s, seed %d: %s, %v", row.what, row.seed, wrong, unsure)
		}
	}
	for _, row := range []struct {
		what string
		seed uint64
	}{
		{"a lattice beside the lines: a circle and an end do not lie on it", 790000055},
		{"a white square that passes for a pointer, which hides what it lies over", 1000007544},
		{"a star that differs from its ground in tint alone, compressed", 941000300},
		{"squares too bright for the picture, compressed", 961001453},
		{"a blue piece of two by two squares whose outlines are thinner than a pixel", 1880002340},
		{"a lattice half of whose lines are the panel's rim: dots have two colours", 916000555},
		{"a blue piece that covers most of where its cell's ground is seen", 943000569},
		{"magenta stars on magenta that is cut off", 1000009575},
		{"magenta squares on magenta that is cut off and noisy", 1000015963},
		{"a blue piece of two by two squares, turned and noisy", 1880018723},
		{"a blue piece on a ground of its colour, which has another", 1910001622},
		{"blue pieces on a ground of their colour, which have another", 1890008707},
		{"a blue piece whose colour is hardly blue", 1880008267},
		{"a lattice of half as large cells over two of three", 1880004722},
		{"one column of three by three cells, of which an edge is missing", 1700000326},
		{"a blue piece of one square of four pixels", 1880015131},
		{"triangles so faint that by its own places alone the cell is empty", 1910008003},
		{"a dot whose levels were taken to a power, compressed: it explains little", 953001147},
		{"dark lines on which compression leaves what passes for a dot", 1940009168},
		{"light lines on which compression leaves what passes for a dot", 1930004956},
		{"a node on which compression leaves what passes for a dot", 1880010345},
		{"a dot on a node that reaches into an edge, and passes for a pointer", 822000010},
		{"a dot below a cell that is unlike the others, and passes for a pointer in warm light", 910000090},
	} {
		if wrong, _, unsure := readScene(profile, randomScene(t, profile, row.seed)); unsure == nil && wrong != "" {
			t.Errorf("%s: WRONG: %s, want it right or unsure", row.what, wrong)
		}
	}
	// What it is may be told; whether it is a blue one can hardly.
	wrong, _, unsure := readScene(profile, randomScene(t, profile, 949001279))
	if wrong != "" || unsure != nil && !strings.Contains(unsure.Error(), "a piece, or a blue piece") {
		t.Errorf("a piece too bright for the picture: %s, %v, want it right but for its twin", wrong, unsure)
	}
}

// TestDrawnBoardsAreLocated finds drawn boards of which circles, symbols or what is
// around them hide a part: of as many cells as they have, with their corners within a
// fifth of a cell.
func TestDrawnBoardsAreLocated(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		what string
		seed uint64
	}{
		{"every second line passes for a board", 880000022},
		{"a start circle on an edge's middle covers the corners of two cells", 881000028},
		{"a start circle covers most of all four inner edges", 882000049},
		{"a false board of three quarters of its edges lies over it", 883000007},
		{"two columns and five rows pass for a pillar of three rows", 880000036},
		{"two columns and five rows pass for a pillar of two rows", 881000018},
	} {
		s := randomScene(t, profile, row.seed)
		boards := located(t, s.frame, profile)
		var found []string
		for _, b := range boards {
			if b.Cols == s.panel.Cols && b.Rows == s.panel.Rows && !b.Pillar && learn.Within(b.Quad, s.quad, 0.2*s.pitch) {
				found = nil
				break
			}
			found = append(found, fmt.Sprintf("%dx%d, pillar %v, at %.0f", b.Cols, b.Rows, b.Pillar, b.Quad))
		}
		if found != nil || len(boards) == 0 {
			t.Errorf("%s, seed %d: found %v, want %dx%d at %.0f", row.what, row.seed, found, s.panel.Cols, s.panel.Rows, s.quad)
		}
	}
}

// A reliability counts readings by how clear they are: in steps of 0.05 those
// that were right and those that were WRONG.
type reliability [21]struct{ right, wrong int }

func (r *reliability) add(clear float64, right bool) {
	bin := &r[int(clear*20+1e-9)]
	if right {
		bin.right++
	} else {
		bin.wrong++
	}
}

// String is a table of the readings that are at least so clear.
func (r *reliability) String() string {
	out := "     clear  readings     WRONG  right, and from there up\n"
	for i, bin := range r {
		if bin.right+bin.wrong == 0 {
			continue
		}
		right, all := 0, 0
		for _, b := range r[i:] {
			right, all = right+b.right, all+b.right+b.wrong
		}
		out += fmt.Sprintf("     %5.2f  %8d  %8d  %6.2f %%  %6.2f %%\n", float64(i)/20, bin.right+bin.wrong, bin.wrong,
			100*float64(bin.right)/float64(bin.right+bin.wrong), 100*float64(right)/float64(all))
	}
	return out
}

// TestDrawnPanelsAreRead reads panels that Draw drew, warped, blurred and
// recompressed, and says how often readings that are so clear are right.
// ONLOOKER_MORE multiplies how many; ONLOOKER_KEEP names a folder for the frames that were not
// read.
func TestDrawnPanelsAreRead(t *testing.T) {
	n := 24 * solvetest.More()
	if testing.Short() {
		n = 10
	}
	profile := challengeLook(t)
	var c tally
	var table reliability
	done := 0
	for seed, s := range randomScenes(t, profile, 0, n) {
		switch wrong, b, unsure := readScene(profile, s); {
		case unsure != nil:
			c.unsure++
			t.Logf("seed %d, %dx%d, pitch %.0f: %v", seed, s.panel.Cols, s.panel.Rows, s.pitch, unsure)
			keep(t, fmt.Sprintf("seed-%d", seed), s.frame)
		case wrong != "":
			c.wrong++
			table.add(b.Clear, false)
			t.Errorf("seed %d, %dx%d, pitch %.0f, clear by %.2f: WRONG: %s", seed, s.panel.Cols, s.panel.Rows, s.pitch, b.Clear, wrong)
			keep(t, fmt.Sprintf("seed-%d", seed), s.frame)
		default:
			c.exact++
			table.add(b.Clear, true)
		}
		if done++; done%100 == 0 || done == n {
			t.Logf("drawn panels: %v\n%v", c, &table)
		}
	}
}

// keep writes a picture into the folder ONLOOKER_KEEP, where that is asked for.
func keep(t *testing.T, name string, m image.Image) {
	t.Helper()
	if dir := os.Getenv("ONLOOKER_KEEP"); dir != "" {
		made.WritePNG(t, filepath.Join(dir, name+".png"), m)
	}
}
