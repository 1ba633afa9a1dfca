package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"
)

// A Run is one time that the agent watched or played.
type Run struct {
	Key    string          `json:"key"` // random, the same in every store that the run is in
	At     time.Time       `json:"at"`
	What   string          `json:"what"`             // the subcommand, as "watch"
	Flags  json.RawMessage `json:"flags"`            // an object: what it was told
	Folder string          `json:"folder,omitempty"` // of the frames that it kept, "" where it kept none
}

// A RunTurn is one look at the screen within a run.
type RunTurn struct {
	Number int
	At     time.Time
	Frame  string          // its file, "" where it was not kept
	Record json.RawMessage // an object: what was seen, and what became of it
	// Puzzles are the numbers of those that were read.
	Puzzles []int64
}

// keyBytes is the length of a run's key, which nobody draws twice.
const keyBytes = 16

// BeginRun keeps a run that begins, with a key of its own, and returns its number.
func (s *Store) BeginRun(ctx context.Context, r Run) (int64, error) {
	key := make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	r.Key = hex.EncodeToString(key)
	var id int64
	err := s.write(ctx, func(tx *sql.Tx) (err error) {
		id, err = keepRun(ctx, tx, r)
		return err
	})
	return id, err
}

func keepRun(ctx context.Context, tx *sql.Tx, r Run) (id int64, err error) {
	if !isObject(r.Flags) {
		return 0, fmt.Errorf("store: a run's flags %q, want a JSON object", r.Flags)
	}
	err = tx.QueryRowContext(ctx, "INSERT INTO run (key, at, what, flags, folder) VALUES (?, ?, ?, ?, ?) RETURNING id",
		r.Key, micros(r.At), r.What, string(r.Flags), r.Folder).Scan(&id)
	if err != nil {
		err = fmt.Errorf("store: %w", err)
	}
	return id, err
}

// KeepTurn keeps a turn of a run.
func (s *Store) KeepTurn(ctx context.Context, run int64, t RunTurn) error {
	return s.write(ctx, func(tx *sql.Tx) error { return keepTurn(ctx, tx, run, t) })
}

func keepTurn(ctx context.Context, tx *sql.Tx, run int64, t RunTurn) error {
	if !isObject(t.Record) {
		return fmt.Errorf("store: turn %d of run %d: %q, want a JSON object", t.Number, run, t.Record)
	}
	_, err := tx.ExecContext(ctx, "INSERT INTO turn (run, number, at, frame, record) VALUES (?, ?, ?, ?, ?)",
		run, t.Number, micros(t.At), t.Frame, string(t.Record))
	for _, id := range t.Puzzles {
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT INTO turn_puzzle (puzzle, run, turn) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", id, run, t.Number)
		}
	}
	if err != nil {
		return fmt.Errorf("store: turn %d of run %d: %w", t.Number, run, err)
	}
	return nil
}
