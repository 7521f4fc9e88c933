// Package drivertest helps tests to compare what other projects' drivers of analyzers find with what "go vet" finds.
// These drivers put the analyzer's name behind each message and show no related positions.
package drivertest

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// Tool builds a tool of the current module and returns its path. The go command keeps what it built until a source
// changes.
func Tool(t *testing.T, name string) string {
	t.Helper()
	out := vettest.Run(t, "go", "tool", "-n", name)
	require.Zero(t, out.Code, out.Stderr)
	return strings.TrimSpace(out.Stdout)
}

// Enter makes a module below a workspace, which is not part of it, the current directory until the test ends.
func Enter(t *testing.T, directory string) {
	t.Helper()
	t.Chdir(directory)
	t.Setenv("GOWORK", "off")
}

// GoVet runs the vettool over the current module and gives its findings as other drivers show them. It fails the test
// if there are none.
func GoVet(t *testing.T, vettool string) []vettest.Finding {
	t.Helper()
	vettest.Download(t)
	findings := vettest.FromText(t, vettest.Run(t, "go", "vet", "-vettool="+vettool, "./...").Stderr)
	require.NotEmpty(t, findings)
	for i := range findings {
		findings[i].Message += " (tracelint)"
		findings[i].Related = nil
	}
	return findings
}

// Places shows position and rule of what a driver found.
func Places(t *testing.T, findings []vettest.Finding) []string {
	t.Helper()
	end := regexp.MustCompile(`\(([a-z-]+)\) \(tracelint\)$`)
	var places []string
	for _, f := range findings {
		rule := end.FindStringSubmatch(f.Message)
		require.NotNil(t, rule, f.Message)
		places = append(places, f.Position+" "+rule[1])
	}
	return places
}
