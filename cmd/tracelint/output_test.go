package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// noisyModule prints twice in one way, so that the findings differ in nothing but their lines, and once in another.
const noisyModule = `
-- go.mod --
module example.com/m

go 1.26

require github.com/gomlx/gomlx v0.28.2

replace github.com/gomlx/gomlx => ./gomlx
-- model.go --
package m

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
)

func body(x *graph.Node) *graph.Node {
	fmt.Println("called, 100%")
	fmt.Println("called, 100%")
	/* ä */ fmt.Print("with") // at column 10 in bytes, 9 in characters
	return x
}

var exec = graph.MustNewExec(nil, body)
-- other/other.go --
package other

import "github.com/gomlx/gomlx/core/graph"

var exec = graph.MustNewExec(nil, func(x *graph.Node) *graph.Node {
	println("other")
	return x
})
-- gomlx/go.mod --
module github.com/gomlx/gomlx

go 1.26
-- gomlx/core/graph/graph.go --
package graph

type Node struct{}

type Exec struct{}

func MustNewExec(backend any, function any) *Exec { return new(Exec) }
`

func enterNoisyModule(t *testing.T) {
	t.Helper()
	vettest.Enter(t, noisyModule)
	t.Setenv("GITHUB_WORKSPACE", "")
}

func TestGitHubAnnotations(t *testing.T) {
	enterNoisyModule(t)
	stdout, stderr, code := run("-github", "./...")
	require.Equal(t, exitFindings, code)
	require.Empty(t, stderr)
	lines := strings.Split(stdout, "\n")
	require.Len(t, lines, 5)
	require.Regexp(t, `^::warning file=model\.go,line=10,endLine=10,col=2,endColumn=29,title=tracelint print::fmt\.Println prints once .*\(print\)%0Amodel\.go:16: the function is traced from here$`, lines[0])
	require.Contains(t, lines[2], "file=model.go,line=12,endLine=12,col=10,endColumn=27,")
	require.Contains(t, lines[3], "file=other/other.go,line=6,")

	// Files are relative to what the workflow checked out.
	dir, err := os.Getwd()
	require.NoError(t, err)
	t.Setenv("GITHUB_WORKSPACE", dir)
	t.Chdir("other")
	stdout, _, _ = run("-github")
	require.Contains(t, stdout, "file=other/other.go,")

	stdout, stderr, code = run("-github", "-disable=print")
	require.Equal(t, exitClean, code)
	require.Empty(t, stdout+stderr)
}

func TestSARIF(t *testing.T) {
	enterNoisyModule(t)
	stdout, stderr, code := run("-sarif", "./...")
	require.Equal(t, exitClean, code)
	require.Empty(t, stderr)
	type result struct {
		RuleID, Level string
		Locations     []struct {
			PhysicalLocation struct {
				ArtifactLocation struct{ URI, URIBaseID string }
				Region           struct{ StartLine, StartColumn int }
			}
		}
		PartialFingerprints map[string]string
	}
	parse := func(text string) (list []result) {
		var file struct{ Runs []struct{ Results []result } }
		require.NoError(t, json.Unmarshal([]byte(text), &file))
		return file.Runs[0].Results
	}
	results := parse(stdout)
	require.Len(t, results, 4)
	require.Equal(t, "print", results[2].RuleID)
	require.Equal(t, "warning", results[2].Level)
	require.Equal(t, "model.go", results[2].Locations[0].PhysicalLocation.ArtifactLocation.URI)
	require.Equal(t, "%SRCROOT%", results[2].Locations[0].PhysicalLocation.ArtifactLocation.URIBaseID)
	require.Equal(t, 10, results[2].Locations[0].PhysicalLocation.Region.StartColumn)

	// Fingerprints are distinct, and the same wherever the code moves.
	seen := map[string]bool{}
	for _, r := range results {
		seen[r.PartialFingerprints["tracelint/v1"]] = true
	}
	require.Len(t, seen, 4)
	edit(t, "model.go", "func body", "// A comment.\n\nfunc body")
	moved, _, _ := run("-sarif", "./...")
	for i, r := range parse(moved) {
		require.Equal(t, results[i].PartialFingerprints, r.PartialFingerprints)
	}

	// A package that cannot be analysed is told of inside too.
	edit(t, "other/other.go", "return x", "return y")
	stdout, stderr, code = run("-sarif", "./...")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "other/other.go:7:9: undefined: y")
	require.Contains(t, stdout, `"executionSuccessful": false`)
	require.Contains(t, stdout, `"text": "other/other.go:7:9: undefined: y"`)
}

