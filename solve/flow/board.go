package flow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"onlooker/solve"
)

// A Shape says which cells are neighbours without further words.
type Shape uint8

// The shapes of boards.
const (
	Square Shape = iota // the four cells beside, above and below
	Hex                 // six; odd columns stand half a cell higher
	Loose               // none: only what is joined one by one
)

// A Puzzle is one board: cells in columns and rows, which cells are
// neighbours, and the pairs of ends to be joined. It does not change; make
// one with a Builder or read one from text.
type Puzzle struct {
	cols, rows int
	shape      Shape
	torus      bool
	hole       []bool
	bridge     []bool
	walls      [][2]int32 // sorted, the smaller cell first
	joins      [][2]int32 // likewise; in addition to the shape's
	pairs      [][2]int32 // sorted by the first cell, which is the smaller
	any        bool       // cells may stay empty
	noTouch    bool
}

// A Builder collects what a board is made of. Cells are given by column and
// row from 0. Mistakes are kept and told by Puzzle.
type Builder struct {
	p    Puzzle
	errs []error
	// line is that of the file that is being read, 0 where there is none, and
	// lines remembers where what stood.
	line  int
	lines map[item]int
}

// An item is a part of a board: what it is, and its cells in order.
type item struct {
	what string
	a, b int32
}

// MaxCells is the most cells that a board may have: few enough that a mistyped size is no harm,
// and that what does not ask for the time takes some tenth of a second. What a search of it takes
// it asks for: see room.
const MaxCells = 1 << 22

// NewBuilder begins a board of cols × rows cells of the given shape.
func NewBuilder(shape Shape, cols, rows int) *Builder { return builderAt(0, shape, cols, rows) }

// builderAt begins a board that stands in a file, in that line.
func builderAt(line int, shape Shape, cols, rows int) *Builder {
	b := &Builder{p: Puzzle{cols: cols, rows: rows, shape: shape}, line: line}
	if cols < 1 || rows < 1 || cols > MaxCells || rows > MaxCells || cols*rows > MaxCells {
		b.fail("a board of %d×%d cells, want at least 1×1 and at most %d cells", cols, rows, MaxCells)
		b.p.cols, b.p.rows = 1, 1
	}
	b.p.hole = make([]bool, b.p.cols*b.p.rows)
	b.p.bridge = make([]bool, b.p.cols*b.p.rows)
	return b
}

func (b *Builder) fail(format string, a ...any) {
	b.errs = append(b.errs, inLine(b.line, format, a...))
}

// inLine is an error about a line of a file, or about a board that was built.
func inLine(line int, format string, a ...any) error {
	if line == 0 {
		return fmt.Errorf("flow: %w", fmt.Errorf(format, a...))
	}
	return fmt.Errorf("flow: line %d: %w", line, fmt.Errorf(format, a...))
}

// note remembers the present line for an item.
func (b *Builder) note(what string, i, j int32) {
	if b.line == 0 {
		return
	}
	if b.lines == nil {
		b.lines = map[item]int{}
	}
	b.lines[item{what, min(i, j), max(i, j)}] = b.line
}

func (b *Builder) cell(what string, c image.Point) (int32, bool) {
	if c.X < 0 || c.Y < 0 || c.X >= b.p.cols || c.Y >= b.p.rows {
		b.fail("%s at %d,%d, want a cell of the %d×%d board", what, c.X, c.Y, b.p.cols, b.p.rows)
		return 0, false
	}
	return int32(c.Y*b.p.cols + c.X), true
}

// Torus joins opposite borders of a square board.
func (b *Builder) Torus() *Builder { b.p.torus = true; return b }

// Any lets cells stay empty; otherwise every cell must be filled, and two
// paths must cross on every bridge.
func (b *Builder) Any() *Builder { b.p.any = true; return b }

// NoTouch forbids a path to touch itself: to pass two neighbouring cells
// without going from one to the other.
func (b *Builder) NoTouch() *Builder { b.p.noTouch = true; return b }

