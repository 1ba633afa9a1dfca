package witness

// A RuleSet says how the rules are read where implementations differ. Game,
// Windmill and WitnessPuzzles are the three that people use.
type RuleSet struct {
	// Name is "game", "windmill" or "witnesspuzzles", also when single options
	// were switched afterwards.
	Name string
}

// The rule sets.
var (
	Game           = RuleSet{Name: "game"}
	Windmill       = RuleSet{Name: "windmill"}
	WitnessPuzzles = RuleSet{Name: "witnesspuzzles"}
)
