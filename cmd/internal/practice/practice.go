// Package practice serves the Challenge of The Witness as a web page, so that
// anybody can train for it: 14 solves dealt from a seed, answers judged by the
// rules of the game on the server, a clock, and the game's ways of failing.
//
// The page is plain HTML, CSS and JavaScript modules, embedded in the binary.
// It draws with a 2D canvas: every shape is projected point by point, so flat,
// tilted and lying panels and pillars are one code path.
package practice

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

//go:embed static
var static embed.FS

// Looks are the names of the looks that the page has, in its order.
func Looks() (names []string) {
	data, err := static.ReadFile("static/looks.js")
	if err != nil {
		panic(err) // the file is embedded: only a wrong name here can fail
	}
	for _, m := range regexp.MustCompile(`(?m)^  look\('(\w+)'`).FindAllSubmatch(data, -1) {
		names = append(names, string(m[1]))
	}
	return names
}

// maxRuns is how many runs a server keeps before it drops the oldest.
const maxRuns = 64

// A Server holds the runs of its visitors.
type Server struct {
	mux  *http.ServeMux
	now  func() time.Time
	deal dealer
	// judge has the word on what is an answer.
	judge solve.Referee

	mu   sync.Mutex
	runs map[string]*Run
	ids  []string // oldest first
}

// NewServer returns a server without runs, whose visitors' answers judge judges.
func NewServer(judge solve.Referee) *Server {
	s := &Server{mux: http.NewServeMux(), now: time.Now, deal: deal, judge: judge, runs: map[string]*Run{}}
	files, err := fs.Sub(static, "static")
	if err != nil {
		panic(err) // the folder is embedded: only a wrong name here can fail
	}
	page := http.FileServerFS(files)
	s.mux.Handle("GET /", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache") // a newer binary serves newer files under the same names
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		page.ServeHTTP(w, r)
	}))
	s.mux.HandleFunc("GET /api/parts", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(Parts()) // a visitor who left
	})
	s.mux.HandleFunc("POST /api/runs", s.create)
	s.mux.HandleFunc("GET /api/runs/{id}", s.with(func(*http.Request, *Run) (any, error) { return nil, nil }))
	s.mux.HandleFunc("POST /api/runs/{id}/start", s.with(func(_ *http.Request, run *Run) (any, error) {
		return nil, run.Start(s.now())
	}))
	s.mux.HandleFunc("POST /api/runs/{id}/stop", s.with(s.stop))
	s.mux.HandleFunc("POST /api/runs/{id}/answers", s.with(s.answer))
	return s
}

// ServeHTTP answers whoever asks.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// A Result is how far a run came, for a benchmark that judges who played it.
type Result struct {
	Seed    uint64
	Phase   Phase
	Solved  int // slots
	Wrong   int // answers that were submitted and refused
	Elapsed time.Duration
}

// Last is the result of the run that was dealt last; false before there is one.
func (s *Server) Last() (Result, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.ids) == 0 {
		return Result{}, false
	}
	run := s.runs[s.ids[len(s.ids)-1]]
	run.Tick(s.now())
	r := Result{Seed: run.Seed, Phase: run.Phase, Elapsed: run.Elapsed(s.now())}
	for _, slot := range run.Slots {
		r.Wrong += slot.Wrong
		if slot.Stage == Solved {
			r.Solved++
		}
	}
	return r, true
}

func (s *Server) create(w http.ResponseWriter, r *http.Request) {
	var ask struct {
		Seed string `json:"seed"` // decimal; "" deals a random one
		Part string `json:"part"` // a Part's name; "" is the whole Challenge
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<12)).Decode(&ask); err != nil {
		http.Error(w, "practice: the request: "+solve.JSONError(err).Error(), http.StatusBadRequest)
		return
	}
	seed := uint64(rand.Uint32())
	if ask.Seed != "" {
		var err error
		if seed, err = strconv.ParseUint(ask.Seed, 10, 64); err != nil {
			http.Error(w, fmt.Sprintf("practice: seed %q, want a number from 0 up", ask.Seed), http.StatusBadRequest)
			return
		}
	}
	if ask.Part != "" && !slices.Contains(PartNames(), ask.Part) {
		http.Error(w, fmt.Sprintf("practice: part %q, want one of %s", ask.Part, strings.Join(PartNames(), ", ")), http.StatusBadRequest)
		return
	}
	run, err := newRun(seed, ask.Part, s.deal, s.judge)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id := strconv.FormatUint(rand.Uint64(), 36)
	s.runs[id] = run
	s.ids = append(s.ids, id)
	if len(s.ids) > maxRuns {
		delete(s.runs, s.ids[0])
		s.ids = s.ids[1:]
	}
	s.write(w, id, run, nil)
}

// with finds the run that a request is about, lets act change it and answers
// with the run's state.
func (s *Server) with(act func(*http.Request, *Run) (verdict any, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 1<<16)
		s.mu.Lock()
		defer s.mu.Unlock()
		id := r.PathValue("id")
		run := s.runs[id]
		if run == nil {
			http.Error(w, fmt.Sprintf("practice: no run %q", id), http.StatusNotFound)
			return
		}
		run.Tick(s.now())
		verdict, err := act(r, run)
		if err != nil {
			status := http.StatusBadRequest
			if errors.Is(err, ErrNotNow) {
				status = http.StatusConflict
			}
			http.Error(w, err.Error(), status)
			return
		}
		s.write(w, id, run, verdict)
	}
}

func (s *Server) stop(r *http.Request, run *Run) (any, error) {
	var ask struct {
		Reason string `json:"reason"`
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		return nil, fmt.Errorf("practice: the request: %w", solve.JSONError(err))
	}
	run.Stop(s.now(), ask.Reason)
	return nil, nil
}

