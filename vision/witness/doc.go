// Package witness reads panels of The Witness from boards that package vision found.
//
// # The model
//
// A board that was straightened is a list of places: its cells, the nodes and edges
// of its lattice of lines, and the ways outwards from its border. Each place has
// hypotheses, as data: an edge is whole, broken, missing or has a dot, a node is
// plain or has a start circle or a dot, a way outwards has an end or none, a cell
// is empty or holds a symbol. They are drawn as package
// onlooker/vision/picture/witness draws them, at the board's own scale and blur, and
// compared with what the picture shows there; what they leave unexplained, against the
// board's noise, is their likelihood. Weights and priors stand in cell/odds.go, those of
// the lines in line/linemodel.go. What is not likely enough is a doubt (package decide), and
// one that no view answers refuses the board.
//
//   - Lines of the game's look: what each place of them may show is a layout,
//     drawn once for all boards of one scale and blur. A layout's layers are fitted to what
//     is seen, and what leads is told for the board as a whole (package line).
//   - Symbols of the game's look: what stands in a cell is a stain; the templates
//     that OpenCV's matchTemplate finds most like it are guesses, which are fitted to the
//     frame's own pixels, and in compressed pictures by blocks; then all cells tell together
//     (package cell), and their colours (package colour).
//   - The pointer over a board is a disc (package pointer), which is fitted and taken off.
//   - A learned look (packages learn and look): templates and appearances of
//     places are kept beside its profile, and matched. Boards composed of the taught ones
//     show places as they were not seen (package learn).
//   - A look of which nothing is known is drafted, for a person to put right (draft.go): by
//     what usually divides places, and the templates in every size.
//   - What a reading leaves unexplained of its picture is unsure (package check).
//   - Pillars that are seen from several sides: each view gives the likelihoods of what
//     its places may show, and the views are joined so that all of them
//     together are likeliest (package pillar). Other boards that go round are unrolled
//     (around.go); later frames of one board are merged (views.go).
//
// # Glossary
//
//   - appearance: what a place of the lines shows, as distances from line and ground;
//   - arm: a line that leads to a node; joint: where they meet; band: a ground beyond a
//     border, which may be one of several, one after the other;
//   - basis: a drawn shape and by what it changes when it is moved, stretched, blurred;
//   - belief: what a place of the lines may show, and the evidence for each; lead: by how
//     much one leads all others; glance: what is seen there;
//   - contrast: how far the lines' usual colour is from the cells';
//   - divide: the values of one measure between which something is in doubt;
//   - doubt: a question that is open at a place, with what was measured and what would answer it;
//   - draft: a guess at a board that is not read, for a person to put right;
//   - exhibit, lesson: a symbol, and a board, of which it is known what they show;
//   - form: how a kind of symbol is drawn;
//   - half-cell: the unit of positions, see onlooker/solve;
//   - ink, paper, ground: the colours of lines, of cells, and of what lies beside a line;
//   - layout: what a place of the lines may show, drawn; layer: what something of one
//     colour covers of it; meaning: what that is for the panel;
//   - level: one of a few shares that comparisons are made with, see view/tuning.go;
//   - look: how a client draws boards, as a profile of package calibrations has it;
//   - misfit: what a template or layout leaves unexplained, as a logarithm;
//   - odds: weights and priors of which a probability is made;
//   - palette, cluster: colours of symbols, and which of them are one;
//   - pitch: the distance of neighbouring nodes, the unit of lengths;
//   - pool: the appearances that were seen of one sort of place;
//   - relief: how cells that are not plain differ from one colour, as hollow ones do;
//   - view: one straightened board with the usual colours of its places; model: the
//     same with what the picture model measures of it;
//   - sight, tone: the frame's own pixels of a stain, by light and by tint;
//   - square: what a cell shows between its lines; stain: what stands in it;
//   - template: a form drawn as coverage, 0 to 1; candidate: one laid over a cell;
//   - disc: the game's pointer or its disc over a board;
//   - trace: a line that is drawn on a board already, to an end or begun;
//   - wall, side, glimpse: a view of a pillar straightened, read, and one place of it;
//     showing: what that place may show, and its likelihood; joining: how views go together.
package witness
