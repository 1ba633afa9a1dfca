package forms

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// A jsonPuzzle is a puzzle as witnesspuzzles.com writes it now; grid[x][y].
type jsonPuzzle struct {
	Grid     [][]*jsonSpot   `json:"grid"`
	Pillar   bool            `json:"pillar"`
	Symmetry *jsonSymmetry   `json:"symmetry"`
	Name     string          `json:"name"`
	Settings map[string]bool `json:"settings"`
	Width    int             `json:"width"`
	Height   int             `json:"height"`
}

type jsonSymmetry struct {
	X bool `json:"x"`
	Y bool `json:"y"`
}

type jsonSpot struct {
	Type      string  `json:"type,omitempty"`
	Line      *int    `json:"line,omitempty"`
	Dot       int     `json:"dot,omitempty"`
	Gap       jsonGap `json:"gap,omitempty"`
	Start     bool    `json:"start,omitempty"`
	End       string  `json:"end,omitempty"`
	Color     string  `json:"color,omitempty"`
	Count     int     `json:"count,omitempty"`
	Polyshape uint32  `json:"polyshape,omitempty"`
	Rot       int     `json:"rot,omitempty"` // of an arrow, in eighths clockwise from up
}

// siteNothing is the site's type of a cell that holds nothing but is looked at.
const siteNothing = "nonce"

// A jsonSaved is a puzzle as the site saved it in any year: until 2018 starts,
// ends, dots and gaps stood beside the grid, and a line drawn was true.
type jsonSaved struct {
	jsonPuzzle
	starts, ends, dots, gaps []jsonPlace
}

// A jsonPlace is a half-cell in a list beside the grid.
type jsonPlace struct {
	X   int    `json:"x"`
	Y   int    `json:"y"`
	Dir string `json:"dir"`
}

// UnmarshalJSON takes every key that tells something of the puzzle, passes over
// what the page left behind, and refuses all others by their names.
func (j *jsonSaved) UnmarshalJSON(data []byte) error {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return solve.JSONError(err)
	}
	var start, end *jsonPlace
	into := map[string]any{
		"grid": &j.Grid, "pillar": &j.Pillar, "symmetry": &j.Symmetry, "settings": &j.Settings, "width": &j.Width, "height": &j.Height,
		"start": &start, "end": &end, "startPoints": &j.starts, "endPoints": &j.ends, "dots": &j.dots, "gaps": &j.gaps,
	}
	for _, leftover := range []string{
		"name", "startPoint", "endPoint", "autoSolved", "valid", "invalidElements", "negations", "regionCache",
		"hasNegations", "hasPolyominos", "largezero",
	} {
		into[leftover] = nil
	}
	if err := takeKeys(keys, into); err != nil {
		return err
	}
	for _, one := range []struct {
		place *jsonPlace
		list  *[]jsonPlace
	}{{start, &j.starts}, {end, &j.ends}} {
		if one.place != nil {
			*one.list = append(*one.list, *one.place)
		}
	}
	return nil
}

// takeKeys reads the values of an object's keys, in the order of their names,
// into variables; nil: it is passed over. A key without one is an error.
func takeKeys(keys map[string]json.RawMessage, into map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		to, known := into[key]
		switch {
		case !known:
			return fmt.Errorf("key %q, which is not known here", key)
		case to == nil:
			continue
		}
		if err := json.Unmarshal(keys[key], to); err != nil {
			return fmt.Errorf("key %q: %w", key, solve.JSONError(err))
		}
	}
	return nil
}

// UnmarshalJSON also reads false, which old files have for an empty cell or a
// line, and true, which they have for a line that was drawn.
func (s *jsonSpot) UnmarshalJSON(data []byte) error {
	*s = jsonSpot{}
	switch string(data) {
	case "false":
		return nil
	case "true":
		s.Type = "line"
		return nil
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return solve.JSONError(err)
	}
	var colour, turn json.RawMessage
	into := map[string]any{
		"type": &s.Type, "dot": &s.Dot, "gap": &s.Gap, "start": &s.Start, "end": &s.End,
		"color": &colour, "count": &s.Count, "polyshape": &s.Polyshape, "rot": &turn,
		"line": nil, "dir": nil, // the line that was drawn last
	}
	for key, value := range keys {
		// An editor of 2018 spread the letters of an end's direction over the
		// spot: {"0": "l", "1": "e", …}.
		if _, err := strconv.Atoi(key); err == nil && len(value) == len(`"x"`) {
			into[key] = nil
		}
	}
	if err := takeKeys(keys, into); err != nil {
		return err
	}
	switch string(turn) {
	case "", "null", "0":
	case `"all"`: // how pieces that may be turned were marked until 2018
		s.Polyshape |= jsonTurnable
	default:
		n, err := strconv.Atoi(string(turn))
		if err != nil || n < 0 || n > 7 {
			return fmt.Errorf("rot %s, want 0 to 7 or \"all\"", turn)
		}
		s.Rot = n
	}
	// On lines a number was the line that was drawn.
	if s.Type != "line" && len(colour) > 0 && string(colour) != "null" {
		return solve.JSONError(json.Unmarshal(colour, &s.Color))
	}
	return nil
}

