package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
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
	Mark       Mark
}

// A Filter says which puzzles are wanted; its zero value is all of them.
type Filter struct {
	Family     string       // "": any
	Cols, Rows int          // 0: any
	Features   []string     // all of these
	Status     *AnswerState // nil: any
	Source     string       // "": any
	Words      string       // each of them in the title, the note or where it was seen; "": any
	Hand       PlayState    // what was done with it by hand
	Rating     int          // 1 liked, −1 disliked, 0 any
}

// A PlayState says what was done with a puzzle by hand.
type PlayState int

// What a Filter may ask of that.
const (
	AnyHand   PlayState = iota
	Unplayed            // nothing was entered
	NotSolved           // nothing right was entered
	ByHand              // it was solved
)

// hands are their names and what they are as conditions on puzzles p.
func hands() [4]struct{ name, condition string } {
	return [...]struct{ name, condition string }{{"", "1"}, {"not played", "p.plays = 0"}, {"not solved", "p.wins = 0"}, {"solved", "p.wins <> 0"}}
}

// ParsePlayState is the PlayState of that name.
func ParsePlayState(name string) (PlayState, error) {
	for i, h := range hands() {
		if h.name == name {
			return PlayState(i), nil
		}
	}
	return 0, fmt.Errorf("store: by hand %q, want not played, not solved, solved or nothing", name)
}

// A SortOrder says in which order puzzles are listed. Those that are equal in it
// come in the order of their numbers, either way.
type SortOrder struct {
	Name string
	key  string // a column of puzzle, 0 for most; "": the number alone
	down bool   // the greatest first
}

// Orders lists the orders; the first is the usual one.
func Orders() []SortOrder {
	return []SortOrder{{"newest first", "", true}, {"oldest first", "", false},
		{"best liked", "rating", true}, {"played last", "played", true}, {"most played", "plays", true}, {"least played", "plays", false},
		{"most solved by hand", "wins", true}, {"least solved by hand", "wins", false}}
}

// ParseOrder is the order of that name; the usual one for "".
func ParseOrder(name string) (SortOrder, error) {
	var names []string
	for i, o := range Orders() {
		if o.Name == name || name == "" && i == 0 {
			return o, nil
		}
		names = append(names, o.Name)
	}
	return SortOrder{}, fmt.Errorf("store: order %q, want one of %q", name, names)
}

// A stretch is a part of an ordered list: a condition on puzzles p, and their
// order.
type stretch struct{ where, order string }

// stretches are the parts of the list in an order, or the other way round. Few
// puzzles have a key other than 0, and an index of those alone: the others are
// gone through as they lie in the file, until there are enough.
func (o SortOrder) stretches(back bool) []stretch {
	way := " ASC"
	down := o.down != back
	if down {
		way = " DESC"
	}
	if o.key == "" {
		return []stretch{{"1", "p.id" + way}}
	}
	key := "p." + o.key
	parts := []stretch{
		{key + " <> 0 AND " + key + " < 0", key + way + ", p.id" + way},
		{key + " = 0", "p.id" + way},
		{key + " <> 0 AND " + key + " > 0", key + way + ", p.id" + way},
	}
	if down {
		slices.Reverse(parts)
	}
	return parts
}

