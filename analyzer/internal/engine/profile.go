// Package engine says what the analyzer knows of tracing engines, as data: a [Profile] is one engine's page, a [Set] answers
// questions about types and functions from several profiles at once.
//
// A profile names packages by the end of their import path, never by version, so that one profile holds every layout that an
// engine has had, and it names functions and types by package name, as code writes them.
package engine

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Profile describes one engine. It is read from YAML by [Parse], which rejects unknown keys; it must not be changed afterwards.
type Profile struct {
	// Engine is the engine's name, as messages show it: GoMLX.
	Engine string `yaml:"engine"`
	// Modules are the import path prefixes of the engine's own code. No effect of that code is reported to its users.
	Modules []string `yaml:"modules"`
	// Except are directories directly below a module, such as examples, that are user code all the same.
	Except []string `yaml:"except"`
	// Packages maps a package's name to the import paths that it has had. Each path is the end of one, cut at a slash:
	// gomlx/core/graph also stands for github.com/gomlx/gomlx/core/graph.
	Packages map[string][]string `yaml:"packages"`
	// Types are the engine's types that the analyzer must tell apart.
	Types Types `yaml:"types"`
	// Unwinds are those ends of import paths whose traces survive runtime.Goexit, which t.Fatal uses: later calls work.
	Unwinds []string `yaml:"unwinds"`
	// Functions are the engine's functions and methods that trace, run or call something, grouped by what they do. A function
	// that is in no group has no meaning beyond its result.
	Functions []Functions `yaml:"functions"`
	// Cache is the number of signatures that a wrapper's cache holds unless it is set up otherwise; a call with one more
	// fails. 0 is no bound.
	Cache int `yaml:"cache"`
	// Hints end the messages about what a traced function does, and about what its wrapper is called with.
	Hints Hints `yaml:"hints"`
}

// Types lists an engine's types by package and name, each in one list at most.
type Types struct {
	// Symbolic types stand for a tensor while tracing. A star counts: *graph.Node is symbolic, graph.Node is not.
	Symbolic []string `yaml:"symbolic"`
	// Batch types are structs whose fields carry symbolic values into and out of traced functions.
	Batch []string `yaml:"batch"`
	// Scope types give access to the variables and settings of a model.
	Scope []string `yaml:"scope"`
	// Owned types belong to the trace that they are used in, such as graphs and the builders of layers: writing to one is
	// part of building the graph. Symbolic and scope types are owned without being listed.
	Owned []string `yaml:"owned"`
	// Wrapper types are what the engine gives back for a function: a call traces it or hits its cache.
	Wrapper []string `yaml:"wrapper"`
	// Backend types run graphs.
	Backend []string `yaml:"backend"`
}

// Functions gives one meaning to several functions.
type Functions struct {
	// Kind is what the functions do.
	Kind Kind `yaml:"kind"`
	// Traced are the 0-based indices of the parameters whose functions the engine runs to record them, be it later or at once
	// in a trace of their own. Receivers do not count. A parameter may have any type; the argument's own type decides.
	Traced []int `yaml:"traced"`
	// Inline are the indices of the parameters whose functions run where the call stands: inside the current trace, if any.
	Inline []int `yaml:"inline"`
	// Host are the indices of the parameters whose functions the engine calls outside of traces.
	Host []int `yaml:"host"`
	// Returns are the indices of the parameters whose functions the call gives back, dressed up as the same function.
	Returns []int `yaml:"returns"`
	// Seed is the index of the parameter that makes a function of kind random repeatable if it is constant.
	Seed *int `yaml:"seed"`
	// Inputs is the index of the first parameter of a call whose dtype and dimensions are part of the cache's key, as those of all
	// later ones are.
	Inputs *int `yaml:"inputs"`
	// Identity says that pointers among the inputs of a call are keyed by identity.
	Identity bool `yaml:"identity"`
	// Trains are the indices of the parameters of a call that take the data to train on.
	Trains []int `yaml:"trains"`
	// Cache is the index of the parameter by which a function of kind configure sets the number of signatures that the
	// wrapper's cache holds; 0 and less are no bound.
	Cache *int `yaml:"cache"`
	// Dynamic says that a function of kind configure takes dimensions out of the cache's key.
	Dynamic bool `yaml:"dynamic"`
	// Like are the indices of the parameters of a function of kind shaped whose dimensions its result has, Dims those of the
	// parameters that are its dimensions.
	Like []int `yaml:"like"`
	Dims []int `yaml:"dims"`
	// Size is the index of the parameter of a function of kind batch that is the batches' size, Drop that of the one that says
	// whether a last, smaller batch is dropped.
	Size *int `yaml:"size"`
	Drop *int `yaml:"drop"`
	// Key is the index of the result of a method of kind yield that is keyed by identity.
	Key *int `yaml:"key"`
	// Label are the indices of the parameters that make up the name of a variable or scope. The variadic one stands for all
	// arguments from there on.
	Label []int `yaml:"label"`
	// Names are functions, graph.NewExec, and methods, (*graph.Exec).Call. A package-level variable of function type counts
	// as a function, a field of function type as a method, and so does a method promoted from an unexported field.
	Names []string `yaml:"names"`
}

