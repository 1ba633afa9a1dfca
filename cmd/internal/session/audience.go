package session

import (
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/see"
)

// An Audience is told what a session sees and does, as it happens. All of it is told from one
// goroutine, State alone from any.
type Audience interface {
	// Beat is a frame that was grabbed, looked at or not.
	Beat(see.Beat)
	// Look is what a look came to, with news or without.
	Look(*see.Turn)
	// Board is a board of a look that is new, by its number.
	Board(t *see.Turn, i int) error
	// News is a look with something new, after its boards.
	News(*see.Turn) error
	// Begin is the n-th answer, about to be entered.
	Begin(n int, d *drive.Drive)
	// End is what became of it.
	End(n int, d *drive.Drive) error
	// State is what the session is about, in words; turns says that the mouse starts or
	// stops with it.
	State(words string, turns bool)
}

// deaf is an Audience that hears nothing: others are deaf but for what they hear.
type deaf struct{}

func (deaf) Beat(see.Beat)                  {}
func (deaf) Look(*see.Turn)                 {}
func (deaf) Board(*see.Turn, int) error     { return nil }
func (deaf) News(*see.Turn) error           { return nil }
func (deaf) Begin(int, *drive.Drive)        {}
func (deaf) End(int, *drive.Drive) error    { return nil }
func (deaf) State(words string, turns bool) {}

// audiences are told one after another; the first error ends it.
type audiences []Audience

func (all audiences) Beat(b see.Beat) {
	for _, a := range all {
		a.Beat(b)
	}
}

func (all audiences) Look(t *see.Turn) {
	for _, a := range all {
		a.Look(t)
	}
}

func (all audiences) Board(t *see.Turn, i int) error {
	return all.each(func(a Audience) error { return a.Board(t, i) })
}

func (all audiences) News(t *see.Turn) error {
	return all.each(func(a Audience) error { return a.News(t) })
}

func (all audiences) Begin(n int, d *drive.Drive) {
	for _, a := range all {
		a.Begin(n, d)
	}
}

func (all audiences) End(n int, d *drive.Drive) error {
	return all.each(func(a Audience) error { return a.End(n, d) })
}

func (all audiences) State(words string, turns bool) {
	for _, a := range all {
		a.State(words, turns)
	}
}

func (all audiences) each(tell func(Audience) error) error {
	for _, a := range all {
		if err := tell(a); err != nil {
			return err
		}
	}
	return nil
}
