package solving

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// A walk is a line as moves tell it: from where, "" where that is not said, and each move's
// direction and length in half-cells.
type walk struct {
	from  string
	moves []move
}

type move struct {
	way  image.Point
	half int // 0: to the next node
}

var (
	letters   = regexp.MustCompile(`^[udlr]+$`)
	fromPlace = regexp.MustCompile(`(?m)^(?:\w+ )?from .*: .*$`) // a line of moves as solve prints it
	flip      = regexp.MustCompile(`(?m)^flip column (\d+) row (\d+)\r?$`)
	aMove     = regexp.MustCompile(`^(?:out )?((?:up|down)-(?:left|right)|up|down|left|right)(?: ([1-9]\d*)?(½)?)?$`)
)

// ways are the directions by their words, as solve.WayName has them, and the straight ones by
// their first letters.
func ways() map[string]image.Point {
	all := map[string]image.Point{}
	for i := range 9 {
		way := image.Pt(i%3-1, i/3-1)
		name := solve.WayName(way)
		if all[name] = way; way.X == 0 != (way.Y == 0) {
			all[name[:1]] = way
		}
	}
	return all
}

// readMoves reads lines as solve prints them ("from corner column 1 row 3: right 1, up 2, out up")
// or as letters (RUU), one a line of text; false where it is no such thing.
func readMoves(text string) (all []walk, ok bool) {
	ways := ways()
	for line := range strings.Lines(strings.ToLower(strings.TrimSpace(text))) {
		w, words := walk{}, strings.TrimSpace(line)
		if from, rest, told := strings.Cut(words, ":"); told {
			names := strings.Split(" "+from, " from ") // of a pair, too
			w.from, words = strings.TrimSpace(names[len(names)-1]), strings.TrimSpace(rest)
		}
		if letters.MatchString(words) {
			for _, c := range words {
				w.moves = append(w.moves, move{way: ways[string(c)]})
			}
			all = append(all, w)
			continue
		}
		for _, word := range strings.Split(words, ",") {
			m := aMove.FindStringSubmatch(strings.TrimSpace(word))
			if m == nil {
				return nil, false
			}
			one := move{way: ways[m[1]]}
			n, err := strconv.Atoi("0" + m[2])
			if n = min(n, most); err != nil {
				n = most
			}
			if one.half = 2 * n; m[3] != "" || strings.HasPrefix(m[0], "out ") {
				one.half++
			}
			w.moves = append(w.moves, one)
		}
		all = append(all, w)
	}
	return all, len(all) > 0
}

// readFlips reads the lamps whose switches solve said to flip, each or where 1 stands in rows; false where
// it said nothing of any.
func readFlips(text string) (all solve.Solution, ok bool) {
	for _, m := range flip.FindAllStringSubmatch(text, -1) {
		x, _ := strconv.Atoi(m[1])
		y, _ := strconv.Atoi(m[2])
		all = append(all, solve.Stroke{image.Pt(2*x-1, 2*y-1)})
	}
	_, rows, ok := strings.Cut(text, "flip where 1 stands")
	for y, row := range strings.Fields(rows[strings.Index(rows, "\n")+1:]) {
		if strings.Trim(row, "01") != "" {
			break
		}
		for x, sign := range row {
			if sign == '1' {
				all = append(all, solve.Stroke{image.Pt(2*x+1, 2*y+1)})
			}
		}
	}
	return all, ok || len(all) > 0
}

const (
	// most is more than any board is long, in cells.
	most = 10000
	// tries is how many lines are judged at most.
	tries = 1000
)

// A trial is what moves may tell: lines, and what is wrong with them.
type trial struct {
	lines solve.Solution
	whole bool // each ends on a way out
	wrong error
}

// length is how far the lines of a trial lead.
func (t trial) length() (n int) {
	for _, line := range t.lines {
		n += len(line)
	}
	return n
}

// A terrain is a lattice by its half-cells, those of the puzzle.
type terrain struct {
	*solve.Lattice
	spots map[image.Point]solve.Spot
	outs  map[image.Point][]image.Point // from a node
	from  []image.Point                 // where lines begin
}

