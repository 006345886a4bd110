// shapes.go - chains of goroutines: see ../shapes.c.
package main

import (
	"os"
	"strconv"
	"time"
)

const long = 20000

var sink uint64

//go:noinline
func m_plain_leaf(p *uint64) {
	for i := uint64(0); i < long; i++ {
		*p = *p*3 + i
	}
}

// TRUTH main.m_plain_leaf main.m_plain_b main.m_plain_a main.main
//
//go:noinline
func m_plain_b() { m_plain_leaf(&sink); sink++ }

//go:noinline
func m_plain_a() { m_plain_b(); sink++ }

type m_iface interface{ b() }
type m_object struct{ n uint64 }

//go:noinline
func m_iface_leaf(p *uint64) {
	for i := uint64(0); i < long; i++ {
		*p = *p*5 + i
	}
}

// TRUTH main.m_iface_leaf main.(*m_object).b main.m_iface_a main.main
//
//go:noinline
func (o *m_object) b() { m_iface_leaf(&o.n); o.n++ }

//go:noinline
func m_iface_a(o m_iface) { o.b(); sink++ }

//go:noinline
func m_big_leaf(v *[600]uint64) {
	for i := uint64(0); i < long; i++ {
		v[i%600] += i
	}
}

// TRUTH main.m_big_leaf main.m_big_b main.main
//
//go:noinline
func m_big_b() {
	var v [600]uint64
	m_big_leaf(&v)
	sink += v[5]
}

//go:noinline
func m_defer_leaf(p *uint64) {
	for i := uint64(0); i < long; i++ {
		*p = *p*7 + i
	}
}

//go:noinline
func m_deferred() {
	recover()
	m_defer_leaf(&sink)
	sink++
}

// What is deferred runs in a panic: above it is the run time's way to it.
//
// TRUTH main.m_defer_leaf main.m_deferred * main.m_defer_b main.m_defer_a main.main
//
//go:noinline
func m_defer_b() {
	defer m_deferred()
	if sink|1 != 0 {
		panic("known")
	}
	sink++
}

//go:noinline
func m_defer_a() { m_defer_b(); sink++ }

//go:noinline
func m_other_leaf(p *uint64) {
	for i := uint64(0); i < long; i++ {
		*p = *p*9 + i
	}
}

//go:noinline
func m_other_b(p *uint64) { m_other_leaf(p); *p++ }

// TRUTH main.m_other_leaf main.m_other_b main.m_other_start * runtime.goexit
//
//go:noinline
func m_other_start(d time.Duration, done chan bool) {
	var own uint64
	for end := time.Now().Add(d); time.Now().Before(end); {
		m_other_b(&own)
	}
	done <- true
}

func main() {
	ms := 30
	if len(os.Args) > 1 {
		ms, _ = strconv.Atoi(os.Args[1])
	}
	d := time.Duration(ms) * time.Millisecond
	o := &m_object{}
	for shape := 0; shape < 4; shape++ {
		for end := time.Now().Add(d); time.Now().Before(end); {
			switch shape {
			case 0:
				m_plain_a()
			case 1:
				m_iface_a(o)
			case 2:
				m_big_b()
			case 3:
				m_defer_a()
			}
		}
	}
	done := make(chan bool)
	go m_other_start(d, done)
	<-done
}
