package witness

import (
	"fmt"
	"image"
	"strings"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Hexagon is the kind of all dots: a line covers each.
var Hexagon = Kind{hexagon{}}

type hexagon struct{ plainKind }

func (hexagon) about() about {
	return about{
		name: "dot", called: "a dot", shape: "hexagon",
		rule:   solve.Rule{Name: "dot", Doc: "Every dot is covered, a coloured one by its own line."},
		broken: "a dot that no line covers",
		onLine: true, alone: true, windmill: 6,
	}
}

// wrong are the dots that no line covers: own are no others.
func (hexagon) wrong(_ *view, own []image.Point) []image.Point { return own }

// colouredDots says where a line covers a dot of the other line, which no
// eraser mends.
func (l *play) colouredDots() *solve.RuleError {
	for at := range l.crossed {
		return broken("coloured-dot", at, "covered by the other line than its own")
	}
	return nil
}

// crossed yields the dots of one line that the other covers. A panel without
// symmetry has one line, to which all dots belong.
func (l *play) crossed(yield func(image.Point) bool) {
	if !l.p.Rules.ColouredDots || l.p.Symmetry == NoSymmetry {
		return
	}
	for at := range l.p.Points() {
		dot, i := l.p.At(at).Dot, l.index(at)
		if dot.On && (dot.Line == OwnLine && l.other[i] || dot.Line == OtherLine && l.own[i]) && !yield(at) {
			return
		}
	}
}

// stateDots adds: every dot that is not erased is covered, a coloured one by its
// own line.
func (m *model) stateDots() {
	l, s := m.l, m.s
	for i := range m.marks {
		mk := &m.marks[i]
		m.clause(mk.cover, mk.gone)
		d := m.p.At(mk.at).Dot
		if mk.cover == none || m.p.Symmetry == NoSymmetry || !m.p.Rules.ColouredDots || d.Line == AnyLine {
			continue
		}
		var lit path.Lit
		if IsNode(mk.at) || l.vertex[l.index(mk.at)] >= 0 {
			lit = l.onSheet(mk.at)
		} else {
			for _, w := range dirs {
				// A shared start is on both lines and tells nothing.
				if q := mk.at.Add(w); m.p.In(q) && IsNode(q) && !l.shared(q) {
					lit = l.onSheet(q)
					break
				}
			}
		}
		if d.Line == OtherLine {
			lit = lit.Not()
		}
		s.AddClause(mk.cover.Not(), lit)
	}
	// A coloured dot outside the cells is never missed, but still not for the
	// other line; such a dot lies on a missing edge, which no line crosses.
}

func (hexagon) mix(o *GenerateOptions, d draw) bool {
	o.Dots, o.Cuts = d.some(d.area/2+1), d.some(d.area)
	return true
}

// deal puts dots on what a line covers.
func (hexagon) deal(g *generator) error {
	var places []image.Point
	for at := range g.p.Points() {
		if s := g.p.At(at); !IsCell(at) && g.line.covered(at) && !s.Start && !s.IsEnd() {
			places = append(places, at)
		}
	}
	if len(places) < g.o.Dots {
		return errNoRoom
	}
	g.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, at := range places[:g.o.Dots] {
		dot := Dot{On: true}
		if g.o.ColouredDots && g.o.Symmetry != NoSymmetry && g.rng.IntN(3) > 0 {
			dot.Line, dot.Colour = OwnLine, Cyan
			if g.line.other[g.line.index(at)] {
				dot.Line, dot.Colour = OtherLine, Orange
			}
		}
		g.p.At(at).Dot = dot
	}
	return nil
}

// describe is the dot in the text form.
func (d Dot) describe() string {
	var words []string
	if d.Line != AnyLine {
		words = append(words, [...]string{"", "own", "other"}[d.Line])
	}
	if d.Invisible {
		words = append(words, "invisible")
	}
	if d.Colour != "" {
		words = append(words, string(d.Colour))
	}
	return strings.Join(append(words, "dot"), " ")
}

// parseDot reads the words before "dot".
func parseDot(words []string) (Dot, error) {
	d := Dot{On: true}
	if len(words) > 0 && (words[0] == "own" || words[0] == "other") {
		d.Line = OwnLine
		if words[0] == "other" {
			d.Line = OtherLine
		}
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "invisible" {
		d.Invisible = true
		words = words[1:]
	}
	if len(words) > 0 && goodColour(Colour(words[0])) {
		d.Colour = Colour(words[0])
		words = words[1:]
	}
	if len(words) > 0 {
		return d, fmt.Errorf("%q in a dot, want [own|other] [invisible] [colour] dot", words[0])
	}
	return d, nil
}

// siteDots are the dots of witnesspuzzles.com by number; 0 is none.
func siteDots() []Dot {
	return []Dot{
		{},
		{On: true},
		{On: true, Line: OwnLine, Colour: Blue},
		{On: true, Line: OtherLine, Colour: Yellow},
		{On: true, Invisible: true},
	}
}

// siteNumber is the number of a dot there, whatever its colour.
func (d Dot) siteNumber() (int, error) {
	for i, known := range siteDots() {
		if known.On == d.On && known.Line == d.Line && known.Invisible == d.Invisible {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s cannot be written: an invisible dot is of either line", d.describe())
}
