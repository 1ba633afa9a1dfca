package session

import (
	"image"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/plain"
)

// sightState is what a look at the screen came to, in a few words.
func sightState(t *see.Turn) string {
	answered, excluded, unsure, read := 0, 0, "", 0
	for i := range t.Boards {
		b := &t.Boards[i]
		switch status := b.Outcome(); {
		case b.Solved():
			answered++
		case status == answer.Unsolvable:
			excluded++
		case status == "":
			read++
		case b.Failed != nil:
			unsure = "unsure: " + plain.OneLine(b.Failed.Error())
		case unsure == "":
			unsure = "unsure" // why was told when the board was new
		}
	}
	switch {
	case t.Frame != nil && black(t.Frame):
		return "black picture: " + capture.BlankRemedy()
	case answered > 0:
		return "answered"
	case excluded > 0:
		return "no solution"
	case unsure != "":
		return unsure
	case read > 0:
		return "reading"
	}
	return "no board"
}

// black tells a picture that is nothing but black.
func black(m *image.RGBA) bool {
	const most = 16 // black in video's limited range
	return len(m.Pix) >= 4 && max(m.Pix[0], m.Pix[1], m.Pix[2]) <= most && capture.Blank(m)
}
