// Package language holds the ways in which an effect is reached from a traced function.
package language

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"

	"example.com/fixtures/helper"
	"example.com/fixtures/middle"
)

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, methods),
		graph.MustNewExec(backend, closures),
		graph.MustNewExec(backend, callbacks),
		graph.MustNewExec(backend, interfaces),
		graph.MustNewExec(backend, generics),
		graph.MustNewExec(backend, recursion),
		graph.MustNewExec(backend, packages),
		graph.MustNewExec(backend, statements),
	}
}

type base struct{}

func (base) note() {
	fmt.Println("base.note") // want `fmt\.Println.*\(print\)$`
}

func (*base) hint() {
	fmt.Println("base.hint") // want `fmt\.Println.*\(print\)$`
}

func (base) tell() {
	fmt.Println("base.tell") // want `fmt\.Println.*\(print\)$`
}

func (base) hide() {
	fmt.Println("base.hide") // not called while tracing
}

type derived struct {
	*base
	width int
}

type outer struct{ derived }

func methods(x *graph.Node) *graph.Node {
	d := derived{base: &base{}}
	outer{d}.note() // promoted twice
	hint := d.hint  // bound and promoted
	hint()
	base.tell(base{}) // a method expression
	d.helper()
	hide := d.hide // bound, not called
	_ = hide
	return x
}

func (d derived) helper() {
	func() {
		fmt.Println("helper") // want `fmt\.Println.*\(print\)$`
	}()
}

func closures(x *graph.Node) *graph.Node {
	say := func(text string) {
		fmt.Println(text) // want `fmt\.Println.*\(print\)$`
	}
	say("called")
	defer func() {
		fmt.Println("deferred") // want `fmt\.Println.*\(print\)$`
	}()
	var visit func(n int)
	visit = func(n int) {
		if n > 0 {
			fmt.Println("visit") // want `fmt\.Println.*\(print\)$`
			visit(n - 1)
		}
	}
	visit(3)
	maker()()
	ops := struct{ run func() }{run: func() {
		fmt.Println("field") // want `fmt\.Println.*\(print\)$`
	}}
	ops.run()
	never := func() {
		fmt.Println("never") // nobody calls it
	}
	_ = never
	notReturned()
	return x
}

func maker() func() {
	return func() {
		fmt.Println("made") // want `fmt\.Println.*\(print\)$`
	}
}

func notReturned() func() {
	return func() {
		fmt.Println("dropped") // nobody calls it
	}
}

var (
	once sync.Once
	lazy = sync.OnceValue(func() int {
		time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
		return 2
	})
	shout = func(text string) {
		fmt.Println(text) // want `fmt\.Println.*\(print\)$`
	}
	swapped = func() {
		fmt.Println("swapped") // not known to be called: the variable is set again
	}
)

// Swap sets the variable again.
func Swap(f func()) { swapped = f }

func callbacks(x *graph.Node) *graph.Node {
	dims := slices.Clone(x.Shape().Dimensions)
	helper.Each(dims, func(n int) {
		fmt.Println("each", n) // want `fmt\.Println.*\(print\)$`
	})
	helper.Each(dims, show)
	helper.Run(base{}.bound)
	apply(func() {
		fmt.Println("applied") // want `fmt\.Println.*\(print\)$`
	})
	slices.SortFunc(dims, func(a, b int) int {
		fmt.Println("compare") // want `fmt\.Println.*\(print\)$`
		return cmp.Compare(a, b)
	})
	sort.Slice(dims, func(i, j int) bool {
		fmt.Println("less") // want `fmt\.Println.*\(print\)$`
		return dims[i] < dims[j]
	})
	once.Do(func() {
		time.Sleep(time.Millisecond) // want `time\.Sleep.*\(sync\)$`
	})
	shout("x")
	swapped()
	helper.Each(dims, func(n int) { x = graph.AddScalar(x, n) }) // a local of the traced function
	return graph.AddScalar(x, lazy())
}

func show(n int) {
	fmt.Println("show", n) // want `fmt\.Println.*\(print\)$`
}

func (base) bound() {
	fmt.Println("bound") // want `fmt\.Println.*\(print\)$`
}

func apply(f func()) { f() }

func interfaces(x *graph.Node) *graph.Node {
	var known helper.Singer = helper.Loud{}
	known.Sing("x") // want `Sing: fmt\.Println prints.*\(print\)$`
	var quiet helper.Singer = helper.Mute{}
	quiet.Sing("x") // known to be silent
	return x
}

// Talk is a root by its signature.
func Talk(speaker helper.Speaker, singer helper.Singer, other interface{ Sing(string) }, x *graph.Node) *graph.Node {
	speaker.Say("x") // want `Say.*fmt\.Fprintln prints.*\(print\)$`
	singer.Sing("x") // not all implementations print
	other.Sing("x")  // unknown
	return x
}

