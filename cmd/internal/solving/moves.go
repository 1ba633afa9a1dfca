package solving

import (
	"context"
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
)

// A walk is a line as moves tell it: from where, "" where that is not said, and each move's
// direction and length in half-cells.
type walk struct {
	from  string
	moves []move
}

type move struct {
	way  image.Point
	half int
}

var (
	letters = regexp.MustCompile(`^[UDLRudlr]+$`)
	aMove   = regexp.MustCompile(`^(?:out )?(up|down|left|right)(?:-(left|right))?(?: (\d*)(½?))?$`)
)

// ways are the directions by their words and their letters.
func ways() map[string]image.Point {
	return map[string]image.Point{
		"up": {Y: -1}, "down": {Y: 1}, "left": {X: -1}, "right": {X: 1}, "": {},
		"U": {Y: -1}, "D": {Y: 1}, "L": {X: -1}, "R": {X: 1},
	}
}

// readMoves reads lines as solve prints them ("from corner column 1 row 3: right 1, up 2, out up")
// or as letters (RUU), one a line of text; false where it is no such thing.
func readMoves(text string) (all []walk, ok bool) {
	for line := range strings.Lines(strings.TrimSpace(text)) {
		w, words := walk{}, strings.TrimSpace(line)
		if from, rest, told := strings.Cut(words, ":"); told {
			w.from, words = strings.TrimPrefix(from, "from "), strings.TrimSpace(rest)
		}
		if letters.MatchString(words) {
			for _, c := range strings.ToUpper(words) {
				w.moves = append(w.moves, move{ways()[string(c)], 2})
			}
			all = append(all, w)
			continue
		}
		for _, word := range strings.Split(words, ",") {
			m := aMove.FindStringSubmatch(strings.TrimSpace(word))
			if m == nil {
				return nil, false
			}
			one := move{ways()[m[1]].Add(ways()[m[2]]), 2}
			if strings.HasPrefix(m[0], "out ") {
				one.half = 1
			} else if m[3]+m[4] != "" {
				n := 0
				_, _ = fmt.Sscan(m[3], &n) // "" is 0
				if one.half = 2 * n; m[4] != "" {
					one.half++
				}
			}
			w.moves = append(w.moves, one)
		}
		all = append(all, w)
	}
	return all, len(all) > 0
}

// most is how far a line is followed, in half-cells.
const most = 10000

// strokes are the lines that a walk may be on a board: from each start, and where it stops at an
// end, to that.
func (w *walk) strokes(l *solve.Lattice) (all []solve.Stroke) {
	caps := map[image.Point]image.Point{}
	for _, s := range l.Spots {
		caps[s.At.Add(l.Origin)] = s.Cap
	}
	for _, s := range l.Spots {
		at := s.At.Add(l.Origin)
		if !s.Start || w.from != "" && w.from != solve.PlaceName(at) {
			continue
		}
		line := solve.Stroke{at}
		for _, m := range w.moves {
			for left := min(m.half, most); left > 0; {
				step := min(left, 2)
				if (at.X*m.way.X+at.Y*m.way.Y)%2 != 0 {
					step = 1 // a start amid an edge
				}
				at = at.Add(m.way.Mul(step))
				line, left = append(line, at), left-step
			}
		}
		if way := caps[at]; way != (image.Point{}) {
			all = append(all, append(append(solve.Stroke{}, line...), at.Add(way)))
		}
		all = append(all, line)
	}
	return all
}

// judgeMoves holds what moves tell against a puzzle. begun: it is no answer, and one begins so.
func judgeMoves(ctx context.Context, g *see.Game, p solve.Puzzle, walks []walk) (begun bool, err error) {
	var hand *solve.Hand
	if g.Hand != nil {
		hand = g.Hand(p)
	}
	if hand == nil || hand.Lattice == nil || !hand.Lattice.Tip {
		return false, errors.New("moves tell lines from a start to an end alone: name the strokes as JSON")
	}
	all := []solve.Solution{nil}
	for _, w := range walks {
		var more []solve.Solution
		for _, one := range all {
			for _, s := range w.strokes(hand.Lattice) {
				more = append(more, append(append(solve.Solution{}, one...), s))
			}
		}
		all = more
	}
	if len(all) == 0 {
		return false, errors.New("no start of the board is where the moves begin")
	}
	for _, s := range all {
		wrong := answer.Judge(ctx, p, s)
		if wrong == nil {
			return false, nil
		}
		if err == nil {
			err = wrong
		}
	}
	return begins(ctx, p, all), err
}

// begunTime is how long answers are looked through for one that begins as a line does.
const begunTime = 10 * time.Second

// begins tells whether an answer begins as one of some does.
func begins(ctx context.Context, p solve.Puzzle, all []solve.Solution) bool {
	lists, ok := p.(solve.Enumerator)
	if !ok {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, begunTime)
	defer cancel()
	for found, err := range lists.All(ctx) {
		if err != nil {
			return false
		}
		for _, s := range all {
			if isBegun(s, found) {
				return true
			}
		}
	}
	return false
}

// isBegun tells whether each stroke of one is the beginning of one of another.
func isBegun(s, of solve.Solution) bool {
	for _, stroke := range s {
		has := false
		for _, whole := range of {
			has = has || len(whole) >= len(stroke) && slices.Equal(whole[:len(stroke)], stroke)
		}
		if !has {
			return false
		}
	}
	return true
}