// Hole makes a cell no part of the board.
func (b *Builder) Hole(c image.Point) *Builder { return b.one("a hole", b.p.hole, c) }

// Bridge lets two paths cross on a cell, each going straight over.
func (b *Builder) Bridge(c image.Point) *Builder { return b.one("a bridge", b.p.bridge, c) }

func (b *Builder) one(what string, is []bool, c image.Point) *Builder {
	if i, ok := b.cell(what, c); ok {
		is[i] = true
		b.note(what, i, i)
	}
	return b
}

// Wall closes the way between two cells that would be neighbours.
func (b *Builder) Wall(c, d image.Point) *Builder { return b.two("a wall", &b.p.walls, c, d) }

// Join makes two cells neighbours, wherever they are.
func (b *Builder) Join(c, d image.Point) *Builder { return b.two("a join", &b.p.joins, c, d) }

// Pair adds two ends to be joined by a path.
func (b *Builder) Pair(c, d image.Point) *Builder { return b.two("an end", &b.p.pairs, c, d) }

func (b *Builder) two(what string, list *[][2]int32, c, d image.Point) *Builder {
	i, ok := b.cell(what, c)
	j, ok2 := b.cell(what, d)
	if ok && ok2 {
		*list = append(*list, [2]int32{min(i, j), max(i, j)})
		b.note(what, i, j)
	}
	return b
}

// mostErrors is how many mistakes of a board are told.
const mostErrors = 5

// Puzzle checks the board and returns it.
func (b *Builder) Puzzle() (*Puzzle, error) {
	p := b.p
	errs := slices.Clone(b.errs)
	bad := func(of item, i int32, format string, a ...any) {
		line := b.line
		if at, ok := b.lines[of]; ok {
			line = at
		}
		errs = append(errs, inLine(line, "cell %d,%d "+format, append([]any{int(i) % p.cols, int(i) / p.cols}, a...)...))
	}
	p.hole, p.bridge = slices.Clone(p.hole), slices.Clone(p.bridge)
	p.walls, p.joins, p.pairs = tidy(p.walls), tidy(p.joins), slices.Clone(p.pairs)
	slices.SortFunc(p.pairs, byCells)
	if p.torus && p.shape != Square {
		errs = append(errs, inLine(b.line, "a joined border on a board that is not square, want single joins there"))
	}
	for i := range p.bridge {
		if p.bridge[i] && p.shape != Square {
			bad(item{"a bridge", int32(i), int32(i)}, int32(i), "is a bridge, want bridges on square boards only")
		}
		if p.bridge[i] && p.hole[i] {
			bad(item{"a bridge", int32(i), int32(i)}, int32(i), "is a bridge and a hole, want one of them")
		}
	}
	for _, w := range p.walls {
		if w[0] == w[1] || p.shape == Loose || !p.beside(int(w[0]), int(w[1])) {
			bad(item{"a wall", w[0], w[1]}, w[0], "has a wall to %d,%d, want a neighbour", int(w[1])%p.cols, int(w[1])/p.cols)
		}
	}
	for _, j := range p.joins {
		switch {
		case j[0] == j[1]:
			bad(item{"a join", j[0], j[1]}, j[0], "is joined to itself, want another cell")
		case p.hole[j[0]] || p.hole[j[1]]:
			bad(item{"a join", j[0], j[1]}, j[0], "is joined to %d,%d, want cells that are no holes", int(j[1])%p.cols, int(j[1])/p.cols)
		case p.bridge[j[0]] || p.bridge[j[1]]:
			bad(item{"a join", j[0], j[1]}, j[0], "is joined to %d,%d, want cells that are no bridges", int(j[1])%p.cols, int(j[1])/p.cols)
		case p.shape != Loose && p.beside(int(j[0]), int(j[1])):
			bad(item{"a join", j[0], j[1]}, j[0], "is joined to %d,%d, which is its neighbour anyway", int(j[1])%p.cols, int(j[1])/p.cols)
		}
	}
	used := make(map[int32]bool)
	for _, e := range p.pairs {
		for _, i := range e {
			switch {
			case used[i]:
				bad(item{"an end", e[0], e[1]}, i, "is an end twice, want one end to a cell")
			case p.hole[i]:
				bad(item{"an end", e[0], e[1]}, i, "is an end and a hole, want one of them")
			case p.bridge[i]:
				bad(item{"an end", e[0], e[1]}, i, "is an end and a bridge, want one of them")
			}
			used[i] = true
		}
	}
	if n := len(errs); n > mostErrors {
		errs = append(errs[:mostErrors:mostErrors], fmt.Errorf("flow: and %d more mistakes", n-mostErrors))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return &p, nil
}

func byCells(a, b [2]int32) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
}