// A jsonGap is 0, 1 (broken) or 2 (missing); old files have true for 1.
type jsonGap int

func (g *jsonGap) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "null", "false", "0":
		*g = 0
	case "true", "1":
		*g = 1
	case "2":
		*g = 2
	default:
		return fmt.Errorf("gap %s, want 0, 1 or 2", data)
	}
	return nil
}

// The bit of a polyshape that says that the piece may be turned.
const jsonTurnable = 1 << 20

// jsonOptions are the site's settings and the options they are; the last is no
// matter of rules.
var jsonOptions = [...]struct{ setting, option string }{
	{"NEGATIONS_CANCEL_NEGATIONS", "erasers-cancel"},
	{"SHAPELESS_ZERO_POLY", "zero-any-shape"},
	{"PRECISE_POLYOMINOS", "line-blocks-pieces"},
	{"FLASH_FOR_ERRORS", ""},
	{customSetting, ""},
}

// customSetting must be on where a puzzle has symbols that the site's own editor has
// not: otherwise it draws none and looks at none.
const customSetting = "CUSTOM_MECHANICS"

// DecodeJSON reads a puzzle of witnesspuzzles.com, as it was saved in any year.
// The panel carries that rule set, with the puzzle's own settings; a key that is
// not known is an error.
func DecodeJSON(data []byte) (*board.Panel, error) {
	return jsonPanel(data, board.Kinds())
}

func jsonPanel(data []byte, kinds []board.Kind) (*board.Panel, error) {
	var j jsonSaved
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("witnesspuzzles: %w", solve.JSONError(err))
	}
	p, err := j.panel(kinds)
	if err != nil {
		return nil, fmt.Errorf("witnesspuzzles: %w", err)
	}
	return p, nil
}

func (j *jsonSaved) panel(kinds []board.Kind) (*board.Panel, error) {
	if len(j.Grid) == 0 || len(j.Grid[0]) == 0 {
		return nil, errors.New("no grid, want \"grid\": [[…]]")
	}
	width, height := len(j.Grid), len(j.Grid[0])
	wantOdd := 1
	if j.Pillar {
		wantOdd = 0
	}
	if width%2 != wantOdd || height%2 != 1 {
		return nil, fmt.Errorf("a grid of %d×%d half-cells with pillar %t, want an odd height, and an odd width or, on a pillar, an even one", width, height, j.Pillar)
	}
	symmetry := board.NoSymmetry
	if s := j.Symmetry; s != nil {
		switch {
		case s.X && s.Y:
			symmetry = board.Rotation
		case s.X:
			symmetry = board.Mirror
		case s.Y && j.Pillar:
			symmetry = board.Turned
		case s.Y:
			symmetry = board.Flip
		default:
			symmetry = board.Parallel
		}
	}
	if want := image.Pt(cmp.Or(j.Width, width), cmp.Or(j.Height, height)); want != image.Pt(width, height) {
		return nil, fmt.Errorf("a grid of %d×%d half-cells, want %d×%d as width and height say", width, height, want.X, want.Y)
	}
	cols, rows := width/2, height/2
	if err := board.CheckSize(cols, rows, j.Pillar, symmetry); err != nil {
		return nil, err
	}
	p := board.New(cols, rows, j.Pillar)
	p.Symmetry, p.Rules = symmetry, board.WitnessPuzzles
	for _, key := range slices.Sorted(maps.Keys(j.Settings)) {
		if err := set(&p.Rules, key, j.Settings[key]); err != nil {
			return nil, err
		}
	}
	alone := true // nothing but lines and what is judged by the lines beside it
	for x, column := range j.Grid {
		if len(column) != height {
			return nil, fmt.Errorf("column %d has %d half-cells, want %d", x, len(column), height)
		}
		for y, spot := range column {
			at := image.Pt(x, y)
			if spot == nil {
				continue
			}
			s, err := spot.spot(at, kinds)
			if err == nil {
				err = s.Valid(at)
			}
			if err != nil {
				return nil, fmt.Errorf("at [%d][%d]: %w", x, y, err)
			}
			*p.At(at) = s
			if board.IsCell(at) {
				alone = alone && (s.Kind != board.NoSymbol && lineOnly(s.Kind) || spot.Type == "" || spot.Type == "line")
			}
		}
	}
	if err := j.places(p); err != nil {
		return nil, err
	}
	if k := custom(p); k != board.NoSymbol && !j.Settings[customSetting] {
		return nil, fmt.Errorf("%s without the setting %s, want it on: the site looks at none without it", k.Called(), customSetting)
	}
	// The site looks for regions, and so for an outside, only where some cell
	// holds another thing (validate.js: needsRegions).
	if alone && holdsOutside(p) {
		p.Rules.OpenCellsOutside = false
	}
	return p, nil
}

