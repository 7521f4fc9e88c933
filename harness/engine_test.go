package harness

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnginePackages(t *testing.T) {
	for pkg, inside := range map[string]bool{
		"github.com/gomlx/gomlx/core/graph":                     true,
		"github.com/gomlx/gomlx/pkg/core/graph":                 true,
		"github.com/gomlx/gomlx/graph":                          true,
		"github.com/gomlx/gomlx":                                true,
		"github.com/gomlx/compute/gobackend":                    true,
		"github.com/gomlx/exceptions":                           true,
		"github.com/gomlx/gomlx/core/graph/graphtest":           true,
		"github.com/gomlx/gomlx/examples/mnist":                 false,
		"github.com/gomlx/gomlx/core/graph_test":                false,
		"github.com/tracelint/tracelint/harness/gomlx/demo":     false,
		"github.com/gomlx/gomlx/cmd/gomlx_checkpoints":          false,
		"github.com/gomlx/gomlxtools":                           false,
		"github.com/gomlx/onnx-gomlx/onnx":                      false,
		"github.com/tracelint/tracelint/harness":                true,
		"github.com/tracelint/tracelint/harness/gomlx/function": true,
		"github.com/tracelint/tracelint/harness_test":           false,
		"github.com/tracelint/tracelint/tracecheck":             false,
		"reflect":               true,
		"runtime/debug":         true,
		"testing":               false,
		"main":                  false,
		"internal/runtime/maps": true,
	} {
		require.Equal(t, inside, isBelow(pkg, slices.Concat(ownPackages, tabledPackages())), pkg)
	}
}

func TestFunctionNamed(t *testing.T) {
	for symbol, want := range map[string]Function{
		"main.square":                             {Package: "main", Name: "square"},
		"example.com/m/pkg.square":                {Package: "example.com/m/pkg", Name: "square"},
		"example.com/m/pkg.(*Model).Inference-fm": {Package: "example.com/m/pkg", Name: "(*Model).Inference"},
		"example.com/m/pkg.Model.Inference-fm":    {Package: "example.com/m/pkg", Name: "Model.Inference"},
		"example.com/m/pkg.TestX.func1.2":         {Package: "example.com/m/pkg", Name: "TestX.func1.2"},
		"example.com/m/pkg.generic[...]":          {Package: "example.com/m/pkg", Name: "generic[...]"},
		"gopkg.in/yaml%2ev3.Marshal":              {Package: "gopkg.in/yaml.v3", Name: "Marshal"},
		"nodot":                                   {Name: "nodot"},
	} {
		require.Equal(t, want, FunctionNamed(symbol))
	}
	require.Zero(t, FunctionOf(nil))
	require.Zero(t, FunctionOf(3))
	require.Zero(t, FunctionOf((func())(nil)))
}
