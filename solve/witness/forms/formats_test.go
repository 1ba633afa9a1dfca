package forms_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

func TestCorpusRoundTrip(t *testing.T) {
	names, links := witnesstest.Corpus(t)
	if len(links) != 2605 {
		t.Fatalf("%d links, want 2605", len(links))
	}
	sniff := forms.Formats(board.Kinds(), pose)[1].Sniff
	for i, link := range links {
		p, err := forms.DecodeWindmill(link)
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		solvetest.Same(t, solvetest.Must(forms.EncodeWindmill(p))(t), link, "%s: comes back as", names[i])
		if !sniff([]byte(link + "\n")) {
			t.Errorf("%s: not recognised", names[i])
		}
		text, err := forms.MarshalText(p)
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		q, err := forms.Parse(text)
		if err != nil {
			t.Errorf("%s: own text refused: %v\n%s", names[i], err, text)
			continue
		}
		if again, err := forms.MarshalText(q); err != nil || !bytes.Equal(again, text) {
			t.Errorf("%s: text\n%s\ncomes back as\n%s%v", names[i], text, again, err)
		}
	}
}

// What a person may type, and the canonical text it comes back as ("" where
// it is canonical already).
func TestParse(t *testing.T) {
	for _, row := range []struct{ why, text, want string }{
		{"the smallest", "panel 1x1\n+->\n| |\n@-+\n", ""},
		{"one row of three, a broken and a missing edge",
			"panel 3x1\n+-+-+->\n|a:b  |\n@-+-+-+\na = white square\nb = black square\n", ""},
		{"line ends of another system, a byte order mark, comments, empty lines",
			"\ufeff# hello\r\n\r\npanel 1x1\r\n+->\r\n| |\r\n@-+\r\n\r\n", "panel 1x1\n+->\n| |\n@-+\n"},
		{"spaces cut off at line ends where a corner is missing",
			"panel 1x2\n+-\n|.\n+->\n|.|\n@-+\n", "panel 1x2\n+-\n|\n+->\n| |\n@-+\n"},
		{"two letters with one meaning become one, in reading order",
			"panel 2x1\n+-+->\n|z|b|\n@-+-+\nb = red star\nz = red star\n", "panel 2x1\n+-+->\n|a|a|\n@-+-+\na = red star\n"},
		{"implied colours", "panel 4x1\n+-+-+-+->\n|a|b|c|d|\n@-+-+-+-+\na = piece ##/.#\nb = turned negative piece ..#\nc = eraser\nd = triangle\n",
			"panel 4x1\n+-+-+-+->\n|a|b|c|d|\n@-+-+-+-+\na = yellow piece ##/.#\nb = turned blue negative piece #\nc = white eraser\nd = 1 orange triangle\n"},
		{"no colour at all", "panel 1x1\n+->\n|a|\n@-+\na = colourless eraser\n", ""},
		{"a legend for what has a character of its own",
			"panel 1x1\na-b\nced\n@f+\na = dot\nb = end right\nc = broken\ne = white star\nd = missing\nf = start\n",
			"panel 1x1\n*->\n:a\n@@+\na = white star\n"},
		{"starts and ends on the middle of edges, a diagonal cap, a start with a dot and an end",
			"panel 1x1\n+@a\n^ |\nb-+\na = end up-right\nb = start, end down-left, dot\n", ""},
		{"dots of two lines, seen or not", "panel 3x1 symmetry=mirror rules=witnesspuzzles\n>a+b+c<\n| | | |\n@-+-+-@\na = own cyan dot\nb = invisible dot\nc = other invisible #ff8000 dot\n", ""},
		{"a pillar is a half-cell narrower", "pillar 2x1 symmetry=parallel\n^-^-\n| |\n@-@-\n", ""},
		{"a missing node and a broken edge with a dot", "panel 2x1\n+-+->\n| : |\n@ a-+\na = missing, dot\n", ""},
		{"options of the rule set", "panel 1x1 rules=windmill,erasers-cancel=on\n+->\n| |\n@-+\n", ""},
	} {
		want := row.want
		if want == "" {
			want = row.text
		}
		p, err := forms.Parse([]byte(row.text))
		if err != nil {
			t.Errorf("%s: %v\n%s", row.why, err, row.text)
			continue
		}
		solvetest.Same(t, forms.String(p), want, "%s: comes back as", row.why)
	}
}

// TestRefused: testdata has why a text, or the site's JSON, is refused, the text, and a part of the error.
func TestRefused(t *testing.T) {
	for file, decode := range map[string]func([]byte) (*board.Panel, error){"refused.rows": forms.Parse, "refused-json.rows": forms.DecodeJSON} {
		for _, row := range solvetest.Rows(t, "testdata/"+file) {
			var why, text, want string
			solvetest.Must(fmt.Sscanf(row, "%q %q %q", &why, &text, &want))(t, row)
			if _, err := decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want an error with %q", why, err, want)
			}
		}
	}
}

