package view

// The levels of the reader's comparisons: how far one thing is off another, as a share of
// the contrast between lines and cells, of what is strongest there or of its size, how alike
// two things are, as their correlation, or in what share of all directions, samples or squares
// something is so. A comparison takes one of them, or half of all. Numbers of their own, which
// 71 comparisons in functions and 56 fields had, do no better: one of 599 drawn boards and none
// of 100 captures is read otherwise, of 1,392 pictures of 64 looks as they come as many are
// read. Where a level does worse the number stands in tuning, with what it was measured on.
const (
	Hardly   = 0.05 // by chance
	Faintly  = 0.1  // noise, compression and even light stay below
	Slightly = 0.2  // so do shades and what shines over
	Clearly  = 0.3  // what is drawn is above
	Strongly = 0.6  // so is what has a colour of its own
	Mostly   = 0.8  // what blur and compression leave of all
	Nearly   = 0.95 // all, and as like as two of one kind
)

// A Tuning is every number of the picture model that was chosen by hand, in one
// place, each with what it was measured on. Sizes and divides of a look stand in
// its profile.
type Tuning struct {
	// BleedPixels is how far, in pixels of the frame, a line's border spreads into
	// what is beside it: a pixel of smoothing and half of one of compression.
	BleedPixels float64
	// BlurPixels is the sigma, in pixels of the frame, by which a picture is blurred.
	BlurPixels float64
	// Rim says where a cell's ground is taken: further from the middle than this share of
	// the way to the lines, or in the corners. Every symbol has parts within Middle of it.
	Rim, Middle float64
	// Rimmed is how far a sample of the rim may be off the others, of 255 a channel, and
	// count as ground where the ground has a pattern.
	Rimmed float64
	// EdgeSamples is how many samples a half-cell has along an edge.
	EdgeSamples float64
	// Beside is how far off a line's border, in half-cells, the ground beside it is
	// taken.
	Beside float64
	// WindowPixels is over how many pixels of the frame a break must be gone.
	WindowPixels float64
	// DotCore is the half side, in line widths, of the patch that a dot is told by.
	DotCore float64
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
	// SameLook is how far apart two appearances of a place are, in contrasts, that are
	// as good as one.
	SameLook float64
	// Core is how far off an empty cell what tells the colour of what stands in one is, as a share
	// of the furthest of it: with 0.8 a star on 1,341 transformed captures is read as a square,
	// with 0.9 seven more of 599 drawn boards are unsure than with that.
	Core float64
	// Slack is by how many places of a cell's view a symbol may be off its middle.
	Slack int
	// FaintLike is the correlation with a template from which a faint cell is as likely a
	// symbol as empty: 189 symbols of drawn boards, their colours mixed with 6 to 9 parts
	// of ground to 1 to 4 of their own until they were in doubt, had 0.77 and more, 23 of
	// 30 empty cells in doubt 0.71 and less. In the game's look nothing that is less like one is
	// a symbol: of 1,368 on captures and 120 drawn boards none has less than 0.79, of 1,500
	// others one 0.75, as what lies over a square has.
	FaintLike float64
	// Recognised is the correlation with a template from which what is in a cell is its symbol,
	// though in another size and another light: the most that a template's floor may be. What
	// shows at least AboveGrain times as strongly as its ground's noise, and changes by
	// FaintBorder of the contrast over four pixels, is not empty then: of 2,867 empty cells that
	// show most, on 1,169 drawn boards, three on two boards have all of it; of six symbols on
	// four boards that were read as empty five. Light on an empty cell changes by 0.06.
	Recognised, AboveGrain, FaintBorder float64
	// Noise is what is missing of a correlation of 1 even where a template is right,
	// and Evidence by how much the logarithm of what is missing must differ between the
	// best and the next; twice as much more like the other kind than their colour says may the
	// squares of a piece be. Of templates that were learned half as much noise is missing: 2x2
	// pieces of a look with scan lines have 0.99 with their own and 0.98 with a square's.
	Noise, Evidence float64
	// Unusual is by how many times more of a symbol may be unexplained than of the worst
	// that was learned, where another one's share is as usual, or than of the others of its
	// kind on the board: of 135 kinds on captures and drawn boards 5 have one that is more
	// than 2.5 times less like the others, blunt stars beside squares are 5 times.
	Unusual float64
	// KnownLike is the least correlation with the template in the size that fits best of what is
	// no other shape: of 305 symbols on captures 0.91 at least, on 701 of 120 drawn boards 0.94,
	// other shapes that were read as these 0.86. In a look of which nothing is known it is that
	// of pieces, whose squares have many forms.
	KnownLike float64
	// Unexplained is the logarithm of by how much the pointer is likelier where nothing else
	// explains what is seen: with 3 six more of 1,341 transformed captures are read, whose
	// pointers have odds of 0.2 to 0.97 by themselves, and none of 480 pictures of other looks
	// is read otherwise.
	Unexplained float64
	// Veiled is the share of what is seen in a disc that a veil explains at least that is looked
	// through: else something stands there. With mostly two of the pictures of
	// TestMendedVariants are unsure.
	Veiled float64
	// OffColour is how far what has one colour may be off it, in contrasts: lines in the colours
	// of a look's; dots for one line (on 59 drawn boards 0.25 at most, on captures 0.10, on a
	// false board, half of whose lines were a panel's rim, 0.56); and as a share of how far it is
	// off the ground what is deepest in a symbol (0.34 at most, of stars outlined in another
	// colour 0.48).
	OffColour float64
	// TellingPieces is of how many pieces of several squares the grid is a kind's own.
	TellingPieces int
	// OtherColour is how far a colour is from another, of 255 a channel, that is none of
	// its shades.
	OtherColour float64
	// ColourWeight is what a colour in which a kind was never seen speaks against it, as
	// the logarithm of a misfit.
	ColourWeight float64
	// ThinPart is how wide, in pixels of the frame, parts are at most with whose colour the
	// cell's is mixed everywhere: blur and the JPEG's halved colours reach two into each
	// side and more.
	ThinPart float64
}

// LearnedNoise is Noise of templates that were learned.
func (t *Tuning) LearnedNoise() float64 { return t.Noise / 2 }

var Tuned = Tuning{
	BleedPixels: 1.2, BlurPixels: 0.9, WindowPixels: 1.5, ThinPart: 5,
	Rim: 0.84, Middle: 0.65, Rimmed: 60, Slack: 3,
	EdgeSamples: 60, Beside: 0.06, DotCore: 0.25, MostStart: 3, MostCap: 4.5, MostHole: 0.3, MostCover: 2, Core: 0.85, Aslant: 0.6, CapBeside: 0.85,
	SameLook: 0.02, OffColour: 0.4, OtherColour: 90, ColourWeight: 0.7, Unexplained: 3, Veiled: 0.75,
	FaintLike: 0.76, Recognised: 0.85, AboveGrain: 4, FaintBorder: 0.08, Noise: 0.02, Evidence: 0.25, Unusual: 2.5, KnownLike: 0.9,
	TellingPieces: 4,
}
