package main

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
)

func newExport(p *program.Program) *cobra.Command {
	var f program.StoreFlags
	var output string
	c := &cobra.Command{
		Use:   "export",
		Short: "Write the store as JSON lines",
		Long: `Write everything that the store holds, a JSON object a line: puzzles with where
and when they were seen, their answers and their proofs. What import makes of
it answers the same; notes that older versions kept are left out.`,
		Example: `  onlooker export -o puzzles.jsonl
  onlooker export | gzip > puzzles.jsonl.gz`,
		Args: cli.Takes(0),
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
		to, err := cli.CreateFile(output, 0o600)
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

func newImport(p *program.Program) *cobra.Command {
	var f program.StoreFlags
	var own bool
	c := &cobra.Command{
		Use:   "import FILE…",
		Short: "Take exports into the store",
		Long: `Take what export wrote into the store; - is standard input. Every answer is
checked first. What cannot be is told with its line and left out, and the exit
status is then 1. Doing it again changes nothing.

That a puzzle has no answer, or that an answer is the cheapest, cannot be
checked: it is kept as the file's word, and solve does not take it. --own takes
it, as an export of your own deserves.`,
		Example: `  onlooker import puzzles.jsonl
  gunzip -c mine.jsonl.gz | onlooker import --own -`,
		RunE: program.Runs(func(ctx context.Context, args []string) error { return importFiles(ctx, p, args, f, own) }),
	}
	f.RegisterFile(c)
	c.Flags().BoolVar(&own, "own", false, "take proofs and lowest costs at the file's word")
	return c
}

func importFiles(ctx context.Context, p *program.Program, names []string, f program.StoreFlags, own bool) error {
	if len(names) == 0 {
		return cli.Misusef("no export: name a file, or - for standard input")
	}
	path, err := f.Path()
	if err != nil {
		return err
	}
	return withStore(ctx, path, func(s *store.Store) error {
		var failed error
		for _, name := range names {
			got, err := importFile(ctx, p, s, name, own)
			if err != nil {
				return err
			}
			fmt.Fprintf(p.Out, "%s: %d puzzles, %d answers, %d proofs", cli.OneLine(name), got.Puzzles, got.Answers, got.Proofs)
			if got.Refused > 0 {
				fmt.Fprintf(p.Out, "; %d lines were refused", got.Refused)
				failed = program.ErrFailed
			}
			fmt.Fprintln(p.Out)
		}
		return failed
	})
}

func importFile(ctx context.Context, p *program.Program, s *store.Store, name string, own bool) (store.ImportSummary, error) {
	from := p.In
	if name != "-" {
		file, err := cli.OpenFile(name)
		if err != nil {
			return store.ImportSummary{}, err
		}
		defer file.Close()
		from = file
	}
	slow := p.Progress()
	defer slow.During("importing " + name)()
	got, err := s.Import(ctx, from, store.ImportOptions{
		Family: func(name string) *solve.Family {
			if g := p.Games.Find(name); g != nil {
				return g.Family
			}
			return nil
		},
		Own: own,
		Refused: func(line int, err error) {
			slow.Clear()
			fmt.Fprintf(p.Err, "onlooker: %s: line %d: %s\n", cli.OneLine(name), line, cli.Plainly(err))
		},
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return got, err
}
