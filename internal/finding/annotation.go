package finding

import (
	"fmt"
	"io"
	"strings"

	"github.com/tracelint/tracelint/analyzer"
	"github.com/tracelint/tracelint/internal/clip"
)

// WriteAnnotations writes the commands by which a step of a GitHub workflow annotates lines of code, with files relative
// to the root of the checkout. Source: GitHub's workflow commands for actions, notice, warning and error.
func WriteAnnotations(w io.Writer, found []Finding, root string) error {
	var out strings.Builder
	for _, f := range found {
		message := f.Message
		for _, r := range f.Related {
			message += fmt.Sprintf("\n%s:%d: %s", clip.Printable(annotated(root, r.Region.File)), r.Region.StartLine, r.Message)
		}
		fmt.Fprintf(&out, "::%s file=%s,line=%d,endLine=%d,col=%d,endColumn=%d,title=%s::%s\n",
			annotationLevel(f.Severity), propertyEscaper.Replace(clip.Printable(annotated(root, f.Region.File))),
			f.Region.StartLine, f.Region.EndLine, f.Region.StartColumn, f.Region.EndColumn,
			propertyEscaper.Replace("tracelint "+f.Rule), dataEscaper.Replace(message))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func annotationLevel(s analyzer.Severity) string {
	if s == analyzer.Note {
		return "notice"
	}
	return s.String()
}

// annotated is a file as an annotation names it.
func annotated(root, file string) string {
	if path, ok := inside(root, file); ok {
		return path
	}
	return file
}

// What the runner takes for the end of a command's data or of one of its properties.
var (
	dataEscaper     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscaper = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
