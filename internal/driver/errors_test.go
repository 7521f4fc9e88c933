package driver

import (
	"bytes"
	"fmt"
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
-- header/header.go --
package header
// #include <does_not_exist.h>
import "C"
func Print() {}
-- header/user/user.go --
package user
import "example.com/m/header"
func TracedUser() { header.Print() }
-- header/far/far.go --
package far
import "example.com/m/header/user"
func TracedFar() { user.TracedUser() }
-- flag/flag.go --
package flag
// #cgo CFLAGS: -fplugin=x
import "C"
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
-- panics/user/user.go --
package user
import _ "example.com/m/panics"
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
			"example.com/m/user: not analysed: it imports example.com/m/types, which has errors",
		}},
		{"type error in a test file", []string{"./badtest"}, []string{`badtest/badtest_test.go:2:13: cannot use "text"`}},
		{"syntax error", []string{"./syntax"}, []string{"syntax/syntax.go:2:6: expected"}},
		{"missing module", []string{"./missing"}, []string{
			"missing/missing.go:2:8: no required module provides package example.com/nowhere/dep",
			"example.com/m/missing: not analysed: it imports example.com/nowhere/dep, which has errors",
		}},
		{"missing modules in tests", []string{"./lost"}, []string{
			"lost/lost_test.go:2:8: no required module provides package example.com/nowhere/inside",
			"example.com/m/lost: not analysed: it imports example.com/nowhere/inside, which has errors",
			"lost/outside_test.go:2:8: no required module provides package example.com/nowhere/outside",
			"example.com/m/lost_test: not analysed: it imports example.com/nowhere/outside, which has errors",
		}},
		{"import cycle", []string{"./cycle/one"}, []string{
			"package example.com/m/cycle/one\n\timports example.com/m/cycle/two\n\timports example.com/m/cycle/one: import cycle not allowed",
		}},
		{"two packages in a directory", []string{"./mixed"}, []string{"found packages a (a.go) and b (b.go) in mixed"}},
		{"excluded by a build constraint", []string{"./excluded"}, []string{"build constraints exclude all Go files in excluded"}},
		{"C that does not compile", []string{"./cgo"}, []string{"cgo/cgo.go:2:30: error: 'nope' undeclared"}},
		{"C header that is not there", []string{"./header/..."}, []string{
			"header/header.go:2:11: fatal error: does_not_exist.h: No such file or directory",
			"example.com/m/header/user: not analysed: it imports example.com/m/header, which has errors",
			"example.com/m/header/far: not analysed: it imports example.com/m/header, which has errors",
		}},
		{"flag that cgo refuses", []string{"./flag"}, []string{"example.com/m/flag: invalid flag in #cgo CFLAGS: -fplugin=x"}},
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
		{"panic of the analyzer", []string{"./good", "./panics/..."}, []string{
			"analysing example.com/m/panics: internal error, please report it: asked to",
			"example.com/m/panics/user: not analysed: it imports example.com/m/panics, which has errors",
		}},
		{"failure of the analyzer", []string{"./fails/..."}, []string{
			"analysing example.com/m/fails: asked to fail",
			"example.com/m/fails/user: not analysed: it imports example.com/m/fails, which has errors",
		}},
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

// Without a C compiler nothing that imports net can be built, so that net has no export data.
func TestWithoutCCompilerOnlyCgoIsLost(t *testing.T) {
	vettest.Enter(t, `
-- go.mod --
module example.com/m
go 1.26
-- lib/lib.go --
package lib
import ("fmt"; "net/http")
func Print(*http.Client) { fmt.Println() }
-- app/app.go --
package app
import ("net/http"; "example.com/m/lib")
func Traced() { lib.Print(http.DefaultClient) }
-- cgo/cgo.go --
package cgo
import "C"
var X C.int
`)
	t.Setenv("CGO_ENABLED", "1")
	t.Setenv("CC", "no-such-compiler")
	result, err := Run(Config{}, newProbe(), "./app")
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	require.Len(t, result.Imported, 1, "lib, and no package of the standard library")
	require.Equal(t, "app/app.go:3:17: Print -> Println\napp/app.go:3:1: \tin Traced\n", text(t, result))

	result, err = Run(Config{}, newProbe(), "./...")
	require.NoError(t, err)
	require.Len(t, result.Errors, 1)
	require.Regexp(t, `^example\.com/m/cgo: [^$]*C compiler "no-such-compiler" not found`, result.Errors[0].Error())
	require.Contains(t, text(t, result), "app/app.go:3:17: Print -> Println\n")
}

func TestErrorsLeaveTheRestAnalysed(t *testing.T) {
	vettest.Enter(t, brokenModule)
	t.Setenv("CGO_ENABLED", "1")
	result, err := Run(Config{Tests: true}, newProbe(), "./...")
	require.NoError(t, err)
	errs := fmt.Sprint(result.Errors)
	require.Contains(t, errs, "analysing example.com/m/panics: internal error")
	require.Contains(t, errs, "does_not_exist.h: No such file")
	require.Empty(t, cmp.Diff("good/good.go:3:17: Println\ngood/good.go:3:1: \tin Traced\n", text(t, result)))
}

// text is the result as text without source.
func text(t *testing.T, result *Result) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, result.PrintText(&text, -1))
	return text.String()
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