// places puts what stood beside the grid on the panel.
func (j *jsonSaved) places(p *board.Panel) error {
	for _, list := range []struct {
		name   string
		places []jsonPlace
		put    func(*board.Spot, jsonPlace) error
	}{
		{"start", j.starts, func(s *board.Spot, _ jsonPlace) error { s.Start = true; return nil }},
		{"end", j.ends, func(s *board.Spot, at jsonPlace) (err error) { s.Cap, err = j.capOf(at); return err }},
		{"dot", j.dots, func(s *board.Spot, _ jsonPlace) error { s.Dot = board.Dot{On: true}; return nil }},
		{"gap", j.gaps, func(s *board.Spot, _ jsonPlace) error { s.Gap = board.Broken; return nil }},
	} {
		for _, place := range list.places {
			at := image.Pt(place.X, place.Y)
			if at.X < 0 || at.Y < 0 || at.X >= p.Width() || at.Y >= p.Height() {
				return fmt.Errorf("%s at (%d,%d), want a half-cell of %d×%d", list.name, at.X, at.Y, p.Width(), p.Height())
			}
			err := list.put(p.At(at), place)
			if err == nil {
				err = p.At(at).Valid(at)
			}
			if err != nil {
				return fmt.Errorf("%s at (%d,%d): %w", list.name, at.X, at.Y, err)
			}
		}
	}
	return nil
}

// capOf is where an end's cap points. Until autumn 2018 none was said: it points
// out of the border that the end lies on, top and bottom before the sides.
func (j *jsonSaved) capOf(at jsonPlace) (image.Point, error) {
	if at.Dir != "" {
		return siteCap(at.Dir)
	}
	switch width, height := len(j.Grid), len(j.Grid[0]); {
	case at.Y == 0:
		return image.Pt(0, -1), nil
	case at.Y == height-1:
		return image.Pt(0, 1), nil
	case at.X == 0 && !j.Pillar:
		return image.Pt(-1, 0), nil
	case at.X == width-1 && !j.Pillar:
		return image.Pt(1, 0), nil
	}
	return image.Point{}, errors.New("no direction, want \"dir\" of an end inside the panel")
}

// holdsOutside tells whether a symbol or a dot lies where missing edges join the
// panel to the outside.
func holdsOutside(p *board.Panel) bool {
	for i, outside := range p.Outside() {
		if s := &p.Spots[i]; outside && (s.Kind != board.NoSymbol || s.Dot.On) {
			return true
		}
	}
	return false
}

// set switches what a setting of the site stands for.
func set(r *board.RuleSet, setting string, on bool) error {
	for _, known := range jsonOptions {
		if known.setting != setting {
			continue
		}
		for _, o := range board.RuleOptions() {
			if o.Name == known.option {
				*r = o.With(*r, on)
			}
		}
		return nil
	}
	if on {
		return fmt.Errorf("setting %s is on, which is not known here", setting)
	}
	return nil
}

// siteCap is the direction of an end by its name.
func siteCap(name string) (image.Point, error) {
	way, ok := map[string]image.Point{"": {}, "left": image.Pt(-1, 0), "right": image.Pt(1, 0), "top": image.Pt(0, -1), "bottom": image.Pt(0, 1)}[name]
	if !ok {
		return way, fmt.Errorf("end %q, want left, right, top or bottom", name)
	}
	return way, nil
}

