package harness

import (
	"math"
	"strconv"

	"github.com/tracelint/tracelint/harness/internal/value"
	"github.com/tracelint/tracelint/internal/clip"
)

// A DifferenceKind says in what two arguments differ.
type DifferenceKind int

// The kinds of differences.
const (
	// DifferentKind: one is a tensor, the other a literal, say.
	DifferentKind DifferenceKind = iota
	// DifferentDType: the dtypes of two tensors differ.
	DifferentDType
	// DifferentType: the Go types differ.
	DifferentType
	// DifferentRank: the numbers of axes differ.
	DifferentRank
	// DifferentAxis: the sizes of one axis differ.
	DifferentAxis
	// DifferentValue: the literals, identities or contexts differ.
	DifferentValue
	// DifferentStructure: the structures have other elements, or one signature
	// has an argument more.
	DifferentStructure
)

// A Difference is one way in which two signatures differ.
type Difference struct {
	// Arg names the argument: `x`, `arg 0`, `batch.Inputs[1]`.
	Arg string
	// Kind says in what it differs, and with DifferentAxis, Axis at which axis.
	Kind DifferenceKind
	Axis int
	// Of says what the later argument is, or the earlier one if it is gone.
	Of ArgKind
	// Type is the Go type or dtype of that argument.
	Type string
	// From and To are the earlier and the later value; empty for an argument
	// that there is only in the other one.
	From, To string
}

// Where returns what differs without the values: `x: axis 0`.
func (d Difference) Where() string {
	switch d.Kind {
	case DifferentDType:
		return d.Arg + ": dtype"
	case DifferentType:
		return d.Arg + ": type"
	case DifferentRank:
		return d.Arg + ": rank"
	case DifferentAxis:
		return d.Arg + ": axis " + strconv.Itoa(d.Axis)
	default:
		return d.Arg
	}
}

// String returns the difference for people: `x: axis 0: 3 -> 4`.
func (d Difference) String() string {
	separator := " " // `x: rank 1 -> 2`
	switch d.Kind {
	case DifferentAxis, DifferentKind, DifferentValue, DifferentStructure:
		separator = ": "
	}
	return d.Where() + separator + orNone(d.From) + " -> " + orNone(d.To)
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// maxAspect bounds the bytes of a value in a difference. What a recorder keeps of
// one fits, so that none is cut twice.
const maxAspect = 2 * value.MaxText

// Diff returns each difference from an earlier signature to a later one, in the
// order of the arguments.
func Diff(earlier, later Signature) []Difference {
	c := comparison{describe: math.MaxInt}
	c.signatures(earlier, later)
	return c.differences
}

// A comparison counts differences, and describes the first ones: most
// comparisons only look for the nearest signature.
type comparison struct {
	describe    int // how many
	enough      int // so many differences end the comparison, unless it is 0
	count       int
	steps       int // how many arguments and axes were looked at
	differences []Difference
}

func (c *comparison) done() bool { return c.enough > 0 && c.count >= c.enough }

// A path leads to an argument or an element of one.
type path struct {
	parent *path
	name   string
	index  int
}

// below returns the path to an element, nil if nobody will see it.
func (c *comparison) below(parent *path, name string, index int) *path {
	if c.describe == 0 {
		return nil
	}
	return &path{parent, name, index}
}

func (p *path) String() string {
	switch {
	case p.parent == nil && p.name == "":
		return "arg " + strconv.Itoa(p.index)
	case p.parent == nil:
		return p.name
	case p.name == "":
		return p.parent.String() + "[" + strconv.Itoa(p.index) + "]"
	default:
		return p.parent.String() + p.name
	}
}

func (c *comparison) signatures(earlier, later Signature) {
	position := 0 // that of the Go parameter: contexts are none
	for i := 0; i < max(len(earlier), len(later)) && !c.done(); i++ {
		var from, to *Arg
		if i < len(earlier) {
			from = &earlier[i]
		}
		if i < len(later) {
			to = &later[i]
		}
		present := to
		if to == nil {
			present = from
		}
		at := c.below(nil, present.Name, position)
		if from == nil || to == nil {
			c.add(at, DifferentStructure, 0, from, to)
		} else {
			c.args(at, from, to)
		}
		if present.Kind != Context {
			position++
		}
	}
}

func (c *comparison) args(at *path, from, to *Arg) {
	c.steps += 1 + len(from.Dims)
	if from.Kind != to.Kind {
		c.add(at, DifferentKind, 0, from, to)
		return
	}
	if from.Type != to.Type {
		kind := DifferentType
		if from.Kind == Tensor {
			kind = DifferentDType
		}
		c.add(at, kind, 0, from, to)
	}
	if len(from.Dims) != len(to.Dims) {
		c.add(at, DifferentRank, 0, from, to)
	} else {
		for axis := range from.Dims {
			if from.Dims[axis] != to.Dims[axis] {
				c.add(at, DifferentAxis, axis, from, to)
			}
		}
	}
	if !sameValue(from, to) && (from.Type == to.Type || from.Value != to.Value) {
		c.add(at, DifferentValue, 0, from, to)
	}
	if !sameNames(from.Elems, to.Elems) {
		c.add(at, DifferentStructure, 0, from, to)
		return
	}
	for i := 0; i < len(from.Elems) && !c.done(); i++ {
		c.args(c.below(at, to.Elems[i].Name, i), &from.Elems[i], &to.Elems[i])
	}
}

func (c *comparison) add(at *path, kind DifferenceKind, axis int, from, to *Arg) {
	c.count++
	if len(c.differences) == c.describe {
		return
	}
	present := to
	if to == nil {
		present = from
	}
	d := Difference{
		Arg:  at.String(),
		Kind: kind,
		Axis: axis,
		Of:   present.Kind,
		Type: present.Type,
		From: from.aspect(kind, axis),
		To:   to.aspect(kind, axis),
	}
	if from != nil && to != nil && d.From == d.To && kind != DifferentAxis { // texts do not tell all values apart
		if d.From == "" {
			d.From = from.value()
		}
		d.To = "another " + d.From
	}
	c.differences = append(c.differences, d)
}

// aspect returns what a difference of the kind says of an argument.
func (a *Arg) aspect(kind DifferenceKind, axis int) string {
	switch {
	case a == nil:
		return ""
	case kind == DifferentDType || kind == DifferentType:
		return a.Type
	case kind == DifferentRank:
		return strconv.Itoa(len(a.Dims))
	case kind == DifferentAxis:
		return dim(a.Dims[axis])
	case kind == DifferentValue:
		return clip.Middle(a.Value, maxAspect)
	}
	text := a.value()
	if a.Kind == Structure && len(text) > maxAspect {
		return strconv.Itoa(len(a.Elems)+a.Omitted) + " elements"
	}
	return clip.Middle(text, maxAspect)
}
