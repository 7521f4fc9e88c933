// Package nogo tests that the analyzer works in the nogo of Bazel's Go rules. It builds their driver from their own
// sources; Bazel itself is not needed.
package nogo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/docblock"
	"github.com/tracelint/tracelint/internal/drivertest"
	"github.com/tracelint/tracelint/internal/vettest"
)

const (
	repository = "../.."
	linted     = repository + "/integration/testdata/linted" // a module with findings
)

// TestFindingsEqualThoseOfGoVet compares what nogo finds in the analyzer's fixtures with what go vet finds.
func TestFindingsEqualThoseOfGoVet(t *testing.T) {
	nogo, vettool := buildNogo(t, "{}"), drivertest.Tool(t, "tracelint")
	drivertest.Enter(t, filepath.Join(repository, "analyzer", "testdata", "gomlx"))
	require.Empty(t, cmp.Diff(drivertest.GoVet(t, vettool), lint(t, nogo)), "go vet (-) and nogo (+)")
}

// TestSettings tries what can be set of nogo and, through its flags, of the analyzer.
func TestSettings(t *testing.T) {
	documented := docblock.Read(t, filepath.Join(repository, "docs", "bazel.md"), "nogo.json")
	tests := []struct {
		name, settings string
		want           []string
	}{
		{"none", `{}`, []string{"model/model.go:14:2 print", "model/model_test.go:10:5 environ"}},
		{"documented", documented, []string{"model/model.go:14:2 print", "model/model.go:16:19 print"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			nogo := buildNogo(t, test.settings)
			drivertest.Enter(t, linted)
			require.Empty(t, cmp.Diff(test.want, drivertest.Places(t, lint(t, nogo))))
		})
	}
}

func TestUnknownFlagIsRefused(t *testing.T) {
	nogo := buildNogo(t, `{"tracelint": {"analyzer_flags": {"severty": "note"}}}`)
	out := vettest.Run(t, nogo, "-importcfg", os.DevNull, "-p", "m", "main.go")
	require.Equal(t, exitError, out.Code)
	require.Contains(t, out.Stderr, "tracelint: unrecognized flag: severty")
}
