// Package proof says why a panel has no answer, and verifies that with a second
// solver.
package proof
