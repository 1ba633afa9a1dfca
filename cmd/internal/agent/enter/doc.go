// Package enter makes motion of answers: a Player holds the mouse and looks at the screen, and an
// Entry carries one answer in by the client's way, which is clicks, places of the pointer, or
// relative motion. Every step is looked for on the screen before the next is made. What became
// of the answer is its Outcome.
package enter
