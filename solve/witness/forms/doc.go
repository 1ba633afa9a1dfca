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
