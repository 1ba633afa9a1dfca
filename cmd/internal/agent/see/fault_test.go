package see

import (
	"errors"
	"image"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
)

// A reader or a scan that panics, on a goroutine of its own or not, is an error that
// says where, and what another family reads of the same frame is kept.
func TestPanicsWhileReading(t *testing.T) {
	frame := agenttest.Board(t, agenttest.Squares, 0)
	broken := func() { vision.SideBySide(3, func(i int) { _ = []int{}[i] }) }
	lines := func(name string, read func()) (Game, *calibrations.Profile) {
		look := *agenttest.Profile(t)
		look.Family = name
		return Game{Family: &solve.Family{Name: name}, NewReader: func(*calibrations.Profile) Reader {
			read()
			return &needs{want: 1, puzzle: &one{text: name}}
		}}, &look
	}
	cells := func(name string, scan func()) (Game, *calibrations.Profile) {
		return Game{Family: &solve.Family{Name: name}, Scan: func(*grid.Scene, int, []*calibrations.Profile) []claims.Reading {
			scan()
			b := &vision.Board{Cols: 2, Rows: 2, Quad: [4]vision.Point{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 9, Y: 9}, {X: 1, Y: 9}}}
			return []claims.Reading{{Board: b, Puzzle: &one{text: name, solve: func() (solve.Solution, error) { return nil, nil }}}}
		}}, &calibrations.Profile{Name: name, Family: name}
	}
	fine := func() {}
	for _, row := range []struct {
		why   string
		first func(string, func()) (Game, *calibrations.Profile)
		do    func()
		other func(string, func()) (Game, *calibrations.Profile)
		read  int  // boards of the other family
		told  bool // what panicked, and where
	}{
		{"a reader, nothing beside it", lines, broken, nil, 0, true},
		{"a scan, nothing beside it", cells, broken, nil, 0, true},
		{"a reader, a scan beside it", lines, broken, cells, 1, false},
		{"a scan, a reader beside it, which settles the frame", cells, broken, lines, 1, false},
		{"a scan, a scan beside it", cells, broken, cells, 1, true},
	} {
		e := &Eye{}
		add := func(g Game, p *calibrations.Profile) {
			e.Games, e.Profiles = append(e.Games, g), append(e.Profiles, p)
		}
		add(row.first("first", row.do))
		if row.other != nil {
			add(row.other("other", fine))
		}
		sight, err := e.Look(image.Image(frame), Millis{})
		read, fault := 0, err
		if sight != nil {
			read, fault = sight.Read(), errors.Join(err, sight.Broken)
			for _, r := range sight.Readings {
				fault = errors.Join(fault, r.Err)
			}
		}
		if read != row.read {
			t.Errorf("%s: %d boards read, want %d", row.why, read, row.read)
		}
		if row.told && (!errors.As(fault, new(*vision.Fault)) || !strings.Contains(fault.Error(), "(fault_test.go:")) {
			t.Errorf("%s: %v, want what panicked and where", row.why, fault)
		}
	}
}
