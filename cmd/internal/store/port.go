package store

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"onlooker/solve"
)

// portVersion is that of the lines below. A reader refuses a newer one; the
// first had no marks.
const portVersion = 2

// maxLine is the longest line that Import reads, in bytes: a text and an answer
// of the greatest sizes, every character of the text escaped as two.
const maxLine = 2*maxText + 2*maxStrokes + 1<<20

// A portLine is a line of an export: the first has Store alone, each other one
// Puzzle, Run or Turn.
type portLine struct {
	Store  int         `json:"store,omitempty"`
	Puzzle *portPuzzle `json:"puzzle,omitempty"`
	Run    *Run        `json:"run,omitempty"`
	Turn   *portTurn   `json:"turn,omitempty"`
}

// A portPuzzle with more answers than fit a line comes several times.
type portPuzzle struct {
	Family  string           `json:"family"`
	Text    string           `json:"text"`
	First   time.Time        `json:"first"`
	Seen    list[Origin]     `json:"seen,omitempty"`
	Answers list[portAnswer] `json:"answers,omitempty"`
	Proof   *portProof       `json:"proof,omitempty"`
	Mark    *Mark            `json:"mark,omitempty"`
}

// maxList is how many sightings, answers or a turn's puzzles a line holds. An
// element takes three bytes in a hostile line and a hundred in memory.
const maxList = 10_000

// A list refuses to become longer while it is read.
type list[T any] []T

// UnmarshalJSON reads at most maxList elements.
func (l *list[T]) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return errors.New("no list where one is wanted")
	}
	for dec.More() {
		if len(*l) == maxList {
			return fmt.Errorf("a list of more than %d", maxList)
		}
		var one T
		if err := dec.Decode(&one); err != nil {
			return err
		}
		*l = append(*l, one)
	}
	return nil
}

type portAnswer struct {
	Strokes json.RawMessage `json:"strokes"`
	Cost    *portCost       `json:"cost,omitempty"`
	Micros  int64           `json:"micros"`
	Solver  string          `json:"solver"`
	At      time.Time       `json:"at"`
	Own     bool            `json:"own,omitempty"`
}

type portCost struct {
	Cost  int    `json:"cost"`
	Bound int    `json:"bound"`
	Unit  string `json:"unit"`
}

type portProof struct {
	Why    string          `json:"why,omitempty"`
	Where  json.RawMessage `json:"where"`
	Micros int64           `json:"micros"`
	Solver string          `json:"solver"`
	At     time.Time       `json:"at"`
	Own    bool            `json:"own,omitempty"`
}

type portTurn struct {
	Run     string          `json:"run"` // its key
	Number  int             `json:"number"`
	At      time.Time       `json:"at"`
	Frame   string          `json:"frame,omitempty"`
	Record  json.RawMessage `json:"record"`
	Puzzles list[string]    `json:"puzzles,omitempty"` // SHA-256 of family, line feed, text
}

// Export writes the store as it is at this moment, a JSON object a line, in the
// order in which things came.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("store: export: %w", err)
	}
	defer conn.Close()
	// A transaction that only reads keeps no writer waiting.
	if _, err := conn.ExecContext(ctx, "BEGIN DEFERRED"); err != nil {
		return fmt.Errorf("store: export: %w", err)
	}
	// The connection goes back to be used again, even where ctx has ended.
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	err = enc.Encode(portLine{Store: portVersion})
	for _, part := range []func(context.Context, querier, *json.Encoder) error{exportPuzzles, exportRuns, exportTurns} {
		if err == nil {
			err = part(ctx, conn, enc)
		}
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("store: export: %w", err)
	}
	return nil
}

func exportPuzzles(ctx context.Context, q querier, enc *json.Encoder) error {
	for after := int64(0); ; {
		p := portPuzzle{}
		var m Mark
		var seen, played int64
		err := q.QueryRowContext(ctx, `SELECT p.id, p.family, t.text, p.seen, p.rating, p.plays, p.wins, p.played, coalesce(l.title, ''), coalesce(l.note, '')
			FROM puzzle p JOIN text t ON t.puzzle = p.id LEFT JOIN label l ON l.puzzle = p.id WHERE p.id > ? ORDER BY p.id LIMIT 1`, after).
			Scan(&after, &p.Family, &p.Text, &seen, &m.Rating, &m.Plays, &m.Wins, &played, &m.Title, &m.Note)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		p.First = instant(seen)
		if played != 0 {
			m.Played = instant(played)
		}
		if m != (Mark{}) {
			p.Mark = &m
		}
		if err := exportPuzzle(ctx, q, enc, after, p); err != nil {
			return fmt.Errorf("puzzle %d: %w", after, err)
		}
	}
}

