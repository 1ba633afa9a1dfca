package witness

import (
	"cmp"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/grid/form"
	"onlooker/vision/locate"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A sketch is a panel whose outline is known and which no look reads, on its way.
type sketch struct {
	*look.Model
	reader *learned.Reader
	*form.Draft
	panel *witness.Panel
}

// Draft guesses what a panel shows that lies in an outline: by the first look that reads it,
// and else by its structure, whatever is doubtful. The panel's puzzle is left to the caller.
func Draft(s *form.Sheet, looks []*calibrations.Profile, more ...witness.Kind) (*witness.Panel, *form.Draft, error) {
	b, err := locate.At(s.Scene.Frame, s.Quad, s.Cols, s.Rows)
	if err != nil {
		return nil, nil, err
	}
	structure := look.Structure(looks[0])
	for _, l := range append(slices.Clone(looks), structure) {
		if p, err := Read(l, drawing.FormsOf(l, more...), b); err == nil {
			return p, &form.Draft{}, nil
		}
	}
	m := look.New(b, structure, drawing.FormsOf(looks[0], more...))
	k := &sketch{m, learned.NewReader(m), &form.Draft{Doubts: map[image.Point]float64{}, Guesses: map[image.Point][]solve.Edit{}}, witness.New(s.Cols, s.Rows, false)}
	k.nodes()
	k.edges()
	k.ends()
	k.cells()
	if k.panel.Symmetry = witness.SymmetryOf(k.panel); k.panel.Symmetry == witness.NoSymmetry {
		for at := range k.panel.Points() { // there is one line only
			k.panel.At(at).Dot.Line = witness.AnyLine
		}
	}
	return k.panel, k.Draft, nil
}

// doubts notes how sure a place was told, 0.5 to 1.
func (k *sketch) doubts(at image.Point, sure float64) {
	k.Doubts[at] = max(k.Doubts[at], 2-2*sure)
}

// likeliest is the place with the most of something that no place clearly has.
func (k *sketch) likeliest(most func(at image.Point) float64) (best image.Point) {
	is := math.Inf(-1)
	for at := range k.panel.Points() {
		if v := most(at); witness.IsNode(at) && v > is {
			best, is = at, v
		}
	}
	k.Doubts[best] = 1
	return best
}

// nodes finds start circles and dots on nodes.
func (k *sketch) nodes() {
	starts := 0
	start := func(at image.Point) {
		starts++
		k.panel.At(at).Start = true
		k.Lines.Radius[at] = k.Lines.Cover(at, true)
	}
	for at := range k.panel.Points() {
		if !witness.IsNode(at) {
			continue
		}
		is, sure := k.Is(look.DivideStart, k.Lines.StartReach(at))
		k.doubts(at, sure)
		if is {
			start(at)
			continue
		}
		is, sure = k.Is(look.DivideDot, k.Lines.DotCore(at).Dist(k.Lines.LineInk(at))/k.Contrast())
		k.dot(at, is, sure)
	}
	if starts == 0 {
		start(k.likeliest(k.Lines.StartReach))
	}
}

func (k *sketch) dot(at image.Point, is bool, sure float64) {
	if k.doubts(at, sure); is {
		k.panel.At(at).Dot = witness.Dot{On: true}
		k.Lines.Dotted[at] = k.Lines.Cover(at, false)
	}
}

// edges tells edges that are whole from broken ones and from none.
func (k *sketch) edges() {
	for at := range k.panel.Points() {
		if !witness.IsEdge(at) {
			continue
		}
		v := k.Lines.EdgeView(at, k.Lines.Clear)
		gone, sure := k.Is(look.DivideBreak, v.Depth)
		k.doubts(at, sure)
		if !gone {
			is, sure := k.Is(look.DivideDot, v.Odd)
			k.dot(at, is, sure)
			continue
		}
		k.panel.At(at).Gap = witness.Broken
		if gap, _, open := k.reader.Gap(at, v); open == "" && gap == witness.Missing {
			k.panel.At(at).Gap = gap
		}
	}
}

// ends finds caps.
func (k *sketch) ends() {
	reach := func(at image.Point) (way image.Point, most float64) {
		most = math.Inf(-1)
		for _, v := range k.Lines.CapViews(at) {
			if v.Own() > most {
				way, most = v.Dir, v.Own()
			}
		}
		return way, most
	}
	found := 0
	for at := range k.panel.Points() {
		if q := k.panel.At(at); witness.IsCell(at) || q.Start || q.Gap != witness.Whole || witness.IsNode(at) && !k.Reached(k.panel, at) {
			continue
		}
		way, most := reach(at)
		if math.IsInf(most, -1) {
			continue
		}
		is, sure := k.Is(look.DivideCap, most)
		if k.doubts(at, sure); is {
			k.panel.At(at).Cap = way
			found++
		}
	}
	if found == 0 {
		at := k.likeliest(func(at image.Point) float64 { _, most := reach(at); return most })
		k.panel.At(at).Cap, _ = reach(at)
	}
}

// cells finds symbols, and what else each may be.
func (k *sketch) cells() {
	k.Cells.On(k.panel)
	var at []image.Point
	var inks []vision.RGB
	lists, empty := map[image.Point][]look.Candidate{}, map[image.Point]bool{}
	var known []*look.Library // in every size: that of this look is not known
	for _, times := range cell.LooseSizes() {
		known = append(known, k.Known.Resized(times, 0))
	}
	for cell := range k.panel.Points() {
		if !witness.IsCell(cell) {
			continue
		}
		v := k.Cells.CellAt(cell)
		is, sure := k.Is(look.DivideSymbol, v.Strong/k.Contrast())
		if k.doubts(cell, sure); !is && sure > view.Mostly {
			continue
		}
		k.Doubts[cell] = 1
		empty[cell] = !is
		if lists[cell] = likeliest(known, v); len(lists[cell]) > 0 {
			at, inks = append(at, cell), append(inks, v.Colour(&look.Candidate{Mask: v.Mask(), Ink: calibrations.InkDeep}))
		}
	}
	names, _, err := colour.Cluster(at, inks, colour.Bright(k.View), 0, colour.UsualSteps(), nil)
	if err != nil {
		names = slices.Repeat([]witness.Colour{witness.Black}, len(at))
	}
	for i, cell := range at {
		for n, c := range lists[cell] {
			if n == 1 { // in doubt each kind is, of a look that nobody knows
				k.Doubts[cell] = (1 + math.Exp(lists[cell][0].Misfit-c.Misfit)) / 2
			}
			s := c.Symbol
			if s.Colour = names[i]; n == 0 && !empty[cell] {
				k.panel.At(cell).Symbol = s
			}
			k.Guesses[cell] = append(k.Guesses[cell], editOf(cell, s))
		}
	}
}

// likeliest is what a cell may hold by templates in some sizes: of each kind the one most like it.
func likeliest(known []*look.Library, v *look.Cell) (all []look.Candidate) {
	for _, f := range known {
		list := f.Candidates(v, view.Tuned.Slack)
		f.Weigh(list, v)
		all = append(all, list...)
	}
	slices.SortStableFunc(all, func(a, b look.Candidate) int { return cmp.Compare(a.Misfit, b.Misfit) })
	return witness.FirstOfEach(all, func(c *look.Candidate) witness.Symbol {
		s := c.Symbol
		s.Shape = nil
		return s
	})
}

// editOf puts a symbol into a cell, as the editor of panels has it.
func editOf(cell image.Point, s witness.Symbol) solve.Edit {
	return solve.Edit{Tool: strings.ReplaceAll(s.Kind.About().Name, " ", "-"), At: []image.Point{cell}, Values: map[string]string{
		"colour": string(s.Colour), "count": strconv.Itoa(max(s.Count, s.Kind.About().Least())), "shape": forms.ShapeText(s.Shape), "turned": solve.FlagOf(s.Turnable)}}
}
