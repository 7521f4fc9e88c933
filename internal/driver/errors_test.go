package driver

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

const brokenModule = `
-- go.mod --
module example.com/m
go 1.26
-- good/good.go --
package good
import "fmt"
func Traced() { fmt.Println() }
-- types/types.go --
package types
import "fmt"
func F() int { return missing }
func G() string { return 1 }
-- types/types_test.go --
package types
-- user/user.go --
package user
import "example.com/m/types"
var X = types.F()
-- syntax/syntax.go --
package syntax
func {
-- missing/missing.go --
package missing
import "example.com/nowhere/dep"
-- cycle/one/one.go --
package one
import _ "example.com/m/cycle/two"
-- cycle/two/two.go --
package two
import _ "example.com/m/cycle/one"
-- mixed/a.go --
package a
-- mixed/b.go --
package b
-- excluded/excluded.go --
//go:build never

package excluded
-- cgo/cgo.go --
package cgo
// static int f(void) { return nope; }
import "C"
var X = C.f()
-- many/many.go --
package many
var _ = a + b + c + d + e + f + g + h + i + j + k + l
-- badtest/badtest.go --
package badtest
-- badtest/badtest_test.go --
package badtest
var _ int = "text"
-- lost/lost.go --
package lost
-- lost/lost_test.go --
package lost
import _ "example.com/nowhere/inside"
-- lost/outside_test.go --
package lost_test
import _ "example.com/nowhere/outside"
-- panics/panics.go --
package panics
func Panic() {}
-- fails/fails.go --
package fails
func Fail() {}
-- fails/user/user.go --
package user
import _ "example.com/m/fails"
-- onlytests/only_test.go --
package onlytests
-- empty/README --
nothing
`

func TestErrors(t *testing.T) {
	tests := []struct {
		name     string
		patterns []string
		want     []string // parts of the errors, in order
	}{
		{"type errors", []string{"./types"}, []string{
			"types/types.go:3:23: undefined: missing",
			"types/types.go:4:26: cannot use 1",
			`types/types.go:2:8: "fmt" imported and not used`,
		}},
		{"type errors in an import", []string{"./user"}, []string{
			"types/types.go:3:23: undefined: missing",
			"types/types.go:4:26: cannot use 1",
			`types/types.go:2:8: "fmt" imported and not used`,
		}},
		{"type error in a test file", []string{"./badtest"}, []string{`badtest/badtest_test.go:2:13: cannot use "text"`}},
		{"syntax error", []string{"./syntax"}, []string{"syntax/syntax.go:2:6: expected"}},
		{"missing module", []string{"./missing"}, []string{
			"missing/missing.go:2:8: no required module provides package example.com/nowhere/dep",
		}},
		{"missing modules in tests", []string{"./lost"}, []string{
			"lost/lost_test.go:2:8: no required module provides package example.com/nowhere/inside",
			"lost/outside_test.go:2:8: no required module provides package example.com/nowhere/outside",
		}},
		{"import cycle", []string{"./cycle/one"}, []string{
			"package example.com/m/cycle/one\n\timports example.com/m/cycle/two\n\timports example.com/m/cycle/one: import cycle not allowed",
		}},
		{"two packages in a directory", []string{"./mixed"}, []string{"found packages a (a.go) and b (b.go) in mixed"}},
		{"excluded by a build constraint", []string{"./excluded"}, []string{"build constraints exclude all Go files in excluded"}},
		{"C that does not compile", []string{"./cgo"}, []string{"cgo/cgo.go:2:30: error: 'nope' undeclared"}},
		{"many errors", []string{"./many"}, []string{
			"undefined: a", "undefined: b", "undefined: c", "undefined: d", "undefined: e",
			"undefined: f", "undefined: g", "undefined: h", "undefined: i", "undefined: j",
			"example.com/m/many: too many errors",
		}},
		{"no Go files", []string{"./empty"}, []string{"no Go files in empty"}},
		{"no such directory", []string{"./nowhere"}, []string{"stat nowhere: directory not found"}},
		{"pattern in no module", []string{"./onlytests", "example.org/nowhere/..."}, []string{`"example.org/nowhere/..." matched no packages`}},
		{"pattern in no directory", []string{"./onlytests", "./nowhere/..."}, []string{"pattern ./nowhere/...: "}},
		{"no package", []string{"fmtt"}, []string{"package fmtt is not in std"}},
		{"panic of the analyzer", []string{"./panics"}, []string{"analysing example.com/m/panics: internal error, please report it: asked to"}},
		{"failure of the analyzer", []string{"./fails/..."}, []string{"analysing example.com/m/fails: asked to fail"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vettest.Enter(t, brokenModule)
			t.Setenv("CGO_ENABLED", "1")
			result, err := Run(Config{Tests: true}, newProbe(), test.patterns...)
			require.NoError(t, err)
			require.Len(t, result.Errors, len(test.want), "%v", result.Errors)
			for i, want := range test.want {
				require.Contains(t, result.Errors[i].Error(), want)
			}
			vetted := vet(t, test.patterns...)
			require.Equal(t, test.name == "pattern in no module", vetted.Code == 0, "go vet only warns of a pattern beside others")
		})
	}
}

func TestErrorsLeaveTheRestAnalysed(t *testing.T) {
	vettest.Enter(t, brokenModule)
	result, err := Run(Config{Tests: true}, newProbe(), "./...")
	require.NoError(t, err)
	require.NotEmpty(t, result.Errors)
	var text bytes.Buffer
	require.NoError(t, result.PrintText(&text, -1))
	require.Empty(t, cmp.Diff("good/good.go:3:17: Println\ngood/good.go:3:1: \tin Traced\n", text.String()))
}

func TestRunFails(t *testing.T) {
	tests := []struct {
		name, archive string
		patterns      []string
		want          string
	}{
		{"outside a module", "-- a.go --\npackage a\n", nil, "go.mod file not found in current directory or any parent directory"},
		{"malformed go.mod", "-- go.mod --\nmodul m\n-- a.go --\npackage a\n", nil, "go.mod:1: unknown directive: modul"},
		{"nothing but tests", brokenModule, []string{"./onlytests"}, "./onlytests: nothing but test files, which are not to be analysed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			vettest.Enter(t, test.archive)
			_, err := Run(Config{}, newProbe(), test.patterns...)
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestRunWithoutGoCommand(t *testing.T) {
	vettest.Enter(t, basicModule)
	t.Setenv("PATH", "")
	_, err := Run(Config{}, newProbe())
	require.ErrorContains(t, err, "running go list: exec: \"go\": executable file not found")
}
