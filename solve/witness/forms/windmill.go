package forms

import (
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// windmillHost is where links of The Windmill lead to; a short one names a panel
// that was published there (cmkhg78), a long one holds it.
const windmillHost = "windmill.thefifthmatt.com/"

var (
	shortCode = regexp.MustCompile(`^[0-9a-z]{5,10}$`)
	longCode  = regexp.MustCompile(`[\w=%-]+_0\b`)
)

// The entity types on The Windmill's wire beside those of the kinds.
const (
	wireEmpty, wireMissing, wireEmpty2, wireStart, wireEnd, wireBreak = 0, 1, 2, 3, 4, 5
)

const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// wireColours are The Windmill's colours from number 1 on.
var wireColours = [...]board.Colour{"", board.Black, board.White, board.Cyan, board.Magenta, board.Yellow, board.Red, board.Green, board.Blue, board.Orange}

// wireSymmetries are The Windmill's by number.
var wireSymmetries = [...]board.Symmetry{board.NoSymmetry, board.NoSymmetry, board.Mirror, board.Flip, board.Rotation}

// A wireNote remembers how a link wrote a start or an end where the panel does
// not tell it, so that the panel goes back to the same link: an end's
// orientation is ignored on load, mirrored starts and ends are added and some
// are dropped.
type wireNote struct {
	entity wireEntity  // as in the link
	start  bool        // as in the panel
	cap    image.Point // as in the panel
}

// A wireEntity is what one node, edge or cell of a link holds.
type wireEntity struct {
	kind, colour uint64
	hasTurn      bool        // an orientation was given
	turn         image.Point // the orientation
	hasShape     bool
	shape        []image.Point
	free         bool
	negative     bool
	triangles    uint64
}

func (e wireEntity) empty() bool { return e.kind == wireEmpty || e.kind == wireEmpty2 }

// DecodeWindmill reads a link of The Windmill, or only its code. The panel
// carries the Windmill rule set.
func DecodeWindmill(link string) (*board.Panel, error) {
	return windmillPanel(link, board.Kinds())
}

func windmillPanel(link string, kinds []board.Kind) (*board.Panel, error) {
	p, err := decodeWindmill(strings.TrimSpace(link), kinds)
	if err != nil {
		return nil, fmt.Errorf("windmill link: %w", err)
	}
	return p, nil
}

func decodeWindmill(link string, kinds []board.Kind) (*board.Panel, error) {
	code := link[strings.LastIndexAny(link, "/#?")+1:]
	if long := longCode.FindString(link); long != "" && strings.Contains(link, windmillHost) {
		code = long // whatever a link has behind it
	}
	if strings.Contains(code, "%") {
		plain, err := url.PathUnescape(code)
		if err != nil {
			return nil, err
		}
		code = plain
	}
	body, ok := strings.CutSuffix(code, "_0")
	switch {
	case !ok && shortCode.MatchString(code) && strings.Contains(link, windmillHost):
		return nil, fmt.Errorf("%s is a short link, which only its page can look up: press \"Edit\" there and take the long link, which ends in \"_0\"", link)
	case !ok:
		return nil, fmt.Errorf("it ends in %q, want \"_0\"; it may have been cut off", code[max(0, len(code)-8):])
	}
	for i, c := range body {
		if !strings.ContainsRune(base64Letters+"=", c) {
			return nil, fmt.Errorf("%q at character %d, want letters, digits, - _ =", c, i+1)
		}
	}
	body = strings.TrimRight(body, "=")
	data, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return nil, fmt.Errorf("%w of %d; it may have been cut off", err, len(body))
	}
	width, symmetry, entities, err := readStorage(data)
	if err != nil {
		return nil, err
	}
	return panelOfEntities(width, symmetry, entities, kinds)
}

// A message is what the fields of one have, by their numbers, in their order.
type message map[protowire.Number][]field

// A field is a number, or the bytes of what is no number.
type field struct {
	v uint64
	b []byte
}

