package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

func TestBuildIDIsThatOfTheExecutable(t *testing.T) {
	first := vettest.Run(t, binary, "-V=full")
	require.Zero(t, first.Code)
	require.Regexp(t, `^tracelint version devel buildID=[0-9a-f]{64}\n$`, first.Stdout)
	require.Equal(t, first, vettest.Run(t, binary, "-V=full"))

	code, err := os.ReadFile(binary)
	require.NoError(t, err)
	changed := filepath.Join(t.TempDir(), "tracelint")
	require.NoError(t, os.WriteFile(changed, append(code, 0), 0o755))
	require.NotEqual(t, first.Stdout, vettest.Run(t, changed, "-V=full").Stdout)
}

func TestVetFlags(t *testing.T) {
	stdout, stderr, code := run("-flags")
	require.Zero(t, code)
	require.Empty(t, stderr)
	var flags []vetFlag
	require.NoError(t, json.Unmarshal([]byte(stdout), &flags))
	kinds := make(map[string]bool)
	for _, flag := range flags {
		require.NotEmpty(t, flag.Usage, flag.Name)
		kinds[flag.Name] = flag.Bool
	}
	// No flag that only one of the drivers heeds, except those that the go command implements itself.
	require.Empty(t, cmp.Diff(map[string]bool{
		"c": false, "config": false, "diff": true, "disable": false, "enable": false, "json": true, "severity": false, "tests": true,
	}, kinds))
}