type verdictJSON struct {
	OK   bool   `json:"ok"`
	Rule string `json:"rule,omitempty"`
	At   *xy    `json:"at,omitempty"` // half-cells
	Text string `json:"text,omitempty"`
}

func (s *Server) answer(r *http.Request, run *Run) (any, error) {
	var ask struct {
		Slot   int  `json:"slot"`
		Board  int  `json:"board"`
		Stroke []xy `json:"stroke"` // half-cells
	}
	if err := json.NewDecoder(r.Body).Decode(&ask); err != nil {
		return nil, fmt.Errorf("practice: the request: %w", solve.JSONError(err))
	}
	err := run.Answer(r.Context(), s.now(), ask.Slot, ask.Board, solve.PointsOf(ask.Stroke))
	if errors.Is(err, ErrNotNow) || errors.Is(err, ErrNotJudged) {
		return nil, err
	}
	if err == nil {
		return verdictJSON{OK: true}, nil
	}
	v := verdictJSON{Text: err.Error()}
	if broken, ok := errors.AsType[*solve.RuleError](err); ok {
		v.Rule, v.At, v.Text = broken.Rule, &xy{broken.At.X, broken.At.Y}, broken.Got
	}
	return v, nil
}

type xy = [2]int

type runJSON struct {
	ID            string     `json:"id"`
	Seed          string     `json:"seed"`
	Part          string     `json:"part,omitempty"`
	Phase         Phase      `json:"phase"`
	Reason        string     `json:"reason,omitempty"`
	ElapsedMillis int64      `json:"elapsedMillis"`
	LimitMillis   int64      `json:"limitMillis,omitempty"` // of a part: none
	Slots         []slotJSON `json:"slots"`
	Verdict       any        `json:"verdict,omitempty"`
}

type slotJSON struct {
	Kind     string      `json:"kind"`
	Stage    Stage       `json:"stage"`
	Again    bool        `json:"again,omitempty"`
	Deal     int         `json:"deal"`
	Wrong    int         `json:"wrong,omitempty"`
	AtMillis int64       `json:"atMillis,omitempty"`
	Board    int         `json:"board"`
	Stroke   []xy        `json:"stroke,omitempty"`
	Boards   []boardJSON `json:"boards,omitempty"` // nothing of a panel that is dark or off
}

type boardJSON struct {
	Cols     int        `json:"cols"`
	Rows     int        `json:"rows"`
	Pillar   bool       `json:"pillar,omitempty"`
	Symmetry string     `json:"symmetry,omitempty"`
	Spots    []spotJSON `json:"spots"` // the half-cells that are not plain
}

type spotJSON struct {
	X, Y     int
	Gap      board.Gap `json:",omitempty"` // 1 broken, 2 missing
	Start    bool      `json:",omitempty"`
	Cap      *xy       `json:",omitempty"`
	Dot      string    `json:",omitempty"` // its colour
	Kind     string    `json:",omitempty"`
	Colour   string    `json:",omitempty"`
	Count    int       `json:",omitempty"`
	Shape    []xy      `json:",omitempty"`
	Turnable bool      `json:",omitempty"`
}

// dotColour is the colour in which a dot is drawn. The two lines of the
// symmetric panel are cyan and orange in the game.
func dotColour(d board.Dot) string {
	switch {
	case !d.On || d.Invisible:
		return ""
	case d.Colour != "":
		return string(d.Colour)
	case d.Line == board.OwnLine:
		return string(board.Cyan)
	case d.Line == board.OtherLine:
		return string(board.Orange)
	}
	return string(board.Black)
}

func encodeBoard(p *board.Panel) boardJSON {
	b := boardJSON{Cols: p.Cols, Rows: p.Rows, Pillar: p.Pillar}
	if p.Symmetry != board.NoSymmetry {
		b.Symmetry = p.Symmetry.String()
	}
	for at := range p.Points() {
		s := p.At(at)
		j := spotJSON{
			X: at.X, Y: at.Y, Gap: s.Gap, Start: s.Start, Dot: dotColour(s.Dot), Kind: s.Kind.ShapeName(),
			Count: s.Count, Turnable: s.Turnable,
		}
		if s.IsEnd() {
			j.Cap = &xy{s.Cap.X, s.Cap.Y}
		}
		if j.Kind != "" {
			j.Colour = string(s.Symbol.Colour)
		}
		j.Shape = solve.PairsOf(s.Shape)
		if j.Gap != 0 || j.Start || j.Cap != nil || j.Dot != "" || j.Kind != "" {
			b.Spots = append(b.Spots, j)
		}
	}
	return b
}

// write answers with the state of a run; the server's lock is held.
func (s *Server) write(w http.ResponseWriter, id string, run *Run, verdict any) {
	out := runJSON{
		ID: id, Seed: strconv.FormatUint(run.Seed, 10), Part: run.Part, Phase: run.Phase, Reason: run.Reason,
		ElapsedMillis: run.Elapsed(s.now()).Milliseconds(), Verdict: verdict,
	}
	if run.Part == "" {
		out.LimitMillis = Limit.Milliseconds()
	}
	for _, slot := range run.Slots {
		j := slotJSON{
			Kind: slot.Kind, Stage: slot.Stage, Again: slot.Again, Deal: slot.Deal, Wrong: slot.Wrong,
			AtMillis: slot.At.Milliseconds(), Board: slot.Board, Stroke: solve.PairsOf(slot.Stroke),
		}
		if slot.Stage == Lit || slot.Stage == Solved {
			for _, p := range slot.Boards {
				j.Boards = append(j.Boards, encodeBoard(p))
			}
		}
		out.Slots = append(out.Slots, j)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err := json.NewEncoder(w).Encode(out); err != nil {
		return // the visitor left: nobody to tell
	}
}
