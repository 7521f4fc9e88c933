package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMutantsAreListedKilledAndSurvive(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "mutation")
	out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)

	command := exec.Command(tool, ".")
	command.Dir = filepath.Join("testdata", "clamp")
	command.Env = append(command.Environ(), "GOWORK=off")
	out, err = command.CombinedOutput()
	require.NoError(t, err, "%s", out)
	// n >= most means the same where both are equal, and nothing reads calls.
	require.Equal(t, `clamp.go:6: survived: > -> >=
clamp.go:7: survived: ++ -> --
.: 1 of 3 mutants killed (33 %), 0 more do not compile
`, string(out))
}

func TestSamplesAreSpreadInTheOrderOfTheFile(t *testing.T) {
	all, err := mutantsOf("mutant.go")
	require.NoError(t, err)
	some := spread(all, 5)
	require.Len(t, some, 5)
	require.Equal(t, some, spread(all, 5))
	for i := range len(some) - 1 {
		require.Less(t, some[i].start, some[i+1].start+1)
	}
}
