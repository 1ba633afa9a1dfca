package search

import (
	"onlooker/solve/witness/rules"
)

func standardSolver() Solver { return Solver{Rows(), rules.Rows()} }