func (j *jsonSpot) spot(at image.Point, kinds []board.Kind) (board.Spot, error) {
	var s board.Spot
	var err error
	if board.IsCell(at) {
		if j.Start || j.End != "" || j.Dot != 0 || j.Gap != 0 {
			return s, errors.New("a start, end, dot or gap in a cell")
		}
		s.Symbol, err = j.symbol(kinds)
		return s, err
	}
	if j.Type != "line" && j.Type != "" {
		return s, fmt.Errorf("type %q, want \"line\"", j.Type)
	}
	s.Start = j.Start
	if s.Gap = board.Gap(j.Gap); s.Gap == board.Broken && board.IsNode(at) {
		return s, errors.New("a node with gap 1, want 2 (missing)")
	}
	dots := siteDots()
	if j.Dot < 0 || j.Dot >= len(dots) {
		return s, fmt.Errorf("dot %d, want 1 to %d", j.Dot, len(dots)-1)
	}
	s.Dot = dots[j.Dot]
	s.Cap, err = siteCap(j.End)
	return s, err
}

// symbol is what stands in a cell.
func (j *jsonSpot) symbol(kinds []board.Kind) (board.Symbol, error) {
	colour, err := cssColour(j.Color)
	if err != nil {
		return board.Symbol{}, err
	}
	if j.Type == "" || j.Type == "line" || j.Type == siteNothing {
		if colour != "" || j.Count != 0 || j.Polyshape != 0 || j.Rot != 0 {
			return board.Symbol{}, fmt.Errorf("type %q with a colour, a count or a shape, want a symbol's type", j.Type)
		}
		return board.Symbol{}, nil
	}
	i := slices.IndexFunc(kinds, func(k board.Kind) bool { return k.About().Site == j.Type })
	if i < 0 {
		types := []string{siteNothing}
		for _, k := range kinds {
			if t := k.About().Site; t != "" {
				types = append(types, t)
			}
		}
		return board.Symbol{}, fmt.Errorf("type %q, want one of %s", j.Type, strings.Join(types, ", "))
	}
	s, a := board.Symbol{Kind: kinds[i], Colour: colour}, kinds[i].About()
	if a.Most > 0 {
		s.Count = j.Count
	}
	if a.Ways > 0 {
		s.Way = board.Directions(8)[j.Rot]
	} else if j.Rot != 0 {
		return s, fmt.Errorf("%s with rot %d, want none", a.Called, j.Rot)
	}
	if a.Squares == 0 {
		return s, nil
	}
	if j.Polyshape&^jsonTurnable == 0 {
		return board.Symbol{}, nil // the site takes no notice of it
	}
	if j.Polyshape&^(jsonTurnable|0xffff) != 0 {
		return s, fmt.Errorf("polyshape %d, want 16 bits for the squares and %d for a turned one", j.Polyshape, jsonTurnable)
	}
	s.Turnable = j.Polyshape&jsonTurnable != 0
	for bit := range 16 {
		if j.Polyshape>>bit&1 == 1 {
			s.Shape = append(s.Shape, image.Pt(bit/4, bit%4))
		}
	}
	s.Shape = board.NormalShape(s.Shape)
	return s, nil
}

var rgbPattern = regexp.MustCompile(`^rgb\( *(\d{1,3}) *, *(\d{1,3}) *, *(\d{1,3}) *\)$`)

// cssColour makes a word or #rrggbb of a colour in a style sheet's writing.
func cssColour(css string) (board.Colour, error) {
	text := strings.ToLower(strings.TrimSpace(css))
	if m := rgbPattern.FindStringSubmatch(text); m != nil {
		text = "#"
		for _, part := range m[1:] {
			n, err := strconv.Atoi(part)
			if err != nil || n > 255 {
				return "", fmt.Errorf("colour %q, want 0 to 255", css)
			}
			text += fmt.Sprintf("%02x", n)
		}
	}
	if len(text) == 4 && text[0] == '#' {
		text = "#" + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:3], 2) + strings.Repeat(text[3:4], 2)
	}
	if text != "" && !board.GoodColour(board.Colour(text)) {
		return "", fmt.Errorf("colour %q, want a word, #rgb, #rrggbb or rgb(r, g, b)", css)
	}
	return board.Colour(text), nil
}

