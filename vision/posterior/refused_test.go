package posterior

import (
	"hash/fnv"
	"os"
	"strings"
	"testing"
)

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
