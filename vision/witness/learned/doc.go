// Package learned reads boards in a look that was learned: measured lengths are held
// against what was seen to divide them, places against exemplars, and cells against
// templates.
package learned
