package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/spf13/cobra"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/local"
	"onlooker/cmd/internal/misuse"
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
		Args: misuse.Takes(1),
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
		d, err := intake.NewDecoder(p.Games, p.In, intake.Flags{Rules: rules, LookFlags: intake.LookFlags{Family: family}})
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
		return misuse.Errorf("--port %d, want a number from 0 to 65535", port)
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
	server := local.NewServer(page)
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
