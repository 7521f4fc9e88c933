//go:build slow

package main

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// TestDriversAgreeOnGoMLX is slow because the go command compiles each version of GoMLX before it vets.
func TestDriversAgreeOnGoMLX(t *testing.T) {
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23"} {
		t.Run(module, func(t *testing.T) {
			t.Chdir(filepath.Join(repository, "analyzer", "testdata", module))
			t.Setenv("GOWORK", "off")
			t.Setenv("GOFLAGS", "")
			vettest.Download(t)
			alone := standalone().jsonFindings(t, "-severity=note", "./...")
			require.NotEmpty(t, alone)
			require.Empty(t, cmp.Diff(alone, vettool().jsonFindings(t, "-severity=note", "./...")), "alone (-) and by go vet (+)")
		})
	}
}

func TestFixesOfAnOlderLayoutCompileAndLeaveNothingToFix(t *testing.T) { holdFixes(t, "fixes26") }
