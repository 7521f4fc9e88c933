// Package print holds the cases of rule print: output at trace time.
package print

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/support/exceptions"
	"github.com/pkg/errors"
	zlog "github.com/rs/zerolog/log"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	"k8s.io/klog/v2"

	"example.com/fixtures/helper"
)

var (
	logger             = log.New(os.Stderr, "model: ", 0)
	console  io.Writer = os.Stdout
	buffered io.Writer = new(bytes.Buffer)
	switched io.Writer = os.Stdout
	once     sync.Once
	verbose  = flag.Bool("verbose", false, "print graphs")
	Hook     func(string)
)

// Redirect makes switched hold more than one writer.
func Redirect() { switched = new(bytes.Buffer) }

// Flagged wraps each function of this file that has findings.
func Flagged(backend compute.Backend) []*graph.Exec {
	return []*graph.Exec{
		graph.MustNewExec(backend, standard),
		graph.MustNewExec(backend, loggers),
		graph.MustNewExec(backend, structured),
		graph.MustNewExec(backend, writers),
		graph.MustNewExec(backend, values),
		graph.MustNewExec(backend, beforeCheck),
		graph.MustNewExec(backend, (&model{logger: logger}).forward),
	}
}

func standard(x *graph.Node) *graph.Node {
	fmt.Println("x is", x)        // want `fmt\.Println prints once per trace, not once per call.*\(print\)$`
	fmt.Print("x\n")              // want `fmt\.Print prints.*\(print\)$`
	fmt.Printf("%s\n", x.Shape()) // want `fmt\.Printf prints.*\(print\)$`
	println("built")              // want `println prints.*\(print\)$`
	defer fmt.Println("left")     // want `fmt\.Println prints.*\(print\)$`
	return graph.OnePlus(x)
}

func loggers(x *graph.Node) *graph.Node {
	log.Printf("x: %s", x)     // want `log\.Printf prints.*\(print\)$`
	log.Default().Println("x") // want `Println prints.*\(print\)$`
	logger.Println("x")        // want `Println prints.*\(print\)$`
	slog.Info("x")             // want `slog\.Info prints.*\(print\)$`
	slog.Default().Warn("x")   // want `Warn prints.*\(print\)$`
	klog.Infof("x: %s", x)     // want `klog\.Infof prints.*\(print\)$`
	return x
}

func structured(x *graph.Node) *graph.Node {
	zap.L().Info("x")             // want `Info prints.*\(print\)$`
	zap.S().Infow("x", "rank", 2) // want `Infow prints.*\(print\)$`
	zlog.Info().Msg("x")          // want `Msg prints.*\(print\)$`
	logrus.Warnf("x: %s", x)      // want `logrus\.Warnf prints.*\(print\)$`
	return x
}

func writers(x *graph.Node) *graph.Node {
	fmt.Fprintln(os.Stderr, "x")     // want `fmt\.Fprintln prints.*\(print\)$`
	fmt.Fprintf(console, "%s\n", x)  // want `fmt\.Fprintf prints.*\(print\)$`
	os.Stdout.WriteString("x\n")     // want `WriteString prints.*\(print\)$`
	io.WriteString(os.Stderr, "x\n") // want `io\.WriteString prints.*\(print\)$`
	helper.Dump(os.Stdout, "x")      // want `helper\.Dump: fmt\.Fprintln prints.*\(print\)$`
	helper.Deep()                    // want `helper\.Deep -> middle -> bottom: slog\.Info prints.*\(print\)$`
	return x
}

func values(x *graph.Node) *graph.Node {
	show := fmt.Println
	show("x")                // want `Println prints.*\(print\)$`
	helper.Logger{}.Say("x") // want `Say: fmt\.Fprintln prints.*\(print\)$`
	return x
}

func beforeCheck(x *graph.Node) *graph.Node {
	fmt.Println("checking") // want `fmt\.Println prints.*\(print\)$`
	if x.Rank() != 2 {
		exceptions.Panicf("rank %d", x.Rank())
	}
	return x
}

type model struct{ logger *log.Logger }

func (m *model) forward(x *graph.Node) *graph.Node {
	m.logger.Println("x") // want `Println prints.*\(print\)$`
	return x
}

