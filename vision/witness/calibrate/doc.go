// Package calibrate makes a look from screenshots: it finds their boards, asks what places
// show that are alike and cannot be read, has the look learned, and proves it by reading
// the screenshots back.
package calibrate
