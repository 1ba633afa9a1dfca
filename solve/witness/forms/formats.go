// Package forms reads and writes panels: in our own text, as links of The Windmill,
// and as JSON of witnesspuzzles.com.
//
// # The text form
//
// A panel is a header, a drawing and legends:
//
//	panel 2x2 symmetry=mirror rules=windmill,overhang=off
//	^-+-^
//	|a: |
//	+-*-+
//	|b|c|
//	@-+-@
//	a = white square
//	b = yellow piece ##/.#
//	c = 2 orange triangles
//
// The header is "panel" or, where x wraps round, "pillar", the size in cells,
// and where they are wanted symmetry= mirror, flip, rotation, parallel or
// turned, and rules= what ParseRules reads; without it the rules of the game
// hold. The drawing has a character for every half-cell, so 2·rows+1 lines of
// 2·columns+1 characters (2·columns on a pillar); spaces at a line's end may be
// missing.
//
//	node              +
//	edge              - or |
//	broken edge       :   neither it nor a missing one can be crossed
//	missing edge      a space; a missing node too
//	empty cell        a space or a dot
//	start             @   on a node or an edge
//	end               ^ v < or >   where its cap points; on a node or an edge
//	black dot         *   a hexagon, on a node or an edge
//
// Any other letter or digit refers to the legend "LETTER = MEANING", a line
// below the drawing. One letter may stand in several places. In a cell it means
// one of
//
//	white square          cyan star          eraser          2 orange triangles
//	yellow piece ##/.#    turned piece ###   negative piece #.#
//	2 purple arrows up-right    2 green darts down    3 white antitriangles
//	white cave 5          white mines 0      orange flower
//
// where "turned" pieces may be turned and "negative" ones are blue pieces;
// / begins a piece's next row. A colour is a word or #rrggbb. Left out, it is
// yellow for pieces, blue for negative ones, orange for triangles, purple for arrows
// and white for erasers, antitriangles, caves, mines and darts; "colourless" is none at all. On a node or an edge it means one or
// several, with commas, of
//
//	start    end up-left    broken    missing    dot    own cyan dot
//	other orange dot        invisible dot
//
// where an own or other dot must be covered by the player's line or by its
// image. Empty lines and lines that begin with "# " may stand before a header
// and between legends. A file may hold several panels. MarshalText writes the
// one canonical form of a panel; whatever Parse accepts comes back in it.
package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"iter"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// jsonFormat reads puzzles of witnesspuzzles.com, one after another.
func jsonFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "witnesspuzzles",
		Way:  "its editor opens it by importPuzzle() in the browser's console",
		Sniff: func(head []byte) bool {
			head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
			return bytes.HasPrefix(head, []byte("{")) &&
				(bytes.Contains(head, []byte(`"grid"`)) || bytes.Contains(head, []byte(`"pillar"`)))
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
			return wrap.all(func(yield func(*board.Panel, error) bool) {
				dec := json.NewDecoder(r)
				for {
					var raw json.RawMessage
					err := dec.Decode(&raw)
					if err == io.EOF {
						return
					}
					if err != nil {
						yield(nil, fmt.Errorf("witnesspuzzles: %w", solve.JSONError(err)))
						return
					}
					if !yield(jsonPanel(raw, kinds)) {
						return
					}
				}
			})
		},
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) { return EncodeJSON(b.Board()) }),
	}
}

// A Wrap makes a puzzle of a panel.
type Wrap func(*board.Panel) solve.Puzzle

// Formats are the forms for panels with these kinds of symbols, our own first.
func Formats(kinds []board.Kind, wrap Wrap) []solve.Format {
	return []solve.Format{textFormat(kinds, wrap), windmillFormat(kinds, wrap), jsonFormat(kinds, wrap)}
}

// textFormat is our own form.
func textFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "text",
		Sniff: func(head []byte) bool {
			for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\ufeff"))) {
				text := string(bytes.TrimRight(line, "\r\n\t "))
				if !isComment(text) {
					return isHeader(text)
				}
			}
			return false
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] { return wrap.all(parseAll(r, kinds)) },
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) { return MarshalText(b.Board()) }),
	}
}

