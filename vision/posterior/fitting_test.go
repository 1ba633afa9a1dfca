package posterior

import (
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
}

// Fit finds each family's weights by logistic regression: those that make what is known
// of the samples most likely, with a penalty of ridge/2 for the square of each weight (the
// bias is free), so that evidence which few samples have weighs little.
func Fit(samples []Sample, ridge float64) Model {
	byFamily := map[string][]Sample{}
	for _, s := range samples {
		byFamily[s.Family] = append(byFamily[s.Family], s)
	}
	m := Model{}
	for family, list := range byFamily {
		m[family] = fit(list, ridge)
	}
	return m
}

// fit is Newton's method on the logarithm of the likelihood.
func fit(samples []Sample, ridge float64) Weights {
	seen := Evidence{}
	for _, s := range samples {
		for n := range s.Evidence {
			seen[n] = 0
		}
	}
	names := seen.Names()
	n := len(names) + 1
	beta := make([]float64, n)
	row := func(s Sample) []float64 {
		x := make([]float64, n)
		x[0] = 1
		for i, name := range names {
			x[i+1] = s.Evidence[name]
		}
		return x
	}
	for range 100 {
		slope, bend := make([]float64, n), make([][]float64, n)
		for i := range bend {
			bend[i] = make([]float64, n)
			if i > 0 {
				slope[i], bend[i][i] = -ridge*beta[i], ridge
			}
		}
		for _, s := range samples {
			x, at, want := row(s), 0.0, 0.0
			for i, v := range x {
				at += v * beta[i]
			}
			if s.Right {
				want = 1
			}
			p := logistic(at)
			for i, v := range x {
				slope[i] += v * (want - p)
				for j, u := range x {
					bend[i][j] += v * u * p * (1 - p)
				}
			}
		}
		bend[0][0] += 1e-6 // where all samples are right, the bias has no bound
		step := solved(bend, slope)
		far := 0.0
		for i, v := range step {
			v = max(-2, min(2, v))
			beta[i] += v
			far = max(far, math.Abs(v))
		}
		if far < 1e-9 {
			break
		}
	}
	w := Weights{Bias: beta[0], By: map[string]float64{}, Most: float64(len(samples)+1) / float64(len(samples)+2)}
	for i, name := range names {
		w.By[name] = beta[i+1]
	}
	return w
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
	// Readings are the samples, Wrong those of them that are wrong; None is the greatest
	// probability of one of a picture without a board, Worst that of any wrong one, and Above
	// how many wrong ones are as likely as Mouse.
	Readings, Wrong, Above int
	None, Worst            float64
}

const (
	leastLevel = 0.6   // where no picture without a board gave a reading
	levelStep  = 0.005 // levels are rounded up to so much
	mouseOdds  = 1.5   // times those of reading, at the least
)

// Levels finds each family's levels: for reading just above all readings of pictures without a
// board, for the mouse just above all wrong ones, but half of the right ones stay above both.
func Levels(m Model, samples []Sample) map[string]Level {
	out := map[string]Level{}
	right := map[string][]float64{}
	for _, s := range samples {
		l, p := out[s.Family], m.Of(s.Family, s.Evidence)
		l.Readings++
		switch {
		case s.Right:
			right[s.Family] = append(right[s.Family], p)
		default:
			l.Wrong++
			l.Worst = max(l.Worst, p)
			if s.None {
				l.None = max(l.None, p)
			}
		}
		out[s.Family] = l
	}
	up := func(p float64) float64 { return math.Floor(p/levelStep+1) * levelStep }
	for family, l := range out {
		if len(right[family]) == 0 {
			continue // nothing tells how sure right readings are
		}
		slices.Sort(right[family])
		most := math.Floor(right[family][len(right[family])/2]/levelStep) * levelStep
		l.Read = min(most, max(leastLevel, up(l.None)))
		odds := mouseOdds * l.Read / (1 - l.Read)
		l.Mouse = min(most, max(up(l.Worst), up(odds/(1+odds))))
		for _, s := range samples {
			if s.Family == family && !s.Right && m.Of(family, s.Evidence) >= l.Mouse {
				l.Above++
			}
		}
		out[family] = l
	}
	return out
}
