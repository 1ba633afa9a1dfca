// Package looktest draws panels the way a client might that has nothing in
// common with ours: every shape, proportion and convention is a parameter of a
// Look. It writes HTML for a browser to draw, so that neither our shapes nor
// our rasteriser have a part in the pictures. It is for tests of the reader.
//
// Lengths are ratios of the pitch, the distance from one node to the next,
// unless they say something else. Colours are in a style sheet's writing.
package looktest

import (
	"bytes"
	_ "embed" // the list of looks
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2"

	witness "onlooker/solve/witness/board"
)

// A Look is one way to draw panels.
type Look struct {
	Name   string `toml:"name"`  // without a hyphen: it begins names of files
	Pitch  [2]int `toml:"pitch"` // of its pictures in pixels, from and to
	Page   Page   `toml:"page"`
	Ground Ground `toml:"ground"`
	Line   Line   `toml:"line"`
	Start  Start  `toml:"start"`
	Cap    Cap    `toml:"cap"`
	Break  Break  `toml:"break"`
	Dot    Dot    `toml:"dot"`
	Shapes
	// Outline goes round every symbol.
	Outline Stroke  `toml:"outline"`
	Effects Effects `toml:"effects"`
	// Inks are the colours of symbols by their names.
	Inks map[witness.Colour]string `toml:"inks"`
}

// A Stroke is a line round a shape; a width of 0 is none.
type Stroke struct {
	Ink   string  `toml:"ink"`
	Width float64 `toml:"width"`
}

// Page is what is round the board.
type Page struct {
	Kind string `toml:"kind"` // "", "web", "book" or "game"
	Fill string `toml:"fill"`
	Text string `toml:"text"`
}

// Ground is what lines and symbols are drawn on.
type Ground struct {
	Outside string  `toml:"outside"` // of the whole plate; "" is the page's
	Cell    string  `toml:"cell"`    // from the outermost line inwards; "" is as outside
	Margin  float64 `toml:"margin"`  // of the plate beyond the outermost nodes
	Radius  float64 `toml:"radius"`  // of the plate's corners
	Rim     Stroke  `toml:"rim"`     // round the plate
	Texture string  `toml:"texture"` // "", "noise", "stripes", "checks", "gradient" or "radial"
	Second  string  `toml:"second"`  // the texture's colour
	// Tile is a plate of its own within each cell: its side and its corners'
	// radius.
	Tile       float64 `toml:"tile"`
	TileRadius float64 `toml:"tile-radius"`
	TileFill   string  `toml:"tile-fill"`
}

// Line is how lines are drawn.
type Line struct {
	Ink    string  `toml:"ink"`
	Width  float64 `toml:"width"`
	Corner string  `toml:"corner"` // "round" or "sharp"
	Edge   Stroke  `toml:"edge"`   // round all of the line work
	Core   Stroke  `toml:"core"`   // along the middle of each line
	Node   float64 `toml:"node"`   // radius of a disc on each node; 0 is none
}

// Start is how starts are drawn.
type Start struct {
	Radius float64 `toml:"radius"`
	Shape  string  `toml:"shape"` // "disc" or "octagon"
	Inner  string  `toml:"inner"` // colour of a disc within; "" is none
	Share  float64 `toml:"share"` // of the radius, of that disc
	// Own and Other are the colours on panels with two lines; "" is the line's.
	Own   string `toml:"own"`
	Other string `toml:"other"`
}

// Cap is how ends are drawn.
type Cap struct {
	Length float64 `toml:"length"` // from the node to the tip
	Width  float64 `toml:"width"`  // in line widths
	End    string  `toml:"end"`    // "round", "flat", "point" or "ball"
	Ball   float64 `toml:"ball"`   // radius of the ball
}

// Break is how a broken edge is drawn.
type Break struct {
	Kind   string  `toml:"kind"`   // "gap", "round", "bars", "notch", "thin" or "slash"
	Length float64 `toml:"length"` // of what is cut out
	Neck   float64 `toml:"neck"`   // in line widths, what a notch or a thin stretch leaves
	Bar    float64 `toml:"bar"`    // length of a bar
}

// Dot is how dots on the lines are drawn.
type Dot struct {
	Shape  string  `toml:"shape"` // "disc", "hexagon", "pointed" (a hexagon on its tip), "diamond" or "ring"
	Size   float64 `toml:"size"`  // tip to tip
	Ink    string  `toml:"ink"`
	Own    string  `toml:"own"`
	Other  string  `toml:"other"`
	Stroke Stroke  `toml:"stroke"` // round each
}

// Effects are what the screen, the camera and the file do to a picture.
type Effects struct {
	Glow  float64 `toml:"glow"`  // radius of the light round lines and symbols
	Scan  float64 `toml:"scan"`  // strength of a tube's lines, 0 to 1
	Blur  float64 `toml:"blur"`  // pixels
	JPEG  int     `toml:"jpeg"`  // quality; 0 is a PNG
	Slant float64 `toml:"slant"` // most degrees that the board is turned away, in pictures to be read
	Shade float64 `toml:"shade"` // how much darker one side is, 0 to 1
}

//go:embed looks.toml
var list []byte

// Looks are the looks of the list.
func Looks() ([]Look, error) {
	var all struct {
		Look []Look `toml:"look"`
	}
	d := toml.NewDecoder(bytes.NewReader(list)).DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) {
			return nil, fmt.Errorf("looks.toml: %s", strict.String())
		}
		return nil, fmt.Errorf("looks.toml: %w", err)
	}
	return all.Look, nil
}
