package program

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/store"
)

// StoreFlags say whether puzzles are kept, and where.
type StoreFlags struct {
	None bool
	File string
}

// Register adds both flags.
func (f *StoreFlags) Register(c *cobra.Command) {
	c.Flags().BoolVar(&f.None, "no-store", false, "neither look puzzles up in the store nor keep them there")
	f.RegisterFile(c)
}

// RegisterFile adds the one that says where.
func (f *StoreFlags) RegisterFile(c *cobra.Command) {
	c.Flags().StringVar(&f.File, "store", "", "the store's `FILE` (default: store.sqlite in onlooker's folder of the user's data)")
}

// Path is the store's file.
func (f *StoreFlags) Path() (string, error) {
	if f.File != "" {
		return f.File, nil
	}
	return store.DefaultPath()
}

// Service answers with the user's store, unless that is not wanted; the caller
// closes the store.
func (p *Program) Service(f StoreFlags) (service *answer.Service, closer func()) {
	service = &answer.Service{Version: SolverVersion()}
	if f.None {
		return service, func() {}
	}
	keeper := p.Keeper(f)
	service.Memory = keeper
	return service, keeper.Close
}

// mostKept is the largest board that is kept, in half-cells: that of a larger
// one takes megabytes, and longer to look up than to solve.
const mostKept = show.MostDrawn

// Keeper is the store, which is opened when it is first used.
func (p *Program) Keeper(f StoreFlags) *answer.Keeper {
	return &answer.Keeper{Path: f.Path, Most: mostKept, Tell: func(err error, without bool) {
		end := ""
		if without {
			end = "; going on without it"
		}
		fmt.Fprintf(p.Err, "onlooker: %s%s\n", plain.Plainly(err), end)
	}}
}

// SolverVersion is what answers are marked with. A program that was built
// without a version is told from others by when it was built.
func SolverVersion() string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version += " " + s.Value
			}
			if s.Key == "vcs.modified" && s.Value == "true" {
				version += "+"
			}
		}
	}
	if version != "" && version != "(devel)" && version[len(version)-1] != '+' {
		return version
	}
	name, err := os.Executable()
	if err == nil {
		var at os.FileInfo
		if at, err = os.Stat(name); err == nil {
			return version + " of " + at.ModTime().UTC().Format(time.RFC3339Nano)
		}
	}
	return version
}
