//go:build slow && linux

package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

// largePrograms has programs that are large, generated or full of recursion.
const largePrograms = `
-- go.mod --
module example.com/m

go 1.26.0

require (
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724
	golang.org/x/tools v0.52.0
	modernc.org/sqlite v1.62.0
)
-- query/main.go --
package main

import _ "modernc.org/sqlite"

func main() {}
`

// TestLargeProgramsEndSoonInLittleMemory is slow because it loads tens of megabytes of source. Only on Linux is a process's peak
// of memory counted in kilobytes.
func TestLargeProgramsEndSoonInLittleMemory(t *testing.T) {
	vettest.Enter(t, largePrograms)
	names := []string{"github.com/ianlancetaylor/demangle", "golang.org/x/tools/go/ssa", "./query"}
	out := vettest.Run(t, "go", append([]string{"list", "-mod=mod", "-deps", "-test"}, names...)...)
	require.Zero(t, out.Code, out.Stderr)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			cost := measure(t, binary, name)
			require.Contains(t, []int{exitClean, exitFindings}, cost.code)
			require.Less(t, cost.wall, 3*time.Minute)
			require.Less(t, cost.memory, int64(500<<20))
		})
	}
}