func exportPuzzle(ctx context.Context, q querier, enc *json.Encoder, id int64, p portPuzzle) error {
	places, err := sightings(ctx, q, id)
	if err != nil {
		return err
	}
	// What does not fit a line comes in another of the same puzzle.
	another := func() error {
		err := enc.Encode(portLine{Puzzle: &p})
		p.Seen, p.Answers, p.Mark = nil, nil, nil
		return err
	}
	for _, seen := range places {
		if len(p.Seen) == maxList {
			if err := another(); err != nil {
				return err
			}
		}
		p.Seen = append(p.Seen, seen)
	}
	found, err := answers(ctx, q, id, "id")
	if err != nil {
		return err
	}
	size := 0
	for _, a := range found {
		strokes, err := strokesOf(a.Solution)
		if err != nil {
			return err
		}
		if size+len(strokes) > maxStrokes || len(p.Answers) == maxList {
			if err := another(); err != nil {
				return err
			}
			size = 0
		}
		size += len(strokes)
		line := portAnswer{Strokes: strokes, Micros: a.Took.Microseconds(), Solver: a.Solver, At: a.At, Own: a.Own}
		if a.Best != nil {
			line.Cost = &portCost{a.Best.Cost, a.Best.Bound, a.Best.Unit}
		}
		p.Answers = append(p.Answers, line)
	}
	none, err := proof(ctx, q, id)
	if err != nil {
		return err
	}
	if none != nil {
		where, err := json.Marshal(solve.PairsOf(none.Where))
		if err != nil {
			return err
		}
		p.Proof = &portProof{Why: none.Why, Where: where, Micros: none.Took.Microseconds(), Solver: none.Solver, At: none.At, Own: none.Own}
	}
	return enc.Encode(portLine{Puzzle: &p})
}

func exportRuns(ctx context.Context, q querier, enc *json.Encoder) error {
	all, err := runs(ctx, q, "ORDER BY id")
	for _, r := range all {
		if err == nil {
			err = enc.Encode(portLine{Run: &r})
		}
	}
	return err
}

func exportTurns(ctx context.Context, q querier, enc *json.Encoder) error {
	return each(ctx, q, func(rows *sql.Rows) error {
		var t portTurn
		var at int64
		var puzzles []byte
		if err := rows.Scan(&t.Run, &t.Number, &at, &t.Frame, (*[]byte)(&t.Record), &puzzles); err != nil {
			return err
		}
		t.At = instant(at)
		if json.Unmarshal(puzzles, &t.Puzzles) != nil {
			return fmt.Errorf("turn %d of run %s is damaged", t.Number, t.Run)
		}
		return enc.Encode(portLine{Turn: &t})
	}, `SELECT r.key, t.number, t.at, t.frame, t.record,
		(SELECT json_group_array(lower(hex(p.key))) FROM turn_puzzle tp JOIN puzzle p ON p.id = tp.puzzle WHERE tp.run = t.run AND tp.turn = t.number)
		FROM turn t JOIN run r ON r.id = t.run ORDER BY t.run, t.number`)
}

// ImportSummary tells what an import brought; what the store had already counts as
// well.
type ImportSummary struct{ Puzzles, Answers, Proofs, Runs, Turns, Refused int }

// An ImportOptions says how to read an export.
type ImportOptions struct {
	// Family finds a family by its name, nil where there is none.
	Family func(name string) *solve.Family
	// Own takes costs, bounds and proofs at the file's word, as an export of
	// one's own deserves; otherwise they are kept as somebody else's, which are
	// shown in lists and never given as answers.
	Own bool
	// Refused is told of each line that is not taken, by its number from 1.
	Refused func(line int, err error)
}

