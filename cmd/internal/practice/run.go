package practice

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
)

// Limit is how long the Challenge's music plays.
const Limit = 6*time.Minute + 30*time.Second

// SlotCount is the number of solves from start to end.
const SlotCount = 14

// A Stage is the lighting of one slot.
type Stage string

// The stages of a slot.
const (
	Dark   Stage = "dark"   // not reached yet
	Lit    Stage = "lit"    // waits for an answer
	Off    Stage = "off"    // a wrong answer powered it off; comes back new once the one before it is solved again
	Solved Stage = "solved" // its answer is shown on it
)

// A Phase is how far a run is.
type Phase string

// The phases of a run.
const (
	Ready   Phase = "ready"
	Running Phase = "running"
	Won     Phase = "won"
	Lost    Phase = "lost"    // the music ended
	Aborted Phase = "aborted" // paused
)

// A Slot is one solve: a single panel, or three of which one has an answer.
type Slot struct {
	Kind   string
	Boards []*board.Panel
	Stage  Stage
	Again  bool          // lit once more because the slot after it failed
	Deal   int           // how often it was dealt, 1 the first time
	At     time.Duration // since the start: when it was solved
	Board  int           // which of Boards was answered
	Stroke solve.Stroke  // the answer, once solved
	Wrong  int           // wrong answers so far
}

// A dealer deals the boards of a slot anew.
type dealer func(rng *rand.Rand, kind string) ([]*board.Panel, error)

// A Part is some kinds of the Challenge's puzzles, to be trained by themselves.
type Part struct {
	Name  string   `json:"name"`
	Kinds []string `json:"kinds"`
}

// Parts are what can be trained by itself.
func Parts() []Part {
	return []Part{
		{"mazes", []string{"maze-3", "maze-7", "column-maze"}},
		{"squares", []string{"squares"}},
		{"map", []string{"pedestal"}},
		{"pieces", []string{"polyominoes"}},
		{"stars", []string{"stars"}},
		{"symmetry", []string{"symmetry"}},
		{"triples", []string{"triple-2", "triple-3"}},
		{"triangles", []string{"triangles-6", "triangles-8"}},
		{"pillars", []string{"pillar-dots", "pillar-squares"}},
	}
}

// PartCount is the number of solves of a part.
const PartCount = 6

// A Run is one try at the Challenge, from the first panel to the last or to
// the end of the music. It is not safe for concurrent use.
type Run struct {
	Seed    uint64
	Part    string // what is trained, one panel after the other without an end of the music; "": all
	Phase   Phase
	Reason  string
	Slots   []*Slot
	began   time.Time
	ended   time.Duration
	rng     *rand.Rand
	deal    dealer
	judge   solve.Referee
	solved  []int         // slots in the order of their solving
	waiting map[int][]int // solved again → slots that come back new
}

// ErrNotNow says that an answer came for a panel that is not lit, or outside
// the run's time.
var ErrNotNow = errors.New("not now")

// ErrNotJudged says that the request ended before its answer was judged.
var ErrNotJudged = errors.New("not judged")

// kinds lists the slots from the first to the last; 4 to 7 are dealt in any
// order (round the column).
var kinds = [SlotCount]string{
	"maze-3", "maze-7", "squares", "pedestal",
	"polyominoes", "stars", "symmetry", "column-maze",
	"triple-2", "triple-3",
	"triangles-6", "triangles-8",
	"pillar-dots", "pillar-squares",
}

// opens lists, for a slot, the slots that must be solved before it lights.
func (r *Run) opens(slot int) []int {
	switch {
	case slot == 0:
		return nil
	case slot <= 3 || r.Part != "":
		return []int{slot - 1}
	case slot <= 7:
		return []int{3}
	case slot == 8:
		return []int{4, 5, 6, 7}
	case slot == 9:
		return []int{8}
	case slot <= 11:
		return []int{9}
	}
	return []int{10, 11}
}

