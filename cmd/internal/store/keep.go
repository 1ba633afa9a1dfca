package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"onlooker/solve"
)

// Sources are where puzzles come from. Others may be kept too, 63 in all.
const (
	Typed     = "typed"     // a link, a code or a text given as such
	File      = "file"      // a file of puzzles
	Picture   = "picture"   // a picture in a file
	Screen    = "screen"    // the screen, while watching
	Page      = "page"      // pasted or edited in the local page
	Generated = "generated" // made by onlooker
)

// An Origin is where a puzzle was seen, and when.
type Origin struct {
	Source string    `json:"source"`          // a word, as Screen
	Place  string    `json:"place,omitempty"` // within the source: a file's name, a window's title; may be empty
	First  time.Time `json:"first"`
	Last   time.Time `json:"last"`
	Times  int       `json:"times"`
}

// A KeptAnswer is an answer to a puzzle, and how it was found.
type KeptAnswer struct {
	Solution solve.Solution
	// Best tells its cost, of every puzzle that is a solve.Minimiser; else it is
	// nil.
	Best   *solve.BestAnswer
	Took   time.Duration // of solving
	Solver string        // its version
	At     time.Time
	// Own says that it was found here; otherwise it was imported: the answer was
	// checked all the same, but Best is a file's word.
	Own bool
}

// A Proof tells that a puzzle has no answer.
type Proof struct {
	Why    string // "" where nobody asked for it
	Where  []image.Point
	Took   time.Duration
	Solver string
	At     time.Time
	// Own says that it was found here; otherwise it is the word of a file that
	// was imported, which nobody can check.
	Own bool
}

// News is what is to be kept of one puzzle.
type News struct {
	Family string
	Puzzle solve.Puzzle
	// Seen is where it was seen; none where it is known already.
	Seen    []Origin
	Answers []KeptAnswer
	Proof   *Proof
	// met is when another store met it first; zero: as Seen, Answers and Proof
	// tell.
	met time.Time
}

// Sizes in bytes that are kept at most.
const (
	maxText    = 16 << 20 // a flow board of 512×512 cells with walls all over has 7 million
	maxStrokes = 8 << 20  // of an answer, in JSON; that board's has 3 million
)

// Keep keeps puzzles and what is new of them, all or, with an error, none of
// it. It returns the puzzles' numbers. Answers that Check refuses are an error,
// as is a proof that a puzzle has no answer where one is known; an answer to a
// puzzle that is said to have none takes the proof's place. Sightings in the
// same place are added to those that are kept.
func (s *Store) Keep(ctx context.Context, news ...News) ([]int64, error) {
	return s.keep(ctx, news, false)
}

