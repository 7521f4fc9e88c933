package finding_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/finding"
)

// odd are findings with all that has a meaning of its own in some output.
func odd(root string) []finding.Finding {
	region := func(file string) finding.Region {
		return finding.Region{File: filepath.Join(root, file), StartLine: 3, StartColumn: 1, EndLine: 4, EndColumn: 2}
	}
	return []finding.Finding{
		{
			Key: finding.Key{Rule: "leak", Package: "m", Func: "F", Code: "x = y"}, Fingerprint: "f1", Severity: analyzer.Error,
			Message: "100% of a:b, c\r\nand <d>", Region: region("a, b/100%:c.go"),
			Related: []finding.Related{{Message: "from here", Region: region("d.go")}},
		},
		{
			Key: finding.Key{Rule: "print", Package: "m"}, Fingerprint: "f2", Severity: analyzer.Note,
			Message: "m", Region: region("../outside.go"),
		},
	}
}

func TestWriteAnnotations(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	var out strings.Builder
	require.NoError(t, finding.WriteAnnotations(&out, odd(root), root))
	outside := filepath.Join(filepath.Dir(root), "outside.go")
	require.Empty(t, cmp.Diff(
		"::error file=a%2C b/100%25%3Ac.go,line=3,endLine=4,col=1,endColumn=2,title=tracelint leak::"+
			"100%25 of a:b, c%0D%0Aand <d>%0Ad.go:3: from here\n"+
			"::notice file="+outside+",line=3,endLine=4,col=1,endColumn=2,title=tracelint print::m\n", out.String()))
}

// full is a writer without room.
type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWritersReportErrors(t *testing.T) {
	require.ErrorIs(t, finding.WriteAnnotations(full{}, odd("/"), "/"), errFull)
	require.ErrorIs(t, finding.Log{}.WriteSARIF(full{}), errFull)
}

func TestWriteSARIF(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	write := func(log finding.Log) string {
		var out strings.Builder
		require.NoError(t, log.WriteSARIF(&out))
		return out.String()
	}
	text := write(finding.Log{Version: "v1.2.3", Root: root, Findings: odd(root), Errors: []string{"broken"}})
	require.Contains(t, text, `"uri": "a,%20b/100%25:c.go"`)
	require.Contains(t, text, `"uri": "file://`+filepath.ToSlash(filepath.Dir(root))+`/outside.go"`)
	require.Contains(t, text, `"text": "100% of a:b, c\r\nand <d>"`)
	require.Contains(t, text, `"fullyQualifiedName": "m.F"`)
	require.Contains(t, text, `"executionSuccessful": false`)
	require.Equal(t, 2, strings.Count(text, `"uriBaseId": "%SRCROOT%"`), "of the two places below the root")
	for _, rule := range analyzer.Rules() {
		require.Contains(t, text, `"id": "`+rule.Name+`"`)
		require.Contains(t, text, `"helpUri": "`+rule.URL+`"`)
	}
	require.Equal(t, text, write(finding.Log{Version: "v1.2.3", Root: root, Findings: odd(root), Errors: []string{"broken"}}))

	empty := write(finding.Log{Root: root})
	require.Contains(t, empty, `"results": []`)
	require.Contains(t, empty, `"executionSuccessful": true`)
	require.NotContains(t, empty, root)
}
