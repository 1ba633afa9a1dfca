package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"onlooker/solve"
)

// A Status says what is known of a puzzle's answers.
type Status int

// What may be known.
const (
	Unsolved   Status = iota // nothing
	Solved                   // there is an answer
	Unsolvable               // it is proved that there is none
)

func (s Status) String() string {
	return [...]string{"unsolved", "solved", "unsolvable"}[s]
}

// ParseStatus is the status of that name.
func ParseStatus(name string) (Status, error) {
	for s := Unsolved; s <= Unsolvable; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("store: status %q, want unsolved, solved or unsolvable", name)
}

// ErrNotFound says that the store has no such puzzle.
var ErrNotFound = errors.New("store: no such puzzle")

// An Entry is a puzzle of the store.
type Entry struct {
	ID         int64
	Family     string
	Text       string // canonical
	Cols, Rows int    // of cells
	Features   []string
	Status     Status
	Seen       time.Time // first
}

// A Filter says which puzzles are wanted; its zero value is all of them.
type Filter struct {
	Family     string   // "": any
	Cols, Rows int      // 0: any
	Features   []string // all of these
	Status     *Status  // nil: any
	Source     string   // "": any
}

// Find finds a puzzle by what it is; ErrNotFound.
func (s *Store) Find(ctx context.Context, family string, p solve.Puzzle) (Entry, error) {
	text, err := p.MarshalText()
	if err != nil {
		return Entry{}, fmt.Errorf("store: %w", err)
	}
	return s.entry(ctx, "p.key = ?", identity(family, string(text)))
}

// Get is the puzzle with that number; ErrNotFound.
func (s *Store) Get(ctx context.Context, id int64) (Entry, error) {
	return s.entry(ctx, "p.id = ?", id)
}

func (s *Store) entry(ctx context.Context, where string, arg any) (Entry, error) {
	entries, err := s.entries(ctx, where, []any{arg}, "")
	if err == nil && len(entries) == 0 {
		return Entry{}, ErrNotFound
	}
	if err != nil {
		return Entry{}, err
	}
	return entries[0], nil
}

// entries reads the puzzles that a condition picks.
func (s *Store) entries(ctx context.Context, where string, args []any, tail string) ([]Entry, error) {
	rows, err := s.db.QueryContext(ctx, `SELECT p.id, p.family, t.text, p.cols, p.rows, f.words, p.status, p.seen
		FROM puzzle p JOIN features f ON f.id = p.features JOIN text t ON t.puzzle = p.id WHERE `+where+" "+tail, args...)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	var entries []Entry
	for rows.Next() {
		var e Entry
		var words string
		var seen int64
		if err := rows.Scan(&e.ID, &e.Family, &e.Text, &e.Cols, &e.Rows, &words, &e.Status, &seen); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		e.Features, e.Seen = strings.Fields(words), instant(seen)
		entries = append(entries, e)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return entries, nil
}

// where is a filter as a condition on puzzles p. That none can meet it is told
// by "0".
func (s *Store) where(ctx context.Context, f Filter) (string, []any, error) {
	conditions, args := []string{"1"}, []any{}
	add := func(condition string, arg any) {
		conditions, args = append(conditions, condition), append(args, arg)
	}
	if f.Family != "" {
		add("p.family = ?", f.Family)
	}
	if f.Cols != 0 {
		add("p.cols = ?", f.Cols)
	}
	if f.Rows != 0 {
		add("p.rows = ?", f.Rows)
	}
	if f.Status != nil {
		add("p.status = ?", *f.Status)
	}
	if f.Source != "" {
		var id int
		err := s.db.QueryRowContext(ctx, "SELECT id FROM source WHERE name = ?", f.Source).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return "0", nil, nil
		}
		if err != nil {
			return "", nil, fmt.Errorf("store: %w", err)
		}
		add("p.sources & ? <> 0", int64(1)<<id)
	}
	if len(f.Features) > 0 {
		sets, err := s.featureSets(ctx, f.Features)
		if err != nil {
			return "", nil, err
		}
		conditions = append(conditions, "p.features IN ("+strings.Join(sets, ", ")+")")
	}
	return strings.Join(conditions, " AND "), args, nil
}

