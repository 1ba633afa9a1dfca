package web

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
)

const (
	// hintTime is how long answers are looked through for a hint.
	hintTime = 5 * time.Second
	// maxHints is how many answers are looked through: the one that is nearest
	// to what was chosen need not be the nearest of all.
	maxHints = 5000
)

// A latticeJSON is a solve.Lattice as the tracing code reads it: see board.js
// of package practice.
type latticeJSON struct {
	Cols     int         `json:"cols"`
	Rows     int         `json:"rows"`
	Pillar   bool        `json:"pillar,omitempty"`
	Symmetry string      `json:"symmetry,omitempty"`
	Spots    []spotJSON  `json:"spots"`
	Origin   [2]int      `json:"origin"`
	Ends     [][2][2]int `json:"ends"`
	Tip      bool        `json:"tip"`
}

type spotJSON struct {
	X, Y  int
	Gap   int     `json:",omitempty"`
	Start bool    `json:",omitempty"`
	Cap   *[2]int `json:",omitempty"`
	As    *[2]int `json:",omitempty"`
}

type chooseJSON struct {
	At    [2]int       `json:"at"`
	Shown [2]float64   `json:"shown"`
	Ways  [][][][2]int `json:"ways"`
	Says  []string     `json:"says"`
}

func pair(p image.Point) [2]int { return [2]int{p.X, p.Y} }

// about wraps what is asked about a puzzle, and of what was entered of an answer to it.
func (s families) about(f func(ctx context.Context, g *see.Game, p solve.Puzzle, entered solve.Solution) (any, error)) func(context.Context, *request) (any, error) {
	return func(ctx context.Context, a *request) (any, error) {
		g, p, err := s.puzzle(ctx, a)
		if err != nil {
			return nil, err
		}
		entered, err := solve.FromPairs(a.Stroke)
		if err != nil {
			return nil, err
		}
		return f(ctx, g, p, entered)
	}
}

// play answers with how a puzzle is entered by hand.
func (s families) play(_ context.Context, g *see.Game, p solve.Puzzle, _ solve.Solution) (any, error) {
	text, err := canonical(p)
	if err != nil {
		return nil, err
	}
	shapes, err := shapesOf(g, p, nil, maxShapes)
	if err != nil {
		return nil, err
	}
	out := struct {
		Family  string       `json:"family"`
		Text    string       `json:"text"`
		SVG     string       `json:"svg"`
		Lattice *latticeJSON `json:"lattice,omitempty"`
		Choices []chooseJSON `json:"choices,omitempty"`
	}{Family: g.Name, Text: text, SVG: drawn(shapes, scale)}
	var hand *solve.Hand
	if g.Hand != nil {
		hand = g.Hand(p)
	}
	if hand == nil {
		return nil, fmt.Errorf("this %s board cannot be played by hand here", g.Name)
	}
	for _, c := range hand.Choices {
		at := place(g, p, c.At)
		j := chooseJSON{At: pair(c.At), Shown: [2]float64{at.X, at.Y}, Says: c.Says}
		for _, way := range c.Ways {
			j.Ways = append(j.Ways, way.Pairs())
		}
		out.Choices = append(out.Choices, j)
	}
	if hand.Lattice != nil {
		out.Lattice = lattice(hand.Lattice)
	}
	return out, nil
}

func lattice(l *solve.Lattice) *latticeJSON {
	j := &latticeJSON{Cols: l.Cols, Rows: l.Rows, Pillar: l.Pillar, Symmetry: l.Symmetry, Spots: []spotJSON{}, Origin: pair(l.Origin), Ends: [][2][2]int{}, Tip: l.Tip}
	for _, s := range l.Spots {
		spot := spotJSON{X: s.At.X, Y: s.At.Y, Gap: s.Gap, Start: s.Start}
		if s.Cap != (image.Point{}) {
			spot.Cap = &[2]int{s.Cap.X, s.Cap.Y}
		}
		if s.As != nil {
			spot.As = &[2]int{s.As.X, s.As.Y}
		}
		j.Spots = append(j.Spots, spot)
	}
	for _, e := range l.Ends {
		j.Ends = append(j.Ends, [2][2]int{pair(e[0]), pair(e[1])})
	}
	return j
}

