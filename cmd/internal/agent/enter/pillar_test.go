package enter

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
)

// A page that comes over a pillar when its answer was accepted is told from a line that
// went: the cells above and below the end go as well, though the end alone is watched.
func TestPillarWent(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	turned := see.NewSpin(c.Find(t, 2))
	end := int(math.Round(turned.Faced/2)) * 2
	var stroke solve.Stroke
	for y := 12; y >= 0; y -= 2 {
		stroke = append(stroke, image.Pt(end, y))
	}
	stroke = append(stroke, image.Pt(end, -1))
	tr := &view{sheet: Sheet{Projection: answer.Projection{At: turned.At}}, stroke: stroke, spin: turned, watched: stroke[len(stroke)-3:]}
	before, now := c.Frame(2), c.Frame(2)
	if boardWent(before, now, tr.sheet, tr.judged()) {
		t.Error("the same frame: the pillar went, want it to stay")
	}
	page := now.Rect.Inset(120)
	draw.Draw(now, page, image.NewUniform(color.RGBA{12, 6, 3, 255}), image.Point{}, draw.Src)
	if !boardWent(before, now, tr.sheet, tr.judged()) {
		t.Errorf("a page over %v: the pillar stays, want it to have gone", page)
	}
}
