package part

// Heaviest parts a list: those that are near one of it, which weigh more together than
// those near any other, and the rest. Of one kind all have the same near them.
func Heaviest[T any, K comparable](list []T, kind func(T) K, near func(t, like T) bool, weight func(T) float64) (best, rest []T) {
	most, like := 0.0, 0
	tried := map[K]bool{}
	for i, l := range list {
		k := kind(l)
		if tried[k] {
			continue
		}
		tried[k] = true
		sum := 0.0
		for _, t := range list {
			if near(t, l) {
				sum += weight(t)
			}
		}
		if sum > most {
			most, like = sum, i
		}
	}
	for _, t := range list {
		if near(t, list[like]) {
			best = append(best, t)
		} else {
			rest = append(rest, t)
		}
	}
	return best, rest
}
