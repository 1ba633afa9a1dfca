package fans

import (
	"fmt"
	"image"
	"strings"

	"onlooker/solve"
)

// Clicks are the quarter turns clockwise that a stroke takes, each a click on its
// fan: none where it blows that way already. A fan of which it is not told how it
// stands is an error.
func (p *Puzzle) Clicks(s solve.Stroke) ([]solve.Click, error) {
	at, letter, err := p.turned(0, s)
	if err != nil {
		return nil, err
	}
	now := strings.IndexByte(present, p.cell[at])
	if now < 0 {
		return nil, fmt.Errorf("fans: how the fan in column %d row %d stands is not known", at%p.cols+1, at/p.cols+1)
	}
	n := (strings.IndexByte("NESW", letter) - now + 4) % 4
	clicks := make([]solve.Click, n)
	for i := range clicks {
		clicks[i] = solve.Click{At: s[0], Changes: []image.Point{s[0]}}
	}
	return clicks, nil
}
