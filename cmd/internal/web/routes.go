package web

import (
	"io/fs"
	"net/http"
	"runtime"

	"onlooker/cmd/internal/answer"
)

// NewServer returns the page.
func NewServer(o Options) *Server {
	s := &Server{options: o, mux: http.NewServeMux(), searches: newQueue(runtime.NumCPU() + 1), works: newQueue(runtime.NumCPU() + 1), large: make(chan struct{}, maxLarge), pictures: make(chan struct{}, maxPictures)}
	s.service = &answer.Service{Version: o.Solver}
	if o.Store != nil {
		s.service.Memory = answer.StoreMemory{Store: o.Store}
	}
	s.eye.make = o.Eye
	s.eye.turns = newQueue(1)
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded: only a wrong name here can fail
	}
	s.mux.Handle("GET /", filesOf(files))
	s.mux.HandleFunc("GET /api/games", s.games)
	s.mux.HandleFunc("POST /api/open", s.open)
	s.mux.HandleFunc("POST /api/look", s.look)
	s.mux.HandleFunc("POST /api/draw", s.worker(s.draw))
	s.mux.HandleFunc("POST /api/save", s.worker(s.save))
	s.mux.HandleFunc("POST /api/solve", s.solve)
	s.mux.HandleFunc("POST /api/answers", s.answers)
	s.mux.HandleFunc("POST /api/count", s.countAll)
	s.mux.HandleFunc("POST /api/random", s.random)
	s.mux.HandleFunc("POST /api/play", s.worker(s.play))
	s.mux.HandleFunc("POST /api/check", s.worker(s.check))
	s.mux.HandleFunc("POST /api/hint", s.worker(s.hint))
	s.mux.HandleFunc("POST /api/list", s.worker(s.list))
	s.mux.HandleFunc("POST /api/facets", s.worker(s.facets))
	s.mux.HandleFunc("POST /api/kept", s.worker(s.kept))
	s.mux.HandleFunc("GET /api/kept/{id}/board.svg", s.thumb)
	s.mux.HandleFunc("POST /api/marked", s.worker(s.marked))
	s.mux.HandleFunc("POST /api/mark", s.worker(s.mark))
	s.mux.HandleFunc("POST /api/played", s.worker(s.played))
	s.mux.HandleFunc("POST /api/forget", s.worker(s.forget))
	s.mux.HandleFunc("POST /api/pick", s.worker(s.pick))
	s.mux.HandleFunc("POST /api/blank", s.worker(s.blank))
	s.mux.HandleFunc("POST /api/edit", s.worker(s.edit))
	if o.Teach != nil {
		s.teaches()
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
