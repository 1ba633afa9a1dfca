package main

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

// storeFlags say whether puzzles are kept, and where.
type storeFlags struct {
	none bool
	file string
}

func (f *storeFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.none, "no-store", false, "neither look puzzles up in the store nor keep them there")
	f.registerFile(c)
}

func (f *storeFlags) registerFile(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "store", "", "the store's `FILE` (default: store.sqlite in onlooker's folder of the user's data)")
}

// path is the store's file.
func (f *storeFlags) path() (string, error) {
	if f.file != "" {
		return f.file, nil
	}
	return store.DefaultPath()
}

// newService answers with the user's store, unless that is not wanted; the caller
// closes the store.
func (a *app) newService(f storeFlags) (service *answer.Service, closer func()) {
	service = &answer.Service{Version: solverVersion()}
	if f.none {
		return service, func() {}
	}
	keeper := a.newKeeper(f)
	service.Memory = keeper
	return service, keeper.Close
}

// mostKept is the largest board that is kept, in half-cells: that of a larger
// one takes megabytes, and longer to look up than to solve.
const mostKept = show.MostDrawn

func (a *app) newKeeper(f storeFlags) *answer.Keeper {
	return &answer.Keeper{Path: f.path, Most: mostKept, Tell: func(err error, without bool) {
		end := ""
		if without {
			end = "; going on without it"
		}
		fmt.Fprintf(a.err, "onlooker: %s%s\n", plain.Plainly(err), end)
	}}
}

// solverVersion is what answers are marked with. A program that was built
// without a version is told from others by when it was built.
func solverVersion() string {
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
