package main

import (
	"bufio"
	"fmt"
	"io"

	"rsc.io/qr"

	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/show"
	"onlooker/cmd/internal/web"
)

// serve serves the live page and tells its address, with a code to scan where others on
// the network reach it.
func serve(p *program.Program, address string) (*web.LiveView, func() error, error) {
	live := web.New(pageOptions(p, pageMemory))
	s, err := live.Serve(address, servePort)
	if err != nil {
		return nil, nil, occupied(err)
	}
	fmt.Fprintf(p.Err, "live at %s\n", s.URL)
	if s.Lan {
		for _, other := range s.Other {
			fmt.Fprintf(p.Err, "     or %s\n", other)
		}
		fmt.Fprintln(p.Err, "Whoever is on the same network and has this address sees the answers and the")
		fmt.Fprintln(p.Err, "picture that is watched, and nothing else of this machine. It ends with onlooker.")
		if show.Terminal(p.Err) {
			if err := printQR(p.Err, s.URL, show.Colours(p.Err)); err != nil {
				return nil, nil, err
			}
		}
	}
	return live, s.Close, nil
}

// quiet is how many light modules surround a code; fewer than four (ISO/IEC 18004) are
// enough for phones, and the code fits a window of 24 lines.
const quiet = 2

// printQR prints a code to scan, two modules in a character: dark on light in colours,
// else as it looks on a dark terminal.
func printQR(w io.Writer, text string, coloured bool) error {
	code, err := qr.Encode(text, qr.L)
	if err != nil {
		return fmt.Errorf("code to scan: %w", err)
	}
	light := func(x, y int) bool {
		return x < 0 || y < 0 || x >= code.Size || y >= code.Size || !code.Black(x, y)
	}
	out := bufio.NewWriter(w)
	for y := -quiet; y < code.Size+quiet; y += 2 {
		line := ""
		for x := -quiet; x < code.Size+quiet; x++ {
			line += halfBlock(light(x, y), light(x, y+1))
		}
		if coloured {
			line = "\x1b[38;5;231;48;5;16m" + line + "\x1b[0m"
		}
		fmt.Fprintln(out, line)
	}
	return out.Flush()
}

// halfBlock is the character of which the upper and the lower half are light.
func halfBlock(upper, lower bool) string {
	switch {
	case upper && lower:
		return "█"
	case upper:
		return "▀"
	case lower:
		return "▄"
	}
	return " "
}
