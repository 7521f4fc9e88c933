package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBuiltinProfilesJoin(t *testing.T) {
	_, err := NewSet(Builtin()...)
	require.NoError(t, err)
}

func BenchmarkParse(b *testing.B) {
	text, err := files.ReadFile("gomlx.yaml")
	require.NoError(b, err)
	for b.Loop() {
		_, err := Parse("gomlx.yaml", text)
		require.NoError(b, err)
	}
}

func BenchmarkNewSet(b *testing.B) {
	profiles := Builtin()
	for b.Loop() {
		_, err := NewSet(profiles...)
		require.NoError(b, err)
	}
}
