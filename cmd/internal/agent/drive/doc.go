// Package drive says what is done next: a Driver looks for boards, has their answers entered,
// and walks on. It is a small machine: in each State it does one thing, and what it sees tells
// which State is next.
package drive
