package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/vision/posterior"
)

// Games are the families that there are.
type Games struct {
	List []see.Game
	// Unread is told once that the user's own looks cannot be read; nil: nobody is.
	Unread func(why error)
	unread sync.Once
}

// Find is the family of that name, or of one that people call it by, as lights-out; nil: there is none.
func (a *Games) Find(name string) *see.Game {
	words := strings.ToLower(strings.ReplaceAll(name, "-", " "))
	for i := range a.List {
		title := strings.ToLower(a.List[i].Title)
		if bare, in, _ := strings.Cut(strings.TrimSuffix(title, ")"), " ("); a.List[i].Name == name || words != "" && slices.Contains([]string{title, bare, in}, words) {
			return &a.List[i]
		}
	}
	return nil
}

// Names are those of the families.
func (a *Games) Names() []string {
	var names []string
	for _, g := range a.List {
		names = append(names, g.Name)
	}
	return names
}

// Goals are the words that --goal may be.
func (a *Games) Goals() (words []string) {
	for i := range a.List {
		words = append(words, a.List[i].Goals...)
	}
	return words
}

// want has an eye take boards to want what --goal says; "" leaves it to looks.
func (a *Games) want(eye *see.Eye, goal string) error {
	if goal == "" {
		return nil
	}
	known := false
	for i := range a.List {
		g := &a.List[i]
		for _, p := range eye.Profiles {
			if p.Cells != nil && p.Family == g.Name && slices.Contains(g.Goals, goal) {
				p.Cells.Goal, known = goal, true
			}
		}
	}
	if !known {
		return cli.Misusef("--goal %q, want one of %s, of a family that is looked for", goal, strings.Join(a.Goals(), ", "))
	}
	return nil
}

// Eye loads the profile that --profile names, or all of them.
func (a *Games) Eye(profile string) (*see.Eye, error) {
	names := []string{profile}
	if profile == "auto" {
		if names = calibrations.Names(); len(names) == 0 {
			return nil, errors.New("no profile is known")
		}
	}
	eye, err := a.EyeOf()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		p, err := a.Look(name)
		if err != nil {
			return nil, err
		}
		if profile == "auto" && p.Beside {
			eye.Beside = append(eye.Beside, p)
			continue
		}
		eye.Profiles = append(eye.Profiles, p)
	}
	// Boards of lines first: the first profile is that of the game that is
	// played by going about, whose motion holds until a board is read.
	slices.SortStableFunc(eye.Profiles, func(p, q *calibrations.Profile) int {
		switch {
		case p.Cells == nil && q.Cells != nil:
			return -1
		case p.Cells != nil && q.Cells == nil:
			return 1
		}
		return 0
	})
	return eye, nil
}

// EyeOf is an eye that looks by some profiles.
func (a *Games) EyeOf(looks ...*calibrations.Profile) (*see.Eye, error) {
	model, err := posterior.Fitted()
	if err != nil {
		return nil, err
	}
	return &see.Eye{Games: a.List, Model: model, Profiles: looks}, nil
}

// Look loads a profile, and has its family check what it says of its symbols.
func (a *Games) Look(nameOrFolder string) (*calibrations.Profile, error) {
	p, err := calibrations.Load(nameOrFolder)
	if errors.As(err, new(calibrations.UnknownError)) {
		return nil, cli.Misusef("%w", err)
	}
	if err != nil {
		return nil, err
	}
	if err := calibrations.Unreadable(); err != nil && a.Unread != nil {
		a.unread.Do(func() { a.Unread(err) })
	}
	for _, g := range a.List {
		if g.Name != p.Family || g.CheckLook == nil {
			continue
		}
		if err := g.CheckLook(p); err != nil {
			return nil, fmt.Errorf("profile %s: %w", nameOrFolder, err)
		}
	}
	return p, nil
}

// PictureEye is Eye that tries what the structure alone tells where no profile fits, if there
// is time.
func (a *Games) PictureEye(profile string) (*see.Eye, error) {
	eye, err := a.Eye(profile)
	if err != nil || profile != "auto" {
		return eye, err
	}
	for i := range a.List {
		g := &a.List[i]
		k := slices.IndexFunc(eye.Profiles, func(p *calibrations.Profile) bool { return p.Family == g.Name && !p.Learned.Any() })
		if k >= 0 && g.Structure != nil {
			p := g.Structure(eye.Profiles[k])
			// A quarter of the way to certain: what is not known of the look makes
			// any part less sure than it seems.
			p.Board.Confidence += (1 - p.Board.Confidence) / 4
			eye.Structures = append(eye.Structures, p)
		}
	}
	return eye, nil
}

// checkRules refuses rules that no family has before anything is read. Which
// family they are for shows only with the input.
func (a *Games) checkRules(rules string) error {
	if rules == "" {
		return nil
	}
	var failed error
	for i := range a.List {
		g := &a.List[i]
		if g.CheckVariant == nil {
			continue
		}
		err := g.CheckVariant(rules)
		if err == nil {
			return nil
		}
		if failed != nil {
			err = fmt.Errorf("%w; or %w", failed, err)
		}
		failed = err
	}
	if failed == nil {
		failed = errors.New("no family has other rules")
	}
	return cli.Misusef("--rules %s: %w", rules, failed)
}
