package forms_test

import (
	"image"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// A posed panel is a puzzle that nobody answers.
type posed struct {
	*board.Panel
	solve.Puzzle
}

func (p posed) Bounds() image.Rectangle { return p.Panel.Bounds() }

func pose(p *board.Panel) solve.Puzzle { return posed{p, nil} }
