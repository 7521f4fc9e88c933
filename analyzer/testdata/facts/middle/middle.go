// Package middle passes effects of bottom on, bound to what it passes.
package middle

import (
	"os"

	"example.com/facts/bottom"
)

func Print() { inner() } // want Print:`^print: inner -> bottom\.Print: slog\.Info$`

func inner() { bottom.Print() }

func Stdout() { bottom.PrintTo(os.Stdout) } // want Stdout:`^print: bottom\.PrintTo: fmt\.Fprintln$`

func Fresh() { // no effect: the counter is its own
	c := bottom.NewCounter()
	c.Add()
	held := bottom.Hold(c)
	held.Deep()
}

func Given(c *bottom.Counter) { // want Given:`^write on parameter 0 at \.n: \(\*bottom\.Counter\)\.Add: c\.n\+\+$`
	bottom.Hold(c).Deep()
	c.Add()
}

func Each(xs []int) { // want Each:`^print: bottom\.Print: slog\.Info$`
	bottom.Each(xs, func(int) { bottom.Print() })
}

func Own(xs []int) int { // no effect: the literal changes a variable of this function
	sum := 0
	bottom.Each(xs, func(x int) { sum += x })
	return sum
}

func Counted() int { return bottom.Counting()() } // no effect: the counter is made here

func Call() { bottom.Hook() } // want Call:`^print: bottom\.Hook: fmt\.Println$`

func Put(s bottom.Sink) { s.Put(1) } // want Put:`^print: bottom\.Sink\.Put: fmt\.Println$`

func Quiet(s bottom.Sink) int { return s.Get() } // no effect
