package store

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"onlooker/solve"
)

// portVersion is that of the lines below. A reader refuses a newer one.
const portVersion = 2

// maxLine is the longest line that Import reads, in bytes.
const maxLine = 3*maxText + 1<<20

// A portLine is a line of an export: the first has Store alone, each other one Puzzle. Runs of
// the agent, their turns and what was noted of a puzzle stand in exports of before, and are
// left out.
type portLine struct {
	Store  int             `json:"store,omitempty"`
	Puzzle *portPuzzle     `json:"puzzle,omitempty"`
	Run    json.RawMessage `json:"run,omitempty"`
	Turn   json.RawMessage `json:"turn,omitempty"`
}

type portPuzzle struct {
	Family  string          `json:"family"`
	Text    string          `json:"text"`
	First   time.Time       `json:"first"`
	Seen    []Origin        `json:"seen,omitempty"`
	Answers []portAnswer    `json:"answers,omitempty"`
	Proof   *portProof      `json:"proof,omitempty"`
	Mark    json.RawMessage `json:"mark,omitempty"`
}

// A portAnswer is a KeptAnswer as it is in the file, and in an export.
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

func (a *portAnswer) kept() (KeptAnswer, error) {
	var pairs [][][2]int
	if err := json.Unmarshal(a.Strokes, &pairs); err != nil {
		return KeptAnswer{}, fmt.Errorf("strokes: %w", solve.JSONError(err))
	}
	found, err := solve.FromPairs(pairs)
	k := KeptAnswer{Solution: found, Took: time.Duration(a.Micros) * time.Microsecond, Solver: a.Solver, At: a.At, Own: a.Own}
	if a.Cost != nil {
		k.Best = &solve.BestAnswer{Solution: found, Unit: a.Cost.Unit, Cost: a.Cost.Cost, Bound: a.Cost.Bound}
	}
	return k, err
}

// A portProof is a Proof as it is in the file, and in an export.
type portProof struct {
	Why    string          `json:"why,omitempty"`
	Where  json.RawMessage `json:"where"`
	Micros int64           `json:"micros"`
	Solver string          `json:"solver"`
	At     time.Time       `json:"at"`
	Own    bool            `json:"own,omitempty"`
}

func (p *portProof) kept() (*Proof, error) {
	var where [][2]int
	if err := json.Unmarshal(p.Where, &where); err != nil {
		return nil, fmt.Errorf("where: %w", solve.JSONError(err))
	}
	return &Proof{Why: p.Why, Where: solve.PointsOf(where), Took: time.Duration(p.Micros) * time.Microsecond, Solver: p.Solver, At: p.At, Own: p.Own}, nil
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
	if err == nil {
		err = exportPuzzles(ctx, conn, enc)
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
	for last := int64(0); ; {
		some, err := entries(ctx, q, "p.id > ?", []any{last}, "p.id", chunk)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, e := range some {
			p := portPuzzle{Family: e.Family, Text: e.Text, First: e.Seen}
			if p.Seen, err = sightings(ctx, q, e.ID); err == nil {
				p.Answers, err = answers(ctx, q, e.ID, "id")
			}
			none, err2 := proofs(ctx, q, e.ID)
			if len(none) > 0 {
				p.Proof = &none[0]
			}
			if err := cmp.Or(err, err2, enc.Encode(portLine{Puzzle: &p})); err != nil {
				return fmt.Errorf("puzzle %d: %w", e.ID, err)
			}
			last = e.ID
		}
	}
}

// ImportSummary tells what an import brought; what the store had already counts as
// well.
type ImportSummary struct{ Puzzles, Answers, Proofs, Refused int }

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

// chunk is how many puzzles are looked up at a time.
const chunk = 1000

// Import reads an export into the store. Lines that say what cannot be are told
// to Refused and left out: texts that their family refuses, answers that Check
// refuses. What the store knows already is not counted twice, so that an import
// that was broken off can be done again. An error ends the import; the lines
// before it are kept.
func (s *Store) Import(ctx context.Context, r io.Reader, o ImportOptions) (ImportSummary, error) {
	var got ImportSummary
	known := map[[sha256.Size]byte]bool{} // puzzles by their key, which were in this file
	number := 0
	for text, err := range solve.Lines(r, maxLine) {
		if err != nil {
			return got, fmt.Errorf("store: import: %w", err)
		}
		number++
		line, err := decodeLine(text)
		if number == 1 {
			if err != nil || line.Store < 1 || line.Store > portVersion {
				return got, fmt.Errorf("store: import: line 1 is no beginning of an export, want {\"store\":%d} or an older one", portVersion)
			}
			continue
		}
		if p := line.Puzzle; err == nil && p != nil {
			var n News
			if n, err = o.news(p); err == nil {
				_, err = s.keep(ctx, []News{n}, true)
			}
			if err == nil {
				if key := identity(p.Family, p.Text); !known[key] {
					known[key] = true
					got.Puzzles++
				}
				got.Answers += len(n.Answers)
				if n.Proof != nil {
					got.Proofs++
				}
			}
		} else if err == nil && line.Run == nil && line.Turn == nil {
			err = errors.New("no puzzle")
		}
		switch {
		case ctx.Err() != nil || isDatabase(err):
			return got, fmt.Errorf("store: import: line %d: %w", number, err)
		case err != nil:
			if got.Refused++; o.Refused != nil {
				o.Refused(number, err)
			}
		}
	}
	if number == 0 {
		return got, errors.New("store: import: empty, want an export")
	}
	return got, nil
}

// decodeLine reads one line. Fields that are not known are an error: to leave
// them out would be a loss.
func decodeLine(text string) (portLine, error) {
	var line portLine
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&line); err != nil {
		return line, solve.JSONError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return line, errors.New("more than one JSON object")
	}
	return line, nil
}

// news reads a puzzle by its family's own form.
func (o *ImportOptions) news(p *portPuzzle) (News, error) {
	family := o.Family(p.Family)
	if family == nil {
		return News{}, fmt.Errorf("no family %q", p.Family)
	}
	puzzle, err := family.Parse(p.Text)
	if err != nil {
		return News{}, err
	}
	n := News{Family: p.Family, Puzzle: puzzle, Seen: p.Seen, met: p.First}
	for _, a := range p.Answers {
		k, err := a.kept()
		if err != nil {
			return n, err
		}
		k.Own = k.Own && o.Own
		n.Answers = append(n.Answers, k)
	}
	if p.Proof != nil {
		if n.Proof, err = p.Proof.kept(); err != nil {
			return n, err
		}
		n.Proof.Own = n.Proof.Own && o.Own
	}
	return n, nil
}
