package cli

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"strings"

	"onlooker/cmd/internal/agent/see"
	"onlooker/vision/picture"
	"onlooker/vision/posterior"
)

// Explain writes a picture of each board that was found, as its reader saw it, and one
// of what was decided: what every reader of every family took it for.
func Explain(folder, name string, sight *see.Sight, model posterior.Model) error {
	if sight == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	for i, r := range sight.Readings {
		if r.Game.Explain == nil || r.Profile == nil || r.Board.Flat == nil {
			continue
		}
		if m := r.Game.Explain(r.Profile, r.Board, r.Puzzle, r.Err); m != nil {
			if err := WritePicture(filepath.Join(folder, fmt.Sprintf("%s-%d.png", base, i+1)), m); err != nil {
				return err
			}
		}
	}
	if len(sight.Candidates) == 0 || sight.Frame == nil {
		return nil
	}
	return WritePicture(filepath.Join(folder, base+"-decision.png"), decisionPicture(sight, model))
}

// decisionHigh is how high a line of an explained decision is, in pixels.
const decisionHigh = 18

// decisionPicture is the frame with the outline of every candidate and its number, and
// below it what speaks for and against each.
func decisionPicture(sight *see.Sight, model posterior.Model) image.Image {
	lines := decisionLines(sight, model)
	var words []picture.Shape
	for i, l := range lines {
		words = append(words, picture.Shape{Kind: picture.Text, Points: []picture.Point{{Y: float64(i * decisionHigh)}}, Width: 13, Words: l, Colour: color.NRGBA{255, 255, 255, 255}})
	}
	text := picture.Image(words, 1)
	frame := sight.Frame.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(frame.Dx(), text.Rect.Dx()+20), frame.Dy()+text.Rect.Dy()+20))
	draw.Draw(out, out.Rect, image.NewUniform(color.Gray{30}), image.Point{}, draw.Src)
	draw.Draw(out, image.Rect(0, 0, frame.Dx(), frame.Dy()), sight.Frame, frame.Min, draw.Src)
	var outlines []picture.Shape
	for i, r := range sight.Candidates {
		q := r.Board.Quad
		var ring []picture.Point
		for k := range 5 {
			ring = append(ring, picture.Point{X: q[k%4].X, Y: q[k%4].Y})
		}
		ink := color.NRGBA{255, 60, 60, 255}
		if r.Err == nil {
			ink = color.NRGBA{40, 220, 60, 255}
		}
		outlines = append(outlines, picture.Shape{Kind: picture.Line, Points: ring, Width: 2, Colour: ink},
			picture.Shape{Kind: picture.Text, Points: []picture.Point{{X: q[0].X + 10 + 16*float64(i), Y: q[0].Y + 10}}, Width: 14, Words: fmt.Sprint(i + 1), Colour: ink})
	}
	picture.Draw(out, outlines, picture.Point{}, 1)
	draw.Draw(out, image.Rect(10, frame.Dy()+10, 10+text.Rect.Dx(), frame.Dy()+10+text.Rect.Dy()), text, text.Rect.Min, draw.Over)
	return out
}

// decisionLines say of every candidate how likely it is by itself and what that is made
// of, and then what was decided.
func decisionLines(sight *see.Sight, model posterior.Model) (out []string) {
	for i, r := range sight.Candidates {
		if r.Err != nil {
			out = append(out, fmt.Sprintf("%d: %s, refused: %s", i+1, r.Game.Name, OneLine(r.Err.Error())))
			continue
		}
		l := fmt.Sprintf("%d: %s, look %s, %.1f %% alone:", i+1, r.Game.Name, r.Profile.Name, 100*r.Alone(model))
		out = append(out, l)
		for _, n := range r.Evidence.Names() {
			if by := model[r.Game.Name].By[n] * r.Evidence[n]; math.Abs(by) >= 0.1 {
				out = append(out, fmt.Sprintf("%+.1f  %s %.2f", by, n, r.Evidence[n]))
			}
		}
	}
	for _, r := range sight.Readings {
		l := fmt.Sprintf("given: %s, %.1f %% of all that was tried here", r.Game.Name, 100*r.Confidence)
		if r.Err != nil {
			l = fmt.Sprintf("refused: as %s: %s", r.Game.Name, OneLine(r.Err.Error()))
			if r.Odds != 0 {
				l += fmt.Sprintf(" (log-odds of its being one: %+.1f)", r.Odds)
			}
		}
		out = append(out, l)
	}
	return out
}
