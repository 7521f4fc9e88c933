package report

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// places shows sites relative to a directory.
type places struct{ dir string }

// show returns a site as `model/train.go:12`: relative to the directory if it
// lies below it, else with the name of its own directory.
func (p places) show(s *tracelog.Site) string {
	if s == nil {
		return "unknown"
	}
	file := filepath.ToSlash(s.File)
	below, err := filepath.Rel(p.dir, s.File)
	if err == nil && filepath.IsLocal(below) {
		file = filepath.ToSlash(below)
	} else {
		elements := strings.Split(file, "/")
		file = strings.Join(elements[max(0, len(elements)-2):], "/")
	}
	return file + ":" + strconv.Itoa(s.Line)
}

// toChange returns the line where a retrace can be avoided: that of the
// wrapper, if another one has the trace already, else that of the call.
func (p places) toChange(t *trace) string {
	if t.Cause.Kind == tracelog.SameSignature && t.Cause.Wrapper == tracelog.OtherWrapper && t.Wrapper != nil && t.Wrapper.Site != nil {
		return p.show(t.Wrapper.Site)
	}
	return p.show(t.Site)
}