// TestUnwritable: testdata has why a panel has no such form, the panel, and a part of the error.
func TestUnwritable(t *testing.T) {
	asCode := func(p *board.Panel) ([]byte, error) {
		code, err := forms.EncodeWindmill(p)
		return []byte(code), err
	}
	for file, encode := range map[string]func(*board.Panel) ([]byte, error){"unwritable-windmill.rows": asCode, "unwritable-json.rows": forms.EncodeJSON} {
		for _, row := range solvetest.Rows(t, "testdata/"+file) {
			var why, text, want string
			solvetest.Must(fmt.Sscanf(row, "%q %q %q", &why, &text, &want))(t, row)
			if _, err := encode(witnesstest.Parsed(t, text)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want an error with %q", why, err, want)
			}
		}
	}
}

// More meanings than there are letters.
func TestManyLegends(t *testing.T) {
	p := board.New(20, 10, false)
	for at := range p.Points() {
		if board.IsCell(at) {
			*p.At(at) = board.Spot{Symbol: board.Symbol{Kind: board.Square, Colour: board.Colour(fmt.Sprintf("#%06x", at.X*100+at.Y))}}
		}
	}
	text := solvetest.Must(forms.MarshalText(p))(t)
	q, err := forms.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for at := range p.Points() {
		if p.At(at).Colour != q.At(at).Colour {
			t.Fatalf("at %v: %q, want %q", at, q.At(at).Colour, p.At(at).Colour)
		}
	}
}

// A bad board is one error; the boards after it are still read.
func TestDecodeGoesOn(t *testing.T) {
	text := "panel 1x1\n+->\n| |\n@-+\npanel 1x1\nwrong\n\npanel 2x1\n+-+->\n| | |\n@-+-+\n"
	var got []string
	for p, err := range forms.Formats(board.Kinds(), pose)[0].Decode(strings.NewReader(text)) {
		if err != nil {
			got = append(got, "error")
		} else {
			got = append(got, fmt.Sprint(board.Of(p).Cols))
		}
	}
	solvetest.Same(t, fmt.Sprint(got), "[1 error 2]", "%v", got)
}

// TestWindmillList: links stand one a line; one that is wrong is told with its line, and those
// after it are still read, until nobody wants more.
func TestWindmillList(t *testing.T) {
	const link = "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0"
	text := link + "\n\nnone\n" + link + "\n"
	formats := forms.Formats(board.Kinds(), pose)
	windmill := formats[slices.IndexFunc(formats, func(f solve.Format) bool { return f.Name == "windmill" })]
	for most := 1; most <= 3; most++ {
		var got []string
		for p, err := range windmill.Decode(strings.NewReader(text)) {
			switch {
			case err != nil && strings.Contains(err.Error(), "line 3"):
				got = append(got, "line 3")
			case err != nil:
				t.Error(err)
			default:
				got = append(got, fmt.Sprint(board.Of(p).Cols))
			}
			if len(got) == most {
				break
			}
		}
		if want := []string{"2", "line 3", "2"}[:most]; !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", most, got, want)
		}
	}
}

