// Package summary holds what the analyzer remembers of a function: its effects, and what it does
// with its parameters. A summary crosses package borders as an object fact, so it is plain data:
// sorted slices, no maps, no columns, no absolute paths.
package summary

import (
	"fmt"
	"strings"
)

// Names of the effects, which are the names of the rules that report them.
const (
	Print          = "print"
	IO             = "io"
	Clock          = "clock"
	Random         = "random"
	Environ        = "environ"
	Write          = "write"
	Sync           = "sync"
	Leak           = "leak"
	Abort          = "abort"
	NestedWrap     = "nested-wrap"
	RecursiveTrace = "recursive-trace"
	Rewrap         = "rewrap"
	StaleRead      = "stale-read"
	MapOrder       = "map-order"
	StateCreation  = "state-creation"
	ShapeChurn     = "shape-churn"
	TypeChurn      = "type-churn"
	FreshKey       = "fresh-key"
	RaggedBatch    = "ragged-batch"
	CacheBound     = "cache-bound"
	Directive      = "directive"
)

// Sequence is the effect that no rule reports by itself: making a variable or drawing, which has to
// happen in the same order in every trace.
const Sequence = "sequence"

// Recv is the index of the receiver where parameters are counted from 0.
const Recv = -1

// MaxChain is the number of steps that a chain keeps; longer ones lose their middle.
const MaxChain = 12

// Step is one function on the way from a call to an effect.
type Step struct {
	Func string // as it reads at the call: helper.Deep, (*Model).Forward
	Pos  string // file.go:12, of the call inside Func's caller
}

// Operand is something of a call that an effect or a flow speaks of: a parameter (or the receiver),
// and the path from it to the memory meant, for example ".cache" or "[]".
type Operand struct {
	Param int
	Path  string
}

// Effect is something that a function does beside computing its results.
type Effect struct {
	Rule  string   // the rule that reports it
	What  string   // what is done: fmt.Println, writes package variable count
	Chain []Step   // from the function's own call down to the one that does it; empty if it does so itself
	On    *Operand // the effect is on this operand, and the caller decides; nil if it is unconditional
	Class string   // what On is used as: logger, writer, buffer, file, generator, memory
	Kept  *Operand // leak: the parameter whose value is kept, a leak only if it is symbolic
	Note  string   // why the effect is often intended; empty if it is a plain finding
	// ViaResult says that what the effect read reaches the results alone, so that the caller decides.
	ViaResult bool
	Memo      bool   // it happens only where something is not there yet
	Pos       string // file.go:12, of what does it
}

// ParamFunc says that a function value found at an operand is called or traced.
type ParamFunc struct {
	Operand
	Once    bool   // called at most once a process (sync.Once), or traced by a run-once helper
	Quiet   bool   // called only where logging is on
	How     string // for a traced one: the engine function that traces it
	Engine  string // for a traced one
	Unwinds bool   // for a traced one: its engine survives runtime.Goexit
	Kept    bool   // for a traced one: by a wrapper that outlives the call
}

// Result says where (a part of) a result comes from.
type Result struct {
	Index int    // of the result
	Path  string // inside the result
	From  *Operand
	Fresh bool     // made by the function itself
	Stdio string   // os.Stdout or os.Stderr
	Func  *Summary // a function literal: what calling it does, operands relative to the maker's parameters
}

// Wrap says that a function builds a wrapper and hands it over.
type Wrap struct {
	Captures []int // parameters whose values the traced function captures
}

// Build says that a function builds a wrapper or runs a run-once helper and drops it.
type Build struct {
	What     string
	Chain    []Step
	Once     bool
	Captures []int // parameters that the traced function captures; Recv is the receiver
}

// Summary is what is known of one function.
type Summary struct {
	Effects  []Effect
	Calls    []ParamFunc
	Traces   []ParamFunc
	Results  []Result
	Builds   []Build
	Wraps    []Wrap
	Keys     Keys
	NoReturn bool
}

// Empty reports whether the summary says nothing, so that no fact is needed.
func (s *Summary) Empty() bool {
	return len(s.Effects) == 0 && len(s.Calls) == 0 && len(s.Traces) == 0 &&
		len(s.Results) == 0 && len(s.Builds) == 0 && len(s.Wraps) == 0 && s.Keys.Empty() && !s.NoReturn
}

// Fact attaches a summary to a function (its origin) or to a package-level function variable.
type Fact struct{ Summary }

// AFact marks Fact as a go/analysis fact.
func (*Fact) AFact() {}

// String shows a fact in one line, the way analysistest compares it.
func (f *Fact) String() string {
	var parts []string
	for _, e := range f.Effects {
		text := e.Rule
		if e.On != nil {
			text += fmt.Sprintf(" on %s", e.On)
		}
		if e.Kept != nil {
			text += fmt.Sprintf(" of %s", e.Kept)
		}
		parts = append(parts, text+": "+Describe(e.Chain, e.What))
	}
	for _, c := range f.Calls {
		parts = append(parts, "calls "+c.Operand.String())
	}
	for _, c := range f.Traces {
		parts = append(parts, "traces "+c.Operand.String())
	}
	for _, r := range f.Results {
		parts = append(parts, r.String())
	}
	for _, b := range f.Builds {
		parts = append(parts, "builds and drops "+Describe(b.Chain, b.What))
	}
	for _, w := range f.Wraps {
		parts = append(parts, fmt.Sprintf("builds a wrapper that captures parameters %v", w.Captures))
	}
	parts = append(parts, f.Keys.texts()...)
	if f.NoReturn {
		parts = append(parts, "never returns")
	}
	return strings.Join(parts, "; ")
}

// String says where the result comes from: result 0 is fresh, result 0 at .inner is parameter 0.
func (r Result) String() string {
	name := fmt.Sprintf("result %d", r.Index)
	if r.Path != "" {
		name += " at " + r.Path
	}
	switch {
	case r.Fresh:
		return name + " is fresh"
	case r.From != nil:
		return name + " is " + r.From.String()
	case r.Stdio != "":
		return name + " is " + r.Stdio
	default:
		return name + " is a function"
	}
}

// String names the operand: parameter 0, receiver, parameter 1 at .cache.
func (o Operand) String() string {
	name := "receiver"
	if o.Param != Recv {
		name = fmt.Sprintf("parameter %d", o.Param)
	}
	if o.Path != "" {
		name += " at " + o.Path
	}
	return name
}

// Describe writes a chain and what stands at its end: "helper.Deep -> middle -> bottom: slog.Info".
// Each step is named as its caller would write it, so only the first of a package is qualified.
func Describe(chain []Step, what string) string {
	if len(chain) == 0 {
		return what
	}
	names := make([]string, len(chain))
	for i, step := range chain {
		names[i] = step.Func
	}
	return strings.Join(names, " -> ") + ": " + what
}

// Extend puts a step before a chain and elides the middle of one that grows too long.
func Extend(first Step, chain []Step) []Step {
	out := make([]Step, 0, len(chain)+1)
	out = append(out, first)
	out = append(out, chain...)
	if len(out) <= MaxChain {
		return out
	}
	head := MaxChain / 2
	elided := append([]Step{}, out[:head]...)
	elided = append(elided, Step{Func: "..."})
	return append(elided, out[len(out)-(MaxChain-head-1):]...)
}