// An importer reads an export; what it has read is kept some at a time.
type importer struct {
	ImportOptions
	s      *Store
	got    ImportSummary
	news   []News
	lines  []int // of news
	bytes  int   // of the lines of news
	runs   map[string]int64
	byKey  map[string]int64 // puzzles by their key in this file, in hex
	inFile []string         // keys of news
}

// Puzzles are kept in transactions of this many, or this many bytes.
const (
	chunk      = 1000
	chunkBytes = 8 << 20
)

// Import reads an export into the store. Lines that say what cannot be are told
// to Refused and left out: texts that their family refuses, answers that Check
// refuses. What the store knows already is not counted twice, so that an import
// that was broken off can be done again. An error ends the import; the lines
// before it are kept.
func (s *Store) Import(ctx context.Context, r io.Reader, o ImportOptions) (ImportSummary, error) {
	im := importer{ImportOptions: o, s: s, runs: map[string]int64{}, byKey: map[string]int64{}}
	scan := bufio.NewScanner(r)
	scan.Buffer(make([]byte, 1<<16), maxLine)
	number := 0
	for scan.Scan() {
		number++
		line, err := decodeLine(scan.Bytes())
		if number == 1 {
			if err != nil || line.Store < 1 || line.Store > portVersion {
				return im.got, fmt.Errorf("store: import: line 1 is no beginning of an export, want {\"store\":%d} or an older one", portVersion)
			}
			continue
		}
		if err == nil {
			err = im.line(ctx, number, line, len(scan.Bytes()))
		}
		if err == nil && (len(im.news) >= chunk || im.bytes >= chunkBytes) {
			err = im.flush(ctx)
		}
		if ctx.Err() != nil || isDatabase(err) {
			return im.got, fmt.Errorf("store: import: line %d: %w", number, err)
		}
		if err != nil {
			im.refuse(number, err)
		}
	}
	err := im.flush(ctx)
	switch broken := scan.Err(); {
	case broken == nil && number == 0:
		err = errors.New("empty, want an export")
	case errors.Is(broken, bufio.ErrTooLong):
		err = fmt.Errorf("line %d: longer than %d MB, want a line of an export", number+1, maxLine>>20)
	case broken != nil:
		err = fmt.Errorf("line %d: %w", number+1, broken)
	}
	if err != nil {
		return im.got, fmt.Errorf("store: import: %w", err)
	}
	return im.got, nil
}

func (im *importer) refuse(line int, err error) {
	im.got.Refused++
	if im.Refused != nil {
		im.Refused(line, err)
	}
}

// decodeLine reads one line. Fields that are not known are an error: to leave
// them out would be a loss.
func decodeLine(data []byte) (portLine, error) {
	var line portLine
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&line); err != nil {
		return line, solve.JSONError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return line, errors.New("more than one JSON object")
	}
	return line, nil
}

func (im *importer) line(ctx context.Context, number int, line portLine, size int) error {
	switch {
	case line.Puzzle != nil:
		n, err := im.puzzle(ctx, line.Puzzle)
		if err != nil {
			return err
		}
		im.news, im.lines, im.bytes = append(im.news, n), append(im.lines, number), im.bytes+size
		im.inFile = append(im.inFile, hex.EncodeToString(identity(line.Puzzle.Family, line.Puzzle.Text)))
		return nil
	case line.Run != nil:
		return im.run(ctx, line.Run)
	case line.Turn != nil:
		return im.turn(ctx, line.Turn)
	}
	return errors.New("neither a puzzle, a run nor a turn")
}

