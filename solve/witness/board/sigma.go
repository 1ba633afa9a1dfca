package board

import (
	"math"

	"onlooker/solve"
)

// The kinds of the randomizers.
var (
	// Arrow: its ray meets the line as often as it has heads.
	Arrow = NewKind(Facts{
		Name: "arrow", Called: "an arrow", Shape: "arrow",
		Rule:    solve.Rule{Name: "arrow", Doc: "The line meets an arrow's ray as often as it has heads."},
		Broken:  "its ray meets the line another number of times",
		Implied: "purple", Most: 4, Ways: 8, Site: "arrow",
		By: &Columns{Scope: Ray, Pick: PickLine, Test: "= n"},
		Figure: &Figure{Mark: "➔", Count: "heads", Back: 0.32, Shift: 0.075,
			Once: [][]Vec{{{-0.64, -0.08}, {0.32, -0.08}, {0.32, 0.08}, {-0.64, 0.08}}},
			Each: [][]Vec{{{0.64, 0}, {0.16, -0.48}, {-0.08, -0.48}, {0.32, -0.08}, {0.32, 0.08}, {-0.08, 0.48}, {0.16, 0.48}}}},
	})
	// AntiTriangle: as many corners of its cell are turned at as it has triangles.
	AntiTriangle = NewKind(Facts{
		Name: "antitriangle", Called: "antitriangles", Shape: "antitriangle",
		Rule:    solve.Rule{Name: "antitriangle", Doc: "The line turns at as many corners of a cell as it has antitriangles."},
		Broken:  "the line turns at another number of corners",
		Implied: White, Most: 4, Site: "atriangle",
		By:     &Columns{Scope: Corners, Pick: PickTurn, Stub: true, Test: "= n"},
		Figure: &Figure{Mark: "▽", Count: "steps", Each: [][]Vec{{{-0.25, -0.2}, {0.25, -0.2}, {0, 0.2}}}},
	})
	// Cave: as many cells are seen from its cell.
	Cave = NewKind(Facts{
		Name: "cave", Called: "a cave", Shape: "cave",
		Rule:    solve.Rule{Name: "cave", Doc: "From a cave's cell as many cells are seen, up to the line, as it says, itself included."},
		Broken:  "another number of cells is seen from it",
		Implied: White, Most: 9, Behind: true,
		By: &Columns{Scope: Rays, Pick: PickSeen, Until: Hole, Itself: true, Test: "= n"},
		Figure: &Figure{Mark: "◇", Count: "steps", Each: [][]Vec{{{0.175, 0}, {0, 0.175}, {-0.175, 0}, {0, -0.175}}},
			Once: [][]Vec{{{-0.2, -0.8}, {0.2, -0.8}, {0, -0.9}}, {{0.8, -0.2}, {0.8, 0.2}, {0.9, 0}}, {{-0.2, 0.8}, {0.2, 0.8}, {0, 0.9}}, {{-0.8, -0.2}, {-0.8, 0.2}, {-0.9, 0}}}},
	})
	// Mines: as many of the cells round it lie in other regions.
	Mines = NewKind(Facts{
		Name: "mines", Called: "mines", Shape: "mines",
		Rule:    solve.Rule{Name: "mines", Doc: "As many of the up to eight cells round mines lie in other regions as they say."},
		Broken:  "another number of the cells round it lies in other regions",
		Implied: White, Most: 8, Zero: true, Behind: true,
		By:     &Columns{Scope: Around, Pick: PickOther, Test: "= n"},
		Figure: &Figure{Mark: "#", Count: "digit"},
	})
	// Flower: the others of its colour in its region stand in its row or in its column.
	Flower = NewKind(Facts{
		Name: "flower", Called: "a flower", Shape: "flower",
		Rule:   solve.Rule{Name: "flower", Doc: "The symbols of a flower's colour in its region, at least one beside it, stand all in its row, or all in its column."},
		Broken: "the symbols of its colour stand in more than its row or its column, or there are none",
		Needs:  true, Site: "pokerchip",
		By:     &Columns{Scope: All, Pick: PickSymbol, OwnColour: true, Fold: Lined},
		Figure: &Figure{Mark: "✿", Each: petals()},
	})
	// Dart: as many of the cells ahead are of its region.
	Dart = NewKind(Facts{
		Name: "dart", Called: "a dart", Shape: "dart",
		Rule:    solve.Rule{Name: "dart", Doc: "As many of the cells in a dart's direction are of its own region as there are darts."},
		Broken:  "another number of the cells ahead is of its region",
		Implied: White, Most: 4, Ways: 8, Site: "dart",
		By:     &Columns{Scope: Ray, Pick: PickOwn, Until: Hole, Test: "= n"},
		Figure: &Figure{Mark: "»", Count: "row", Each: [][]Vec{{{0.255, 0}, {-0.255, -0.255}, {-0.085, 0}, {-0.255, 0.255}}}},
	})
)

// petals are the six of a flower, each with a fin, round a hollow middle.
func petals() (all [][]Vec) {
	petal := []Vec{{-0.34, 1.25}, {0.34, 1.25}, {1.54, 2.67}, {0.7, 3.15}, {0, 2.67}, {-0.7, 3.15}, {-1.54, 2.67}}
	fin := []Vec{{1.54, 2.67}, {1.08, 1.38}, {0.65, 1.62}}
	for i := range 6 {
		sin, cos := math.Sincos(math.Pi/6 + float64(i)*math.Pi/3)
		for _, part := range [][]Vec{petal, fin} {
			var turned []Vec
			for _, v := range part {
				turned = append(turned, Vec{0.21 * (v.X*cos - v.Y*sin), -0.21 * (v.X*sin + v.Y*cos)})
			}
			all = append(all, turned)
		}
	}
	return all
}
