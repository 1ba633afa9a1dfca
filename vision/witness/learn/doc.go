// Package learn learns a look from boards of which it is known what they show: the colours
// and sizes of lines, where each measure of a place divides, exemplars of places, also of
// places on composed boards, and templates, grids and colours of symbols.
package learn
