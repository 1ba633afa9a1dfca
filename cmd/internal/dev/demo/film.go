//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"context"
	"image"
	"image/color"
	"image/gif"
	"maps"
	"os"
	"slices"
	"time"

	"golang.org/x/image/draw"

	"onlooker/capture"
)

const (
	filmGap   = 400 * time.Millisecond // between two pictures
	filmWidth = 600
	filmSpeed = 2   // times as fast as it was
	filmRest  = 300 // hundredths of a second that the last picture stays
)

// A film is what a display showed, in half the time that it took.
type film struct {
	pictures []*image.RGBA
	at       []time.Time
}

// shoot takes pictures until the context ends.
func shoot(ctx context.Context, source capture.Source) *film {
	f := &film{}
	tick := time.NewTicker(filmGap)
	defer tick.Stop()
	for {
		now := time.Now()
		frame, err := source.Grab(ctx)
		if err != nil {
			return f // it ends with the display
		}
		small := image.NewRGBA(image.Rect(0, 0, filmWidth, filmWidth*frame.Rect.Dy()/frame.Rect.Dx()))
		draw.ApproxBiLinear.Scale(small, small.Rect, frame, frame.Rect, draw.Src, nil)
		f.pictures, f.at = append(f.pictures, small), append(f.at, now)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return f
		}
	}
}

// save writes it as a GIF: of each picture what is new.
func (f *film) save(name string) error {
	colours := f.palette()
	index := map[color.RGBA]uint8{}
	out := gif.GIF{}
	shown := image.NewPaletted(f.pictures[0].Rect, colours)
	for i, m := range f.pictures {
		now := image.NewPaletted(m.Rect, colours)
		var new image.Rectangle
		for y := range m.Rect.Dy() {
			for x := range m.Rect.Dx() {
				c := m.RGBAAt(x, y)
				k, ok := index[c]
				if !ok {
					k = uint8(colours[1:].Index(c)) + 1 // the first is none
					index[c] = k
				}
				if i > 0 && k == shown.ColorIndexAt(x, y) {
					continue
				}
				now.SetColorIndex(x, y, k)
				shown.SetColorIndex(x, y, k)
				new = new.Union(image.Rect(x, y, x+1, y+1))
			}
		}
		delay := filmRest
		if i+1 < len(f.pictures) {
			delay = int(f.at[i+1].Sub(f.at[i]) / (filmSpeed * 10 * time.Millisecond))
		}
		if n := len(out.Delay); new.Empty() && n > 0 {
			out.Delay[n-1] += delay
			continue
		}
		out.Image = append(out.Image, now.SubImage(new).(*image.Paletted))
		out.Delay = append(out.Delay, delay)
		out.Disposal = append(out.Disposal, gif.DisposalNone)
	}
	to, err := os.Create(name)
	if err != nil {
		return err
	}
	defer to.Close()
	return gif.EncodeAll(to, &out)
}

// palette is none, and of the colours that most pixels have those that differ.
func (f *film) palette() color.Palette {
	many := map[color.RGBA]int{}
	for _, m := range f.pictures {
		for i := 0; i < len(m.Pix); i += 4 {
			many[color.RGBA{m.Pix[i] &^ 7, m.Pix[i+1] &^ 7, m.Pix[i+2] &^ 7, 255}]++
		}
	}
	out := color.Palette{color.RGBA{}}
	for _, c := range slices.SortedFunc(maps.Keys(many), func(a, b color.RGBA) int { return many[b] - many[a] }) {
		near := out.Convert(c).(color.RGBA)
		if apart := distance(near.R, c.R) + distance(near.G, c.G) + distance(near.B, c.B); len(out) < 48 && (len(out) == 1 || apart > 28) {
			out = append(out, c)
		}
	}
	return out
}

func distance(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
