// Package sarif holds the SARIF that tracelint writes against the format's schema, with a library of others that has it.
package sarif_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/finding"
)

// validate checks a file against the schema of SARIF 2.1.0. A property that the format does not have is an error.
func validate(text string) (*sarif.Report, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.DisallowUnknownFields()
	report := new(sarif.Report)
	if err := decoder.Decode(report); err != nil {
		return nil, err
	}
	return report, report.Validate()
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
	report, err := validate(write(t, log))
	require.NoError(t, err)
	require.Len(t, report.Runs, 1)
	run := report.Runs[0]
	require.Len(t, run.Tool.Driver.Rules, len(analyzer.Rules()))
	require.Len(t, run.Results, 3)
	for i, level := range []string{"note", "warning", "error"} {
		require.Equal(t, level, run.Results[i].Level)
		require.Equal(t, "print", *run.Tool.Driver.Rules[run.Results[i].RuleIndex].ID, "index and name agree")
	}

	_, err = validate(write(t, finding.Log{}))
	require.NoError(t, err)
}

// TestValidate shows that the check can fail.
func TestValidate(t *testing.T) {
	text := write(t, finding.Log{})
	for _, test := range []struct{ old, new, want string }{
		{`"version": "2.1.0"`, `"version": "2.0.0"`, "version"},
		{`"columnKind"`, `"colunmKind"`, `unknown field "colunmKind"`},
		{`"level": "error"`, `"level": "fatal"`, "level"},
		{`"name": "tracelint"`, `"organization": "tracelint"`, "name"},
	} {
		require.Contains(t, text, test.old)
		_, err := validate(strings.Replace(text, test.old, test.new, 1))
		require.ErrorContains(t, err, test.want)
	}
}
