// Package see makes Turns of frames: what boards a frame shows, what stands on them, and their
// answers. An Eye looks at one frame; an Observer joins what several frames show of one board,
// and solves each board once; a Loop says which frames are worth a look. It knows no family by
// name: what a family can do is in its Game.
package see
