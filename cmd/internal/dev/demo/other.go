//go:build !(linux || freebsd || netbsd || openbsd)

// Command demo needs X11.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "demo: the demo's window needs X11; try `onlooker watch` on a picture of a panel instead")
	os.Exit(1)
}
