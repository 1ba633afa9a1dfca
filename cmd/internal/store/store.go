// Package store keeps puzzles, where and when they were seen, their answers,
// and the proofs that they have none, in a file of SQLite in
// the user's data folder. It names no family: a puzzle is its family's name and
// its canonical text.
//
// A call that returned without an error has kept what it was given: a process
// that is killed afterwards does not lose it. (A loss of power may take the
// last calls with it, never the file.) Any number of processes may use a store
// at once, on one machine: SQLite's write-ahead log does not work across a
// network's file system.
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"onlooker/solve"

	"github.com/mattn/go-sqlite3"
)

// application marks a file as a store of ours, as SQLite's application_id.
const application = 0x6f6e6c6b // "onlk"

// busyMillis is how long a call waits for another process's write: one takes
// well below a millisecond, an import's thousand puzzles some 100.
const busyMillis = 10_000

//go:embed migrations/*.sql
var migrationFiles embed.FS

// A Store is open. Its methods may be called from several goroutines.
type Store struct {
	db   *sql.DB
	path string
	// readOnly says that the file, or its folder, cannot be written.
	readOnly bool
	judge    solve.Referee // of answers that are kept, and of kept ones that are given
	// writing lets the writers of this process wait in line, where SQLite
	// would have them try again and again.
	writing sync.Mutex
}

// A NewerError says that a store was written by a newer onlooker.
type NewerError struct {
	Path      string
	Got, Want int // versions: the file's, and the newest that is known here
}

func (e *NewerError) Error() string {
	return fmt.Sprintf("store: %s is of version %d, want at most %d: a newer onlooker wrote it; use that one, or --no-store", e.Path, e.Got, e.Want)
}

// ErrReadOnly says that a store was to be changed that can only be read.
var ErrReadOnly = errors.New("can only be read: nothing is kept in it")

// An AnswerState says what is known of a puzzle's answers.
type AnswerState int

// What may be known.
const (
	Unsolved   AnswerState = iota // nothing
	Solved                        // there is an answer
	Unsolvable                    // it is proved that there is none
)

func (s AnswerState) String() string {
	return [...]string{"unsolved", "solved", "unsolvable"}[s]
}

// ParseStatus is the status of that name.
func ParseStatus(name string) (AnswerState, error) {
	for s := Unsolved; s <= Unsolvable; s++ {
		if s.String() == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("store: status %q, want unsolved, solved or unsolvable", name)
}

// ErrNotFound says that the store has no such puzzle.
var ErrNotFound = errors.New("store: no such puzzle")

// DefaultPath is where the user's store is: onlooker/store.sqlite in the user's
// data folder.
func DefaultPath() (string, error) {
	dir, err := dataFolder(runtime.GOOS, os.Getenv, os.UserHomeDir)
	if err != nil {
		return "", fmt.Errorf("store: no data folder: %w", err)
	}
	return filepath.Join(dir, "onlooker", "store.sqlite"), nil
}

// dataFolder is a system's folder for what programs keep for a user.
func dataFolder(system string, env func(string) string, home func() (string, error)) (string, error) {
	switch system {
	case "windows":
		if dir := env("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("%LocalAppData% is not set")
	case "darwin":
		dir, err := home()
		return filepath.Join(dir, "Library", "Application Support"), err
	}
	// The XDG specification wants a relative path ignored.
	if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	dir, err := home()
	return filepath.Join(dir, ".local", "share"), err
}

// Open opens the store in a file, and makes it where there is none. A store of
// an older version is brought up to date; of a newer one the error is a
// *NewerError. One that cannot be written is opened to be read: what would
// change it is then an ErrReadOnly. judge has the word on what is an answer.
func Open(ctx context.Context, path string, judge solve.Referee) (*Store, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if info, err := os.Stat(path); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return nil, fmt.Errorf("store: %s is a pipe, want a file", path)
	}
	err = makeFile(path)
	if err == nil {
		var s *Store
		if s, err = openAs(ctx, path, "", judge); err == nil {
			return s, nil
		}
	}
	if !isUnwritable(err) {
		return nil, err
	}
	if _, missing := os.Stat(path); missing != nil {
		return nil, err
	}
	s, failed := openAs(ctx, path, "&mode=ro", judge)
	if failed != nil && wholeWithoutLog(path) {
		// SQLite wants to make the log's index beside the file. Where that cannot be,
		// nobody writes either: the file is what it is.
		s, failed = openAs(ctx, path, "&mode=ro&immutable=1", judge)
	}
	if failed != nil {
		return nil, failed
	}
	return s, nil
}

// makeFile makes a store's file where there is none, and tells whether it can
// be written.
func makeFile(path string) error {
	// What somebody plays is nobody else's matter: the log beside the file gets
	// the file's permissions.
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// isUnwritable tells whether an error comes of a file, a folder or a disk that
// can only be read.
func isUnwritable(err error) bool {
	var e sqlite3.Error
	if errors.As(err, &e) {
		return e.Code == sqlite3.ErrReadonly || e.Code == sqlite3.ErrCantOpen || e.Code == sqlite3.ErrPerm
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// wholeWithoutLog tells whether nothing of a store stands in a log beside it.
func wholeWithoutLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
}

// openAs opens a file that is there; options are of its name for SQLite, none
// where it is to be written.
func openAs(ctx context.Context, path, options string, judge solve.Referee) (*Store, error) {
	db, err := sql.Open("sqlite3", dsn(path)+options)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s := &Store{db: db, path: path, readOnly: options != "", judge: judge}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// dsn is a file's name for the driver. Every transaction takes the right to
// write at once: one that begins with reading could find that it may not write
// any more.
func dsn(path string) string {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: slashed}
	return u.String() + fmt.Sprintf("?_txlock=immediate&_foreign_keys=1&_synchronous=NORMAL&_busy_timeout=%d", busyMillis)
}

// Close closes the store. All that was kept then stands in its one file: the
// last process to close it removes the log, and one before the last copies what
// the log holds, except what another process still reads around.
func (s *Store) Close() error {
	var err error
	if !s.readOnly {
		// A copy that cannot be made now loses nothing: the log is still there.
		_, err = s.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
	}
	if err := errors.Join(err, s.db.Close()); err != nil {
		return fmt.Errorf("store: close: %w", err)
	}
	return nil
}

// migrations are the steps from one version to the next, the first from 0 to 1.
func migrations() ([]string, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var steps []string
	for i, name := range names { // in order of their names
		if want := fmt.Sprintf("%04d_", i+1); !strings.HasPrefix(filepath.Base(name), want) {
			return nil, fmt.Errorf("store: migration %s, want %s….sql", name, want)
		}
		text, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		steps = append(steps, string(text))
	}
	return steps, nil
}

// migrate brings the file to the newest version, in one transaction.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	fail := func(err error) error {
		var newer *NewerError
		if errors.As(err, &newer) {
			return err
		}
		return fmt.Errorf("store: %s: %w", s.path, err)
	}
	// Most often there is nothing to do, and no need to wait for a writer.
	version, err := s.version(ctx, s.db, len(steps))
	if err != nil {
		return fail(err)
	}
	if version == len(steps) {
		return nil
	}
	if s.readOnly {
		return fail(fmt.Errorf("is of version %d, want %d, and %w", version, len(steps), ErrReadOnly))
	}
	if err := s.log(ctx); err != nil {
		return fail(err)
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		// Another process may have done it meanwhile.
		version, err := s.version(ctx, tx, len(steps))
		if err != nil {
			return fail(err)
		}
		for ; version < len(steps); version++ {
			if _, err := tx.ExecContext(ctx, steps[version]); err != nil {
				return fail(fmt.Errorf("to version %d: %w", version+1, err))
			}
		}
		_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", application, len(steps)))
		return err
	})
}

