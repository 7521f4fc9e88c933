package driver

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/tracelint/tracelint/internal/vettest"
)

// vettoolVariable makes the test binary a tool of "go vet" that runs the probe.
const vettoolVariable = "TRACELINT_DRIVER_TEST_VETTOOL"

// vettool is the tool's path. TestMain builds it once more, without the race detector that the tests may run under: it
// would slow down hundreds of processes.
var vettool string

func TestMain(m *testing.M) {
	if os.Getenv(vettoolVariable) != "" {
		singlechecker.Main(newProbe())
	}
	dir, err := os.MkdirTemp("", "tracelint-driver")
	if err != nil {
		log.Fatal(err)
	}
	vettool = filepath.Join(dir, "probe.test")
	if out, err := exec.Command("go", "test", "-c", "-o", vettool, ".").CombinedOutput(); err != nil {
		log.Fatalf("go test -c: %v\n%s", err, out)
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		log.Fatal(err)
	}
	os.Exit(code)
}

// vet runs the probe by "go vet".
func vet(t *testing.T, args ...string) vettest.Output {
	t.Helper()
	t.Setenv(vettoolVariable, "1")
	return vettest.Run(t, "go", append([]string{"vet", "-vettool=" + vettool}, args...)...)
}

// decode joins a sequence of JSON objects, diagnostics sorted by position: the order of packages is the driver's own.
func decode(t *testing.T, text string) jsonTree {
	t.Helper()
	joined := make(jsonTree)
	for decoder := json.NewDecoder(strings.NewReader(text)); decoder.More(); {
		var tree jsonTree
		require.NoError(t, decoder.Decode(&tree))
		for path, analyzers := range tree {
			if joined[path] == nil {
				joined[path] = make(map[string][]jsonDiagnostic)
			}
			for name, diagnostics := range analyzers {
				joined[path][name] = slices.SortedFunc(
					slices.Values(append(joined[path][name], diagnostics...)),
					func(a, b jsonDiagnostic) int { return strings.Compare(a.Posn, b.Posn) },
				)
			}
		}
	}
	return joined
}

const basicModule = `
-- go.mod --
module example.com/m
go 1.26
-- deep/deep.go --
package deep
import "fmt"
func Deep() { fmt.Println() }
type T[E any] struct{}
func (T[E]) Method() { Deep() }
-- middle/middle.go --
package middle
import "example.com/m/deep"
func Middle() { deep.Deep() }
func New() deep.T[int] { return deep.T[int]{} }
-- top/top.go --
package top
import "example.com/m/middle"
func TracedTop() {
	middle.Middle()
	middle.New().Method()
}
-- top/top_test.go --
package top
import "fmt"
func TracedInside() { fmt.Println() }
-- top/outside_test.go --
package top_test
import ("example.com/m/middle"; "example.com/m/top")
func TracedOutside() { top.TracedTop(); middle.Middle() }
-- top_test/real.go --
package top_test
import "fmt"
func TracedReal() { fmt.Println() }
-- only/only_test.go --
package only
import "fmt"
func TracedOnly() { fmt.Println() }
`