// after is the part of the list beyond the puzzle with a number; what is left
// of the stretch that it stands in comes first.
func (s *Store) after(ctx context.Context, o SortOrder, back bool, id int64) ([]stretch, error) {
	parts := o.stretches(back)
	sign := " > "
	if o.down != back {
		sign = " < "
	}
	number := strconv.FormatInt(id, 10)
	if o.key == "" {
		parts[0].where = "p.id" + sign + number
		return parts, nil
	}
	var key int64
	err := s.db.QueryRowContext(ctx, "SELECT "+o.key+" FROM puzzle WHERE id = ?", id).Scan(&key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	at := 1 + cmp.Compare(key, 0)
	if o.down != back {
		at = 2 - at
	}
	parts = parts[at:]
	parts[0].where += " AND (p." + o.key + ", p.id)" + sign + "(" + strconv.FormatInt(key, 10) + ", " + number + ")"
	return parts, nil
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
	return only(s.entries(ctx, where, []any{arg}, "p.id", 1, 0))
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
func (s *Store) entries(ctx context.Context, where string, args []any, order string, limit, offset int) ([]Entry, error) {
	var entries []Entry
	err := each(ctx, s.db, func(rows *sql.Rows) error {
		var e Entry
		var words string
		var seen, played int64
		m := &e.Mark
		err := rows.Scan(&e.ID, &e.Family, &e.Text, &e.Cols, &e.Rows, &words, &e.Status, &seen, &m.Rating, &m.Plays, &m.Wins, &played, &m.Title, &m.Note)
		e.Features, e.Seen = strings.Fields(words), instant(seen)
		if played != 0 {
			m.Played = instant(played)
		}
		entries = append(entries, e)
		return err
	}, `SELECT p.id, p.family, t.text, p.cols, p.rows, f.words, p.status, p.seen, p.rating, p.plays, p.wins, p.played,
		coalesce(l.title, ''), coalesce(l.note, '')
		FROM (SELECT p.id AS chosen FROM puzzle p WHERE `+where+" ORDER BY "+order+` LIMIT ? OFFSET ?)
		JOIN puzzle p ON p.id = chosen JOIN features f ON f.id = p.features JOIN text t ON t.puzzle = p.id LEFT JOIN label l ON l.puzzle = p.id ORDER BY `+order, append(args, limit, offset)...)
	return entries, err
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
	if f.Rating != 0 {
		add("p.rating = ?", f.Rating)
	}
	conditions = append(conditions, hands()[f.Hand].condition)
	for _, word := range strings.Fields(f.Words) {
		like := "%" + strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(word) + "%"
		conditions = append(conditions, `p.id IN (SELECT puzzle FROM label WHERE title LIKE ? ESCAPE '\' OR note LIKE ? ESCAPE '\'
			UNION SELECT puzzle FROM sighting WHERE place LIKE ? ESCAPE '\')`)
		args = append(args, like, like, like)
	}
	if len(f.Features) > 0 {
		sets, err := featureSets(ctx, s.db, f.Features)
		if err != nil {
			return "", nil, err
		}
		conditions = append(conditions, "p.features IN ("+strings.Join(sets, ", ")+")")
	}
	return strings.Join(conditions, " AND "), args, nil
}

// featureSets lists the combinations of features that hold all of these.
func featureSets(ctx context.Context, q querier, features []string) ([]string, error) {
	var sets []string
	err := each(ctx, q, func(rows *sql.Rows) error {
		var id int64
		var words string
		err := rows.Scan(&id, &words)
		have := strings.Fields(words)
		if !slices.ContainsFunc(features, func(w string) bool { return !slices.Contains(have, w) }) {
			sets = append(sets, strconv.FormatInt(id, 10))
		}
		return err
	}, "SELECT id, words FROM features")
	return sets, err
}

// List is a page of the puzzles that the filter wants, in an order: at most
// limit of them, after the puzzle with the number after (0: from the first on).
// The next page is after the last of this one.
func (s *Store) List(ctx context.Context, f Filter, o SortOrder, after int64, limit int) ([]Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return nil, err
	}
	parts := o.stretches(false)
	if after != 0 {
		if parts, err = s.after(ctx, o, false, after); err != nil {
			return nil, err
		}
	}
	return s.through(ctx, parts, where, args, limit)
}

// through reads the first puzzles of some stretches that a condition picks.
func (s *Store) through(ctx context.Context, parts []stretch, where string, args []any, limit int) ([]Entry, error) {
	var all []Entry
	for _, part := range parts {
		if len(all) == limit {
			break
		}
		entries, err := s.entries(ctx, where+" AND "+part.where, slices.Clone(args), part.order, limit-len(all), 0)
		if err != nil {
			return nil, err
		}
		all = append(all, entries...)
	}
	return all, nil
}

// Neighbour is the next puzzle that the filter wants, after or before the one
// with that number in an order; ErrNotFound at the list's end.
func (s *Store) Neighbour(ctx context.Context, f Filter, o SortOrder, id int64, before bool) (Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return Entry{}, err
	}
	parts, err := s.after(ctx, o, before, id)
	if err != nil {
		return Entry{}, err
	}
	return only(s.through(ctx, parts, where, args, 1))
}

// Pick is one of the puzzles that the filter wants to play, each as likely: not
// one that has no answer, and not the one with that number; ErrNotFound.
func (s *Store) Pick(ctx context.Context, f Filter, other int64) (Entry, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return Entry{}, err
	}
	where, args = where+" AND p.status <> ? AND p.id <> ?", append(args, Unsolvable, other)
	n, err := s.count(ctx, where, args)
	if err != nil {
		return Entry{}, err
	}
	if n == 0 {
		return Entry{}, ErrNotFound
	}
	return only(s.entries(ctx, where, args, "p.id", 1, rand.IntN(n)))
}