// log turns the write-ahead log on, for good. SQLite does not wait for other
// processes that do the same.
func (s *Store) log(ctx context.Context) error {
	const between = 5 * time.Millisecond
	for left := busyMillis * time.Millisecond; ; left -= between {
		var mode string
		err := s.db.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
		var busy sqlite3.Error
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("journal mode %s, want wal", mode)
		case !errors.As(err, &busy) || busy.Code != sqlite3.ErrBusy && busy.Code != sqlite3.ErrLocked || left <= 0:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(between):
		}
	}
}

// A querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// query reads the rows of a query, each into the places that into names.
func query[T any](ctx context.Context, q querier, into func(*T) []any, text string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err == nil {
		defer rows.Close()
		for err == nil && rows.Next() {
			var one T
			err = rows.Scan(into(&one)...)
			all = append(all, one)
		}
		if err == nil {
			err = rows.Err()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return all, nil
}

// A column takes a value of the file that is another one here.
type column[T any] func(T) error

// Scan is a sql.Scanner's; nothing stays what it was.
func (c column[T]) Scan(src any) error {
	if src == nil {
		return nil
	}
	v, ok := src.(T)
	if !ok {
		return fmt.Errorf("got a %T, want a %T", src, v)
	}
	return c(v)
}

// instant is a column of microseconds; 0 is no time.
func instant(t *time.Time) any {
	return column[int64](func(micros int64) error {
		if micros != 0 {
			*t = time.UnixMicro(micros).UTC()
		}
		return nil
	})
}

// words are a column of words.
func words(list *[]string) any {
	return column[string](func(s string) error { *list = strings.Fields(s); return nil })
}

// text is a column of JSON as it is, and object one that is decoded.
func text(data *json.RawMessage) any {
	return column[string](func(s string) error { *data = json.RawMessage(s); return nil })
}

func object(v any) any {
	return column[string](func(s string) error { return json.Unmarshal([]byte(s), v) })
}

// version is the file's, 0 for an empty file.
func (s *Store) version(ctx context.Context, q querier, newest int) (int, error) {
	var version, id, tables int
	err := q.QueryRowContext(ctx, `SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_user_version, pragma_application_id`).Scan(&version, &id, &tables)
	switch {
	case err != nil:
		return 0, err
	case id != application && (id != 0 || version != 0 || tables != 0):
		return 0, errors.New("a database of something else, want a store of onlooker")
	case version > newest:
		return 0, &NewerError{Path: s.path, Got: version, Want: newest}
	}
	return version, nil
}

// write runs f in a transaction that is kept when f returns no error.
func (s *Store) write(ctx context.Context, f func(*sql.Tx) error) error {
	if s.readOnly {
		return fmt.Errorf("store: %s %w", s.path, ErrReadOnly)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := f(tx); err != nil {
		// A context that ended has rolled it back already.
		if back := tx.Rollback(); back != nil && !errors.Is(back, sql.ErrTxDone) {
			return errors.Join(err, back)
		}
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	return nil
}

// isDatabase tells whether an error is the file's or the disk's, rather than
// that of what was to be kept.
func isDatabase(err error) bool {
	var e sqlite3.Error
	return errors.As(err, &e) && e.Code != sqlite3.ErrConstraint
}

func micros(t time.Time) int64 { return t.UnixMicro() }
