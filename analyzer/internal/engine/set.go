package engine

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"sync"
)

// Func is what a profile says of one function.
type Func struct {
	// Engine is the name of the function's engine.
	Engine string
	// Kind is what the function does.
	Kind Kind
	// Name is the function as messages show it: graph.NewExec, (*graph.Exec).Call.
	Name string
	// Traced, Inline, Host and Returns are 0-based indices of arguments, receivers not counted; see [Functions]. If the
	// parameter is the variadic one, all arguments from there on are meant.
	Traced, Inline, Host, Returns []int
	// Unwinds says that traces made by the function survive runtime.Goexit.
	Unwinds bool
	// Seed is the index of the argument that makes a function of kind [Random] repeatable if it is constant, or -1.
	Seed int
	// Label are the indices of the arguments that make up a variable's or scope's name; see [Functions].
	Label []int
	// Inputs, Identity, Trains, Cache, Dynamic, Like, Dims, Size, Drop and Key say what a function does to a cache's key; see [Functions].
	Inputs, Cache, Size, Drop, Key *int
	Trains, Like, Dims             []int
	Identity, Dynamic              bool
}

// Set joins profiles. Its methods are safe for concurrent use.
type Set struct {
	profiles []*Profile
	packages map[string]*enginePackage // by end of import path
	methods  []interfaceMethod
	lookups  sync.Map // import path -> *enginePackage, nil if it is none
	reaches  sync.Map // *types.Package -> bool
}

// enginePackage is one package of an engine at one of its import paths.
type enginePackage struct {
	types map[string]typeClass
	funcs map[string]*Func // by name in the package: NewExec, Exec.Call
}

type typeClass struct {
	engine  string
	list    string // the list of Types that it is in, as the profile names it
	pointer bool
}

// interfaceMethod is an interface's method whose implementations have a meaning.
type interfaceMethod struct {
	iface, method string
	kind          Kind
	pkg           *enginePackage
}

// NewSet joins profiles. Two of them must not name the same engine, nor give one function or type two meanings.
func NewSet(profiles ...*Profile) (*Set, error) {
	s := &Set{profiles: slices.Clone(profiles), packages: map[string]*enginePackage{}}
	engines := map[string]bool{}
	for _, p := range profiles {
		if engines[p.Engine] {
			return nil, fmt.Errorf("engine %s: two profiles of that name: rename one", p.Engine)
		}
		engines[p.Engine] = true
		if err := s.add(p); err != nil {
			return nil, fmt.Errorf("engine %s: %w", p.Engine, err)
		}
	}
	return s, nil
}

func (s *Set) add(p *Profile) error {
	for _, name := range sortedKeys(p.Packages) {
		for _, end := range p.Packages[name] {
			if s.packages[end] == nil {
				s.packages[end] = &enginePackage{types: map[string]typeClass{}, funcs: map[string]*Func{}}
			}
		}
	}
	for _, list := range p.Types.lists() {
		for _, text := range list.names {
			name, _ := parseTypeName(text)
			for _, end := range p.Packages[name.pkg] {
				pkg := s.packages[end]
				if _, ok := pkg.types[name.ident]; ok {
					return fmt.Errorf("types: %s: %s: another engine's profile has it already", list.key, text)
				}
				pkg.types[name.ident] = typeClass{engine: p.Engine, list: list.key, pointer: name.pointer}
			}
		}
	}
	for _, group := range p.Functions {
		for _, text := range group.Names {
			name, _ := parseFuncName(text)
			f := group.describe(p.Engine, text)
			for _, end := range p.Packages[name.pkg] {
				pkg := s.packages[end]
				if _, ok := pkg.funcs[name.member()]; ok {
					return fmt.Errorf("functions: %s: another engine's profile has it already", text)
				}
				described := *f
				described.Unwinds = slices.Contains(p.Unwinds, end)
				pkg.funcs[name.member()] = &described
				if group.Kind == Traced || group.Kind == Yield {
					method := interfaceMethod{iface: name.receiver, method: name.ident, kind: group.Kind, pkg: pkg}
					s.methods = append(s.methods, method)
				}
			}
		}
	}
	return nil
}

func (group Functions) describe(engine, text string) *Func {
	f := &Func{
		Engine: engine, Kind: group.Kind, Name: text,
		Traced: group.Traced, Inline: group.Inline, Host: group.Host, Returns: group.Returns, Seed: -1,
		Inputs: group.Inputs, Cache: group.Cache, Size: group.Size, Drop: group.Drop, Key: group.Key,
		Trains: group.Trains, Like: group.Like, Dims: group.Dims, Identity: group.Identity, Dynamic: group.Dynamic,
		Label: group.Label,
	}
	if group.Seed != nil {
		f.Seed = *group.Seed
	}
	return f
}

// OpaqueModule reports whether the package at an import path is part of an engine, so that no effect of its code is reported to
// the engine's users.
func (s *Set) OpaqueModule(importPath string) bool {
	importPath = plainPath(importPath)
	for _, p := range s.profiles {
		for _, module := range p.Modules {
			rest, ok := strings.CutPrefix(importPath, module)
			if !ok || rest != "" && rest[0] != '/' {
				continue
			}
			first, _, _ := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
			if !slices.Contains(p.Except, first) {
				return true
			}
		}
	}
	return false
}

