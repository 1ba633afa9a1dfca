package agent

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/answer"
	"onlooker/input"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	visionwitness "onlooker/vision/witness"
)

// A column is a pillar on the screen: a panel wound round it, seen from 8 radii
// away.
type column struct {
	cols, rows int
	wound      *image.RGBA // the panel's picture, unrolled
	pitch      float64     // of wound, in pixels a cell
	origin     image.Point // its node (0, 0)
}

func newColumn(t *testing.T, text string) *column {
	t.Helper()
	p, err := forms.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	// Unrolled it is a flat panel, whose last column is its first again.
	flat := witness.New(p.Cols, p.Rows, false)
	for at := range flat.Points() {
		*flat.At(at) = *p.At(at)
	}
	const pitch = 80.0
	style := drawing.Typical(profile(t))
	style.Ground, style.Lines = color.NRGBA{107, 67, 0, 255}, color.NRGBA{201, 126, 0, 255}
	least, _ := picture.Extent(drawing.Shapes(flat, nil, style))
	return &column{
		cols: p.Cols, rows: p.Rows, pitch: pitch, wound: drawing.Draw(flat, style, pitch),
		origin: image.Pt(int(math.Round(-least.X*pitch/2)), int(math.Round(-least.Y*pitch/2))),
	}
}

