package docs_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocComments checks that go doc has something to say of each exported name of the packages that others import.
func TestDocComments(t *testing.T) {
	for _, directory := range []string{
		"analyzer", "gclplugin", "harness", "harness/gomlx", "harness/gomlx/function",
		"harness/gomlx/gomlxtest", "tracecheck",
	} {
		t.Run(directory, func(t *testing.T) {
			pkg := document(t, directory)
			require.True(t, strings.HasPrefix(pkg.Doc, "Package "+pkg.Name+" "), "the package's comment: %q", pkg.Doc)
			functions, values := pkg.Funcs, append(pkg.Consts, pkg.Vars...)
			for _, typ := range pkg.Types {
				require.NotEmpty(t, typ.Doc, typ.Name)
				functions = append(append(functions, typ.Funcs...), typ.Methods...)
				values = append(append(values, typ.Consts...), typ.Vars...)
			}
			for _, function := range functions {
				require.True(t, strings.HasPrefix(function.Doc, function.Name+" "), "the comment of %s: %q", function.Name, function.Doc)
			}
			for _, value := range values {
				require.NotEmpty(t, value.Doc, value.Names)
			}
		})
	}
}

// document reads a package as go doc does.
func document(t *testing.T, directory string) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	var sources []*ast.File
	names, err := filepath.Glob(filepath.Join(root, directory, "*.go"))
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		source, err := parser.ParseFile(fset, name, text, parser.ParseComments)
		require.NoError(t, err)
		sources = append(sources, source)
	}
	pkg, err := doc.NewFromFiles(fset, sources, "github.com/tracelint/tracelint/"+directory)
	require.NoError(t, err)
	return pkg
}
