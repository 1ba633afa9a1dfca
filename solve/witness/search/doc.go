// Package search answers panels of The Witness. It never asks Check whether a line
// is right; a Referee has the last word on what it found.
//
// # Solving
//
// A panel is solved by clause learning over the edges of its graph (package
// path), with variables beside them for what belongs together:
//
//   - The line is a path from a source to a sink. Two symmetric lines are one
//     line in the quotient of the panel by its symmetry. What hangs on one vertex
//     alone it does not enter: it could not come out again.
//   - Two cells are in one region unless an edge between them is on. Squares
//     give a few bits to every cell that agree across each edge that is off.
//   - Where the line runs from border to border every cell has a side of it:
//     an edge is on exactly when the sides across it differ, and a region lies
//     on one side.
//   - Every star, piece and eraser has a label: for each cell a variable that
//     says whether it lies in the symbol's region. Star pairs, the size of a
//     region against its pieces, and the number of things erased against the
//     erasers are counted on labels. A label reaches no farther than edges
//     that are on, and cells that it was denied, let it, and has what joins
//     two parts of it alone; a piece's no farther than the squares of the pieces
//     that may lie in its region last.
//   - A piece has a variable for each of its places, also those that hang over
//     the border, and for each cell that these cover; a cell of a region with
//     pieces is covered by one piece. Equal pieces of a region lie in order. Blue pieces may eat what lies over, which
//     is as many squares as they have; single squares have no places.
//   - Everything that can be erased has a variable that says so. Of equal
//     symbols in a region the last are erased, and under rule sets that want as
//     few erased as possible nothing is that could be left.
//   - A kind whose rule is columns counts literals: of places that the line covers, of
//     turns, of cells seen, of cells in a label. Counters term by term make clauses of
//     what the count must be.
//   - Variables that say something of a cell's region, and its side, follow from
//     the others and are decided last: decided early they sent the search
//     astray. A line that is complete and right is an answer at once.
//   - A region that is complete is judged exactly, erasers by trying sets of
//     what is wrong, pieces by exact cover (package cover), with blue pieces by
//     a search over what each cell still needs. What is wrong is forbidden by
//     the edges round and in the region, or by what the region contains.
//
// The judge alone decides; all else only prunes. Check is another account of the
// rules, with data of its own, which no search calls: it has the last word on
// every answer found, and one that it refuses is an internal error.
//
// On a panel of up to 6×6 cells Solve first draws lines one after the other (a
// walk), each until cells that it has joined for good hold what no region may and no
// eraser that they can still come to sets right, or a region that it has closed is
// wrong. Then it tries three ways of searching in turn: by conflicts and not by the clock.
// Two turns run side by side; what counts is the first in
// order that finds something, so that the answer is the same every time. What a turn
// learned stays, and every further one begins with edges in another order, and
// stable searches take turns with others. The first way lays pieces near where they
// stand, and begins afresh often; with several erasers the others decide early what is
// erased. Panels whose pieces fill them exactly are also
// tried tiling by tiling.
//
// On a panel of the game, where the rule sets differ, the search that found an answer goes
// on for one that is right by all of them (Holds).
//
// A second solver over gini (package sat) draws lines, asks Check what is wrong
// and forbids the same region; it verifies the proofs that Why gives, and cross-
// checks Solve in the tests.
//
// # Growth
//
// Milliseconds of processor time, median and 95th percentile, of n×n panels
// dealt from seeds with an answer (BenchmarkGrowth, 20 seeds each), on an idle
// machine with two cores, both of which hard panels use; "+k" is how many were not
// decided within 5 s of it, as which they count. It was measured when the search still shut
// what the line could not come out of: without that the 93 hardest panels of the corpora take
// 42 s for 52, in four orders of what is tried first.
//
//	                        4×4        6×6        8×8        10×10      12×12
//	maze and dots           0.1 0.3    0.2 1.4    0.5 1.5    0.8 2.1    1.9 2.6
//	squares                 0.1 1.0    0.1 1.3    0.5 1.6    1.1 5.7    2.3 32
//	triangles               0.1 1.5    1.4 3.3    0.6 1.9    1.0 3.1    2.1 8.4
//	rotation, dots, squares 0.2 1.7    0.4 1.3    0.5 3.1    0.7 5.0    2.0 38
//	pillar, dots, squares   0.1 0.1    0.2 0.7    0.4 1.8    0.7 5.2    1.1 2.3
//	squares, 2 erasers      0.1 0.9    0.7 3.6    2.6 39     3.2 72     28 258
//	stars                   0.1 0.5    0.1 2.1    1.1 19     2.1 114    62 333
//	pieces, one blue        0.4 1.6    3.0 4.3    3.3 9.9    5.6 53     11 573
//	pieces                  0.3 2.0    2.1 4.3    2.7 27     14 226     125 5000+1
//	squares, stars, pieces  0.3 2.3    1.8 4.6    8.4 118    45 623     1322 5000+3
//
// The same with the symbols of each panel dealt to other places, so that some
// have no answer, which is proved (217 of 1,000):
//
//	                        4×4        6×6        8×8        10×10      12×12
//	maze and dots           0.1 0.9    0.4 1.1    0.3 1.3    0.4 1.2    1.0 2.6
//	squares                 0.1 0.2    0.2 1.8    0.5 21     1.2 4.8    1.3 13
//	triangles               0.1 1.0    1.4 3.1    0.7 1.6    1.1 3.2    1.8 4.2
//	rotation, dots, squares 0.3 1.0    0.4 1.0    0.8 5.4    0.8 442    2.3 44
//	pillar, dots, squares   0.0 0.1    0.1 0.7    0.4 2.9    0.7 5.9    2.4 19
//	squares, 2 erasers      0.1 0.4    0.4 4.2    2.2 27     4.4 33     30 63
//	stars                   0.1 0.1    0.1 1.3    0.8 3.3    3.7 121    145 781
//	pieces, one blue        0.7 1.6    2.4 6.1    3.4 12     5.7 169    15 719
//	pieces                  0.5 1.1    2.0 5.2    3.2 131    126 3515   5000 5000+14
//	squares, stars, pieces  0.5 2.1    2.2 5.1    24 582     554 5000+4 5000 5000+15
//
// What limits it:
//
//   - Mazes, dots, squares, triangles, symmetry: nothing at these sizes; the
//     time goes into stating the panel.
//   - Stars: the number of ways to pair them. Of how a pair is joined only the
//     edges and cells are known that no way can do without.
//   - Pieces: nothing in the search counts the ways to share out a region among
//     far pieces; sizes bound single regions and the whole panel only.
//   - Blue pieces: what lies over is bounded cell by cell and by the region's
//     sum; the judge decides the rest region by region.
//   - Erasers: the judge tries sets of what is wrong in a region; the search
//     knows how many things are erased, not which go together.
//   - Squares, stars and pieces together: labels cost as many variables as
//     there are symbols times cells.
package search
