//go:build !windows

package main

// prepare readies the process: only Windows needs anything.
func prepare(args []string) (expanded []string, ownWindow bool) { return args, false }
