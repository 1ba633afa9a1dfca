package posterior

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A line is a reading of the samples: what picture it is from, and whether it is right.
type line struct {
	From, Family string
	Right        bool
	Evidence     Evidence
}

// samples are the readings that the model is fitted to, and others that it is tested on:
// a half of the pictures each, by a hash of their names.
func samples(t *testing.T) (fit, test []Sample) {
	t.Helper()
	for _, l := range samplesIn[line](t, "samples.jsonl.gz") {
		h := fnv.New32a()
		h.Write([]byte(l.From))
		shown := strings.HasPrefix(l.From, "drawn "+l.Family) || strings.HasPrefix(l.From, "screen "+l.Family)
		s := Sample{l.Family, l.Evidence, l.Right, !l.Right && !shown}
		if h.Sum32()%2 == 0 {
			fit = append(fit, s)
		} else {
			test = append(test, s)
		}
	}
	return fit, test
}

// samplesIn are those of a file.
func samplesIn[T any](t *testing.T, file string) (out []T) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(z); d.More(); {
		var l T
		if err := d.Decode(&l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// ridge is the penalty of weights: as of a normal distribution of deviation 3.
const ridge = 1.0 / 9

// TestFit fits the model anew to one half of the samples and compares it with the one that
// comes with the program; MODEL=write writes that. It prints what weighs how much.
// TestSamples in cmd/onlooker writes the samples.
func TestFit(t *testing.T) {
	fit, _ := samples(t)
	m := Fit(fit, ridge)
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
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("wrote %s: run the test again", file)
}

// compared holds a model that was fitted against what comes with the program.
func compared(t *testing.T, m Model) {
	t.Helper()
	comes, err := Fitted()
	if err != nil {
		t.Fatal(err)
	}
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
	fit, test := samples(t)
	m, err := Fitted()
	if err != nil {
		t.Fatal(err)
	}
	levels := Levels(m, append(fit, test...))
	files, err := filepath.Glob(filepath.Join("..", "..", "calibrations", "*", "profile.toml"))
	if err != nil || len(files) == 0 {
		t.Fatal("no profiles:", err)
	}
	family, section := regexp.MustCompile(`(?m)^family = "(.*)"$`), regexp.MustCompile(`(?s)\n\[levels\][^[]*$`)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		l, ok := levels[string(family.FindSubmatch(text)[1])]
		if !ok || string(family.FindSubmatch(text)[1]) == "witness" {
			continue
		}
		want := fmt.Sprintf(`
[levels]                    # how likely a reading must be right; TestLevels in vision/posterior writes these
read = %.3f                # of %d readings, %d of them wrong, those of pictures without a board have %.3f at the most
mouse = %.3f               # the wrong ones have %.3f at the most; as likely as this are %d
`, l.Read, l.Readings, l.Wrong, l.None, l.Mouse, l.Worst, l.Above)
		if os.Getenv("MODEL") == "write" {
			if err := os.WriteFile(name, section.ReplaceAllLiteral(text, []byte(want)), 0o644); err != nil {
				t.Fatal(err)
			}
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

// TestStated compares what is stated with what is right, on the half of the samples that
// nothing was fitted to: tenths with 100 readings or more differ by 3 points at the most,
// smaller ones lie within the 95 % interval of the share that is stated.
func TestStated(t *testing.T) {
	_, test := samples(t)
	m, err := Fitted()
	if err != nil {
		t.Fatal(err)
	}
	var all [10]tenth
	for _, s := range test {
		p := m.Of(s.Family, s.Evidence)
		all[min(9, int(10*p))].add(p, s.Right)
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
	if got := m.Against("a", Evidence{"good": 1, "bad": 1}); got != "bad" {
		t.Errorf("got %q against it, want \"bad\"", got)
	}
}
