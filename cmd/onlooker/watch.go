package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
)

func newWatch(_ *app) *cobra.Command {
	return &cobra.Command{
		Use:    "watch",
		Short:  "Look at the screen and print each new board's answer",
		Hidden: true,
		RunE: runs(func(context.Context, []string) error {
			return errors.New("watch: not supported yet")
		}),
	}
}
