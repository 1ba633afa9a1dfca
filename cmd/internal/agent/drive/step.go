package drive

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
)

const (
	turnRest = 40 * time.Millisecond // two of a screen's refreshes, and some
	// turnMost is how long a step may take: as a line may to begin, and the time to
	// follow it on a machine on which a frame takes half a second.
	turnMost = 5 * time.Second
	// maxTurns is how often a pillar is turned to be read: once round, and once
	// more where a glint hid something.
	maxTurns = 12
)

// step steps round a pillar with a key and follows it until it rests; c.frame
// shows it so then.
func (c *course) step(ctx context.Context, turned *see.Spin, key input.Key) error {
	if key == "" {
		return &enter.MissError{What: "the pillar must be turned: this client offers no key for it"}
	}
	from := turned.Faced
	// Once it is known which way the key turns it, nothing else can have happened
	// between two looks, however far they are apart.
	turned.Toward = math.NaN()
	if way := cmp.Or(c.ways[key], c.lookWay(key)); way != 0 {
		turned.Toward = from + 2*way
	}
	if err := c.Player.Play(ctx, input.Event{Op: input.Tap, Key: key}); err != nil {
		return err
	}
	began := c.Player.Now()
	seen, rest, was := began, began, from
	for {
		frame, err := c.Player.Grab(ctx)
		if err != nil {
			return err
		}
		turned.See(frame)
		now := c.Player.Now()
		if math.IsNaN(turned.Toward) && now.Sub(seen) > see.FollowGap && turned.Faced != was {
			return &enter.MissError{What: "the pillar turned faster than it could be followed"}
		}
		if seen = now; math.Abs(turned.Faced-was) > 0.02 {
			was, rest = turned.Faced, now
		}
		by := math.Abs(turned.Faced - from)
		if by > 1.5 && math.Abs(math.Remainder(by, 2)) < 0.2 && now.Sub(rest) > turnRest {
			c.frame = frame
			c.ways[key] = math.Copysign(1, turned.Faced-from)
			return nil
		}
		if now.Sub(began) > turnMost {
			return &enter.MissError{What: fmt.Sprintf("the key %s turned the pillar by %.2f columns", key, by/2)}
		}
		if err := c.Player.Pause(ctx, 10*time.Millisecond); err != nil {
			return err
		}
	}
}

// lookWay is which way a key turns a pillar, as the look says; 0: it does not.
func (c *course) lookWay(key input.Key) float64 {
	look := c.Player.Look().Keys
	switch string(key) {
	case look.Turn:
		return float64(look.TurnWay)
	case look.TurnBack:
		return -float64(look.TurnWay)
	}
	return 0
}

// shorter is the key that turns a column of a pillar to the viewer the shorter way round,
// where the client has one.
func shorter(s *see.Spin, x int, keys Keys) input.Key {
	if s.Off(x)*s.Way() < 0 && keys.TurnBack != "" {
		return keys.TurnBack
	}
	return keys.Turn
}
