package intake

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
)

// Flags are the flags of every subcommand that takes puzzles.
type Flags struct {
	Lines string
	Rules string
	LookFlags
}

// LookFlags say how what is seen looks, and what no look tells.
type LookFlags struct {
	Profile string
	Goal    string
	Family  string
	Size    string
	Region  string // of pictures
}

func (f *LookFlags) Register(c *cobra.Command) {
	ProfileFlag(c, &f.Profile)
	c.Flags().StringVar(&f.Family, "family", "", "the `NAME` of the family (see onlooker games) of text that two families accept; of pictures it says that they show a board of it")
	c.Flags().StringVar(&f.Size, "size", "", "how many `COLSxROWS` the boards of pictures have")
	c.Flags().StringVar(&f.Goal, "goal", "", "what is wanted of boards whose picture or rows do not tell, in a `WORD` of the family's: on or off for lamps")
}

// Eye looks as the flags say.
func (f *LookFlags) Eye(games *Games) (*see.Eye, error) {
	eye, err := games.PictureEye(f.Profile)
	if err == nil {
		err = games.want(eye, f.Goal)
	}
	if err == nil {
		err = f.asked(games, eye)
	}
	if err != nil {
		return nil, err
	}
	return eye, nil
}

// parse has an eye know what the flags say; what cannot be meant is a wrong use.
func (f *LookFlags) parse(games *Games, eye *see.Eye) error {
	if f.Size != "" {
		n, _ := fmt.Sscanf(f.Size+" ", "%dx%d ", &eye.Size.X, &eye.Size.Y)
		if n != 2 || eye.Size.X < 1 || eye.Size.Y < 1 || fmt.Sprintf("%dx%d", eye.Size.X, eye.Size.Y) != f.Size {
			return cli.Misusef("--size %q, want COLSxROWS as in 5x5", f.Size)
		}
	}
	if f.Region != "" {
		var err error
		if eye.Region, err = regionOf(f.Region); err != nil {
			return err
		}
	}
	if words := games.Goals(); f.Goal != "" && !slices.Contains(words, f.Goal) {
		return cli.Misusef("--goal %q, want one of %s", f.Goal, strings.Join(words, ", "))
	}
	if g := games.Find(f.Family); g != nil {
		f.Family = g.Name
	} else if f.Family != "" {
		return cli.Misusef("--family %s: no such family; there are %s", f.Family, strings.Join(games.Names(), ", "))
	}
	if f.Profile != "" && f.Profile != "auto" {
		if _, err := games.Look(f.Profile); errors.As(err, new(cli.Misuse)) {
			return err
		}
	}
	return nil
}

// asked has an eye look for boards of the family and of the size alone that are asked for.
func (f *LookFlags) asked(games *Games, eye *see.Eye) error {
	if err := f.parse(games, eye); err != nil || f.Family == "" {
		return err
	}
	other := func(p *calibrations.Profile) bool { return p.Family != f.Family }
	eye.Asked = true
	for _, list := range []*[]*calibrations.Profile{&eye.Profiles, &eye.Beside, &eye.Structures} {
		*list = slices.DeleteFunc(*list, other)
	}
	if len(eye.Profiles) == 0 {
		return cli.Misusef("--family %s: --profile %s is no look of it", f.Family, f.Profile)
	}
	return nil
}

func (f *Flags) Register(c *cobra.Command) {
	c.Flags().StringVar(&f.Rules, "rules", "", "solve and check by these rules: `NAME[,OPTION=on|off…]`")
	f.LookFlags.Register(c)
	f.RegionFlag(c)
}

// LinesFlag is for commands that take one input from each line of a file.
func (f *Flags) LinesFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.Lines, "lines", "", "take one input from each line of a `FILE` (- is standard input)")
}

func ProfileFlag(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "profile", "auto", "the look of pictures: a profile's `NAME`, its folder, or auto")
}

// ScreenFlags say what of the screen to look at.
type ScreenFlags struct {
	Display        int
	Window, Region string
}

func (f *ScreenFlags) Register(c *cobra.Command) {
	c.Flags().IntVar(&f.Display, "display", 0, "the `NUMBER` of the display; 0 is the primary")
	c.Flags().StringVar(&f.Window, "window", "", "a part of the `TITLE` of the window to look at, and to follow")
	c.Flags().StringVar(&f.Region, "region", "", "a part of the display or the window, as `X,Y,W,H` in its pixels")
}

// Target is what to look at.
func (f *ScreenFlags) Target() (capture.Target, error) {
	t := capture.Target{Display: f.Display, Window: f.Window}
	if f.Region == "" {
		return t, nil
	}
	var err error
	t.Region, err = regionOf(f.Region)
	return t, err
}

// regionOf is a part of a display, of a window or of a picture.
func regionOf(text string) (image.Rectangle, error) {
	var x, y, w, h int
	var rest string
	if n, _ := fmt.Sscanf(text+" ", "%d,%d,%d,%d%s", &x, &y, &w, &h, &rest); n != 4 || w <= 0 || h <= 0 {
		return image.Rectangle{}, cli.Misusef("--region %q, want X,Y,W,H in pixels", text)
	}
	return image.Rect(x, y, x+w, y+h), nil
}

// RegionFlag is for commands that look at pictures.
func (f *LookFlags) RegionFlag(c *cobra.Command) {
	c.Flags().StringVar(&f.Region, "region", "", "a part of the pictures, as `X,Y,W,H` in their pixels; what is said of places is of that part")
}

// within is the part of a picture that an eye looks at.
func within(eye *see.Eye, m *image.RGBA) (*image.RGBA, error) {
	if eye.Region.Empty() {
		return m, nil
	}
	part := eye.Region.Add(m.Rect.Min).Intersect(m.Rect)
	if part.Empty() {
		return nil, fmt.Errorf("--region %d,%d,%d,%d lies outside the picture, want a part of 0,0,%d,%d",
			eye.Region.Min.X, eye.Region.Min.Y, eye.Region.Dx(), eye.Region.Dy(), m.Rect.Dx(), m.Rect.Dy())
	}
	out := image.NewRGBA(image.Rectangle{Max: part.Size()})
	draw.Draw(out, out.Rect, m, part.Min, draw.Src)
	return out, bigEnough(out)
}