// Call is a root by its signature.
func Call(f func(), fs map[string]func(), x *graph.Node) *graph.Node {
	f()       // the caller decides
	fs["x"]() // unknown
	return x
}

type number interface{ ~int | ~float64 }

func trace[T number](value T) {
	fmt.Println(value) // want `fmt\.Println.*\(print\)$`
}

type stack[T any] struct{ values []T }

func (s *stack[T]) push(value T) {
	s.values = append(s.values, value) // the receiver is made in the trace
	fmt.Println("push")                // want `fmt\.Println.*\(print\)$`
}

type printer = base // an alias

func (s *stack[T]) each(f func(T)) {
	for _, value := range s.values {
		f(value)
	}
}

func generics(x *graph.Node) *graph.Node {
	trace(1)
	trace(2.5)
	s := &stack[*graph.Node]{}
	s.push(x)
	s.each(func(n *graph.Node) {
		fmt.Println("stack", n) // want `fmt\.Println.*\(print\)$`
	})
	traceFloat := trace[float64]
	traceFloat(1)
	printer{}.bound()
	Call(func() {
		fmt.Println("from the caller") // want `fmt\.Println.*\(print\)$`
	}, nil, x)
	return x
}

func recursion(x *graph.Node) *graph.Node {
	ping(x.Rank())
	return x
}

func ping(n int) {
	if n > 0 {
		pong(n - 1)
	}
}

func pong(n int) {
	fmt.Println("pong", n) // want `fmt\.Println.*\(print\)$`
	ping(n)
}

func packages(x *graph.Node) *graph.Node {
	middle.Step()        // want `middle\.Step -> helper\.Deep -> .*bottom: slog\.Info prints.*\(print\)$`
	helper.Announce("x") // want `helper\.Announce.*fmt\.Println prints.*\(print\)$`
	between()
	helper.Quiet()       // no effect
	middle.OnHost(quiet) // no effect
	defer helper.Deep()  // want `helper\.Deep -> middle -> bottom: slog\.Info prints.*\(print\)$`
	return x
}

// between is called by packages: the finding stands where this package is left.
func between() {
	helper.Deep() // want `helper\.Deep -> middle -> bottom: slog\.Info prints.*\(print\)$`
}

func quiet() {}

func noisy(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		fmt.Println("noisy") // want `fmt\.Println.*\(print\)$`
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func statements(x *graph.Node) *graph.Node {
	for n := range helper.All([]int{1, 2}) {
		fmt.Println("range", n) // want `fmt\.Println.*\(print\)$`
	}
	for n := range noisy(2) {
		x = graph.AddScalar(x, n)
	}
	for range helper.All([]int{1, 2}) { // the iterator prints nothing
		x = graph.OnePlus(x)
	}
	if x.Rank() > 1 {
		fmt.Println("deep") // want `fmt\.Println.*\(print\)$`
	} else if helper.Kept() > 0 {
		fmt.Println("kept") // want `fmt\.Println.*\(print\)$`
	}
	switch {
	case x.IsScalar():
		fmt.Println("scalar") // want `fmt\.Println.*\(print\)$`
	}
	return x
}

// Host calls the same functions outside of any trace.
func Host(x *hosted) {
	helper.Deep()                                            // host code
	middle.Step()                                            // the same
	helper.Announce("host")                                  // the same
	helper.Each([]int{1}, func(int) { fmt.Println("host") }) // the same
	for range noisy(1) {
		fmt.Println("host") // the same
	}
	base{}.hide() // the same
	x.note()
	defer x.once.Do(func() { fmt.Println("host") }) // the same
}

type hosted struct {
	once  sync.Once
	count int
}

func (h *hosted) note() {
	h.count++               // host code
	fmt.Println("hosted")   // the same
	time.Sleep(time.Second) // the same
}

// Quiet wraps a function that reaches all kinds of calls without an effect.
func Quiet(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, func(x *graph.Node) *graph.Node {
		widths := slices.Clone(x.Shape().Dimensions)
		slices.SortFunc(widths, func(a, b int) int { return cmp.Compare(b, a) }) // compares and does nothing else
		helper.Each(widths, func(n int) { x = graph.AddScalar(x, n) })           // the same
		helper.Run(quiet)                                                        // the same
		quieter := sync.OnceValue(func() int { return 2 })                       // the same
		s := &stack[int]{values: widths}
		s.each(func(n int) { widths[0] = n }) // a local
		for n := range helper.All(widths) {   // the same
			x = graph.AddScalar(x, n+quieter())
		}
		var singer helper.Singer = helper.Mute{}
		defer singer.Sing("x") // known to be silent
		even(x.Rank())         // mutual recursion without an effect
		return x
	})
}

func even(n int) bool { return n == 0 || odd(n-1) }

func odd(n int) bool { return n != 0 && even(n-1) }
