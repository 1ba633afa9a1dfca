// Package symbols reads kinds of symbols from files: a shape, and a rule of columns. A
// file holds no code.
package symbols

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"golang.org/x/image/colornames"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

//go:embed *.toml
var shipped embed.FS

// Folder is the folder of the user's own symbols: onlooker/symbols in the user's
// config folder.
func Folder() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("symbols: %w", err)
	}
	return filepath.Join(dir, "onlooker", "symbols"), nil
}

// Shipped are the kinds that come along.
func Shipped() ([]board.Kind, []error) { return Load(shipped) }

// Load reads every file of a folder; for each that is wrong there is an error, and no
// kind.
func Load(folder fs.FS) (kinds []board.Kind, wrong []error) {
	names, err := fs.Glob(folder, "*.toml")
	if err != nil {
		return nil, []error{fmt.Errorf("symbols: %w", err)}
	}
	for _, name := range names {
		data, err := content(folder, name)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("symbols: %w", err))
			continue
		}
		k, err := Parse(name, data)
		if err != nil {
			wrong = append(wrong, err)
			continue
		}
		if i := slices.IndexFunc(kinds, func(o board.Kind) bool { return plural(o.String()) == plural(k.String()) }); i >= 0 {
			wrong = append(wrong, fmt.Errorf("symbols: %s: name is %q, want one that is not %q but for an s", name, k, kinds[i]))
			continue
		}
		kinds = append(kinds, k)
	}
	return kinds, wrong
}

// content is what stands in a file, if it is one, and no larger than any that is written: to
// open a pipe may take for ever, and a device may have no end.
func content(folder fs.FS, name string) ([]byte, error) {
	const most = 1 << 20
	switch is, err := fs.Stat(folder, name); {
	case err != nil:
		return nil, err
	case !is.Mode().IsRegular() || is.Size() > most:
		return nil, fmt.Errorf("%s: %v of %d bytes, want a file of at most %d", name, is.Mode().Type(), is.Size(), most)
	}
	return fs.ReadFile(folder, name)
}

// All are the kinds that come along and the user's own, which replace those of the
// same name.
func All() (kinds []board.Kind, wrong []error) {
	kinds, wrong = Shipped()
	dir, err := Folder()
	if err != nil {
		return kinds, wrong // without a home there are none
	}
	own, bad := Load(os.DirFS(dir))
	kinds = slices.DeleteFunc(kinds, func(k board.Kind) bool {
		return slices.ContainsFunc(own, func(o board.Kind) bool { return plural(o.String()) == plural(k.String()) })
	})
	return append(kinds, own...), append(wrong, bad...)
}

// A file is a symbol as it is written.
type file struct {
	Name       string
	Called     string // with an article
	Doc        string
	Broken     string
	Colour     string
	Numbers    []int // the least and the most
	Behind     bool  // the number stands behind the name
	Directions int
	Erasable   *bool
	Stars      *bool // they count it
	Rule       struct {
		Scope, Pick, Until, Fold, Test string
		Itself, Each, Stub             bool
		OwnColour                      bool `toml:"own_colour"`
	}
	Shape struct {
		Mark, Count string
		Back, Shift float64
		Once, Each  [][][]float64
	}
}

// Parse reads the text of a file; its name is only given in errors.
func Parse(name string, data []byte) (board.Kind, error) {
	var f file
	fail := func(err error) (board.Kind, error) {
		return board.NoSymbol, fmt.Errorf("symbols: %s: %w", name, err)
	}
	dec := toml.NewDecoder(strings.NewReader(string(data))).DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) && len(strict.Errors) > 0 {
			line, _ := strict.Errors[0].Position()
			return fail(fmt.Errorf("line %d: unknown key %s", line, strings.Join(strict.Errors[0].Key(), ".")))
		}
		var at *toml.DecodeError
		if errors.As(err, &at) {
			line, column := at.Position()
			return fail(fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(at.Error(), "toml: ")))
		}
		return fail(err)
	}
	if want := strings.TrimSuffix(filepath.Base(name), ".toml"); f.Name != want {
		return fail(fmt.Errorf("name is %q, want %q as the file", f.Name, want))
	}
	for _, check := range []func() error{f.checkWords, f.checkRule, f.checkShape} {
		if err := check(); err != nil {
			return fail(placed(data, err))
		}
	}
	return board.NewKind(f.about()), nil
}

