package web

import (
	"io/fs"
	"net/http"
	"runtime"

	"onlooker/cmd/internal/answer"
)

// NewServer returns the page.
func NewServer(o Options) *Server {
	s := &Server{families: o.Games, options: o, mux: http.NewServeMux(), service: &answer.Service{Version: o.Solver}}
	s.gate = &gate{memory: o.Memory, searches: newQueue(runtime.NumCPU() + 1), works: newQueue(runtime.NumCPU() + 1), large: make(chan struct{}, maxLarge)}
	if o.Store != nil {
		s.service.Memory = answer.StoreMemory{Store: o.Store}
	}
	s.shelf = shelf{families: s.families, gate: s.gate, store: o.Store, service: s.service}
	e := &eye{make: o.Eye, read: o.ReadPicture, turns: newQueue(1), pictures: make(chan struct{}, maxPictures), searches: s.searches, service: s.service}
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded: only a wrong name here can fail
	}
	s.mux.Handle("GET /", filesOf(files))
	s.mux.HandleFunc("GET /api/games", s.games)
	s.mux.HandleFunc("POST /api/open", s.open)
	s.mux.HandleFunc("POST /api/look", e.look)
	s.mux.HandleFunc("POST /api/draw", s.worker(s.draw))
	s.mux.HandleFunc("POST /api/save", s.worker(s.save))
	s.mux.HandleFunc("POST /api/solve", s.solve)
	s.mux.HandleFunc("POST /api/answers", s.answers)
	s.mux.HandleFunc("POST /api/count", s.countAll)
	s.mux.HandleFunc("POST /api/random", s.random)
	s.mux.HandleFunc("POST /api/play", s.worker(s.about(s.play)))
	s.mux.HandleFunc("POST /api/check", s.worker(s.about(s.check)))
	s.mux.HandleFunc("POST /api/hint", s.worker(s.about(s.hint)))
	s.mux.HandleFunc("POST /api/list", s.shelf.asked(s.shelf.list))
	s.mux.HandleFunc("POST /api/facets", s.shelf.asked(s.shelf.facets))
	s.mux.HandleFunc("POST /api/kept", s.shelf.asked(s.shelf.kept))
	s.mux.HandleFunc("GET /api/kept/{id}/board.svg", s.shelf.thumb)
	s.mux.HandleFunc("POST /api/marked", s.shelf.asked(s.shelf.marked))
	s.mux.HandleFunc("POST /api/mark", s.shelf.asked(s.shelf.mark))
	s.mux.HandleFunc("POST /api/played", s.shelf.asked(s.shelf.played))
	s.mux.HandleFunc("POST /api/forget", s.shelf.asked(s.shelf.forget))
	s.mux.HandleFunc("POST /api/pick", s.shelf.asked(s.shelf.pick))
	s.mux.HandleFunc("POST /api/blank", s.worker(s.blank))
	s.mux.HandleFunc("POST /api/edit", s.worker(s.edit))
	if o.Teach != nil {
		(&lesson{families: s.families, gate: s.gate, eye: e, begin: o.Teach}).teaches(s.mux)
	}
	if o.Live != nil {
		s.mux.HandleFunc("GET /live/frame.jpg", o.Live.serveFrame)
		s.mux.HandleFunc("GET /live/events", o.Live.serveEvents)
	}
	if o.Practice != nil {
		inside := http.StripPrefix("/practice", o.Practice)
		s.mux.Handle("GET /practice/", inside)
		s.mux.Handle("POST /practice/", inside)
	}
	return s
}