// EncodeJSON writes the panel as a puzzle of witnesspuzzles.com, on one line.
// A diagonal cap becomes an upright one, a coloured dot takes the site's
// colours, and the rule set becomes the site's, with the options that it has
// settings for; what else the site cannot hold is an error.
func EncodeJSON(p *board.Panel) ([]byte, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	j := jsonPuzzle{Pillar: p.Pillar, Width: p.Width(), Height: p.Height(), Settings: map[string]bool{}}
	symmetries := map[board.Symmetry]jsonSymmetry{board.Mirror: {X: true}, board.Rotation: {X: true, Y: true}, board.Parallel: {}}
	if p.Pillar {
		symmetries[board.Turned] = jsonSymmetry{Y: true}
	} else {
		symmetries[board.Flip] = jsonSymmetry{Y: true}
	}
	if p.Symmetry != board.NoSymmetry {
		s, ok := symmetries[p.Symmetry]
		if !ok {
			return nil, fmt.Errorf("witnesspuzzles: %s symmetry with pillar %t cannot be written", p.Symmetry, p.Pillar)
		}
		j.Symmetry = &s
	}
	for _, known := range jsonOptions {
		for _, o := range board.RuleOptions() {
			if o.Name == known.option {
				j.Settings[known.setting] = o.In(p.Rules)
			}
		}
	}
	if custom(p) != board.NoSymbol {
		j.Settings[customSetting] = true
	}
	nothing, err := nothingAt(p)
	if err != nil {
		return nil, err
	}
	for x := range p.Width() {
		column := make([]*jsonSpot, p.Height())
		for y := range column {
			at := image.Pt(x, y)
			spot, err := jsonOf(at, p.At(at))
			if err != nil {
				return nil, fmt.Errorf("witnesspuzzles: at [%d][%d]: %w", x, y, err)
			}
			if spot == nil {
				spot = nothing
			}
			column[y] = spot
		}
		j.Grid = append(j.Grid, column)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err = enc.Encode(&j)
	return b.Bytes(), err
}

// custom is a kind on the panel that the site's own editor has not, or NoSymbol.
func custom(p *board.Panel) board.Kind {
	for i := range p.Spots {
		if p.Spots[i].Kind.By() != nil {
			return p.Spots[i].Kind
		}
	}
	return board.NoSymbol
}

// lineOnly tells whether the site looks at no region for a kind.
func lineOnly(k board.Kind) bool { return k.About().Alone && k.By() == nil }

// nothingAt is what is written of an empty cell, nil for most: where lines and
// triangles would be alone it says whether the site takes open cells for the
// outside, see panel. It is an error where the panel cannot come back under its
// own options of the site's rules.
func nothingAt(p *board.Panel) (*jsonSpot, error) {
	alone, room := true, false
	for at := range p.Points() {
		if s := p.At(at); board.IsCell(at) {
			room = room || s.Kind == board.NoSymbol
			alone = alone && (s.Kind == board.NoSymbol || lineOnly(s.Kind))
		}
	}
	want := board.WitnessPuzzles
	for _, known := range jsonOptions {
		for _, o := range board.RuleOptions() {
			if o.Name == known.option {
				want = o.With(want, o.In(p.Rules))
			}
		}
	}
	var nothing *jsonSpot
	if alone && holdsOutside(p) {
		if want.OpenCellsOutside = p.Rules.OpenCellsOutside && room; want.OpenCellsOutside {
			nothing = &jsonSpot{Type: siteNothing, Line: new(int)}
		}
	}
	if p.Rules.Name != want.Name || p.Rules == want {
		return nothing, nil
	}
	return nil, fmt.Errorf("witnesspuzzles: rules=%s cannot be written, only rules=%s", p.Rules, want)
}

func jsonOf(at image.Point, s *board.Spot) (*jsonSpot, error) {
	if !board.IsCell(at) {
		j := &jsonSpot{Type: "line", Line: new(int), Gap: jsonGap(s.Gap), Start: s.Start}
		switch {
		case s.Cap.Y < 0:
			j.End = "top"
		case s.Cap.Y > 0:
			j.End = "bottom"
		case s.Cap.X < 0:
			j.End = "left"
		case s.Cap.X > 0:
			j.End = "right"
		}
		var err error
		j.Dot, err = siteNumber(s.Dot)
		return j, err
	}
	if s.Kind == board.NoSymbol {
		return nil, nil
	}
	a := s.Kind.About()
	if a.Site == "" {
		return nil, fmt.Errorf("%s cannot be written", a.Called)
	}
	j := &jsonSpot{Type: a.Site, Color: string(s.Colour)}
	if a.Most > 0 {
		j.Count = s.Count
	}
	if a.Ways > 0 {
		j.Rot = slices.Index(board.Directions(8), s.Way)
	}
	if a.Squares == 0 {
		return j, nil
	}
	if width, height := shapeSize(s.Shape); width > 4 || height > 4 {
		return nil, fmt.Errorf("a piece of %d×%d squares cannot be written, want at most 4×4", width, height)
	}
	for _, q := range s.Shape {
		j.Polyshape |= 1 << (q.X*4 + q.Y)
	}
	if s.Turnable {
		j.Polyshape |= jsonTurnable
	}
	return j, nil
}