func tidy(list [][2]int32) [][2]int32 {
	list = slices.Clone(list)
	slices.SortFunc(list, byCells)
	return slices.Compact(list)
}

// steps are the neighbours of a cell by column and row differences.
func (p *Puzzle) steps(col int) []image.Point {
	switch {
	case p.shape == Square:
		return []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}
	case p.shape == Loose:
		return nil
	case col%2 == 0:
		return []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}}
	}
	return []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}, {X: 1, Y: -1}, {X: -1, Y: -1}}
}

// at is the cell at a place that may lie over the border of a torus; -1
// where there is none.
func (p *Puzzle) at(c, r int) int {
	if p.torus {
		c, r = (c+p.cols)%p.cols, (r+p.rows)%p.rows
	}
	if c < 0 || r < 0 || c >= p.cols || r >= p.rows {
		return -1
	}
	return r*p.cols + c
}

// beside tells whether the shape makes two cells neighbours, walls aside.
func (p *Puzzle) beside(i, j int) bool {
	for _, d := range p.steps(i % p.cols) {
		if p.at(i%p.cols+d.X, i/p.cols+d.Y) == j {
			return true
		}
	}
	return false
}

// Size is the number of columns and rows.
func (p *Puzzle) Size() (cols, rows int) { return p.cols, p.rows }

// Pairs lists the ends that are to be joined, as cells (column, row).
func (p *Puzzle) Pairs() [][2]image.Point { return p.points(p.pairs) }

func (p *Puzzle) points(list [][2]int32) [][2]image.Point {
	var out [][2]image.Point
	for _, e := range list {
		out = append(out, [2]image.Point{p.point(int(e[0])), p.point(int(e[1]))})
	}
	return out
}

func (p *Puzzle) point(i int) image.Point { return image.Pt(i%p.cols, i/p.cols) }

// Options are what a board demands beyond its cells.
type Options struct {
	Any     bool // cells may stay empty
	NoTouch bool // no path touches itself
}

// Options tells what the board demands.
func (p *Puzzle) Options() Options { return Options{p.any, p.noTouch} }

// With returns the same board with other demands.
func (p *Puzzle) With(o Options) *Puzzle {
	q := *p
	q.any, q.noTouch = o.Any, o.NoTouch
	return &q
}

func (p *Puzzle) centre(i int) image.Point {
	c, r := i%p.cols, i/p.cols
	y := 2*r + 1
	if p.shape == Hex {
		y -= c & 1
	}
	return image.Pt(2*c+1, y)
}

// cellAt is the cell whose centre a half-cell is; -1 where it is none's.
func (p *Puzzle) cellAt(at image.Point) int {
	x := at.X >> 1
	if p.shape == Hex {
		at.Y += x & 1
	}
	y := at.Y >> 1
	if at.X&1 == 0 || at.Y&1 == 0 || x < 0 || y < 0 || x >= p.cols || y >= p.rows {
		return -1
	}
	return y*p.cols + x
}

