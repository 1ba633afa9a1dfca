package witness

import (
	"bytes"
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// Every count is that of a program that shares nothing with us.
func TestSigmaCases(t *testing.T) {
	all := witnesstest.Cases(t)
	for n, c := range all {
		p := c.Panel(t)
		if again := witnesstest.Parsed(t, forms.String(p)); forms.String(again) != forms.String(p) {
			t.Fatalf("comes back as\n%s\nfrom\n%s", forms.String(again), forms.String(p))
		}
		got, err := Of(p).Count(t.Context(), 0)
		if got != c.Count || err != nil {
			t.Errorf("case %d: %d answers, %v, want %d\n%s\n%s", n+1, got, err, c.Count, forms.String(p), c.Why)
		}
		a, err := Of(p).Solve(t.Context())
		if (err == nil) != (c.Count > 0) {
			t.Errorf("case %d: %v, %v, want one of %d answers", n+1, a, err, c.Count)
		}
		if c.First != nil {
			var line solve.Stroke
			for _, q := range c.First {
				line = append(line, image.Pt(q[0], q[1]))
			}
			end := line[len(line)-1]
			if err := Of(p).Check(t.Context(), solve.Solution{append(line, end.Add(p.At(end).Cap))}); err != nil {
				t.Errorf("case %d: its line is refused: %v\n%s", n+1, err, forms.String(p))
			}
		}
	}
	if len(all) < 100 {
		t.Errorf("%d cases, want 100 or more", len(all))
	}
}

// The discards of sigma144's Expert, which all can be solved: cells, the arrow, broken
// edges, where another start is; answers from the lower left, and from that.
func TestSigmaDiscards(t *testing.T) {
	for _, row := range []struct {
		cols, rows  int
		at          image.Point
		heads       int
		way         string
		broken      []image.Point
		start       *image.Point
		count, more int
	}{
		{3, 3, image.Pt(5, 3), 1, "S", []image.Point{{X: 0, Y: 3}, {X: 6, Y: 1}}, nil, 26, 0},
		{3, 3, image.Pt(1, 1), 2, "S", []image.Point{{X: 1, Y: 4}, {X: 6, Y: 3}, {X: 5, Y: 0}}, nil, 3, 0},
		{3, 3, image.Pt(1, 3), 1, "NE", []image.Point{{X: 0, Y: 5}, {X: 6, Y: 3}}, nil, 18, 0},
		{3, 3, image.Pt(5, 5), 1, "NW", []image.Point{{X: 1, Y: 4}, {X: 1, Y: 6}, {X: 3, Y: 0}, {X: 3, Y: 2}}, nil, 2, 0},
		{3, 3, image.Pt(5, 1), 1, "SW", []image.Point{{X: 0, Y: 1}, {X: 3, Y: 6}}, nil, 1, 0},
		{3, 3, image.Pt(5, 5), 1, "W", []image.Point{{X: 4, Y: 1}, {X: 1, Y: 2}, {X: 3, Y: 6}, {X: 6, Y: 1}}, &image.Point{}, 8, 1},
		{3, 3, image.Pt(1, 1), 2, "SE", []image.Point{{X: 4, Y: 5}, {X: 6, Y: 1}}, nil, 23, 0},
		{3, 3, image.Pt(1, 5), 2, "NE", []image.Point{{X: 3, Y: 0}, {X: 0, Y: 5}}, nil, 8, 0},
		{3, 3, image.Pt(5, 1), 2, "S", []image.Point{{X: 2, Y: 1}, {X: 4, Y: 1}, {X: 3, Y: 4}}, nil, 9, 0},
		{3, 3, image.Pt(1, 3), 2, "E", []image.Point{{X: 3, Y: 4}, {X: 5, Y: 6}}, nil, 19, 0},
		{3, 3, image.Pt(1, 3), 1, "E", []image.Point{{X: 4, Y: 1}, {X: 6, Y: 1}, {X: 3, Y: 2}, {X: 4, Y: 5}, {X: 5, Y: 4}}, &image.Point{X: 6, Y: 6}, 4, 4},
		{3, 3, image.Pt(1, 5), 2, "NE", []image.Point{{X: 4, Y: 5}, {X: 2, Y: 3}, {X: 3, Y: 2}, {X: 5, Y: 2}, {X: 5, Y: 4}}, nil, 3, 0},
		{2, 1, image.Pt(1, 1), 2, "E", nil, nil, 1, 0},
		{2, 1, image.Pt(1, 1), 1, "E", nil, nil, 2, 0},
	} {
		p := witnesstest.Corners(row.cols, row.rows, image.Pt(1, 0))
		p.Rules = board.Sigma
		p.At(row.at).Symbol = board.Symbol{Kind: board.Arrow, Colour: "purple", Count: row.heads, Way: witnesstest.Way(row.way)}
		for _, at := range row.broken {
			p.At(at).Gap = board.Broken
		}
		if n, err := Of(p).Count(t.Context(), 0); n != row.count || err != nil {
			t.Errorf("%d answers, %v, want %d\n%s", n, err, row.count, forms.String(p))
		}
		if row.start == nil {
			continue
		}
		p.At(*row.start).Start = true
		if n, err := Of(p).Count(t.Context(), 0); n != row.count+row.more || err != nil {
			t.Errorf("with another start: %d answers, %v, want %d\n%s", n, err, row.count+row.more, forms.String(p))
		}
	}
}

// The sites' JSON: arrows, darts and antitriangles turned clockwise from up.
func TestSigmaJSON(t *testing.T) {
	const text = "panel 4x2 rules=witnesspuzzles\n+-+-+-+->\n|a|b|c|d|\n+-+-+-+-+\n|e|f| | |\n@-+-+-+-+\n" +
		"a = 2 purple arrows up-left\nb = 3 red darts right\nc = 4 white antitriangles\nd = red flower\ne = 1 purple arrow up\nf = 1 white dart down\n"
	p := witnesstest.Parsed(t, text)
	data := solvetest.Must(forms.EncodeJSON(p))(t)
	for _, want := range []string{`"CUSTOM_MECHANICS":true`, `{"type":"arrow","color":"purple","count":2,"rot":7}`, `{"type":"dart","color":"red","count":3,"rot":2}`,
		`{"type":"atriangle","color":"white","count":4}`, `{"type":"pokerchip","color":"red"}`, `{"type":"arrow","color":"purple","count":1}`} {
		if !bytes.Contains(data, []byte(want)) {
			t.Errorf("no %s in %s", want, data)
		}
	}
	again, err := forms.DecodeJSON(data)
	if err != nil || forms.String(again) != text {
		t.Errorf("%v, comes back as\n%s", err, forms.String(again))
	}
	for _, kind := range []string{"cave 1", "mines 0"} {
		q := witnesstest.Parsed(t, "panel 1x1 rules=witnesspuzzles\n+->\n|a|\n@-+\na = "+kind+"\n")
		if _, err := forms.EncodeJSON(q); err == nil {
			t.Errorf("%s was written", kind)
		}
	}
}