// Count is how many puzzles the filter wants.
func (s *Store) Count(ctx context.Context, f Filter) (int, error) {
	where, args, err := s.where(ctx, f)
	if err != nil {
		return 0, err
	}
	return s.count(ctx, where, args)
}

func (s *Store) count(ctx context.Context, where string, args []any) (int, error) {
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
	Statuses map[AnswerState]int
	Sources  map[string]int
}

// Facets looks through all puzzles.
func (s *Store) Facets(ctx context.Context) (Facets, error) {
	f := Facets{map[string]int{}, map[string]map[string]int{}, map[string]map[[2]int]int{}, map[AnswerState]int{}, map[string]int{}}
	names, err := sourceNames(ctx, s.db)
	if err != nil {
		return f, err
	}
	err = each(ctx, s.db, func(rows *sql.Rows) error {
		var family, words string
		var size [2]int
		var status AnswerState
		var sources int64
		var n int
		if err := rows.Scan(&family, &size[0], &size[1], &status, &sources, &words, &n); err != nil {
			return err
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
		return nil
	}, `SELECT p.family, p.cols, p.rows, p.status, p.sources, f.words, p.n FROM
		(SELECT family, cols, rows, status, sources, features, count(*) AS n FROM puzzle GROUP BY features, family, cols, rows, status, sources) p
		JOIN features f ON f.id = p.features`)
	return f, err
}

// sourceNames lists the sources by their ids.
func sourceNames(ctx context.Context, q querier) ([]string, error) {
	var list string
	err := q.QueryRowContext(ctx, "SELECT json_group_array(name) FROM (SELECT name FROM source ORDER BY id)").Scan(&list)
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
func (s *Store) Sightings(ctx context.Context, id int64) ([]Origin, error) {
	return sightings(ctx, s.db, id)
}

func sightings(ctx context.Context, q querier, id int64) (all []Origin, err error) {
	err = each(ctx, q, func(rows *sql.Rows) error {
		var seen Origin
		var first, last int64
		err := rows.Scan(&seen.Source, &seen.Place, &first, &last, &seen.Times)
		seen.First, seen.Last = instant(first), instant(last)
		all = append(all, seen)
		return err
	}, `SELECT s.name, i.place, i.first, i.last, i.times FROM sighting i JOIN source s ON s.id = i.source
		WHERE i.puzzle = ? ORDER BY i.last DESC, s.name, i.place`, id)
	return all, err
}

// Answers lists the answers to a puzzle: the cheapest first, then in the order
// in which they were found.
func (s *Store) Answers(ctx context.Context, id int64) ([]KeptAnswer, error) {
	return answers(ctx, s.db, id, "cost IS NULL, cost, id")
}

func answers(ctx context.Context, q querier, id int64, order string) (all []KeptAnswer, err error) {
	err = each(ctx, q, func(rows *sql.Rows) error {
		var a KeptAnswer
		var strokes string
		var cost, bound sql.NullInt64
		var unit sql.NullString
		var took, at int64
		if err := rows.Scan(&strokes, &cost, &bound, &unit, &took, &a.Solver, &at, &a.Own); err != nil {
			return err
		}
		var err error
		if a.Solution, err = solution([]byte(strokes)); err != nil {
			return fmt.Errorf("an answer to puzzle %d is damaged", id)
		}
		a.Took, a.At = time.Duration(took)*time.Microsecond, instant(at)
		if bound.Valid {
			a.Best = &solve.BestAnswer{Solution: a.Solution, Unit: unit.String, Cost: int(cost.Int64), Bound: int(bound.Int64)}
		}
		all = append(all, a)
		return nil
	}, `SELECT strokes, cost, bound, unit, micros, solver, at, own FROM answer
		WHERE puzzle = ? ORDER BY `+order, id)
	return all, err
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
		if json.Unmarshal([]byte(where), &of) != nil {
			err = errors.New("its places are damaged")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store: proof of puzzle %d: %w", id, err)
	}
	p.Where, p.Took, p.At = solve.PointsOf(of), time.Duration(took)*time.Microsecond, instant(at)
	return &p, nil
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
	var id int64
	var status AnswerState
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
			if s.judge(ctx, p, a.Solution) == nil {
				return &Knowledge{Answer: a}, nil
			}
		}
	case Unsolvable:
		proof, err := s.Proof(ctx, id)
		if err == nil && proof != nil && proof.Own && proof.Solver == solver {
			return &Knowledge{Proof: proof}, nil
		}
		return nil, err
	}
	return nil, nil
}
