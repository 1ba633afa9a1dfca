// Package tiles lays pieces on a plain board of cells: an exact cover, or a search
// where blue pieces take squares away.
package tiles
