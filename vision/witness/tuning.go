package witness

// A tuning is every number of the picture model that was chosen by hand, in one
// place, each with what it was measured on. Sizes and divides of a look stand in
// its profile.
type tuning struct {
	// BleedPixels is how far, in pixels of the frame, a line's border spreads into
	// what is beside it: a pixel of smoothing and half of one of compression.
	BleedPixels float64
	// BlurPixels is the sigma, in pixels of the frame, by which a picture is blurred.
	BlurPixels float64
	// Rim and Corner say where a cell's ground is taken: further from the middle than
	// this share of the way to the lines, or in the corners.
	Rim, Corner float64
	// Rimmed is how far a sample of the rim may be off the others, of 255 a channel, and
	// count as ground where the ground has a pattern.
	Rimmed float64
	// LeastPattern is the least that a cell's ground must vary, in contrasts, to have a
	// pattern.
	LeastPattern float64
	// Middle is the share of the way to the lines within which every symbol has parts.
	Middle float64
	// OverLines is how far from a cell's middle, in pitches, symbols reach that are drawn
	// over its lines, and PlainLine how far lines may be off their colour, in contrasts,
	// for that to be seen.
	OverLines, PlainLine float64
	// EdgeSamples is how many samples a half-cell has along an edge.
	EdgeSamples float64
	// Beside is how far off a line's border, in half-cells, the ground beside it is
	// taken.
	Beside float64
	// LeastGround is by what share of the contrast a ground must differ from the lines
	// to tell something.
	LeastGround float64
	// WindowPixels is over how many pixels of the frame a break must be gone.
	WindowPixels float64
	// DotCore is the half side, in line widths, of the patch that a dot is told by.
	DotCore float64
	// DotsApart is how far, in contrasts, the colours of dots for one line may be from each
	// other: on 59 drawn boards they were 0.25 at most, on captures 0.10, on a false board,
	// half of whose lines were a panel's rim, 0.56.
	DotsApart float64
	// DotsWithin is how far the colours of dots for one of two lines may be from each other,
	// as a share of how far they are from the other line's: on captures 0.09 at most, where
	// dots for either line have a colour of their own 0.35 and more.
	DotsWithin float64
	// MostStart and MostCap are how far circles and caps are followed, in line widths.
	MostStart, MostCap float64
	// MostHole is how far beyond a line's border a hollow circle's ring begins at most, in line
	// widths: of 36 looks 0.1.
	MostHole float64
	// MostCover is how far, in line widths, a circle or a dot covers what is round it.
	MostCover float64
	// Aslant is by how much, in radians, a circle on an edge is also looked for beside
	// the straight way out.
	Aslant float64
	// CapBeside is how far beside a cap's middle, in line widths, it must have ended.
	CapBeside float64
	// CapPlain is how far, in line widths, the border reaches beside a cap.
	CapPlain float64
	// SameLook is how far apart two appearances of a place are, in contrasts, that are
	// as good as one, and LeastLimit how far one may be from all others of its sort.
	SameLook, LeastLimit float64
	// OneColour is how much of what is strongest in a cell has one colour at the least, as a
	// share of it, to be taken along that: of 1,603 symbols of our looks 0.985 and more.
	OneColour float64
	// Slack is by how many places of a cell's view a symbol may be off its middle.
	Slack int
	// LeastLike is the correlation with a template below which a faint cell is empty.
	LeastLike float64
	// LeastGuess is the same for what is seen in a cell of the game's look to be a symbol: of
	// 1,368 on captures and 120 drawn boards none is less like one than 0.79, on 1,500 others
	// one is by 0.75 and refused, as what lies over a square is, by 0.75.
	LeastGuess float64
	// ThickOutline is by how much of what is clear a piece of full squares must fit better as
	// outlines, thicker than the game's, to be doubted: 637 on 800 drawn boards do by 0.09 at
	// most, but for one by 0.25, 51 on captures by 0; two small outlined pieces of another look,
	// which were read as full ones, by 0.31 and 0.39.
	ThickOutline float64
	// SurelyBare is how sure a cell's faintness alone must be that it is empty where no
	// template explains it as usual: of 1,300 empty cells of looks whose eight pictures were
	// learned the faintest ones to be doubted are 0.96 sure.
	SurelyBare float64
	// FaintLike is the correlation with a template from which a faint cell is as likely a
	// symbol as empty: 189 symbols of drawn boards, their colours mixed with 6 to 9 parts
	// of ground to 1 to 4 of their own until they were in doubt, had 0.77 and more, 23 of
	// 30 empty cells in doubt 0.71 and less.
	FaintLike float64
	// FaintShape is the correlation with a template from which what shows in a cell at least
	// AboveGrain times as strongly as its ground's noise, and changes by FaintBorder of the
	// contrast over four pixels, is not empty: of 2,867 empty cells that show most, on 1,169
	// drawn boards, three on two boards have all of it; of six symbols on four boards that were
	// read as empty five (0.88 to 0.98, 4.9 times and 0.099 and more). Light on an empty cell
	// changes by 0.06.
	FaintShape, AboveGrain, FaintBorder float64
	// Noise is what is missing of a correlation of 1 even where a template is right,
	// and Evidence by how much the logarithm of what is missing must differ between the
	// best and the next.
	Noise, Evidence float64
	// LearnedNoise is Noise of templates that were learned: 2x2 pieces of a look with scan
	// lines have 0.99 with their own and 0.98 with a square's.
	LearnedNoise float64
	// Unusual is by how many times more of a symbol may be unexplained than of the worst
	// that was learned, where another one's share is as usual, or than of the others of its
	// kind on the board: of 135 kinds on captures and drawn boards 5 have one that is more
	// than 2.5 times less like the others, blunt stars beside squares are 5 times.
	Unusual float64
	// TwinEvidence is by how much the squares of a piece may be more like those of the
	// other kind than its colour says.
	TwinEvidence float64
	// OddLine is how far, in contrasts, a node without a dot is off its colour at most: on
	// captures 0.15, lost dots 0.56 at least.
	OddLine float64
	// What a board was read as is not what is seen there: in an empty cell more than OddCell
	// (0.14 where no light falls, and 0.23), or what another symbol's template explains
	// leaves less by OwnLead, as the logarithm of a misfit (-0.08, and -0.5).
	OddCell, OwnLead float64
	// LitCell is how much light shows in an empty cell at most, in contrasts: on captures 0.32,
	// where three of four cells' squares were read as nothing 1.4.
	LitCell float64
	// Explained is the correlation from which a symbol's own template leaves nothing to be
	// explained: of symbols read right that another explains better by OwnLead the own
	// one had 0.98 and more, or 0.91 and less; on transformed captures 0.965 and more; of
	// shapes that the look does not know, in 480 pictures of 24 looks, 0.95 at most.
	Explained float64
	// QuietGround is how far a cell's ground may stray, as a share of what is in it, so that
	// its shape alone tells a symbol from its template: on captures into whose cells light
	// falls 0.07 and more. There KnownLike is the least correlation with the template in the
	// size that fits best (of 305 symbols on captures 0.91 at least, on 701 of 120 drawn
	// boards 0.94, other shapes that were read as these 0.86), SwingLike how alike their
	// outlines go out and in at the least (squares of drawn boards 0.5, eight-pointed and
	// turned four-pointed stars that were read as squares 0.03 at most), and TwoColours how
	// far what is deepest in it may be off its colour, as a share of how far that is off the
	// ground (0.34 at most, of stars outlined in another colour 0.48).
	QuietGround, KnownLike, SwingLike, TwoColours float64
	// Glow is the sigma, in pitches, of what glows round a bright symbol: of 0.06 to 0.21
	// the one that leaves least of the triangles of two captures, whose correlation with
	// their template is 0.86 to 0.94, and with what glows round it 0.97 to 0.99; other
	// shapes, in 480 pictures of 24 looks, have 0.90 at most, and pieces 0.965.
	Glow float64
	// Unexplained is the logarithm of by how much the pointer is likelier where nothing else
	// explains what is seen: with 3 six more of 1,341 transformed captures are read, whose
	// pointers have odds of 0.2 to 0.97 by themselves, and none of 480 pictures of other looks
	// is read otherwise.
	Unexplained float64
	// SameCover is the share of what two cells cover in all that both cover for what lies in
	// one to be as what lies in the other: white squares beside others, 0.93 and 0.94; of six
	// pointers in cells of captures 0.58 at most, and one that lies so 0.92.
	SameCover float64
	// PulseLess is by how much, in contrasts, what a start's pulse lights may be darker in
	// one channel: on captures it is 0.28 brighter in all, a dot of another colour in a
	// random look 0.4 darker in one.
	PulseLess float64
	// LinesWithin is how far a line's colour may be from those of the look's lines, as a
	// share of the least contrast between lines and cells.
	LinesWithin float64
	// LeastOutline is how strong outlines of symbols are at least, in contrasts, that have a
	// colour of their own: 0.35 in the 11 of 36 looks that have them, 0.05 in 23 of the
	// others, and in two whose symbols are hollow or have shadows 0.2 and 0.38.
	LeastOutline float64
	// SameForm is the correlation from which two sightings are one form.
	SameForm float64
	// AlikePlaces is how far two places of the lines may be apart, in contrasts, that look
	// alike to who is asked what they are, and AlikeForms the least correlation of two
	// symbols. In 32 pictures of four looks, at 0.15 none of the groups of nodes, edges and
	// ways out holds two sorts, at 0.25 eight do; squares and blunt stars have up to 0.965
	// with each other, a one-square piece and a triangle 0.973. ReadWrong is how likely the
	// boards that settle a group may all be read wrong.
	// JustAlike is how far a place may be, as a share of what is alike, from one that was
	// read, to be what that is without being asked for: stars taken for squares that were
	// read were 0.40 off and more, dots taken for plain nodes 0.83.
	AlikePlaces, AlikeForms, ReadWrong, JustAlike float64
	// TellingPieces is of how many pieces of several squares the grid is a kind's own.
	TellingPieces int
	// HighestFloor is the most that a template's floor may be: the same symbol at
	// another size and in another light.
	HighestFloor float64
	// OtherColour is how far a colour is from another, of 255 a channel, that is none of
	// its shades.
	OtherColour float64
	// LeastSymbol is how large squares and stars are at least, in pitches (in 64 looks 0.25), and
	// how large and how far apart the squares of pieces are at most; LeastEraser how large erasers
	// are (0.23), and LeastTriangle how wide one triangle is (0.12).
	LeastSymbol, LeastEraser, LeastTriangle float64
	// ColourWeight is what a colour in which a kind was never seen speaks against it, as
	// the logarithm of a misfit.
	ColourWeight float64
	// ThinPart is how wide, in pixels of the frame, parts are at most with whose colour the
	// cell's is mixed everywhere: blur and the JPEG's halved colours reach two into each
	// side and more. UnmixedOff is how far the colours of such symbols may be off once it is
	// taken off them, in colourSteps: of 490 erasers and pieces beside squares or stars of the
	// same colour on 608 drawn boards nine in ten have 0.1 at most where the
	// picture is compressed, 0.06 where it is not.
	ThinPart, UnmixedOff float64
}

