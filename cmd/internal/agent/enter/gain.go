package enter

import (
	"fmt"
	"math"
	"slices"
)

const (
	// sameGain is how far gains of one client differ on lines of the same gain: a head
	// is seen to 0.3 pixels, of 12 that a gain is told from.
	sameGain = 0.03
	// toldPixels are the least that a gain is told from.
	toldPixels = 12
)

// motions are what was sent and what it led to, along a line whose head ran free.
type motions struct {
	units, pixels float64
}

func (m motions) gain() float64 { return m.pixels / m.units }

// A gainState is how a line's gain is known.
type gainState uint8

const (
	gainUnknown   gainState = iota // it is not
	gainLent                       // by other lines: none was measured on this one
	gainConfirmed                  // by other lines, and this one's is the same
	gainMeasured                   // by this line alone
)

// A gain is how far a unit of motion carries the head of a line.
type gain struct {
	pixels  float64 // 0: it is not known
	state   gainState
	outlier float64 // another, which one motion told; 0: none did
	told    motions // by which it was measured on this line
}

// confirm takes it that a motion came to where the gain was to lead it.
func (g *gain) confirm() {
	if g.state == gainLent {
		g.state = gainConfirmed
	}
}

// learn adds a motion that ran free to those of its leg, and takes what they tell together:
// the end of one may show only with the next. It says what it made of that; "" is nothing.
func (g *gain) learn(leg *motions, one motions) (said string) {
	if math.Abs(one.pixels) > toldPixels && g.pixels > 0 && math.Abs(one.gain()/g.pixels-1) > 0.1 {
		*leg = motions{} // a part of the motion before showed late
	}
	leg.units += one.units
	leg.pixels += one.pixels
	if math.Abs(leg.pixels) <= toldPixels || leg.gain() <= 0.02 {
		return ""
	}
	got := leg.gain()
	if !g.take(*leg) {
		*leg = motions{}
		return fmt.Sprintf("gain %.3f, told %.3f: waiting for another motion", g.pixels, got)
	}
	return fmt.Sprintf("gain %.3f, told %.3f", g.pixels, got)
}

// take takes what free motions told. Other lines' gain is the mean of more motions: it stays
// where this one's is the same. Another counts once two motions told it, and false says that
// this was the first: a client that is busy when a line begins loses whole motions of a row.
func (g *gain) take(by motions) bool {
	got := by.gain()
	off := math.Abs(got/g.pixels - 1)
	shared := g.state == gainLent || g.state == gainConfirmed
	if shared && off > sameGain && !(math.Abs(got/g.outlier-1) < sameGain) {
		g.outlier = got
		return false
	}
	switch {
	case g.state == gainLent && off < sameGain: // it stays what it is
	case g.told.units == 0 || off >= sameGain/3:
		g.pixels = got
	}
	if g.state = gainMeasured; shared && off <= sameGain {
		g.state = gainConfirmed
	}
	g.told = by
	return true
}

// lines are what the lines that came to their ends have in common, for the next to begin with.
type lines struct {
	gain   float64 // of the last; 0: none came to its end
	agreed int     // how many in a row had it
	told   motions // that told it on these
	wide   float64 // how wide the last was measured, by what its board's lines say; 0: it was not
}

// lend is the gain that a line begins with.
func (l *lines) lend() gain {
	if l.agreed < 2 {
		return gain{}
	}
	return gain{pixels: l.gain, state: gainLent}
}

// add takes the gain of a line that came to its end, and how wide it was measured.
func (l *lines) add(g gain, wide float64) {
	got := g.pixels
	if g.told.units > 0 {
		got = g.told.gain()
	}
	if l.agreed > 0 && math.Abs(got/l.gain-1) < sameGain {
		l.agreed++
	} else {
		l.agreed, l.told = 1, motions{}
	}
	l.gain = got
	l.told.units, l.told.pixels = l.told.units+g.told.units, l.told.pixels+g.told.pixels
	if l.told.units > 0 {
		l.gain = l.told.gain()
	}
	if wide > 0 {
		l.wide = wide
	}
}

// doubt lends nothing until lines agree again.
func (l *lines) doubt() { l.agreed = 0 }

// nudges are the first motions round corners that a client was seen to keep, less those that
// it lost.
type nudges int

// sureNudges are so many that a client does not lose them.
const sureNudges nudges = 2

func (n nudges) kept() bool { return n >= sureNudges }

// learn learns from how far a leg came, in nudges short of where it was to come, whether the
// client loses the nudge that takes a head round a corner. expected says that the loss was made
// good beforehand.
func (n *nudges) learn(short float64, expected bool) {
	if expected {
		short++
	}
	switch {
	case math.Abs(short) < 0.35:
		*n = min(*n+1, 2*sureNudges)
	case math.Abs(short-1) < 0.35:
		*n = max(*n-1, -2*sureNudges)
	}
}

// mostGauged is how many measurements of a line's width are enough.
const mostGauged = 9

// A gauge is how wide a line is, in half-cells.
type gauge struct {
	nominal  float64   // by what the board's lines say
	width    float64   // as far as is known
	measured []float64 // sorted
}

// newGauge is of a line of which other lines tell how wide it is, by what their boards say; 0:
// none does.
func newGauge(nominal, wide float64) gauge {
	g := gauge{nominal: nominal, width: nominal}
	if wide > 0 && math.Abs(wide-1) < 0.1 {
		g.width *= wide
	}
	return g
}

// full tells whether nothing more is to be measured.
func (g *gauge) full() bool { return len(g.measured) >= mostGauged }

// add takes a measurement, and tells whether it counts: one that is far from what the board's
// lines say is of something else.
func (g *gauge) add(width float64) bool {
	if math.Abs(width/g.nominal-1) >= 0.15 {
		return false
	}
	g.measured = append(g.measured, width)
	slices.Sort(g.measured)
	g.width = g.measured[len(g.measured)/2]
	return true
}

// wide is how wide the line was measured, by what the board's lines say; 0: it was not.
func (g *gauge) wide() float64 {
	if len(g.measured) == 0 {
		return 0
	}
	return g.width / g.nominal
}