// featureSets lists the combinations of features that hold all of these.
func (s *Store) featureSets(ctx context.Context, features []string) ([]string, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, words FROM features")
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	var sets []string
	for rows.Next() {
		var id int64
		var words string
		if err := rows.Scan(&id, &words); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		have := strings.Fields(words)
		if !slices.ContainsFunc(features, func(w string) bool { return !slices.Contains(have, w) }) {
			sets = append(sets, strconv.FormatInt(id, 10))
		}
	}
	return sets, rows.Err()
}

// List is a page of the puzzles that the filter wants, the newest first: at
// most limit of them, older than the puzzle with the number before (0: from the
// newest on). The next page is before the last of this one.
func (s *Store) List(ctx context.Context, f Filter, before int64, limit int) ([]Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return nil, err
	}
	if before != 0 {
		where, args = where+" AND p.id < ?", append(args, before)
	}
	return s.entries(ctx, where, append(args, limit), "ORDER BY p.id DESC LIMIT ?")
}

// Neighbour is the next puzzle that the filter wants, older or newer than the
// one with that number; ErrNotFound at the list's end.
func (s *Store) Neighbour(ctx context.Context, f Filter, id int64, older bool) (Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return Entry{}, err
	}
	tail := "ORDER BY p.id LIMIT 1"
	if older {
		tail = "ORDER BY p.id DESC LIMIT 1"
		where += " AND p.id < ?"
	} else {
		where += " AND p.id > ?"
	}
	entries, err := s.entries(ctx, where, append(args, id), tail)
	if err == nil && len(entries) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Entry{}, err
	}
	return entries[0], nil
}

// Count is how many puzzles the filter wants.
func (s *Store) Count(ctx context.Context, f Filter) (int, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return 0, err
	}
	var n int
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
	Statuses map[Status]int
	Sources  map[string]int
}

// Facets looks through all puzzles.
func (s *Store) Facets(ctx context.Context) (Facets, error) {
	f := Facets{map[string]int{}, map[string]map[string]int{}, map[string]map[[2]int]int{}, map[Status]int{}, map[string]int{}}
	names, err := s.sourceNames(ctx)
	if err != nil {
		return f, err
	}
	rows, err := s.db.QueryContext(ctx, `SELECT p.family, p.cols, p.rows, p.status, p.sources, f.words, p.n FROM
		(SELECT family, cols, rows, status, sources, features, count(*) AS n FROM puzzle GROUP BY features, family, cols, rows, status, sources) p
		JOIN features f ON f.id = p.features`)
	if err != nil {
		return f, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var family, words string
		var size [2]int
		var status Status
		var sources int64
		var n int
		if err := rows.Scan(&family, &size[0], &size[1], &status, &sources, &words, &n); err != nil {
			return f, fmt.Errorf("store: %w", err)
		}
		if f.Features[family] == nil {
			f.Features[family], f.Sizes[family] = map[string]int{}, map[[2]int]int{}
		}
		f.Families[family] += n
		f.Sizes[family][size] += n
		f.Statuses[status] += n
		for _, w := range strings.Fields(words) {
			f.Features[family][w] += n
		}
		for id, name := range names {
			if sources&(1<<id) != 0 {
				f.Sources[name] += n
			}
		}
	}
	return f, rows.Err()
}

