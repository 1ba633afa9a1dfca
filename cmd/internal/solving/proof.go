package solving

import (
	"bytes"
	"context"
	"fmt"
	"html"
	"image"
	"image/color"

	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/solve"
	"onlooker/vision/picture"
)

// fewClues are so many that a person can go through what is said of each.
const fewClues = 4

// writeProofs writes a page that shows why boards have no answer. Each proof is made and checked
// anew, whatever a store says.
func (o *Options) writeProofs(ctx context.Context, boards []intake.Board) error {
	if len(boards) == 0 {
		return fmt.Errorf("--proof: no board is without an answer for sure, %s is not written", o.proof)
	}
	page := proofPage{}
	page.WriteString(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>No answer</title><style>
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #111; background: #fff }
figure { display: inline-block; margin: 0 1.5em 1.5em 0; max-width: 24em; vertical-align: top } svg { max-width: 100%; height: auto }
</style></head><body>
`)
	for _, b := range boards {
		ctx, cancel := intake.Limited(ctx, o.timeout)
		err := page.board(ctx, b)
		cancel()
		if err != nil {
			return fmt.Errorf("--proof: %w, %s is not written", err, o.proof)
		}
	}
	page.WriteString("</body></html>\n")
	return cli.WriteFile(o.proof, page.Bytes())
}

// A proofPage is a page of proofs as it is written.
type proofPage struct{ bytes.Buffer }

func (w *proofPage) say(tag, format string, args ...any) {
	fmt.Fprintf(w, "<%s>%s</%s>\n", tag, html.EscapeString(fmt.Sprintf(format, args...)), tag)
}

// board adds the proof for one board.
func (w *proofPage) board(ctx context.Context, b intake.Board) error {
	prover, ok := b.Puzzle.(solve.Prover)
	if !ok {
		return fmt.Errorf("why cannot be told of %s", b.Game.Name)
	}
	proof, err := prover.Why(ctx)
	if err == nil {
		err = prover.CheckProof(ctx, proof)
	}
	var cases []solve.Case
	if r, ok := b.Puzzle.(solve.Reasoner); err == nil && ok {
		cases, err = r.Cases(ctx, proof)
	}
	if err != nil {
		return err
	}
	w.say("h1", "%s has no answer", cli.Shorten(b.Input))
	if err := w.draw(b, nil, nil, proof.Where()...); err != nil {
		return err
	}
	w.say("p", "The proof: %s.", proof.Text())
	lines := 0
	for _, c := range cases {
		lines += c.Lines
	}
	switch {
	case len(cases) == 0:
	case lines == 0:
		w.say("p", "There is no short argument: there are too many lines to go through them one by one. A search found no line that meets all of these; a second one, which shares nothing with it but the rules, found none either. Each is needed:")
	default:
		if len(cases) > fewClues {
			w.say("p", "There is no short argument: it takes %d clues.", len(cases))
		}
		w.say("p", "%d lines lead from a start to an end. Each was drawn and judged by the rules, and falls under one of these:", lines)
	}
	for i, c := range cases {
		if c.Line == nil {
			continue
		}
		w.WriteString("<figure>")
		if err := w.draw(b, c.Line, c.Regions, c.Clue); err != nil {
			return err
		}
		what := fmt.Sprintf("%s at %s", c.Called, solve.PlaceName(c.Clue))
		switch {
		case c.Lines == 0:
			w.say("figcaption", "Without %s a line meets the others, as this one.", what)
		case i == 0:
			w.say("figcaption", "%d leave %s wrong, as this one.", c.Lines, what)
		default:
			w.say("figcaption", "%d of the rest leave %s wrong, as this one.", c.Lines, what)
		}
		w.WriteString("</figure>\n")
	}
	board, err := b.Puzzle.MarshalText()
	if err != nil {
		return err
	}
	w.say("p", "The proof was checked before this page was written, by code that does not trust what found it. To check it again, keep the board that follows in a file, and run: onlooker solve --why FILE")
	w.say("pre", "%s", board)
	return nil
}

// draw adds a picture of a board, with a line and the regions that it parts, and rings about clues.
func (w *proofPage) draw(b intake.Board, line solve.Solution, regions [][]image.Point, clues ...image.Point) error {
	all, err := cli.Shapes(b.Game, b.Puzzle, line)
	if err != nil {
		return err
	}
	place := func(at image.Point) picture.Point {
		if b.Game.Place != nil {
			return b.Game.Place(b.Puzzle, at)
		}
		return picture.Point{X: float64(at.X), Y: float64(at.Y)}
	}
	for i, cells := range regions {
		tint := []color.NRGBA{{R: 255, A: 50}, {B: 255, A: 50}, {R: 255, G: 220, A: 60}, {G: 160, B: 60, A: 60}, {R: 255, B: 255, A: 50}, {G: 255, B: 255, A: 50}}[i%6]
		for _, at := range cells {
			c := place(at)
			all = append(all, picture.Shape{Kind: picture.Polygon, Colour: tint, Points: picture.Box(c.X-1, c.Y-1, c.X+1, c.Y+1)})
		}
	}
	for _, at := range clues {
		ring := picture.Shape{Kind: picture.Line, Width: 0.12, Colour: color.NRGBA{R: 230, A: 255}}
		for _, p := range picture.Box(-0.9, -0.9, 0.9, 0.9) {
			c := place(at)
			ring.Points = append(ring.Points, picture.Point{X: c.X + p.X, Y: c.Y + p.Y})
		}
		ring.Points = append(ring.Points, ring.Points[0])
		all = append(all, ring)
	}
	return picture.SVG(w, all, 26)
}