func TestFindingsEqualThoseOfGoVet(t *testing.T) {
	tests := []struct {
		name     string
		archive  string
		env      map[string]string
		tags     string
		patterns []string
		want     []string // a part of the findings, so that equal emptiness does not pass
		// foreignFixes is a package with fixes in what cgo made of a file: go vet gives them as edits of the file itself, with
		// offsets that are not its.
		foreignFixes string
	}{
		{
			name:     "module",
			archive:  basicModule,
			patterns: []string{"./..."},
			want: []string{
				"top/top.go:4:2: Middle -> Deep -> Println\n", "top/top.go:5:2: Method -> Deep -> Println\n",
				"top/top_test.go:3:23: Println\n", "top/outside_test.go:3:24: TracedTop -> Method -> Deep -> Println\n",
				"top_test/real.go:3:21: Println\n", "only/only_test.go:3:21: Println\n",
			},
		},
		{
			name:     "one package",
			archive:  basicModule,
			patterns: []string{"./top/"},
			want:     []string{"top/top.go:4:2: Middle -> Deep -> Println\n"},
		},
		{
			name:     "-mod=mod",
			archive:  basicModule,
			env:      map[string]string{"GOFLAGS": "-mod=mod"},
			patterns: []string{"example.com/m/top"},
			want:     []string{"top/top.go:4:2: Middle -> Deep -> Println\n"},
		},
		{
			name: "test of a package that imports another user of it",
			archive: `
-- go.mod --
module example.com/m
go 1.26
-- a/a.go --
package a
import "fmt"
func A() { fmt.Println() }
-- a/a_test.go --
package a
func Extra() { A() }
-- a/outside_test.go --
package a_test
import ("example.com/m/a"; "example.com/m/b")
func Traced() { b.B(); a.Extra() }
-- b/b.go --
package b
import "example.com/m/a"
func B() { a.A() }
func TracedB() { B() }
`,
			patterns: []string{"./..."},
			want:     []string{"a/outside_test.go:3:17: B -> A -> Println\n", "b/b.go:4:18: B -> A -> Println\n"},
		},
		{
			name: "workspace",
			archive: `
-- go.work --
go 1.26
use ./one
use ./two
-- one/go.mod --
module example.com/one
go 1.26
-- one/one.go --
package one
import "fmt"
func One() { fmt.Println() }
-- two/go.mod --
module example.com/two
go 1.26
-- two/two.go --
package two
import "example.com/one"
func Traced() { one.One() }
`,
			patterns: []string{"example.com/one", "./two"},
			want:     []string{"two/two.go:3:17: One -> Println\n"},
		},
		{
			name: "vendored",
			archive: `
-- go.mod --
module example.com/m
go 1.26
require example.com/dep v1.0.0
-- m.go --
package m
import "example.com/dep"
func Traced() { dep.Print() }
-- vendor/modules.txt --
# example.com/dep v1.0.0
## explicit; go 1.26
example.com/dep
-- vendor/example.com/dep/dep.go --
package dep
import "fmt"
func Print() { fmt.Println() }
`,
			patterns: []string{"./..."},
			want:     []string{"m.go:3:17: Print -> Println\n"},
		},
		{
			name:         "cgo and unsafe",
			foreignFixes: "example.com/m/c",
			archive: `
-- go.mod --
module example.com/m
go 1.26
-- c/c.go --
package c
// static int one(void) { return 1; }
import "C"
import ("fmt"; "unsafe")
func One() int { fmt.Println(); return int(C.one()) + int(unsafe.Sizeof(C.int(0))) }
func TracedOne() {
	One()
}
-- user/user.go --
package user
import "example.com/m/c"
func Traced() { c.One() }
`,
			env:      map[string]string{"CGO_ENABLED": "1"},
			patterns: []string{"./..."},
			want:     []string{"c/c.go:7:2: One -> Println\n", "user/user.go:3:17: One -> Println\n"},
		},
		{
			name: "build tags",
			archive: `
-- go.mod --
module example.com/m
go 1.26
-- loud.go --
//go:build loud

package m
import "fmt"
func Print() { fmt.Println() }
-- quiet.go --
//go:build !loud

package m
func Print() {}
-- m.go --
package m
func Traced() { Print() }
`,
			tags:     "loud",
			patterns: []string{"."},
			want:     []string{"m.go:2:17: Print -> Println\n"},
		},
		{
			name: "files",
			archive: `
-- go.mod --
module example.com/m
go 1.26
-- a.go --
package main
func main() {}
-- b.go --
package main
import "fmt"
func Traced() { fmt.Println() }
`,
			patterns: []string{"a.go", "b.go"},
			want:     []string{"b.go:3:17: Println\n"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vettest.Enter(t, test.archive)
			for name, value := range test.env {
				t.Setenv(name, value)
			}
			result, err := Run(Config{Tags: test.tags, Tests: true}, newProbe(), test.patterns...)
			require.NoError(t, err)
			require.Empty(t, result.Errors)

			var text, object bytes.Buffer
			require.NoError(t, result.PrintText(&text, -1))
			for _, want := range test.want {
				require.Contains(t, text.String(), want)
			}
			args := append([]string{"-tags=" + test.tags}, test.patterns...)
			want, got := vettest.FromText(t, vet(t, args...).Stderr), vettest.FromText(t, text.String())
			require.Empty(t, cmp.Diff(want, got), "text of go vet (-) and of the driver (+)")

			require.NoError(t, result.PrintJSON(&object, "probe"))
			vetted := vet(t, append([]string{"-json"}, args...)...)
			require.Zero(t, vetted.Code)
			wantJSON := decode(t, vetted.Stdout)
			for _, diagnostics := range wantJSON[test.foreignFixes] {
				for i := range diagnostics {
					diagnostics[i].SuggestedFixes = nil
				}
			}
			require.Empty(t, cmp.Diff(wantJSON, decode(t, object.String())), "JSON of go vet (-) and of the driver (+)")
		})
	}
}

func TestBodiesThatNobodyNeedsAreDropped(t *testing.T) {
	vettest.Enter(t, `
-- go.mod --
module example.com/m
go 1.26
-- large/large.go --
package large
import "fmt"
func init() { Print(1) }
func Print[T any](x T) T { fmt.Println(x); return x }
-- use/use.go --
package use
import "example.com/m/large"
func Traced() int { return large.Print(1) }
`)
	outline := func(files []*ast.File) bool { return files[0].Name.Name == "large" }
	for name, test := range map[string]struct {
		config Config
		want   int
	}{"all bodies": {Config{}, 1}, "no body of large": {Config{Outline: outline}, 0}} {
		result, err := Run(test.config, newProbe(), "./use")
		require.NoError(t, err, name)
		require.Empty(t, result.Errors, name)
		require.Len(t, result.Packages[0].Diagnostics, test.want, name)
	}
}
