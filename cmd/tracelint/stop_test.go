//go:build unix

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// enterStop makes a module of programs that are hard to follow the current one.
func enterStop(t *testing.T) {
	t.Helper()
	archive, err := os.ReadFile("testdata/stop.txtar")
	require.NoError(t, err)
	vettest.Enter(t, string(archive))
}

func TestNoProgramStopsTheLinter(t *testing.T) {
	enterStop(t)
	found := requireEqualFindings(t, []way{standalone(), vettool()}, "./...")
	require.Empty(t, cmp.Diff([]string{
		"chained/app/a.go:9:21 print",
		"dependency/d.go:9:2 print",
		"guards/p.go:50:3 print",
		"guards/p.go:59:3 print",
		"passes/p.go:35:17 print",
		"swap/s.go:9:10 state-creation",
		"top/t.go:9:2 write",
		"top/t.go:9:2 leak",
	}, places(found)))
}

// manyCalls is a function that calls n others, each of which calls the next and writes to its receiver.
func manyCalls(n int) string {
	var b strings.Builder
	b.WriteString("package many\n\ntype T struct{ n int }\n\nfunc All(t *T) {\n")
	for i := range n {
		fmt.Fprintf(&b, "\tf%d()\n", i)
	}
	b.WriteString("}\n")
	for i := range n {
		fmt.Fprintf(&b, "\nfunc f%d() { println(%d) }\n", i, i)
	}
	return b.String()
}

// chainOfWrites is n methods that write to their receiver and call the next one.
func chainOfWrites(n int) string {
	var b strings.Builder
	b.WriteString("package chain\n\ntype T struct{ n int }\n")
	for i := range n {
		fmt.Fprintf(&b, "\nfunc (t *T) M%d() { t.n++; t.M%d() }\n", i, i+1)
	}
	fmt.Fprintf(&b, "\nfunc (t *T) M%d() {}\n", n)
	return b.String()
}

func TestLargePackagesAreGivenUpWithAWord(t *testing.T) {
	enterStop(t)
	require.NoError(t, os.MkdirAll("chain", 0o755))
	require.NoError(t, os.MkdirAll("many", 0o755))
	vettest.Write(t, "chain/chain.go", chainOfWrites(1000))
	vettest.Write(t, "many/many.go", manyCalls(10_000))
	const given = "tracelint: example.com/m/chain: given up after 3000000 steps: findings in this package, and in what calls it, may be missing\n"

	for _, name := range []string{"./many", "./chain"} {
		cost := measure(t, binary, name)
		require.Less(t, cost.memory, int64(500<<20), name)
	}
	out := standalone().run(t, "./chain", "./dependency", "./many")
	require.Equal(t, exitFindings, out.Code, out.Stderr)
	require.Contains(t, out.Stdout, "dependency/d.go:9:2: ")
	require.Equal(t, given, out.Stderr)

	require.Equal(t, vettest.Output{Stderr: given}, withoutHeader(vettool().run(t, "./chain")))
}

func TestPackagesWithTooMuchSourceAreGivenUpWithAWord(t *testing.T) {
	enterStop(t)
	require.NoError(t, os.MkdirAll("large", 0o755))
	require.NoError(t, os.MkdirAll("user", 0o755))
	vettest.Write(t, "large/large.go", "package large\n\nimport \"fmt\"\n\nfunc init() { fmt.Println(Zero[int]()) }\n\n"+
		"func Zero[T any]() (zero T) { return zero }\n\n/*"+strings.Repeat("generated\n", 500_000)+"*/\n")
	vettest.Write(t, "user/user.go", "package user\n\nimport (\n\t\"example.com/m/large\"\n\t\"github.com/gomlx/gomlx/core/graph\"\n)\n\n"+
		"func f(x *graph.Node) *graph.Node { println(large.Zero[int]()); return x }\n\nvar _ = graph.MustNewExec(nil, f)\n")
	const given = "tracelint: example.com/m/large: given up, as it has more than 4 MB of source: findings in this package, and in what calls it, may be missing\n"

	out := standalone().run(t, "./user")
	require.Equal(t, exitFindings, out.Code, out.Stderr)
	require.Contains(t, out.Stdout, "user/user.go:8:37: ")
	require.Equal(t, given, out.Stderr)

	require.Equal(t, vettest.Output{Stderr: given}, withoutHeader(vettool().run(t, "./large")))
}

// withoutHeader drops the lines by which the go command says whose output follows.
func withoutHeader(out vettest.Output) vettest.Output {
	var lines []string
	for line := range strings.Lines(out.Stderr) {
		if !strings.HasPrefix(line, "# ") {
			lines = append(lines, line)
		}
	}
	out.Stderr = strings.Join(lines, "")
	return out
}
