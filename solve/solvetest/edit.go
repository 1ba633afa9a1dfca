package solvetest

import (
	"bytes"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
)

// Edit draws boards with a family's editor, at random from seeds: after every
// edit the board is a whole one, whose text reads back as it is; every tool
// does something; and a blank board of another size is one.
func Edit(t *testing.T, family solve.Family, editor solve.Editor) {
	t.Helper()
	used := map[string]int{}
	refused := map[string]error{}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p := Must(editor.Blank(2+rng.IntN(4), 1+rng.IntN(4)))(t, "a blank board")
		for range 60 {
			e := randomEdit(rng, &editor, p)
			q, err := editor.Do(p, e)
			if err != nil {
				refused[e.Tool] = err
				continue
			}
			before, after := textOf(t, p), textOf(t, q)
			if before != after {
				used[e.Tool]++
			}
			readsBack(t, family, e, after)
			p = q
		}
	}
	p := Must(editor.Blank(4, 3))(t)
	for _, tool := range editor.Tools(p) {
		if used[tool.Name] == 0 {
			t.Errorf("tool %s changed nothing on 20 boards (%v)", tool.Name, refused[tool.Name])
		}
	}
	if _, err := editor.Do(p, solve.Edit{Tool: "no such tool"}); err == nil {
		t.Error("a tool that is none was used")
	}
	for _, tool := range editor.Tools(p) {
		if tool.Takes == 0 {
			continue
		}
		for _, at := range [][]image.Point{nil, make([]image.Point, 3), {{X: -7, Y: 1}, {X: 99, Y: 1}}} {
			if len(at) == tool.Takes {
				at[0] = image.Pt(-7, 1)
			}
			if _, err := editor.Do(p, solve.Edit{Tool: tool.Name, At: at}); err == nil {
				t.Errorf("tool %s was used at %v", tool.Name, at)
			}
		}
	}
}

// randomEdit is one that a person could try.
func randomEdit(rng *rand.Rand, editor *solve.Editor, p solve.Puzzle) solve.Edit {
	tools, places := editor.Tools(p), editor.Places(p)
	tool := tools[rng.IntN(len(tools))]
	e := solve.Edit{Tool: tool.Name, Values: map[string]string{}}
	for range tool.Takes {
		e.At = append(e.At, places[rng.IntN(len(places))].At)
	}
	for _, f := range tool.Fields {
		if rng.IntN(3) > 0 {
			continue
		}
		switch f.Kind {
		case solve.Choice, solve.Colour:
			e.Values[f.Name] = f.Choices[rng.IntN(len(f.Choices))]
		case solve.Number:
			e.Values[f.Name] = solve.NumberField("", "", f.Least+rng.IntN(min(6, f.Most-f.Least+1)), 0, 0).Value
		case solve.Squares:
			e.Values[f.Name] = []string{"#", "##", "#/#", "#.#", ".#/##"}[rng.IntN(5)]
		case solve.Flag:
			e.Values[f.Name] = solve.FlagOf(f.Value == "")
		}
	}
	return e
}

func textOf(t *testing.T, p solve.Puzzle) string {
	t.Helper()
	text := Must(p.MarshalText())(t)
	return string(text)
}

func readsBack(t *testing.T, family solve.Family, e solve.Edit, text string) {
	t.Helper()
	n := 0
	for q, err := range family.Formats[0].Decode(strings.NewReader(text)) {
		if err != nil {
			t.Fatalf("after %+v: %v\n%s", e, err, text)
		}
		if again, err := q.MarshalText(); err != nil || !bytes.Equal(again, []byte(text)) {
			t.Fatalf("after %+v the text comes back as\n%s(%v), want\n%s", e, again, err, text)
		}
		n++
	}
	if n != 1 {
		t.Fatalf("after %+v the text holds %d boards, want 1\n%s", e, n, text)
	}
}
