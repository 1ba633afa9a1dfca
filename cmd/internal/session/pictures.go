package session

import (
	"fmt"
	"os"
	"path/filepath"

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/whole"
	"onlooker/vision/picture"
)

// pictures leave a picture of each answer in a folder.
type pictures struct {
	deaf
	*Options
	drawn int
}

// Board leaves one of a board that is answered.
func (p *pictures) Board(t *see.Turn, i int) error {
	b := &t.Boards[i]
	if b.Failed != nil {
		return nil
	}
	s, err := boardShapes(b)
	if err != nil {
		return err
	}
	p.drawn++
	name, err := p.leave(fmt.Sprintf("answer-%03d.png", p.drawn), s)
	if err == nil && !p.json {
		fmt.Fprintf(p.Out, "picture: %s\n\n", name)
	}
	return err
}

// End leaves one of an answer that was accepted.
func (p *pictures) End(n int, d *drive.Drive) error {
	if p.json || d.Outcome != enter.Accepted {
		return nil
	}
	if err := os.MkdirAll(p.pictures, 0o755); err != nil {
		return err
	}
	s, err := show.Shapes(d.Reading.Game, d.Reading.Puzzle, d.Answer)
	if err == nil {
		_, err = p.leave(fmt.Sprintf("answer-%02d.png", n), s)
	}
	return err
}

// leave writes a picture, and gives its file's name.
func (p *pictures) leave(name string, s []picture.Shape) (string, error) {
	name = filepath.Join(p.pictures, name)
	f, err := whole.Create(name, 0o644)
	if err != nil {
		return name, err
	}
	return name, f.Done(picture.PNG(f, s, show.PixelsPerHalfCell))
}