var tuned = tuning{
	BleedPixels: 1.2, BlurPixels: 0.9, Rim: 0.84, Corner: 0.66, Rimmed: 60, LeastPattern: 0.04, Middle: 0.65, OverLines: 0.48, PlainLine: 0.1, EdgeSamples: 60, Beside: 0.06, LeastGround: 0.3,
	WindowPixels: 1.5, DotCore: 0.25, DotsApart: 0.4, DotsWithin: 0.25, MostStart: 3, MostCap: 4.5, MostCover: 2, Aslant: 0.6, CapBeside: 0.85, CapPlain: 0.6, SameLook: 0.02, LeastLimit: 0.3,
	Slack: 3, LeastLike: 0.6, LeastGuess: 0.77, ThickOutline: 0.25, FaintLike: 0.74, FaintShape: 0.85, AboveGrain: 4, FaintBorder: 0.08, Noise: 0.02, LearnedNoise: 0.01, Evidence: 0.25, Unusual: 2.5, OddLine: 0.3, OddCell: 0.2, LitCell: 0.5, OwnLead: -0.3, Explained: 0.96, QuietGround: 0.05, KnownLike: 0.9, Glow: 0.09, SwingLike: 0.3, TwoColours: 0.4, Unexplained: 3, SameCover: 0.85, LinesWithin: 0.4,
	LeastOutline: 0.12, SameForm: 0.93, AlikePlaces: 0.15, AlikeForms: 0.98, ReadWrong: 0.05, JustAlike: 0.3, TellingPieces: 4, HighestFloor: 0.85, OtherColour: 90, TwinEvidence: 0.5, LeastSymbol: 0.24, LeastEraser: 0.2, LeastTriangle: 0.1, ColourWeight: 0.7, ThinPart: 5, UnmixedOff: 0.1,
	OneColour: 0.9, SurelyBare: 0.95, MostHole: 0.3, PulseLess: 0.1,
}

