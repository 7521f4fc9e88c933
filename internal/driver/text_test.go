package driver

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/internal/vettest"
)

func TestPrintTextWithContext(t *testing.T) {
	vettest.Enter(t, basicModule)
	result, err := Run(Config{}, newProbe(), "./top")
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, result.PrintText(&text, 0))
	require.Empty(t, cmp.Diff(`top/top.go:4:2: Middle -> Deep -> Println
4		middle.Middle()
top/top.go:3:1: 	in TracedTop
3	func TracedTop() {
top/top.go:5:2: Method -> Deep -> Println
5		middle.New().Method()
top/top.go:3:1: 	in TracedTop
3	func TracedTop() {
`, text.String()))
}

func TestTestsAreLeftOut(t *testing.T) {
	vettest.Enter(t, basicModule)
	result, err := Run(Config{Tests: false}, newProbe(), "./...")
	require.NoError(t, err)
	var paths []string
	for _, p := range result.Packages {
		paths = append(paths, p.Path)
	}
	require.Empty(t, cmp.Diff([]string{
		"example.com/m/deep", "example.com/m/middle", "example.com/m/top", "example.com/m/top_test",
	}, paths))
}

func TestOutputDoesNotVary(t *testing.T) {
	vettest.Enter(t, basicModule)
	output := func() string {
		result, err := Run(Config{Tests: true}, newProbe(), "./...")
		require.NoError(t, err)
		var text bytes.Buffer
		require.NoError(t, result.PrintText(&text, 1))
		require.NoError(t, result.PrintJSON(&text, "probe"))
		return text.String()
	}
	first := output()
	for range 5 {
		require.Empty(t, cmp.Diff(first, output()))
	}
}

func TestStandardLibraryAsTarget(t *testing.T) {
	vettest.Enter(t, basicModule)
	result, err := Run(Config{}, newProbe(), "strings")
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	require.Len(t, result.Packages, 1)
}
