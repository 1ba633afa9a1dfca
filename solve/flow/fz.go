package flow

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"iter"
	"strconv"
	"strings"

	"onlooker/solve"
)

// lines reads a file line by line; text is the present line, no its number
// from 1.
type lines struct {
	sc   *bufio.Scanner
	text string
	no   int
}

func newLines(r io.Reader) *lines {
	sc := bufio.NewScanner(r)
	// The widest boards seen have 1000 columns; a level line is longer.
	sc.Buffer(make([]byte, 0, 64<<10), 16<<20)
	return &lines{sc: sc}
}

func (l *lines) next() bool {
	if !l.sc.Scan() {
		return false
	}
	l.text = strings.TrimSuffix(l.sc.Text(), "\r")
	l.no++
	return true
}

func (l *lines) errorf(format string, a ...any) error {
	return fmt.Errorf("flow: line %d: %w", l.no, fmt.Errorf(format, a...))
}

// decodeFZ reads blocks "puzzle NAME" … "end". What `sol` lines say is not
// looked at. After a block that cannot be read the next one is tried.
func decodeFZ(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(yield func(solve.Puzzle, error) bool) {
		l := newLines(r)
		for l.next() {
			f := strings.Fields(l.text)
			if len(f) == 0 {
				continue
			}
			var p *Puzzle
			err := l.errorf("%q, want `puzzle NAME`", f[0])
			if f[0] == "puzzle" {
				p, err = l.fzBlock()
			}
			if err != nil {
				if !yield(nil, err) {
					return
				}
				for f[0] != "end" && l.next() {
					if f = strings.Fields(l.text); len(f) == 0 {
						f = []string{""}
					}
				}
				continue
			}
			if !yield(p, nil) {
				return
			}
		}
		if err := l.sc.Err(); err != nil {
			yield(nil, l.errorf("%w", err))
		}
	}
}

// fzBlock reads the rest of a block. When it fails the block's `end` is still
// to come, unless that was the line at fault.
func (l *lines) fzBlock() (*Puzzle, error) {
	start := l.no
	var cols, rows int
	topo := ""
	said := map[string]int{} // the lines of size and topo
	type later struct {
		no    int
		words []string
	}
	var rest []later
	for {
		if !l.next() {
			return nil, l.errorf("the file ends within the block of line %d, want `end`", start)
		}
		f := strings.Fields(l.text)
		if len(f) == 0 {
			continue
		}
		if f[0] == "end" {
			break
		}
		if was, ok := said[f[0]]; ok {
			return nil, l.errorf("a second %q, want one: the first is in line %d", f[0], was)
		}
		switch f[0] {
		case "size":
			said["size"] = l.no
			var err1, err2 error
			if len(f) == 3 {
				cols, err1 = strconv.Atoi(f[1])
				rows, err2 = strconv.Atoi(f[2])
			}
			if len(f) != 3 || err1 != nil || err2 != nil || cols < 1 || rows < 1 {
				return nil, l.errorf("%q, want `size W H`, from 1 1", l.text)
			}
		case "topo":
			if len(f) != 2 || f[1] != "square" && f[1] != "hex" && f[1] != "torus" {
				return nil, l.errorf("%q, want `topo square`, `hex` or `torus`", l.text)
			}
			topo, said["topo"] = f[1], l.no
		case "holes", "walls", "bridges", "pairs":
			rest = append(rest, later{l.no, f})
		case "sol", "fill", "notouch", "nozigzag":
			rest = append(rest, later{l.no, f})
		default:
			return nil, l.errorf("%q, want size, topo, holes, walls, bridges, pairs, sol or end", f[0])
		}
	}
	end := l.no
	defer func() { l.no = end }()
	if topo == "" || cols == 0 {
		return nil, l.errorf("`end` of a block without size or topo, want both")
	}
	shape := Square
	if topo == "hex" {
		shape = Hex
	}
	b := builderAt(said["size"], shape, cols, rows)
	if len(b.errs) > 0 {
		return nil, b.errs[0]
	}
	if topo == "torus" {
		b.Torus()
	}
	for _, x := range rest {
		l.no, b.line = x.no, x.no
		what := x.words[0]
		switch what {
		case "sol":
			continue
		case "fill":
			if len(x.words) != 2 || x.words[1] != "any" && x.words[1] != "all" {
				return nil, l.errorf("%q, want `fill all` or `fill any`", strings.Join(x.words, " "))
			}
			if x.words[1] == "any" {
				b.Any()
			}
			continue
		case "notouch":
			b.NoTouch()
			continue
		case "nozigzag":
			b.NoZigzag()
			continue
		}
		for _, w := range x.words[1:] {
			sep := map[string]string{"walls": "|", "pairs": "-"}[what]
			parts := []string{w}
			if sep != "" {
				parts = strings.Split(w, sep)
				if len(parts) != 2 {
					return nil, l.errorf("%s: %q, want two cells a%sb", what, w, sep)
				}
			}
			var at []image.Point
			for _, s := range parts {
				n, err := strconv.Atoi(s)
				if err != nil || n < 0 || n >= cols*rows {
					return nil, l.errorf("%s: %q, want a cell from 0 to %d", what, s, cols*rows-1)
				}
				at = append(at, image.Pt(n%cols, n/cols))
			}
			switch what {
			case "holes":
				b.Hole(at[0])
			case "bridges":
				b.Bridge(at[0])
			case "walls":
				b.Wall(at[0], at[1])
			case "pairs":
				b.Pair(at[0], at[1])
			}
		}
	}
	b.line = start
	return b.Puzzle()
}

// encodeFZ writes a block. `fill`, `notouch` and `nozigzag` lines are written
// only where they differ from Flow Free's habits.
func encodeFZ(w io.Writer, q solve.Puzzle) error {
	p, ok := q.(*Puzzle)
	if !ok {
		return fmt.Errorf("flow: a %T, want a flow puzzle", q)
	}
	if len(p.joins) > 0 || p.shape == Loose {
		return fmt.Errorf("flow: the form fz knows no single joins; use the canonical text")
	}
	var s strings.Builder
	topo := "square"
	if p.shape == Hex {
		topo = "hex"
	}
	if p.torus {
		topo = "torus"
	}
	fmt.Fprintf(&s, "puzzle board\nsize %d %d\ntopo %s\n", p.cols, p.rows, topo)
	flags := func(name string, is []bool) {
		n := 0
		for i, x := range is {
			if x {
				if n == 0 {
					s.WriteString(name)
				}
				n++
				fmt.Fprintf(&s, " %d", i)
			}
		}
		if n > 0 {
			s.WriteByte('\n')
		}
	}
	flags("holes", p.hole)
	if len(p.walls) > 0 {
		s.WriteString("walls")
		for _, w := range p.walls {
			fmt.Fprintf(&s, " %d|%d", w[0], w[1])
		}
		s.WriteByte('\n')
	}
	flags("bridges", p.bridge)
	if p.any {
		s.WriteString("fill any\n")
	}
	if p.noTouch {
		s.WriteString("notouch\n")
	}
	if p.noZigzag {
		s.WriteString("nozigzag\n")
	}
	if len(p.pairs) > 0 {
		s.WriteString("pairs")
		for _, e := range p.pairs {
			fmt.Fprintf(&s, " %d-%d", e[0], e[1])
		}
		s.WriteByte('\n')
	}
	s.WriteString("end\n")
	_, err := io.WriteString(w, s.String())
	return err
}
