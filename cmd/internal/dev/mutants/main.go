// Command mutants builds the program without parts of it (-off), or changes
// single lines, drawn by a seed, and tells which changes the nearest tests
// notice:
//
//	go run ./cmd/internal/dev/mutants -n 20 -seed 1 ./solve/gf2 ./input
//
// A change is an overlay of the build: no file is touched. It gives a line for each mutant,
// as it comes, and then the sums by package.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	n := flag.Int("n", 20, "how many mutants")
	seed := flag.Uint64("seed", 1, "which ones")
	most := flag.Duration("timeout", 2*time.Minute, "how long the tests of one may take")
	beside := flag.Int("beside", 2, "how many packages that import the changed one are tested, where its own tests notice nothing")
	list := flag.Bool("list", false, "only list them")
	off := flag.String("off", "", "build the program without these `PARTS` instead, with commas between: see without")
	to := flag.String("o", "onlooker", "with -off: the `FILE` to build")
	flag.Parse()
	if *off != "" {
		if err := without(*to, strings.Split(*off, ",")); err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(1)
		}
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r := &run{ctx: ctx, out: os.Stdout, most: *most, beside: *beside, whole: map[string]bool{}, sums: map[string]map[string]int{}}
	if err := r.run(flag.Args(), *n, *seed, *list); err != nil {
		fmt.Fprintf(os.Stderr, "mutants: %v\n", err)
		os.Exit(1)
	}
}

// A pack is a package of the module, as go list tells it.
type pack struct {
	ImportPath, Dir                    string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
}

func (p *pack) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// packs lists packages.
func packs(ctx context.Context, patterns ...string) ([]*pack, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Imports,TestImports,XTestImports"}, patterns...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []*pack
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		p := &pack{}
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// nearest are the packages whose tests are nearest to a package: itself, and some that import
// it: those of its own name, and which stand nearest in the tree.
func nearest(p *pack, all []*pack, most int) (paths []string) {
	if p.tested() {
		paths = append(paths, p.ImportPath)
	}
	var others []*pack
	for _, o := range all {
		if o != p && o.tested() && (slices.Contains(o.Imports, p.ImportPath) || slices.Contains(o.TestImports, p.ImportPath) || slices.Contains(o.XTestImports, p.ImportPath)) {
			others = append(others, o)
		}
	}
	common := func(o *pack) (n int) {
		for a, b := strings.Split(o.ImportPath, "/"), strings.Split(p.ImportPath, "/"); n < min(len(a), len(b)) && a[n] == b[n]; {
			n++
		}
		if path.Base(o.ImportPath) == path.Base(p.ImportPath) {
			n++
		}
		return n
	}
	slices.SortStableFunc(others, func(a, b *pack) int { return common(b) - common(a) })
	for _, o := range others[:min(most, len(others))] {
		paths = append(paths, o.ImportPath)
	}
	return paths
}

// A run is one use of the program.
type run struct {
	ctx    context.Context
	out    io.Writer
	most   time.Duration
	beside int
	// whole are the packages whose tests were seen to pass in time, or not.
	whole map[string]bool
	sums  map[string]map[string]int
}

func (r *run) run(patterns []string, n int, seed uint64, list bool) error {
	all, err := packs(r.ctx, "./...")
	if err != nil {
		return err
	}
	meant, err := packs(r.ctx, patterns...)
	if err != nil {
		return err
	}
	var sites []site
	for _, p := range meant {
		for _, name := range p.GoFiles {
			found, err := sitesOf(filepath.Join(p.Dir, name))
			if err != nil {
				return err
			}
			for i := range found {
				found[i].in = all[slices.IndexFunc(all, func(o *pack) bool { return o.ImportPath == p.ImportPath })]
			}
			sites = append(sites, found...)
		}
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(sites), func(i, k int) { sites[i], sites[k] = sites[k], sites[i] })
	for done := 0; len(sites) > 0 && done < n && r.ctx.Err() == nil; sites = sites[1:] {
		s := &sites[0]
		verdict, by := "listed", ""
		if !list {
			if verdict, by, err = r.judge(s, nearest(s.in, all, r.beside)); err != nil {
				return err
			}
		}
		if verdict == "no program" || r.ctx.Err() != nil {
			continue // what does not compile is no mutant
		}
		done++
		if r.sums[s.in.ImportPath] == nil {
			r.sums[s.in.ImportPath] = map[string]int{}
		}
		r.sums[s.in.ImportPath][verdict]++
		fmt.Fprintf(r.out, "%s\t%s\t%s\t%s\n", verdict, s, by, time.Now().Format(time.TimeOnly))
	}
	var names []string
	for name := range r.sums {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Fprintf(r.out, "%s\t%v\n", name, r.sums[name])
	}
	return nil
}

// judge tells whether a mutant is killed, by which tests, or survived; or that it is no
// program, or that no test could tell in time.
func (r *run) judge(s *site, tests []string) (verdict, by string, err error) {
	overlay, done, err := overlay(map[string][]byte{s.file: s.mutated()})
	if err != nil {
		return "", "", err
	}
	defer done()
	if exec.CommandContext(r.ctx, "go", "build", "-overlay", overlay, "-o", os.DevNull, s.in.ImportPath).Run() != nil {
		return "no program", "", nil
	}
	verdict = "untested"
	left := r.most
	for _, by := range tests {
		if _, known := r.whole[by]; !known {
			r.whole[by] = r.test(by, r.most) == passed
		}
		if !r.whole[by] {
			continue
		}
		began := time.Now()
		switch r.test(by, left, "-overlay", overlay) {
		case passed:
			verdict = "survived"
		case failed:
			return "killed", by, nil
		case late:
			// Alone its tests pass in time without the change; others before it have
			// taken of that.
			if left == r.most {
				return "killed", by + " (in no time)", nil
			}
		}
		if left -= time.Since(began); left <= 0 {
			break
		}
	}
	return verdict, "", nil
}

type result int

const (
	passed result = iota
	failed
	late
)

// test runs a package's tests, for so long at most.
func (r *run) test(path string, most time.Duration, flags ...string) result {
	ctx, end := context.WithTimeout(r.ctx, most)
	defer end()
	flags = append([]string{"test", "-failfast", "-vet=off"}, flags...)
	c := exec.CommandContext(ctx, "go", append(flags, path)...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // go ends its test, too
	c.WaitDelay = 5 * time.Second
	switch err := c.Run(); {
	case ctx.Err() != nil:
		return late
	case err != nil:
		return failed
	}
	return passed
}
