// A service that is busy for so many milliseconds: methods, a closure and a generic function of another package, in
// goroutines. Stripped, its functions have names all the same.
package main

import (
	"os"
	"served/stock"
	"strconv"
	"time"
)

type shop struct {
	shelf [4096]uint32
}

//go:noinline
func (s *shop) price(order uint32) uint32 {
	sum := order
	for i := range s.shelf {
		sum = sum*31 + s.shelf[i] ^ uint32(i)
	}
	return sum
}

//go:noinline
func (s *shop) serve(until time.Time) uint32 {
	sum := uint32(1)
	for time.Now().Before(until) {
		for i := 0; i < 200; i++ {
			sum += s.price(sum) + stock.Count(s.shelf[:], func(v uint32) bool { return v > sum })
		}
	}
	return sum
}

func main() {
	ms, err := strconv.Atoi(os.Args[1])
	if err != nil {
		os.Exit(2)
	}
	until := time.Now().Add(time.Duration(ms) * time.Millisecond)
	done := make(chan uint32)
	for i := 0; i < 2; i++ {
		s := &shop{}
		go func() { done <- s.serve(until) }()
	}
	println((<-done+<-done)&1 | 1)
}
