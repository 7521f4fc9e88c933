// Package abort holds the cases of rule abort: ways out of a trace that the engine cannot catch.
package abort

import (
	"errors"
	"fmt"
	"log"
	"os"
	"runtime"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/exceptions"
	pkgerrors "github.com/pkg/errors"

	"example.com/fixtures/helper"
)

type reason string

type failure struct{ code int }

func (f failure) Error() string { return fmt.Sprint(f.code) }

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, panics),
		graph.MustNewExec(backend, leaves),
	}
}

func panics(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		panic("no scalars") // want `panic.*\(abort\)$`
	case 1:
		panic(fmt.Sprintf("rank %d", x.Rank())) // want `panic.*\(abort\)$`
	case 2:
		panic(42) // want `panic.*\(abort\)$`
	case 3:
		panic(reason("rank")) // want `panic.*\(abort\)$`
	case 4:
		panic(&struct{ rank int }{4}) // want `panic.*\(abort\)$`
	}
	if err := exceptions.TryCatch[error](func() {
		panic("TryCatch[error] lets strings through") // want `panic.*\(abort\)$`
	}); err != nil {
		panic(err) // the engine catches errors
	}
	return x
}

func leaves(x *graph.Node) *graph.Node {
	if x.Rank() > 2 {
		log.Panicf("rank %d", x.Rank()) // want `log\.Panicf.*\(abort\)$`
	}
	if x.Rank() > 1 {
		log.Panic("rank") // want `log\.Panic.*\(abort\)$`
	}
	helper.Check(x.Rank() == 0) // want `helper\.Check: panic.*\(abort\)$`
	if !x.DType().IsFloat() {
		runtime.Goexit() // want `runtime\.Goexit.*\(abort\)$`
	}
	return x
}

// RunOnce hangs at the first call as well.
func RunOnce(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(x *graph.Node) *graph.Node {
		if x.Rank() > 1 {
			panic("rank") // want `panic.*\(abort\)$`
		}
		return x
	}, float32(1))
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*graph.Exec {
	if backend == nil {
		panic("no backend") // host code
	}
	return []*graph.Exec{
		graph.MustNewExec(backend, withErrors),
		graph.MustNewExec(backend, recovered),
		graph.MustNewExec(backend, unknown),
		graph.MustNewExec(backend, exits),
	}
}

var errRank = errors.New("rank")

func withErrors(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		panic(errRank) // an error
	case 1:
		panic(fmt.Errorf("rank %d", x.Rank())) // an error
	case 2:
		panic(pkgerrors.Errorf("rank %d", x.Rank())) // an error
	case 3:
		panic(failure{3}) // an error
	case 4:
		panic(&failure{4}) // an error: pointers have their elements' methods
	case 5:
		exceptions.Panicf("rank %d", x.Rank()) // an error
		panic(nil)                             // never reached; quiets linters
	}
	helper.Must(nil) // an error, if any
	return x
}

func recovered(x *graph.Node) *graph.Node {
	if exceptions.Try(func() {
		panic("Try catches all") // caught on the spot
	}) != nil {
		x = graph.OnePlus(x)
	}
	return attempt(x)
}

func attempt(x *graph.Node) (y *graph.Node) {
	defer func() {
		if recover() != nil {
			y = x
		}
	}()
	helper.Check(x.Rank() == 1) // caught in this function
	panic("no such path")       // the same
}

func unknown(x *graph.Node) *graph.Node {
	if caught := exceptions.Try(func() { graph.OnePlus(x) }); caught != nil {
		panic(caught) // an interface: may hold an error
	}
	defer func() {
		if e := recover(); e != nil {
			panic(e) // the same
		}
	}()
	if x.Rank() > 9 {
		panic(nil) // the runtime makes an error of it
	}
	return x
}

func exits(x *graph.Node) *graph.Node {
	switch x.Rank() {
	case 0:
		log.Fatal("no scalars") // ends the program
	case 1:
		os.Exit(1) // the same
	}
	return x
}

// Loggers are host code.
func Loggers(exec *graph.Exec) {
	exec.SetNodeLogger(func(g *graph.Graph, _ []string, _ []*tensors.Tensor, _ []graph.NodeId) {
		panic("NaN") // a host callback
	})
}
