package witness

import (
	"errors"
	"image"
	"image/draw"
	"math"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/looktest"
)

// TestLayoutsAreDrawn: what layouts cover adds up to all of their window, each layer to what
// drawing has there.
func TestLayoutsAreDrawn(t *testing.T) {
	b := line.NewBlur(0.05)
	w := line.Grid(-0.5, 0.5, -0.5, 0.5, 0.1)
	p := witness.New(1, 2, false)
	shapes, roles := line.DrawnShapes(p, drawing.Style{Line: 0.2}, func(*picture.Shape) line.Role { return line.RoleLine })
	var c line.Covering
	ground := c.Of(line.RoleGround, len(w.U))
	for i := range ground {
		ground[i] = 1
	}
	c.Paint(w, b, image.Pt(1, 2), line.Upright(), shapes, roles)
	for i := range w.U {
		if sum := c[line.RoleGround][i] + c[line.RoleLine][i]; math.Abs(sum-1) > 1e-6 {
			t.Fatalf("at (%.2f,%.2f) %.3f is covered, want 1", w.U[i], w.V[i], sum)
		}
		if on := math.Abs(w.V[i]) < 0.2; math.Abs(w.V[i]) < 0.05 && on && c[line.RoleLine][i] < 0.99 {
			t.Errorf("on the line %.3f of it, want 1", c[line.RoleLine][i])
		}
	}
}

// TestCirclesCoverAnEdge: between two circles as wide as that no line is seen, whole or broken.
func TestCirclesCoverAnEdge(t *testing.T) {
	look := challengeLook(t)
	d := (&line.Cache{}).Drawings(line.DrawingKey{Look: look, Line: line.LineStep(0.3), Blur: line.BlurStep(0.05), Density: line.LeastSamples}, drawing.SizesOf(look.Symbols))
	k := d.Kind(line.KindKey{Sort: "edge", Ends: 1, Which: 3, Radius: 2.2, Gap: 0.2, Wide: true})
	for i, l := range k.Layouts {
		for _, y := range k.Layout(i).Layers {
			if y.Role == line.RoleLine || y.Role == line.RoleGap {
				t.Errorf("layout %+v shows role %d, want circles alone", l.What, y.Role)
			}
		}
	}
}

// TestUnknownOnALine has an edge that begins at one end only: it is neither whole, broken nor
// missing.
func TestUnknownOnALine(t *testing.T) {
	look := challengeLook(t)
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(5, 4)))
	for _, row := range []struct {
		why      string
		from, to float64 // of the edge what is not drawn, half-cells from its middle
		unsure   bool
	}{
		{"as it is", 0, 0, false}, {"a break more", -0.24, 0.24, false},
		{"from one end only", -0.1, 1, true},
	} {
		frame := copied(looktest.OnWall(panel, drawing.Typical(look), 56))
		b, err := (learn.Truth{Panel: panel}).Find(frame, look)
		if err != nil {
			t.Fatal(err)
		}
		if row.to > row.from {
			ground := b.ScreenPoint(3, 1.5)
			from, to := b.ScreenPoint(3+row.from, 2-1.2*b.Line), b.ScreenPoint(3+row.to, 2+1.2*b.Line)
			draw.Draw(frame, image.Rect(int(from.X), int(from.Y), int(to.X), int(to.Y)), image.NewUniform(frame.At(int(ground.X), int(ground.Y))), image.Point{}, draw.Src)
			if b, err = (learn.Truth{Panel: panel}).Find(frame, look); err != nil {
				t.Fatal(err)
			}
		}
		_, err = newReader(look, drawing.Known()).single(b)
		var unsure *vision.UnsureError
		if is := errors.As(err, &unsure) && unsure.At == image.Pt(3, 2); is != row.unsure || err != nil && !is {
			t.Errorf("%s: %v, want it unsure at edge under column 2 row 1: %v", row.why, err, row.unsure)
		}
	}
}
