package see

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"time"

	"onlooker/cmd/internal/answer"
	"onlooker/vision"
)

// A Record is a Turn as it is written down: a line of JSON beside its frame.
type Record struct {
	Turn    int           `json:"turn"`
	At      time.Time     `json:"at"`
	Frame   string        `json:"frame,omitempty"`
	Profile string        `json:"profile,omitempty"`
	Boards  []BoardRecord `json:"boards"`
	Error   string        `json:"error,omitempty"`
	Millis  Millis        `json:"millis"`
}

// A BoardRecord is one board of a Record.
type BoardRecord struct {
	Board   int           `json:"board"` // from the left, from 0
	Family  string        `json:"family,omitempty"`
	Status  string        `json:"status"` // as solve's, or "seen" for one that is answered or solved already
	Text    string        `json:"text,omitempty"`
	Quad    [4][2]float64 `json:"quad"`
	Set     int           `json:"set,omitempty"`   // boards of which one has an answer
	Place   string        `json:"place,omitempty"` // of those, which
	Strokes [][][2]int    `json:"strokes,omitempty"`
	Error   string        `json:"error,omitempty"`
	Millis  Millis        `json:"millis"`
}

// Record is the Turn as it is written down, with the name of its frame's file.
func (t *Turn) Record(frame string) Record {
	r := Record{Turn: t.Number, At: t.At, Frame: frame, Boards: []BoardRecord{}, Millis: t.Millis}
	if t.Failed != nil {
		r.Error = t.Failed.Error()
	}
	for i := range t.Boards {
		r.Boards = append(r.Boards, t.Boards[i].Record(i))
	}
	return r
}

// Record is the board as it is written down.
func (s *Sighting) Record(number int) BoardRecord {
	r := BoardRecord{Board: number, Family: s.Game.Name, Text: s.Text, Status: answer.Status(s.Failed),
		Quad: Quad(s.Board), Set: s.Set, Place: s.Place, Millis: s.Millis}
	switch {
	case s.Failed != nil:
		r.Error = s.Failed.Error()
	case !s.New:
		r.Status = "seen"
	}
	r.Strokes = s.Answer.Solution.Pairs()
	return r
}

// Quad gives a board's corner nodes to a hundredth of a pixel, which is more
// than any is good for.
func Quad(b *vision.Board) (quad [4][2]float64) {
	for i, p := range b.Quad {
		quad[i] = [2]float64{math.Round(p.X*100) / 100, math.Round(p.Y*100) / 100}
	}
	return quad
}

// FrameFile is the name that Keep gives the frame.
func (t *Turn) FrameFile() string { return fmt.Sprintf("frame-%04d.png", t.Number) }

// Keep writes a Turn into a folder: its frame as frame-NNNN.png and its Record
// as turn-NNNN.json, whose path it returns. The folder is made where it is not
// there.
func (t *Turn) Keep(folder string) (string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	frame := ""
	if t.Frame != nil {
		frame = t.FrameFile()
		if err := WritePNG(filepath.Join(folder, frame), t.Frame); err != nil {
			return "", fmt.Errorf("record: %w", err)
		}
	}
	data, err := json.MarshalIndent(t.Record(frame), "", "  ")
	if err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	name := filepath.Join(folder, fmt.Sprintf("turn-%04d.json", t.Number))
	if err := os.WriteFile(name, append(data, '\n'), 0o644); err != nil {
		return "", fmt.Errorf("record: %w", err)
	}
	return name, nil
}

func WritePNG(name string, m image.Image) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	// A frame of 1920×1080 takes 90 ms so, and five times that at the best
	// compression.
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, m)
}
