package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"rsc.io/qr"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/practice"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/web"
)

// servePort is the port of the page unless another is asked for: links into
// the page stay good from one day to the next. No registered service has it.
const servePort = 7763

func newServe(p *program.Program) *cobra.Command {
	var port int
	var quiet bool
	var kept program.StoreFlags
	memory := pageMemory
	c := &cobra.Command{
		Use:   "serve [FILE]",
		Short: "Paste, browse, edit, play and make puzzles in the browser",
		Long: `serve is a page for the browser, on this machine only: paste or drop puzzles in
any form or pictures of them, step through their answers, edit boards of every
family while the solver looks on, play them by hand, and deal random ones. The
practice Challenge is in it, too. A FILE that is named is opened in it: a board
of a picture that is not read is put right there, laid over the picture.`,
		Args: cli.Takes(1),
		RunE: program.Runs(func(ctx context.Context, args []string) error {
			given := web.Given{}
			for _, name := range args {
				data, _, err := (&intake.Decoder{In: p.In}).Load(name)
				if err != nil {
					return err
				}
				given = web.Given{Name: filepath.Base(name), Data: data}
			}
			page, closePage := page(ctx, p, kept, memory, given)
			defer closePage()
			return serveLocal(ctx, p, "serve", port, quiet, page, nil)
		}),
	}
	f := c.Flags()
	f.IntVar(&port, "port", servePort, "port on 127.0.0.1; 0 takes a free one")
	f.BoolVar(&quiet, "no-open", false, "print the page's address and open no browser")
	f.Var(&memory, "memory", "take no more memory than this")
	kept.Register(c)
	return c
}

// pageMemory is how much memory the page takes unless more is allowed: room
// for a picture of 16 megapixels and a search beside it.
const pageMemory program.MemorySize = 1 << 30

// pageOptions are what every page has.
func pageOptions(p *program.Program, memory program.MemorySize) web.Options {
	return web.Options{
		Games:       p.Games.List,
		Decode:      func(text []byte, family, rules string) iter.Seq[web.FoundBoard] { return found(p, text, family, rules) },
		Eye:         func() (*see.Eye, error) { return p.Games.PictureEye("auto") },
		ReadPicture: capture.ReadPicture,
		Learn:       (&calibrate.Calibrator{Games: p.Games}).Keep,
		Practice:    practice.NewServer(answer.Judge),
		Memory:      int64(memory),
		Solver:      program.SolverVersion(),
	}
}

// page is the local page with all that there is to it; closing it closes the
// store.
func page(ctx context.Context, p *program.Program, kept program.StoreFlags, memory program.MemorySize, given web.Given) (page http.Handler, closer func()) {
	o := pageOptions(p, memory)
	o.Given = given
	memory.Bound(ctx)
	closer = func() {}
	if !kept.None {
		m := p.Keeper(kept)
		o.Store, closer = m.Open(ctx), m.Close
	}
	return web.NewServer(o).Local(), closer
}

// found yields the boards of a text that was pasted; it never opens a file.
func found(p *program.Program, text []byte, family, rules string) iter.Seq[web.FoundBoard] {
	return func(yield func(web.FoundBoard) bool) {
		d, err := intake.NewDecoder(context.Background(), p.Games, p.In, intake.Flags{Rules: rules, LookFlags: intake.LookFlags{Family: family}})
		if err != nil {
			yield(web.FoundBoard{Err: err})
			return
		}
		d.Text("what was pasted", text, true, func(b intake.Board) bool {
			err := b.Err
			if form, ok := errors.AsType[*intake.FormError](err); ok {
				err = errors.New(form.Text + `: choose its family under "as" to be told more`)
			}
			return yield(web.FoundBoard{Game: b.Game, Puzzle: b.Puzzle, Err: err})
		})
	}
}

// occupied says what helps where a port is another program's.
func occupied(err error) error {
	const windows = syscall.Errno(10048) // WSAEADDRINUSE
	if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, windows) {
		where := "the address"
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Addr != nil {
			where = op.Addr.String()
		}
		return fmt.Errorf("%s is taken: another program has that port, perhaps another onlooker; name another one, or 0 for a free one", where)
	}
	return err
}