// number is the last number of a field, 0 where there is none, as proto3 has it.
func (m message) number(num protowire.Number) uint64 {
	if all := m[num]; len(all) > 0 {
		return all[len(all)-1].v
	}
	return 0
}

// readMessage reads a message whose fields, from 1 on, are numbers (v) or bytes (b), or either (?).
func readMessage(what, kinds string, data []byte) (message, error) {
	m := message{}
	for at := 0; at < len(data); {
		num, typ, n := protowire.ConsumeTag(data[at:])
		if n < 0 {
			return nil, fmt.Errorf("byte %d of %d: no field of %s begins here", at, len(data), what)
		}
		at += n
		var f field
		got := byte('b')
		switch typ {
		case protowire.VarintType:
			got = 'v'
			f.v, n = protowire.ConsumeVarint(data[at:])
		case protowire.BytesType:
			f.b, n = protowire.ConsumeBytes(data[at:])
		default:
			got, n = 0, protowire.ConsumeFieldValue(num, typ, data[at:])
		}
		if n < 0 {
			return nil, fmt.Errorf("byte %d of %d: the field goes beyond the end; it may have been cut off", at, len(data))
		}
		at += n
		if int(num) > len(kinds) || kinds[num-1] != got && (kinds[num-1] != '?' || got == 0) {
			return nil, fmt.Errorf("field %d of type %d, want 1 to %d of %s", num, typ, len(kinds), what)
		}
		m[num] = append(m[num], f)
	}
	return m, nil
}

func readStorage(data []byte) (width int, symmetry uint64, entities []wireEntity, err error) {
	const most = (2*board.MaxSide + 1) * (2*board.MaxSide + 1)
	m, err := readMessage("a panel", "vbv", data)
	if err != nil {
		return 0, 0, nil, err
	}
	if v := m.number(1); v > 2*board.MaxSide+1 {
		return 0, 0, nil, fmt.Errorf("width %d half-cells, want at most %d", v, 2*board.MaxSide+1)
	}
	for i, f := range m[2] {
		e, count, err := readEntity(f.b)
		if err == nil && (count > most || len(entities)+int(count) > most) {
			err = fmt.Errorf("more than %d half-cells", most)
		}
		if err != nil {
			return 0, 0, nil, fmt.Errorf("entity %d: %w", i+1, err)
		}
		entities = append(entities, slices.Repeat([]wireEntity{e}, int(max(count, 1)))...)
	}
	return int(m.number(1)), m.number(3), entities, nil
}

func readEntity(data []byte) (e wireEntity, count uint64, err error) {
	m, err := readMessage("an entity", "vvbbvv", data)
	if err != nil {
		return e, 0, err
	}
	e.kind, e.colour, e.triangles, e.hasTurn, e.hasShape = m.number(1), m.number(2), m.number(6), len(m[3]) > 0, len(m[4]) > 0
	for _, f := range m[3] {
		turn, err := readMessage("an orientation", "vv", f.b)
		x, y := protowire.DecodeZigZag(turn.number(1)), protowire.DecodeZigZag(turn.number(2))
		if err == nil && max(x, -x, y, -y) > 1 {
			err = fmt.Errorf("orientation (%d,%d), want two of -1, 0, 1", x, y)
		}
		if err != nil {
			return e, 0, err
		}
		e.turn = image.Pt(int(x), int(y))
	}
	for _, f := range m[4] {
		if err := e.readShape(f.b); err != nil {
			return e, 0, err
		}
	}
	return e, m.number(5), nil
}