func terrainOf(l *solve.Lattice) *terrain {
	t := &terrain{l, map[image.Point]solve.Spot{}, map[image.Point][]image.Point{}, nil}
	for _, s := range l.Spots {
		at := s.At.Add(l.Origin)
		t.spots[at] = s
		if s.As != nil { // what is outside is reached over it
			t.from = append(t.from, *s.As)
			t.outs[s.As.Mul(2).Sub(at)] = append(t.outs[s.As.Mul(2).Sub(at)], *s.As)
			continue
		}
		if s.Start {
			t.from = append(t.from, at)
		}
		if s.Cap != (image.Point{}) {
			t.outs[at] = append(t.outs[at], at.Add(s.Cap))
		}
	}
	for _, pair := range l.Ends {
		t.from = append(t.from, pair[0].Add(l.Origin), pair[1].Add(l.Origin))
	}
	return t
}

// step is the half-cells that a line may go on to the next node, and where it is there.
func (t *terrain) step(at image.Point, m move, left int) (size int, next image.Point) {
	p := at.Sub(t.Origin)
	if size = 2; (p.X*m.way.X+p.Y*m.way.Y)%2 != 0 || left == 1 {
		size = 1 // from or to the middle of an edge
	}
	return size, t.wrap(at.Add(m.way.Mul(size)))
}

// wrap is a half-cell as one lap of a pillar has it.
func (t *terrain) wrap(at image.Point) image.Point {
	if x, w := at.X-t.Origin.X, 2*t.Cols; t.Pillar {
		at.X += (x%w+w)%w - x
	}
	return at
}

// why is why a line cannot go on to a place; nil: it can.
func (t *terrain) why(line solve.Stroke, m move, size int, next image.Point) error {
	p := next.Sub(t.Origin)
	if p.X < 0 || p.Y < 0 || p.X > 2*t.Cols || p.Y > 2*t.Rows {
		return &solve.RuleError{Rule: "line", At: next, Got: "off the panel"}
	}
	for _, at := range []image.Point{t.wrap(line[len(line)-1].Add(m.way.Mul(size / 2))), next} {
		if t.spots[at].Gap != 0 {
			return &solve.RuleError{Rule: "gap", At: at, Got: "the line crosses what is broken or missing"}
		}
	}
	if slices.Contains(line, next) {
		return &solve.RuleError{Rule: "touch", At: next, Got: "the line comes by twice"}
	}
	return nil
}

// follow are the lines that a walk may be: from each start as far as it goes, and with the way
// out at its end.
func (w *walk) follow(t *terrain) (all []trial) {
	for _, at := range t.from {
		if w.from != "" && w.from != solve.PlaceName(at) {
			continue
		}
		line, wrong := solve.Stroke{at}, error(nil)
		for i, m := range w.moves {
			left := m.half
			if left == 0 {
				left, _ = t.step(at, m, left)
			}
			for left > 0 && wrong == nil {
				size, next := t.step(at, m, left)
				last := i == len(w.moves)-1 && left == size
				if out := at.Add(m.way); last && slices.Contains(t.outs[at], out) {
					all = append(all, trial{lines: solve.Solution{append(slices.Clone(line), out)}, whole: true})
				}
				if wrong = t.why(line, m, size, next); wrong == nil {
					line, at, left = append(line, next), next, left-size
				}
			}
		}
		if wrong == nil {
			for _, out := range t.outs[at] {
				all = append(all, trial{lines: solve.Solution{append(slices.Clone(line), out)}, whole: true})
			}
		}
		all = append(all, trial{lines: solve.Solution{line}, wrong: wrong})
	}
	return all
}

// judgeMoves holds what moves tell against a puzzle, from each start. begun: it is no answer, and
// one begins so.
func judgeMoves(ctx context.Context, g *see.Game, p solve.Puzzle, walks []walk) (begun solve.Solution, err error) {
	var hand *solve.Hand
	if g.Hand != nil {
		hand = g.Hand(p)
	}
	if hand == nil || hand.Lattice == nil {
		return nil, errors.New("moves tell lines along the edges or the cells of a board alone: name the strokes as JSON")
	}
	t := terrainOf(hand.Lattice)
	all := []trial{{whole: true}}
	for _, w := range walks {
		var more []trial
		ways := w.follow(t)
		if len(all)*len(ways) > tries {
			return nil, errors.New("too many starts: say of each line where it begins, as in from column 1 row 1: right 1")
		}
		for _, one := range all {
			for _, s := range ways {
				more = append(more, trial{slices.Concat(one.lines, s.lines), one.whole && s.whole, cmp.Or(one.wrong, s.wrong)})
			}
		}
		all = more
	}
	if len(all) == 0 {
		return nil, errors.New("no start of the board is where the moves begin")
	}
	var open []solve.Solution
	var furthest trial
	unfinished := false
	for _, one := range all {
		legal := one.wrong == nil
		if legal {
			if one.wrong = answer.Judge(ctx, p, one.lines); one.wrong == nil {
				return nil, nil
			}
			open = append(open, one.lines)
		}
		if furthest.lines == nil || one.length() > furthest.length() {
			furthest, unfinished = one, legal && !one.whole
		}
	}
	begun, sure := begins(ctx, p, open, t)
	var broken *solve.RuleError
	if begun == nil && sure && unfinished && errors.As(furthest.wrong, &broken) {
		return nil, &solve.RuleError{Rule: broken.Rule, At: broken.At, Place: broken.Place, Got: "no answer begins so"}
	}
	return begun, furthest.wrong
}

