package intake

import (
	"fmt"
	"image"

	"github.com/spf13/cobra"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/misuse"
)

// Flags are the flags of every subcommand that takes puzzles.
type Flags struct {
	Lines  string
	Family string
	Rules  string
	LookFlags
}

// LookFlags say how what is seen looks, and what no look tells.
type LookFlags struct {
	Profile string
	Goal    string
}

func (f *LookFlags) Register(c *cobra.Command) {
	ProfileFlag(c, &f.Profile)
	c.Flags().StringVar(&f.Goal, "goal", "", "what is wanted of boards whose picture or rows do not tell, in a `WORD` of the family's: on or off for lamps")
}

// Eye looks at the screen as the flags say.
func (f *LookFlags) Eye(games *Games) (*see.Eye, error) { return f.wanting(games, games.Eye) }

// PictureEye looks at pictures as the flags say.
func (f *LookFlags) PictureEye(games *Games) (*see.Eye, error) {
	return f.wanting(games, games.PictureEye)
}

// wanting is an eye that is told what is wanted of boards.
func (f *LookFlags) wanting(games *Games, open func(profile string) (*see.Eye, error)) (*see.Eye, error) {
	eye, err := open(f.Profile)
	if err == nil {
		err = games.want(eye, f.Goal)
	}
	if err != nil {
		return nil, err
	}
	return eye, nil
}

func (f *Flags) Register(c *cobra.Command) {
	c.Flags().StringVar(&f.Lines, "lines", "", "take one input from each line of a `FILE` (- is standard input)")
	c.Flags().StringVar(&f.Family, "family", "", "the family of text that two families accept (see onlooker games)")
	c.Flags().StringVar(&f.Rules, "rules", "", "solve and check by these rules: `NAME[,OPTION=on|off…]`")
	f.LookFlags.Register(c)
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
	var x, y, w, h int
	var rest string
	if n, _ := fmt.Sscanf(f.Region+" ", "%d,%d,%d,%d%s", &x, &y, &w, &h, &rest); n != 4 || w <= 0 || h <= 0 {
		return t, misuse.Errorf("--region %q, want X,Y,W,H in pixels", f.Region)
	}
	t.Region = image.Rect(x, y, x+w, y+h)
	return t, nil
}