func (e *wireEntity) readShape(data []byte) error {
	m, err := readMessage("a shape", "v?vv", data)
	if err != nil {
		return err
	}
	var grid []bool
	for _, f := range m[2] {
		if f.b == nil {
			grid = append(grid, f.v != 0)
		}
		for len(f.b) > 0 {
			v, n := protowire.ConsumeVarint(f.b)
			if n < 0 {
				return fmt.Errorf("shape: %w", protowire.ParseError(n))
			}
			grid, f.b = append(grid, v != 0), f.b[n:]
		}
	}
	width := m.number(1)
	if width < 1 || width > board.MaxShape || len(grid) > board.MaxShape*board.MaxShape || len(grid)%int(width) != 0 {
		return fmt.Errorf("shape of %d squares in rows of %d, want whole rows of 1 to %d", len(grid), width, board.MaxShape)
	}
	e.shape, e.free, e.negative = nil, m.number(3) != 0, m.number(4) != 0
	for i, on := range grid {
		if on {
			e.shape = append(e.shape, image.Pt(i%int(width), i/int(width)))
		}
	}
	if len(e.shape) == 0 {
		return errors.New("shape without squares")
	}
	e.shape = board.NormalShape(e.shape)
	return nil
}

func panelOfEntities(width int, symmetry uint64, entities []wireEntity, kinds []board.Kind) (*board.Panel, error) {
	if width < 3 || width%2 == 0 {
		return nil, fmt.Errorf("width %d half-cells, want an odd number from 3", width)
	}
	height := len(entities) / width
	if len(entities)%width != 0 || height < 3 || height%2 == 0 {
		return nil, fmt.Errorf("%d half-cells in rows of %d, want an odd number of whole rows from 3; it may have been cut off", len(entities), width)
	}
	if symmetry >= uint64(len(wireSymmetries)) {
		return nil, fmt.Errorf("symmetry %d, want 0 to %d", symmetry, len(wireSymmetries)-1)
	}
	kind := wireSymmetries[symmetry]
	cols, rows := width/2, height/2
	if err := board.CheckSize(cols, rows, false, kind); err != nil {
		return nil, err
	}
	p := board.New(cols, rows, false)
	p.Symmetry, p.Rules = kind, board.Windmill
	notes := map[image.Point]wireNote{}
	for i, e := range entities {
		at := image.Pt(i%width, i/width)
		if err := setEntity(p.At(at), at, e, kinds); err != nil {
			return nil, fmt.Errorf("at %s: %w", solve.PlaceName(at), err)
		}
		if e.kind == wireEnd || e.kind == wireStart {
			notes[at] = wireNote{entity: e}
		}
	}
	// Starts and ends come in mirrored pairs; what is its own image is none.
	for i, e := range entities {
		if e.kind != wireEnd && e.kind != wireStart || kind == board.NoSymmetry {
			continue
		}
		at := image.Pt(i%width, i/width)
		image, _ := p.Image(at)
		other := entities[image.Y*width+image.X]
		switch {
		case image == at:
			p.At(at).Start = false
			entities[i].kind = wireEmpty
		case other.kind == wireStart || other.kind == wireEnd:
		case other.empty():
			p.At(image).Start = e.kind == wireStart
			notes[image] = wireNote{entity: other}
			entities[image.Y*width+image.X].kind = e.kind
		default:
			return nil, fmt.Errorf("at %s: the image of a start or end holds something else", solve.PlaceName(image))
		}
	}
	// An end's cap points to the first absent neighbour.
	for i, e := range entities {
		if e.kind != wireEnd {
			continue
		}
		at := image.Pt(i%width, i/width)
		for _, d := range []image.Point{{X: -1}, {X: 1}, {Y: -1}, {Y: 1}} {
			next := p.At(at.Add(d))
			if next == nil || next.Gap == board.Missing {
				p.At(at).Cap = d
				break
			}
		}
	}
	for at, note := range notes {
		note.start, note.cap = p.At(at).Start, p.At(at).Cap
		notes[at] = note
	}
	p.Wire = notes
	return p, nil
}

