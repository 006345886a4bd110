// Names as Go makes them: methods of values and pointers, closures, paths of packages, generic functions. Stacks move
// while functions wait to return: a return probe that patches the return address breaks this program.
package main

import (
	"os"
	"probed/deep/pkg"
)

type T struct {
	n int
}

//go:noinline
func (t *T) M(by int) int {
	t.n += by
	return t.n
}

//go:noinline
func (t T) Value(by int) int {
	return t.n * by
}

//go:noinline
func Max[K int | int32](a, b K) K {
	if a > b {
		return a
	}
	return b
}

// deep grows the stack, which moves it.
//
//go:noinline
func deep(n int) int {
	var room [512]byte
	if n == 0 {
		return int(room[0])
	}
	room[n%512] = byte(n)
	return deep(n-1) + int(room[n%512])&1
}

//go:noinline
func each(n int, f func(int) int) int {
	sum := 0
	for i := 0; i < n; i++ {
		sum += f(i)
	}
	return sum
}

func main() {
	t := &T{n: 1}
	sum := t.M(2) + t.M(3) + t.Value(10)
	sum += each(4, func(i int) int { return i * t.n })
	sum += Max(5, 6) + int(Max(int32(-7), int32(8)))
	s := pkg.NewStore("named")
	sum += pkg.F(9) + s.Save(11) + s.Save(12)
	done := make(chan int)
	go func() { done <- deep(200) }()
	sum += <-done
	if sum != 3+6+60+36+6+8+10+11+23+100 {
		println(sum)
		os.Exit(1)
	}
}
