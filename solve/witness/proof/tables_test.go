package proof

import (
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

func standardProver() Prover {
	return Prover{rules.Rows(), search.Solver{Rows: search.Rows(), Last: rules.Rows()}}
}
