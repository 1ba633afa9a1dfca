package forms

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// jsonFormat reads puzzles of witnesspuzzles.com, one after another.
func jsonFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "witnesspuzzles",
		Way:  "its editor opens it by importPuzzle() in the browser's console",
		Sniff: func(head []byte) bool {
			head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
			return bytes.HasPrefix(head, []byte("{")) &&
				(bytes.Contains(head, []byte(`"grid"`)) || bytes.Contains(head, []byte(`"pillar"`)))
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
			return wrap.all(func(yield func(*board.Panel, error) bool) {
				dec := json.NewDecoder(r)
				for {
					var raw json.RawMessage
					err := dec.Decode(&raw)
					if err == io.EOF {
						return
					}
					if err != nil {
						yield(nil, fmt.Errorf("witnesspuzzles: %w", solve.JSONError(err)))
						return
					}
					if !yield(jsonPanel(raw, kinds)) {
						return
					}
				}
			})
		},
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) { return EncodeJSON(b.Board()) }),
	}
}

// A Wrap makes a puzzle of a panel.
type Wrap func(*board.Panel) solve.Puzzle

// Formats are the forms for panels with these kinds of symbols, our own first.
func Formats(kinds []board.Kind, wrap Wrap) []solve.Format {
	return []solve.Format{textFormat(kinds, wrap), windmillFormat(kinds, wrap), jsonFormat(kinds, wrap)}
}

// textFormat is our own form.
func textFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "text",
		Sniff: func(head []byte) bool {
			for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\ufeff"))) {
				text := string(bytes.TrimRight(line, "\r\n\t "))
				if !isComment(text) {
					return isHeader(text)
				}
			}
			return false
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] { return wrap.all(parseAll(r, kinds)) },
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) { return MarshalText(b.Board()) }),
	}
}

// all turns panels into puzzles.
func (wrap Wrap) all(panels iter.Seq2[*board.Panel, error]) iter.Seq2[solve.Puzzle, error] {
	return solve.Puzzles(panels, func(p *board.Panel) (solve.Puzzle, error) { return wrap(p), nil })
}

// windmillFormat reads links or codes, one a line.
func windmillFormat(kinds []board.Kind, wrap Wrap) solve.Format {
	return solve.Format{
		Name: "windmill",
		Link: "https://" + windmillHost,
		Sniff: func(head []byte) bool {
			line, _, whole := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
			line = bytes.TrimSpace(line)
			if bytes.ContainsAny(line, " \t{") {
				return false
			}
			// Every code begins with the width's field, so with C and one of A
			// to P; whoever read the head may have cut off its end.
			code := line[bytes.LastIndexAny(line, "/#?")+1:]
			return len(code) > 8 && len(bytes.Trim(code, base64Letters+"=%")) == 0 &&
				(code[0] == 'C' && code[1] >= 'A' && code[1] <= 'P' || whole && bytes.HasSuffix(code, []byte("_0"))) ||
				bytes.Contains(line, []byte(windmillHost))
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
			return wrap.all(func(yield func(*board.Panel, error) bool) {
				lines := newLineReader(r)
				defer lines.stop()
				for lines.next() {
					if lines.text == "" {
						continue
					}
					p, err := windmillPanel(lines.text, kinds)
					if err != nil {
						err = atLine(lines.line, err)
					}
					if !yield(p, err) {
						return
					}
				}
				if lines.err != nil {
					yield(nil, fmt.Errorf("witness: %w", lines.err))
				}
			})
		},
		Encode: solve.Encoder(func(b board.Bearer) ([]byte, error) {
			code, err := EncodeWindmill(b.Board())
			return []byte(code + "\n"), err
		}),
	}
}
