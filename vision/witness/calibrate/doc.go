// Package calibrate makes a look from screenshots of which it is told what they show, or which
// are read without help: it has the look learned, and proves it by reading them back.
package calibrate
