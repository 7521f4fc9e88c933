//go:build !race

// The race detector makes sync.Pool drop what is put into it, at random.

package function_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The difference between a cached typed call and the raw Exec is at most 4
// allocations.
func TestCachedCallAllocations(t *testing.T) {
	exec, typed := cachedCalls(t)
	raw := testing.AllocsPerRun(200, exec)
	ours := testing.AllocsPerRun(200, typed)
	require.LessOrEqual(t, ours-raw, 4.0, "allocations: graph.Exec %v, Func.Call %v", raw, ours)
}
