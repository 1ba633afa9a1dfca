package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A figure is what was measured: a cell each, "" where there is none.
type figure struct {
	cases, right, refused, wrong, took string
	commit, day, machine               string
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
		{"read", "a frame of 1920×1080 located and read, median", "vision", true, ofReading, bench("./cmd/onlooker", "Look/captured$", "both-median-ms", "ms")},
		{"published", "panels that people published", "solve", true, ofSolving, outside("published")},
		{"corpora", "panels of The Windmill and witnesspuzzles.com, all of them", "solve", false, ofSolving, bench("./solve/witness", "Corpora", "sec/op", "s")},
		{"challenge", "a whole Challenge dealt and solved", "solve", false, ofSolving, bench("./solve/witness/deal", "Challenge", "sec/op", "s")},
		{"fans", "the fans' shrine", "solve", false, ofSolving, bench("./solve/fans", "Shrine", "sec/op", "s")},
		{"flow", "a dealt Flow board", "solve", false, ofSolving, bench("./solve/flow", "Family", "sec/op", "s")},
		{"alcazar", "a dealt Alcazar board", "solve", false, ofSolving, bench("./solve/alcazar", "Family", "sec/op", "s")},
		{"switches", "a Lights Out grid, the fewest flips", "solve", false, ofSolving, bench("./solve/switches", "Grid", "sec/op", "s")},
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

// benchRuns is how often a benchmark runs; benchstat gives the median.
const benchRuns = 5

// bench is a row that benchmarks give: the geometric mean of a unit's medians
// over those whose names match.
func bench(pkg, name, unit, suffix string) func(m *measurer) (figure, error) {
	return func(*measurer) (figure, error) {
		run := exec.Command("go", "test", pkg, "-run", "^$", "-bench", name, "-benchtime", "1x", "-count", strconv.Itoa(benchRuns), "-timeout", "20m")
		out, err := run.Output()
		if err != nil {
			return figure{}, fmt.Errorf("%s: %w: %s", run, err, out)
		}
		folder, err := os.MkdirTemp("", "figures-")
		if err != nil {
			return figure{}, err
		}
		defer os.RemoveAll(folder)
		file := filepath.Join(folder, "bench.txt")
		if err := os.WriteFile(file, out, 0o600); err != nil {
			return figure{}, err
		}
		table, err := exec.Command("go", "tool", "benchstat", "-format", "csv", file).Output()
		if err != nil {
			return figure{}, fmt.Errorf("benchstat: %w", err)
		}
		value, n, err := medianOf(table, unit)
		if err != nil {
			return figure{}, fmt.Errorf("%w in\n%s", err, table)
		}
		if suffix == "s" && value < 1 {
			value, suffix = value*1000, "ms"
		}
		return figure{cases: strconv.Itoa(n), took: fmt.Sprintf("%.3g %s", value, suffix)}, nil
	}
}

var number = regexp.MustCompile(`^[0-9.]+(e[-+]?[0-9]+)?$`)

// medianOf reads benchstat's CSV: the middle of the medians of a unit, and of how
// many benchmarks.
func medianOf(table []byte, unit string) (float64, int, error) {
	reader := csv.NewReader(bytes.NewReader(table))
	reader.FieldsPerRecord = -1
	var values []float64
	in := false
	for {
		fields, err := reader.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, err
		}
		switch {
		case len(fields) > 1 && fields[0] == "" && !number.MatchString(fields[1]):
			if fields[1] != "CI" && !strings.HasSuffix(fields[1], ".txt") {
				in = fields[1] == unit
			}
		case in && len(fields) > 1 && fields[0] != "geomean" && number.MatchString(fields[1]):
			v, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				return 0, 0, err
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return 0, 0, fmt.Errorf("no %s", unit)
	}
	slices.Sort(values)
	return values[len(values)/2], len(values), nil
}

func readFigures(file string) (map[string]figure, error) {
	known := make(map[string]figure)
	return known, readTSV(file, 9, func(p []string) {
		known[p[0]] = figure{p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]}
	})
}

func writeFigures(file string, known map[string]figure) error {
	var out strings.Builder
	for _, key := range slices.Sorted(maps.Keys(known)) {
		f := known[key]
		fmt.Fprintln(&out, strings.Join([]string{key, f.cases, f.right, f.refused, f.wrong, f.took, f.commit, f.day, f.machine}, "\t"))
	}
	return os.WriteFile(file, []byte(out.String()), 0o644)
}