// frame is what is seen when a column of half-cells faces the viewer.
func (c *column) frame(faced float64) *image.RGBA {
	const away, half, middle, level = 8.0, 100.0, 320.0, 400.0
	const e = 1 / away
	m := image.NewRGBA(image.Rect(0, 0, 640, 800))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{12, 10, 8, 255}), image.Point{}, draw.Src)
	root := math.Sqrt(1 - e*e)
	around := 2 * math.Pi / float64(c.cols) // radii, and the rows' pitch too
	const fine = 2                          // samples a pixel each way
	for x := int(middle - half); x <= int(middle+half); x++ {
		// Of each sample's upright line: where round it is, and how its rows are seen.
		var col, high [fine]float64
		var on [fine]bool
		for i := range fine {
			u := (float64(x) + (float64(i)+0.5)/fine - 0.5 - middle) / half
			a := math.Hypot(root, u*e)
			if on[i] = math.Abs(u) <= 1; on[i] {
				theta := math.Asin(u/a) - math.Atan2(u*e, root)
				high[i] = (1 - e*math.Cos(theta)) / (half * root)
				col[i] = math.Mod(faced/2+theta/around+4*float64(c.cols), float64(c.cols))
			}
		}
		for y := range m.Rect.Dy() {
			var sum [3]int
			for i := range fine * fine {
				k := i % fine
				r, g, b := 12, 10, 8
				if on[k] {
					v := (float64(y) + (float64(i/fine)+0.5)/fine - 0.5 - level) * high[k]
					if row := v/around + float64(c.rows)/2; row > -0.5 && row < float64(c.rows)+0.5 {
						p := c.wound.RGBAAt(c.origin.X+int(math.Round(col[k]*c.pitch)), c.origin.Y+int(math.Round(row*c.pitch)))
						r, g, b = int(p.R), int(p.G), int(p.B)
					}
				}
				sum[0], sum[1], sum[2] = sum[0]+r, sum[1]+g, sum[2]+b
			}
			const n = fine * fine
			m.SetRGBA(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return m
}

// lonely is a pillar on which hardly anything stands: its views go together in
// many ways.
const lonely = `pillar 6x6
+-^-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |a
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-+-+-+-+-+-
| | | | | |
+-@-+-+-+-+-
a = white square
`

func (c *column) find(t *testing.T, faced float64) *vision.Board {
	t.Helper()
	boards, err := vision.Locate(c.frame(faced), profile(t).Board)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range boards {
		if b.Pillar && b.Cols == c.cols && b.Rows == c.rows {
			return b
		}
	}
	t.Fatalf("no pillar among %d boards", len(boards))
	return nil
}

func TestSpin(t *testing.T) {
	c := newColumn(t, lonely)
	for _, row := range []struct {
		why    string
		turns  []float64 // what faces the viewer, frame by frame
		toward float64
	}{
		{"small steps up", []float64{0.4, 0.9, 1.4, 2, 2.6, 3.3, 4}, math.NaN()},
		{"small steps down, past column 0", []float64{-0.8, -1.6, -2.4, -3.2, -4}, math.NaN()},
		{"to and fro", []float64{0.7, 0.1, -0.6, 0.2}, math.NaN()},
		{"a jump of 1.4 half-cells, known to go up", []float64{1.4, 1.9, 2}, 2},
		{"a jump of 1.4 half-cells, known to go down", []float64{-1.4, -2}, -2},
		{"a little beyond, and back", []float64{0.9, 1.8, 2.2, 2}, 2},
		{"it stays", []float64{0, 0.01, 0}, 2},
	} {
		start := 0.6
		turned := newSpin(c.find(t, start))
		from := turned.faced
		if !math.IsNaN(row.toward) {
			turned.toward = from + row.toward
		}
		for i, by := range row.turns {
			turned.see(c.frame(start + by))
			if got := turned.faced - from; math.Abs(got-by) > 0.05 {
				t.Errorf("%s: frame %d turned by %.2f half-cells, want %.2f", row.why, i+1, got, by)
				break
			}
		}
	}
}

// A page that comes over a pillar when its answer was accepted is told from a line that
// went: the cells above and below the end go as well, though the end alone is watched.
func TestPillarWent(t *testing.T) {
	c := newColumn(t, lonely)
	turned := newSpin(c.find(t, 2))
	end := int(math.Round(turned.faced/2)) * 2
	var stroke solve.Stroke
	for y := 12; y >= 0; y -= 2 {
		stroke = append(stroke, image.Pt(end, y))
	}
	stroke = append(stroke, image.Pt(end, -1))
	tr := &Tracing{sheet: Sheet{Projection: answer.Projection{At: turned.at}}, stroke: stroke, spin: turned, watched: stroke[len(stroke)-3:]}
	before, now := c.frame(2), c.frame(2)
	if boardWent(before, now, tr.sheet, tr.judged()) {
		t.Error("the same frame: the pillar went, want it to stay")
	}
	page := now.Rect.Inset(120)
	draw.Draw(now, page, image.NewUniform(color.RGBA{12, 6, 3, 255}), image.Point{}, draw.Src)
	if !boardWent(before, now, tr.sheet, tr.judged()) {
		t.Errorf("a page over %v: the pillar stays, want it to have gone", page)
	}
}

// TestTurnedViews: where it is known how far a pillar was turned, one with few
// marks is read, and it is known which column is which.
func TestTurnedViews(t *testing.T) {
	c := newColumn(t, lonely)
	first := c.find(t, 3)
	turned := newSpin(first)
	joined, known := visionwitness.NewReader(profile(t)), visionwitness.NewReader(profile(t))
	if err := known.AddTurned(first, 0); err != nil {
		t.Fatal(err)
	}
	if err := joined.Add(first); err != nil {
		t.Fatal(err)
	}
	for faced := 3.5; faced <= 11; faced += 0.5 {
		frame := c.frame(faced)
		turned.see(frame)
		if math.Mod(faced-3, 2) != 0 {
			continue
		}
		view := first.Turned(frame, turned.phase)
		if err := known.AddTurned(view, turned.column(view)); err != nil {
			t.Fatal(err)
		}
		if err := joined.Add(view); err != nil {
			t.Fatal(err)
		}
	}
	got, err := known.Panel()
	if err != nil {
		t.Fatal(err)
	}
	want, err := forms.Parse([]byte(lonely))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Spots) != len(want.Spots) {
		t.Fatalf("%d half-cells, want %d", len(got.Spots), len(want.Spots))
	}
	for at := range want.Points() {
		if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
			t.Errorf("at %v: %+v, want %+v", at, *g, *w)
		}
	}
	// What faces the viewer now, in the panel's columns, is what was drawn.
	if off := math.Remainder(turned.faced+2*float64(known.Column())-11, 12); math.Abs(off) > 0.1 {
		t.Errorf("column %d is column 0 of the first view: %.2f half-cells off", known.Column(), off)
	}
	if _, err := joined.Panel(); err == nil {
		t.Error("joined by its marks alone it is read as well, want unsure")
	}
	if err := known.AddTurned(&vision.Board{Cols: 6, Rows: 6}, 0); err == nil {
		t.Error("a flat board is taken for a view")
	}
}