// edit replaces a text that a file has once.
func edit(t *testing.T, file, old, new string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), old))
	vettest.Write(t, file, strings.Replace(string(text), old, new, 1))
}

func TestBaseline(t *testing.T) {
	enterNoisyModule(t)
	stdout, stderr, code := run("-baseline=accepted.txt", "./...")
	require.Equal(t, exitUsage, code)
	require.Empty(t, stdout)
	require.Contains(t, stderr, "accepted.txt: no such file or directory; -write-baseline writes it")

	stdout, stderr, code = run("-baseline=accepted.txt", "-write-baseline", "./...")
	require.Zero(t, code)
	require.Empty(t, stdout)
	require.Equal(t, "tracelint: accepted.txt accepts 4 findings\n", stderr)
	text, err := os.ReadFile("accepted.txt")
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(`# Findings of tracelint that are accepted for now; written by "tracelint -write-baseline".
# count, rule, package, function, statement
1	print	example.com/m	body	"fmt.Print(\"with\")"
2	print	example.com/m	body	"fmt.Println(\"called, 100%\")"
1	print	example.com/m/other	-	"println(\"other\")"
`, string(text)))

	check := func(want string, wantCode int, args ...string) {
		t.Helper()
		stdout, stderr, code := run(append([]string{"-baseline=accepted.txt"}, args...)...)
		require.Empty(t, stderr)
		require.Empty(t, cmp.Diff(want, positions(stdout)))
		require.Equal(t, wantCode, code)
	}
	check("", exitClean, "./...")
	check("", exitClean, "./other") // and no word of entries of packages that were not asked for

	// Lines move, comments and spaces change.
	edit(t, "model.go", "	/* ä */ fmt.Print(", "\n	// New.\n	fmt.Print( ")
	check("", exitClean, "./...")
	// A third one of the same kind is new, as is another statement, and the same statement in another function.
	edit(t, "model.go", "func body(x *graph.Node) *graph.Node {", "func body(x *graph.Node) *graph.Node {\n\tfmt.Println(\"called, 100%\")\n\tfmt.Print(\"without\")")
	edit(t, "model.go", "	return x\n", "	return deep(x)\n}\n\nfunc deep(x *graph.Node) *graph.Node {\n\tfmt.Print(\"with\")\n\treturn x\n")
	check("model.go:11\nmodel.go:13\nmodel.go:21\n", exitFindings, "./...")

	// All forms of output know of it.
	stdout, _, code = run("-baseline=accepted.txt", "-github", "./...")
	require.Equal(t, exitFindings, code)
	require.Equal(t, 3, strings.Count(stdout, "\n"))
	stdout, _, code = run("-baseline=accepted.txt", "-json", "./...")
	require.Zero(t, code)
	require.Len(t, vettest.FromJSON(t, stdout), 3)
	stdout, _, _ = run("-baseline=accepted.txt", "-sarif", "./...")
	require.Equal(t, 3, strings.Count(stdout, `"ruleId"`))

	// What is gone is told of.
	edit(t, "other/other.go", "	println(\"other\")\n", "")
	_, stderr, code = run("-baseline=accepted.txt", "./other")
	require.Zero(t, code)
	require.Equal(t, "tracelint: accepted.txt accepts 1 finding that is not there any more: write it anew with -write-baseline\n", stderr)

	// Nothing is lost when a package cannot be analysed.
	edit(t, "other/other.go", "return x", "return y")
	_, stderr, code = run("-baseline=accepted.txt", "-write-baseline", "./...")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, "other/other.go:6:9: undefined: y\n")
	require.Contains(t, stderr, "accepted.txt is left as it is")
	unchanged, err := os.ReadFile("accepted.txt")
	require.NoError(t, err)
	require.Equal(t, string(text), string(unchanged))

	vettest.Write(t, "accepted.txt", "1\tprnt\texample.com/m\tbody\t\"x\"\n")
	_, stderr, code = run("-baseline=accepted.txt", "./...")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, `accepted.txt:1: unknown rule "prnt": did you mean print?`)
}

// positions shortens findings in text to file and line, without related positions.
func positions(text string) string {
	var short strings.Builder
	for line := range strings.Lines(text) {
		parts := strings.SplitN(line, ":", 4)
		if len(parts) == 4 && !strings.HasPrefix(parts[3], " \t") {
			short.WriteString(parts[0] + ":" + parts[1] + "\n")
		}
	}
	return short.String()
}
