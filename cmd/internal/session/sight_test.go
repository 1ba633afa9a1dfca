package session

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/vision"
)

func evenFrame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func TestSightState(t *testing.T) {
	for _, row := range []struct {
		why  string
		turn see.Turn
		want string
	}{
		{"black", see.Turn{Frame: evenFrame(color.Black), Failed: errors.New("no board found")}, "black picture: "},
		{"plain grey is a window with nothing in it", see.Turn{Frame: evenFrame(color.Gray{128})}, "no board"},
		{"answered beats doubt", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "solved"}, {Failed: &vision.UnsureError{}}}}, "answered"},
		{"unsure says why", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Failed: errors.New("cell 2")}}}, "unsure: cell 2"},
		{"unsure since an earlier look", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "unsure"}}}, "unsure"},
		{"a pillar of which there is more", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "unsure", Reading: see.Reading{Err: &see.PartError{Seen: 5, Of: 12, Way: "left"}}}}},
			"more to see: turn the pillar to the left: 5 of 12 columns seen"},
		{"read, not answered yet", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{}}}, "reading"},
	} {
		if got := sightState(&row.turn); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
	}
}
