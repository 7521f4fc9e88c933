package driver

import (
	"cmp"
	"encoding/json"
	"go/token"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/tracelint/tracelint/internal/clip"
)

// The JSON that "go vet -json" prints: package path -> analyzer name -> list of diagnostics, files with absolute paths.
// Source: golang.org/x/tools/internal/analysis/driverutil/print.go.
type (
	jsonTree map[string]map[string][]jsonDiagnostic

	jsonDiagnostic struct {
		Category       string        `json:"category,omitempty"`
		Posn           string        `json:"posn"` // file:line:column
		End            string        `json:"end"`
		Message        string        `json:"message"`
		SuggestedFixes []jsonFix     `json:"suggested_fixes,omitempty"`
		Related        []jsonRelated `json:"related,omitempty"`
	}

	jsonFix struct {
		Message string     `json:"message"`
		Edits   []jsonEdit `json:"edits"`
	}

	jsonEdit struct {
		Filename string `json:"filename"`
		Start    int    `json:"start"` // in bytes from the start of the file
		End      int    `json:"end"`
		New      string `json:"new"`
	}

	jsonRelated struct {
		Posn    string `json:"posn"`
		End     string `json:"end"`
		Message string `json:"message"`
	}
)

// PrintJSON writes the diagnostics in the form of "go vet -json", all packages in one object. The name is that of the
// analyzer.
func (r *Result) PrintJSON(w io.Writer, name string) error {
	tree := make(jsonTree)
	for _, p := range r.Packages {
		for _, d := range p.Diagnostics {
			if tree[p.Path] == nil {
				tree[p.Path] = make(map[string][]jsonDiagnostic)
			}
			tree[p.Path][name] = append(tree[p.Path][name], r.jsonDiagnostic(d))
		}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetIndent("", "\t")
	if err := encoder.Encode(tree); err != nil {
		return err
	}
	_, err := io.WriteString(w, clip.JSON(text.String()))
	return err
}

func (r *Result) jsonDiagnostic(d analysis.Diagnostic) jsonDiagnostic {
	converted := jsonDiagnostic{
		Category: d.Category,
		Posn:     r.position(d.Pos),
		End:      r.position(cmp.Or(d.End, d.Pos)),
		Message:  d.Message,
	}
	for _, fix := range d.SuggestedFixes {
		if slices.ContainsFunc(fix.TextEdits, func(edit analysis.TextEdit) bool {
			return !r.IsSource(r.Fset.File(edit.Pos).Name())
		}) {
			continue
		}
		var edits []jsonEdit
		for _, edit := range fix.TextEdits {
			// Never the file that a //line comment names, as cgo writes them into what it makes: others would change it.
			start, end := r.Fset.PositionFor(edit.Pos, false), r.Fset.PositionFor(cmp.Or(edit.End, edit.Pos), false)
			edits = append(edits, jsonEdit{start.Filename, start.Offset, end.Offset, string(edit.NewText)})
		}
		converted.SuggestedFixes = append(converted.SuggestedFixes, jsonFix{fix.Message, edits})
	}
	for _, related := range d.Related {
		converted.Related = append(converted.Related, jsonRelated{
			r.position(related.Pos), r.position(cmp.Or(related.End, related.Pos)), related.Message,
		})
	}
	return converted
}

func (r *Result) position(pos token.Pos) string {
	return r.Fset.Position(pos).String()
}