// about is the kind as data.
func (f *file) about() board.Facts {
	r := f.Rule
	a := board.Facts{
		Name: f.Name, Called: cleaned(f.Called), Shape: f.Name, Broken: cleaned(f.Broken),
		Rule:    solve.Rule{Name: f.Name, Doc: cleaned(f.Doc)},
		Implied: board.Colour(f.Colour), Needs: r.OwnColour, Behind: f.Behind, Ways: f.Directions,
		Fixed: f.Erasable != nil && !*f.Erasable, Starless: f.Stars != nil && !*f.Stars,
		By: &board.Columns{
			Scope: board.Scope(r.Scope), Pick: board.Pick(r.Pick), Until: board.RayEnd(r.Until), Fold: board.Fold(r.Fold), Test: board.Test(r.Test),
			Itself: r.Itself, OwnColour: r.OwnColour, Each: r.Each, Stub: r.Stub,
		},
		Figure: &board.Figure{Once: polygons(f.Shape.Once), Each: polygons(f.Shape.Each), Count: f.Shape.Count, Back: f.Shape.Back, Shift: f.Shape.Shift, Mark: f.Shape.Mark},
	}
	if len(f.Numbers) == 2 {
		a.Zero, a.Most = f.Numbers[0] == 0, f.Numbers[1]
	}
	if a.Called == "" {
		a.Called = "a " + a.Name
	}
	if a.Broken == "" {
		a.Broken = "its rule is broken"
	}
	return a
}

// placed is an error that begins with a key, with the line of that before it.
func placed(data []byte, err error) error {
	key := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == ' ' || r == '[' })[0]
	var p unstable.Parser
	table, found := "", 0
	for p.Reset(data); p.NextExpression(); {
		e := p.Expression()
		var parts []string
		line := 0
		for it := e.Key(); it.Next(); {
			parts = append(parts, string(it.Node().Data))
			line = p.Shape(it.Node().Raw).Start.Line
		}
		name := strings.Join(parts, ".")
		if e.Kind == unstable.KeyValue {
			name = table + name
		} else {
			table = name + "."
		}
		if key == name || found == 0 && strings.HasPrefix(key, name+".") { // of its table where it is missing
			found = line
		}
	}
	if found == 0 {
		return err
	}
	return fmt.Errorf("line %d: %w", found, err)
}

func polygons(list [][][]float64) (all [][]board.Vec) {
	for _, points := range list {
		var polygon []board.Vec
		for _, p := range points {
			polygon = append(polygon, board.Vec{X: p[0], Y: p[1]})
		}
		all = append(all, polygon)
	}
	return all
}

