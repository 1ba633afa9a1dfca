package web

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/vision/picture"
)

const (
	// maxListed is how many puzzles a page of the list has at most.
	maxListed = 200
	// maxThumb is the most shapes of a picture in the list: a larger board is
	// told in words there, since a list shows dozens at a time.
	maxThumb = 6000
)

// A filterJSON is a filter of the store's list as the page sends it.
type filterJSON struct {
	Family   string   `json:"family,omitempty"`
	Cols     int      `json:"cols,omitempty"`
	Rows     int      `json:"rows,omitempty"`
	Features []string `json:"features,omitempty"`
	Status   string   `json:"status,omitempty"`
	Source   string   `json:"source,omitempty"`
}

func (w *filterJSON) filter() (store.Filter, error) {
	f := store.Filter{Family: w.Family, Cols: w.Cols, Rows: w.Rows, Features: w.Features, Source: w.Source}
	if w.Status == "" {
		return f, nil
	}
	status, err := store.ParseStatus(w.Status)
	f.Status = &status
	return f, err
}

// An entryJSON is a puzzle of the list.
type entryJSON struct {
	ID       int64     `json:"id"`
	Family   string    `json:"family"`
	Text     string    `json:"text,omitempty"`
	Cols     int       `json:"cols"`
	Rows     int       `json:"rows"`
	Features []string  `json:"features"`
	Status   string    `json:"status"`
	Seen     time.Time `json:"seen"`
}

func listed(e *store.Entry) entryJSON {
	return entryJSON{e.ID, e.Family, "", e.Cols, e.Rows, e.Features, e.Status.String(), e.Seen}
}

var errNoStore = errors.New("nothing is kept here")

// A shelf is the puzzles that are kept.
type shelf struct {
	families
	gate    *gate
	store   *store.Store // nil: nothing is kept
	service *answer.Service
}

// asked wraps what is asked of the shelf.
func (s *shelf) asked(f func(ctx context.Context, a *request) (any, error)) http.HandlerFunc {
	if s.store == nil {
		f = func(context.Context, *request) (any, error) { return nil, errNoStore }
	}
	return s.gate.worker(s.gate.works, f)
}

// list answers with a page of the puzzles that are wanted, the newest first: Number of them
// after the one numbered ID, and at the beginning how many there are.
func (s *shelf) list(ctx context.Context, a *request) (any, error) {
	f, err := a.Wanted.filter()
	if err != nil {
		return nil, err
	}
	entries, err := s.store.List(ctx, f, a.ID, min(max(a.Number, 1), maxListed))
	if err != nil {
		return nil, gone(err)
	}
	out := struct {
		Entries []entryJSON `json:"entries"`
		Count   *int        `json:"count,omitempty"`
	}{Entries: []entryJSON{}}
	for i := range entries {
		out.Entries = append(out.Entries, listed(&entries[i]))
	}
	if a.ID == 0 {
		n, err := s.store.Count(ctx, f)
		if err != nil {
			return nil, err
		}
		out.Count = &n
	}
	return out, nil
}

// facets answers with what the list can be filtered by.
func (s *shelf) facets(ctx context.Context, _ *request) (any, error) {
	f, err := s.store.Facets(ctx)
	if err != nil {
		return nil, err
	}
	type size struct {
		Cols  int `json:"cols"`
		Rows  int `json:"rows"`
		Count int `json:"count"`
	}
	sizes := map[string][]size{}
	for family, of := range f.Sizes {
		for at, n := range of {
			sizes[family] = append(sizes[family], size{at[0], at[1], n})
		}
		slices.SortFunc(sizes[family], func(a, b size) int { return 1000*(a.Cols-b.Cols) + a.Rows - b.Rows })
	}
	statuses := map[string]int{}
	for status, n := range f.Statuses {
		statuses[status.String()] = n
	}
	return struct {
		Families map[string]int            `json:"families"`
		Features map[string]map[string]int `json:"features"`
		Sizes    map[string][]size         `json:"sizes"`
		Statuses map[string]int            `json:"statuses"`
		Sources  map[string]int            `json:"sources"`
	}{f.Families, f.Features, sizes, statuses, f.Sources}, nil
}

// A placedJSON is where a puzzle was seen.
type placedJSON struct {
	Source string    `json:"source"`
	Place  string    `json:"place,omitempty"`
	Last   time.Time `json:"last"`
	Times  int       `json:"times"`
}

// kept answers with a puzzle of the store: the one numbered ID, or its
// neighbour in the list, before it (Step −1) or after it (Step 1).
func (s *shelf) kept(ctx context.Context, a *request) (any, error) {
	f, err := a.Wanted.filter()
	if err != nil {
		return nil, err
	}
	var e store.Entry
	if a.Step == 0 {
		e, err = s.store.Get(ctx, a.ID)
	} else {
		e, err = s.store.Neighbour(ctx, f, a.ID, a.Step < 0)
	}
	if err != nil {
		return nil, gone(err)
	}
	seen, err := s.store.Sightings(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	out := struct {
		entryJSON
		Places []placedJSON `json:"places"`
	}{entryJSON: listed(&e), Places: []placedJSON{}}
	out.Text = e.Text
	for _, p := range seen {
		out.Places = append(out.Places, placedJSON{p.Source, p.Place, p.Last, p.Times})
	}
	return out, nil
}

// forget takes a puzzle out of the store.
func (s *shelf) forget(ctx context.Context, a *request) (any, error) {
	return struct{}{}, gone(s.store.Forget(ctx, a.ID))
}

// tooLarge stands for the picture of a board that is too large for one.
const tooLarge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120"><rect width="120" height="120" fill="#666"/><text x="60" y="66" text-anchor="middle" font-family="sans-serif" font-size="16" fill="#fff">large board</text></svg>`

// thumb is the picture of a puzzle of the store.
func (s *shelf) thumb(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil || s.store == nil {
		http.NotFound(w, r)
		return
	}
	e, err := s.store.Get(r.Context(), id)
	if err != nil {
		fail(w, status{http.StatusNotFound, err})
		return
	}
	var out bytes.Buffer
	err = s.gate.do(r.Context(), s.gate.works, func(ctx context.Context) error {
		g, p, err := s.puzzle(ctx, &request{Family: e.Family, Text: e.Text})
		if err != nil {
			return err
		}
		shapes, err := shapesOf(g, p, nil, maxThumb)
		if err != nil {
			_, err = out.WriteString(tooLarge)
			return err
		}
		return picture.SVG(&out, shapes, scale)
	})
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "private, max-age=3600") // a puzzle never changes
	_, _ = w.Write(out.Bytes())                              // a browser that went away
}

// keep keeps a puzzle that came from somewhere, with what was found of it (nil: nobody
// asked), before it is told.
func (s *shelf) keep(source string, g *see.Game, p solve.Puzzle, found *answer.Result) error {
	if s.store == nil || !slices.Contains([]string{store.Page, store.Picture, store.Generated}, source) {
		return nil
	}
	now := time.Now()
	news := s.service.News(g.Name, p, found, store.Origin{Source: source, First: now, Last: now, Times: 1})
	return s.service.Begin(news)()
}
