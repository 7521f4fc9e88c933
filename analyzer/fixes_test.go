package analyzer_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/tracelint/tracelint/analyzer"
)

// TestFixes holds the fixes of all findings in each file, applied together, against its golden file.
func TestFixes(t *testing.T) {
	for _, module := range []string{"fixes", "fixes26"} {
		t.Run(module, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			dir, err := filepath.Abs(filepath.Join("testdata", module))
			require.NoError(t, err)
			a, err := analyzer.New(analyzer.Config{})
			require.NoError(t, err)
			analysistest.RunWithSuggestedFixes(t, dir, withoutFacts(a), "./...")
		})
	}
}
