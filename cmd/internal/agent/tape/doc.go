// Package tape keeps all that a player sees and does in a folder, and plays it again: a Tape
// stands between a player and its screen, mouse and clock; a Replay stands for these.
package tape
