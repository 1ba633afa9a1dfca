package posterior

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// A line is a reading of the samples: what picture it is from, which of its places it reads, what
// it says, and whether it is right, for boards of lines whether there is one.
type line struct {
	From, Family string
	Place        int
	Says         string
	Right        bool
	Evidence     Evidence
}

// look is whose picture a real reading is of, as "flow/dom"; "" for a drawn one.
func (l line) look() string {
	if _, file, ok := strings.Cut(l.From, "everyday "); ok {
		return file[:strings.LastIndex(file, "/")]
	}
	return regexp.MustCompile(`(flow|switches|alcazar|fans|pictures)/[a-z]+`).FindString(l.From)
}

// firstFresh is the seed of the first drawn picture that neither the model nor a level is found
// from, freshPanels that of the first drawn panel.
const (
	firstFresh  = 9_000_000
	freshPanels = 7_000_000
)

// samples are the readings that the model is fitted to: those of real pictures, of drawn ones, and
// of boards of lines a half, by a hash of their names; the other half, on which it is tested; and
// those of fresh drawn pictures, from which no level was found either.
func samples(t *testing.T) (fit, test, fresh []line) {
	t.Helper()
	for _, l := range samplesIn[line](t, "samples.jsonl.gz") {
		h := fnv.New32a()
		h.Write([]byte(l.From))
		seed, _ := strconv.Atoi(l.From[strings.LastIndex(l.From, " ")+1:])
		switch {
		case l.Family == lines && (h.Sum32()%2 == 1 || seed >= freshPanels):
			test = append(test, l)
		case l.Family != lines && seed >= firstFresh:
			fresh = append(fresh, l)
		default:
			fit = append(fit, l)
		}
	}
	return fit, test, fresh
}

// samplesIn are those of a file.
func samplesIn[T any](t *testing.T, file string) (out []T) {
	t.Helper()
	f := solvetest.Must(os.Open(filepath.Join("testdata", file)))(t)
	defer f.Close()
	z := solvetest.Must(gzip.NewReader(f))(t)
	for d := json.NewDecoder(z); d.More(); {
		var l T
		solvetest.OK(t, d.Decode(&l))
		out = append(out, l)
	}
	return out
}

// A stated reading is the likeliest of a picture.
type stated struct {
	line
	p float64
}

// best are the likeliest readings of each picture, refused ones too, as agent/see decides: those of
// a place share their odds.
func best(m Model, list []line) []stated {
	places, names := map[string]map[int][]stated{}, []string(nil)
	for _, l := range list {
		s := stated{l, m.Of(l.Family, l.Evidence)}
		if places[l.From] == nil {
			places[l.From] = map[int][]stated{}
			names = append(names, l.From)
		}
		places[l.From][l.Place] = append(places[l.From][l.Place], s)
	}
	var out []stated
	for _, name := range names {
		var most stated
		for _, list := range places[name] {
			slices.SortStableFunc(list, func(a, b stated) int { return cmp.Compare(b.p, a.p) })
			alone := []float64{list[0].p}
			for _, s := range list[1:] {
				if s.Says != list[0].Says {
					alone = append(alone, s.p)
				}
			}
			if list[0].p = Shared(alone)[0]; list[0].p > most.p {
				most = list[0]
			}
		}
		out = append(out, most)
	}
	return out
}

// ridge and apart are the penalties of weights, and of what families have beside the others: as of
// normal distributions of deviation 2.2. With 3 for the first, looks judged by a fit without them are
// less likely. Boards of lines, which few samples tell, have linesRidge: of deviation 3.
const ridge, apart, linesRidge = 0.2, 0.2, 1.0 / 9

// lines is the family whose boards are lines: of the others all are cells.
const lines = "witness"