// setEntity puts an entity on a spot; ends get their caps later.
func setEntity(s *board.Spot, at image.Point, e wireEntity, kinds []board.Kind) error {
	if e.empty() {
		return nil
	}
	i := slices.IndexFunc(kinds, func(k board.Kind) bool {
		a := k.About()
		return a.Windmill == e.kind && (a.Squares < 0) == e.negative
	})
	var kind board.Facts
	if i >= 0 {
		kind = kinds[i].About()
	}
	cell := i >= 0 && !kind.OnLine
	switch {
	case i < 0 && e.kind > wireBreak:
		return fmt.Errorf("entity type %d, negative: %t, want 0 to %d or a symbol", e.kind, e.negative, wireBreak)
	case e.colour >= uint64(len(wireColours)):
		return fmt.Errorf("colour %d, want 0 to %d", e.colour, len(wireColours)-1)
	case board.IsCell(at) != cell,
		(e.kind == wireStart || e.kind == wireEnd) && !board.IsNode(at),
		e.kind == wireBreak && !board.IsEdge(at):
		return fmt.Errorf("entity type %d, which does not belong there", e.kind)
	case e.hasShape != (kind.Squares != 0):
		return fmt.Errorf("entity type %d with shape: %t", e.kind, e.hasShape)
	}
	switch {
	case cell:
		s.Kind, s.Shape, s.Turnable = kinds[i], e.shape, e.free
		if kind.Most > 0 {
			s.Count = int(min(max(e.triangles, 1), 9))
		}
		if s.Colour = wireColours[e.colour]; s.Colour == "" {
			s.Colour = kind.Implied
		}
	case kind.OnLine:
		s.Dot = board.Dot{On: true, Colour: wireColours[e.colour]}
	case e.kind == wireMissing:
		s.Gap = board.Missing
	case e.kind == wireStart:
		s.Start = true
	case e.kind == wireBreak:
		s.Gap = board.Broken
	}
	return s.Valid(at)
}

// EncodeWindmill writes the panel as a code of The Windmill, without a URL.
// What The Windmill does not know is an error.
func EncodeWindmill(p *board.Panel) (string, error) {
	if err := p.Valid(); err != nil {
		return "", err
	}
	if p.Pillar {
		return "", errors.New("windmill link: a pillar cannot be written")
	}
	number := slices.Index(wireSymmetries[:], p.Symmetry)
	if number < 0 {
		return "", fmt.Errorf("windmill link: %s symmetry cannot be written", p.Symmetry)
	}
	data := appendVarint(nil, 1, uint64(p.Width()))
	empties := 0
	flush := func() {
		if empties == 1 {
			data = appendBytes(data, 2, nil)
		} else if empties > 1 {
			data = appendBytes(data, 2, appendVarint(nil, 5, uint64(empties)))
		}
		empties = 0
	}
	for at := range p.Points() {
		e, err := entity(p, at)
		if err != nil {
			return "", fmt.Errorf("windmill link: at %s: %w", solve.PlaceName(at), err)
		}
		if e.empty() {
			empties++
			continue
		}
		flush()
		data = appendBytes(data, 2, e.append(nil))
	}
	flush()
	data = appendVarint(data, 3, uint64(number))
	return base64.URLEncoding.EncodeToString(data) + "_0", nil
}

// appendVarint leaves zero out, as proto3 does.
func appendVarint(b []byte, num protowire.Number, v uint64) []byte {
	if v == 0 {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), v)
}

func bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}

func appendBytes(b []byte, num protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), v)
}

func (e wireEntity) append(b []byte) []byte {
	b = appendVarint(b, 1, e.kind)
	b = appendVarint(b, 2, e.colour)
	if e.hasTurn { // the one message that has both fields always
		b = appendBytes(b, 3, []byte{1 << 3, byte(protowire.EncodeZigZag(int64(e.turn.X))), 2 << 3, byte(protowire.EncodeZigZag(int64(e.turn.Y)))})
	}
	if e.hasShape {
		width, height := shapeSize(e.shape)
		grid := make([]byte, width*height)
		for _, q := range e.shape {
			grid[q.Y*width+q.X] = 1
		}
		shape := appendBytes(appendVarint(nil, 1, uint64(width)), 2, grid)
		shape = appendVarint(shape, 3, bit(e.free))
		b = appendBytes(b, 4, appendVarint(shape, 4, bit(e.negative)))
	}
	return appendVarint(b, 6, e.triangles)
}

