package stock

// Count tells of how many things `is` is true.
//
//go:noinline
func Count[T uint32 | uint64](things []T, is func(T) bool) T {
	n := T(0)
	for _, t := range things {
		if is(t) {
			n++
		}
	}
	return n
}
