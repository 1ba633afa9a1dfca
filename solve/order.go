package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// mostOrdered is the most cells of a puzzle that is made: more than fit any
// screen or sheet.
const mostOrdered = 1 << 16

// Takes tells why the family takes no such order, whatever the chance.
func (f *Family) Takes(o Order) error {
	if o.Cols < 1 || o.Rows < 1 || o.Cols > mostOrdered || o.Rows > mostOrdered || o.Cols*o.Rows > mostOrdered {
		return fmt.Errorf("%s: a puzzle of %d×%d cells, want at least 1×1 and at most %d cells", f.Name, o.Cols, o.Rows, mostOrdered)
	}
	if f.Side > 0 && max(o.Cols, o.Rows) > f.Side {
		return fmt.Errorf("%s: a puzzle of %d×%d cells, want at most %d×%d", f.Name, o.Cols, o.Rows, f.Side, f.Side)
	}
	if o.Preset != "" {
		var names []string
		for _, p := range f.Presets {
			names = append(names, p.Name)
		}
		if !slices.Contains(names, o.Preset) {
			return fmt.Errorf("%s: no preset %q; there are: %s", f.Name, o.Preset, strings.Join(names, ", "))
		}
		if len(o.Wishes) > 0 {
			return fmt.Errorf("%s: the preset %s and wishes, want one of them", f.Name, o.Preset)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Wishes)) {
		i := slices.IndexFunc(f.Wishes, func(w Wish) bool { return w.Name == name })
		if i < 0 {
			names := []string{}
			for _, w := range f.Wishes {
				names = append(names, w.Name)
			}
			return fmt.Errorf("%s: no wish %q; there are: %s", f.Name, name, cmp.Or(strings.Join(names, ", "), "none"))
		}
		most := f.Wishes[i].Most
		if most == 0 {
			most = mostOrdered
		}
		if n := o.Wishes[name]; n < 0 || n > most {
			return fmt.Errorf("%s: %s=%d, want 0 to %d", f.Name, name, n, most)
		}
	}
	return nil
}

// Deal makes a random puzzle that has a solution. It is the same for the same
// rng and order. It ends with the context.
func (f *Family) Deal(ctx context.Context, rng *rand.Rand, o Order) (Puzzle, error) {
	if err := f.Takes(o); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.Make == nil {
		return f.Generate(rng, o.Cols, o.Rows), nil
	}
	return f.Make(ctx, rng, o)
}

// Single tells whether a puzzle has exactly one answer, and of a Grouper one
// that matters; the error is ErrNotSupported where answers are not counted.
func Single(ctx context.Context, p Puzzle) (bool, error) {
	if g, ok := p.(Grouper); ok {
		n, _, err := g.CountGroups(ctx, 2)
		if !errors.Is(err, ErrNotSupported) {
			return n == 1, err
		}
	}
	c, ok := p.(Counter)
	if !ok {
		return false, fmt.Errorf("counting answers: %w", ErrNotSupported)
	}
	n, err := c.Count(ctx, 2)
	return n == 1, err
}
