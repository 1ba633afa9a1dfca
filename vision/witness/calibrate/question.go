package calibrate

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"

	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// A Question asks what some places show that look alike and that the reader cannot
// tell. It is answered by what stands there, in the words of the text form, by nothing
// for the Guess, by DoNotKnow, or by Differ.
type Question struct {
	Sort   string  // of the places: "node", "edge", "way out", "cell" or "colour"
	Places []Place // the most usual one first, then the least like it
	Guess  string  // what they are most like; "" where that is not known
	May    string  // what may be answered, for a person
	// Choices are answers to choose from. The words of a piece whose shape is not seen
	// well have none.
	Choices []string
	Left    int // how many groups of the sort come after it that are not known yet, at least
	Sheet   image.Image

	parse func(answer string) (forms.Label, error)
}

// A Place is a place of a board in a shot: half-cells, of a way out the direction as
// well, and where it is seen.
type Place struct {
	Shot    int
	At, Way image.Point
	Where   vision.Point
}

// Answers that say what no place shows.
const (
	DoNotKnow = "?"      // the boards with such places are left out
	Differ    = "differ" // the places are not all the same: they are asked for in smaller groups
)

// Check says why an answer is none.
func (q *Question) Check(answer string) error {
	if answer == DoNotKnow || answer == Differ && len(q.Places) > 1 {
		return nil
	}
	if answer == "" && q.Guess == "" {
		return errors.New("there is no guess to take")
	}
	_, err := q.meant(answer)
	return err
}

// meant is what an answer says that is not one of those above.
func (q *Question) meant(answer string) (forms.Label, error) {
	if answer == "" {
		answer = q.Guess
	}
	return q.parse(strings.Join(strings.Fields(strings.ToLower(answer)), " "))
}

// parseLine reads the label of a node, an edge or a way out, which is one of some words
// or, where dots may be, a dot.
func parseLine(dots bool, words ...forms.Label) func(string) (forms.Label, error) {
	return func(answer string) (forms.Label, error) {
		if slices.Contains(words, forms.Label(answer)) {
			return forms.Label(answer), nil
		}
		if s, err := forms.ParseSpot(image.Point{}, answer, nil); err == nil && dots && s.Dot.On && s.Gap == witness.Whole && !s.Start && !s.IsEnd() {
			return forms.DotLabel(s.Dot), nil
		}
		return "", fmt.Errorf("%q, want one of %s", answer, strings.Join(lineWords(dots, words...), ", "))
	}
}

// lineWords are the answers that parseLine reads.
func lineWords(dots bool, words ...forms.Label) (all []string) {
	for _, w := range words {
		all = append(all, string(w))
	}
	if dots {
		all = append(all, "dot", "own dot", "other dot")
	}
	return all
}

// cellWords are answers that parseSymbol reads: of a piece of the shape of like, where there is
// one.
func cellWords(drawn drawing.Forms, like func(kind witness.Kind, turnable bool) (witness.Symbol, bool)) []string {
	all := []string{string(forms.EmptyCell)}
	for _, f := range drawn {
		switch about := f.Kind.About(); {
		case f.Kind.IsPiece():
			for _, turned := range []bool{false, true} {
				s, seen := like(f.Kind, turned)
				if !seen {
					s = witness.Symbol{Kind: f.Kind, Turnable: turned, Shape: []image.Point{{}}}
				}
				words := forms.SymbolLabel(s).Shown()
				if !seen {
					words = strings.TrimSuffix(words, " #")
				}
				all = append(all, words)
			}
		case about.Most > 0:
			for n := about.Least(); n <= about.Most; n++ {
				all = append(all, forms.SymbolLabel(witness.Symbol{Kind: f.Kind, Count: n}).Shown())
			}
		default:
			all = append(all, forms.SymbolLabel(witness.Symbol{Kind: f.Kind}).Shown())
		}
	}
	return all
}

// parseSymbol reads the label of a cell: a symbol with or without its colour. A piece
// without a shape is taken to have that of like.
func parseSymbol(answer string, drawn drawing.Forms, like func(kind witness.Kind, turnable bool) (witness.Symbol, bool)) (forms.Label, error) {
	if answer == string(forms.EmptyCell) {
		return forms.EmptyCell, nil
	}
	var kinds []witness.Kind
	for _, f := range drawn {
		kinds = append(kinds, f.Kind)
	}
	// By the name that messages have for a kind it is meant, not a colour and another kind.
	for _, k := range kinds {
		if words := strings.Fields(k.Word()); len(words) > 1 {
			own := forms.SymbolLabel(witness.Symbol{Kind: k, Shape: []image.Point{{}}})
			answer = strings.Replace(answer, k.Word(), strings.TrimSuffix(own.Shown(), " #"), 1)
		}
	}
	cell := image.Pt(1, 1)
	words := strings.Fields(answer)
	// Without its shape the answer may name a kind of pieces.
	s, err := forms.ParseSpot(cell, answer, kinds)
	if one, bad := forms.ParseSpot(cell, answer+" #", kinds); err != nil && bad == nil {
		found, ok := like(one.Kind, one.Turnable)
		if !ok {
			return "", fmt.Errorf("%q is a piece whose shape is not seen well, want it too, as in %q", answer, answer+" ##/#.")
		}
		s, err = one, nil
		s.Shape = found.Shape
	}
	if err != nil {
		return "", err
	}
	// Some kinds have a colour where none is said: here that is not known.
	after := slices.IndexFunc(words, func(w string) bool { return w != "turned" && (len(w) > 1 || w < "0" || w > "9") })
	for _, shape := range []string{"", " #"} {
		if _, err := forms.ParseSpot(cell, strings.Join(slices.Insert(slices.Clone(words), after, forms.Colourless), " ")+shape, kinds); err == nil {
			return forms.SymbolLabel(s.Symbol), nil
		}
	}
	return forms.Label(forms.Describe(cell, &s)), nil
}

// crop is how many pixels a place has each way on a sheet, and crops how many of them
// are in a row and how many rows there are at most.
const crop, crops, cropRows = 96, 6, 4

// contactSheet shows some places of a group side by side, as they look straightened.
func contactSheet(group []*spot) image.Image {
	n := min(len(group), crops*cropRows)
	m := image.NewRGBA(image.Rect(0, 0, min(n, crops)*(crop+6)+6, (n+crops-1)/crops*(crop+6)+6))
	draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{128, 128, 128, 255}), image.Point{}, draw.Src)
	for i, s := range group[:n] {
		x0, y0 := 6+i%crops*(crop+6), 6+i/crops*(crop+6)
		reach := 1.15 // half-cells: the whole place and some of what is about it
		cx, cy := float64(s.at.X)+0.5*float64(s.way.X), float64(s.at.Y)+0.5*float64(s.way.Y)
		for y := range crop {
			for x := range crop {
				c := s.d.At(cx+reach*(2*(float64(x)+0.5)/crop-1), cy+reach*(2*(float64(y)+0.5)/crop-1))
				m.SetRGBA(x0+x, y0+y, color.RGBA{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255})
			}
		}
	}
	return m
}
