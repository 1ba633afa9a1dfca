package main

import (
	"context"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
)

// newMan writes the manual pages, for archives and packages.
func newMan(p *program.Program) *cobra.Command {
	c := &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write manual pages into a folder",
		Args:   misuse.Takes(1),
		Hidden: true,
	}
	c.RunE = program.Runs(func(_ context.Context, args []string) error {
		if len(args) == 0 {
			return misuse.Errorf("no folder: name one")
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
