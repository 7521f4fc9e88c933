// Package rewrap holds the cases of rule rewrap: wrappers built where their cache is lost.
package rewrap

import (
	"fmt"
	"net/http"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

func twice(x *graph.Node) *graph.Node { return graph.Add(x, x) }

func scaled(scope *model.Scope, x *graph.Node) *graph.Node {
	return graph.Mul(x, scope.VariableWithValue("scale", 2.0).NodeValue(x))
}

// Loops builds the same wrapper at each turn.
func Loops(backend compute.Backend, store *model.Store, inputs []float32, factor float64) {
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, twice) // want `graph\.MustNewExec.*\(rewrap\)$`
		fmt.Println(exec.MustCall1(input))
	}
	for i := 0; i < len(inputs); i++ {
		fmt.Println(graph.MustNewExec(backend, twice).MustCall1(inputs[i])) // want `graph\.MustNewExec.*\(rewrap\)$`
	}
	for range inputs {
		exec, err := model.NewExec(backend, store, scaled) // want `model\.NewExec.*\(rewrap\)$`
		if err != nil {
			panic(err)
		}
		fmt.Println(exec.MustCall1(1.0))
	}
	for range inputs {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `graph\.MustNewExec.*\(rewrap\)$`
			return graph.MulScalar(x, factor) // captured, the same at each turn
		})
		fmt.Println(exec.MustCall1(1.0))
	}
	for _, input := range inputs {
		fmt.Println(graph.MustExecOnce(backend, twice, input)) // want `graph\.MustExecOnce.*\(rewrap\)$`
		run(backend, input)
		runScaled(backend, factor, input)
	}
}

// run is called in a loop; what its wrapper's function captures, nothing, does not depend on the turn.
func run(backend compute.Backend, input float32) {
	exec := graph.MustNewExec(backend, twice) // want `graph\.MustNewExec.*\(rewrap\)$`
	fmt.Println(exec.MustCall1(input))
}

// runScaled is called in a loop with one factor for all turns.
func runScaled(backend compute.Backend, factor float64, input float32) {
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // want `graph\.MustNewExec.*\(rewrap\)$`
		return graph.MulScalar(x, factor)
	})
	fmt.Println(exec.MustCall1(input))
}

// Handle serves a request.
func Handle(w http.ResponseWriter, r *http.Request) {
	backend := compute.MustNew()
	exec := graph.MustNewExec(backend, twice) // want `graph\.MustNewExec.*\(rewrap\)$`
	fmt.Fprintln(w, exec.MustCall1(float32(len(r.URL.Path))))
	fmt.Fprintln(w, graph.MustExecOnce(backend, twice, float32(1))) // want `graph\.MustExecOnce.*\(rewrap\)$`
}

// Serve registers a handler.
func Serve(backend compute.Backend, mux *http.ServeMux) {
	mux.HandleFunc("/twice", func(w http.ResponseWriter, r *http.Request) {
		exec := graph.MustNewExec(backend, twice) // want `graph\.MustNewExec.*\(rewrap\)$`
		fmt.Fprintln(w, exec.MustCall1(float32(r.ContentLength)))
	})
	exec := graph.MustNewExec(backend, twice) // once for all requests
	mux.HandleFunc("/fast", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, exec.MustCall1(float32(r.ContentLength))) // calls what is kept
	})
}

// embedder lives long.
type embedder struct {
	backend compute.Backend
	store   *model.Store
	width   int
}

// Embed is called for each input.
func (e *embedder) Embed(input []float32) *tensors.Tensor {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // want `model\.MustNewExec.*\(rewrap\)$`
	return exec.MustCall1(input)
}

// Predict is called for each input and captures its receiver only.
func (e *embedder) Predict(input []float32) (*tensors.Tensor, error) {
	exec, err := model.NewExec(e.backend, e.store, func(scope *model.Scope, x *graph.Node) *graph.Node { // want `model\.NewExec.*\(rewrap\)$`
		return graph.AddScalar(x, e.width)
	})
	if err != nil {
		return nil, err
	}
	defer exec.Finalize()
	return exec.Call1(input)
}

func (e *embedder) graph(scope *model.Scope, x *graph.Node) *graph.Node { return scaled(scope, x) }

// New builds, calls and drops a wrapper: constructors may.
func (e *embedder) New() *tensors.Tensor {
	return model.MustNewExec(e.backend, e.store, e.graph).MustCall1(1.0)
}

// InitVariables makes the variables, as its name says.
func (e *embedder) InitVariables() {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // Init*
	exec.MustCall(1.0)
}

// LoadWeights runs once for each file.
func (e *embedder) LoadWeights() {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // Load*
	exec.MustCall(1.0)
}

