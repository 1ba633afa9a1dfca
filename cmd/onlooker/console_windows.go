package main

import (
	"github.com/inconshreveable/mousetrap"
	"github.com/spf13/cobra"
	"golang.org/x/sys/windows"
)

// prepare readies the process for Windows, before anything else is done, and
// gives what a shell elsewhere would have made of the arguments. A window of
// its own means that a double click, or a file dropped on it, started it.
func prepare(args []string) (expanded []string, ownWindow bool) {
	usePixels()
	cobra.MousetrapHelpText = "" // it says to open a shell, and ends
	return expandPatterns(args), mousetrap.StartedByExplorer()
}

// usePixels has Windows count the screen in its pixels for us. At 125 or 150 %
// the places of windows and of the pointer would else be scaled, and pictures
// of the screen not. The released program says the same in its manifest; then
// this is refused, and nothing is lost.
func usePixels() {
	user32 := windows.NewLazySystemDLL("user32.dll")
	// DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, and without V2, which
	// Windows 10 has since 2017.
	for _, context := range []int{-4, -3} {
		if set := user32.NewProc("SetProcessDpiAwarenessContext"); set.Find() == nil {
			if ok, _, _ := set.Call(uintptr(context)); ok != 0 {
				return
			}
		}
	}
	if set := user32.NewProc("SetProcessDPIAware"); set.Find() == nil {
		_, _, _ = set.Call() // one scale for all screens
	}
}
