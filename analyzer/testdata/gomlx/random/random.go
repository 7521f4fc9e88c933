// Package random holds the cases of rule random: host randomness, baked into the graph.
package random

import (
	crand "crypto/rand"
	"math/rand"
	randv2 "math/rand/v2"

	"github.com/gomlx/compute"
	. "github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/google/uuid"

	"example.com/fixtures/helper"
)

var generator = rand.New(rand.NewSource(1))

// Flagged wraps functions that have findings.
func Flagged(backend compute.Backend) []*Exec {
	return []*Exec{
		MustNewExec(backend, host),
		MustNewExec(backend, engineState),
		MustNewExec(backend, shared),
	}
}

func host(x *Node) *Node {
	x = AddScalar(x, rand.Float64())                                                     // want `rand\.Float64.*\(random\)$`
	x = AddScalar(x, float64(randv2.IntN(10)))                                           // want `rand\.IntN.*\(random\)$`
	order := rand.Perm(4)                                                                // want `rand\.Perm.*\(random\)$`
	rand.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] }) // want `rand\.Shuffle.*\(random\)$`
	noise := make([]byte, 8)
	_, err := crand.Read(noise) // want `rand\.Read.*\(random\)$`
	helper.Must(err)
	x = AddScalar(x, float64(order[0])+float64(noise[0]))
	x = AddScalar(x, float64(uuid.New()[0]))       // want `uuid\.New.*\(random\)$`
	x = AddScalar(x, float64(uuid.NewString()[0])) // want `uuid\.NewString.*\(random\)$`
	return AddScalar(x, helper.Roll())             // want `helper\.Roll: rand\.Float64.*\(random\)$`
}

func engineState(x *Node) *Node {
	g := x.Graph()
	_, noise := RandomNormal(RNGStateForGraph(g), x.Shape()) // want `RNGStateForGraph.*\(random\)$`
	state, err := RNGState()                                 // want `RNGState.*\(random\)$`
	helper.Must(err)
	_, more := RandomUniform(Const(g, state), x.Shape())
	return Add(x, Add(noise, more))
}

func shared(x *Node) *Node {
	return AddScalar(x, generator.Float64()) // want `Float64.*\(random\)$`
}

// Silent wraps functions that must have no finding.
func Silent(backend compute.Backend) (*Exec, *Exec, *model.Exec) {
	noise := rand.Float64() // host code
	return MustNewExec(backend, seeded),
		MustNewExec(backend, func(x, state *Node) (*Node, *Node) {
			state, noisy := RandomUniform(state, x.Shape()) // the state goes in and out
			return state, AddScalar(Add(x, noisy), noise)   // drawn before wrapping
		}),
		model.MustNewExec(backend, model.NewStore(), inScope)
}

func seeded(x *Node) *Node {
	r := rand.New(rand.NewSource(42))
	x = AddScalar(x, r.Float64()) // seeded by a constant here
	v2 := randv2.New(randv2.NewPCG(1, 2))
	x = AddScalar(x, v2.Float64()) // the same
	g := x.Graph()
	_, a := RandomUniform(RNGStateFromSeedForGraph(g, 42), x.Shape()) // a constant seed
	state, err := RNGStateFromSeed(42)                                // a constant seed
	helper.Must(err)
	one, two := RNGStateSplit(Const(g, state)) // in the graph
	_, b := RandomUniform(one, x.Shape())      // in the graph
	_, c := RandomNormal(two, x.Shape())       // in the graph
	return Add(Add(x, a), Add(b, c))
}

func inScope(scope *model.Scope, x *Node) *Node {
	x = Add(x, scope.RandomUniform(x.Graph(), x.Shape())) // the state is a variable
	x = Add(x, scope.RandomNormal(x.Graph(), x.Shape()))  // the same
	return layers.DropoutStatic(scope, x, 0.1)            // the same
}

// Jitter is a root by its signature: its generator is the caller's.
func Jitter(r *rand.Rand, x *Node) *Node {
	return AddScalar(x, r.Float64()) // the caller decides
}

// Noise is traced as often as it is called.
func Noise(backend compute.Backend, shape []float32) *tensors.Tensor {
	return MustExecOnce(backend, func(x *Node) *Node {
		_, noise := RandomNormal(RNGStateForGraph(x.Graph()), x.Shape()) // a note
		return AddScalar(noise, rand.Float64())                          // a note
	}, shape)
}
