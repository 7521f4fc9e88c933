//go:build slow

package realcode

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// module is a module whose packages are judged. Below testdata/name lies a module that requires it, with the sums of all
// that its packages and their tests need, and the list: file:line, rule, verdict and why, with tabs between.
type module struct {
	name     string
	patterns []string
}

var modules = []module{
	{"gomlx-v0.28.2", []string{"github.com/gomlx/gomlx/core/...", "github.com/gomlx/gomlx/ml/..."}},
	{"gomlx-v0.26.0", []string{"github.com/gomlx/gomlx/pkg/..."}},
	{"hugot-v0.6.1", []string{"github.com/knights-analytics/hugot/..."}},
	{"onnx-gomlx-v0.3.4", []string{"github.com/gomlx/onnx-gomlx/..."}},
}

// Verdicts on a finding: a defect, something worth saying to the author, something that the author would wave away.
const (
	bug   = "bug"
	worth = "worth saying"
	wrong = "wrong"
)

// mostWrong is the share of findings that may be wrong, in percent.
const mostWrong = 5

type finding struct{ place, rule string }

func (f finding) String() string { return f.place + "\t" + f.rule }

var line = regexp.MustCompile(`(?m)^\S*?@v[^/]*/(\S+\.go:\d+):\d+: .*\(([a-z-]+)\)$`)

// lint gives the findings of the tracelint of this repository in a module's packages, sorted.
func lint(t *testing.T, tracelint string, m module) []finding {
	t.Helper()
	cmd := exec.Command(tracelint, m.patterns...)
	cmd.Dir = filepath.Join("testdata", m.name)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 3 {
		require.NoError(t, err, errors.String())
	}
	var found []finding
	for _, match := range line.FindAllStringSubmatch(string(out), -1) {
		found = append(found, finding{match[1], match[2]})
	}
	slices.SortFunc(found, compare)
	return slices.Compact(found)
}

func compare(a, b finding) int {
	return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(a.rule, b.rule))
}

// judged reads a module's list.
func judged(t *testing.T, name string) (list []finding, verdicts map[string]int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
	require.NoError(t, err)
	verdicts = map[string]int{}
	for row := range strings.Lines(string(text)) {
		if strings.HasPrefix(row, "#") || strings.TrimSpace(row) == "" {
			continue
		}
		fields := strings.Split(strings.TrimRight(row, "\n"), "\t")
		require.Len(t, fields, 4, "%s.txt: %q", name, row)
		require.Contains(t, []string{bug, worth, wrong}, fields[2], "%s.txt: %q", name, row)
		require.NotEmpty(t, fields[3], "%s.txt: %q", name, row)
		list = append(list, finding{fields[0], fields[1]})
		verdicts[fields[2]]++
	}
	slices.SortFunc(list, compare)
	return list, verdicts
}

func TestFindings(t *testing.T) {
	tracelint := filepath.Join(t.TempDir(), "tracelint")
	build := exec.Command("go", "build", "-o", tracelint, "github.com/tracelint/tracelint/cmd/tracelint")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	all := map[string]int{}
	for _, m := range modules {
		t.Run(m.name, func(t *testing.T) {
			list, verdicts := judged(t, m.name)
			for verdict, n := range verdicts {
				all[verdict] += n
			}
			found := lint(t, tracelint, m)
			require.Empty(t, gocmp.Diff(rows(list), rows(found)))
		})
	}
	lists, err := filepath.Glob("testdata/by-hand/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, lists)
	for _, path := range lists {
		_, verdicts := judged(t, filepath.Join("by-hand", strings.TrimSuffix(filepath.Base(path), ".txt")))
		for verdict, n := range verdicts {
			all[verdict] += n
		}
	}
	total := all[bug] + all[worth] + all[wrong]
	require.LessOrEqual(t, 100*all[wrong], mostWrong*total, fmt.Sprint(all))
}

func rows(findings []finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, f.String())
	}
	return out
}
