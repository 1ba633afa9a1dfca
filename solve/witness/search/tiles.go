package search

import (
	"cmp"
	"context"
	"image"
	"slices"
	"sync"

	"onlooker/solve/cover"
	"onlooker/solve/witness/board"
)

// A tiledBoard is cells, some of them side by side, and nothing else.
type tiledBoard struct {
	Cols, Rows int
	Pillar     bool
	Cell       []image.Point // by cell: column and row
	Joins      [][2]int32    // cells side by side, from left to right or from above
}

// A tile is pieces that are equal: the shape in all orientations, none where it is
// no piece at all.
type tile struct {
	Turns [][]image.Point
	Blue  bool // it is taken away
}

// A tiler tells whether pieces can be laid in a region: pieces alone are an
// exact cover, with blue ones a search over what each cell still needs.
type tiler struct {
	tiledBoard
	rules  board.RuleSet
	ctx    context.Context // of the question at hand
	tiles  []tile          // by class
	number []int32         // by column and row: the cell, -1
	known  *memo           // by cells and classes (sorted) that were tried
	exact  *cover.Problem
	place  []int32 // by cell: its place in the region in question, -1
	key    []byte
	Steps  int // of all subtractions
	Most   int // of them, from where on what is asked counts as refused; 0: no end
}

func newTiler(b tiledBoard, tiles []tile, rules board.RuleSet) *tiler {
	t := &tiler{tiledBoard: b, rules: rules, tiles: tiles, number: make([]int32, b.Cols*b.Rows), known: newMemo(), exact: cover.New(0, 0), place: make([]int32, len(b.Cell))}
	for i := range t.number {
		t.number[i] = -1
	}
	for i := range t.place {
		t.place[i] = -1
	}
	for c, q := range b.Cell {
		t.number[q.Y*b.Cols+q.X] = int32(c)
	}
	return t
}

// spent tells whether there were as many steps as may be.
func (t *tiler) spent() bool { return t.Most > 0 && t.Steps > t.Most }

// Share takes over what another tiler of the same pieces knows.
func (t *tiler) Share(of *tiler) { t.known = of.known }

// TurnsOf are the orientations of a class's shape.
func (t *tiler) TurnsOf(class int32) [][]image.Point { return t.tiles[class].Turns }

// turnedShapes lists a piece's squares in its different orientations.
func turnedShapes(s *board.Symbol) [][]image.Point {
	all := [][]image.Point{s.Shape}
	for s.Turnable && len(all) < 4 {
		next := slices.Clone(all[len(all)-1])
		for i, q := range next {
			next[i] = image.Pt(-q.Y, q.X)
		}
		least := next[0]
		for _, q := range next {
			least = image.Pt(min(least.X, q.X), min(least.Y, q.Y))
		}
		for i := range next {
			next[i] = next[i].Sub(least)
		}
		slices.SortFunc(next, func(a, b image.Point) int { return (a.Y-b.Y)*1000 + a.X - b.X })
		if slices.Equal(next, all[0]) {
			break // after two turns, or four
		}
		all = append(all, next)
	}
	return all
}

// canonical is the one of a piece's orientations that stands for all.
func canonical(turns [][]image.Point) []image.Point {
	return slices.MinFunc(turns, func(a, b []image.Point) int {
		return slices.CompareFunc(a, b, func(p, q image.Point) int {
			return cmp.Or(p.Y-q.Y, p.X-q.X)
		})
	})
}

// Lay tells whether pieces of the given classes (sorted, one entry a piece)
// fill the region's cells, or come to nothing. loose are joins within the
// region that a line runs along, which bar pieces.
func (t *tiler) Lay(ctx context.Context, region []int32, classes []int32, loose []int32) bool {
	if len(classes) == 0 {
		return true
	}
	t.ctx = ctx
	net, blue, cells := 0, false, 0
	for _, c := range region {
		if int(c) < len(t.Cell) {
			cells++
		}
	}
	for _, c := range classes {
		if s := &t.tiles[c]; s.Blue {
			net -= len(s.Turns[0])
			blue = true
		} else {
			net += len(s.Turns[0])
		}
	}
	if net == 0 && t.rules.ZeroAnyShape {
		return true
	}
	if net != 0 && net != cells {
		return false
	}
	if !t.rules.LineBlocksPieces {
		loose = nil
	}
	sorted := make([]int32, 0, cells)
	if net != 0 {
		for _, c := range region {
			if int(c) < len(t.Cell) {
				sorted = append(sorted, c)
			}
		}
		slices.Sort(sorted)
	} else {
		loose = nil
	}
	key := appendClasses(t.key[:0], classes)
	key = appendInts(key, -1)
	key = appendClasses(key, sorted)
	key = appendInts(key, -1)
	key = appendClasses(key, loose)
	t.key = key
	ok, known := t.known.Look(key)
	if known {
		return ok
	}
	if blue {
		ok = t.subtract(sorted, classes, loose)
	} else {
		ok = t.tile(sorted, classes, loose)
	}
	if t.ctx.Err() != nil {
		return true // not tried to the end; whoever asks looks at the context
	}
	ok = ok && !t.spent()
	t.known.Note(key, ok)
	return ok
}

