package learn

import (
	"fmt"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// layStep is by how much the spacings differ that are tried first, in pitches.
const layStep = 0.02

// A grid is how a look lays out the squares of its pieces: how far apart they are, the longest
// that a piece is drawn, 0: as long as it comes, and by how much it is turned where it may be, and
// how large it is then, in shares of upright ones, 0: as large.
type grid struct{ spacing, room, tilt, turned float64 }

// A kindred is the pieces of one kind, and what their squares look like.
type kindred struct {
	form *look.PieceTemplate
	seen []look.Sample
}

// on is the kind's form on a grid.
func (k *kindred) on(g grid) *look.PieceTemplate {
	f := *k.form
	f.Spacing, f.Room, f.Tilt, f.Turned = g.spacing, g.room, g.tilt, g.turned
	return &f
}

// learnPieces learns the grid of the look's pieces, which all kinds share unless what one shows
// is clearly more like another, and their squares.
func learnPieces(p *calibrations.Profile, drawn drawing.Forms, pieces []look.Sample, outline *vision.RGB) error {
	var kinds []kindred
	for _, form := range drawn {
		k := kindred{form: &look.PieceTemplate{Symbol: witness.Symbol{Kind: form.Kind}, Loose: p.Learned.Loose, Outline: outline}}
		for _, s := range pieces {
			if s.Symbol.Kind == form.Kind {
				k.seen = append(k.seen, s)
			}
		}
		if len(k.seen) > 0 {
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 {
		return nil
	}
	at, kinds, _, err := gridOf(kinds)
	if err != nil {
		return err
	}
	for _, k := range kinds {
		own := at
		if len(kinds) > 1 && composed(k.seen) >= view.Tuned.TellingPieces {
			if own, k, err = k.ownGrid(at); err != nil {
				return err
			}
		}
		if err := k.learn(p, own); err != nil {
			return err
		}
	}
	return nil
}

// ownGrid is the kind's own grid, where it explains each of its pieces clearly better than that of
// the look, which it is otherwise.
func (k kindred) ownGrid(shared grid) (grid, kindred, error) {
	_, _, misfit, err := settled([]kindred{k}, shared, 0)
	if err != nil {
		return shared, k, err
	}
	at, own, less, err := gridOf([]kindred{k})
	if err != nil || misfit-less <= view.Tuned.Evidence {
		return shared, k, err
	}
	return at, own[0], nil
}

// learn learns the squares of a kind's pieces on a grid, upright and turnable ones apart where
// there are enough of them.
func (k *kindred) learn(p *calibrations.Profile, at grid) error {
	for _, turnable := range []bool{false, true} {
		of := slices.DeleteFunc(slices.Clone(k.seen), func(s look.Sample) bool { return s.Symbol.Turnable != turnable })
		if len(of) == 0 {
			continue
		}
		f := k.on(at)
		_, blocks, err := fit(f, k.seen, true)
		if err != nil {
			return err
		}
		if composed(of) >= view.Tuned.TellingPieces {
			blocks = slices.DeleteFunc(blocks, func(s look.Sample) bool { return s.Symbol.Turnable != turnable })
		}
		if err := learnBlock(f, blocks); err != nil {
			return err
		}
		f = as(f, of[0])
		_, turned, err := fit(f, of, true)
		if err != nil {
			return err
		}
		floor, least, err := lowest(f, turned)
		if err != nil {
			return err
		}
		number, kind := len(p.Learned.Forms)+len(p.Learned.Pieces)+1, f.Symbol.Kind.Word()
		learned := calibrations.Piece{
			Kind: kind, Turnable: turnable, Spacing: shape.Round3(f.Spacing), Room: shape.Round3(f.Room), Tilt: shape.Round3(f.Tilt), Seen: len(of), Floor: floor, Least: least, Mask: shape.GreyOf(f.Block),
			File: fmt.Sprintf("mask-%02d-%s.png", number, look.FileName(kind)),
		}
		if f.Layers.Any() {
			learned.Mask, learned.Edge = shape.GreyOf(f.Layers.Fill), shape.GreyOf(f.Layers.Edge)
			learned.EdgeFile = fmt.Sprintf("edge-%02d-%s.png", number, look.FileName(kind))
		}
		p.Learned.Pieces = append(p.Learned.Pieces, learned)
	}
	return nil
}

// gridOf finds the grid that all of some kinds' pieces are on, and their squares: roughly with
// each of the squares that are usual, then finely, with what is seen of their squares on each grid
// that is tried. Long pieces are drawn smaller where that explains what is seen clearly better, and
// turned ones in another size where that explains clearly better what is explained worst.
func gridOf(kinds []kindred) (best grid, of []kindred, least float64, err error) {
	var all []look.Sample
	for _, k := range kinds {
		all = append(all, k.seen...)
	}
	few := telling(all, 4)
	least = math.Inf(1)
	for _, block := range usualBlocks() {
		f := &look.PieceTemplate{Loose: kinds[0].form.Loose, Block: block}
		if err := lay(f, few, usualTilts(few)); err != nil {
			return best, of, least, err
		}
		with := slices.Clone(kinds)
		for i := range with {
			form := *with[i].form
			form.Block = block
			with[i].form = &form
		}
		at, with, misfit, err := settled(with, grid{f.Spacing, 0, f.Tilt, 0}, 0)
		if err != nil {
			return best, of, least, err
		}
		if misfit < least {
			best, of, least = at, with, misfit
		}
	}
	if best, of, least, err = settled(of, best, layStep, layStep/2, layStep/4, layStep/8); err != nil {
		return best, of, least, err
	}
	long, room, like, small := best, best, of, math.Inf(1)
	var tried []float64
	for _, s := range telling(all, 8) {
		long.room = longest(&s)
		if slices.ContainsFunc(tried, func(o float64) bool { return math.Abs(o-long.room) < view.Hardly }) {
			continue
		}
		tried = append(tried, long.room)
		at, with, misfit, err := settled(of, long, 0)
		if err != nil {
			return best, of, least, err
		}
		if misfit < small {
			room, like, small = at, with, misfit
		}
	}
	turned := best
	turned.turned = 1
	turned, with, misfit, err := settled(of, turned, layStep, layStep/2, layStep/4, layStep/8)
	if err != nil {
		return best, of, least, err
	}
	if small <= least {
		if room, like, small, err = settled(like, room, layStep, layStep/2, layStep/4, layStep/8); err != nil {
			return best, of, least, err
		}
		if (least-small)*float64(len(all)) > view.Tuned.Evidence {
			best, of, least = room, like, small
		}
	}
	one, err := worst(of, best)
	if err != nil {
		return best, of, least, err
	}
	if two, err := worst(with, turned); err != nil || two > one-view.Tuned.Evidence {
		return best, of, least, err
	}
	return turned, with, misfit, nil
}

// worst is how much a grid leaves of the piece of some kinds that it explains worst, as the
// logarithm of a misfit.
func worst(kinds []kindred, at grid) (most float64, err error) {
	most = math.Inf(-1)
	for _, k := range kinds {
		if _, k.seen, err = fit(k.on(at), k.seen, true); err != nil {
			return 0, err
		}
		f, _, err := k.learned(at)
		if err != nil {
			return 0, err
		}
		for _, s := range k.seen {
			c, _, err := fit(f, []look.Sample{s}, false)
			if err != nil {
				return 0, err
			}
			most = max(most, look.MisfitOf(c, view.Tuned.LearnedNoise()))
		}
	}
	return most, nil
}

// settled is the grid near one that explains kinds' pieces best by the squares that they show on
// it, with these and how much of them it leaves, as the logarithm of a misfit.
func settled(kinds []kindred, at grid, steps ...float64) (grid, []kindred, float64, error) {
	few := slices.Clone(kinds)
	var err error
	try := func(g grid) (of []kindred, sum float64, err error) {
		of = slices.Clone(few)
		n := 0.0
		for i := range of {
			form, misfit, err := few[i].learned(g)
			if err != nil {
				return nil, 0, err
			}
			of[i].form = form
			sum, n = sum+misfit*float64(len(few[i].seen)), n+float64(len(few[i].seen))
		}
		return of, sum / n, nil
	}
	least := math.Inf(1)
	for _, step := range steps {
		for i := range few {
			if _, few[i].seen, err = fit(few[i].on(at), telling(kinds[i].seen, 6), true); err != nil {
				return at, nil, 0, err
			}
		}
		if few, least, err = try(at); err != nil {
			return at, nil, 0, err
		}
		for moved := step > 0; moved; {
			moved = false
			for _, to := range at.beside(step) {
				of, misfit, err := try(to)
				if err != nil {
					return at, nil, 0, err
				}
				if misfit < least {
					at, few, least, moved = to, of, misfit, true
				}
			}
		}
	}
	for i := range few {
		few[i].seen = kinds[i].seen
	}
	return at, few, least, nil
}

// beside are the grids that differ from one in one number by a step.
func (g grid) beside(step float64) []grid {
	var all []grid
	for _, step := range []float64{-step, step} {
		for _, move := range []func(*grid){
			func(o *grid) { o.spacing += step },
			func(o *grid) { o.tilt += 4 * step },
			func(o *grid) { o.turned += 4 * step },
			func(o *grid) { o.room += 2 * step },
		} {
			o := g
			if move(&o); (g.room > 0 || o.room == 0) && (g.turned > 0 || o.turned == 0) {
				all = append(all, o)
			}
		}
	}
	return slices.DeleteFunc(all, func(o grid) bool { return o.spacing < step || o.room < 0 })
}

// learned is the kind's form on a grid, with the squares that sightings in their turns show there,
// and how much of these it leaves, each weighed by its squares: of one or two a grid that is too
// wide may do.
func (k *kindred) learned(at grid) (f *look.PieceTemplate, misfit float64, err error) {
	f = k.on(at)
	if err := learnBlock(f, k.seen); err != nil {
		return f, 0, err
	}
	n := 0.0
	for _, s := range k.seen {
		c, err := look.Correlation(s.View, s.Mask, expected(as(f, s), s, s.Symbol.Shape), view.Tuned.Slack)
		if err != nil {
			return f, 0, err
		}
		squares := float64(len(s.Symbol.Shape))
		misfit, n = misfit+squares*look.MisfitOf(c.Score, view.Tuned.LearnedNoise()), n+squares
	}
	return f, misfit / n, nil
}
