package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

// A Mark is what the user says of a puzzle, and what was done with it by hand.
type Mark struct {
	Title  string    `json:"title,omitempty"`  // "": none
	Note   string    `json:"note,omitempty"`   // "": none
	Rating int       `json:"rating,omitempty"` // 1 liked, −1 disliked, 0 neither
	Plays  int       `json:"plays,omitempty"`  // how often an answer was entered by hand
	Wins   int       `json:"wins,omitempty"`   // how often a right one
	Played time.Time `json:"played,omitzero"`  // when last; zero: never
}

// Sizes in bytes of what a user may say of a puzzle.
const (
	maxTitle = 200
	maxNote  = 10_000
)

// check tells whether a mark can be kept.
func (m *Mark) check() error {
	switch {
	case len(m.Title) > maxTitle || len(m.Note) > maxNote:
		return fmt.Errorf("a title of %d bytes and a note of %d, want at most %d and %d", len(m.Title), len(m.Note), maxTitle, maxNote)
	case !utf8.ValidString(m.Title) || !utf8.ValidString(m.Note):
		return errors.New("a title or a note that is not UTF-8")
	case strings.ContainsAny(m.Title, "\r\n"):
		return fmt.Errorf("a title %q of more than one line", m.Title)
	case m.Rating < -1 || m.Rating > 1:
		return fmt.Errorf("a rating of %d, want -1, 0 or 1", m.Rating)
	case m.Wins < 0 || m.Plays < m.Wins:
		return fmt.Errorf("played %d times and solved %d times, want no more of the second", m.Plays, m.Wins)
	}
	return nil
}

// Label gives a puzzle a title and a note in place of those that it had;
// ErrNotFound.
func (s *Store) Label(ctx context.Context, id int64, title, note string) error {
	m := Mark{Title: strings.TrimSpace(title), Note: strings.TrimSpace(note)}
	if err := m.check(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return s.mark(ctx, id, func(tx *sql.Tx) (sql.Result, error) {
		done, err := tx.ExecContext(ctx, `INSERT INTO label (puzzle, title, note) SELECT id, ?, ? FROM puzzle WHERE id = ?
			ON CONFLICT DO UPDATE SET title = excluded.title, note = excluded.note`, m.Title, m.Note, id)
		if err == nil {
			_, err = tx.ExecContext(ctx, "DELETE FROM label WHERE title = '' AND note = ''")
		}
		return done, err
	})
}

// Rate says whether a puzzle is liked (1), disliked (−1) or neither (0);
// ErrNotFound.
func (s *Store) Rate(ctx context.Context, id int64, rating int) error {
	if err := (&Mark{Rating: rating}).check(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return s.mark(ctx, id, func(tx *sql.Tx) (sql.Result, error) {
		return tx.ExecContext(ctx, "UPDATE puzzle SET rating = ? WHERE id = ?", rating, id)
	})
}

// Play counts that an answer was entered by hand, and whether it was right;
// again says that its first tries were counted already. ErrNotFound.
func (s *Store) Play(ctx context.Context, id int64, won, again bool, at time.Time) error {
	count := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	return s.mark(ctx, id, func(tx *sql.Tx) (sql.Result, error) {
		return tx.ExecContext(ctx, "UPDATE puzzle SET plays = max(plays + ?, wins + ?), wins = wins + ?, played = max(played, ?) WHERE id = ?",
			count(!again), count(won), count(won), micros(at), id)
	})
}

// Forget takes a puzzle out of the store, with all that is known of it;
// ErrNotFound.
func (s *Store) Forget(ctx context.Context, id int64) error {
	return s.mark(ctx, id, func(tx *sql.Tx) (sql.Result, error) {
		return tx.ExecContext(ctx, "DELETE FROM puzzle WHERE id = ?", id)
	})
}

// mark runs a change of one puzzle's row.
func (s *Store) mark(ctx context.Context, id int64, change func(*sql.Tx) (sql.Result, error)) error {
	return s.write(ctx, func(tx *sql.Tx) error {
		done, err := change(tx)
		if err != nil {
			return fmt.Errorf("store: puzzle %d: %w", id, err)
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNotFound, err)
		}
		return nil
	})
}

// keepMark adds another store's mark to what is known: what the user said here
// stands, and what both counted is not counted twice.
func keepMark(ctx context.Context, tx *sql.Tx, id int64, m *Mark) error {
	var played int64
	if !m.Played.IsZero() {
		played = micros(m.Played)
	}
	_, err := tx.ExecContext(ctx, `UPDATE puzzle SET rating = CASE rating WHEN 0 THEN ? ELSE rating END,
		plays = max(plays, ?), wins = max(wins, ?), played = max(played, ?) WHERE id = ?`, m.Rating, m.Plays, m.Wins, played, id)
	if err == nil && (m.Title != "" || m.Note != "") {
		_, err = tx.ExecContext(ctx, `INSERT INTO label (puzzle, title, note) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET
			title = CASE title WHEN '' THEN excluded.title ELSE title END, note = CASE note WHEN '' THEN excluded.note ELSE note END`, id, m.Title, m.Note)
	}
	return err
}
