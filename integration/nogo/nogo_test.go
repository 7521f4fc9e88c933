// Package nogo tests that the analyzer works in the nogo of Bazel's Go rules. It builds their driver from their own
// sources; Bazel itself is not needed.
package nogo

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/vettest"
)

const repository = "../.."

// enter makes a module of this repository the current directory.
func enter(t *testing.T, elements ...string) {
	t.Helper()
	t.Chdir(filepath.Join(append([]string{repository}, elements...)...))
	t.Setenv("GOWORK", "off")
}

// TestFindingsEqualThoseOfGoVet compares what nogo finds in the analyzer's fixtures with what go vet finds.
func TestFindingsEqualThoseOfGoVet(t *testing.T) {
	nogo := buildNogo(t, "{}")
	vettool := strings.TrimSpace(output(t, "go", "tool", "-n", "tracelint"))
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23"} {
		t.Run(module, func(t *testing.T) {
			enter(t, "analyzer", "testdata", module)
			vet := vettest.Run(t, "go", "vet", "-vettool="+vettool, "./...")
			want := vettest.FromText(t, vet.Stderr)
			require.NotEmpty(t, want)
			for i := range want {
				want[i].Related = nil // nogo shows none
				want[i].Message += " (tracelint)"
			}
			require.Empty(t, cmp.Diff(want, lint(t, nogo)), "go vet (-) and nogo (+)")
		})
	}
}

// TestSettings tries what can be set of nogo and, through its flags, of the analyzer.
func TestSettings(t *testing.T) {
	tests := []struct {
		name, settings string
		want           []string
	}{
		{"none", `{}`, []string{"model/model.go:14:2 print", "model/model_test.go:10:5 environ"}},
		{"documented", docblock.Read(t, filepath.Join(repository, "docs", "bazel.md"), "nogo.json"), []string{"model/model.go:14:2 print", "model/model.go:16:19 print"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nogo := buildNogo(t, test.settings)
			enter(t, "integration", "testdata", "linted")
			require.Empty(t, cmp.Diff(test.want, places(lint(t, nogo))))
		})
	}
}

// places shows position and rule of findings.
func places(findings []vettest.Finding) []string {
	var places []string
	for _, f := range findings {
		rule := regexp.MustCompile(`\(([a-z-]+)\) \(tracelint\)$`).FindStringSubmatch(f.Message)
		places = append(places, f.Position+" "+rule[1])
	}
	return places
}

func TestUnknownFlagIsRefused(t *testing.T) {
	nogo := buildNogo(t, `{"tracelint": {"analyzer_flags": {"severty": "note"}}}`)
	out := vettest.Run(t, nogo, "-importcfg", os.DevNull, "-p", "m", "main.go")
	require.Equal(t, exitError, out.Code)
	require.Contains(t, out.Stderr, "tracelint: unrecognized flag: severty")
}
