package see

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"maps"
	"slices"

	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/form"
)

// An Outline is where a person says that a board lies, and of which family and size it is.
type Outline struct {
	Game       *Game
	Quad       [4]vision.Point
	Cols, Rows int
}

// A Draft is a board as far as what it shows is read or guessed.
type Draft struct {
	Outline
	Board  *vision.Board
	Sheet  *form.Sheet
	Puzzle solve.Puzzle
	// Rings are the places that are in doubt, the most doubtful first.
	Rings []Ring
	Why   error // why it is not read though its outline is known; nil: it is
}

// A Ring is a place in doubt.
type Ring struct {
	At      image.Point
	Alike   []image.Point // those that look like it, itself among them
	Guesses []Guess       // what may stand there
}

// A Guess is what may stand in a place: what a tool puts there, and how the place is described
// then.
type Guess struct {
	solve.Edit
	Says string
}

// ringed is the doubt from which a place is ringed, of 1 for a toss.
const ringed = 0.5

// Draft looks at a board of which a person said where it lies.
func (e *Eye) Draft(frame image.Image, o Outline) (*Draft, error) {
	return vision.Guarded(func() (*Draft, error) {
		blank, err := o.Game.Editor.Blank(o.Cols, o.Rows)
		if err != nil {
			return nil, err
		}
		scene := grid.NewScene(frame)
		scene.Ended = e.over
		g, err := scene.Only(o.Quad, o.Cols, o.Rows)
		if err != nil {
			return nil, err
		}
		if g.Hex {
			editor := o.Game.Editor
			if blank, err = editor.Do(blank, solve.Edit{Tool: editor.Tools(blank)[0].Name, Values: map[string]string{"shape": "hex"}}); err != nil {
				return nil, err
			}
		}
		d := &Draft{Outline: o, Sheet: form.NewSheet(g, o.Quad, o.Game.Editor.Places(blank))}
		if d.Board, err = vision.Placed(frame.Bounds().Size(), o.Cols, o.Rows, o.Quad); err != nil {
			return nil, err
		}
		if d.Puzzle, d.Why = e.known(scene, o); d.Why == nil {
			return d, nil
		}
		guessed := &form.Draft{}
		if o.Game.Draft != nil {
			guessed, err = o.Game.Draft(d.Sheet, e.profiles(o.Game))
		}
		if err != nil || guessed.Puzzle == nil {
			guessed = d.byGroups(blank)
		}
		if d.Puzzle = guessed.Puzzle; guessed.Doubts == nil {
			d.Why = nil
		}
		d.ring(blank, guessed)
		return d, nil
	})
}

// known reads a board of cells of which all is known but what stands in them.
func (e *Eye) known(scene *grid.Scene, o Outline) (solve.Puzzle, error) {
	why := errors.New("not read yet")
	if o.Game.Scan == nil {
		return nil, why
	}
	for _, contrast := range grid.Contrasts() {
		for _, r := range o.Game.Scan(scene, contrast, e.profiles(o.Game)) {
			if r.Err == nil && r.Board.Cols == o.Cols && r.Board.Rows == o.Rows {
				return r.Puzzle, nil
			}
			why = cmp.Or(r.Err, why)
		}
	}
	return nil, why
}

// byGroups takes the places that are most for bare, and gives the others what tools put there,
// one a group: the largest has the first.
func (d *Draft) byGroups(blank solve.Puzzle) *form.Draft {
	out := &form.Draft{Puzzle: blank, Doubts: map[image.Point]float64{}}
	rank := map[int]int{} // of groups, which are numbered from the largest of a kind on
	for _, p := range d.Sheet.Places {
		if !p.Common {
			rank[p.Group] = 0
		}
	}
	for k, g := range slices.Sorted(maps.Keys(rank)) {
		rank[g] = k
	}
	for _, p := range d.Sheet.Places {
		if p.Common {
			continue
		}
		out.Doubts[p.At] = 1
		if k := rank[p.Group]; k < len(d.Game.Tries) {
			if q, err := d.Game.Editor.Do(out.Puzzle, solve.Edit{Tool: d.Game.Tries[k], At: []image.Point{p.At}}); err == nil {
				out.Puzzle = q
			}
		}
	}
	return out
}

// ring rings what is in doubt: of places that look alike, and are taken for one thing, the most
// doubtful one.
func (d *Draft) ring(blank solve.Puzzle, guessed *form.Draft) {
	says := map[image.Point]string{}
	for _, p := range d.Game.Editor.Places(d.Puzzle) {
		says[p.At] = p.Says
	}
	type same struct {
		group int
		says  string
	}
	alike := map[same][]image.Point{}
	var order []same
	for _, p := range d.Sheet.Places {
		k := same{p.Group, says[p.At]}
		if alike[k] == nil {
			order = append(order, k)
		}
		alike[k] = append(alike[k], p.At)
	}
	doubt := func(a, b image.Point) int { return cmp.Compare(guessed.Doubts[a], guessed.Doubts[b]) }
	for _, k := range order {
		if at := slices.MaxFunc(alike[k], doubt); guessed.Doubts[at] >= ringed {
			d.Rings = append(d.Rings, Ring{at, alike[k], d.guesses(blank, at, guessed.Guesses[at])})
		}
	}
	slices.SortStableFunc(d.Rings, func(a, b Ring) int { return doubt(b.At, a.At) })
}

