package function

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/tracelint/tracelint/harness/gomlx/function/internal/tape"
)

// Print writes its arguments, with spaces between them and a newline, to the
// runtime's output: the engine's own print, part of the graph. Inside a trace it
// writes at each execution, after the graph has run, in the order of the calls,
// those in inner functions included; an execution that fails writes nothing.
// Tensors are written with the values that they have then, all other arguments
// as they were when the body ran.
func (c *Ctx) Print(args ...any) {
	c.converted("print", "Print", args, nil)
	check(c.usable())
	if err := c.print(args); err != nil {
		panic(fmt.Errorf("print: %w", err))
	}
}

func (c *Ctx) print(args []any) error {
	texts := make([]string, len(args))
	p := printed{texts: texts, at: nil}
	for i, arg := range args {
		t, ok := arg.(Tensor)
		switch {
		case !ok:
			texts[i] = printText(arg)
		case c.trace == nil:
			concrete, err := c.concrete(t)
			if err != nil {
				return fmt.Errorf("argument %d: %w", i, err)
			}
			texts[i] = valueText(concrete)
		default:
			id, err := c.trace.operand(t)
			if err != nil {
				return fmt.Errorf("argument %d: %w", i, err)
			}
			p.operands = append(p.operands, id)
			p.at = append(p.at, i)
		}
	}
	if c.trace == nil {
		return c.rt.write(line(texts))
	}
	c.trace.prints = append(c.trace.prints, p)
	return nil
}

// printed is a print on a tape: its texts, and the values that take the places
// at among them.
type printed struct {
	texts    []string
	operands []tape.ID
	at       []int
}

// renumbered returns the print with other numbers of its values.
func (p printed) renumbered(ids []tape.ID) printed {
	operands := make([]tape.ID, len(p.operands))
	for i, id := range p.operands {
		operands[i] = ids[id]
	}
	return printed{p.texts, operands, p.at}
}

// print writes the prints of an execution.
func (c *Concrete) print(values []*tensors.Tensor) error {
	for _, p := range c.prints {
		texts := append([]string(nil), p.texts...)
		for _, place := range p.at {
			texts[place] = valueText(values[0])
			values = values[1:]
		}
		if err := c.fn.rt.write(line(texts)); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}

// printText returns the text of a Go value, or its type if its methods panic with
// what has no text either.
func printText(arg any) (text string) {
	defer func() {
		if recover() != nil {
			text = reflect.TypeOf(arg).String()
		}
	}()
	return fmt.Sprint(arg)
}

func line(texts []string) string { return strings.Join(texts, " ") + "\n" }

func valueText(t *tensors.Tensor) string { return fmt.Sprint(t.Value()) }