// parted are the samples of boards of cells, and those of lines. Those of cells from real pictures,
// nearly all of which are right, count as much together as the right ones from drawn pictures.
func parted(list []line) (cells, lined []Sample) {
	real, drawn := 0.0, 0.0
	for _, l := range list {
		switch {
		case l.Family == lines:
		case l.look() != "":
			real++
		case l.Right:
			drawn++
		}
	}
	for _, l := range list {
		shown := strings.Contains(l.From, " "+l.Family) && !strings.HasPrefix(l.From, "crop")
		s := Sample{Family: l.Family, Evidence: l.Evidence, Right: l.Right, None: !l.Right && !shown, Weight: 1}
		switch {
		case l.Family == lines:
			lined = append(lined, s)
			continue
		case l.look() != "":
			s.Weight = drawn / real
		}
		cells = append(cells, s)
	}
	return cells, lined
}

// refit fits what cells show for all families together, and boards of lines alone.
func refit(list []line) Model {
	cells, lined := parted(list)
	m := Fit(cells, ridge, apart)
	maps.Copy(m, Fit(lined, linesRidge, apart))
	return m
}

// unseen are the likeliest readings of the real pictures of cells, each look judged by a fit without it.
func unseen(list []line) (out []stated) {
	looks := map[string][]line{}
	for _, l := range list {
		if look := l.look(); look != "" && l.Family != lines {
			looks[look] = append(looks[look], l)
		}
	}
	for _, look := range slices.Sorted(maps.Keys(looks)) {
		rest := slices.DeleteFunc(slices.Clone(list), func(l line) bool { return l.look() == look })
		cells, _ := parted(rest)
		out = append(out, best(Fit(cells, ridge, apart), looks[look])...)
	}
	return out
}

func cellLevels(m Model, list []line) map[string]Level {
	cells, _ := parted(list)
	return Levels(m, cells)
}

// TestFit fits the model anew to one half of the samples and compares it with the one that
// comes with the program; MODEL=write writes that. It prints what weighs how much.
// TestSamples in cmd/onlooker writes the samples.
func TestFit(t *testing.T) {
	fit, _, _ := samples(t)
	m := refit(fit)
	if os.Getenv("MODEL") == "write" {
		writeModel(t, "model.json", m)
		return
	}
	compared(t, m)
}

func writeModel(t *testing.T, file string, m Model) {
	t.Helper()
	data, err := json.MarshalIndent(m, "", "\t")
	if err == nil {
		err = os.WriteFile(file, append(data, '\n'), 0o644)
	}
	solvetest.OK(t, err)
	t.Logf("wrote %s: run the test again", file)
}

// compared holds a model that was fitted against what comes with the program.
func compared(t *testing.T, m Model) {
	t.Helper()
	comes := solvetest.Must(Fitted())(t)
	for family, w := range m {
		if _, ok := comes[family]; !ok {
			t.Errorf("%s is not in the model that comes with the program: MODEL=write fits it anew", family)
		}
		t.Logf("%s: bias %+.2f", family, w.Bias)
		have := comes[family]
		near := func(name string, got, want float64) {
			if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("%s: %s weighs %v, want %v: MODEL=write fits it anew", family, name, got, want)
			}
		}
		near("its bias", have.Bias, w.Bias)
		for _, n := range Evidence(w.By).Names() {
			t.Logf("    %+6.2f %s", w.By[n], n)
			near(n, have.By[n], w.By[n])
		}
	}
}

// TestLevels finds the levels of looks of cells from all samples and compares them with those of
// the profiles that come with the program; MODEL=write writes them there, with what they
// were measured on. Those of The Witness go by what its own reader states as well.
func TestLevels(t *testing.T) {
	fit, _, _ := samples(t)
	m := solvetest.Must(Fitted())(t)
	levels := cellLevels(m, fit)
	files, err := filepath.Glob(filepath.Join("..", "..", "calibrations", "*", "profile.toml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no profiles:", err)
	}
	family, section := regexp.MustCompile(`(?m)^family = "(.*)"$`), regexp.MustCompile(`(?s)\n\[levels\][^[]*$`)
	for _, name := range files {
		text := solvetest.Must(os.ReadFile(name))(t)
		l, ok := levels[string(family.FindSubmatch(text)[1])]
		if !ok {
			continue
		}
		want := fmt.Sprintf(`
[levels]                    # how likely a reading must be right; TestLevels in vision/posterior writes these
read = %.3f                # of %d readings, %d of them wrong; of pictures without a board %d are as likely
mouse = %.3f               # the wrong ones have %.3f at the most; as likely as this are %d
`, l.Read, l.Readings, l.Wrong, l.None, l.Mouse, l.Worst, l.Above)
		if os.Getenv("MODEL") == "write" {
			solvetest.OK(t, os.WriteFile(name, section.ReplaceAllLiteral(text, []byte(want)), 0o644))
		} else if !strings.HasSuffix(string(text), want) {
			t.Errorf("%s: want%s; MODEL=write writes it", name, want)
		}
	}
}