// begunTime is how long answers are looked through for one that begins as a line does.
const begunTime = 10 * time.Second

// left says what a line that is begun has not made right yet, as "3 squares still to part".
func left(ctx context.Context, p solve.Puzzle, begun solve.Solution) (words string) {
	o, ok := p.(solve.Opener)
	if !ok {
		return ""
	}
	many := map[string]int{}
	for _, e := range o.Open(ctx, begun) {
		many[e.Rule]++
	}
	for _, rule := range slices.Sorted(maps.Keys(many)) {
		words += "; " + cli.Counted(many[rule], rule) + " still to " + cmp.Or(map[string]string{"square": "part", "dot": "pass"}[rule], "put right")
	}
	return words
}

// begins gives which of some lines an answer begins with; sure: none where there is none.
func begins(ctx context.Context, p solve.Puzzle, all []solve.Solution, t *terrain) (begun solve.Solution, sure bool) {
	lists, ok := p.(solve.Enumerator)
	if !ok || len(all) == 0 {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	for found, err := range lists.All(ctx) {
		if err != nil {
			return nil, errors.Is(err, solve.ErrUnsolvable)
		}
		for _, s := range all {
			if t.begun(s, found) {
				return s, true
			}
		}
	}
	return nil, true
}

// begun tells whether each stroke of one is the beginning of one of another.
func (t *terrain) begun(s, of solve.Solution) bool {
	same := func(a, b image.Point) bool { return t.wrap(a) == t.wrap(b) }
	for _, stroke := range s {
		if !slices.ContainsFunc(of, func(whole solve.Stroke) bool {
			return len(whole) >= len(stroke) && slices.EqualFunc(whole[:len(stroke)], stroke, same)
		}) {
			return false
		}
	}
	return true
}

// drawSearch solves a board once more, and draws what is tried.
func (o *Options) drawSearch(ctx context.Context, b intake.Board) error {
	t, can := b.Puzzle.(solve.Tracer)
	if !o.trace || !can || cli.TooLarge(b.Puzzle) {
		return nil
	}
	bare, err := cli.Shapes(b.Game, b.Puzzle, nil)
	if err != nil {
		return err
	}
	whole := ctx
	ctx, cancel := intake.Limited(ctx, o.timeout)
	defer cancel()
	shown := 0
	err = cli.DrawSearch(ctx, t, func(step int, drawn solve.Solution) error {
		shapes := bare[:len(bare):len(bare)]
		for _, edge := range drawn {
			var line []picture.Point
			for _, p := range edge {
				line = append(line, picture.Point{X: float64(p.X), Y: float64(p.Y)})
			}
			shapes = append(shapes, picture.Shape{Kind: picture.Line, Points: line, Width: 0.5, Line: picture.Answer, Colour: color.NRGBA{R: 0xff, G: 0xff, B: 0xff, A: 0xff}})
		}
		var out bytes.Buffer
		if shown > 0 {
			fmt.Fprintf(&out, "\x1b[%dA\r\x1b[J", shown)
		}
		before := out.Len()
		if err := picture.Terminal(&out, shapes, cli.Colours(o.Out)); err != nil {
			return err
		}
		fmt.Fprintf(&out, "step %d\n", step)
		shown = strings.Count(out.String()[before:], "\n")
		_, err := o.Out.Write(out.Bytes())
		return err
	})
	if ctx.Err() != nil && whole.Err() == nil {
		return nil // the answer, or that there is none in time, is said next
	}
	return err
}
