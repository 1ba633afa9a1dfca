// Package learn learns a look from boards of which it is known what they show: the colours
// and sizes of lines, exemplars of places, also of
// places on composed boards, and templates, grids and colours of symbols. A Course makes one
// of screenshots of which it is told what they show, or which are read without help, and
// proves it by reading them back.
package learn
