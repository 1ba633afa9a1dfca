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
func learnPieces(p *calibrations.Profile, drawn drawing.Forms, seen []look.Sample, outline *vision.RGB) {
	var kinds []kindred
	for _, form := range drawn {
		if of := ofKind(seen, form.Kind); form.Kind.IsPiece() && len(of) > 0 {
			kinds = append(kinds, kindred{&look.PieceTemplate{Symbol: witness.Symbol{Kind: form.Kind}, Loose: p.Learned.Loose, Outline: outline}, of})
		}
	}
	if len(kinds) == 0 {
		return
	}
	at, kinds, _ := gridOf(kinds)
	for _, k := range kinds {
		own := at
		if len(kinds) > 1 && composed(k.seen) >= view.Tuned.TellingPieces {
			own, k = k.ownGrid(at)
		}
		k.learn(p, own)
	}
}

// ownGrid is the kind's own grid, where it explains each of its pieces clearly better than that of
// the look, which it is otherwise.
func (k kindred) ownGrid(shared grid) (grid, kindred) {
	_, _, misfit := settled([]kindred{k}, shared, 0)
	at, own, less := gridOf([]kindred{k})
	if misfit-less <= view.Tuned.Evidence {
		return shared, k
	}
	return at, own[0]
}

// learn learns the squares of a kind's pieces on a grid, upright and turnable ones apart where
// there are enough of them.
func (k *kindred) learn(p *calibrations.Profile, at grid) {
	for _, turnable := range []bool{false, true} {
		of := slices.DeleteFunc(slices.Clone(k.seen), func(s look.Sample) bool { return s.Symbol.Turnable != turnable })
		if len(of) == 0 {
			continue
		}
		f := k.on(at)
		_, blocks := fit(f, k.seen, true)
		if composed(of) >= view.Tuned.TellingPieces {
			blocks = slices.DeleteFunc(blocks, func(s look.Sample) bool { return s.Symbol.Turnable != turnable })
		}
		learnBlock(f, blocks)
		f = as(f, of[0])
		_, turned := fit(f, of, true)
		floor, least := lowest(f, turned)
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
}

// gridOf finds the grid that all of some kinds' pieces are on, and their squares: roughly with
// each of the squares that are usual, then finely, with what is seen of their squares on each grid
// that is tried. Long pieces are drawn smaller where that explains what is seen clearly better, and
// turned ones in another size where that explains clearly better what is explained worst.
func gridOf(kinds []kindred) (best grid, of []kindred, least float64) {
	var all []look.Sample
	for _, k := range kinds {
		all = append(all, k.seen...)
	}
	few := telling(all, 4)
	least = math.Inf(1)
	for _, block := range usualBlocks() {
		f := &look.PieceTemplate{Loose: kinds[0].form.Loose, Block: block}
		lay(f, few, usualTilts(few))
		with := slices.Clone(kinds)
		for i := range with {
			form := *with[i].form
			form.Block = block
			with[i].form = &form
		}
		at, with, misfit := settled(with, grid{f.Spacing, 0, f.Tilt, 0}, 0)
		if misfit < least {
			best, of, least = at, with, misfit
		}
	}
	best, of, least = settled(of, best, layStep, layStep/2, layStep/4, layStep/8)
	long, room, like, small := best, best, of, math.Inf(1)
	var tried []float64
	for _, s := range telling(all, 8) {
		long.room = longest(&s)
		if slices.ContainsFunc(tried, func(o float64) bool { return math.Abs(o-long.room) < view.Hardly }) {
			continue
		}
		tried = append(tried, long.room)
		at, with, misfit := settled(of, long, 0)
		if misfit < small {
			room, like, small = at, with, misfit
		}
	}
	turned := best
	turned.turned = 1
	turned, with, misfit := settled(of, turned, layStep, layStep/2, layStep/4, layStep/8)
	if small <= least {
		room, like, small = settled(like, room, layStep, layStep/2, layStep/4, layStep/8)
		if (least-small)*float64(len(all)) > view.Tuned.Evidence {
			best, of, least = room, like, small
		}
	}
	if worst(with, turned) > worst(of, best)-view.Tuned.Evidence {
		return best, of, least
	}
	return turned, with, misfit
}

// worst is how much a grid leaves of the piece of some kinds that it explains worst, as the
// logarithm of a misfit.
func worst(kinds []kindred, at grid) (most float64) {
	most = math.Inf(-1)
	for _, k := range kinds {
		_, k.seen = fit(k.on(at), k.seen, true)
		f, _ := k.learned(at)
		for _, s := range k.seen {
			c, _ := fit(f, []look.Sample{s}, false)
			most = max(most, look.MisfitOf(c, view.Tuned.LearnedNoise()))
		}
	}
	return most
}

// settled is the grid near one that explains kinds' pieces best by the squares that they show on
// it, with these and how much of them it leaves, as the logarithm of a misfit.
func settled(kinds []kindred, at grid, steps ...float64) (grid, []kindred, float64) {
	few := slices.Clone(kinds)
	try := func(g grid) (of []kindred, sum float64) {
		of = slices.Clone(few)
		n := 0.0
		for i := range of {
			var misfit float64
			of[i].form, misfit = few[i].learned(g)
			sum, n = sum+misfit*float64(len(few[i].seen)), n+float64(len(few[i].seen))
		}
		return of, sum / n
	}
	least := math.Inf(1)
	for _, step := range steps {
		for i := range few {
			_, few[i].seen = fit(few[i].on(at), telling(kinds[i].seen, 6), true)
		}
		few, least = try(at)
		for moved := step > 0; moved; {
			moved = false
			for _, to := range at.beside(step) {
				if of, misfit := try(to); misfit < least {
					at, few, least, moved = to, of, misfit, true
				}
			}
		}
	}
	for i := range few {
		few[i].seen = kinds[i].seen
	}
	return at, few, least
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
func (k *kindred) learned(at grid) (f *look.PieceTemplate, misfit float64) {
	f = k.on(at)
	learnBlock(f, k.seen)
	n := 0.0
	for _, s := range k.seen {
		c := look.Correlation(s.View, s.Mask, expected(as(f, s), s, s.Symbol.Shape), view.Tuned.Slack)
		squares := float64(len(s.Symbol.Shape))
		misfit, n = misfit+squares*look.MisfitOf(c.Score, view.Tuned.LearnedNoise()), n+squares
	}
	return f, misfit / n
}