// A strangeTuning is the numbers by which a board is read of whose look nothing is known,
// measured on 480 boards of 24 looks that other people's clients might have.
type strangeTuning struct {
	// LeastPitch is how large cells are at least, in pixels of the frame, whose symbols
	// generic shapes tell apart: those of the looks had 44 and more. Of cells of 24 and 26
	// squares and triangles were read as stars.
	LeastPitch float64
	// CircleFrom is how far circles reach at least, in line widths, and what is none at
	// most, and CircleGap by how much both differ: plain nodes reach 0.8, dots to 1.3,
	// circles 0.9 to 2.1. CircleSpread is how much less than the largest one may reach.
	CircleFrom, CircleMost, CircleGap, CircleSpread float64
	// AllRound is in what share of all directions a circle is seen at least: of 344 in all, of
	// 20 breaks and corners that were taken for one in 0.62 at most.
	AllRound float64
	// PlainNode is how odd a node without a dot is at most, in contrasts, and DottedNode
	// one with a dot at least (0.25 and 0.27, but 0.3 and more in all looks but one);
	// NodeGap by how much both differ on a board that tells. RoundNode is the same of
	// what is round it, PlainRound what is beyond doubt there: of 33 dots that are less than
	// DottedNode all but one have 0.34 and more, of ten nodes read as dots 0.06 at most.
	PlainNode, DottedNode, NodeGap, RoundNode, PlainRound float64
	// Uneven is how much a whole edge varies at most along its line, in contrasts: 0.25,
	// broken and dotted ones 0.3 and more.
	Uneven float64
	// DottedEdge is how far a dot's middle is at least off all mixtures of line and ground,
	// and PlainBreak a break's at most: 0.23 and 0.16.
	DottedEdge, PlainBreak float64
	// Ringed is how far a ring on the line is off these, RingedBreak what may lie beside a
	// break that is cut through in part only.
	Ringed, RingedBreak float64
	// AllRing is how much of what is most off these on an edge is so all round its middle at
	// the least where a dot is: of 65 breaks 0.62 at most, of 88 dots 70 have more than 0.8.
	AllRing float64
	// NarrowDot and WideBreak are how long what is gone is at the line's sides beside the
	// middle: dots of the ground's colour 0.64 at most, breaks 0.97 at least.
	NarrowDot, WideBreak float64
	// MixedBreak is by how much a break whose middle shows neither the ground nor the line
	// differs across the line at most: those in a colour between line and ground 0.02, dots filled so that
	// have a rim of the ground's colour 0.28 and more.
	MixedBreak float64
	// LeastStub is how long what is seen of a broken line is, in pitches: of missing ones
	// the nodes' discs reach out 0.05, of the longest breaks 0.08 is left.
	LeastStub float64
	// CapGap is by how much a cap reaches further than the lines, in line widths.
	CapGap float64
	// LeastFaint is how strong what is in an empty cell may be for certain, in contrasts, and
	// Fainter by how many times more than in most of a board's: of 7,000 cells of 40 random
	// looks no symbol shows less than 0.14, and three empty ones more than 0.1 that show 2.2
	// times as much as most of their board.
	LeastFaint, Fainter float64
	// SureSymbol is the correlation with a generic shape from which it is one, SurePiece
	// that of a piece, whose squares have many forms: 99 of 100 symbols have 0.95.
	SureSymbol, SurePiece float64
	// LeastNoise is the least of Noise: less than that is missing of a correlation of 1 where
	// a disc is told from a star of twelve points.
	LeastNoise float64
	// SameGrid is by how much the spacings of pieces of one board differ, as a logarithm.
	SameGrid float64
	// Hollow is by how much less than the rest of it the middle of an outlined square must
	// show for it to be told from a full one. What shows Full of that and less is full, and
	// what shows Outlined and more an outline. Mixed is how far the middle of an outline is
	// off the mixtures of its colour and the ground; half of that beyond the ground, where of
	// 700 outlines of 64 looks four are by more, and so are full white squares on cream.
	Hollow, Full, Outlined, Mixed float64
	// Seams is how much columns and rows of a square's inner half differ at most, as a share of
	// what it is off the ground: of pieces of 2x2 squares 0.24 and more.
	Seams float64
	// Dented is by how much less a square shows along the lines through its middle, as a share:
	// of 2,354 squares 2,119 have less, and those of nine looks, most of which are hollow,
	// more; of 33 pieces of 2x2 squares that are most like a square a half has more.
	Dented float64
	// StarSwing is by how much of its mean radius a star's outline goes out and in at the
	// least, and StarLead by how many times more than in any other number of times: of 791
	// stars of 40 random looks 638 do so, of 767 squares none. DiscSwing is the same of a disc
	// at the most, of those squares 14 and of those stars none, which have 0.024 and more,
	// and DiscRadius how large the smallest of them are, in sigmas of blur.
	StarSwing, StarLead, DiscSwing, DiscRadius float64
	// Left is what a shape may leave of a symbol in some part of it, as a share of how strongly
	// that shows: of 5,100 symbols of 80 random looks five leave more. Lopsided is how much
	// more a piece's squares show in their lower halves, of 1,060 pieces six more than 0.15, of triangles
	// read as pieces 0.18 to 0.33, and HeavySquare how far below its middle a square that stands alone is
	// heaviest, as a share of its height: of 227 pieces 0.062 at most, of such triangles 0.065
	// to 0.12. HeavyTriangle is the same of triangles at the least: of 619 five have less,
	// discs none. Encloses is how much of the way to the lines an outline reaches: of 258
	// 0.71 at most, the cell's own border 1.1.
	Left, Lopsided, HeavySquare, HeavyTriangle, Encloses float64
	// EvenLight is by what share of that which is usual colours differ where the light is
	// even: a yellow and an orange of one board by 0.2 of its brightest, two of one colour by
	// 0.03 in a compressed picture.
	EvenLight float64
	// Yellowish is by how much, in parts of white, the blue of a colour that is yellow is less
	// than the rest: of the yellow of 23 looks 0.48 and more, of dull ones in which pieces to
	// take away were drawn in two random looks 0.37 at most.
	Yellowish float64
	// Smaller and Larger are how large a symbol is beside others of its kind.
	Smaller, Larger float64
}