func TestWindmillErrors(t *testing.T) {
	good := "CAUSAigEEgIIBBIAEgQIBxABEgASBAgHEAESAigHEgQIBxABEgASBAgHEAISABICCAMSAigE_0"
	want := "panel 2x2 rules=windmill\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n"
	for _, tail := range []string{"", ".", "?utm_source=a", "#top", ")."} {
		p := solvetest.Must(forms.DecodeWindmill("https://windmill.thefifthmatt.com/" + good + tail + "\n"))(t)
		solvetest.Same(t, forms.String(p), want, "a link and %q", tail)
	}
	for _, row := range []struct{ why, link, want string }{
		{"empty", "", `ends in ""`},
		{"cut off", good[:40], `want "_0"; it may have been cut off`},
		{"cut off but for its end", good[:41] + "_0", "cut off"},
		{"a row is missing", "CAUSAigE_0", "4 half-cells in rows of 5"},
		{"a letter that is none", good[:10] + "!" + good[10:], `'!' at character 11`},
		{"no width", "EgIoBA==_0", "width 0 half-cells"},
		{"a count of four thousand million", "CAUSBij_____Dw==_0", "more than"},
	} {
		if _, err := forms.DecodeWindmill(row.link); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want an error with %q", row.why, err, row.want)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, row := range []struct{ why, text, want string }{
		{"everything the site holds",
			"panel 3x2 rules=witnesspuzzles\n+-+*+->\n|a:b|c|\n+-d-+-+\n|e|f| |\n@-+ +-+\na = white square\nb = turned yellow piece ##/.#\nc = 2 orange triangles\nd = invisible dot\ne = colourless eraser\nf = blue negative piece #.#\n", ""},
		{"two lines, dots of their own, starts and ends on edges",
			"panel 3x1 symmetry=mirror rules=witnesspuzzles\n+>+-+<+\na | | b\n+@+-+@+\na = own blue dot\nb = other yellow dot\n", ""},
		{"a pillar", "pillar 2x1 symmetry=turned rules=witnesspuzzles\n^-@-\n| |\n@-v-\n", ""},
		{"a diagonal cap becomes an upright one", "panel 1x1 rules=witnesspuzzles\n+-a\n| |\n@-+\na = end up-right\n",
			"panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n"},
		{"options that are settings", "panel 1x1 rules=witnesspuzzles,zero-any-shape=on,line-blocks-pieces=off,erasers-cancel=off\n+->\n| |\n@-+\n", ""},
	} {
		want := row.want
		if want == "" {
			want = forms.String(witnesstest.Parsed(t, row.text))
		}
		data, err := forms.EncodeJSON(witnesstest.Parsed(t, row.text))
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		p, err := forms.DecodeJSON(data)
		if err != nil {
			t.Errorf("%s: %v\n%s", row.why, err, data)
			continue
		}
		solvetest.Same(t, forms.String(p), want, "%s: comes back as", row.why)
	}

	// As the site writes it: x-major, with what old files have.
	p, err := forms.DecodeJSON([]byte(`{"grid":[[{"type":"line","line":0,"gap":true},{"type":"line"},{"type":"line","start":true}],
		[{"type":"line","dot":1},{"type":"square","color":"#FFF"},false],
		[{"type":"line","end":"right"},{"type":"line","gap":2},{"type":"line"}]],"pillar":false,"symmetry":null,"name":"x","width":3,"height":3}`))
	if err == nil || !strings.Contains(err.Error(), "at [0][0]: a node with gap 1") {
		t.Errorf("%v %v, want an error at [0][0]", forms.String(p), err)
	}
	p, err = forms.DecodeJSON([]byte(`{"grid":[[{"type":"line","line":0},{"type":"line","gap":true},{"type":"line","start":true}],
		[{"type":"line","dot":1},{"type":"square","color":"#FFF"},false],
		[{"type":"line","end":"right"},{"type":"line","gap":2},{"type":"line"}]],"pillar":false,"symmetry":null,"name":"x","width":3,"height":3}`))
	if want := "panel 1x1 rules=witnesspuzzles\n+*>\n:a\n@-+\na = #ffffff square\n"; err != nil || forms.String(p) != want {
		t.Errorf("got\n%s%v\nwant\n%s", forms.String(p), err, want)
	}

}

