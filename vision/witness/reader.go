// Package witness reads panels of The Witness from boards that package vision
// found, and draws them.
package witness

import (
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/vision"
)

// A Reader reads one panel from one view of it, from several views, or from
// several frames one after another.
type Reader struct {
	profile *calibrations.Profile
	boards  []*vision.Board
}

// NewReader returns a Reader for panels of the profile's look.
func NewReader(p *calibrations.Profile) *Reader { return &Reader{profile: p} }

// Add adds views of the panel: the same panel in later frames, or the sides of
// a pillar. An error says that a board is no view of the same panel.
func (r *Reader) Add(boards ...*vision.Board) error {
	for _, b := range boards {
		if len(r.boards) > 0 {
			if a := r.boards[0]; a.Cols != b.Cols || a.Rows != b.Rows || a.Pillar != b.Pillar {
				return fmt.Errorf("a view of %dx%d cells, want %dx%d as in the first", b.Cols, b.Rows, a.Cols, a.Rows)
			}
		}
		r.boards = append(r.boards, b)
	}
	return nil
}

// Panel is the panel that the views show; a *vision.UnsureError when something
// that matters cannot be told.
func (r *Reader) Panel() (*witness.Panel, error) {
	if len(r.boards) == 0 {
		return nil, errors.New("no view of the panel")
	}
	if r.boards[0].Pillar {
		return r.pillar()
	}
	return newSheet(r.boards[0], r.profile).panel()
}

// panel reads one view.
func (s *sheet) panel() (*witness.Panel, error) {
	b := s.b
	p := witness.New(b.Cols, b.Rows, b.Pillar)
	var starts []image.Point
	for at := range p.Points() {
		if !witness.IsCell(at) && s.isStart(at) {
			p.At(at).Start = true
			starts = append(starts, at)
		}
	}
	for at := range p.Points() {
		if !witness.IsEdge(at) {
			continue
		}
		gap, err := s.edge(at, func(at image.Point) bool { return slices.Contains(starts, at) })
		if err != nil {
			return nil, err
		}
		p.At(at).Gap = gap
	}
	ends := 0
	for at := range p.Points() {
		if !witness.IsNode(at) || p.At(at).Start {
			continue
		}
		var best capSighting
		for _, c := range s.caps(at) {
			if c.score > best.score {
				best = c
			}
		}
		// 0.3 of the contrast between line and cell.
		if best.score > 0.3 {
			p.At(at).Cap = best.dir
			ends++
		}
	}
	if len(starts) == 0 {
		return nil, unsure(image.Point{}, "no start circle")
	}
	if ends == 0 {
		return nil, unsure(image.Point{}, "no end cap")
	}
	var dots []image.Point
	var dotColours []vision.RGB
	for at := range p.Points() {
		if witness.IsCell(at) || p.At(at).Start || p.At(at).Gap != witness.Whole {
			continue
		}
		if witness.IsNode(at) && !s.reached(p, at) {
			continue
		}
		d, col := s.dot(at)
		if d > 0.12 {
			if d < 0.2 {
				return nil, unsure(at, "a dot or none: %.2f of the contrast", d)
			}
			dots = append(dots, at)
			dotColours = append(dotColours, col)
		}
	}
	for i, at := range dots {
		p.At(at).Dot = witness.Dot{On: true, Colour: hex(dotColours[i])}
	}
	var cells []image.Point
	var cols []vision.RGB
	for at := range p.Points() {
		if !witness.IsCell(at) {
			continue
		}
		st := s.stain(at, starts)
		if st == nil {
			continue
		}
		sym, err := s.symbol(at, st)
		if err != nil {
			return nil, err
		}
		p.At(at).Symbol = sym
		cells = append(cells, at)
		cols = append(cols, st.col)
	}
	names, err := cluster(cells, cols)
	if err != nil {
		return nil, err
	}
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	return p, nil
}

// symbol says which symbol a stain is.
func (s *sheet) symbol(at image.Point, st *stain) (witness.Symbol, error) {
	g := s.guesses(st)
	if g[0].score < 0.6 {
		return witness.Symbol{}, unsure(at, "a symbol like none: %.2f like %s", g[0].score, kindName(g[0].sym.Kind))
	}
	for _, o := range g[1:] {
		if !sameSymbol(o.sym, g[0].sym) {
			if 1-o.score < 1.3*(1-g[0].score) {
				return witness.Symbol{}, unsure(at, "%s or %s: %.2f and %.2f", kindName(g[0].sym.Kind), kindName(o.sym.Kind), g[0].score, o.score)
			}
			break
		}
	}
	return g[0].sym, nil
}

// reached tells whether an edge leads to a node.
func (s *sheet) reached(p *witness.Panel, at image.Point) bool {
	for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if e := p.At(at.Add(d)); e != nil && e.Gap != witness.Missing {
			return true
		}
	}
	return false
}

func kindName(k witness.Kind) string {
	return [...]string{"nothing", "a square", "a star", "triangles", "a piece", "a blue piece", "an eraser"}[k]
}

func sameSymbol(a, b witness.Symbol) bool {
	return a.Kind == b.Kind && a.Count == b.Count && a.Turnable == b.Turnable && slices.Equal(a.Shape, b.Shape)
}

func hex(c vision.RGB) witness.Colour {
	return witness.Colour(fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5)))
}

// cluster names the colours of symbols: equal names for one colour. Colours
// are told apart within the panel: by steps of a fifth of its brightest.
func cluster(at []image.Point, cols []vision.RGB) ([]witness.Colour, error) {
	scale := 0.0
	for _, c := range cols {
		scale = max(scale, c[0], c[1], c[2])
	}
	group := make([]int, len(cols))
	for i := range group {
		group[i] = i
	}
	for i := range cols {
		for j := range i {
			d := cols[i].Dist(cols[j]) / scale
			if d < 0.22 {
				from, to := group[i], group[j]
				for k := range group {
					if group[k] == from {
						group[k] = to
					}
				}
			}
		}
	}
	for i := range cols {
		for j := range i {
			if d := cols[i].Dist(cols[j]) / scale; group[i] != group[j] && d < 0.28 {
				return nil, unsure(at[i], "one colour or two: %s and %s", hex(cols[i]), hex(cols[j]))
			}
		}
	}
	names := make([]witness.Colour, len(cols))
	for g := range cols {
		var v []vision.RGB
		for i := range cols {
			if group[i] == g {
				v = append(v, cols[i])
			}
		}
		if len(v) == 0 {
			continue
		}
		n := hex(medianRGB(v))
		for i := range cols {
			if group[i] == g {
				names[i] = n
			}
		}
	}
	return names, nil
}

// Puzzle is Panel as the pipeline passes it on.
func (r *Reader) Puzzle() (solve.Puzzle, error) {
	p, err := r.Panel()
	if err != nil {
		return nil, err
	}
	return p, nil
}
