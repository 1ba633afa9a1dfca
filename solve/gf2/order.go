package gf2

// order returns the columns in an order in which columns that share an
// equation stand close together, and the place of each column in it. columns
// that no equation names come last. When the context ends the order is of no
// use.
func order(w *worker, cols int, eqs [][]int) (by, place []int) {
	by = make([]int, 0, cols)
	place = make([]int, cols)
	// 64: such a row is one word whatever the order.
	if cols <= 64 {
		for c := range cols {
			by = append(by, c)
			place[c] = c
		}
		return by, place
	}
	start := make([]int, cols+1)
	for _, eq := range eqs {
		if w.ended(missed * len(eq)) {
			break
		}
		for _, c := range eq {
			start[c+1]++
		}
	}
	for c := range cols {
		start[c+1] += start[c]
	}
	of := make([]int, start[cols]) // the equations of column c: of[start[c]:start[c+1]]
	if w.err != nil {
		return by, place
	}
	fill := append([]int(nil), start[:cols]...)
	for e, eq := range eqs {
		if w.ended(missed * len(eq)) {
			break
		}
		for _, c := range eq {
			of[fill[c]] = e
			fill[c]++
		}
	}
	if w.err != nil {
		return by, place
	}
	seenCol, seenEq := make([]int, cols), make([]int, len(eqs))
	walk := 0
	// breadth lists what is reached from c, nearest first.
	breadth := func(c int, list []int) []int {
		walk++
		from := len(list)
		list = append(list, c)
		seenCol[c] = walk
		for i := from; i < len(list); i++ {
			d := list[i]
			if w.ended(2 * missed) {
				return list
			}
			for _, e := range of[start[d]:start[d+1]] {
				if seenEq[e] == walk {
					continue
				}
				seenEq[e] = walk
				for _, f := range eqs[e] {
					if seenCol[f] != walk {
						seenCol[f] = walk
						list = append(list, f)
					}
				}
			}
		}
		return list
	}
	placed := make([]bool, cols)
	scratch := make([]int, 0, cols)
	for c := range cols {
		if placed[c] || start[c] == start[c+1] {
			continue
		}
		// Two walks end at a far end of the component.
		for range 2 {
			scratch = breadth(c, scratch[:0])
			c = scratch[len(scratch)-1]
		}
		from := len(by)
		by = breadth(c, by)
		for _, d := range by[from:] {
			placed[d] = true
		}
	}
	for c := range cols {
		if !placed[c] {
			by = append(by, c)
		}
	}
	for i, c := range by {
		place[c] = i
	}
	return by, place
}
