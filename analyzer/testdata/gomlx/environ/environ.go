// Package environ holds the cases of rule environ: the environment at trace time.
package environ

import (
	"flag"
	"os"
	"os/user"
	"runtime"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"

	"example.com/fixtures/helper"
)

var width = flag.Int("width", 8, "width of the layer")

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend) *graph.Exec {
	return graph.MustNewExec(backend, surroundings)
}

func surroundings(x *graph.Node) *graph.Node {
	if os.Getenv("FAST") != "" { // want `os\.Getenv.*\(environ\)$`
		return x
	}
	value, ok := os.LookupEnv("SCALE") // want `os\.LookupEnv.*\(environ\)$`
	if ok {
		x = graph.MulScalar(x, len(value))
	}
	host, err := os.Hostname() // want `os\.Hostname.*\(environ\)$`
	helper.Must(err)
	dir, err := os.Getwd() // want `os\.Getwd.*\(environ\)$`
	helper.Must(err)
	home, err := os.UserHomeDir() // want `os\.UserHomeDir.*\(environ\)$`
	helper.Must(err)
	all := os.Environ()               // want `os\.Environ.*\(environ\)$`
	expanded := os.ExpandEnv("$HOME") // want `os\.ExpandEnv.*\(environ\)$`
	who := helper.Home()              // want `helper\.Home: os\.Getenv.*\(environ\)$`
	return graph.AddScalar(x, len(host)+len(dir)+len(home)+len(all)+len(expanded)+len(who))
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) []*model.Exec {
	fast := os.Getenv("FAST") != "" // host code
	me, err := user.Current()       // host code
	helper.Must(err)
	return []*model.Exec{
		model.MustNewExec(backend, model.NewStore(), configured),
		model.MustNewExec(backend, model.NewStore(), func(scope *model.Scope, x *graph.Node) *graph.Node {
			if fast { // read before wrapping
				return x
			}
			return graph.AddScalar(x, len(me.Username)) // read before wrapping
		}),
	}
}

func configured(scope *model.Scope, x *graph.Node) *graph.Node {
	x = layers.Dense(scope.In("dense"), x, true, *width) // a flag is constant once parsed
	if flag.NArg() > 0 {                                 // so are arguments
		x = graph.OnePlus(x)
	}
	if len(os.Args) > 3 { // the same
		x = graph.OnePlus(x)
	}
	if runtime.GOOS == "linux" { // constant
		x = graph.OnePlus(x)
	}
	if model.GetParamOr(scope, "double", false) { // a hyperparameter is read at trace time by design
		x = graph.MulScalar(x, 2)
	}
	if scope.IsTraining(x.Graph()) { // the same
		x = layers.DropoutStatic(scope, x, 0.5)
	}
	expanded := os.Expand("$x", func(string) string { return "y" }) // a mapping of its own
	return graph.AddScalar(x, len(expanded))
}

// Once is traced as often as it is called.
func Once(backend compute.Backend) *tensors.Tensor {
	return graph.MustExecOnce(backend, func(g *graph.Graph) *graph.Node {
		return graph.Const(g, len(os.Getenv("HOME"))) // a note
	})
}
