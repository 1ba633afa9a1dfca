// Package pillar reads views of a board that goes round: each view gives the likelihood
// of what its places may show, and the views are registered so that all are likeliest
// together. Other boards that go round are unrolled.
package pillar
