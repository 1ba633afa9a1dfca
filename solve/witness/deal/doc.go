// Package deal makes panels that have an answer, or have none, and deals the
// Challenge.
package deal
