package flow

import (
	"go/ast"
	"go/types"
	"strings"
)

// kind says what a loc stands for.
type kind uint8

const (
	site     kind = iota + 1 // memory made by an expression: an allocation, the result of a call
	cell                     // the storage of a variable
	param                    // what a parameter refers to when its unit starts
	global                   // what a package-level variable refers to
	function                 // a declared function
	bound                    // a method value; its receiver is in the heap under segRecv
	literal                  // a function literal
	foreign                  // a function literal made by another package
	wrapper                  // what an engine gave for a function
	process                  // standard output and error, or whatever else the process owns
	guard                    // the answer to "is logging on?"
	miss                     // the answer to "is it in the map?"
)

// Segments of paths that no field name can collide with.
const (
	segElem = "[]"    // an element of a slice, array, map or channel, or what a pointer points to
	segRecv = "@recv" // the receiver of a method value
	segWrap = "@wrap" // what a writer or logger acts through
	// what a function made by a library's function calls, each time or the first time
	segCalls     = "@calls"
	segCallsOnce = "@once"
)

// maxPath bounds the segments of a path: below it, nothing is known.
const maxPath = 4

// loc is an abstract location or function: where a value may come from. It is comparable.
type loc struct {
	kind  kind
	unit  *unit         // the unit in which it is born; nil for globals and declared functions
	node  ast.Node      // the expression of a site, literal, bound method or wrapper
	obj   types.Object  // the variable or function
	index int           // of a parameter, or of a result
	path  string        // from there: ".field" and "[]" segments
	via   *ast.CallExpr // for a literal returned by a call: that call
}

// value is the set of places that an expression's value may come from, in the order found.
type value []loc

// maxValue bounds a value's size; what does not fit is unknown, hence silent.
const maxValue = 24

func (v value) has(l loc) bool {
	for _, have := range v {
		if have == l {
			return true
		}
	}
	return false
}

// with returns the union of v and more.
func (v value) with(more ...loc) value {
	out := v
	for _, l := range more {
		if !out.has(l) && len(out) < maxValue {
			out = append(out[:len(out):len(out)], l)
		}
	}
	return out
}

// step returns the location one segment below l, and false when that is too deep to be told apart.
func (l loc) step(segment string) (loc, bool) {
	if strings.Count(l.path, ".")+strings.Count(l.path, "[")+strings.Count(l.path, "@") >= maxPath {
		return loc{}, false
	}
	l.path += segment
	return l, true
}

// base is l without its path.
func (l loc) base() loc {
	l.path = ""
	return l
}

// segments splits a path such as ".cache[].n" into ".cache", "[]", ".n".
func segments(path string) []string {
	var out []string
	for path != "" {
		end := 1
		for end < len(path) && path[end] != '.' && path[end] != '[' && path[end] != '@' {
			end++
		}
		out = append(out, path[:end])
		path = path[end:]
	}
	return out
}

// callable reports whether the location is a function.
func (l loc) callable() bool {
	return l.kind == function || l.kind == bound || l.kind == literal || l.kind == foreign
}

// tracked reports whether the location is worth remembering for fields and shared variables of any
// type: functions and wrappers.
func (l loc) tracked() bool { return l.callable() || l.kind == wrapper }

// heap holds what was stored at locations, by segment. It forgets nothing, so it is flow-insensitive.
type heap map[loc]map[string]value

// store adds v to what is at l's segment, and reports whether that is news.
func (h heap) store(l loc, segment string, v value) bool {
	if len(v) == 0 {
		return false
	}
	fields := h[l]
	if fields == nil {
		fields = map[string]value{}
		h[l] = fields
	}
	old := fields[segment]
	fields[segment] = old.with(v...)
	return len(fields[segment]) > len(old)
}

// load reads the segment below each location: what was stored there and, where the location's memory
// existed before (a parameter, a package variable, memory of unknown content), that memory itself.
func (h heap) load(v value, segment string) value {
	var out value
	for _, l := range v {
		out = out.with(h[l][segment]...)
		if l.callable() || l.kind == wrapper || l.kind == process || l.kind == guard || l.kind == miss {
			continue
		}
		if below, ok := l.step(segment); ok {
			out = out.with(below)
		}
	}
	return out
}
