package library

import (
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// load returns the packages of the standard library and testify's, by path.
var load = sync.OnceValues(func() (map[string]*types.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile,
		Env:  environ(),
	}, "std", "github.com/stretchr/testify/assert", "github.com/stretchr/testify/require")
	if err != nil {
		return nil, err
	}
	byPath := map[string]*types.Package{}
	for _, pkg := range loaded {
		for _, err := range pkg.Errors {
			return nil, err
		}
		byPath[pkg.PkgPath] = pkg.Types
	}
	return byPath, nil
})

// environ returns an environment in which the standard library is the same
// wherever the tests run.
func environ() []string {
	return append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
}

func typesOf(t *testing.T, path string) *types.Package {
	t.Helper()
	pkgs, err := load()
	require.NoError(t, err)
	require.Contains(t, pkgs, path)
	return pkgs[path]
}

// function returns the package's function, or the method in "Type.Method" of
// the type or of a pointer to it.
func function(t *testing.T, path, name string) *types.Func {
	t.Helper()
	pkg := typesOf(t, path)
	typeName, method, isMethod := strings.Cut(name, ".")
	obj := pkg.Scope().Lookup(typeName)
	require.NotNil(t, obj, "%s.%s", path, name)
	if isMethod {
		obj, _, _ = types.LookupFieldOrMethod(obj.Type(), true, pkg, method)
	}
	require.IsType(t, (*types.Func)(nil), obj, "%s.%s", path, name)
	return obj.(*types.Func)
}

func texts(actions []Action) string {
	var all []string
	for _, a := range actions {
		all = append(all, a.String())
	}
	return strings.Join(all, "; ")
}

func TestLookup(t *testing.T) {
	for _, tt := range []struct{ path, name, want string }{
		{"fmt", "Println", "print"},
		{"fmt", "Fprintf", "print arg0"},
		{"fmt", "Sprintf", ""},
		{"log", "Panicf", "print; abort"},
		{"log", "Logger.Fatal", "print recv; exit"},
		{"log/slog", "Default", "wrap"},
		{"sync", "Mutex.Lock", ""},
		{"sync", "Map.LoadOrStore", "keep arg0 in recv; keep arg1 in recv; alias recv"},
		{"sync", "OnceValue", "result-calls-once arg0"},
		{"sync/atomic", "Pointer.Store", "write recv; keep arg0 in recv"},
		{"slices", "SortFunc", "write arg0; call arg1"},
		{"io", "ReadWriter.Write", "print recv"},       // declared by the embedded Writer
		{"testing", "T.Fatal", "goexit"},               // promoted from common
		{"testing", "TB.FailNow", "goexit"},            // an interface's
		{"net", "TCPConn.Read", "io recv; write arg0"}, // promoted from an unexported type
		{"database/sql", "DB.Query", "io"},             // its package's line
		{"database/sql", "NullString.Value", ""},       // its type's line, none
		{"database/sql", "DB.Stats", ""},               // its own line, none
		{"github.com/stretchr/testify/require", "NoError", "may-goexit"},
		{"github.com/stretchr/testify/require", "Assertions.FailNow", "goexit"},
		{"github.com/stretchr/testify/assert", "NoError", ""},
	} {
		t.Run(tt.path+"."+tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, texts(Default().Lookup(function(t, tt.path, tt.name))))
		})
	}
}

func TestLookupInstance(t *testing.T) {
	pointer := typesOf(t, "sync/atomic").Scope().Lookup("Pointer").Type()
	instance, err := types.Instantiate(nil, pointer, []types.Type{types.Typ[types.Int]}, true)
	require.NoError(t, err)
	load, _, _ := types.LookupFieldOrMethod(instance, true, nil, "Load")
	require.Equal(t, "alias recv", texts(Default().Lookup(load.(*types.Func))))
}

func TestLookupUnknown(t *testing.T) {
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	say := types.NewFunc(token.NoPos, types.NewPackage("example.com/fmt", "fmt"), "Println", sig)
	require.Nil(t, Default().Lookup(say))

	universe := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	require.Nil(t, Default().Lookup(universe.Method(0)))
}

func TestCovers(t *testing.T) {
	table := Default()
	for _, path := range []string{"fmt", "math", "internal/poll", "k8s.io/klog/v2", "github.com/pkg/errors", "github.com/stretchr/testify/assert"} {
		require.True(t, table.Covers(path), path)
	}
	for _, path := range []string{"", "example.com/fmt", "k8s.io/klog/v2/textlogger", "github.com/stretchr/testify/mock"} {
		require.False(t, table.Covers(path), path)
	}
}

func TestIsStd(t *testing.T) {
	command := exec.Command("go", "list", "std")
	command.Env = environ()
	list, err := command.Output()
	require.NoError(t, err)
	toolchain := strings.Fields(string(list))
	for _, path := range toolchain {
		require.True(t, IsStd(path), "std.txt lacks %s", path)
	}

	text, err := os.ReadFile("std.txt")
	require.NoError(t, err)
	listed := strings.Fields(string(text))
	require.True(t, slices.IsSorted(listed))
	// These exist only under a GOEXPERIMENT.
	experiments := []string{"arena", "encoding/json/jsontext", "encoding/json/v2", "runtime/secret", "simd/archsimd"}
	for _, path := range listed {
		require.True(t, slices.Contains(toolchain, path) || slices.Contains(experiments, path), "std.txt lists %s", path)
	}

	for _, path := range []string{
		"", "go", "C", "a", "fmt2", "fmt/x", "internal", "cmd/go", "example.com/internal/x", "example/internal/fmt",
		"github.com/tracelint/tracelint/internal/x", "internals/x", "vendors/x",
	} {
		require.False(t, IsStd(path), path)
	}
}

