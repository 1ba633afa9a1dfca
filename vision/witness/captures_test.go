package witness

import (
	"errors"
	"fmt"
	"image"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
)

// normal is a piece's shape moved to the origin, of a turnable one the least
// of its four turns.
func normal(shape []image.Point, turnable bool) string {
	var forms []string
	for range 4 {
		lo := image.Pt(math.MaxInt, math.MaxInt)
		for _, q := range shape {
			lo = image.Pt(min(lo.X, q.X), min(lo.Y, q.Y))
		}
		var moved []string
		for _, q := range shape {
			moved = append(moved, q.Sub(lo).String())
		}
		slices.Sort(moved)
		forms = append(forms, strings.Join(moved, ""))
		if !turnable {
			break
		}
		turned := make([]image.Point, len(shape))
		for i, q := range shape {
			turned[i] = image.Pt(-q.Y, q.X)
		}
		shape = turned
	}
	return slices.Min(forms)
}

// differsFrom says in what a panel differs from the truth, or "".
func differsFrom(w *solvetest.CapturedBoard, p *witness.Panel) string {
	if p.Cols != w.Size[0] || p.Rows != w.Size[1] {
		return fmt.Sprintf("size %dx%d, want %v", p.Cols, p.Rows, w.Size)
	}
	set := func(what string, want [][2]int, got func(*witness.Spot) bool) string {
		m := map[image.Point]bool{}
		for _, q := range want {
			m[image.Pt(q[0], q[1])] = true
		}
		var diff []string
		for at := range p.Points() {
			if g := got(p.At(at)) && !witness.IsCell(at); g != m[at] {
				diff = append(diff, fmt.Sprintf("%v got %v", at, g))
			}
		}
		if diff == nil {
			return ""
		}
		return what + " " + strings.Join(diff, ", ")
	}
	var ends [][2]int
	for _, e := range w.Ends {
		ends = append(ends, e.At)
	}
	for _, d := range []string{
		set("starts", w.Starts, func(s *witness.Spot) bool { return s.Start }),
		set("ends", ends, (*witness.Spot).IsEnd),
		set("breaks", w.Breaks, func(s *witness.Spot) bool { return s.Gap == witness.Broken }),
		set("missing", w.Missing, func(s *witness.Spot) bool { return s.Gap == witness.Missing }),
	} {
		if d != "" {
			return d
		}
	}
	dots := map[image.Point]string{}
	for _, d := range w.Dots {
		dots[image.Pt(d.At[0], d.At[1])] = d.Colour
	}
	var want, got []string
	for at := range p.Points() {
		s := p.At(at)
		c, on := dots[at]
		if s.Dot.On != on {
			return fmt.Sprintf("dot at %v: got %v (%s)", at, s.Dot.On, s.Dot.Colour)
		}
		if on && len(w.Starts) > 1 {
			if (c == "black") != (s.Dot.Line == witness.AnyLine) {
				return fmt.Sprintf("dot at %v is %s, got line %d", at, c, s.Dot.Line)
			}
			want, got = append(want, c), append(got, fmt.Sprint(s.Dot.Line))
		}
	}
	if d := partition(want, got); d != "" {
		return "dots' colours: " + d
	}
	symbols := map[image.Point]string{}
	want, got = nil, nil
	for _, q := range w.Symbols {
		at := image.Pt(q.At[0], q.At[1])
		var shape []image.Point
		for _, b := range q.Shape {
			shape = append(shape, image.Pt(b[0], b[1]))
		}
		symbols[at] = fmt.Sprint(q.Kind, q.Count, normalOr(shape, q.Turnable), q.Turnable)
		want, got = append(want, q.Colour), append(got, string(p.At(at).Symbol.Colour))
	}
	for at := range p.Points() {
		if !witness.IsCell(at) {
			continue
		}
		s := p.At(at).Symbol
		g := ""
		if s.Kind != witness.NoSymbol {
			kind := s.Kind.ShapeName()
			switch s.Kind {
			case witness.Polyomino:
				kind = "poly"
			case witness.Negative:
				kind = "ylop"
			case witness.Eraser:
				kind = "nega"
			}
			g = fmt.Sprint(kind, s.Count, normalOr(s.Shape, s.Turnable), s.Turnable)
		}
		if g != symbols[at] {
			return fmt.Sprintf("symbol at %v: got %q, want %q", at, g, symbols[at])
		}
	}
	if d := partition(want, got); d != "" {
		return "symbols' colours: " + d
	}
	return ""
}

