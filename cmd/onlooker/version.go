package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"onlooker/calibrations"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
)

// version is set when the program is linked: see the Makefile.
var version = "of no version"

// versionText is what version and --version print.
func versionText() string {
	return fmt.Sprintf("onlooker %s, %s, %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func newVersion(p *program.Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print what was built, and with what",
		Args:  cli.Takes(0),
		RunE: program.Runs(func(context.Context, []string) error {
			v := struct {
				Version string `json:"version"`
				Go      string `json:"go"`
				System  string `json:"system"`
			}{version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if asJSON {
				return cli.WriteJSON(p.Out, v)
			}
			_, err := io.WriteString(p.Out, versionText())
			return err
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return c
}

// knownLooks are the families of which a look is known, so that their boards are read, and
// of each its looks that show more kinds of symbols than the game itself has.
func knownLooks(p *program.Program) (known map[string]bool, further map[string][]*calibrations.Profile) {
	known, further = map[string]bool{}, map[string][]*calibrations.Profile{}
	for _, name := range calibrations.Names() {
		look, err := p.Games.Look(name)
		if err != nil {
			continue // what looks at pictures tells it
		}
		if g := p.Games.Find(look.Family); g != nil && (g.NewReader != nil || g.Scan != nil) {
			known[look.Family] = true
		}
		if len(look.Kinds) > 0 {
			further[look.Family] = append(further[look.Family], look)
		}
	}
	return known, further
}

func newGames(p *program.Program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "games [FAMILY]",
		Short: "List the puzzle families, their formats, rules and options",
		Args:  cli.Takes(1),
		RunE: program.Runs(func(_ context.Context, args []string) error {
			if len(args) > 0 && p.Games.Find(args[0]) == nil {
				return cli.Misusef("no family %q, want one of %s", args[0], strings.Join(p.Games.Names(), ", "))
			}
			known, shown := knownLooks(p)
			for i := range p.Games.List {
				g := &p.Games.List[i]
				if len(args) > 0 && g != p.Games.Find(args[0]) {
					continue
				}
				line := struct {
					Family  string       `json:"family"`
					Doc     string       `json:"doc"`
					Formats []string     `json:"formats"`
					Seen    bool         `json:"seen"`
					Rules   []solve.Rule `json:"rules"`
					Options []solve.Rule `json:"options,omitempty"`
					Symbols []solve.Rule `json:"symbols,omitempty"`
					Presets []solve.Rule `json:"presets,omitempty"`
					Looks   []solve.Rule `json:"looks,omitempty"`
				}{Family: g.Name, Doc: g.Doc, Formats: []string{}, Seen: known[g.Name], Rules: append([]solve.Rule{}, g.Rules...), Options: g.VariantOptions}
				for _, f := range g.Formats {
					line.Formats = append(line.Formats, f.Name)
				}
				for _, w := range g.Wishes {
					line.Symbols = append(line.Symbols, solve.Rule{Name: w.Name, Doc: w.Doc})
				}
				for _, s := range g.Presets {
					line.Presets = append(line.Presets, solve.Rule(s))
				}
				for _, l := range shown[g.Name] {
					line.Looks = append(line.Looks, solve.Rule{Name: l.Name, Doc: strings.Join(l.Kinds, ", ")})
				}
				if asJSON {
					if err := cli.WriteJSON(p.Out, line); err != nil {
						return err
					}
					continue
				}
				fmt.Fprintf(p.Out, "%s: %s\n", g.Name, g.Doc)
				if line.Seen {
					fmt.Fprintln(p.Out, "  read off the screen and in pictures")
				} else {
					fmt.Fprintln(p.Out, "  read off the screen once onlooker calibrate has learned a look")
				}
				for _, f := range g.Formats {
					fmt.Fprintf(p.Out, "  format %s%s\n", f.Name, map[bool]string{true: " (read only)"}[f.Encode == nil])
				}
				for _, of := range []struct {
					what  string
					rules []solve.Rule
				}{{"rule %s", line.Rules}, {"--rules option %s", line.Options}, {"--symbols %s", line.Symbols}, {"--preset %s", line.Presets}, {"--profile %s reads besides the game's own", line.Looks}} {
					for _, r := range of.rules {
						fmt.Fprintf(p.Out, "  "+of.what+": %s\n", r.Name, r.Doc)
					}
				}
			}
			return nil
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object for each family")
	return c
}

// newMan writes the manual pages, for archives and packages.
func newMan() *cobra.Command {
	c := &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write manual pages into a folder",
		Args:   cli.Takes(1),
		Hidden: true,
	}
	c.RunE = program.Runs(func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return cli.Misusef("no folder: name one")
		}
		if err := os.MkdirAll(args[0], 0o755); err != nil {
			return err
		}
		root := c.Root()
		root.DisableAutoGenTag = true
		day := time.Unix(0, 0).UTC() // two runs give the same bytes
		return doc.GenManTree(root, &doc.GenManHeader{Title: "ONLOOKER", Section: "1", Source: "onlooker", Manual: "onlooker", Date: &day}, args[0])
	})
	return c
}
