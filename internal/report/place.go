package report

import (
	"cmp"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// places shows sites relative to a directory.
type places struct {
	dir   string
	known map[tracelog.Site]string // what some are shown as
}

// mostKnown bounds the sites that are kept: programs have few, logs may have any.
const mostKnown = 1000

func newPlaces(dir string) places { return places{dir, map[tracelog.Site]string{}} }

// show returns a site as `model/train.go:12`: relative to the directory if it
// lies below it, else with the name of its own directory. An unknown one is
// empty.
func (p places) show(s *tracelog.Site) string {
	if s == nil {
		return ""
	}
	if text, known := p.known[*s]; known {
		return text
	}
	text := p.text(s)
	if len(p.known) < mostKnown && len(s.File)+len(s.Function) < mostText {
		p.known[*s] = text
	}
	return text
}

func (p places) text(s *tracelog.Site) string {
	file := filepath.ToSlash(s.File)
	below, err := filepath.Rel(p.dir, s.File)
	if err == nil && filepath.IsLocal(below) {
		file = filepath.ToSlash(below)
	} else {
		elements := strings.Split(file, "/")
		file = strings.Join(elements[max(0, len(elements)-2):], "/")
	}
	return shown(file) + ":" + strconv.Itoa(s.Line)
}

// wrapper returns a wrapper with the place where it was built, as far as they
// are known.
func (p places) wrapper(w *tracelog.Wrapper) string {
	if w == nil {
		return ""
	}
	description := shown(cmp.Or(w.Description, "wrapper "+strconv.Itoa(w.ID)))
	if site := p.show(w.Site); site != "" {
		description += " of " + site
	}
	return description
}

// toChange returns the line where a retrace can be avoided: that of the
// wrapper, if another one has the trace already, else that of the call. It is
// empty if that is unknown.
func (p places) toChange(t *tracelog.Trace) string {
	if t.Cause.Kind != tracelog.SameSignature || t.Cause.Wrapper != tracelog.OtherWrapper {
		return p.show(t.Site)
	}
	if t.Wrapper == nil {
		return ""
	}
	return p.show(t.Wrapper.Site)
}
