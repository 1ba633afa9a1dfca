package enter

import (
	"context"
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/vision"
)

// face waits until a column of a pillar is within a distance of facing the viewer.
func face(ctx context.Context, p *Player, s *see.Spin, x, within float64) error {
	for end := p.now.Add(2 * time.Second); ; {
		frame, err := p.Grab(ctx)
		if err != nil {
			return err
		}
		s.See(frame)
		if math.Abs(x-s.Faced) <= within {
			return nil
		}
		if p.now.After(end) {
			return &MissError{What: fmt.Sprintf("the pillar does not turn to the head of the line: it is %.2f half-cells off", x-s.Faced)}
		}
		if err := p.Pause(ctx, 12*time.Millisecond); err != nil {
			return err
		}
	}
}

// tracePillar enters a stroke on a pillar that is being followed. The view is
// taken to turn so that the head faces the viewer, as in The Witness. The
// upright lines tell how far it has turned, so that the head can be told while
// it turns.
func (t *Tracing) tracePillar(ctx context.Context, begun *bool) error {
	p, turned, b := t.player, t.spin, t.spin.Board
	first := int(math.Round(turned.Faced + turned.Off(t.stroke[0].X)))
	s := make(solve.Stroke, len(t.stroke))
	for i, q := range t.stroke {
		s[i] = q.Add(image.Pt(first-t.stroke[0].X, 0))
	}
	t.stroke = s
	x, y := float64(s[0].X), float64(s[0].Y)
	turned.Toward = x
	at := turned.At(x, y)
	// Upright, a line is as wide as the pitch of the rows says.
	below := turned.At(x, y+map[bool]float64{true: -1, false: 1}[s[0].Y > b.Rows])
	var err error
	t.trail, err = p.begin(ctx, start{at: at, line: 2 * b.Line * at.Dist(below), where: func(now *image.RGBA) (vision.Point, bool) {
		// The pillar turns towards the start at once.
		turned.See(now)
		return turned.At(x, y), math.Abs(x-turned.Faced) < 0.1
	}}, begun)
	if err == nil {
		err = t.run(ctx)
	}
	if err != nil {
		return err
	}
	end := s[len(s)-2]
	// Most of the line is out of sight then: its end is what is watched.
	t.watched = s[len(s)-3:]
	return face(ctx, p, turned, float64(end.X), 0.05)
}
