package analyzer_test

import (
	"bytes"
	"encoding/gob"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/tracelint/tracelint/analyzer"
)

// factBytes analyses the fact fixtures and gives each fact's encoding by its object.
func factBytes(t *testing.T) map[string]string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir, err := filepath.Abs("testdata/facts")
	require.NoError(t, err)
	a, err := analyzer.New(analyzer.Config{})
	require.NoError(t, err)
	out := map[string]string{}
	for _, result := range analysistest.Run(t, dir, a, "./...") {
		for obj, facts := range result.Facts {
			for _, fact := range facts {
				var encoded bytes.Buffer
				require.NoError(t, gob.NewEncoder(&encoded).Encode(fact))
				out[obj.String()] = encoded.String()
			}
		}
	}
	return out
}

// TestFacts holds what functions export: only effects that a caller can notice, on what they are, with
// the whole chain, through three packages.
func TestFacts(t *testing.T) { factBytes(t) }

// maxFactSize bounds the bytes of one fact: every importer reads the facts of all that it imports.
const maxFactSize = 2000

// TestFactsAreStable holds that two analyses encode each fact alike, that a fact stays small, and that
// it holds no path of this machine.
func TestFactsAreStable(t *testing.T) {
	first, second := factBytes(t), factBytes(t)
	require.NotEmpty(t, first)
	require.Empty(t, cmp.Diff(first, second))
	root, err := filepath.Abs(".")
	require.NoError(t, err)
	for obj, encoded := range first {
		require.Less(t, len(encoded), maxFactSize, obj)
		require.NotContains(t, encoded, root, obj)
	}
}
