// Package sarif holds the SARIF that tracelint writes against the format's schema, with a library of others that has it.
package sarif_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"
	"github.com/xeipuuv/gojsonschema"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/finding"
)

const library = "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

// schema is that of SARIF 2.1.0, which the library keeps to itself as a constant.
func schema(t *testing.T) *gojsonschema.Schema {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", library).Output()
	require.NoError(t, err)
	path := filepath.Join(strings.TrimSpace(string(dir)), "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	var text string
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && spec.Names[0].Name == "schema" {
			text, err = strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		}
		return true
	})
	require.NoError(t, err)
	require.Contains(t, text, "2.1.0")
	compiled, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	require.NoError(t, err)
	return compiled
}

// violations lists what a file has against the schema.
func violations(t *testing.T, schema *gojsonschema.Schema, text string) []string {
	t.Helper()
	result, err := schema.Validate(gojsonschema.NewStringLoader(text))
	require.NoError(t, err)
	var all []string
	for _, violation := range result.Errors() {
		all = append(all, violation.String())
	}
	return all
}

func write(t *testing.T, log finding.Log) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, log.WriteSARIF(&out))
	return out.String()
}

func TestSchema(t *testing.T) {
	region := finding.Region{File: "/root/a b/model.go", StartLine: 3, StartColumn: 1, EndLine: 4, EndColumn: 2}
	log := finding.Log{Version: "v1.2.3", Root: "/root", Errors: []string{"broken"}}
	for i, severity := range []analyzer.Severity{analyzer.Note, analyzer.Warning, analyzer.Error} {
		log.Findings = append(log.Findings, finding.Finding{
			Key:         finding.Key{Rule: "print", Package: "m", Func: "F", Code: "println()"},
			Fingerprint: strings.Repeat("f", i+1), Severity: severity, Message: "m", Region: region,
			Related: []finding.Related{{Message: "from here", Region: finding.Region{File: "/elsewhere.go", StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}}},
		})
	}
	schema := schema(t)
	text := write(t, log)
	require.Empty(t, violations(t, schema, text))
	require.Empty(t, violations(t, schema, write(t, finding.Log{})))

	// What others read in it.
	report, err := sarif.FromString(text)
	require.NoError(t, err)
	require.Len(t, report.Runs, 1)
	run := report.Runs[0]
	require.Len(t, run.Tool.Driver.Rules, len(analyzer.Rules()))
	require.Len(t, run.Results, 3)
	for i, level := range []string{"note", "warning", "error"} {
		require.Equal(t, level, run.Results[i].Level)
		require.Equal(t, "print", *run.Tool.Driver.Rules[run.Results[i].RuleIndex].ID, "index and name agree")
	}
}

// TestViolations shows that the schema is strict enough for the check to be worth something.
func TestViolations(t *testing.T) {
	schema := schema(t)
	text := write(t, finding.Log{})
	for _, test := range []struct{ old, new, want string }{
		{`"version": "2.1.0"`, `"version": "2.0.0"`, "version"},
		{`"columnKind"`, `"colunmKind"`, "colunmKind"},
		{`"level": "error"`, `"level": "fatal"`, "level"},
		{`"name": "tracelint"`, `"organization": "tracelint"`, "name is required"},
	} {
		require.Contains(t, text, test.old)
		broken := strings.Replace(text, test.old, test.new, 1)
		require.Contains(t, strings.Join(violations(t, schema, broken), "\n"), test.want)
	}
}
