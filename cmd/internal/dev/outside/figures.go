package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// A figure is what was measured: a cell each, "" where there is none.
type figure struct {
	cases, right, refused, wrong, took string
	commit, day                        string
}

// A row is something that a README claims.
type row struct {
	key, what string
	table     string   // the README that has it
	front     bool     // the front door, too
	code      []string // the paths that it speaks of
	measure   func(m *measurer) (figure, error)
}

var (
	ofReading = []string{"vision", "calibrations", ":!*_test.go"}
	ofSolving = []string{"solve", ":!*_test.go"}
)

// rows lists everything that is claimed.
func rows() []row {
	return []row{
		{"captures-flat", "boards in captures of the game", "vision", true, ofReading, outside("captures")},
		{"captures-pillars", "pillars in captures, three views each", "vision", true, ofReading, outside("captures-pillars")},
		{"site-light", "panels of witnesspuzzles.com, light theme", "vision", true, ofReading, outside("site-light-auto")},
		{"site-night", "the same, night theme", "vision", false, ofReading, outside("site-night")},
		{"site-pillars", "pillars of its Challenge", "vision", false, ofReading, outside("site-pillars")},
		{"screens-flow", "screens of Flow and Numberlink", "vision", true, ofReading, outside("screens-flow")},
		{"screens-switches", "screens of Lights Out", "vision", true, ofReading, outside("screens-switches")},
		{"screens-alcazar", "screens of Alcazar", "vision", true, ofReading, outside("screens-alcazar")},
		{"screens-fans", "screens of fans", "vision", false, ofReading, outside("screens-fans")},
		{"nothing", "pictures without a puzzle", "vision", false, ofReading, outside("nothing")},
		{"looks", "panels in eight looks of others, as they come", "vision", false, ofReading, outside("looks")},
		{"looks-calibrated", "the same after calibrate with eight pictures", "vision", true, ofReading, outside("looks-calibrated")},
		{"read", "a frame of 1920×1080 located and read, median", "vision", true, ofReading, bench("./cmd/onlooker", "Look/captured$", "both-median-ms")},
		{"published", "panels that people published", "solve", true, ofSolving, outside("published")},
		{"corpora", "panels of The Windmill and witnesspuzzles.com, all of them", "solve", false, ofSolving, bench("./solve/witness", "Corpora", "ns/op")},
		{"challenge", "a whole Challenge dealt and solved", "solve", false, ofSolving, bench("./solve/witness/deal", "Challenge", "ns/op")},
		{"fans", "the fans' shrine", "solve", false, ofSolving, bench("./solve/fans", "Shrine", "ns/op")},
		{"flow", "a dealt Flow board", "solve", false, ofSolving, bench("./solve/flow", "Family", "ns/op")},
		{"alcazar", "a dealt Alcazar board", "solve", false, ofSolving, bench("./solve/alcazar", "Family", "ns/op")},
		{"switches", "a Lights Out grid, the fewest flips", "solve", false, ofSolving, bench("./solve/switches", "Grid", "ns/op")},
	}
}

// A measurer holds the sets against their truth.
type measurer struct {
	program *onlooker
	shared  string
}

// outside is a row that a set of ../shared gives, every board of it.
func outside(name string) func(m *measurer) (figure, error) {
	return func(m *measurer) (figure, error) {
		all := sets()
		sum, _, err := all[slices.IndexFunc(all, func(s set) bool { return s.name == name })].measure(m.program, m.shared, true, false)
		return figure{cases: strconv.Itoa(sum.boards), right: strconv.Itoa(sum.exact), refused: strconv.Itoa(sum.unsure), wrong: strconv.Itoa(sum.wrong), took: fmt.Sprintf("%.0f s", sum.seconds)}, err
	}
}

// bench is a row that benchmarks give, of five runs each: the middle of their medians of a unit.
func bench(pkg, name, unit string) func(m *measurer) (figure, error) {
	return func(*measurer) (figure, error) {
		run := exec.Command("go", "test", pkg, "-run", "^$", "-bench", name, "-benchtime", "1x", "-count", "5", "-timeout", "20m")
		out, err := run.Output()
		if err != nil {
			return figure{}, fmt.Errorf("%s: %w: %s", run, err, out)
		}
		millis, n, err := medianOf(out, unit)
		if err != nil {
			return figure{}, fmt.Errorf("%w in\n%s", err, out)
		}
		took := fmt.Sprintf("%.3g ms", millis)
		if millis >= 1000 {
			took = fmt.Sprintf("%.3g s", millis/1000)
		}
		return figure{cases: strconv.Itoa(n), took: took}, nil
	}
}

// medianOf reads what benchmarks print: the middle of the medians of a unit in milliseconds, and
// of how many benchmarks.
func medianOf(out []byte, unit string) (millis float64, n int, err error) {
	runs := map[string][]float64{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		for i := 3; i < len(fields) && strings.HasPrefix(line, "Benchmark"); i += 2 {
			if fields[i] != unit {
				continue
			}
			v, err := strconv.ParseFloat(fields[i-1], 64)
			if err != nil {
				return 0, 0, err
			}
			runs[fields[0]] = append(runs[fields[0]], v)
		}
	}
	if len(runs) == 0 {
		return 0, 0, fmt.Errorf("no %s", unit)
	}
	var medians []float64
	for _, v := range runs {
		slices.Sort(v)
		medians = append(medians, v[len(v)/2])
	}
	slices.Sort(medians)
	if millis = medians[len(medians)/2]; unit == "ns/op" {
		millis /= 1e6
	}
	return millis, len(medians), nil
}

func readFigures(file string) (map[string]figure, error) {
	known := make(map[string]figure)
	return known, readTSV(file, 8, func(p []string) {
		known[p[0]] = figure{p[1], p[2], p[3], p[4], p[5], p[6], p[7]}
	})
}

func writeFigures(file string, known map[string]figure) error {
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(known)) {
		f := known[key]
		fmt.Fprintln(&out, strings.Join([]string{key, f.cases, f.right, f.refused, f.wrong, f.took, f.commit, f.day}, "\t"))
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}