func usualStrange() strangeTuning {
	return strangeTuning{
		LeastPitch: 40, CircleFrom: 0.87, CircleMost: 1.6, CircleGap: 0.08, CircleSpread: 0.15, AllRound: 0.85, PlainNode: 0.26, DottedNode: 0.45, NodeGap: 0.15, RoundNode: 0.3, PlainRound: 0.15,
		Uneven: 0.25, DottedEdge: 0.23, PlainBreak: 0.18, Ringed: 0.35, RingedBreak: 0.15, AllRing: 0.8, NarrowDot: 0.6, WideBreak: 0.85, MixedBreak: 0.15, LeastStub: 0.06, CapGap: 0.3, LeastFaint: 0.1, Fainter: 2.2,
		SureSymbol: 0.95, SurePiece: 0.9, LeastNoise: 0.005, SameGrid: 0.09, Hollow: 0.1, Full: 0.3, Outlined: 0.6, Mixed: 0.12, Seams: 0.2, Dented: 0.04, StarSwing: 0.03, StarLead: 3, DiscSwing: 0.012, DiscRadius: 8, Left: 0.36, Lopsided: 0.15, HeavySquare: 0.064, HeavyTriangle: 0.02, Encloses: 0.85, EvenLight: 0.45, Yellowish: 0.4, Smaller: 0.85, Larger: 1.18,
	}
}

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
