package churn

import (
	"cmp"
	"go/ast"
	"slices"
)

// depKind says what makes a value differ from one time to the next.
type depKind uint8

const (
	byTurn  depKind = iota + 1 // each turn of a loop
	byParam                    // what callers pass for a parameter
	byCall                     // each call of the function
)

// dep is one thing on which a value depends.
type dep struct {
	kind  depKind
	loop  ast.Stmt
	param int
}

// atom is an unknown number: a variable's value, or the length of something. Two atoms are the same
// number if they are the same pointer.
type atom struct {
	id   int
	deps []dep
	// param is set for what a caller passes: the value of an integer, or one of a value's dimensions.
	param *paramSize
	// counter: it counts the turns of a loop.
	counter bool
	// unsure: it may differ from turn to turn, but nothing shows that it does.
	unsure bool
	// ragged: it differs between the elements of one value.
	ragged bool
	// bucket: it is one of few sizes.
	bucket bool
	// text: it comes from the length of a text.
	text bool
	// what changes it, as messages show it, and where.
	what string
	node ast.Node
}

// paramSize is dimension dim of a parameter, dim -1 being the value of an integer.
type paramSize struct{ index, dim int }

func (a *atom) on(d dep) bool { return slices.Contains(a.deps, d) }

// term is an atom times a number.
type term struct {
	atom  *atom
	coeff int64
}

// form is a number as a sum of terms and a constant.
type form struct {
	constant int64
	terms    []term // by id of the atom, no zero coefficients
	// window: atoms that change cancelled each other out, as in x[i : i+n].
	window bool
}

// alternative is a number that is the least of several forms.
type alternative []form

// value is the set of numbers that an expression may be; an empty one is not known.
type value []alternative

// Bounds that keep values small; what lies beyond is not known.
const (
	maxAlternatives = 8
	maxForms        = 4
)

func constantValue(n int64) value { return value{{{constant: n}}} }

func of(a *atom) value { return value{{{terms: []term{{a, 1}}}}} }

// plus returns f + scale*g.
func (f form) plus(g form, scale int64) form {
	out := form{constant: f.constant + scale*g.constant, window: f.window || g.window}
	sums := map[*atom]int64{}
	var atoms []*atom
	for _, terms := range [][]term{f.terms, g.terms} {
		for _, t := range terms {
			if _, ok := sums[t.atom]; !ok {
				atoms = append(atoms, t.atom)
			}
		}
	}
	for _, t := range f.terms {
		sums[t.atom] += t.coeff
	}
	for _, t := range g.terms {
		sums[t.atom] += scale * t.coeff
	}
	for _, a := range atoms {
		switch {
		case sums[a] != 0:
			out.terms = append(out.terms, term{a, sums[a]})
		case len(a.deps) > 0:
			out.window = true
		}
	}
	slices.SortFunc(out.terms, func(a, b term) int { return cmp.Compare(a.atom.id, b.atom.id) })
	return out
}

// times returns f * n.
func (f form) times(n int64) form {
	if n == 0 {
		return form{}
	}
	out := form{constant: f.constant * n, window: f.window}
	for _, t := range f.terms {
		out.terms = append(out.terms, term{t.atom, t.coeff * n})
	}
	return out
}

func (f form) equal(g form) bool { return f.constant == g.constant && slices.Equal(f.terms, g.terms) }

// fixed reports whether nothing is seen on which the form depends.
func (f form) fixed() bool {
	return !slices.ContainsFunc(f.terms, func(t term) bool { return len(t.atom.deps) > 0 })
}

// remainder reports whether all that changes with d is a counter that is taken off: what is left to go, a
// last, smaller batch.
func (f form) remainder(d dep) bool {
	found := false
	for _, t := range f.terms {
		if t.atom.on(d) {
			if !t.atom.counter || t.coeff > 0 {
				return false
			}
			found = true
		}
	}
	return found
}

// on returns the first atom of the form that changes with d.
func (f form) on(d dep) *atom {
	for _, t := range f.terms {
		if t.atom.on(d) && !t.atom.unsure && !t.atom.bucket {
			return t.atom
		}
	}
	return nil
}

