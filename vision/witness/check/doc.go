// Package check lays what was read of a board against the look's templates once more,
// and doubts what these do not explain.
package check