// At is the cell that a square of a shape lies on, -1 off the cells.
func (t *tiler) At(q image.Point) int32 {
	if t.Pillar {
		q.X %= t.Cols
	}
	if q.X < 0 || q.X >= t.Cols || q.Y < 0 || q.Y >= t.Rows {
		return -1
	}
	return t.number[q.Y*t.Cols+q.X]
}

// tile is lay without blue pieces: every cell once.
func (t *tiler) tile(cells []int32, classes []int32, loose []int32) bool {
	for i, c := range cells {
		t.place[c] = int32(i)
	}
	defer func() {
		for _, c := range cells {
			t.place[c] = -1
		}
	}()
	// From left to right and from above: on a pillar of two columns the cells of
	// a row meet on both hands.
	barred := make(map[[2]int32]bool)
	for _, ji := range loose {
		barred[t.Joins[ji]] = true
	}
	kinds := slices.Compact(slices.Clone(classes))
	t.exact.Reset(len(cells), len(kinds))
	option := make([]int, 0, 16)
	used := make([]int32, 0, 16)
	for k, class := range kinds {
		n := 0
		for _, c := range classes {
			if c == class {
				n++
			}
		}
		t.exact.Room(len(cells)+k, n)
		for _, shape := range t.tiles[class].Turns {
			for _, c := range cells {
				// The shape's first square lies on c.
				origin := t.Cell[c].Sub(shape[0])
				if t.Pillar {
					origin.X = (origin.X + t.Cols) % t.Cols
				}
				option, used = option[:0], used[:0]
				for _, q := range shape {
					at := t.At(origin.Add(q))
					if at < 0 || t.place[at] < 0 || slices.Contains(used, at) {
						break
					}
					used = append(used, at)
					option = append(option, int(t.place[at]))
				}
				if len(option) < len(shape) || len(barred) > 0 && t.crosses(shape, used, barred) {
					continue
				}
				t.exact.Add(append(option, len(cells)+k)...)
			}
		}
	}
	_, ok, err := t.exact.First(t.ctx, 0)
	return ok || err != nil // the context's error: see lay
}

// crosses tells whether two squares side by side in a shape lie on barred
// cells. cells are where its squares lie.
func (t *tiler) crosses(shape []image.Point, cells []int32, barred map[[2]int32]bool) bool {
	for i, a := range shape {
		for k, b := range shape {
			if d := b.Sub(a); (d == image.Pt(1, 0) || d == image.Pt(0, 1)) && barred[[2]int32{cells[i], cells[k]}] {
				return true
			}
		}
	}
	return false
}

// A memo is what is known already; searches of one panel that run side by side
// share it.
type memo struct {
	mu sync.Mutex
	of map[string]bool
}

func newMemo() *memo { return &memo{of: make(map[string]bool)} }

// Look is the verdict by a key, if it is known.
func (v *memo) Look(key []byte) (right, known bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	right, known = v.of[string(key)]
	return right, known
}

func (v *memo) Note(key []byte, right bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of[string(key)] = right
}

func appendClasses(key []byte, classes []int32) []byte {
	for _, c := range classes {
		key = appendInts(key, int(c))
	}
	return key
}

// appendInts appends numbers to a key, three bytes each: the largest panel has
// 100,000 places where cells and half-cells meet. -1 keeps two lists apart.
func appendInts(key []byte, n ...int) []byte {
	for _, v := range n {
		key = append(key, byte(v), byte(v>>8), byte(v>>16))
	}
	return key
}