// entity is what stands for a spot on the wire.
func entity(p *board.Panel, at image.Point) (wireEntity, error) {
	s := p.At(at)
	var e wireEntity
	notes, _ := p.Wire.(map[image.Point]wireNote)
	if note, ok := notes[at]; ok && s.Start == note.start && s.Cap == note.cap && s.Gap == board.Whole && !s.Dot.On {
		return note.entity, nil
	}
	if !board.IsCell(at) {
		things := 0
		for _, on := range []bool{s.Gap != board.Whole, s.Start, s.IsEnd(), s.Dot.On} {
			if on {
				things++
			}
		}
		switch {
		case things > 1:
			return e, fmt.Errorf("%s: two things in one place cannot be written", legendOf(at, s))
		case board.IsEdge(at) && (s.Start || s.IsEnd()):
			return e, fmt.Errorf("%s: on the middle of an edge cannot be written", legendOf(at, s))
		case (s.Start || s.IsEnd()) && !paired(p, at):
			return e, fmt.Errorf("%s: its image is none, which The Windmill would add or drop", legendOf(at, s))
		case s.IsEnd() && !hasOpenSide(p, at):
			return e, fmt.Errorf("%s: no side of it is open, so The Windmill would drop it", legendOf(at, s))
		case s.Gap == board.Missing:
			e.kind = wireMissing
		case s.Gap == board.Broken:
			e.kind = wireBreak
		case s.Start:
			e.kind = wireStart
		case s.IsEnd():
			e.kind, e.hasTurn, e.turn = wireEnd, true, s.Cap
		case s.Dot.On:
			if s.Dot.Line != board.AnyLine || s.Dot.Invisible {
				return e, fmt.Errorf("%s: only a plain dot can be written", legendOf(at, s))
			}
			e.kind = board.Hexagon.About().Windmill
			colour, err := wireColour(s.Dot.Colour, "")
			e.colour = colour
			return e, err
		}
		return e, nil
	}
	if s.Kind == board.NoSymbol {
		return e, nil
	}
	a := s.Kind.About()
	if e.kind = a.Windmill; e.kind == 0 {
		return e, fmt.Errorf("%s cannot be written", s.Kind.Called())
	}
	if a.Most > 0 {
		e.triangles = uint64(s.Count)
	}
	if a.Squares != 0 {
		e.hasShape, e.shape, e.free, e.negative = true, s.Shape, s.Turnable, a.Squares < 0
	}
	colour, err := wireColour(s.Colour, a.Implied)
	e.colour = colour
	return e, err
}

// paired tells whether a start or an end has its like in its image.
func paired(p *board.Panel, at image.Point) bool {
	if p.Symmetry == board.NoSymmetry {
		return true
	}
	image, _ := p.Image(at)
	a, b := p.At(at), p.At(image)
	return image != at && a.Start == b.Start && a.IsEnd() == b.IsEnd()
}

// hasOpenSide tells whether a node lacks a neighbour, as the ends of The
// Windmill do.
func hasOpenSide(p *board.Panel, at image.Point) bool {
	for _, d := range board.Beside() {
		if next := p.At(at.Add(d)); next == nil || next.Gap == board.Missing {
			return true
		}
	}
	return false
}

// wireColour is the number of a colour, 0 where it is implied.
func wireColour(c, implied board.Colour) (uint64, error) {
	if c == implied {
		return 0, nil
	}
	for i, known := range wireColours {
		if i > 0 && known == c {
			return uint64(i), nil
		}
	}
	return 0, fmt.Errorf("colour %q cannot be written, want one of %v", c, wireColours[1:])
}