// TestLoopFollowsPillar turns a pillar before a loop that only looks: it is
// answered once all of it was in view, and not before.
func TestLoopFollowsPillar(t *testing.T) {
	c := newColumn(t, lonely)
	var frames []*image.RGBA
	rest := func(faced float64) {
		for range 4 {
			frames = append(frames, c.frame(faced))
		}
	}
	rest(3)
	for faced := 3.5; faced <= 13; faced += 0.5 {
		if frames = append(frames, c.frame(faced)); math.Mod(faced-3, 2) == 0 {
			rest(faced)
		}
	}
	onItsOwnClock(t, "turned by a column at a time", func(t *testing.T) {
		game := real()
		game.Family = &solve.Family{Name: "witness"}
		var read []string
		loop := &Loop{Source: &reel{frames: frames, end: io.EOF}, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{profile(t)}}}}
		err := loop.Run(t.Context(), func(turn *Turn) error {
			for _, b := range turn.Boards {
				if b.New && b.Text != "" {
					read = append(read, b.Text)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(read) != 1 {
			t.Fatalf("read %q, want one puzzle", read)
		}
		got, err := forms.Parse([]byte(read[0]))
		if err != nil {
			t.Fatal(err)
		}
		want, err := forms.Parse([]byte(lonely))
		if err != nil {
			t.Fatal(err)
		}
		for at := range want.Points() {
			if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
				t.Errorf("at %v: %+v, want %+v", at, *g, *w)
			}
		}
	})
}

// A turnstile is a pillar that a key turns by a column, as the practice page does.
type turnstile struct {
	*column
	mu       sync.Mutex
	from, to float64 // what faced the viewer before the last key, and will
	pressed  time.Time
	keys     int
	last     *image.RGBA // the last frame, of what faced the viewer then
	lastOf   float64
}

func (s *turnstile) faced() float64 {
	const turnTime = 220 * time.Millisecond
	return s.from + (s.to-s.from)*min(1, float64(time.Since(s.pressed))/float64(turnTime))
}

func (s *turnstile) Grab(context.Context) (*image.RGBA, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.faced(); s.last == nil || at != s.lastOf {
		s.last, s.lastOf = s.frame(at), at
	}
	return s.last, nil
}

func (s *turnstile) Key(k input.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k == "e" {
		s.from, s.to, s.pressed = s.faced(), s.to+2, time.Now()
		s.keys++
	}
	return nil
}

func (s *turnstile) Bounds() image.Rectangle       { return image.Rect(0, 0, 640, 800) }
func (s *turnstile) Close() error                  { return nil }
func (s *turnstile) MoveTo(image.Point) error      { return nil }
func (s *turnstile) MoveBy(int, int) error         { return nil }
func (s *turnstile) Press(input.Button) error      { return nil }
func (s *turnstile) Release(input.Button) error    { return nil }
func (s *turnstile) Pointer() (image.Point, error) { return image.Point{}, nil }

// TestDriverTurnsPillar: a pillar is turned by the client's key until it is read, no
// further than once round, and the record gives the same run again. A hand on the
// mouse ends it when its answer is known.
func TestDriverTurnsPillar(t *testing.T) {
	c := newColumn(t, lonely)
	onItsOwnClock(t, "a key for a column", func(t *testing.T) {
		s := &turnstile{column: c, from: 3, to: 3}
		turns := func(ctx context.Context, source capture.Source, mouse Mouse, clock Clock, seen func()) (*drove, []string) {
			game := real()
			game.Family = &solve.Family{Name: "witness"}
			var read []string
			d := &Driver{
				Player:   &Player{Source: source, Mouse: mouse, Clock: clock},
				Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{profile(t)}}},
				Want:     1, Patience: 5 * time.Second,
			}
			d.Seen = func(t *Drive) { read = append(read, t.Text); seen() }
			return d.watched(ctx), read
		}
		folder := t.TempDir()
		tape, err := NewTape(folder, s, s)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancelCause(t.Context())
		got, read := turns(ctx, tape, tape, tape, func() { stop(ErrHand) })
		if err := tape.Close(); err != nil {
			t.Fatal(err)
		}
		if !errors.Is(got.err, ErrHand) || len(read) != 1 || !slices.Contains(got.states, string(Circle)) || s.keys > s.cols {
			t.Fatalf("%s; read %q with %d keys: want one board read within a turn", got, read, s.keys)
		}
		replay, err := OpenReplay(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer replay.Close()
		again, readAgain := turns(replay.Context(t.Context()), replay, replay, replay, func() {})
		if err := replay.Done(); err != nil {
			t.Error(err)
		}
		if again.String() != got.String() || !slices.Equal(read, readAgain) {
			t.Errorf("replayed as\n%s\n%q\nwant\n%s\n%q", again, readAgain, got, read)
		}
	})
}