// newRun deals a Challenge, or a part of it; the same seed deals the same one.
func newRun(seed uint64, part string, deal dealer, judge solve.Referee) (*Run, error) {
	r := &Run{
		Seed: seed, Part: part, Phase: Ready, deal: deal, judge: judge,
		rng:     rand.New(rand.NewPCG(seed, 0x0a1100ce)),
		waiting: map[int][]int{},
	}
	order, err := r.order()
	if err != nil {
		return nil, err
	}
	for i, kind := range order {
		r.Slots = append(r.Slots, &Slot{Kind: kind, Stage: Dark})
		if err := r.dealSlot(i); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// order is the kinds of the run's slots.
func (r *Run) order() ([]string, error) {
	if r.Part == "" {
		order := kinds
		r.rng.Shuffle(4, func(i, j int) { order[4+i], order[4+j] = order[4+j], order[4+i] })
		return order[:], nil
	}
	i := slices.IndexFunc(Parts(), func(p Part) bool { return p.Name == r.Part })
	if i < 0 {
		return nil, fmt.Errorf("practice: part %q, want one of %s", r.Part, strings.Join(PartNames(), ", "))
	}
	of := Parts()[i].Kinds
	var order []string
	for n := range PartCount {
		order = append(order, of[n%len(of)])
	}
	return order, nil
}

// PartNames are the names of the parts.
func PartNames() (names []string) {
	for _, p := range Parts() {
		names = append(names, p.Name)
	}
	return names
}

func (r *Run) dealSlot(i int) error {
	s := r.Slots[i]
	boards, err := r.deal(r.rng, s.Kind)
	if err != nil {
		return fmt.Errorf("practice: deal %s: %w", s.Kind, err)
	}
	s.Boards, s.Stroke = boards, nil
	s.Deal++
	return nil
}

// Start starts the clock and lights the first panel.
func (r *Run) Start(now time.Time) error {
	if r.Phase != Ready {
		return fmt.Errorf("practice: start: the run is %s, want %s: %w", r.Phase, Ready, ErrNotNow)
	}
	r.Phase, r.began = Running, now
	r.light()
	return nil
}

// light lights every dark slot whose forerunners are solved.
func (r *Run) light() {
	for i, s := range r.Slots {
		open := s.Stage == Dark
		for _, before := range r.opens(i) {
			open = open && r.Slots[before].Stage == Solved
		}
		if open {
			s.Stage = Lit
		}
	}
}

// Elapsed is the time since the start, which stands still once the run ends.
func (r *Run) Elapsed(now time.Time) time.Duration {
	switch r.Phase {
	case Ready:
		return 0
	case Running:
		return now.Sub(r.began)
	}
	return r.ended
}

// Tick ends the run when the music is over.
func (r *Run) Tick(now time.Time) {
	if r.Part == "" && r.Phase == Running && now.Sub(r.began) >= Limit {
		r.Phase, r.Reason, r.ended = Lost, "the music is over", Limit
	}
}

// Stop aborts the run, as pausing does in the game.
func (r *Run) Stop(now time.Time, reason string) {
	r.Tick(now)
	if r.Phase == Running {
		r.ended = r.Elapsed(now)
		r.Phase, r.Reason = Aborted, reason
	}
}

// Answer plays a stroke on a board of a slot. A wrong one is a
// *solve.RuleError (or an error of Check about its form), powers the slot off
// and lights the one solved before it again; solving that brings the failed
// one back with a new puzzle. The first panel has none before it and is dealt
// anew at once, and so is every panel of a part. One that was not judged to the end
// (ErrNotJudged) changes nothing.
func (r *Run) Answer(ctx context.Context, now time.Time, slot, board int, stroke solve.Stroke) error {
	r.Tick(now)
	if r.Phase != Running {
		return fmt.Errorf("practice: the run is %s: %w", r.Phase, ErrNotNow)
	}
	if slot < 0 || slot >= len(r.Slots) {
		return fmt.Errorf("practice: slot %d, want 0 to %d: %w", slot, len(r.Slots)-1, ErrNotNow)
	}
	s := r.Slots[slot]
	if s.Stage != Lit {
		return fmt.Errorf("practice: slot %d is %s, want %s: %w", slot, s.Stage, Lit, ErrNotNow)
	}
	if board < 0 || board >= len(s.Boards) {
		return fmt.Errorf("practice: slot %d has no board %d: %w", slot, board, ErrNotNow)
	}
	if err := r.judge(ctx, witness.Of(s.Boards[board]), solve.Solution{stroke}); err != nil {
		if errors.As(err, new(*solve.UnjudgedError)) {
			return fmt.Errorf("practice: %w: %w", ErrNotJudged, err)
		}
		s.Wrong++
		if dealErr := r.fail(slot); dealErr != nil {
			return dealErr
		}
		return err
	}
	s.Stage, s.Again, s.Board, s.Stroke = Solved, false, board, stroke
	s.At = r.Elapsed(now)
	r.solved = append(r.solved, slot)
	for _, back := range r.waiting[slot] {
		if err := r.dealSlot(back); err != nil {
			return err
		}
		r.Slots[back].Stage = Lit
	}
	delete(r.waiting, slot)
	r.light()
	if len(r.solved) == len(r.Slots) {
		r.ended = r.Elapsed(now)
		r.Phase = Won
	}
	return nil
}

func (r *Run) fail(slot int) error {
	if len(r.solved) == 0 || r.Part != "" {
		return r.dealSlot(slot)
	}
	last := len(r.solved) - 1
	before := r.solved[last]
	r.solved = r.solved[:last]
	r.Slots[slot].Stage = Off
	r.waiting[before] = append(r.waiting[before], slot)
	b := r.Slots[before]
	b.Stage, b.Again, b.Stroke = Lit, true, nil
	return nil
}

// deal deals the boards of a slot as the Challenge does: one panel with an
// answer, or three of which one has.
func deal(rng *rand.Rand, kind string) ([]*board.Panel, error) {
	d, err := witness.DealChallenge(context.Background(), rng, kind)
	return d.Panels, err
}