// serveLocal serves a page on this machine until the context ends, and opens
// it in the browser unless that is to stay quiet.
func serveLocal(ctx context.Context, p *program.Program, name string, port int, quiet bool, page http.Handler, query url.Values) error {
	if port < 0 || port > 65535 {
		return cli.Misusef("--port %d, want a number from 0 to 65535", port)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return fmt.Errorf("%s: %w", name, occupied(err))
	}
	at := url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/", RawQuery: query.Encode()}
	fmt.Fprintf(p.Out, "%s: %s\n", name, &at)
	if !quiet {
		if err := browse(ctx, at.String()); err != nil {
			fmt.Fprintf(p.Err, "%s: no browser opened (%v): open the page yourself\n", name, err)
		}
	}
	server := web.NewLimited(page)
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

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
		if cli.Terminal(p.Err) {
			if err := printQR(p.Err, s.URL, cli.Colours(p.Err)); err != nil {
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

func newPractice(p *program.Program) *cobra.Command {
	var port int
	var seed, look, part string
	var sensitivity float64
	var quiet bool
	c := &cobra.Command{
		Use:   "practice",
		Short: "Play the Challenge in the browser",
		Long: `practice serves the whole Challenge as a page for the browser, on this machine
only: 14 solves dealt from a seed, answers judged by the rules, a clock, and
the game's ways of failing. A part of it can be trained by itself: six puzzles
without a clock, with a best time of its own.`,
		Args: cli.Takes(0),
		RunE: program.Runs(func(ctx context.Context, _ []string) error {
			query := url.Values{}
			if seed != "" {
				if _, err := strconv.ParseUint(seed, 10, 64); err != nil {
					return cli.Misusef("--seed is %q, want a number from 0 up", seed)
				}
				query.Set("seed", seed)
			}
			if look != "" {
				names := practice.Looks()
				if n, err := strconv.Atoi(look); !slices.Contains(names, look) && (err != nil || n < 0 || n >= len(names)) {
					return cli.Misusef("--look %q, want one of %s, or a number from 0 to %d", look, strings.Join(names, ", "), len(names)-1)
				}
				query.Set("look", look)
			}
			if part != "" {
				if !slices.Contains(practice.PartNames(), part) {
					return cli.Misusef("--part %q, want one of %s", part, strings.Join(practice.PartNames(), ", "))
				}
				query.Set("part", part)
			}
			if sensitivity <= 0 {
				return cli.Misusef("--sensitivity is %g, want more than 0", sensitivity)
			}
			if sensitivity != 1 {
				query.Set("sens", strconv.FormatFloat(sensitivity, 'g', -1, 64))
			}
			return serveLocal(ctx, p, "practice", port, quiet, web.Only(practice.NewServer(answer.Judge)), query)
		}),
	}
	f := c.Flags()
	f.IntVar(&port, "port", 0, "port on 127.0.0.1; 0 takes a free one")
	f.StringVar(&seed, "seed", "", "deal this seed instead of a random one")
	f.StringVar(&part, "part", "", "train this part alone: "+strings.Join(practice.PartNames(), ", "))
	f.StringVar(&look, "look", "", "a look's name or number, 0 to 9; by the seed without it")
	f.Float64Var(&sensitivity, "sensitivity", 1, "pixels of the page per pixel of the mouse")
	f.BoolVar(&quiet, "no-open", false, "print the page's address and open no browser")
	return c
}

// browse opens an address in the user's browser.
func browse(ctx context.Context, address string) error {
	switch runtime.GOOS {
	case "windows":
		return exec.CommandContext(ctx, "rundll32", "url.dll,FileProtocolHandler", address).Start()
	case "darwin":
		return exec.CommandContext(ctx, "open", address).Start()
	}
	path, err := exec.LookPath("xdg-open")
	if err != nil {
		return err
	}
	return exec.CommandContext(ctx, path, address).Start()
}