// sourceNames lists the sources by their ids.
func (s *Store) sourceNames(ctx context.Context) ([]string, error) {
	var list string
	err := s.db.QueryRowContext(ctx, "SELECT json_group_array(name) FROM (SELECT name FROM source ORDER BY id)").Scan(&list)
	var names []string
	if err == nil {
		err = json.Unmarshal([]byte(list), &names)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return names, nil
}

// Sightings lists where a puzzle was seen, the latest first.
func (s *Store) Sightings(ctx context.Context, id int64) ([]Sighting, error) {
	return sightings(ctx, s.db, id)
}

func sightings(ctx context.Context, q querier, id int64) ([]Sighting, error) {
	rows, err := q.QueryContext(ctx, `SELECT s.name, i.place, i.first, i.last, i.times FROM sighting i JOIN source s ON s.id = i.source
		WHERE i.puzzle = ? ORDER BY i.last DESC, s.name, i.place`, id)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	var all []Sighting
	for rows.Next() {
		var seen Sighting
		var first, last int64
		if err := rows.Scan(&seen.Source, &seen.Place, &first, &last, &seen.Times); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		seen.First, seen.Last = instant(first), instant(last)
		all = append(all, seen)
	}
	return all, rows.Err()
}

// Answers lists the answers to a puzzle: the cheapest first, then in the order
// in which they were found.
func (s *Store) Answers(ctx context.Context, id int64) ([]Answer, error) {
	return answers(ctx, s.db, id, "cost IS NULL, cost, id")
}

func answers(ctx context.Context, q querier, id int64, order string) ([]Answer, error) {
	rows, err := q.QueryContext(ctx, `SELECT strokes, cost, bound, unit, micros, solver, at, own FROM answer
		WHERE puzzle = ? ORDER BY `+order, id)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer rows.Close()
	var all []Answer
	for rows.Next() {
		var a Answer
		var strokes string
		var cost, bound sql.NullInt64
		var unit sql.NullString
		var took, at int64
		if err := rows.Scan(&strokes, &cost, &bound, &unit, &took, &a.Solver, &at, &a.Own); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
		var of [][][2]int
		if err := json.Unmarshal([]byte(strokes), &of); err != nil {
			return nil, fmt.Errorf("store: an answer to puzzle %d: %w", id, err)
		}
		a.Solution, a.Took, a.At = solution(of), time.Duration(took)*time.Microsecond, instant(at)
		if bound.Valid {
			a.Best = &solve.Best{Solution: a.Solution, Unit: unit.String, Cost: int(cost.Int64), Bound: int(bound.Int64)}
		}
		all = append(all, a)
	}
	return all, rows.Err()
}

// Proof is the proof that a puzzle has no answer, nil where none is known.
func (s *Store) Proof(ctx context.Context, id int64) (*Proof, error) { return proof(ctx, s.db, id) }

func proof(ctx context.Context, q querier, id int64) (*Proof, error) {
	var p Proof
	var where string
	var took, at int64
	err := q.QueryRowContext(ctx, "SELECT why, places, micros, solver, at, own FROM proof WHERE puzzle = ?", id).
		Scan(&p.Why, &where, &took, &p.Solver, &at, &p.Own)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	var of [][2]int
	if err == nil {
		err = json.Unmarshal([]byte(where), &of)
	}
	if err != nil {
		return nil, fmt.Errorf("store: proof of puzzle %d: %w", id, err)
	}
	p.Where, p.Took, p.At = points(of), time.Duration(took)*time.Microsecond, instant(at)
	return &p, nil
}

// A Known is what may be shown of a puzzle without solving it: an answer, or
// the proof that there is none.
type Known struct {
	Answer Answer
	Proof  *Proof // with it there is no Answer
}

// Recall looks a puzzle up for the solver of that version; nil where it must be
// solved. An answer passed the puzzle's Check just now. Of a puzzle whose
// answers have a cost it is one that was found here, and either proved to be
// the cheapest or the best that this solver knows. A proof cannot be checked
// any more, so it counts only when it was found here by this very solver.
func (s *Store) Recall(ctx context.Context, family string, p solve.Puzzle, solver string) (*Known, error) {
	text, err := p.MarshalText()
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var id int64
	var status Status
	err = s.db.QueryRowContext(ctx, "SELECT id, status FROM puzzle WHERE key = ?", identity(family, string(text))).Scan(&id, &status)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("store: %w", err)
	}
	switch status {
	case Solved:
		all, err := s.Answers(ctx, id)
		if err != nil {
			return nil, err
		}
		_, costs := p.(solve.Minimiser)
		for _, a := range all {
			if costs && (!a.Own || a.Best == nil || a.Best.Cost > a.Best.Bound && a.Solver != solver) {
				continue
			}
			if p.Check(a.Solution) == nil {
				return &Known{Answer: a}, nil
			}
		}
	case Unsolvable:
		proof, err := s.Proof(ctx, id)
		if err == nil && proof != nil && proof.Own && proof.Solver == solver {
			return &Known{Proof: proof}, nil
		}
		return nil, err
	}
	return nil, nil
}
