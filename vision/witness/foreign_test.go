package witness

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
)

// readSighting reads a picture of one board. Of several boards that are
// found it is the one whose corners are nearest to where they are.
func readSighting(profile *calibrations.Profile, s *sighting) (wrong string, unsure error) {
	boards, err := locate.Boards(s.frame, profile.Board)
	if err != nil {
		return "", err
	}
	unsure = errors.New("no board found")
	var best *witness.Panel
	least := math.Inf(1)
	for _, b := range boards {
		r := NewReader(profile)
		if err := r.Add(b); err != nil {
			return "", err
		}
		got, err := r.Panel()
		if err != nil {
			unsure = err
			continue
		}
		away := 0.0
		for i, c := range b.Quad {
			away = max(away, math.Hypot(c.X-s.Quad[i][0], c.Y-s.Quad[i][1]))
		}
		if away < least {
			best, least = got, away
		}
	}
	if best == nil {
		return "", unsure
	}
	return witness.Differ(seen(s.Panel), seen(best)), nil
}

// seen is a panel without what its picture need not tell: the way of a cap at a
// corner, what symmetry the starts stand for, which of two lines is the
// player's, and whether a piece may be turned that no turn changes.
func seen(p *witness.Panel) *witness.Panel {
	p = p.Clone()
	p.Symmetry = witness.NoSymmetry
	lines := map[witness.Line]witness.Line{}
	for at := range p.Points() {
		s := p.At(at)
		if s.IsEnd() {
			s.Cap = image.Pt(0, -1)
		}
		if s.Dot.On {
			if _, ok := lines[s.Dot.Line]; !ok {
				lines[s.Dot.Line] = witness.Line(len(lines))
			}
			s.Dot.Line = lines[s.Dot.Line]
		}
		if s.Turnable {
			var turn []image.Point
			for _, q := range s.Shape {
				turn = append(turn, image.Pt(-q.Y, q.X))
			}
			s.Turnable = !slices.Equal(witness.NormalShape(turn), witness.NormalShape(s.Shape))
		}
	}
	return p
}

// foreign are the tallies of one look, as it comes and calibrated.
type foreign struct {
	before, after tally
	calibrate     error
}

// meetLook reads a look's pictures, calibrates and reads them again.
func meetLook(t *testing.T, base *calibrations.Profile, look *looktest.Look, n int) (f foreign) {
	t.Helper()
	learn, read := sightings(t, look, 8, n)
	all := func(profile *calibrations.Profile, when string) (c tally) {
		for i := range read {
			s := &read[i]
			wrong, unsure := readSighting(profile, s)
			c.count(t, s.name+", "+when, wrong, unsure)
		}
		return c
	}
	f.before = all(base, "as it comes")
	c, err := Calibrate(base, shotsOf(learn))
	if f.calibrate = err; err != nil {
		return f
	}
	f.after = all(c.Profile, "calibrated")
	return f
}

// shot is a picture with what it shows.
func (s *sighting) shot() learn.Shot {
	quad := &[4]vision.Point{}
	for i, c := range s.Quad {
		quad[i] = vision.Point{X: c[0], Y: c[1]}
	}
	return learn.Shot{Name: s.name, Frame: s.frame, Truth: []learn.Truth{{Panel: s.Panel, Quad: quad}}}
}

// shotsOf are pictures with what they show.
func shotsOf(all []sighting) (shots []learn.Shot) {
	for i := range all {
		shots = append(shots, all[i].shot())
	}
	return shots
}

// lookNamed is one of our own looks, or a random one, by its name.
func lookNamed(t *testing.T, name string) *looktest.Look {
	t.Helper()
	var seed uint64
	if _, err := fmt.Sscanf(name, "random%d", &seed); err == nil {
		look := looktest.Random(seed)
		return &look
	}
	looks := solvetest.Must(looktest.Looks())(t)
	i := slices.IndexFunc(looks, func(l looktest.Look) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("no look %q", name)
	}
	return &looks[i]
}

// TestForeignLooks reads pictures of looks that are not ours, as they come and
// after calibrating from eight others of the same look, and prints a table.
// ONLOOKER_MORE sets how many pictures of each look are read. Without it it is a few of two looks.
func TestForeignLooks(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	base := challengeLook(t)
	n, long := solvetest.More(), true
	looks := solvetest.Must(looktest.Looks())(t)
	if n == 1 {
		n, long = 3, false
		looks = slices.DeleteFunc(looks, func(l looktest.Look) bool { return l.Name != "office" && l.Name != "blueprint" })
	}
	var all foreign
	calibrated := 0
	var table strings.Builder
	for i := range looks {
		f := meetLook(t, base, &looks[i], n)
		said := "calibrated"
		if f.calibrate != nil {
			said = f.calibrate.Error()
			if long {
				t.Errorf("%s: %v", looks[i].Name, f.calibrate)
			}
		} else {
			calibrated++
		}
		fmt.Fprintf(&table, "%-12s %v | %v | %.100s\n", looks[i].Name, f.before, f.after, said)
		all.before, all.after = all.before.plus(f.before), all.after.plus(f.after)
	}
	t.Logf("as it comes | calibrated, %d of %d looks\n%s%-12s %v | %v", calibrated, len(looks), &table, "all", all.before, all.after)
}

