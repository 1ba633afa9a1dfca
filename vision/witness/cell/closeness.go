package cell

// A closeness is how shapes are compared with what a picture shows in three channels at
// once: by how likely that is where it is known how far values are off together.
type closeness struct {
	// Loose is how far a shape may stray from where and how it is drawn in the middle of
	// its cell: in pixels, shares of its size, radians, squares of pixels by which it is
	// more blurred, and pixels by which it is bolder; and what the logarithm may be of the
	// power to which levels were taken after they were mixed: drawn boards' are 0.22 at most.
	Loose bent
	// Blurs are by how many pixels it may be blurred, Noises by how many levels the picture
	// may be off besides, and Brightest how bright it may be where that is cut off: drawn
	// boards are brightened by half.
	Blurs, Noises, Brightest []float64
	// Beside is how far round what is in a cell is looked at, in pitches.
	Beside float64
	// Lead and Apart are how much one shape's lead over another tells, and how much what
	// single pixels tell does: those of the least loss.
	Lead, Apart float64
}

// usualCloseness was chosen on the 1,479 stars and squares of 334 drawn boards that are
// compressed and may each be taken for the other: of these it tells 1,441 right and none
// wrong by 4 and more as a logarithm; 1,385 and by 13, where levels are not taken to be cut
// off or to any power after they were mixed. Blurs, Beside and Lead were chosen on 665 others
// of 148 boards: with blurs in steps of 0.2, 643 right and none wrong by 8 and more.
func usualCloseness() closeness {
	return closeness{
		Loose: bent{0.15, 0.15, 0.02, 0.02, 0.02, 0.1, 0.05, 0.13}, Blurs: []float64{0.4, 0.7, 1, 1.3},
		Noises: []float64{1, 2, 4, 8}, Brightest: []float64{255, 300, 350}, Beside: 0.18, Lead: 0.6, Apart: 0.06,
	}
}

// looseCloseness is for symbols whose colours are not known, and neither how they mix, then.
func looseCloseness() closeness {
	how := usualCloseness()
	how.Loose = bent{0.5, 0.5, 0.03, 0.03, 0.02, 0.2, 0.1, 0.001}
	how.Brightest = how.Brightest[:1]
	return how
}