func TestOperand(t *testing.T) {
	for o, want := range map[Operand]string{
		None: "none", Recv: "recv", Args: "args", Result: "result",
		Arg(0): "arg0", Arg(12): "arg12",
	} {
		require.Equal(t, want, o.String())
	}
	n, ok := Arg(3).Index()
	require.True(t, ok)
	require.Equal(t, 3, n)
	for _, o := range []Operand{None, Recv, Args, Result} {
		_, ok := o.Index()
		require.False(t, ok, o)
	}
}

func TestParse(t *testing.T) {
	table, err := Parse("mine.txt", []byte("# our own\r\n\r\n"+
		"package example.com/log print # by default\r\n"+
		"example.com/log.With\twrap arg0 args ;keep arg1 in result\r\n"+
		"gopkg.in/yaml.v3.Marshal none"))
	require.NoError(t, err)
	pkg := types.NewPackage("example.com/log", "log")
	sig := types.NewSignatureType(nil, nil, nil, nil, nil, false)
	want := []Action{
		{Verb: Wrap, On: Arg(0)},
		{Verb: Wrap, On: Args},
		{Verb: Keep, On: Arg(1), Into: Result},
	}
	require.Empty(t, cmp.Diff(want, table.Lookup(types.NewFunc(token.NoPos, pkg, "With", sig))))
	require.Equal(t, "print", texts(table.Lookup(types.NewFunc(token.NoPos, pkg, "Other", sig))))
	require.True(t, table.Covers("example.com/log"))
	require.True(t, table.Covers("gopkg.in/yaml.v3"))
	require.False(t, table.Covers("example.com"))
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a.F", `t.txt:1: a.F: action is missing: write what the function does, or none`},
		{"# ok\n\na.F prnt", `t.txt:3: a.F: verb "prnt" is unknown: did you mean "print"?`},
		{"a.F Print", `t.txt:1: a.F: verb "Print" is unknown: did you mean "print"?`},
		{"a.F something", `t.txt:1: a.F: verb "something" is unknown: write one of abort, alias, call, clock, environ, exit, goexit, guard, io, keep, may-goexit, once, print, random, result-calls, result-calls-once, spawn, sync, wrap, write`},
		{"a.F print none", `t.txt:1: a.F: operand "none" is unknown: write recv, arg0, arg1, ..., args or result`},
		{"a.F print; none", `t.txt:1: a.F: none says that nothing happens: remove it or the other actions and operands`},
		{"a.F print arg01", `t.txt:1: a.F: operand "arg01" is unknown: write recv, arg0, arg1, ..., args or result`},
		{"a.F print arg-1", `t.txt:1: a.F: operand "arg-1" is unknown: write recv, arg0, arg1, ..., args or result`},
		{"a.F print;", `t.txt:1: a.F: action between semicolons is empty: remove a semicolon`},
		{"a.F print; print", `t.txt:1: a.F: action "print" is listed twice: keep one`},
		{"a.F call", `t.txt:1: a.F: call needs an operand: recv, arg0, arg1, ..., args or result`},
		{"a.F clock arg0 arg1", `t.txt:1: a.F: clock takes no operand: remove "arg0 arg1"`},
		{"(a.T).F keep arg0", `t.txt:1: (a.T).F: keep does not say where: write "keep arg0 in recv"`},
		{"(a.T).F keep in recv", `t.txt:1: (a.T).F: keep does not say where: write "keep arg0 in recv"`},
		{"a.F print recv", `t.txt:1: a.F: a function has no recv: name an argument, as in arg0`},
		{"a.F keep arg0 in recv", `t.txt:1: a.F: a function has no recv: name an argument, as in arg0`},
		{"(*a.T).* print arg0", `t.txt:1: (*a.T).*: methods differ in their arguments, so arg0 stands for nothing: give each a line of its own`},
		{"package a print arg0", `t.txt:1: package a: functions differ in their arguments, so arg0 stands for nothing: give each a line of its own`},
		{"package", `t.txt:1: package has no path: write "package PATH ACTION"`},
		{"package (a) print", `t.txt:1: "(a)" is no import path`},
		{"Println print", `t.txt:1: "Println" is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write`},
		{"(*log.Logger.Printf print", `t.txt:1: "(*log.Logger.Printf" is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write`},
		{"log.Logger.Printf print", `t.txt:1: "log.Logger.Printf" is a method without parentheses: write (*log.Logger).Printf or (log.Logger).Printf`},
		{"a.* print", `t.txt:1: "a.*" is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write`},
		{"(*a.T[K]).F print", `t.txt:1: "(*a.T[K]).F" has type parameters: leave the brackets out`},
		{"a.F print\na.F io", `t.txt:2: a.F is listed twice: keep one line`},
		{"package a io\npackage a io", `t.txt:2: package a is listed twice: keep one line`},
	} {
		t.Run(tt.text, func(t *testing.T) {
			_, err := Parse("t.txt", []byte(tt.text))
			require.EqualError(t, err, tt.want)
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	pkgs, err := load()
	require.NoError(b, err)
	printLine := pkgs["fmt"].Scope().Lookup("Println").(*types.Func)
	table := Default()
	b.ReportAllocs()
	for b.Loop() {
		table.Lookup(printLine)
	}
}
