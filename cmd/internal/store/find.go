package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"onlooker/solve"
)

// An Entry is a puzzle of the store.
type Entry struct {
	ID         int64
	Family     string
	Text       string // canonical
	Cols, Rows int    // of cells
	Features   []string
	Status     AnswerState
	Seen       time.Time // first
}

// A Filter says which puzzles are wanted; its zero value is all of them.
type Filter struct {
	Family     string       // "": any
	Cols, Rows int          // 0: any
	Features   []string     // all of these
	Status     *AnswerState // nil: any
	Source     string       // "": any
}

// Get is the puzzle with that number; ErrNotFound.
func (s *Store) Get(ctx context.Context, id int64) (Entry, error) {
	return only(entries(ctx, s.db, "p.id = ?", []any{id}, "p.id", 1))
}

// only is the one entry of a list, or ErrNotFound.
func only(entries []Entry, err error) (Entry, error) {
	if err == nil && len(entries) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Entry{}, err
	}
	return entries[0], nil
}

// entries reads the puzzles that a condition picks, some of them; only those
// are joined with their texts.
func entries(ctx context.Context, q querier, where string, args []any, order string, limit int) ([]Entry, error) {
	return query(ctx, q, func(e *Entry) []any {
		return []any{&e.ID, &e.Family, &e.Text, &e.Cols, &e.Rows, words(&e.Features), &e.Status, instant(&e.Seen)}
	}, `SELECT p.id, p.family, t.text, p.cols, p.rows, f.words, p.status, p.seen
		FROM (SELECT p.id AS chosen FROM puzzle p WHERE `+where+" ORDER BY "+order+` LIMIT ?)
		JOIN puzzle p ON p.id = chosen JOIN features f ON f.id = p.features JOIN text t ON t.puzzle = p.id ORDER BY `+order, append(args, limit)...)
}

// where is a filter as a condition on puzzles p.
func (s *Store) where(ctx context.Context, f Filter) (string, []any, error) {
	conditions, args := []string{"1"}, []any{}
	add := func(asked bool, condition string, values ...any) {
		if asked {
			conditions, args = append(conditions, condition), append(args, values...)
		}
	}
	add(f.Family != "", "p.family = ?", f.Family)
	add(f.Cols != 0, "p.cols = ?", f.Cols)
	add(f.Rows != 0, "p.rows = ?", f.Rows)
	add(f.Status != nil, "p.status = ?", f.Status)
	add(f.Source != "", "(p.sources >> (SELECT id FROM source WHERE name = ?)) & 1", f.Source)
	if len(f.Features) > 0 {
		sets, err := featureSets(ctx, s.db, f.Features)
		if err != nil {
			return "", nil, err
		}
		add(true, "p.features IN ("+strings.Join(sets, ", ")+")")
	}
	return strings.Join(conditions, " AND "), args, nil
}

// featureSets lists the combinations of features that hold all of these.
func featureSets(ctx context.Context, q querier, features []string) (sets []string, err error) {
	type set struct {
		id   string
		have []string
	}
	all, err := query(ctx, q, func(s *set) []any { return []any{&s.id, words(&s.have)} }, "SELECT id, words FROM features")
	for _, s := range all {
		if !slices.ContainsFunc(features, func(w string) bool { return !slices.Contains(s.have, w) }) {
			sets = append(sets, s.id)
		}
	}
	return sets, err
}

// List is a page of the puzzles that the filter wants, the newest first: at most
// limit of them, after the puzzle with the number after (0: from the first on).
func (s *Store) List(ctx context.Context, f Filter, after int64, limit int) ([]Entry, error) {
	return s.beyond(ctx, f, after, false, limit)
}

// Neighbour is the next puzzle that the filter wants, after or before the one
// with that number in the list; ErrNotFound at its end.
func (s *Store) Neighbour(ctx context.Context, f Filter, id int64, before bool) (Entry, error) {
	return only(s.beyond(ctx, f, id, before, 1))
}

// beyond lists the puzzles after one, or backwards those before it.
func (s *Store) beyond(ctx context.Context, f Filter, id int64, before bool, limit int) ([]Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return nil, err
	}
	switch {
	case before:
		return entries(ctx, s.db, where+" AND p.id > ?", append(args, id), "p.id", limit)
	case id != 0:
		where, args = where+" AND p.id < ?", append(args, id)
	}
	return entries(ctx, s.db, where, args, "p.id DESC", limit)
}

// Count is how many puzzles the filter wants.
func (s *Store) Count(ctx context.Context, f Filter) (n int, err error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return 0, err
	}
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM puzzle p WHERE "+where, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("store: %w", err)
	}
	return n, nil
}

// Facets are what a Filter can ask for, with the number of puzzles of each.
type Facets struct {
	Families map[string]int
	Features map[string]map[string]int // by family, then by feature
	Sizes    map[string]map[[2]int]int // by family, then by columns and rows
	Statuses map[AnswerState]int
	Sources  map[string]int
}