// Hints are what to do instead, as short phrases. An empty one adds nothing to a message.
type Hints struct {
	// Print is for output at trace time.
	Print string `yaml:"print"`
	// Random is for host randomness at trace time.
	Random string `yaml:"random"`
	// State is for variables, fields and clocks that a traced function reads or writes.
	State string `yaml:"state"`
	// Shape is for dimensions that change from call to call.
	Shape string `yaml:"shape"`
	// Read is for what a traced function reads and host code changes.
	Read string `yaml:"read"`
}

// Kind is what a function of an engine does.
type Kind string

// The kinds of functions.
const (
	// Wrap makes a wrapper that keeps a cache of traces.
	Wrap Kind = "wrap"
	// Once builds a wrapper, runs it and drops it: one trace a call.
	Once Kind = "once"
	// Test is a test helper that traces a function in a wrapper of its own.
	Test Kind = "test"
	// Call calls a wrapper: it traces if the cache misses.
	Call Kind = "call"
	// Configure sets a wrapper up and traces nothing.
	Configure Kind = "configure"
	// Release ends a wrapper's life.
	Release Kind = "release"
	// Attach keeps a function that the engine runs inside later traces.
	Attach Kind = "attach"
	// Traced is an interface's method whose implementations the engine runs inside traces.
	Traced Kind = "traced"
	// Decorate gives back the function that it takes, dressed up: to wrap the one is to wrap the other.
	Decorate Kind = "decorate"
	// Inline runs its functions at once, inside the current trace if there is one.
	Inline Kind = "inline"
	// HostCallback keeps a function that the engine runs on the host.
	HostCallback Kind = "host"
	// NoReturn never returns: it panics with an error, which the engine catches.
	NoReturn Kind = "no-return"
	// Random gives host randomness: a constant of the graph if used while tracing.
	Random Kind = "random"
	// Recover runs its function at once and catches any panic in it.
	Recover Kind = "recover"
	// RecoverType runs its function at once and catches panics whose value has the type of its first type argument.
	RecoverType Kind = "recover-type"
	// Shaped makes a value, a tensor or a shape, whose dimensions its arguments say.
	Shaped Kind = "shaped"
	// Pad pads inside a trace, after the cache's key was taken.
	Pad Kind = "pad"
	// Batch splits data into batches.
	Batch Kind = "batch"
	// Shuffle sets data up for training: shuffled, or endless.
	Shuffle Kind = "shuffle"
	// Yield is an interface's method whose implementations give out batches.
	Yield Kind = "yield"
	// Key is a field that the cache is keyed by, pointers by identity.
	Key Kind = "key"
	// Variable finds a variable of the model by its name, or makes it: from then on the model has one more.
	Variable Kind = "variable"
	// Scope names the part of the model that variables are made in.
	Scope Kind = "scope"
	// Draw draws random numbers in the graph, from a state that each draw changes.
	Draw Kind = "draw"
	// HostValue reads the value that a variable has now: a constant of the graph if used while tracing.
	HostValue Kind = "host-value"
	// State makes state, which of all traces of a function only those of its first call may do.
	State Kind = "state"
	// Layer uses an object that makes its state, as functions of kind state do, when it is first used or built.
	Layer Kind = "layer"
	// BuildLayer has such an object make its state, if it has none.
	BuildLayer Kind = "build-layer"
	// HostContext gives a context in which nothing is traced.
	HostContext Kind = "host-context"
)

// Parse reads a profile. The name, a file's as a rule, starts every error.
func Parse(name string, text []byte) (*Profile, error) {
	p := new(Profile)
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(p); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty engine profile: give at least engine, packages and functions", name)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: more than one document: give each engine a file of its own", name)
	}
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// name is a type or function of a profile taken apart. Of a method, receiver is the type's name without package and star.
type name struct {
	pkg, receiver, ident string
	pointer              bool
}

// key is the same for all spellings of one name.
func (n name) key() string { return n.pkg + "." + n.member() }

// member is the name inside its package: NewExec, Exec.Call.
func (n name) member() string {
	if n.receiver == "" {
		return n.ident
	}
	return n.receiver + "." + n.ident
}

// parseTypeName takes *graph.Node apart.
func parseTypeName(text string) (name, bool) {
	text, pointer := strings.CutPrefix(text, "*")
	pkg, ident, _ := strings.Cut(text, ".")
	return name{pkg: pkg, ident: ident, pointer: pointer}, token.IsIdentifier(pkg) && token.IsIdentifier(ident)
}

// parseFuncName takes graph.NewExec or (*graph.Exec).Call apart.
func parseFuncName(text string) (name, bool) {
	rest, method := strings.CutPrefix(text, "(")
	if !method {
		n, ok := parseTypeName(text)
		return n, ok && !n.pointer
	}
	receiver, ident, _ := strings.Cut(rest, ").")
	n, ok := parseTypeName(receiver)
	n.receiver, n.ident = n.ident, ident
	return n, ok && token.IsIdentifier(ident)
}

type typeList struct {
	key   string
	names []string
}

func (t Types) lists() []typeList {
	return []typeList{
		{"symbolic", t.Symbolic}, {"batch", t.Batch}, {"scope", t.Scope},
		{"owned", t.Owned}, {"wrapper", t.Wrapper}, {"backend", t.Backend},
	}
}

func sortedKeys[K ~string, V any](m map[K]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, string(key))
	}
	slices.Sort(keys)
	return keys
}