// guesses are what may stand in a place: nothing, what is given, and what the tools put there
// that take one place.
func (d *Draft) guesses(blank solve.Puzzle, at image.Point, first []solve.Edit) (all []Guess) {
	editor := d.Game.Editor
	place := func(p solve.Puzzle) solve.Place {
		list := editor.Places(p)
		return list[slices.IndexFunc(list, func(o solve.Place) bool { return o.At == at })]
	}
	var tools []solve.Tool
	for _, t := range editor.Tools(blank) {
		if t.Takes == 1 && slices.Contains(t.On, place(blank).Kind) {
			tools = append(tools, t)
		}
	}
	if len(tools) == 0 {
		return nil
	}
	usual, nothing := place(blank).Says, solve.Edit{Tool: tools[0].Name, At: []image.Point{at}}
	if k := clearing(tools); k >= 0 {
		nothing.Tool, tools = tools[k].Name, slices.Delete(tools, k, k+1)
		if p, err := editor.Do(blank, nothing); err == nil {
			blank = p
		}
	}
	add := func(g Guess) {
		if !slices.ContainsFunc(all, func(o Guess) bool { return o.Says == g.Says }) {
			all = append(all, g)
		}
	}
	if d.Game.Tries == nil || usual == place(blank).Says {
		add(Guess{nothing, place(blank).Says})
	}
	edits := slices.Clone(first)
	for _, t := range tools {
		if d.Game.Tries == nil || slices.Contains(d.Game.Tries, t.Name) {
			edits = append(edits, solve.Edit{Tool: t.Name, At: nothing.At, Values: d.tinted(t, at)})
		}
	}
	for _, e := range edits {
		p := blank
		for range 2 { // a tool used again may put another thing there
			var err error
			if p, err = editor.Do(p, e); err != nil {
				break
			}
			add(Guess{e, place(p).Says})
		}
	}
	return all
}

// tinted are the values of a tool's fields of colours: what is seen in a place.
func (d *Draft) tinted(t solve.Tool, at image.Point) map[string]string {
	values := map[string]string{}
	for _, f := range t.Fields {
		if k := d.Sheet.Number(at); f.Kind == solve.Colour && k >= 0 {
			c := d.Sheet.Places[k].Colour
			values[f.Name] = fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
		}
	}
	return values
}

// clearing is which of some tools takes away what stands in a place; -1: none does.
func clearing(tools []solve.Tool) int {
	return slices.IndexFunc(tools, func(t solve.Tool) bool { return t.Name == "clear" })
}

// Put makes places what a guess says of them, and leaves those that are.
func Put(editor *solve.Editor, p solve.Puzzle, g Guess) (solve.Puzzle, error) {
	tools := editor.Tools(p)
	clear := clearing(tools)
	for _, at := range g.At {
		for try := range 3 {
			list := editor.Places(p)
			k := slices.IndexFunc(list, func(o solve.Place) bool { return o.At == at })
			if k < 0 || list[k].Says == g.Says {
				break
			}
			e := solve.Edit{Tool: g.Tool, At: []image.Point{at}, Values: g.Values}
			if try == 0 && list[k].Says != "" && clear >= 0 {
				e = solve.Edit{Tool: tools[clear].Name, At: e.At}
			}
			var err error
			if p, err = editor.Do(p, e); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// leastOfBox is how much of a box that somebody draws round a board it fills at least.
const leastOfBox = 0.4

// Found is an outline moved to the board of its family that is seen in it, with its columns and
// rows; of five by five cells where none is.
func (e *Eye) Found(frame *image.RGBA, o Outline) Outline {
	box := frame.Rect
	var in image.Rectangle
	for _, q := range o.Quad {
		in = in.Union(image.Rect(int(q.X), int(q.Y), int(q.X)+1, int(q.Y)+1))
	}
	if in = in.Intersect(box); in.Empty() {
		return o
	}
	part := image.NewRGBA(image.Rectangle{Max: in.Size()})
	draw.Draw(part, part.Rect, frame, in.Min, draw.Src)
	o.Cols, o.Rows = 5, 5
	most := 0.0
	least := leastOfBox * float64(in.Dx()*in.Dy())
	if in == box {
		least /= 10 // nobody drew it
	}
	take := func(cols, rows int, quad [4]vision.Point) {
		area := (quad[1].X - quad[0].X) * (quad[3].Y - quad[0].Y)
		if area <= most || area < least {
			return
		}
		for i := range quad {
			quad[i].X, quad[i].Y = quad[i].X+float64(in.Min.X), quad[i].Y+float64(in.Min.Y)
		}
		most, o.Cols, o.Rows, o.Quad = area, cols, rows, quad
	}
	if o.Game.Scan == nil {
		for _, p := range e.profiles(o.Game) {
			if boards, err := e.newFrame(part, nil, Millis{}).locate(p); err == nil {
				for _, b := range boards {
					take(b.Cols, b.Rows, b.Quad)
				}
			}
		}
		return o
	}
	scene := grid.NewScene(part)
	for _, contrast := range grid.Contrasts() {
		for _, g := range append(slices.Clone(scene.Grids(contrast)), slices.Concat(scene.DiscGrids(contrast), scene.HexGrids(contrast))...) {
			take(g.Cols, g.Rows, g.Quad())
		}
	}
	return o
}
