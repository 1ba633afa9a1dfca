package tiles

import (
	"sync"
)

// A Memo is what is known already; searches of one panel that run side by side
// share it.
type Memo struct {
	mu sync.Mutex
	of map[string]bool
}

func NewMemo() *Memo { return &Memo{of: make(map[string]bool)} }

// Look is the verdict by a key, if it is known.
func (v *Memo) Look(key []byte) (right, known bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	right, known = v.of[string(key)]
	return right, known
}

func (v *Memo) Note(key []byte, right bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of[string(key)] = right
}

func AppendClasses(key []byte, classes []int32) []byte {
	for _, c := range classes {
		key = AppendInts(key, int(c))
	}
	return key
}

// AppendInts appends numbers to a key, three bytes each: the largest panel has
// 100,000 places where cells and half-cells meet. -1 keeps two lists apart.
func AppendInts(key []byte, n ...int) []byte {
	for _, v := range n {
		key = append(key, byte(v), byte(v>>8), byte(v>>16))
	}
	return key
}
