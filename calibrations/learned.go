package calibrations

import (
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// Learned is what of a look was learned from labelled pictures: templates, and
// where values of what is there and of what is not divide.
type Learned struct {
	Forms  []Form   `toml:"forms,omitempty"`
	Pieces []Piece  `toml:"pieces,omitempty"`
	Places []Places `toml:"places,omitempty"`
	// Dots are the colours of dots, as #rrggbb, that any line may take, the player's, and
	// the other's.
	Dots [3][]string `toml:"dots"`
	// Outline is the colour in which symbols are outlined, as #rrggbb; "" where it is none of
	// its own.
	Outline string `toml:"outline,omitempty"`
	// Ground is the pattern of an empty cell, as what shines into it from the lines or
	// a tile in it: by how much each place is off the middle's colour, in shares of the
	// most. GroundFile is "" where there is no pattern.
	Ground     *image.Gray `toml:"-"`
	GroundFile string      `toml:"ground,omitempty"`
	// Drawn is where something is drawn on most empty cells, as a line along their border:
	// nothing of a symbol is looked for there. DrawnFile is "" where nothing is.
	Drawn     *image.Gray `toml:"-"`
	DrawnFile string      `toml:"drawn,omitempty"`
	// Loose says that symbols stand anywhere in their cells, not in the middle.
	Loose bool `toml:"loose,omitempty"`
	// Divides are, by name, the greatest value seen where something is not, and the
	// least where it is.
	Divides map[string]Range `toml:"divides,omitempty"`
	// Apart are the pairs of its colours, by their numbers in Shades, that were seen to be two
	// on one board, the lesser number first.
	Apart [][2]int `toml:"apart,omitempty"`
	// Exact says that what was not learned looks as the profile's numbers say, in any
	// colour: otherwise they are another look's.
	Exact bool `toml:"exact,omitempty"`
}

// Count says how many forms of what were learned: "12 forms of borders (5 open, 7 wall)".
func (p *Places) Count() string {
	n := map[string]int{}
	for _, l := range p.Labels {
		n[l]++
	}
	var parts []string
	for _, l := range slices.Sorted(maps.Keys(n)) {
		parts = append(parts, fmt.Sprintf("%d %s", n[l], l))
	}
	return fmt.Sprintf("%d forms of %ss (%s)", len(p.Labels), p.Name, strings.Join(parts, ", "))
}

// Any tells whether anything was learned.
func (l *Learned) Any() bool { return len(l.Forms)+len(l.Pieces)+len(l.Divides) > 0 }

// An Ink is where a symbol has its colour.
type Ink string

// The inks.
const (
	InkDeep  Ink = ""      // deepest within its outline
	InkSolid Ink = "solid" // deepest within what is drawn
	InkDrawn Ink = "drawn" // all over what is drawn
	InkFill  Ink = "fill"  // where it is not the outline's
)

// A Form is one appearance of a symbol.
type Form struct {
	Kind    string      `toml:"kind"`
	Count   int         `toml:"count,omitempty"`
	Way     []int       `toml:"way,omitempty"`    // its direction, x and y down; nil: it has none
	Seen    int         `toml:"seen"`             // sightings that the mask is the mean of
	Floor   float64     `toml:"floor"`            // least correlation
	Least   float64     `toml:"least,omitempty"`  // of the sightings; 0: not known
	Colours []string    `toml:"colours"`          // that were seen, as #rrggbb
	Shades  []int       `toml:"shades,omitempty"` // of each of them which of the look's colours it is; nil: not known
	Ink     Ink         `toml:"ink,omitempty"`
	File    string      `toml:"mask"` // its file in the profile's folder
	Mask    *image.Gray `toml:"-"`
	// EdgeFile and Edge are, of a symbol that is outlined in a colour of its own, how much of
	// that shows; then the mask is how much of the symbol's.
	EdgeFile string      `toml:"edge,omitempty"`
	Edge     *image.Gray `toml:"-"`
}

// A Piece is how pieces of one kind are drawn: squares on a grid.
type Piece struct {
	Kind     string      `toml:"kind"`
	Turnable bool        `toml:"turnable,omitempty"`
	Spacing  float64     `toml:"spacing"`        // pitches from square to square
	Room     float64     `toml:"room,omitempty"` // pitches; a longer piece is drawn as much smaller; 0: none is
	Tilt     float64     `toml:"tilt,omitempty"` // radians
	Seen     int         `toml:"seen"`
	Floor    float64     `toml:"floor"`
	Least    float64     `toml:"least,omitempty"`
	Colours  []string    `toml:"colours"`          // that were seen, as #rrggbb
	Shades   []int       `toml:"shades,omitempty"` // as of a Form
	Ink      Ink         `toml:"ink,omitempty"`
	File     string      `toml:"mask"` // of one square of the grid
	Mask     *image.Gray `toml:"-"`
	EdgeFile string      `toml:"edge,omitempty"` // as of a Form
	Edge     *image.Gray `toml:"-"`
}

// Places are the appearances that were seen of one sort of place of the lines.
type Places struct {
	Name   string      `toml:"name"`
	Labels []string    `toml:"labels"` // what each was
	Limit  float64     `toml:"limit"`  // how far another may be from the nearest, in contrasts
	File   string      `toml:"mask"`   // a row for each
	Mask   *image.Gray `toml:"-"`
}

// masks calls do with every mask's file and where the mask is kept.
func (l *Learned) masks(do func(file string, mask **image.Gray) error) error {
	if l.GroundFile != "" {
		if err := do(l.GroundFile, &l.Ground); err != nil {
			return err
		}
	}
	if l.DrawnFile != "" {
		if err := do(l.DrawnFile, &l.Drawn); err != nil {
			return err
		}
	}
	both := func(file string, mask **image.Gray, edgeFile string, edge **image.Gray) error {
		if err := do(file, mask); err != nil || edgeFile == "" {
			return err
		}
		return do(edgeFile, edge)
	}
	for i := range l.Forms {
		f := &l.Forms[i]
		if err := both(f.File, &f.Mask, f.EdgeFile, &f.Edge); err != nil {
			return err
		}
	}
	for i := range l.Places {
		p := &l.Places[i]
		if err := do(p.File, &p.Mask); err != nil {
			return err
		}
		if p.Mask.Rect.Dy() != len(p.Labels) {
			return fmt.Errorf("calibrations: %s has %d rows, want %d, a row for each label", p.File, p.Mask.Rect.Dy(), len(p.Labels))
		}
	}
	for i := range l.Pieces {
		p := &l.Pieces[i]
		if err := both(p.File, &p.Mask, p.EdgeFile, &p.Edge); err != nil {
			return err
		}
	}
	return nil
}

// maxMask is the longest side of a mask, in pixels.
const maxMask = 4096

// load reads the masks that a profile names from its folder.
func (l *Learned) load(folder fs.FS) error {
	return l.masks(func(file string, mask **image.Gray) error {
		if !fs.ValidPath(file) || filepath.Base(file) != file {
			return fmt.Errorf("calibrations: mask %q is no name of a file in the profile's folder", file)
		}
		f, err := folder.Open(file)
		if err != nil {
			return fmt.Errorf("calibrations: %w", err)
		}
		defer f.Close()
		m, err := png.Decode(f)
		if err != nil {
			return fmt.Errorf("calibrations: %s: %w", file, err)
		}
		grey, ok := m.(*image.Gray)
		if !ok || grey.Rect.Dx() > maxMask || grey.Rect.Dy() > maxMask {
			return fmt.Errorf("calibrations: %s is a %T of %v, want a grey mask of at most %d pixels a side", file, m, m.Bounds().Size(), maxMask)
		}
		*mask = grey
		return nil
	})
}

// WriteMasks writes the masks of a profile into its folder.
func WriteMasks(p *Profile, folder string) error {
	return p.Learned.masks(func(file string, mask **image.Gray) error {
		f, err := os.Create(filepath.Join(folder, file))
		if err != nil {
			return fmt.Errorf("calibrations: %w", err)
		}
		err = png.Encode(f, *mask)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return fmt.Errorf("calibrations: %s: %w", file, err)
		}
		return nil
	})
}

// Write is the text of a profile.toml, with a note at its head that says what
// it was measured on. Parse reads it back.
func Write(p *Profile, note string) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	text, err := toml.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("calibrations: %w", err)
	}
	var head strings.Builder
	for _, l := range strings.Split(note, "\n") {
		head.WriteString("# " + l + "\n")
	}
	head.WriteString("# Lengths are ratios of the pitch; start and cap are in line widths.\n")
	return append([]byte(head.String()), text...), nil
}
