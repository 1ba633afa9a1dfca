package path

// Variables are decided by a score that conflicts raise and time lowers: VSIDS
// as in MiniSat (N. Eén and N. Sörensson, An Extensible SAT-solver, 2003), with
// its decay, and its scale against overflow.
const (
	scoreDecay = 0.95
	scoreMost  = 1e100
)

// scores are those of the variables that are not decided by an order, and a heap of the
// variables that are open.
type scores struct {
	act  []float64 // -1: decided last, whatever conflicts it is in
	inc  float64
	heap []int32
	pos  []int32 // in heap; -1: not there
}

// decay makes further conflicts count for more, rather than earlier ones for
// less.
func (o *scores) decay() { o.inc *= 1 / scoreDecay }

func (o *scores) bump(v int32) {
	if o.act[v] < 0 {
		return
	}
	o.act[v] += o.inc
	if o.act[v] > scoreMost {
		for i := range o.act {
			if o.act[i] > 0 {
				o.act[i] *= 1 / scoreMost
			}
		}
		o.inc *= 1 / scoreMost
	}
	if o.pos[v] >= 0 {
		o.up(int(o.pos[v]))
	}
}

// The heap holds variables by falling activity, equal ones by number.
func (o *scores) before(a, b int32) bool {
	return o.act[a] > o.act[b] || o.act[a] == o.act[b] && a < b
}

func (o *scores) insert(v int32) {
	o.pos[v] = int32(len(o.heap))
	o.heap = append(o.heap, v)
	o.up(len(o.heap) - 1)
}

func (o *scores) up(i int) {
	v := o.heap[i]
	for i > 0 {
		p := (i - 1) / 2
		if !o.before(v, o.heap[p]) {
			break
		}
		o.heap[i] = o.heap[p]
		o.pos[o.heap[i]] = int32(i)
		i = p
	}
	o.heap[i] = v
	o.pos[v] = int32(i)
}

func (o *scores) down(i int) {
	v := o.heap[i]
	for {
		c := 2*i + 1
		if c >= len(o.heap) {
			break
		}
		if c+1 < len(o.heap) && o.before(o.heap[c+1], o.heap[c]) {
			c++
		}
		if !o.before(o.heap[c], v) {
			break
		}
		o.heap[i] = o.heap[c]
		o.pos[o.heap[i]] = int32(i)
		i = c
	}
	o.heap[i] = v
	o.pos[v] = int32(i)
}

func (o *scores) pop() int32 {
	v := o.heap[0]
	o.pos[v] = -1
	last := o.heap[len(o.heap)-1]
	o.heap = o.heap[:len(o.heap)-1]
	if len(o.heap) > 0 {
		o.heap[0] = last
		o.down(0)
	}
	return v
}
