package engine

import "go/types"

// Symbolic reports whether a type stands for a tensor while tracing: *graph.Node. A type parameter is symbolic if all types of
// its constraint are.
func (s *Set) Symbolic(t types.Type) bool {
	if all, ok := constraint(t, s.Symbolic); ok {
		return all
	}
	pointer, isPointer := types.Unalias(t).(*types.Pointer)
	if isPointer {
		t = pointer.Elem()
	}
	class := s.class(t)
	return class.list == "symbolic" && class.pointer == isPointer
}

// HasSymbolic reports whether values of a type carry symbolic values: also in slices, arrays, maps and pointers and in the fields
// of an engine's batch types, but not in function and channel types nor in other structs.
func (s *Set) HasSymbolic(t types.Type) bool { return s.hasSymbolic(t, map[types.Type]bool{}) }

func (s *Set) hasSymbolic(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true // a type that contains itself ends here
	defer delete(seen, t)
	if all, ok := constraint(t, func(t types.Type) bool { return s.hasSymbolic(t, seen) }); ok {
		return all
	}
	if s.Symbolic(t) || s.class(t).list == "batch" {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return s.hasSymbolic(u.Elem(), seen)
	case *types.Slice:
		return s.hasSymbolic(u.Elem(), seen)
	case *types.Array:
		return s.hasSymbolic(u.Elem(), seen)
	case *types.Map:
		return s.hasSymbolic(u.Key(), seen) || s.hasSymbolic(u.Elem(), seen)
	}
	return false
}

// Owned reports whether values of a type, or what its pointers point to, belong to the trace that they are used in: symbolic
// values, graphs, scopes, variables and the engine's builders. Writing to one is part of building the graph.
func (s *Set) Owned(t types.Type) bool {
	switch s.class(indirect(t)).list {
	case "symbolic", "scope", "owned":
		return true
	}
	return false
}

// Scope reports whether a type, or what it points to, gives access to the variables and settings of a model.
func (s *Set) Scope(t types.Type) bool { return s.class(indirect(t)).list == "scope" }

// Backend reports whether a type is one that runs graphs.
func (s *Set) Backend(t types.Type) bool { return s.class(indirect(t)).list == "backend" }

// Wrapper reports whether a type, or what it points to, is a wrapper or a struct that embeds one.
func (s *Set) Wrapper(t types.Type) bool { return s.wrapper(t, map[types.Type]bool{}) }

func (s *Set) wrapper(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(indirect(t))
	if seen[t] {
		return false
	}
	seen[t] = true
	if s.class(t).list == "wrapper" {
		return true
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for field := range fields.Fields() {
		if field.Embedded() && s.wrapper(field.Type(), seen) {
			return true
		}
	}
	return false
}

// SignatureRoot reports whether a signature alone says that its function is traced: a parameter, not the receiver, and a result
// carry symbolic values, and no parameter is a test's.
func (s *Set) SignatureRoot(sig *types.Signature) bool {
	takes := false
	for param := range sig.Params().Variables() {
		if testingType(param.Type()) {
			return false
		}
		takes = takes || s.HasSymbolic(param.Type())
	}
	if !takes {
		return false
	}
	for result := range sig.Results().Variables() {
		if s.HasSymbolic(result.Type()) {
			return true
		}
	}
	return false
}

// SignatureEngine is the name of the engine whose symbolic values the parameters of a function that [Set.SignatureRoot] holds
// for carry.
func (s *Set) SignatureEngine(sig *types.Signature) string {
	for param := range sig.Params().Variables() {
		t := param.Type()
		for {
			if name := s.class(indirect(t)).engine; name != "" {
				return name
			}
			inner, ok := types.Unalias(t).Underlying().(interface{ Elem() types.Type })
			if !ok {
				break
			}
			t = inner.Elem()
		}
	}
	return ""
}

// class returns what the profiles say of a named type, of its origin if it is an instance.
func (s *Set) class(t types.Type) typeClass {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return typeClass{}
	}
	obj := named.Origin().Obj()
	if pkg := s.lookup(obj.Pkg()); pkg != nil && obj.Parent() == obj.Pkg().Scope() {
		return pkg.types[obj.Name()]
	}
	return typeClass{}
}

// constraint applies a predicate to all types that a type parameter may stand for; ok is false if t is no type parameter. A
// constraint that lists no types holds for none.
func constraint(t types.Type, holds func(types.Type) bool) (all, ok bool) {
	param, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false, false
	}
	listed := false
	all = true
	var visit func(t types.Type)
	visit = func(t types.Type) {
		switch u := types.Unalias(t).Underlying().(type) {
		case *types.Interface:
			for embedded := range u.EmbeddedTypes() {
				visit(embedded)
			}
			return
		case *types.Union:
			for term := range u.Terms() {
				visit(term.Type())
			}
			return
		}
		listed = true
		all = all && holds(t)
	}
	visit(param.Constraint())
	return listed && all, true
}

// testingType reports whether a type is one of package testing's, such as *testing.T.
func testingType(t types.Type) bool {
	named, ok := types.Unalias(indirect(t)).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
