// Package pkg is there for its path: functions of it are named "probed/deep/pkg.F".
package pkg

//go:noinline
func F(n int) int {
	return n + 1
}

// Store has a method with a pointer receiver, and a closure in it.
type Store struct {
	Count int
	name  string
}

//go:noinline
func NewStore(name string) *Store {
	return &Store{name: name}
}

//go:noinline
func (s *Store) Save(n int) int {
	add := func(m int) {
		s.Count += m
	}
	apply(add, n)
	return s.Count
}

//go:noinline
func apply(f func(int), n int) {
	f(n)
}
