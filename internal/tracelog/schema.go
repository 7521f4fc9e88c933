// Package tracelog is the form in which finished traces are kept: JSON lines,
// one for the process that traces and one for each of its traces. Package
// harness writes them, tracelint report reads them, docs/trace-log.md describes
// them to others.
package tracelog

import "time"

// Version is the version of the format, which every line carries. Fields may be
// added within a version.
const Version = 1

// Extension is that of the files.
const Extension = ".jsonl"

// A Line is one line of a log: a process or a trace.
type Line struct {
	Version int      `json:"v"`
	Process *Process `json:"process,omitempty"`
	Trace   *Trace   `json:"trace,omitempty"`
}

// A Process is the one that wrote the lines that follow.
type Process struct {
	// Program is the import path of what was built (`example.com/m/pkg.test`),
	// or the name of the executable.
	Program string    `json:"program"`
	PID     int       `json:"pid"`
	Go      string    `json:"go"`
	Start   time.Time `json:"start"`
}

// A Trace is a finished harness.Trace; see there for what the fields mean.
type Trace struct {
	// Recorder numbers the recorders of a process from 1. IDs of traces and
	// wrappers are unique within a recorder.
	Recorder int      `json:"recorder"`
	ID       int      `json:"id"`
	Parent   int      `json:"parent,omitempty"`
	Function Function `json:"function"`
	Wrapper  *Wrapper `json:"wrapper,omitempty"`
	// Args are null if unknown.
	Args     []Arg         `json:"args"`
	Cause    Cause         `json:"cause"`
	Retrace  bool          `json:"retrace"`
	Site     *Site         `json:"site,omitempty"`
	Start    time.Time     `json:"start"`
	Duration time.Duration `json:"duration_ns"`
	Untimed  bool          `json:"untimed,omitempty"`
	Outcome  Outcome       `json:"outcome"`
}

// A Function names a traced function.
type Function struct {
	Package string `json:"package,omitempty"`
	Name    string `json:"name"`
	// Nameless is whether the name was made up, so that it tells the function
	// from others of one recorder alone.
	Nameless bool `json:"nameless,omitempty"`
}

// A Wrapper is what an engine gave back for a function.
type Wrapper struct {
	ID          int    `json:"id"`
	Description string `json:"description,omitempty"`
	Site        *Site  `json:"site,omitempty"`
	DynamicAxes string `json:"dynamic_axes,omitempty"`
}

// A Site is a place in code.
type Site struct {
	Function string `json:"function"`
	// File is as the compiler noted it: an absolute path, or below -trimpath
	// the import path and the file's name.
	File string `json:"file"`
	Line int    `json:"line"`
}

// The kinds of arguments.
const (
	Tensor    = "tensor"
	Literal   = "literal"
	Object    = "object"
	Structure = "structure"
	Context   = "context"
	Opaque    = "opaque"
)

// An Arg is an argument or an element of one.
type Arg struct {
	Name    string `json:"name,omitempty"`
	Kind    string `json:"kind"`
	Type    string `json:"type,omitempty"`
	Dims    []int  `json:"dims,omitempty"`
	Value   string `json:"value,omitempty"`
	Key     string `json:"key,omitempty"`
	Elems   []Arg  `json:"elems,omitempty"`
	Omitted int    `json:"omitted,omitempty"`
}

// The kinds of causes.
const (
	Unknown       = "unknown"
	First         = "first"
	State         = "state"
	NewSignature  = "new-signature"
	SameSignature = "same-signature"
	AfterFailure  = "failure"
)

// Whose the trace is that a cause compares with.
const (
	SameWrapper  = "same"
	OtherWrapper = "other"
)

// A Cause says why an engine traced.
type Cause struct {
	Kind string `json:"kind"`
	// Label is the kind for people, Text the whole cause.
	Label       string       `json:"label"`
	Text        string       `json:"text"`
	Earlier     int          `json:"earlier,omitempty"`
	Among       int          `json:"among,omitempty"`
	Wrapper     string       `json:"wrapper,omitempty"`
	Differences []Difference `json:"differences,omitempty"`
	More        int          `json:"more,omitempty"`
	Detail      string       `json:"detail,omitempty"`
}

// The kinds of differences.
const (
	DifferentKind      = "kind"
	DifferentDType     = "dtype"
	DifferentType      = "type"
	DifferentRank      = "rank"
	DifferentAxis      = "axis"
	DifferentValue     = "value"
	DifferentStructure = "structure"
)

// A Difference is one way in which two signatures differ.
type Difference struct {
	Arg  string `json:"arg"`
	Kind string `json:"kind"`
	Axis int    `json:"axis,omitempty"`
	// Of is the kind of the argument, Type its type or dtype.
	Of   string `json:"of"`
	Type string `json:"type,omitempty"`
	// Where names argument, kind and axis for people: `x: axis 0`.
	Where string `json:"where"`
	From  string `json:"from"`
	To    string `json:"to"`
}

// The kinds of outcomes.
const (
	Returned = "returned"
	Error    = "error"
	Panic    = "panic"
	Goexit   = "goexit"
)

// An Outcome says how a body ended.
type Outcome struct {
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
}
