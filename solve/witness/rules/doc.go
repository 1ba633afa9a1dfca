// Package rules plays answers by the rules, and tells how the pages of The Windmill
// and witnesspuzzles.com would judge them. It shares nothing with the search: each
// finds the other's mistakes.
package rules
