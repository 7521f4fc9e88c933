package harness_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/harness"
	et "github.com/tracelint/tracelint/internal/enginetest"
)

const enginePackage = "github.com/tracelint/tracelint/internal/enginetest"

// here returns the line of its caller as call sites show it.
func here(offset int) string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprint("harness/site_test.go:", line+offset)
}

func TestCallSiteIsOutsideOfTheEngine(t *testing.T) {
	rec := harness.NewRecorder()
	exec := et.NewExec(harness.Wrap(rec, "", identity))

	exec.Call(et.Make(et.Float32, 1))
	require.Contains(t, rec.Traces()[0].Site.String(), "enginetest/engine.go:", "an engine that nobody registered")

	rec.RegisterEngine(enginePackage)
	exec.Call(et.Make(et.Float32, 2))
	require.Equal(t, here(-1), rec.Traces()[1].Site.String())
	require.Equal(t, "github.com/tracelint/tracelint/harness_test.TestCallSiteIsOutsideOfTheEngine",
		rec.Traces()[1].Site.Frame().Function)

	exec.CallElsewhere(et.Make(et.Float32, 3))
	require.False(t, rec.Traces()[2].Site.Known())
	require.Equal(t, "unknown", rec.Traces()[2].Site.String())
	require.Zero(t, rec.Traces()[2].Site.Frame())
}

func TestCallSiteOfNestedTrace(t *testing.T) {
	rec := harness.NewRecorder()
	rec.RegisterEngine(enginePackage)
	inner := et.NewExec(harness.Wrap(rec, "inner", identity))
	var innerCall string
	outer := et.NewExec(harness.Wrap(rec, "outer", func(x *et.Node) *et.Node {
		innerCall = here(1)
		inner.Call(x.Shape())
		return x
	}))
	outer.Call(et.Make(et.Float32, 3))
	require.Equal(t, here(-1), rec.Traces()[0].Site.String())
	require.Equal(t, innerCall, rec.Traces()[1].Site.String())
}

// The frames of an engine may be more than fit into one look at the stack.
func TestCallSiteBehindDeepEngine(t *testing.T) {
	rec := harness.NewRecorder()
	rec.RegisterEngine(enginePackage)
	exec := et.NewExec(harness.Wrap(rec, "", identity))
	exec.CallFrom(500, et.Make(et.Float32, 3))
	require.Equal(t, here(-1), rec.Traces()[0].Site.String())
}

func TestSiteOfWrapper(t *testing.T) {
	rec := harness.NewRecorder()
	wrapper := rec.NewWrapper("*enginetest.Exec")
	require.Equal(t, here(-1), wrapper.Site.String())
}