// Reaches reports whether a package is an engine's or imports one, directly or through others. Of a package read from export
// data only those imports count that its exported declarations need.
func (s *Set) Reaches(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	if known, ok := s.reaches.Load(pkg); ok {
		return known.(bool)
	}
	reaches := s.lookup(pkg) != nil || slices.ContainsFunc(pkg.Imports(), s.Reaches)
	s.reaches.Store(pkg, reaches)
	return reaches
}

// Func returns what a profile says of a function, or nil if no engine gives it a meaning. Instances of generic functions,
// promoted methods and interface methods all lead to their origin's.
func (s *Set) Func(fn *types.Func) *Func {
	if fn == nil {
		return nil
	}
	fn = fn.Origin()
	pkg := s.lookup(fn.Pkg())
	if pkg == nil {
		return nil
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return pkg.funcs[fn.Name()]
	}
	named, ok := types.Unalias(indirect(recv.Type())).(*types.Named)
	if !ok {
		return nil
	}
	if named.Obj().Exported() {
		return pkg.funcs[named.Obj().Name()+"."+fn.Name()]
	}
	return pkg.member(fn.Pkg(), fn.Name(), func(field *types.Var) bool {
		embedded, ok := types.Unalias(indirect(field.Type())).(*types.Named)
		return ok && field.Embedded() && embedded.Origin() == named.Origin()
	})
}

// Var is [Set.Func] for package-level variables and fields of function type.
func (s *Set) Var(v *types.Var) *Func {
	if v == nil {
		return nil
	}
	pkg := s.lookup(v.Pkg())
	if pkg == nil {
		return nil
	}
	v = v.Origin()
	if v.IsField() {
		return pkg.member(v.Pkg(), v.Name(), func(field *types.Var) bool { return field == v })
	}
	if v.Parent() == v.Pkg().Scope() {
		return pkg.funcs[v.Name()]
	}
	return nil
}

// member finds a method by the struct type that has a certain field.
func (pkg *enginePackage) member(in *types.Package, name string, has func(*types.Var) bool) *Func {
	for _, owner := range in.Scope().Names() {
		f := pkg.funcs[owner+"."+name]
		if f == nil {
			continue
		}
		if fields, ok := in.Scope().Lookup(owner).Type().Underlying().(*types.Struct); ok {
			for field := range fields.Fields() {
				if has(field) {
					return f
				}
			}
		}
	}
	return nil
}

// TracedMethod returns what a profile says of the interface method that a method implements, if the engine runs that method's
// implementations inside traces ([Traced]), else nil. The interface is looked for among the packages that the method's own
// package imports, directly or not.
func (s *Set) TracedMethod(fn *types.Func) *Func { return s.implemented(fn, Traced) }

// YieldMethod is [Set.TracedMethod] for methods that give out batches ([Yield]).
func (s *Set) YieldMethod(fn *types.Func) *Func { return s.implemented(fn, Yield) }

func (s *Set) implemented(fn *types.Func, kind Kind) *Func {
	recv := fn.Signature().Recv()
	if recv == nil || !s.Reaches(fn.Pkg()) {
		return nil
	}
	named, ok := types.Unalias(indirect(recv.Type())).(*types.Named)
	if !ok || types.IsInterface(named) {
		return nil
	}
	for _, m := range s.methods {
		if m.kind != kind || m.method != fn.Name() {
			continue
		}
		if iface := s.findInterface(fn.Pkg(), m, map[*types.Package]bool{}); iface != nil && implements(named, iface) {
			return m.pkg.funcs[m.iface+"."+m.method]
		}
	}
	return nil
}

func (s *Set) findInterface(from *types.Package, m interfaceMethod, seen map[*types.Package]bool) *types.Interface {
	if seen[from] || !s.Reaches(from) {
		return nil
	}
	seen[from] = true
	if s.lookup(from) == m.pkg {
		if obj, ok := from.Scope().Lookup(m.iface).(*types.TypeName); ok {
			iface, _ := obj.Type().Underlying().(*types.Interface)
			return iface
		}
		return nil
	}
	for _, imported := range from.Imports() {
		if iface := s.findInterface(imported, m, seen); iface != nil {
			return iface
		}
	}
	return nil
}

func implements(named *types.Named, iface *types.Interface) bool {
	return types.Implements(named, iface) || types.Implements(types.NewPointer(named), iface)
}

// Hints returns an engine's hints, empty if there is no such engine.
func (s *Set) Hints(engine string) Hints {
	for _, p := range s.profiles {
		if p.Engine == engine {
			return p.Hints
		}
	}
	return Hints{}
}

// CacheSize returns the number of signatures that the cache of an engine's wrappers holds, 0 if there is no bound.
func (s *Set) CacheSize(engine string) int {
	for _, p := range s.profiles {
		if p.Engine == engine {
			return p.Cache
		}
	}
	return 0
}

// lookup finds a package by the ends of its import path, the longest first.
func (s *Set) lookup(pkg *types.Package) *enginePackage {
	if pkg == nil {
		return nil
	}
	if known, ok := s.lookups.Load(pkg.Path()); ok {
		return known.(*enginePackage)
	}
	var found *enginePackage
	for end := plainPath(pkg.Path()); found == nil && end != ""; {
		found = s.packages[end]
		_, end, _ = strings.Cut(end, "/")
	}
	s.lookups.Store(pkg.Path(), found)
	return found
}

// plainPath drops what build systems add to the import path of a package under test: p [p.test].
func plainPath(importPath string) string {
	plain, _, _ := strings.Cut(importPath, " ")
	return plain
}

func indirect(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}