// Save runs when asked.
func (e *embedder) Save() {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // Save*
	exec.MustCall(1.0)
}

// Close runs at the end.
func (e *embedder) Close() {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // Close*
	exec.MustCall(1.0)
}

// String describes.
func (e *embedder) String() string {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // String
	return exec.MustCall1(1.0).String()
}

// Calibrate is called who knows how often: not in a loop here, no hot name.
func (e *embedder) Calibrate() *tensors.Tensor {
	exec := model.MustNewExec(e.backend, e.store, e.graph) // a note
	return exec.MustCall1(1.0)
}

// EmbedAs depends on its argument.
func (e *embedder) EmbedAs(width int, input []float32) *tensors.Tensor {
	exec := model.MustNewExec(e.backend, e.store, func(scope *model.Scope, x *graph.Node) *graph.Node { // captures a parameter
		return graph.AddScalar(x, width)
	})
	return exec.MustCall1(input)
}

// settings is a value, made for each use.
type settings struct{ backend compute.Backend }

// Run has no pointer receiver.
func (s settings) Run() *tensors.Tensor {
	exec := graph.MustNewExec(s.backend, twice) // the struct may live as briefly
	return exec.MustCall1(float32(1))
}

// plain has neither backend nor store nor wrapper.
type plain struct{ name string }

// Run belongs to no model.
func (p *plain) Run(backend compute.Backend) *tensors.Tensor {
	exec := graph.MustNewExec(backend, twice) // nothing says that the struct lives longer than the backend
	return exec.MustCall1(float32(1))
}

// lazy keeps its wrappers.
type lazy struct {
	backend compute.Backend
	exec    *graph.Exec
	byWidth map[int]*graph.Exec
}

// Run builds its wrapper when first needed.
func (l *lazy) Run(inputs []float32) {
	for _, input := range inputs {
		if l.exec == nil {
			l.exec = graph.MustNewExec(l.backend, twice) // kept, nil-guarded
		}
		fmt.Println(l.exec.MustCall1(input))
	}
}

// Forward builds a wrapper for each width.
func (l *lazy) Forward(width int, input []float32) *tensors.Tensor {
	exec, ok := l.byWidth[width]
	if !ok {
		exec = graph.MustNewExec(l.backend, func(x *graph.Node) *graph.Node { // kept, miss-guarded
			return graph.AddScalar(x, width)
		})
		l.byWidth[width] = exec
	}
	return exec.MustCall1(input)
}

// Exec gives the wrapper away.
func (l *lazy) Exec() *graph.Exec {
	return graph.MustNewExec(l.backend, twice) // returned
}

// All builds what depends on the turn.
func All(backend compute.Backend, fns map[string]func(*graph.Node) *graph.Node, inputs []float32) []*graph.Exec {
	var kept []*graph.Exec
	for name, fn := range fns {
		exec := graph.MustNewExec(backend, fn) // another function at each turn
		fmt.Println(name, exec.MustCall1(float32(1)))
	}
	for _, input := range inputs {
		exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // captures the turn's value
			return graph.AddScalar(x, input)
		})
		fmt.Println(exec.MustCall1(float32(1)))
		kept = append(kept, graph.MustNewExec(backend, twice)) // kept
		use(graph.MustNewExec(backend, twice))                 // passed on
		store := model.NewStore()
		fmt.Println(model.MustNewExec(backend, store, scaled).MustCall1(1.0)) // another store at each turn
		apply(backend, float64(input))
	}
	var exec *graph.Exec
	for _, input := range inputs {
		if exec == nil {
			exec = graph.MustNewExec(backend, twice) // nil-guarded
		}
		fmt.Println(exec.MustCall1(input))
	}
	exec = graph.MustNewExec(backend, twice) // before the loop
	for _, input := range inputs {
		fmt.Println(exec.MustCall1(input))
	}
	fmt.Println(graph.MustExecOnce(backend, twice, float32(1))) // once
	return kept
}

func use(exec *graph.Exec) { registered = append(registered, exec) }

var registered []*graph.Exec

// apply is called in a loop with another factor at each turn.
func apply(backend compute.Backend, factor float64) {
	exec := graph.MustNewExec(backend, func(x *graph.Node) *graph.Node { // captures what depends on the turn
		return graph.MulScalar(x, factor)
	})
	fmt.Println(exec.MustCall1(1.0))
}

// Main runs once per process.
func Main(backend compute.Backend) {
	exec := graph.MustNewExec(backend, twice) // neither loop nor handler nor method
	fmt.Println(exec.MustCall1(float32(1)))
	defer func() {
		fmt.Println(graph.MustExecOnce(backend, twice, float32(1))) // once
	}()
}
