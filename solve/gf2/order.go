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
	u := users(w, cols, eqs)
	if w.err != nil {
		return by, place
	}
	o := &ordering{w: w, eqs: eqs, users: u, seenCol: make([]int, cols), seenEq: make([]int, len(eqs))}
	placed := make([]bool, cols)
	scratch := make([]int, 0, cols)
	for c := range cols {
		if placed[c] || len(u.at(c)) == 0 {
			continue
		}
		// Two walks end at a far end of the component.
		for range 2 {
			scratch = o.breadth(c, scratch[:0])
			c = scratch[len(scratch)-1]
		}
		from := len(by)
		by = o.breadth(c, by)
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

// A useList tells in which equations each column stands.
type useList struct{ start, of []int }

func (u useList) at(c int) []int { return u.of[u.start[c]:u.start[c+1]] }

// users lists them; when the context ends the list is of no use.
func users(w *worker, cols int, eqs [][]int) useList {
	start := make([]int, cols+1)
	for _, eq := range eqs {
		if w.ended(missed * len(eq)) {
			return useList{}
		}
		for _, c := range eq {
			start[c+1]++
		}
	}
	for c := range cols {
		start[c+1] += start[c]
	}
	of := make([]int, start[cols])
	fill := append([]int(nil), start[:cols]...)
	for e, eq := range eqs {
		if w.ended(missed * len(eq)) {
			return useList{}
		}
		for _, c := range eq {
			of[fill[c]] = e
			fill[c]++
		}
	}
	return useList{start, of}
}

// An ordering walks from column to column, over equations that hold both.
type ordering struct {
	w               *worker
	eqs             [][]int
	users           useList
	walk            int
	seenCol, seenEq []int // number of the last walk that came there
}

// breadth appends what is reached from c, nearest first.
func (o *ordering) breadth(c int, list []int) []int {
	o.walk++
	from := len(list)
	list = append(list, c)
	o.seenCol[c] = o.walk
	for i := from; i < len(list); i++ {
		if o.w.ended(2 * missed) {
			return list
		}
		for _, e := range o.users.at(list[i]) {
			if o.seenEq[e] == o.walk {
				continue
			}
			o.seenEq[e] = o.walk
			for _, f := range o.eqs[e] {
				if o.seenCol[f] != o.walk {
					o.seenCol[f] = o.walk
					list = append(list, f)
				}
			}
		}
	}
	return list
}
