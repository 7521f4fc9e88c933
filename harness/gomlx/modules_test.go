package gomlx_test

import (
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The module's own path, and that of the module above it.
const (
	modulePath = rootPath + "/harness/gomlx"
	rootPath   = "github.com/tracelint/tracelint"
)

// goList returns what the go command lists, one line an element.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	require.NoError(t, err)
	return strings.Fields(string(out))
}

// Servers import the recorder and its adapters; what is only for tests lies in packages of its own.
func TestServersLinkNothingOfTests(t *testing.T) {
	packages := map[string]string{} // what each of them links
	for _, line := range goList(t, "-f", `{{.ImportPath}}:{{join .Deps ","}}`, rootPath+"/harness", "./...") {
		name, dependencies, _ := strings.Cut(line, ":")
		packages[name] = dependencies
	}
	require.Contains(t, packages, modulePath+"/function")
	delete(packages, modulePath+"/gomlxtest")
	for name, dependencies := range packages {
		for _, dependency := range strings.Split(dependencies, ",") {
			require.False(t, dependency == "testing" || strings.HasPrefix(dependency, "testing/"), "%s links %s", name, dependency)
			require.NotEqual(t, rootPath+"/tracecheck", dependency, name)
		}
	}
}

// Another version of the root may be chosen for this module, and internal packages promise nothing.
func TestModuleUsesNothingInternalOfTheRoot(t *testing.T) {
	imports := goList(t, "-f", `{{join .Imports "\n"}} {{join .TestImports "\n"}} {{join .XTestImports "\n"}}`, "./...")
	require.Contains(t, imports, rootPath+"/harness")
	for _, name := range imports {
		if rest, ok := strings.CutPrefix(name, rootPath+"/"); ok && !strings.HasPrefix(name, modulePath+"/") {
			require.NotContains(t, strings.Split(path.Clean(rest), "/"), "internal", "internal packages of the root are its own")
		}
	}
}

// Who clones the repository may build a nested module alone.
func TestModulesBuildWithoutTheWorkspace(t *testing.T) {
	for _, directory := range []string{".", "../../examples"} {
		command := exec.Command("go", "build", "./...")
		command.Dir = directory
		command.Env = append(os.Environ(), "GOWORK=off")
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s:\n%s", directory, out)
	}
}
