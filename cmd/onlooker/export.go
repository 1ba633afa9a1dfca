package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/cmd/internal/whole"
)

func newExport(p *program.Program) *cobra.Command {
	var f program.StoreFlags
	var output string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the store as JSON lines",
		Long: `Write everything that the store holds, a JSON object a line: puzzles with where
and when they were seen, their answers and proofs, your titles, notes and
ratings, how often you played them, and the agent's runs. What import makes of
it is the same store.`,
		Example: `  onlooker export -o puzzles.jsonl
  onlooker export | gzip > puzzles.jsonl.gz`,
		Args: misuse.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error { return export(ctx, p, f, output) }),
	}
	f.RegisterFile(c)
	c.Flags().StringVarP(&output, "output", "o", "", "the `FILE` to write to (default: standard output)")
	return c
}

func export(ctx context.Context, p *program.Program, f program.StoreFlags, output string) error {
	if output == program.Stream {
		output = ""
	}
	path, err := f.Path()
	if err != nil {
		return err
	}
	// Opening makes a store; there is nothing to export of one that is not there.
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("export: no store: %w", err)
	}
	if err := p.Spare(output, path); err != nil {
		return err
	}
	return withStore(ctx, path, func(s *store.Store) error {
		defer p.Progress().During("exporting")()
		if output == "" {
			return s.Export(ctx, p.Out)
		}
		// What somebody plays is nobody else's matter.
		to, err := whole.Create(output, 0o600)
		if err != nil {
			return err
		}
		return to.Done(s.Export(ctx, to))
	})
}

// withStore opens a store, does something with it, and closes it.
func withStore(ctx context.Context, path string, do func(*store.Store) error) error {
	s, err := store.Open(ctx, path, answer.Judge)
	if err != nil {
		return err
	}
	return cmp.Or(do(s), s.Close())
}