// Silent wraps each function of this file that must have no finding.
func Silent(backend compute.Backend) []*graph.Exec {
	execs := []*graph.Exec{
		graph.MustNewExec(backend, localWriters),
		graph.MustNewExec(backend, guarded),
		graph.MustNewExec(backend, onErrorPaths),
		graph.MustNewExec(backend, unknown),
		graph.MustNewExec(backend, noticeOnce),
		graph.MustNewExec(backend, deadCode),
		graph.MustNewExec(backend, inGraph),
	}
	fmt.Println("wrapped", len(execs)) // host code
	for _, exec := range execs {
		exec.SetNodeLogger(func(g *graph.Graph, messages []string, values []*tensors.Tensor, _ []graph.NodeId) {
			fmt.Println(g.Name(), messages, values) // a node logger runs on the host after each call
		})
	}
	return execs
}

func localWriters(x *graph.Node) *graph.Node {
	var text strings.Builder
	fmt.Fprintf(&text, "layer_%d", x.Rank()) // a local writer
	text.WriteString("_out")                 // the same
	var buffer bytes.Buffer
	local := log.New(&buffer, "", 0)
	local.Println("x")                          // a logger to a local writer
	fmt.Fprintln(io.Discard, "x")               // goes nowhere
	helper.Dump(&buffer, "x")                   // the callee prints to a local writer
	name := fmt.Sprintf("%s%s", &text, &buffer) // formats, prints nothing
	x.SetLogged(name)                           // the idiom
	fmt.Fprintln(buffered, "x")                 // neither stdout, stderr nor a logger
	fmt.Fprintln(switched, "x")                 // may hold anything by now
	return x
}

func guarded(x *graph.Node) *graph.Node {
	klog.V(1).Infof("x: %s", x) // behind a level that somebody asked for
	if klog.V(2).Enabled() {
		fmt.Println("x", x) // the same
	}
	if *verbose {
		fmt.Println("x", x) // behind a switch of the command line
	}
	if v := klog.V(3); v.Enabled() {
		v.Infof("x: %s", x) // the same
		helper.Deep()       // the same
	}
	if slog.Default().Enabled(context.Background(), slog.LevelDebug) {
		slog.Debug("x") // the same
	}
	return x
}

func onErrorPaths(x *graph.Node) *graph.Node {
	if x.Rank() == 0 {
		fmt.Fprintln(os.Stderr, "no scalars") // the path ends in a panic
		panic(errors.New("no scalars"))
	}
	if x.Rank() > 4 {
		log.Printf("rank %d", x.Rank()) // the path ends in a panic that the engine's helper raises
		exceptions.Panicf("rank %d", x.Rank())
	}
	switch x.DType().String() {
	case "Float32":
	case "Bool":
		fmt.Println("no bools") // the path ends in an exit
		os.Exit(1)
	default:
		log.Fatalf("unknown dtype %s", x.DType()) // prints and exits
	}
	return x
}

func unknown(x *graph.Node) *graph.Node {
	Hook("x") // anyone may set it
	return x
}

func noticeOnce(x *graph.Node) *graph.Node {
	once.Do(func() { fmt.Println("using the naive path") }) // a note: once on purpose
	return x
}

func deadCode(x *graph.Node) *graph.Node {
	if false {
		fmt.Printf("x: %s\n", x) // never runs
	}
	const debug = false
	if debug {
		helper.Deep() // never runs
	}
	return x
}

func inGraph(x *graph.Node) *graph.Node {
	x.SetLogged("x")        // logs at each call
	x.SetLoggedf("x %d", 1) // the same
	helper.Quiet()          // no effect
	return x
}

// DumpTo is a root by its signature: its writer is the caller's.
func DumpTo(w io.Writer, x *graph.Node) *graph.Node {
	fmt.Fprintln(w, x) // the caller decides
	return x
}

// LogTo is a root by its signature: its logger is the caller's.
func LogTo(l *log.Logger, x *graph.Node) *graph.Node {
	l.Println(x) // the caller decides
	return x
}

// RunOnce builds, runs and drops: its function runs as often as the call.
func RunOnce(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(x *graph.Node) *graph.Node {
		fmt.Println("x", x) // a note
		return x
	}, float32(1))
}

// RunEach builds anew at each turn.
func RunEach(backend compute.Backend, inputs []float32) []*tensors.Tensor {
	var outputs []*tensors.Tensor
	for _, input := range inputs {
		outputs = append(outputs, graph.MustExecOnce(backend, func(x *graph.Node) *graph.Node { // want `graph\.MustExecOnce.*\(rewrap\)$`
			fmt.Println("x", x) // want `fmt\.Println prints.*\(print\)$`
			return x
		}, input))
	}
	return outputs
}
