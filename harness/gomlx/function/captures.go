package function

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// captures are the variables for which a trace could not serve a call: its body
// captured them, and a variable argument is one of them in the one and not in
// the other. They are in the order of their making.
type captures []*state

// captures returns those of the traces that serve the arguments otherwise.
func (f *core) captures(r *request) captures {
	var captured captures
	if len(r.variables) == 0 {
		return nil
	}
	add := func(c *Concrete) {
		if !c.samePointers(r.arguments) {
			return
		}
		for _, s := range c.slots {
			if s.captured && !slices.Contains(captured, s.variable) {
				captured = append(captured, s.variable)
			}
		}
	}
	for _, c := range f.dispatch[r.key] {
		add(c)
	}
	for _, c := range f.traces {
		if c.ranked == r.ranked && slices.EqualFunc(c.specs, r.specs, Spec.covers) {
			add(c)
		}
	}
	slices.SortFunc(captured, func(a, b *state) int { return cmp.Compare(a.id, b.id) })
	return captured
}

// text says to people whether an argument is one of the variables.
func (c captures) text(v *state) string {
	switch {
	case len(c) == 0:
		return ""
	case slices.Contains(c, v):
		return fmt.Sprintf(", the %s that the body captures", v.numbered())
	}
	names := make([]string, len(c))
	for i, s := range c {
		names[i] = s.numbered()
	}
	return ", none that the body captures: " + cut(strings.Join(names, ", "), maxText)
}

// key is equal exactly if text says the same of two arguments.
func (c captures) key(v *state) string {
	switch {
	case len(c) == 0:
		return ""
	case slices.Contains(c, v):
		return fmt.Sprint(v.id)
	}
	ids := make([]string, len(c))
	for i, s := range c {
		ids[i] = fmt.Sprint(s.id)
	}
	return "none of " + strings.Join(ids, " ")
}

// numbered returns the name of the variable with its number in the runtime,
// since others may have the same name.
func (s *state) numbered() string { return fmt.Sprintf("%q (variable %d)", cut(s.name, maxText), s.id) }