// A tenth counts the readings whose stated probability lies within a tenth.
type tenth struct {
	n, right int
	stated   float64
}

func (b *tenth) add(p float64, right bool) {
	b.n++
	b.stated += p
	if right {
		b.right++
	}
}

// log prints a tenth with the 95 % interval of the share that is right, by Wilson.
func (b tenth) log(t *testing.T, i int) (stated, right float64) {
	n := float64(b.n)
	stated, right = b.stated/n, float64(b.right)/n
	const z = 1.96
	middle, off := right+z*z/(2*n), z*math.Sqrt(right*(1-right)/n+z*z/(4*n*n))
	t.Logf("%.1f to %.1f: %5d, stated %.3f, right %.3f (%.3f to %.3f)", float64(i)/10, float64(i+1)/10, b.n, stated, right,
		(middle-off)/(1+z*z/n), (middle+off)/(1+z*z/n))
	return stated, right
}

// TestStated compares what is stated with what is right, of the best reading of each picture, on
// fresh pictures and on shared screens, each look of which is judged by a fit without it: tenths
// with 100 readings or more differ by 3 points at the most, smaller ones lie within the 95 %
// interval of the share that is stated. No reading of cells is wrong above the level for the mouse.
func TestStated(t *testing.T) {
	fit, test, fresh := samples(t)
	m := solvetest.Must(Fitted())(t)
	levels := cellLevels(m, fit)
	list := best(m, slices.Concat(test, fresh))
	for _, s := range unseen(fit) {
		if strings.HasPrefix(s.From, "screen") {
			list = append(list, s)
		}
	}
	var all [10]tenth
	for _, s := range list {
		all[min(9, int(10*s.p))].add(s.p, s.Right)
		if s.Right {
			continue
		}
		if s.p > 0.6 {
			t.Logf("%.3f %s as %s: %v", s.p, s.From, s.Family, s.Evidence)
		}
		if level := levels[s.Family].Mouse; s.p >= level && s.Family != lines {
			t.Errorf("%s: wrong as %s, %.3f sure, where the mouse wants %.3f", s.From, s.Family, s.p, level)
		}
	}
	for i, b := range all {
		if b.n == 0 {
			continue
		}
		n := float64(b.n)
		stated, right := b.log(t, i)
		allowed := 0.03
		if b.n < 100 {
			allowed = 1.96*math.Sqrt(stated*(1-stated)/n) + 0.5/n
		}
		if math.Abs(stated-right) > allowed {
			t.Errorf("%.1f to %.1f: stated %.3f, right %.3f of %d, want a difference of %.3f at the most", float64(i)/10, float64(i+1)/10, stated, right, b.n, allowed)
		}
	}
}

// TestShared: at most one reading of a place is right.
func TestShared(t *testing.T) {
	for _, row := range []struct {
		why        string
		alone, got []float64
	}{
		{"one alone keeps its probability", []float64{0.8}, []float64{0.8}},
		{"two as likely share theirs with no board", []float64{0.5, 0.5}, []float64{1.0 / 3, 1.0 / 3}},
		{"a sure one leaves little", []float64{0.99, 0.5}, []float64{0.9802, 0.0099}},
	} {
		got := Shared(row.alone)
		for i := range got {
			if math.Abs(got[i]-row.got[i]) > 1e-3 {
				t.Errorf("%s: got %v, want %v", row.why, got, row.got)
			}
		}
	}
}

