// Package bank is a bank of templates of shapes that clients commonly draw, and compares
// what a cell shows, moved and scaled to one size, with all of them.
package bank
