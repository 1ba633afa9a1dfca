package posterior

import (
	"maps"
	"math"
	"slices"
)

// A Sample is a reading of which it is known whether it is right.
type Sample struct {
	Family   string
	Evidence Evidence
	Right    bool
	// None says that its picture shows no whole board of the family.
	None bool
	// Weight is how many samples it counts as.
	Weight float64
}

// Fit finds the families' weights by logistic regression: those that make what is known of the
// samples most likely. A weight is one that all families share, with a penalty of ridge/2 for its
// square, and what a family has beside it, with one of apart/2: evidence that few samples have
// weighs little, and what one family's samples do not tell the others' do. The bias of all is free.
func Fit(samples []Sample, ridge, apart float64) Model {
	count, named, seen := map[string]int{}, Evidence{}, map[[2]string]bool{}
	for _, s := range samples {
		count[s.Family]++
		for n := range s.Evidence {
			named[n], seen[[2]string{s.Family, n}] = 0, true
		}
	}
	names := append([]string{""}, named.Names()...) // the first is the bias
	families := slices.Sorted(maps.Keys(count))
	penalty := make([]float64, len(names)*(1+len(families)))
	for i := range penalty {
		penalty[i] = ridge
		if i >= len(names) && len(families) > 1 {
			penalty[i] = apart
		}
	}
	penalty[0] = 0
	rows := make([]row, len(samples))
	for k, s := range samples {
		for i, n := range names {
			v := s.Evidence[n]
			if i == 0 {
				v = 1
			}
			if v == 0 {
				continue
			}
			rows[k].at, rows[k].v = append(rows[k].at, i), append(rows[k].v, v)
			if len(families) > 1 {
				rows[k].at, rows[k].v = append(rows[k].at, i+len(names)*(1+slices.Index(families, s.Family))), append(rows[k].v, v)
			}
		}
		rows[k].right, rows[k].weight = s.Right, s.Weight
	}
	beta := fit(rows, penalty)
	m := Model{}
	for f, family := range families {
		own := beta[len(names)*(1+f):]
		w := Weights{Bias: beta[0] + own[0], By: map[string]float64{}, Most: float64(count[family]+1) / float64(count[family]+2)}
		for i, n := range names[1:] {
			if seen[[2]string{family, n}] {
				w.By[n] = beta[i+1] + own[i+1]
			}
		}
		m[family] = w
	}
	return m
}

// A row is a sample's evidence: the weights that it has, and how much of each.
type row struct {
	at     []int
	v      []float64
	right  bool
	weight float64
}

// fit is Newton's method on the logarithm of the likelihood.
func fit(rows []row, penalty []float64) []float64 {
	n := len(penalty)
	beta := make([]float64, n)
	for range 100 {
		slope, bend := make([]float64, n), make([][]float64, n)
		for i := range bend {
			bend[i] = make([]float64, n)
			slope[i], bend[i][i] = -penalty[i]*beta[i], penalty[i]
		}
		bend[0][0] = 1e-6 // where all samples are right, the bias has no bound
		for _, r := range rows {
			at, want := 0.0, 0.0
			for k, i := range r.at {
				at += r.v[k] * beta[i]
			}
			if r.right {
				want = 1
			}
			p := logistic(at)
			for k, i := range r.at {
				slope[i] += r.weight * r.v[k] * (want - p)
				for l, j := range r.at {
					bend[i][j] += r.weight * r.v[k] * r.v[l] * p * (1 - p)
				}
			}
		}
		far := 0.0
		for i, v := range solved(bend, slope) {
			v = max(-2, min(2, v))
			beta[i] += v
			far = max(far, math.Abs(v))
		}
		if far < 1e-9 {
			break
		}
	}
	return beta
}

// solved solves a symmetric system of equations by Gauss's elimination with pivots.
func solved(a [][]float64, b []float64) []float64 {
	n := len(b)
	for k := range n {
		p := k
		for i := k; i < n; i++ {
			if math.Abs(a[i][k]) > math.Abs(a[p][k]) {
				p = i
			}
		}
		a[k], a[p], b[k], b[p] = a[p], a[k], b[p], b[k]
		if a[k][k] == 0 {
			continue
		}
		for i := k + 1; i < n; i++ {
			f := a[i][k] / a[k][k]
			for j := k; j < n; j++ {
				a[i][j] -= f * a[k][j]
			}
			b[i] -= f * b[k]
		}
	}
	out := make([]float64, n)
	for k := n - 1; k >= 0; k-- {
		sum := b[k]
		for j := k + 1; j < n; j++ {
			sum -= a[k][j] * out[j]
		}
		if a[k][k] != 0 {
			out[k] = sum / a[k][k]
		}
	}
	return out
}

// A Level is how likely readings of a family must be, and what that was measured on.
type Level struct {
	Read, Mouse float64
	// Readings are the samples, Wrong those of them that are wrong; Worst is the greatest
	// probability of a wrong one, Above how many wrong ones are as likely as Mouse, and None how
	// many of pictures without a board as Read.
	Readings, Wrong, Above, None int
	Worst                        float64
}

const (
	noneShare  = 0.005 // of the readings that are as likely as that for reading: of pictures without a board
	leastLevel = 0.6   // where hardly any picture without a board gave a reading
	levelStep  = 0.005 // levels are rounded up to so much
	fewWrong   = 30    // wrong readings: of fewer the worst may be better than the next one
)

// Levels finds each family's levels. For reading: of the readings that are as likely one in two
// hundred at the most is of a picture without a board, none where the family has few wrong ones. For
// the mouse: above all wrong ones, of all families where it has few. Half of the right ones stay
// above both.
func Levels(m Model, samples []Sample) map[string]Level {
	out := map[string]Level{}
	right, none := map[string][]float64{}, map[string][]float64{}
	worst := 0.0
	for _, s := range samples {
		l, p := out[s.Family], m.Of(s.Family, s.Evidence)
		l.Readings++
		if s.Right {
			right[s.Family] = append(right[s.Family], p)
		} else {
			l.Wrong++
			l.Worst = max(l.Worst, p)
			worst = max(worst, p)
		}
		if s.None {
			none[s.Family] = append(none[s.Family], p)
		}
		out[s.Family] = l
	}
	up := func(p float64) float64 { return math.Floor(p/levelStep+1) * levelStep }
	above := func(list []float64, level float64) (n int) {
		for _, p := range list {
			if p >= level {
				n++
			}
		}
		return n
	}
	for family, l := range out {
		if len(right[family]) == 0 {
			continue // nothing tells how sure right readings are
		}
		slices.Sort(right[family])
		most := math.Floor(right[family][len(right[family])/2]/levelStep) * levelStep
		share, highest := noneShare, l.Worst
		if l.Wrong < fewWrong {
			share, highest = 0, worst
		}
		l.Read = leastLevel
		for l.Read < most && float64(above(none[family], l.Read)) > share*float64(above(right[family], l.Read)+above(none[family], l.Read)) {
			l.Read += levelStep
		}
		l.None = above(none[family], l.Read)
		l.Mouse = min(most, max(l.Read, up(highest)))
		for _, s := range samples {
			if s.Family == family && !s.Right && m.Of(family, s.Evidence) >= l.Mouse {
				l.Above++
			}
		}
		out[family] = l
	}
	return out
}