// plus is the sum of two tallies.
func (c tally) plus(o tally) tally {
	return tally{c.exact + o.exact, c.unsure + o.unsure, c.wrong + o.wrong}
}

// TestRandomLooksLearned: looks that could not be learned, or of which a picture was
// misread once they were; every fourth of them, with ONLOOKER_MORE all.
func TestRandomLooksLearned(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	base := challengeLook(t)
	known := map[uint64]*learn.Calibration{}
	for i, line := range solvetest.Rows(t, "testdata/learned.rows") {
		var row struct {
			seed    uint64
			picture int
			why     string
		}
		solvetest.Must(fmt.Sscanf(line, "%d %d %q", &row.seed, &row.picture, &row.why))(t, line)
		if solvetest.More() == 1 && i%4 != 2 {
			continue
		}
		look := looktest.Random(row.seed)
		c := known[row.seed]
		if c == nil {
			toLearn, _ := sightings(t, &look, 8, 0)
			var err error
			if c, err = Calibrate(base, shotsOf(toLearn)); err != nil {
				t.Errorf("%s, of %s: %v", look.Name, row.why, err)
				continue
			}
			known[row.seed] = c
		}
		toRead := sightingToRead(t, &look, row.picture)
		if wrong, unsure := readSighting(c.Profile, &toRead); wrong != "" || unsure != nil {
			t.Errorf("%s, of %s: wrong: %s, unsure: %v; want it exact", toRead.name, row.why, wrong, unsure)
		}
		if row.seed != 62017 {
			continue
		}
		// As it was learned before the middles of nodes were.
		c.Profile.Learned.Places = slices.DeleteFunc(c.Profile.Learned.Places, func(p calibrations.Places) bool {
			return strings.HasSuffix(p.Name, "-core") || strings.HasSuffix(p.Name, "-whole")
		})
		first := sightingToRead(t, &look, 1)
		wrong, unsure := readSighting(c.Profile, &first)
		if wrong != "" || unsure != nil && strings.Contains(unsure.Error(), "no start circle") {
			t.Errorf("%s, without nodes' middles: wrong: %s, unsure: %v; want its start circles told, or a place that is not", first.name, wrong, unsure)
		}
	}
}

// TestLearnedLooksAreNotMisread: what outlines the lines beside a missing edge passed for the
// ends of a broken one, a dot for a break where lines go on through breaks, thinner, a small
// square outlined in the colour of those to take away for one of these, and pieces of four for
// three as long ones were said to be drawn smaller, and two colours that no board had
// shown together for one. One look of every day, all with ONLOOKER_MORE.
func TestLearnedLooksAreNotMisread(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for name, pictures := range map[string][]int{"frost": {53, 86}, "random66012": {2}, "random80007": {10}, "random90013": {7}, "random281106": {4}} {
		if solvetest.More() == 1 && name != "frost" {
			continue
		}
		look := lookNamed(t, name)
		learn, _ := sightings(t, look, 8, 0)
		c := solvetest.Must(Calibrate(challengeLook(t), shotsOf(learn)))(t)
		for _, picture := range pictures {
			s := sightingToRead(t, look, picture)
			if wrong, unsure := readSighting(c.Profile, &s); wrong != "" {
				t.Errorf("%s: WRONG: %s", s.name, wrong)
			} else {
				t.Logf("%s: %v", s.name, unsure)
			}
		}
	}
}

// TestUnknownLooksAreNotMisread reads pictures of looks by their structure that were read wrong
// once: none is.
func TestUnknownLooksAreNotMisread(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	base := look.Structure(challengeLook(t))
	for _, line := range solvetest.Rows(t, "testdata/unknown.rows") {
		var row struct {
			look    string
			picture int
			why     string
		}
		solvetest.Must(fmt.Sscanf(line, "%q %d %q", &row.look, &row.picture, &row.why))(t, line)
		s := sightingToRead(t, lookNamed(t, row.look), row.picture)
		if wrong, _ := readSighting(base, &s); wrong != "" {
			t.Errorf("%s: %s: WRONG: %s", s.name, row.why, wrong)
		}
	}
}