// keep is Keep; merge says that the sightings are another store's: what both
// know is not counted twice.
func (s *Store) keep(ctx context.Context, news []News, merge bool) ([]int64, error) {
	rows := make([]row, len(news))
	for i, n := range news {
		var err error
		if rows[i], err = s.newRow(ctx, n); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	var ids []int64
	err := s.write(ctx, func(tx *sql.Tx) error {
		for i := range rows {
			id, err := rows[i].keep(ctx, tx, merge)
			if err != nil {
				return fmt.Errorf("store: %w", err)
			}
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}

// identity is what a puzzle is found by.
func identity(family, text string) [sha256.Size]byte {
	return sha256.Sum256([]byte(family + "\n" + text))
}

// A row is News as it is written down.
type row struct {
	News
	text       string
	cols, rows int
	features   string
	strokes    []string
	places     string
}

var word = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// newRow checks News before anything is locked.
func (s *Store) newRow(ctx context.Context, n News) (row, error) {
	r := row{News: n}
	text, err := n.Puzzle.MarshalText()
	if err != nil {
		return r, err
	}
	if len(text) > maxText {
		return r, fmt.Errorf("%s: a text of %d bytes, want at most %d", n.Family, len(text), maxText)
	}
	if !utf8.Valid(text) {
		return r, fmt.Errorf("%s: a text that is not UTF-8", n.Family)
	}
	r.text = string(text)
	b := n.Puzzle.Bounds()
	r.cols, r.rows = b.Dx()/2, b.Dy()/2
	if d, ok := n.Puzzle.(solve.Describer); ok {
		r.cols, r.rows = d.Size()
		words := d.Features()
		if len(slices.Compact(slices.Sorted(slices.Values(words)))) != len(words) || !slices.IsSorted(words) ||
			slices.ContainsFunc(words, func(w string) bool { return !word.MatchString(w) }) {
			return r, fmt.Errorf("%s: features %q, want sorted words of lower-case letters, digits and hyphens", n.Family, words)
		}
		r.features = strings.Join(words, " ")
	}
	for _, seen := range n.Seen {
		if !word.MatchString(seen.Source) || seen.Times < 1 || seen.Last.Before(seen.First) {
			return r, fmt.Errorf("%s: seen %+v, want a source of lower-case letters, once or more, the first time before the last", n.Family, seen)
		}
	}
	for _, a := range n.Answers {
		if err := s.judge(ctx, n.Puzzle, a.Solution); err != nil {
			return r, fmt.Errorf("%s: not kept: %w", n.Family, err)
		}
		data, err := strokesOf(a.Solution)
		if err != nil {
			return r, err
		}
		if len(data) > maxStrokes {
			return r, fmt.Errorf("%s: an answer of %d bytes, want at most %d", n.Family, len(data), maxStrokes)
		}
		r.strokes = append(r.strokes, string(data))
	}
	if n.Proof != nil {
		if len(n.Answers) > 0 {
			return r, fmt.Errorf("%s: not kept: both an answer and a proof that there is none", n.Family)
		}
		data, err := json.Marshal(solve.PairsOf(n.Proof.Where))
		if err != nil {
			return r, err
		}
		r.places = string(data)
	}
	return r, nil
}

func (r *row) keep(ctx context.Context, tx *sql.Tx, merge bool) (int64, error) {
	id, status, err := r.puzzle(ctx, tx)
	if err != nil {
		return 0, err
	}
	for _, seen := range r.Seen {
		if err := keepSighting(ctx, tx, id, seen, merge); err != nil {
			return 0, err
		}
	}
	now := status
	for i, a := range r.Answers {
		if err := keepAnswer(ctx, tx, id, r.strokes[i], a); err != nil {
			return 0, err
		}
		now = Solved
	}
	if now == Solved && status == Unsolvable {
		if _, err := tx.ExecContext(ctx, "DELETE FROM proof WHERE puzzle = ?", id); err != nil {
			return 0, err
		}
	}
	if p := r.Proof; p != nil {
		if status == Solved {
			return 0, fmt.Errorf("%s: not kept: a proof that puzzle %d has no answer, which it has", r.Family, id)
		}
		// A proof of our own is worth more than somebody else's word.
		_, err := tx.ExecContext(ctx, `INSERT INTO proof (puzzle, why, places, micros, solver, at, own) VALUES (?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET why = excluded.why, places = excluded.places, micros = excluded.micros,
			solver = excluded.solver, at = excluded.at, own = excluded.own
			WHERE excluded.own >= own AND (excluded.why <> '' OR why = '' OR excluded.own > own)`,
			id, p.Why, r.places, p.Took.Microseconds(), p.Solver, micros(p.At), p.Own)
		if err != nil {
			return 0, err
		}
		now = Unsolvable
	}
	if now != status {
		if _, err := tx.ExecContext(ctx, "UPDATE puzzle SET status = ? WHERE id = ?", now, id); err != nil {
			return 0, err
		}
	}
	return id, nil
}

// puzzle finds the puzzle's row, or makes it.
func (r *row) puzzle(ctx context.Context, tx *sql.Tx) (id int64, status AnswerState, err error) {
	sum := identity(r.Family, r.text)
	key := sum[:]
	err = tx.QueryRowContext(ctx, "SELECT id, status FROM puzzle WHERE key = ?", key).Scan(&id, &status)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, status, err
	}
	var features int64
	// An update that changes nothing makes RETURNING return the row.
	err = tx.QueryRowContext(ctx, "INSERT INTO features (words) VALUES (?) ON CONFLICT DO UPDATE SET words = words RETURNING id", r.features).Scan(&features)
	if err != nil {
		return 0, 0, err
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO puzzle (key, family, cols, rows, features, status, sources, seen)
		VALUES (?, ?, ?, ?, ?, ?, 0, ?) RETURNING id`, key, r.Family, r.cols, r.rows, features, Unsolved, micros(r.first())).Scan(&id)
	if err != nil {
		return 0, 0, err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO text (puzzle, text) VALUES (?, ?)", id, r.text)
	return id, Unsolved, err
}

// first is when the puzzle was first met, as far as the News tell.
func (r *row) first() time.Time {
	if !r.met.IsZero() {
		return r.met
	}
	var all []time.Time
	for _, seen := range r.Seen {
		all = append(all, seen.First)
	}
	for _, a := range r.Answers {
		all = append(all, a.At)
	}
	if r.Proof != nil {
		all = append(all, r.Proof.At)
	}
	if len(all) == 0 {
		return time.Now()
	}
	return slices.MinFunc(all, time.Time.Compare)
}

func keepSighting(ctx context.Context, tx *sql.Tx, id int64, seen Origin, merge bool) error {
	var source int
	err := tx.QueryRowContext(ctx, "SELECT id FROM source WHERE name = ?", seen.Source).Scan(&source)
	if errors.Is(err, sql.ErrNoRows) {
		err = tx.QueryRowContext(ctx, "INSERT INTO source (id, name) SELECT count(*), ? FROM source RETURNING id", seen.Source).Scan(&source)
		if err != nil {
			err = fmt.Errorf("source %q: at most 63 are kept: %w", seen.Source, err)
		}
	}
	if err != nil {
		return err
	}
	times := "times + excluded.times"
	if merge {
		times = "max(times, excluded.times)"
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO sighting (puzzle, source, place, first, last, times) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET first = min(first, excluded.first), last = max(last, excluded.last), times = `+times,
		id, source, strings.ToValidUTF8(seen.Place, "\ufffd"), micros(seen.First), micros(seen.Last), seen.Times)
	if err == nil {
		_, err = tx.ExecContext(ctx, "UPDATE puzzle SET sources = sources | ?, seen = min(seen, ?) WHERE id = ?", int64(1)<<source, micros(seen.First), id)
	}
	return err
}

// keepAnswer keeps an answer once: that it was found again is no news, unless
// it is now known to be cheaper than all others.
func keepAnswer(ctx context.Context, tx *sql.Tx, id int64, strokes string, a KeptAnswer) error {
	sum := sha256.Sum256([]byte(strokes))
	var cost, bound, unit any
	if a.Best != nil {
		cost, bound, unit = a.Best.Cost, a.Best.Bound, a.Best.Unit
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO answer (puzzle, key, strokes, cost, bound, unit, micros, solver, at, own) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO UPDATE SET cost = excluded.cost, bound = excluded.bound, unit = excluded.unit,
		micros = excluded.micros, solver = excluded.solver, at = excluded.at, own = excluded.own
		WHERE excluded.own > own OR excluded.own = own AND excluded.bound IS NOT NULL AND (bound IS NULL OR excluded.bound > bound)`,
		id, sum[:], strokes, cost, bound, unit, a.Took.Microseconds(), a.Solver, micros(a.At), a.Own)
	return err
}

// strokesOf writes a solution as [[[x,y],…],…]; no strokes are [].
func strokesOf(s solve.Solution) ([]byte, error) {
	if s == nil {
		s = solve.Solution{}
	}
	return json.Marshal(s.Pairs())
}

// Forget takes a puzzle out of the store, with all that is known of it;
// ErrNotFound.
func (s *Store) Forget(ctx context.Context, id int64) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "DELETE FROM puzzle WHERE id = ?", id)
		if err != nil {
			return fmt.Errorf("store: puzzle %d: %w", id, err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNotFound, err)
		}
		return nil
	})
}
