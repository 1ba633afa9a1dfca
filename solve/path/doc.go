// Package path decides paths over the edges of a graph together with clauses:
// a SAT solver (conflict-driven clause learning) with a theory of paths in the
// search, and a hook for further rules. It knows no puzzle.
//
// # Variables and clauses
//
// A Solver hands out variables as literals (NewVar, NewVars), takes clauses
// (AddClause) and looks for an assignment (Solve), under assumptions if
// wanted; Value reads it, Failed names assumptions that contradict each other.
// Clauses, not variables or edges, may be added between searches at no cost:
// what was learned stays. Each visits all assignments within one search.
// The same calls give the same answers: nothing depends on time or chance.
// A search ends within a few decisions when its context does.
//
// # Paths
//
// A Graph has vertices of four kinds (Inner: no or two edges; Through: two;
// End: one; MayEnd: none or one) and edges, each with a literal: the edge is
// on when the literal is true. The edges that are on form paths without
// cycles, and the two ends of a path have equal colours, or one of them is 0.
// All this is kept by counters and by an array of the
// pieces' other ends, which is undone step by step; an edge that would close a
// cycle or join wrong ends is refused as soon as it is the next one, and the
// clause that says why, the edges along the path, is written down only when
// the conflict analysis needs it.
//
//   - A fixed end is an End. Where one of several may be chosen (a start, an
//     exit), hang a MayEnd vertex on each of them by an edge, and demand with
//     clauses that exactly one of those edges is on.
//   - Exactly one path: call Single; then the complete path turns all else
//     off, and a path that leaves out a Through vertex is refused.
//   - A cycle through everything: cut one vertex into two ends.
//   - Two lines that mirror each other: give both edges the same literal.
//   - A vertex as a condition elsewhere: Visited.
//
// # Further rules
//
// A Propagator is told of every assignment and its undoing, may add clauses or
// implied literals when clauses and graph are at rest, and has the last word
// on a full assignment (Final).
//
// # Order
//
// Variables are decided by activity in recent conflicts, or first in a given
// order (SetOrder); tried false first, or as SetPhase says, later as they were
// last. Renew forgets that between searches, and keeps what was learned. SetStable
// makes a search that begins anew seldom and stays near its best assignment.
package path