// A verdictJSON is what Check says, with where in the picture that is, and the
// board's picture with what was entered by choices.
type verdictJSON struct {
	OK   bool         `json:"ok"`
	Rule string       `json:"rule,omitempty"`
	Says string       `json:"says,omitempty"`
	At   [][2]float64 `json:"at,omitempty"`
	SVG  string       `json:"svg,omitempty"`
}

// check plays an answer that was entered by hand. A line may have been drawn
// from its other end.
func (s families) check(ctx context.Context, g *see.Game, p solve.Puzzle, given solve.Solution) (any, error) {
	v := judged(ctx, g, p, given)
	if offered(g, p, given) {
		v.SVG = svg(g, p, given)
	}
	return v, ctx.Err()
}

// judged is what Check says of an answer, from either end, and all places that
// are wrong in it where the puzzle can tell.
func judged(ctx context.Context, g *see.Game, p solve.Puzzle, given solve.Solution) verdictJSON {
	err := answer.Judge(ctx, p, given)
	if err != nil && len(given) == 1 {
		back := slices.Clone(given[0])
		slices.Reverse(back)
		if answer.Judge(ctx, p, solve.Solution{back}) == nil {
			err = nil
		}
	}
	var broken *solve.RuleError
	switch {
	case err == nil:
		return verdictJSON{OK: true}
	case errors.As(err, &broken):
		v := verdictJSON{Rule: broken.Rule, Says: broken.Got, At: places(g, p, []image.Point{broken.At})}
		if all, ok := p.(solve.Faulter); ok {
			var at []image.Point
			for _, fault := range all.Faults(ctx, given) {
				at = append(at, fault.At)
			}
			v.At = places(g, p, at)
		}
		return v
	}
	return verdictJSON{Says: err.Error()}
}

// offered tells whether all strokes are among the choices of a puzzle: those
// can be drawn before they are an answer.
func offered(g *see.Game, p solve.Puzzle, answer solve.Solution) bool {
	if g.Hand == nil || !drawable(p, maxShapes) {
		return false
	}
	hand := g.Hand(p)
	if hand == nil || hand.Lattice != nil {
		return false
	}
	for _, stroke := range answer {
		if !slices.ContainsFunc(hand.Choices, func(c solve.ChoicePlace) bool {
			return slices.ContainsFunc(c.Ways, func(way solve.Solution) bool {
				return slices.ContainsFunc(way, func(s solve.Stroke) bool { return slices.Equal(s, stroke) })
			})
		}) {
			return false
		}
	}
	return true
}

// A hintJSON is an answer that agrees as far as possible with what was entered.
type hintJSON struct {
	Strokes [][][2]int `json:"strokes"`
	// Wrong says that no answer goes on from there: the last point, or some
	// choice, must be taken back.
	Wrong bool `json:"wrong"`
	// Sure is false where not all answers were looked through.
	Sure bool `json:"sure"`
}

// hint looks for an answer that goes on from what was entered: of which it is
// the beginning, stroke by stroke, or else the one that agrees in most strokes.
func (s families) hint(ctx context.Context, g *see.Game, p solve.Puzzle, entered solve.Solution) (any, error) {
	all, ok := p.(solve.Enumerator)
	if !ok {
		return nil, fmt.Errorf("%s does not list its answers", g.Name)
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	out := hintJSON{Wrong: true, Sure: true}
	best, n := -1, 0
	for found, err := range all.All(ctx) {
		if err != nil {
			if n == 0 {
				return nil, fmt.Errorf("no answer was found in %v: %w", hintTime, err)
			}
			out.Sure = false
			break
		}
		agreed, whole := agreement(entered, found)
		if agreed > best {
			best, out.Strokes, out.Wrong = agreed, found.Pairs(), !whole
		}
		if n++; whole || n == maxHints {
			out.Sure = whole
			break
		}
	}
	if n == 0 {
		return nil, solve.ErrUnsolvable
	}
	return out, nil
}

// agreement counts the points of what was entered that an answer has in the
// same place of one of its strokes, drawn from either end, and tells whether
// those are all.
func agreement(entered, answer solve.Solution) (points int, whole bool) {
	whole = true
	for _, e := range entered {
		most := 0
		for _, s := range answer {
			back := slices.Clone(s)
			slices.Reverse(back)
			for _, way := range []solve.Stroke{s, back} {
				n := 0
				for n < len(e) && n < len(way) && e[n] == way[n] {
					n++
				}
				most = max(most, n)
			}
		}
		points += most
		whole = whole && most == len(e)
	}
	return points, whole
}