// Facets looks through all puzzles.
func (s *Store) Facets(ctx context.Context) (Facets, error) {
	f := Facets{map[string]int{}, map[string]map[string]int{}, map[string]map[[2]int]int{}, map[AnswerState]int{}, map[string]int{}}
	names, err := query(ctx, s.db, func(name *string) []any { return []any{name} }, "SELECT name FROM source ORDER BY id")
	if err != nil {
		return f, err
	}
	type group struct {
		family     string
		size       [2]int
		status     AnswerState
		sources, n int
		words      []string
	}
	all, err := query(ctx, s.db, func(g *group) []any {
		return []any{&g.family, &g.size[0], &g.size[1], &g.status, &g.sources, words(&g.words), &g.n}
	}, `SELECT p.family, p.cols, p.rows, p.status, p.sources, f.words, p.n FROM
		(SELECT family, cols, rows, status, sources, features, count(*) AS n FROM puzzle GROUP BY features, family, cols, rows, status, sources) p
		JOIN features f ON f.id = p.features`)
	for _, g := range all {
		if f.Features[g.family] == nil {
			f.Features[g.family], f.Sizes[g.family] = map[string]int{}, map[[2]int]int{}
		}
		f.Families[g.family] += g.n
		f.Sizes[g.family][g.size] += g.n
		f.Statuses[g.status] += g.n
		for _, w := range g.words {
			f.Features[g.family][w] += g.n
		}
		for id, name := range names {
			if g.sources&(1<<id) != 0 {
				f.Sources[name] += g.n
			}
		}
	}
	return f, err
}

// Sightings lists where a puzzle was seen, the latest first.
func (s *Store) Sightings(ctx context.Context, id int64) ([]Origin, error) {
	return sightings(ctx, s.db, id)
}

func sightings(ctx context.Context, q querier, id int64) ([]Origin, error) {
	return query(ctx, q, func(o *Origin) []any {
		return []any{&o.Source, &o.Place, instant(&o.First), instant(&o.Last), &o.Times}
	}, `SELECT s.name, i.place, i.first, i.last, i.times FROM sighting i JOIN source s ON s.id = i.source
		WHERE i.puzzle = ? ORDER BY i.last DESC, s.name, i.place`, id)
}

// Answers lists the answers to a puzzle: the cheapest first, then in the order
// in which they were found.
func (s *Store) Answers(ctx context.Context, id int64) (all []KeptAnswer, err error) {
	found, err := answers(ctx, s.db, id, "cost IS NULL, cost, id")
	for i := range found {
		a, damaged := found[i].kept()
		if damaged != nil {
			return nil, fmt.Errorf("store: an answer to puzzle %d is damaged: %w", id, damaged)
		}
		all = append(all, a)
	}
	return all, err
}

func answers(ctx context.Context, q querier, id int64, order string) ([]portAnswer, error) {
	return query(ctx, q, func(a *portAnswer) []any {
		return []any{text(&a.Strokes), object(&a.Cost), &a.Micros, &a.Solver, instant(&a.At), &a.Own}
	}, `SELECT strokes, CASE WHEN bound IS NOT NULL THEN json_object('cost', cost, 'bound', bound, 'unit', unit) END, micros, solver, at, own
		FROM answer WHERE puzzle = ? ORDER BY `+order, id)
}

// Proof is the proof that a puzzle has no answer, nil where none is known.
func (s *Store) Proof(ctx context.Context, id int64) (*Proof, error) {
	found, err := proofs(ctx, s.db, id)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	p, err := found[0].kept()
	if err != nil {
		return nil, fmt.Errorf("store: the proof of puzzle %d is damaged: %w", id, err)
	}
	return p, nil
}

// proofs are the one proof of a puzzle, or none.
func proofs(ctx context.Context, q querier, id int64) ([]portProof, error) {
	return query(ctx, q, func(p *portProof) []any {
		return []any{&p.Why, text(&p.Where), &p.Micros, &p.Solver, instant(&p.At), &p.Own}
	}, "SELECT why, places, micros, solver, at, own FROM proof WHERE puzzle = ?", id)
}

// Knowledge is what may be shown of a puzzle without solving it: an answer, or
// the proof that there is none.
type Knowledge struct {
	Answer KeptAnswer
	Proof  *Proof // with it there is no Answer
}

// Recall looks a puzzle up for the solver of that version; nil where it must be
// solved. An answer passed the puzzle's Check just now. Of a puzzle whose
// answers have a cost it is one that was found here, and either proved to be
// the cheapest or the best that this solver knows. A proof cannot be checked
// any more, so it counts only when it was found here by this very solver.
func (s *Store) Recall(ctx context.Context, family string, p solve.Puzzle, solver string) (*Knowledge, error) {
	text, err := p.MarshalText()
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	key := identity(family, string(text))
	found, err := query(ctx, s.db, func(e *Entry) []any { return []any{&e.ID, &e.Status} },
		"SELECT id, status FROM puzzle WHERE key = ?", key[:])
	if err != nil || len(found) == 0 {
		return nil, err
	}
	switch e := found[0]; e.Status {
	case Solved:
		all, err := s.Answers(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		_, costs := p.(solve.Minimiser)
		for _, a := range all {
			if costs && (!a.Own || a.Best == nil || a.Best.Cost > a.Best.Bound && a.Solver != solver) {
				continue
			}
			if s.judge(ctx, p, a.Solution) == nil {
				return &Knowledge{Answer: a}, nil
			}
		}
	case Unsolvable:
		proof, err := s.Proof(ctx, e.ID)
		if err == nil && proof != nil && proof.Own && proof.Solver == solver {
			return &Knowledge{Proof: proof}, nil
		}
		return nil, err
	}
	return nil, nil
}
