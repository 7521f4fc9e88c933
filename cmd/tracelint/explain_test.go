package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
)

func TestRules(t *testing.T) {
	stdout, stderr, code := run("rules")
	require.Zero(t, code)
	require.Empty(t, stderr)
	require.Equal(t, len(analyzer.Rules()), strings.Count(stdout, "\n"))
	require.Regexp(t, `(?m)^abort +error +a trace left in a way that the engine cannot catch$`, stdout)
	require.Regexp(t, `(?m)^print +warning +output that appears once per trace$`, stdout)

	_, stderr, code = run("rules", "print")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "rules takes no arguments, not print")
}

func TestExplain(t *testing.T) {
	stdout, stderr, code := run("explain", "print")
	require.Zero(t, code)
	require.Empty(t, stderr)
	page, err := os.ReadFile(filepath.Join(repository, "docs", "rules", "print.md"))
	require.NoError(t, err)
	require.Equal(t, string(page), stdout)

	stdout, _, code = run("explain", "print", "write")
	require.Zero(t, code)
	require.Contains(t, stdout, "\n\n# write: ")

	for _, test := range []struct{ argument, want string }{
		{"prnt", `unknown rule "prnt": did you mean print?`},
		{"nonsense-rule", `unknown rule "nonsense-rule": use one of abort, `},
	} {
		stdout, stderr, code = run("explain", "write", test.argument)
		require.Equal(t, exitUsage, code)
		require.Empty(t, stdout)
		require.Contains(t, stderr, test.want)
	}
	_, stderr, code = run("explain")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "explain names no rule")
}
