package witnesstest

import (
	"context"
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
)

// BruteForce yields every answer of a panel, by walking every path and asking
// Check. It prunes only what a walk itself cannot do.
func BruteForce(table rules.Table, p *board.Panel) func(yield func(solve.Solution) bool) {
	return func(yield func(solve.Solution) bool) {
		for at := range p.Points() {
			if s := p.At(at); s.Start && s.Gap == board.Whole && !walkOn(table, p, solve.Stroke{at}, map[image.Point]bool{at: true}, yield) {
				return
			}
		}
	}
}

// walkOn goes on with a stroke that has reached a half-cell; x is not wrapped.
func walkOn(table rules.Table, p *board.Panel, stroke solve.Stroke, seen map[image.Point]bool, yield func(solve.Solution) bool) bool {
	at := stroke[len(stroke)-1]
	if s := p.At(at); s.IsEnd() {
		answer := solve.Solution{append(append(solve.Stroke(nil), stroke...), at.Add(s.Cap))}
		if table.Check(context.Background(), p, answer) == nil && !yield(answer) {
			return false
		}
	}
	if board.IsEdge(at) && len(stroke) > 1 {
		return true
	}
	for _, d := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		half := at.Add(d)
		spot := p.At(half)
		if spot == nil || board.IsCell(half) || spot.Gap != board.Whole || seen[p.Wrap(half)] {
			continue
		}
		seen[p.Wrap(half)] = true
		if board.IsNode(at) && spot.IsEnd() { // stop on the middle of the edge
			answer := solve.Solution{append(append(solve.Stroke(nil), stroke...), half, half.Add(spot.Cap))}
			if table.Check(context.Background(), p, answer) == nil && !yield(answer) {
				return false
			}
		}
		next := half
		if board.IsNode(at) {
			next = half.Add(d)
		}
		if node := p.At(next); node != nil && node.Gap == board.Whole && (next == half || !seen[p.Wrap(next)]) {
			seen[p.Wrap(next)] = true
			if !walkOn(table, p, append(stroke, next), seen, yield) {
				return false
			}
			delete(seen, p.Wrap(next))
		}
		delete(seen, p.Wrap(half))
	}
	return true
}

// BruteCount counts a panel's answers, up to a limit.
func BruteCount(p *board.Panel, limit int) int {
	n := 0
	for range BruteForce(rules.Rows(), p) {
		if n++; n == limit {
			break
		}
	}
	return n
}

func Parsed(t testing.TB, text string) *board.Panel {
	t.Helper()
	p, err := forms.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return p
}
