package flow

import (
	"context"
	"fmt"
	"strings"

	"onlooker/solve"
)

// ParseRules reads demands on a board, separated by commas: a name, flowfree
// (every cell is filled, paths may touch themselves) or numberlink (cells may
// stay empty), which sets all of them, or the options any, notouch and
// nozigzag with =on or =off, which leave the others as the board has them.
func ParseRules(rules string) (func(Options) Options, error) {
	var steps []func(*Options)
	for i, word := range strings.Split(rules, ",") {
		name, value, given := strings.Cut(strings.TrimSpace(word), "=")
		on := value == "on"
		switch {
		case !given && i == 0 && name == "flowfree":
			steps = append(steps, func(o *Options) { *o = Options{} })
		case !given && i == 0 && name == "numberlink":
			steps = append(steps, func(o *Options) { *o = Options{Any: true} })
		case given && !on && value != "off":
			return nil, fmt.Errorf("flow: got %q, want %s=on or %s=off", word, name, name)
		case given && name == "any":
			steps = append(steps, func(o *Options) { o.Any = on })
		case given && name == "notouch":
			steps = append(steps, func(o *Options) { o.NoTouch = on })
		case given && name == "nozigzag":
			steps = append(steps, func(o *Options) { o.NoZigzag = on })
		default:
			return nil, fmt.Errorf("flow: got %q, want flowfree or numberlink first, or any, notouch or nozigzag with =on or =off", word)
		}
	}
	return func(o Options) Options {
		for _, step := range steps {
			step(&o)
		}
		return o
	}, nil
}

// RuleOptions lists the options of ParseRules.
func RuleOptions() []solve.Rule {
	return []solve.Rule{
		{Name: "any", Doc: "cells may stay empty (on in numberlink, off in flowfree)"},
		{Name: "notouch", Doc: "no path passes two neighbouring cells without going from one to the other (off in both)"},
		{Name: "nozigzag", Doc: "no path could be drawn with fewer turns while the others stay (off in both)"},
	}
}

// CountGroups counts the answers in which no path touches itself: by those
// Flow Free's boards have one answer.
func (p *Puzzle) CountGroups(ctx context.Context, limit int) (n int, what string, err error) {
	o := p.Options()
	o.NoTouch = true
	n, err = p.With(o).Count(ctx, limit)
	return n, "without a path that touches itself", err
}
