package program

import (
	"iter"
	"os"

	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/store"
)

// Spare refuses to write to a file that is one of the inputs, or the store: the
// user's or the one that is named, "" where none is.
func (p *Program) Spare(output, kept string, inputs ...string) error {
	to, err := os.Stat(output)
	if err != nil || !to.Mode().IsRegular() {
		return nil // there is nothing to lose
	}
	same := func(name string) bool {
		info, err := os.Stat(name)
		if in, ok := p.In.(*os.File); ok && name == "-" {
			info, err = in.Stat()
		}
		return err == nil && os.SameFile(to, info)
	}
	for _, name := range inputs {
		if same(name) {
			return misuse.Errorf("-o %s: is an input itself, and would be lost; name another file", output)
		}
	}
	stores := []string{kept}
	if own, err := store.DefaultPath(); err == nil {
		stores = append(stores, own)
	}
	for _, name := range stores {
		if same(name) || same(name+"-wal") || same(name+"-shm") {
			return misuse.Errorf("-o %s: is the store, and would be lost; name another file", output)
		}
	}
	return nil
}

// SpareAll is Spare for inputs as they come, and gives them again. Where there is
// something to lose all are looked at before the first is worked on.
func (p *Program) SpareAll(output string, inputs iter.Seq2[string, error]) (iter.Seq2[string, error], error) {
	if _, err := os.Stat(output); err != nil {
		return inputs, nil
	}
	var names []string
	var broken error
	for name, err := range inputs {
		if broken = err; err != nil {
			break
		}
		names = append(names, name)
	}
	if err := p.Spare(output, "", names...); err != nil {
		return nil, err
	}
	return func(yield func(string, error) bool) {
		for _, name := range names {
			if !yield(name, nil) {
				return
			}
		}
		if broken != nil {
			yield("", broken)
		}
	}, nil
}