// puzzle reads a puzzle by its family's own form.
func (im *importer) puzzle(ctx context.Context, p *portPuzzle) (News, error) {
	family := im.Family(p.Family)
	if family == nil {
		return News{}, fmt.Errorf("no family %q", p.Family)
	}
	if len(p.Text) > maxText {
		return News{}, fmt.Errorf("%s: a text of %d bytes, want at most %d", p.Family, len(p.Text), maxText)
	}
	puzzle, err := family.Parse(p.Text)
	if err != nil {
		return News{}, err
	}
	n := News{Family: p.Family, Puzzle: puzzle, Seen: p.Seen, met: p.First, mark: p.Mark}
	for _, a := range p.Answers {
		if len(a.Strokes) > maxStrokes {
			return News{}, fmt.Errorf("%s: an answer of %d bytes, want at most %d", p.Family, len(a.Strokes), maxStrokes)
		}
		found, err := solution(a.Strokes)
		if err != nil {
			return News{}, fmt.Errorf("strokes: %w", err)
		}
		answer := KeptAnswer{Solution: found, Took: time.Duration(a.Micros) * time.Microsecond, Solver: a.Solver, At: a.At, Own: a.Own && im.Own}
		if a.Cost != nil {
			answer.Best = &solve.BestAnswer{Solution: answer.Solution, Unit: a.Cost.Unit, Cost: a.Cost.Cost, Bound: a.Cost.Bound}
		}
		n.Answers = append(n.Answers, answer)
	}
	if a := p.Proof; a != nil {
		if len(a.Where) > maxStrokes {
			return News{}, fmt.Errorf("%s: a proof of %d bytes, want at most %d", p.Family, len(a.Where), maxStrokes)
		}
		var where [][2]int
		if err := json.Unmarshal(a.Where, &where); err != nil {
			return News{}, fmt.Errorf("where: %w", solve.JSONError(err))
		}
		n.Proof = &Proof{Why: a.Why, Where: solve.PointsOf(where), Took: time.Duration(a.Micros) * time.Microsecond, Solver: a.Solver, At: a.At, Own: a.Own && im.Own}
	}
	_, err = im.s.newRow(ctx, n)
	return n, err
}

// flush keeps the puzzles that were read.
func (im *importer) flush(ctx context.Context) error {
	news, lines, keys := im.news, im.lines, im.inFile
	im.news, im.lines, im.inFile, im.bytes = nil, nil, nil, 0
	return im.s.keepEach(ctx, news, true,
		func(i int, id int64) { im.kept(news[i], keys[i], id) },
		func(i int, err error) { im.refuse(lines[i], err) })
}

func (im *importer) kept(n News, key string, id int64) {
	if _, again := im.byKey[key]; !again {
		im.got.Puzzles++
	}
	im.byKey[key] = id
	im.got.Answers += len(n.Answers)
	if n.Proof != nil {
		im.got.Proofs++
	}
}

func (im *importer) run(ctx context.Context, r *Run) error {
	if len(r.Key) != 2*keyBytes || len(r.Folder) > maxPlace || !isObject(r.Flags) {
		return fmt.Errorf("a run %q, want a key of %d characters, a folder of at most %d and an object of flags", r.Key, 2*keyBytes, maxPlace)
	}
	return im.s.write(ctx, func(tx *sql.Tx) error {
		id, err := runNumber(ctx, tx, r.Key)
		if errors.Is(err, sql.ErrNoRows) {
			id, err = keepRun(ctx, tx, *r)
		}
		if err == nil {
			im.runs[r.Key] = id
			im.got.Runs++
		}
		return err
	})
}

func (im *importer) turn(ctx context.Context, t *portTurn) error {
	if err := im.flush(ctx); err != nil { // it may name them
		return err
	}
	run, ok := im.runs[t.Run]
	if !ok {
		return fmt.Errorf("a turn of the run %q, which is not above it", t.Run)
	}
	if !isObject(t.Record) {
		return errors.New("a turn whose record is no object")
	}
	turn := RunTurn{Number: t.Number, At: t.At, Frame: t.Frame, Record: t.Record}
	for _, key := range t.Puzzles {
		id, ok := im.byKey[key]
		if !ok {
			return fmt.Errorf("a turn with the puzzle %q, which is not above it", key)
		}
		turn.Puzzles = append(turn.Puzzles, id)
	}
	return im.s.write(ctx, func(tx *sql.Tx) error {
		var known int
		err := tx.QueryRowContext(ctx, "SELECT count(*) FROM turn WHERE run = ? AND number = ?", run, t.Number).Scan(&known)
		if err == nil && known == 0 {
			err = keepTurn(ctx, tx, run, turn)
		}
		if err == nil {
			im.got.Turns++
		}
		return err
	})
}

// isObject tells whether JSON is an object.
func isObject(data json.RawMessage) bool {
	return len(data) > 0 && data[0] == '{' && json.Valid(data)
}