// oneOf says that a value is none of those that there are.
func oneOf(key, got string, want ...string) error {
	if slices.Contains(want, got) {
		return nil
	}
	quoted := make([]string, len(want))
	for i, w := range want {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	last := len(quoted) - 1
	list := quoted[last]
	if last > 0 {
		list = strings.Join(quoted[:last], ", ") + " or " + list
	}
	return fmt.Errorf("%s is %q, want %s", key, got, list)
}

func (f *file) checkWords() error {
	if !board.GoodColour(board.Colour(f.Name)) || strings.HasPrefix(f.Name, "#") {
		return fmt.Errorf("name is %q, want a word of small letters that means nothing yet", f.Name)
	}
	if _, colour := colornames.Map[f.Name]; colour || slices.Contains(wishes(), plural(f.Name)) {
		return fmt.Errorf("name is %q, want a word that names no colour and nothing else that a panel is asked for", f.Name)
	}
	switch {
	case f.Called != "" && !strings.HasPrefix(f.Called, "a ") && !strings.HasPrefix(f.Called, "an "):
		return fmt.Errorf("called is %q, want it with its article, such as %q", f.Called, "a "+f.Name)
	case f.Doc == "":
		return errors.New("doc is missing, want the rule as a sentence")
	case f.Colour != "" && !board.GoodColour(board.Colour(f.Colour)):
		return fmt.Errorf("colour is %q, want a word of small letters or #rrggbb", f.Colour)
	case f.Numbers != nil && (len(f.Numbers) != 2 || f.Numbers[0] < 0 || f.Numbers[0] > 1 || f.Numbers[1] < 1 || f.Numbers[1] > 9):
		return fmt.Errorf("numbers is %v, want two: 0 or 1, and one up to 9", f.Numbers)
	case f.Behind && f.Numbers == nil:
		return errors.New("behind is true, want numbers beside it")
	case f.Directions != 0 && f.Directions != 4 && f.Directions != 8:
		return fmt.Errorf("directions is %d, want 4, 8 or none", f.Directions)
	}
	return nil
}

// wishes are what a panel is asked for by other words than the names of such symbols.
func wishes() []string {
	all := []string{"dots", "cuts", "pieces", "colours", "negatives", "pillars", "symmetrys", "turneds", "missings", "starts", "ends"}
	for _, k := range board.Kinds() {
		all = append(all, plural(k.String()))
	}
	return all
}

// plural is a name for several, as panels are asked for by it.
func plural(name string) string { return strings.TrimSuffix(name, "s") + "s" }

func (f *file) checkRule() error {
	c := f.about().By
	if err := c.Meaning(); err != nil {
		return err
	}
	way := c.Scope == board.Ray || c.Scope == board.Ahead
	test, numbered := c.Test, strings.HasSuffix(string(c.Test), "n") || c.Sums()
	switch {
	case way && f.Directions == 0:
		return fmt.Errorf("rule.scope is %q, want directions beside it, 4 or 8", c.Scope)
	case !way && c.Fold != board.SidesSet && f.Directions != 0:
		return fmt.Errorf("directions is %d, want none: no column of the rule looks in one", f.Directions)
	case (c.Pick == board.PickSeen || c.Fold == board.SidesSet) && f.Directions == 8:
		return errors.New("directions is 8, want 4 where sides of cells are looked at")
	case c.Fold == board.Lined:
		return nil
	case numbered && f.Numbers == nil:
		return fmt.Errorf("rule.test is %q, want numbers", test)
	case !numbered && f.Numbers != nil:
		return fmt.Errorf("rule.test is %q, want one with n: the symbol has numbers", test)
	case test.Over() && f.Erasable != nil && *f.Erasable:
		return errors.New("erasable is true, want false: rule.test is over the panel")
	}
	return nil
}

// unprintable tells characters that would steer a terminal, and spaces other than the usual one.
func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// cleaned is a text without characters that cannot be printed.
func cleaned(text string) string {
	return strings.Map(func(r rune) rune {
		if unprintable(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// mostParts bounds the polygons of a shape, and the points of each.
const mostParts = 64

func (f *file) checkShape() error {
	s := &f.Shape
	if err := oneOf("shape.count", s.Count, "", "steps", "row", "heads", "digit"); err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(s.Mark) != 1 || strings.ContainsFunc(s.Mark, unprintable):
		return fmt.Errorf("shape.mark is %q, want one character that can be printed", s.Mark)
	case len(s.Once)+len(s.Each) == 0 && s.Count != "digit":
		return errors.New("shape has no polygons, want once or each")
	case s.Count != "" && f.Numbers == nil:
		return fmt.Errorf("shape.count is %q, want numbers", s.Count)
	case s.Count == "" && f.Numbers != nil:
		return errors.New("shape.count is missing, want how the numbers are drawn: steps, row, heads or digit")
	case len(s.Once) > mostParts || len(s.Each) > mostParts:
		return fmt.Errorf("shape has %d polygons, want at most %d", max(len(s.Once), len(s.Each)), mostParts)
	}
	for _, list := range []struct {
		key      string
		polygons [][][]float64
	}{{"once", s.Once}, {"each", s.Each}} {
		for i, points := range list.polygons {
			key := fmt.Sprintf("shape.%s[%d]", list.key, i)
			if len(points) < 3 || len(points) > mostParts {
				return fmt.Errorf("%s has %d points, want 3 to %d", key, len(points), mostParts)
			}
			for _, p := range points {
				if len(p) != 2 || !(max(p[0], -p[0], p[1], -p[1]) <= 1) { // NaN fails too
					return fmt.Errorf("%s has a point %v, want two numbers from -1 to 1", key, p)
				}
			}
		}
	}
	return nil
}
