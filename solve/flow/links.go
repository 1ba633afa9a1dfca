package flow

import (
	"fmt"
	"slices"
	"strings"
)

// isLinks tells whether a line begins a board that has signs between all cells that lie side by side: - and
// | where they are squares (STANDARD), and / and \ too where they are hexagons (HEX), whose odd columns lie
// half a cell higher.
func isLinks(line string) bool {
	line = strings.TrimSpace(line)
	return line == "STANDARD" || line == "HEX"
}

func sniffLinks(head []byte) bool {
	return isLinks(firstRow(head)) && strings.Contains(string(head), "|")
}

// linkRow is what a row of so many signs is, ? for a cell. Above the first whole one are cells of odd
// columns alone.
func linkRow(form string, i, wide int) string {
	signs := "?-"
	switch {
	case form == "HEX" && i == 0:
		signs = "  ? "
	case form == "HEX" && i == 1:
		signs = ` /|\`
	case form == "HEX" && i%2 == 1:
		signs = `|/|\`
	case i%2 == 1:
		signs = "| "
	}
	return strings.Repeat(signs, wide)[:wide]
}

// links reads a board with signs between its cells. Most of its rows are as long as they should be.
func (b block) links() (*Puzzle, error) {
	b = b.withoutComments()
	if len(b.Text) == 0 {
		return nil, nil
	}
	form, lines, shape, top := strings.TrimSpace(b.Text[0]), b.Text[1:], Square, 0
	if form == "HEX" {
		shape, top = Hex, 2
	}
	var long []int
	for i := top; i < len(lines); i += 2 {
		long = append(long, len(strings.TrimRight(lines[i], " ")))
	}
	if slices.Sort(long); len(long) == 0 || len(lines)%2 == 0 {
		return nil, b.Errorf(len(lines), "%s: row %d is the last, want one more, of cells", form, len(lines))
	}
	wide := long[(len(long)-1)/2] | 1
	rows := make([]row, (len(lines)+1)/2)
	for i := range rows {
		rows[i] = row{b.No[1+2*i], slices.Repeat([]string{"#"}, (wide+1)/2)}
	}
	for i, t := range lines {
		t = strings.TrimRight(t, " ")
		t += strings.Repeat(" ", max(0, wide-len(t)))
		want := []byte(linkRow(form, i, wide))
		for x, sign := range want {
			switch {
			case sign == '?' && isCell(t[x:x+1]):
				want[x] = t[x]
				rows[(i-top*(1-x/2%2))/2].cells[x/2] = t[x : x+1]
			case sign == '?':
				want[x] = '.'
			}
		}
		if t != string(want) {
			return nil, b.Errorf(1+i, "%s: row %d is %q, want %q", form, 1+i, lines[i], want)
		}
	}
	nb := builderAt(b.No[0], shape, (wide+1)/2, len(rows))
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	signs, numbered := signsOf(rows)
	p, err := nb.filled(b.No[0], rows, signs, false, Options{Any: numbered})
	if err != nil {
		return nil, fmt.Errorf("%w, as %s has it", err, form)
	}
	return p, nil
}
