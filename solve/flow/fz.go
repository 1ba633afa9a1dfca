package flow

import (
	"image"
	"strconv"
	"strings"
)

// isBlock tells whether a line begins a board of the form fz.
func isBlock(line string) bool {
	f := strings.Fields(line)
	return len(f) > 0 && f[0] == "puzzle"
}

// An fzHead is what the lines of size and topo say of a block.
type fzHead struct {
	cols, rows int
	topo       string
	size       int   // which line of the block says the size
	rest       []int // lines about cells and rules
	end        int
}

// fz reads a block "puzzle NAME" … "end". What `sol` lines say is not looked at.
func (b block) fz() (*Puzzle, error) {
	if !isBlock(b.Text[0]) {
		return nil, b.Errorf(0, "%q, want `puzzle NAME`", strings.Fields(b.Text[0])[0])
	}
	h, err := b.fzHead()
	if err != nil {
		return nil, err
	}
	if h.end+1 < len(b.Text) {
		return nil, b.Errorf(h.end+1, "%q after `end`, want `puzzle NAME`", strings.Fields(b.Text[h.end+1])[0])
	}
	if h.topo == "" || h.cols == 0 {
		return nil, b.Errorf(h.end, "`end` of a block without size or topo, want both")
	}
	shape := Square
	if h.topo == "hex" {
		shape = Hex
	}
	nb := builderAt(b.No[h.size], shape, h.cols, h.rows)
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	if h.topo == "torus" {
		nb.Torus()
	}
	for _, i := range h.rest {
		nb.line = b.No[i]
		if err := b.fzLine(nb, i, h.cols, h.rows); err != nil {
			return nil, err
		}
	}
	nb.line = b.No[0]
	return nb.Puzzle()
}

// fzHead reads the lines of size and topo of a block, up to its end.
func (b block) fzHead() (fzHead, error) {
	var h fzHead
	said := map[string]int{} // which are the lines of size and topo
	for h.end = 1; ; h.end++ {
		if h.end == len(b.Text) {
			return h, b.Errorf(h.end-1, "the block of line %d ends here, want `end`", b.No[0])
		}
		f := strings.Fields(b.Text[h.end])
		if f[0] == "end" {
			h.size = said["size"]
			return h, nil
		}
		if was, ok := said[f[0]]; ok {
			return h, b.Errorf(h.end, "a second %q, want one: the first is in line %d", f[0], b.No[was])
		}
		switch f[0] {
		case "size":
			said["size"] = h.end
			ok := len(f) == 3
			if ok {
				h.cols, h.rows, ok = sides(f[1], f[2])
			}
			if !ok {
				return h, b.Errorf(h.end, "%q, want `size W H`, from 1 1", b.Text[h.end])
			}
		case "topo":
			if len(f) != 2 || f[1] != "square" && f[1] != "hex" && f[1] != "torus" {
				return h, b.Errorf(h.end, "%q, want `topo square`, `hex` or `torus`", b.Text[h.end])
			}
			h.topo, said["topo"] = f[1], h.end
		case "holes", "walls", "bridges", "pairs", "fill", "notouch":
			h.rest = append(h.rest, h.end)
		case "sol":
		default:
			return h, b.Errorf(h.end, "%q, want size, topo, holes, walls, bridges, pairs, sol or end", f[0])
		}
	}
}

// fzLine reads a line about cells or rules.
func (b block) fzLine(nb *Builder, i, cols, rows int) error {
	words := strings.Fields(b.Text[i])
	what := words[0]
	switch what {
	case "fill":
		if len(words) != 2 || words[1] != "any" && words[1] != "all" {
			return b.Errorf(i, "%q, want `fill all` or `fill any`", strings.Join(words, " "))
		}
		if words[1] == "any" {
			nb.Any()
		}
		return nil
	case "notouch":
		nb.NoTouch()
		return nil
	}
	for _, w := range words[1:] {
		sep := map[string]string{"walls": "|", "pairs": "-"}[what]
		parts := []string{w}
		if sep != "" {
			parts = strings.Split(w, sep)
			if len(parts) != 2 {
				return b.Errorf(i, "%s: %q, want two cells a%sb", what, w, sep)
			}
		}
		var at []image.Point
		for _, s := range parts {
			n, err := strconv.Atoi(s)
			if err != nil || n < 0 || n >= cols*rows {
				return b.Errorf(i, "%s: %q, want a cell from 0 to %d", what, s, cols*rows-1)
			}
			at = append(at, image.Pt(n%cols, n/cols))
		}
		switch what {
		case "holes":
			nb.Hole(at[0])
		case "bridges":
			nb.Bridge(at[0])
		case "walls":
			nb.Wall(at[0], at[1])
		case "pairs":
			nb.Pair(at[0], at[1])
		}
	}
	return nil
}