// Bounds is the area in half-cells that solutions may touch, the border
// itself included, where strokes over it end and begin.
func (p *Puzzle) Bounds() image.Rectangle {
	return image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1)
}

// Shape tells which cells are neighbours, and whether opposite borders are
// joined.
func (p *Puzzle) Shape() (s Shape, torus bool) { return p.shape, p.torus }

// Hole tells whether a cell is no part of the board.
func (p *Puzzle) Hole(c image.Point) bool { return p.hole[c.Y*p.cols+c.X] }

// Bridge tells whether two paths cross on a cell.
func (p *Puzzle) Bridge(c image.Point) bool { return p.bridge[c.Y*p.cols+c.X] }

// Walls lists the pairs of neighbouring cells with no way between them.
func (p *Puzzle) Walls() [][2]image.Point { return p.points(p.walls) }

// Joins lists the pairs of cells that are neighbours in addition to what the
// shape says.
func (p *Puzzle) Joins() [][2]image.Point { return p.points(p.joins) }

// Centre is the middle of a cell in half-cells. Odd columns of a hexagonal
// board stand half a cell higher.
func (p *Puzzle) Centre(c image.Point) image.Point { return p.centre(c.Y*p.cols + c.X) }

// CellAt is the cell that has its centre at a half-cell, if one has.
func (p *Puzzle) CellAt(at image.Point) (c image.Point, ok bool) {
	i := p.cellAt(at)
	return image.Pt(i%p.cols, i/p.cols), i >= 0
}

// Features lists what the board has beside cells of a square board, all to be
// filled.
func (p *Puzzle) Features() []string {
	has := map[string]bool{
		"hexagons":   p.shape == Hex,
		"graph":      p.shape == Loose,
		"torus":      p.torus,
		"holes":      slices.Contains(p.hole, true),
		"bridges":    slices.Contains(p.bridge, true),
		"walls":      len(p.walls) > 0,
		"warps":      len(p.joins) > 0 && p.shape != Loose,
		"numberlink": p.any,
		"no-touch":   p.noTouch,
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(has))
}

// ParseRules reads demands on a board, separated by commas: a name, flowfree
// (every cell is filled, paths may touch themselves) or numberlink (cells may
// stay empty), which sets all of them, or the options any and notouch with =on or
// =off, which leave the other as the board has it.
func ParseRules(rules string) (func(Options) Options, error) {
	var steps []func(*Options)
	for i, word := range strings.Split(rules, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(word), "=")
		on := value == "on"
		switch {
		case !given && i == 0 && name == "flowfree":
			steps = append(steps, func(o *Options) { *o = Options{} })
		case !given && i == 0 && name == "numberlink":
			steps = append(steps, func(o *Options) { *o = Options{Any: true} })
		case given && !on && value != "off":
			return nil, fmt.Errorf("flow: got %q, want %s=on or %s=off", word, name, name)
		case given && name == "any":
			steps = append(steps, func(o *Options) { o.Any = on })
		case given && name == "notouch":
			steps = append(steps, func(o *Options) { o.NoTouch = on })
		default:
			return nil, fmt.Errorf("flow: got %q, want flowfree or numberlink first, or any or notouch with =on or =off", word)
		}
	}
	return func(o Options) Options {
		for _, step := range steps {
			step(&o)
		}
		return o
	}, nil
}

// RuleOptions lists the options of ParseRules.
func RuleOptions() []solve.Rule {
	return []solve.Rule{
		{Name: "any", Doc: "cells may stay empty (on in numberlink, off in flowfree)"},
		{Name: "notouch", Doc: "no path passes two neighbouring cells without going from one to the other (off in both)"},
	}
}

// CountGroups counts the answers in which no path touches itself: by those
// Flow Free's boards have one answer.
func (p *Puzzle) CountGroups(ctx context.Context, limit int) (n int, what string, err error) {
	o := p.Options()
	o.NoTouch = true
	n, err = p.With(o).Count(ctx, limit)
	return n, "without a path that touches itself", err
}
