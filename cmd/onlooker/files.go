package main

import (
	"fmt"
	"io"
	"os"
)

// readFile is os.ReadFile of a file of at most maxFile bytes: a device may have no
// end.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s: more than %d MB", name, maxFile>>20)
	}
	return data, err
}