// What the site saved in any year, and the panel that it is.
func TestSavedJSON(t *testing.T) {
	const empty = `[[false,false,false],[false,false,false],[false,false,false]]`
	for _, row := range []struct{ why, text, want string }{
		{"an empty cell of today",
			`{"grid":[[{"type":"line","line":0},{"type":"line","line":0},{"type":"line","line":0,"start":true,"end":null}],
			[{"type":"line","line":0},{"type":"nonce","line":0,"dir":null},{"type":"line"}],
			[{"type":"line","line":0,"end":"right","dir":null,"start":null,"dot":null,"gap":null},null,{}]],"pillar":false}`,
			"panel 1x1 rules=witnesspuzzles\n+->\n| |\n@-+\n"},
		{"what the page leaves behind says nothing",
			`{"grid":[[{},{},{"start":true,"type":"line"}],[{},{},{}],[{"type":"line","end":"top"},{},{}]],"name":"x","startPoint":{"x":0,"y":2},"endPoint":{"x":2,"y":0},
			"autoSolved":true,"valid":true,"invalidElements":[],"negations":[{"source":1}],"regionCache":{},"hasNegations":false,"hasPolyominos":true,"largezero":18,"width":3,"height":3}`,
			"panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n"},
		{"2018: one start, one end without a direction", `{"grid":` + empty + `,"start":{"x":0,"y":2},"end":{"x":2,"y":0},"dots":[],"gaps":[]}`,
			"panel 1x1 rules=witnesspuzzles\n+-^\n| |\n@-+\n"},
		{"the sides of the border", `{"grid":[` + strings.Repeat("[false,false,false,false,false],", 4) + `[true,true,true,true,true]],"startPoints":[{"x":0,"y":4},{"x":3,"y":2}],"endPoints":[{"x":0,"y":2},{"x":4,"y":1},{"x":2,"y":4},{"x":2,"y":2,"dir":"right"}]}`,
			"panel 2x2 rules=witnesspuzzles\n+-+-+\n| | >\n<->@+\n| | |\n@-v-+\n"},
		{"dots and gaps in lists of their own", `{"grid":` + empty + `,"start":{"x":0,"y":2},"end":{"x":2,"y":0},"dots":[{"x":2,"y":2},{"x":1,"y":2}],"gaps":[{"x":1,"y":0}]}`,
			"panel 1x1 rules=witnesspuzzles\n+:^\n| |\n@**\n"},
		{"a piece that was turned by a word, a colour of a line, the letters of an end's word",
			`{"grid":[[{"type":"line","color":1},{},{"type":"line","start":true}],[{},{"type":"poly","color":"yellow","polyshape":1,"rot":"all"},{}],
			[{"type":"line","0":"t","1":"o","2":"p","end":"top"},{},{}]]}`,
			"panel 1x1 rules=witnesspuzzles\n+-^\n|a|\n@-+\na = turned yellow piece #\n"},
		{"triangles alone: those outside count", `{"grid":[[{},{"type":"line","gap":2},{"type":"line","start":true}],[{},{"type":"triangle","color":"red","count":1},{}],[{"type":"line","end":"top"},{},{}]]}`,
			"panel 1x1 rules=witnesspuzzles,open-cells-outside=off\n+-^\n a|\n@-+\na = 1 red triangle\n"},
		{"with an empty cell that is looked at they do not",
			`{"grid":[[{},{"type":"line","gap":2},{"type":"line","start":true}],[{},{"type":"triangle","color":"red","count":1},{}],[{},{},{}],[{},{"type":"nonce"},{}],[{"type":"line","end":"top"},{},{}]]}`,
			"panel 2x1 rules=witnesspuzzles\n+-+-^\n a| |\n@-+-+\na = 1 red triangle\n"},
	} {
		p, err := forms.DecodeJSON([]byte(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		solvetest.Same(t, forms.String(p), row.want, "%s", row.why)
		data, err := forms.EncodeJSON(p)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		if q, err := forms.DecodeJSON(data); err != nil || forms.String(q) != row.want {
			t.Errorf("%s: written, it comes back as\n%v%v", row.why, forms.String(q), err)
		}
	}
}

// All panels that people published are read, but for one that has no column, and
// come back from the site's form as they were.
func TestPublished(t *testing.T) {
	unzip := solvetest.Must(gzip.NewReader(bytes.NewReader(witnesstest.Shared(t, "witness/published/panels.jsonl.gz"))))(t)
	read := 0
	for dec := json.NewDecoder(unzip); ; {
		var line struct{ ID, Puzzle string }
		if err := dec.Decode(&line); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		p, err := forms.DecodeJSON([]byte(line.Puzzle))
		if line.ID == "E43E8F52" {
			if err == nil || !strings.Contains(err.Error(), "0 columns") {
				t.Errorf("%s: %v, want an error: no columns", line.ID, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", line.ID, err)
			continue
		}
		read++
		data, err := forms.EncodeJSON(p)
		if err != nil {
			t.Errorf("%s: %v", line.ID, err)
			continue
		}
		if q, err := forms.DecodeJSON(data); err != nil || forms.String(q) != forms.String(p) {
			t.Errorf("%s: comes back as\n%v%v\nwant\n%s", line.ID, forms.String(q), err, forms.String(p))
		}
	}
	solvetest.Same(t, read, 4746, "panels")
}

// All panels of the corpus go through the site's form and back, but for those
// with longer pieces.
func TestCorpusJSON(t *testing.T) {
	names, links := witnesstest.Corpus(t)
	for i, link := range links {
		p := solvetest.Must(forms.DecodeWindmill(link))(t)
		long := false
		for _, spot := range p.Spots {
			size := board.Extent(spot.Shape)
			long = long || size.X > 4 || size.Y > 4
		}
		data, err := forms.EncodeJSON(p)
		if long {
			if err == nil || !strings.Contains(err.Error(), "want at most 4×4") {
				t.Errorf("%s: %v, want an error: a piece is more than 4 long", names[i], err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		q, err := forms.DecodeJSON(data)
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		if len(q.Spots) != len(p.Spots) {
			t.Fatalf("%s: %d half-cells, want %d", names[i], len(q.Spots), len(p.Spots))
		}
		for k := range p.Spots {
			solvetest.Same(t, fmt.Sprint(p.Spots[k]), fmt.Sprint(q.Spots[k]), "%s: comes back as %v", names[i], q.Spots[k])
		}
	}
}

// A posed panel is a puzzle that nobody answers.
type posed struct {
	*board.Panel
	solve.Puzzle
}

func (p posed) Bounds() image.Rectangle { return p.Panel.Bounds() }

func pose(p *board.Panel) solve.Puzzle { return posed{p, nil} }