// all turns panels into puzzles.
func (wrap Wrap) all(panels iter.Seq2[*board.Panel, error]) iter.Seq2[solve.Puzzle, error] {
	return solve.Puzzles(panels, func(p *board.Panel) (solve.Puzzle, error) { return wrap(p), nil })
}

// windmillFormat reads links or codes, one a line.
func windmillFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "windmill",
		Link: "https://" + windmillHost,
		Sniff: func(head []byte) bool {
			line, _, whole := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
			line = bytes.TrimSpace(line)
			if bytes.ContainsAny(line, " \t{") {
				return false
			}
			// Every code begins with the width's field, so with C and one of A
			// to P; whoever read the head may have cut off its end.
			code := line[bytes.LastIndexAny(line, "/#?")+1:]
			return len(code) > 8 && len(bytes.Trim(code, base64Letters+"=%")) == 0 &&
				(code[0] == 'C' && code[1] >= 'A' && code[1] <= 'P' || whole && bytes.HasSuffix(code, []byte("_0"))) ||
				bytes.Contains(line, []byte(windmillHost))
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
			return wrap.all(func(yield func(*board.Panel, error) bool) {
				lines := newLineReader(r)
				defer lines.stop()
				for lines.next() {
					if lines.text == "" {
						continue
					}
					p, err := windmillPanel(lines.text, kinds)
					if err != nil {
						err = atLine(lines.line, err)
					}
					if !yield(p, err) {
						return
					}
				}
				if lines.err != nil {
					yield(nil, fmt.Errorf("witness: %w", lines.err))
				}
			})
		},
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) {
			code, err := EncodeWindmill(b.Board())
			return []byte(code + "\n"), err
		}),
	}
}

// describeDot is the dot in the text form.
func describeDot(d board.Dot) string {
	var words []string
	if d.Line != board.AnyLine {
		words = append(words, [...]string{"", "own", "other"}[d.Line])
	}
	if d.Invisible {
		words = append(words, "invisible")
	}
	if d.Colour != "" {
		words = append(words, string(d.Colour))
	}
	return strings.Join(append(words, "dot"), " ")
}

// parseDot reads the words before "dot".
func parseDot(words []string) (board.Dot, error) {
	d := board.Dot{On: true}
	if len(words) > 0 && (words[0] == "own" || words[0] == "other") {
		d.Line = board.OwnLine
		if words[0] == "other" {
			d.Line = board.OtherLine
		}
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "invisible" {
		d.Invisible = true
		words = words[1:]
	}
	if len(words) > 0 && board.GoodColour(board.Colour(words[0])) {
		d.Colour = board.Colour(words[0])
		words = words[1:]
	}
	if len(words) > 0 {
		return d, fmt.Errorf("%q in a dot, want [own|other] [invisible] [colour] dot", words[0])
	}
	return d, nil
}

// siteDots are the dots of witnesspuzzles.com by number; 0 is none.
func siteDots() []board.Dot {
	return []board.Dot{
		{},
		{On: true},
		{On: true, Line: board.OwnLine, Colour: board.Blue},
		{On: true, Line: board.OtherLine, Colour: board.Yellow},
		{On: true, Invisible: true},
	}
}

// siteNumber is the number of a dot there, whatever its colour.
func siteNumber(d board.Dot) (int, error) {
	for i, known := range siteDots() {
		if known.On == d.On && known.Line == d.Line && known.Invisible == d.Invisible {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s cannot be written: an invisible dot is of either line", describeDot(d))
}

// A Label is what stands in a place, in the words of the text form.
type Label string

// EmptyCell is the label of a cell without a symbol.
const EmptyCell Label = "empty"

// Colourless stands in a label where a kind that has a colour has none.
const Colourless = "colourless"

// SymbolLabel names a symbol without its colour.
func SymbolLabel(s board.Symbol) Label {
	if s.Kind == board.NoSymbol {
		return EmptyCell
	}
	s.Colour = ""
	spot := board.Spot{Symbol: s}
	return Label(Describe(image.Pt(1, 1), &spot))
}

// Shown is a label as it is shown to a person and may be answered.
func (l Label) Shown() string { return strings.Replace(string(l), Colourless+" ", "", 1) }