func normalOr(shape []image.Point, turnable bool) string {
	if len(shape) == 0 {
		return ""
	}
	return normal(shape, turnable)
}

// partition says where two lists of names do not map one to one, or "".
func partition(want, got []string) string {
	to, back := map[string]string{}, map[string]string{}
	for i := range want {
		if g, ok := to[want[i]]; ok && g != got[i] {
			return fmt.Sprintf("%s is both %s and %s", want[i], g, got[i])
		}
		if w, ok := back[got[i]]; ok && w != want[i] {
			return fmt.Sprintf("%s is both %s and %s", got[i], w, want[i])
		}
		to[want[i]], back[got[i]] = got[i], want[i]
	}
	return ""
}

// A verdict counts what became of a class of boards.
type verdict struct {
	exact, unsure, wrong, more int
	sure                       reliability
}

var class = regexp.MustCompile(`^(.*?)-\d\d`)

// judge reads one frame and compares it with the truth.
func judge(t testing.TB, look *calibrations.Profile, name string, frame image.Image, truth solvetest.Capture, v *verdict) {
	boards, err := locate.Boards(frame, look.Board)
	if err != nil {
		t.Fatal(name, err)
	}
	type reading struct {
		b   *vision.Board
		p   *witness.Panel
		err error
	}
	var readings []reading
	for _, b := range boards {
		r := NewReader(look)
		if err := r.Add(b); err != nil {
			t.Fatal(name, err)
		}
		p, err := r.Panel()
		var why *vision.UnsureError
		if err != nil && !errors.As(err, &why) {
			t.Errorf("%s: %v", name, err)
		}
		readings = append(readings, reading{b, p, err})
		if p != nil && len(truth.Boards) == 0 {
			if truth.Negative {
				v.wrong++
				t.Logf("%s: WRONG: a board of %dx%d where there is none, at %.0f", name, b.Cols, b.Rows, b.Quad)
			} else {
				v.more++
			}
		}
	}
	for _, w := range truth.Boards {
		if !w.Flat() {
			continue
		}
		var c vision.Point
		for _, q := range w.Quad {
			c.X, c.Y = c.X+q[0]/4, c.Y+q[1]/4
		}
		span := math.Abs(w.Quad[1][0]-w.Quad[0][0]) + math.Abs(w.Quad[2][1]-w.Quad[1][1])
		near := slices.IndexFunc(readings, func(r reading) bool {
			m := r.b.ScreenPoint(float64(r.b.Cols), float64(r.b.Rows))
			return math.Abs(m.X-c.X)+math.Abs(m.Y-c.Y) < span/4
		})
		switch {
		case near < 0:
			v.unsure++
			t.Logf("%s %s: not found", name, w.Side)
		case readings[near].err != nil:
			v.unsure++
			t.Logf("%s %s: %v", name, w.Side, readings[near].err)
		default:
			if d := differsFrom(&w, readings[near].p); d != "" {
				v.wrong++
				t.Logf("%s %s: WRONG: %s", name, w.Side, d)
			} else {
				v.exact++
				v.sure.add(readings[near].b.Clear, true)
				if readings[near].b.Clear < 0.75 {
					t.Logf("%s %s: exact, clear by %.2f", name, w.Side, readings[near].b.Clear)
				}
			}
		}
	}
}
