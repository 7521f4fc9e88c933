// Package bottom has the effects that the packages above it pass on.
package bottom

import (
	"fmt"
	"io"
	"log/slog"
	"math/rand"
	"os"
	"sync"
	"time"
)

var count int

var hits = map[string]int{}

func Print() { slog.Info("x") } // want Print:`^print: slog.Info$`

func PrintTo(w io.Writer) { fmt.Fprintln(w, "x") } // want PrintTo:`^print on parameter 0: fmt.Fprintln$`

func Local() string { // no effect: what it changes is its own
	parts := map[string]int{}
	parts["a"]++
	var b []int
	b = append(b, len(parts))
	return fmt.Sprint(b)
}

func Count() { count++ } // want Count:`^write: count\+\+$`

func Mark(key string) { hits[key] = 1 } // want Mark:`^write: assignment to hits\[key\]$`

type Counter struct {
	n     int
	inner *Counter
	hook  func()
}

func (c *Counter) Add() { c.n++ } // want Add:`^write on receiver at \.n: c\.n\+\+$`

func (c Counter) Copy() { c.n++ } // no effect: the receiver is a copy

func (c Counter) Deep() { c.inner.n++ } // want Deep:`^write on receiver at \.inner\.n: c\.inner\.n\+\+$`

func (c *Counter) Fire() { c.hook() } // want Fire:`^calls receiver at \.hook$`

func NewCounter() *Counter { return &Counter{} } // want NewCounter:`^result 0 is fresh$`

func Hold(c *Counter) *Counter { return &Counter{inner: c} } // want Hold:`^result 0 at \.inner is parameter 0; result 0 is fresh$`

func Each[T any](xs []T, f func(T)) { // want Each:`^calls parameter 1$`
	for _, x := range xs {
		f(x)
	}
}

func Lazily(once *sync.Once, f func()) { once.Do(f) } // want Lazily:`^calls parameter 1$`

func Stamp() string { return time.Now().String() } // want Stamp:`^clock: time\.Now$`

func Timed() { // no effect but the print: the time reaches a log alone
	start := time.Now()
	defer func() { fmt.Fprintln(io.Discard, time.Since(start)) }()
}

func Roll(r *rand.Rand) float64 { return r.Float64() } // want Roll:`^random on parameter 0: \(\*rand\.Rand\)\.Float64$`

func Seeded() float64 { // no effect: the generator is seeded by a constant
	r := rand.New(rand.NewSource(1))
	return r.Float64()
}

func Fatal(text string) { // want Fatal:`never returns`
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}

func Keep(x any) { kept = append(kept, x) } // want Keep:`leak of parameter 0: store of a symbolic value in kept; write: append to kept`

var kept []any

func Counting() func() int { // no effect: what it changes is made with it
	n := 0
	return func() int {
		n++
		return n
	}
}

func Even(n int) bool { // want Even:`^print: Odd: fmt\.Println$`
	return n == 0 || Odd(n-1)
}

func Odd(n int) bool { // want Odd:`^print: fmt\.Println$`
	fmt.Println(n)
	return n != 0 && Even(n-1)
}

var Hook = func() { fmt.Println("x") } // want Hook:`^print: fmt\.Println$`

type Sink interface {
	Put(int) // want Put:`^print: fmt\.Println$`
	Get() int
}

type console struct{}

func (console) Put(n int) { fmt.Println(n) } // want Put:`^print: fmt\.Println$`
func (console) Get() int  { return 0 }

type stderr struct{ console }

func (stderr) Put(n int) { println(n) } // want Put:`^print: println$`