// TestOf: evidence that a model does not have weighs nothing, a family that it does not
// have has no probability, and no probability is more than so many readings allow.
func TestOf(t *testing.T) {
	m := Model{"a": {Bias: 0, By: map[string]float64{"good": 3, "bad": -2}, Most: 0.95}}
	for _, row := range []struct {
		family string
		e      Evidence
		want   float64
	}{
		{"a", nil, 0.5},
		{"a", Evidence{"other": 7}, 0.5},
		{"a", Evidence{"bad": 1}, 1 / (1 + math.Exp(2))},
		{"a", Evidence{"good": 9}, 0.95},
		{"b", Evidence{"good": 9}, 0},
	} {
		if got := m.Of(row.family, row.e); math.Abs(got-row.want) > 1e-9 {
			t.Errorf("%s %v: got %v, want %v", row.family, row.e, got, row.want)
		}
	}
}

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
		for i := range bend {
			bend[i] = append(bend[i], slope[i])
		}
		step, _ := vision.Solve(bend, 0) // a penalty for every weight: there is one
		for i, v := range step {
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

// A refusal is a board that could not be read: of which picture it is, whose board that shows,
// and whose reader refused it.
type refusal struct {
	From, Shows, Family string
	Evidence            Evidence
}

// look is the look of a refusal's picture: its name without numbers.
func (r refusal) look() string {
	name := r.From[strings.LastIndexAny(r.From, " /")+1:]
	if at := strings.IndexAny(name, "0123456789_"); at > 0 {
		return name[:at]
	}
	return r.From // drawn, each in a look of its own
}

// fewest is how many samples have an evidence that is fitted.
const fewest = 8

// fitRefused fits how likely boards of each family are such.
func fitRefused(list []refusal) Model {
	count := map[string]int{}
	for _, r := range list {
		for n := range r.Evidence {
			count[r.Family+n]++
		}
	}
	var samples []Sample
	for _, r := range list {
		e := Evidence{}
		for n, v := range r.Evidence {
			if count[r.Family+n] >= fewest {
				e[n] = v
			}
		}
		samples = append(samples, Sample{Family: Refused(r.Family), Evidence: e, Right: r.Family == r.Shows, Weight: 1})
	}
	return Fit(samples, ridge, apart)
}

// TestRefused fits the weights of refusals anew and compares them with those that come with the
// program; MODEL=write writes them. TestRefusedSamples in cmd/onlooker writes the samples. Of
// pictures of looks that nothing was fitted to, one of five at a time, at least 7 of 10 are
// told as their family's.
func TestRefused(t *testing.T) {
	all := samplesIn[refusal](t, "refused.jsonl.gz")
	m := fitRefused(all)
	if os.Getenv("MODEL") == "write" {
		writeModel(t, "refused.json", m)
		return
	}
	compared(t, m)
	fold := func(r refusal) uint32 {
		h := fnv.New32a()
		h.Write([]byte(r.look()))
		return h.Sum32() % 5
	}
	best := map[string]refusal{} // by picture
	odds := map[string]float64{}
	for k := range uint32(5) {
		var fit []refusal
		for _, r := range all {
			if fold(r) != k {
				fit = append(fit, r)
			}
		}
		m := fitRefused(fit)
		for _, r := range all {
			if v := m.LogOdds(Refused(r.Family), r.Evidence); fold(r) == k && (best[r.From].From == "" || v > odds[r.From]) {
				best[r.From], odds[r.From] = r, v
			}
		}
	}
	type share struct{ right, all int }
	shares, screens := map[string]share{}, share{}
	for _, r := range best {
		s := shares[r.Shows]
		if s.all++; r.Family == r.Shows {
			s.right++
		}
		shares[r.Shows] = s
		if strings.HasPrefix(r.From, "screen") {
			if screens.all++; r.Family == r.Shows {
				screens.right++
			}
		}
	}
	for family, s := range shares {
		t.Logf("%s: %d of %d", family, s.right, s.all)
	}
	if t.Logf("screens: %d of %d", screens.right, screens.all); 10*screens.right < 7*screens.all {
		t.Errorf("%d of %d are told as their family's, want 7 of 10", screens.right, screens.all)
	}
}