// on returns an atom that changes with d, nil if the least of the forms is bound to be the same: a
// window of constant size, or full batches with a smaller one at the end.
func (a alternative) on(d dep) *atom {
	var found *atom
	same := slices.ContainsFunc(a, func(f form) bool { return f.on(d) == nil })
	for _, f := range a {
		changing := f.on(d)
		if f.window && changing == nil {
			return nil
		}
		if changing != nil && !(same && f.remainder(d)) && found == nil {
			found = changing
		}
	}
	return found
}

// on returns the first atom that changes with d.
func (v value) on(d dep) *atom {
	same := slices.ContainsFunc(v, func(a alternative) bool { return len(a) == 1 && a[0].on(d) == nil })
	for _, a := range v {
		if same && len(a) == 1 && a[0].remainder(d) {
			continue
		}
		if found := a.on(d); found != nil {
			return found
		}
	}
	return nil
}

// atoms lists the atoms of a value that changes with them.
func (v value) atoms() []*atom {
	var out []*atom
	for _, a := range v {
		for _, f := range a {
			for _, t := range f.terms {
				for _, d := range t.atom.deps {
					if v.on(d) == t.atom && !slices.Contains(out, t.atom) {
						out = append(out, t.atom)
					}
				}
			}
		}
	}
	return out
}

// fixed reports whether a value is known not to depend on anything seen.
func (v value) fixed() bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(a alternative) bool { return !slices.ContainsFunc(a, form.fixed) })
}

// numbers reports whether a value is made of constants alone.
func (v value) numbers() bool {
	return len(v) > 0 && !slices.ContainsFunc(v, func(a alternative) bool {
		return slices.ContainsFunc(a, func(f form) bool { return len(f.terms) > 0 })
	})
}

// shares reports whether two values have an atom in common that depends on something.
func (v value) shares(w value) bool {
	return slices.ContainsFunc(v.dependent(), func(a *atom) bool { return slices.Contains(w.dependent(), a) })
}

// windowed reports whether what changes cancelled out in each of a value's alternatives.
func (v value) windowed() bool {
	return !slices.ContainsFunc(v, func(a alternative) bool {
		return !slices.ContainsFunc(a, func(f form) bool { return f.window })
	})
}

func (v value) dependent() []*atom {
	var out []*atom
	for _, a := range v {
		for _, f := range a {
			for _, t := range f.terms {
				if len(t.atom.deps) > 0 {
					out = append(out, t.atom)
				}
			}
		}
	}
	return out
}

func (v value) equal(w value) bool {
	return slices.EqualFunc(v, w, func(a, b alternative) bool { return slices.EqualFunc(a, b, form.equal) })
}

// each maps the forms of a value.
func (v value) each(change func(form) form) value {
	var out value
	for _, a := range v {
		var forms alternative
		for _, f := range a {
			forms = append(forms, change(f))
		}
		out = append(out, forms)
	}
	return out
}

// or returns what is one of both.
func (v value) or(w value) value {
	out := slices.Clone(v)
	for _, a := range w {
		same := func(b alternative) bool { return slices.EqualFunc(a, b, form.equal) }
		if !slices.ContainsFunc(out, same) && len(out) < maxAlternatives {
			out = append(out, a)
		}
	}
	return out
}

// combine applies a function to all pairs of forms.
func (v value) combine(w value, apply func(f, g form) form) value {
	var out value
	for _, a := range v {
		for _, b := range w {
			var forms alternative
			for _, f := range a {
				for _, g := range b {
					if len(forms) < maxForms {
						forms = append(forms, apply(f, g))
					}
				}
			}
			out = out.or(value{forms})
		}
	}
	return out
}

func (v value) plus(w value) value {
	return v.combine(w, func(f, g form) form { return f.plus(g, 1) })
}

func (v value) minus(w value) value {
	return v.combine(w, func(f, g form) form { return f.plus(g, -1) })
}

// least returns the lesser of both.
func (v value) least(w value) value {
	var out value
	for _, a := range v {
		for _, b := range w {
			forms := append(slices.Clone(a), b...)
			out = out.or(value{forms[:min(len(forms), maxForms)]})
		}
	}
	return out
}
