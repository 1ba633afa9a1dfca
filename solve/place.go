package solve

import (
	"fmt"
	"image"
)

// PlaceName names a half-cell for people, in the one way that all messages have: counted
// from 1, from the top left. A cell is "column 2 row 3". Corners have columns and
// rows of their own, one more of each than cells. An edge is named by the cell
// on its left or above it, at the border by the cell that it belongs to.
func PlaceName(at image.Point) string {
	col, row := at.X>>1, at.Y>>1
	oddX, oddY := at.X&1 == 1, at.Y&1 == 1
	switch {
	case oddX && oddY:
		return fmt.Sprintf("column %d row %d", col+1, row+1)
	case !oddX && !oddY:
		return fmt.Sprintf("corner column %d row %d", col+1, row+1)
	case oddX && row == 0:
		return fmt.Sprintf("edge over column %d row 1", col+1)
	case oddX:
		return fmt.Sprintf("edge under column %d row %d", col+1, row)
	case col == 0:
		return fmt.Sprintf("edge left of column 1 row %d", row+1)
	}
	return fmt.Sprintf("edge right of column %d row %d", col, row+1)
}
