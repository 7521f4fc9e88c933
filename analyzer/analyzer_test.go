package analyzer_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/tracelint/tracelint/analyzer"
)

// withoutFacts returns an analyzer that reports what a reports, while a's facts stay out of the sight
// of analysistest, which wants each one named.
func withoutFacts(a *analysis.Analyzer) *analysis.Analyzer {
	inner := *a
	inner.ResultType = reflect.TypeFor[[]analysis.Diagnostic]()
	inner.Run = func(pass *analysis.Pass) (any, error) {
		var found []analysis.Diagnostic
		collecting := *pass
		collecting.Report = func(d analysis.Diagnostic) { found = append(found, d) }
		_, err := a.Run(&collecting)
		return found, err
	}
	return &analysis.Analyzer{
		Name: a.Name, Doc: a.Doc, URL: a.URL,
		Requires: []*analysis.Analyzer{&inner},
		Run: func(pass *analysis.Pass) (any, error) {
			for _, d := range pass.ResultOf[&inner].([]analysis.Diagnostic) {
				pass.Report(d)
			}
			return nil, nil
		},
	}
}

// TestFixtures holds the analyzer against every fixture package, each with the layout of GoMLX's
// packages of one version.
func TestFixtures(t *testing.T) {
	for _, module := range []string{"gomlx", "gomlx26", "gomlx23"} {
		t.Run(module, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			dir, err := filepath.Abs(filepath.Join("testdata", module))
			require.NoError(t, err)
			a, err := analyzer.New(analyzer.Config{})
			require.NoError(t, err)
			analysistest.Run(t, dir, withoutFacts(a), "./...")
		})
	}
}
