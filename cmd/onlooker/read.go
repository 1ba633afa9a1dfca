package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
)

// A readLine is what read prints for one picture with --json.
type readLine struct {
	Image   string       `json:"image,omitempty"`
	Images  []string     `json:"images,omitempty"` // with --views
	Boards  []readBoard  `json:"boards"`
	Profile string       `json:"profile,omitempty"`
	Unsure  string       `json:"unsure,omitempty"`
	Error   string       `json:"error,omitempty"`
	Millis  agent.Millis `json:"millis"`
}

// A readBoard is one board of a picture that could be read.
type readBoard struct {
	Family string          `json:"family"`
	Quad   [4][2]float64   `json:"quad"` // corner nodes: top left, top right, bottom right, bottom left
	Puzzle json.RawMessage `json:"puzzle,omitempty"`
	Text   string          `json:"text"`
	Solved bool            `json:"solved,omitempty"` // a line is drawn on it already
	// Confidence is how likely it is right, which means the same for all families.
	Confidence float64 `json:"confidence,omitempty"`
}

func newRead(a *app) *cobra.Command {
	var asJSON, views bool
	var explained string
	var look lookFlags
	var kept storeFlags
	c := &cobra.Command{
		Use:   "read IMAGE…",
		Short: "Read the boards in pictures",
		Long: `Read every board in each picture. What cannot be told for sure is refused, with
what it is and where.

The exit status is 1 when a picture could not be read, or when something in one
was unsure.`,
		Example: `  onlooker read screenshot.png
  onlooker read --json *.png
  onlooker read --explain why screenshot.png
  onlooker read --views pillar-0.png pillar-1.png pillar-2.png`,
		RunE: runs(func(ctx context.Context, args []string) error {
			if len(args) == 0 {
				return usagef("no picture: name one, or - for standard input")
			}
			eye, err := a.games.PictureEye(look.profile)
			if err == nil {
				err = a.games.Want(eye, look.goal)
			}
			if err != nil {
				return err
			}
			groups := [][]string{args}
			if !views {
				groups = groups[:0]
				for _, name := range args {
					groups = append(groups, []string{name})
				}
			}
			failed, pillar := false, false
			slow := newProgress(a.err)
			service, closeStore := a.newService(kept)
			defer closeStore()
			for _, names := range groups {
				done := slow.during("reading " + names[0])
				line, sight := readPictures(a.in, eye, names)
				done()
				keepSight(ctx, service, names[0], sight)
				pillar = pillar || sight != nil && slices.ContainsFunc(sight.Readings, unreadPillar)
				if explained != "" {
					if err := explainTo(explained, names[0], sight, eye.Model); err != nil {
						return err
					}
				}
				if views {
					line.Images, line.Image = names, ""
				}
				if line.Error != "" || line.Unsure != "" {
					failed = true
				}
				if asJSON {
					err = writeJSON(a.out, line)
				} else {
					err = a.printRead(line, sight)
				}
				if err != nil {
					return err
				}
			}
			if failed {
				if !views && pillar {
					a.proposeViews("read", args)
				}
				return errFailed
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each picture")
	c.Flags().StringVar(&explained, "explain", "", "write pictures to the `FOLDER`: what all readers took the boards for and how likely each is, and of a panel what each place was taken for")
	c.Flags().BoolVar(&views, "views", false, "all pictures are views of one board")
	look.register(c)
	kept.register(c)
	return c
}

// readPictures reads the boards of one picture, or one board from several
// views of it. The line says what went wrong; there is no other error.
func readPictures(in io.Reader, eye *agent.Eye, names []string) (readLine, *agent.Sight) {
	line := readLine{Image: names[0], Boards: []readBoard{}, Millis: agent.Millis{"grab": 0, "locate": 0, "read": 0}}
	fail := func(err error) (readLine, *agent.Sight) {
		if unsure(err) {
			line.Unsure = plainly(err)
		} else {
			line.Error = plainly(err)
		}
		return line, nil
	}
	frames := make([]image.Image, len(names))
	for i, name := range names {
		start := time.Now()
		m, err := loadPicture(in, name)
		line.Millis.Add("grab", start)
		if err != nil {
			return fail(err)
		}
		frames[i] = m
	}
	var sight *agent.Sight
	var err error
	if len(frames) == 1 {
		sight, err = eye.Look(frames[0], line.Millis)
	} else {
		sight, err = eye.LookViews(frames, line.Millis)
	}
	if err == nil && len(sight.Readings) == 0 {
		err = errors.New("no board found")
	}
	if err != nil {
		return fail(fmt.Errorf("%s: %w", names[0], err))
	}
	line.Profile = sight.Profile.Name
	if sight.Broken != nil {
		line.Error = oneLine(sight.Broken.Error())
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			b, err := describe(r)
			if err == nil {
				line.Boards = append(line.Boards, b)
				continue
			}
			r.Err = err
		}
		why := fmt.Sprintf("board at (%.0f,%.0f): %s", r.Board.Quad[0].X, r.Board.Quad[0].Y, oneLine(r.Err.Error()))
		to := &line.Unsure
		if !unsure(r.Err) {
			to = &line.Error
		}
		if *to != "" {
			*to += "; "
		}
		*to += why
	}
	return line, sight
}

// keepSight keeps the puzzles that a picture shows.
func keepSight(ctx context.Context, service *answer.Service, name string, sight *agent.Sight) {
	if sight == nil {
		return
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			// What goes wrong with the store is told once, by itself.
			_ = service.Keep(ctx, service.News(r.Game.Name, r.Puzzle, nil, seenNow(store.Picture, fullName(name))))
		}
	}
}

// describe puts a reading into the form that read prints.
func describe(r agent.Reading) (readBoard, error) {
	b := readBoard{Family: r.Game.Name, Quad: agent.Quad(r.Board), Solved: r.Board.Solved, Confidence: math.Round(1000*r.Confidence) / 1000}
	text, err := r.Puzzle.MarshalText()
	if err != nil {
		return b, err
	}
	b.Text = string(text)
	b.Puzzle = record(r.Game, r.Puzzle)
	return b, nil
}

// record is a puzzle in the family's JSON, nil where it cannot be written so.
func record(g *agent.Game, p solve.Puzzle) json.RawMessage {
	for _, f := range g.Formats {
		if f.Name != g.Record || f.Encode == nil {
			continue
		}
		var out bytes.Buffer
		if err := f.Encode(&out, p); err == nil && json.Valid(out.Bytes()) {
			return bytes.TrimSpace(out.Bytes())
		}
	}
	return nil
}

func (a *app) printRead(line readLine, sight *agent.Sight) error {
	name := line.Image
	if name == "" {
		name = fmt.Sprintf("%s and %d more", line.Images[0], len(line.Images)-1)
	}
	name = oneLine(name)
	if sight != nil {
		places := agent.PlacesOf(sight.Readings)
		for i, r := range sight.Readings {
			if r.Err != nil {
				continue
			}
			drawn := ""
			if r.Board.Solved {
				drawn = ", a line is drawn on it"
			}
			sure := ""
			if r.Confidence > 0 {
				sure = fmt.Sprintf(", %.0f %% sure", math.Floor(100*r.Confidence))
			}
			number := fmt.Sprintf("board %d", i+1)
			if places[i].Place != "" {
				number += ", " + places[i].Place
			}
			fmt.Fprintf(a.out, "%s, %s: %s, look %s%s%s\n", name, number, r.Game.Name, r.Profile.Name, sure, drawn)
			if err := drawBoard(a.out, r.Game, r.Puzzle, nil); err != nil {
				return err
			}
			fmt.Fprintln(a.out)
		}
	}
	for _, why := range []string{line.Unsure, line.Error} {
		if why != "" {
			fmt.Fprintf(a.err, "onlooker: %s\n", prefixed(name, why))
		}
	}
	return nil
}
