package tracecheck

import (
	"fmt"
	"strings"

	"github.com/tracelint/tracelint/harness"
)

// An expectedCause is the kind of a cause, or a part of its text if that is not empty.
type expectedCause struct {
	kind harness.CauseKind
	text string
}

// newExpectedCause returns the cause, or what is wrong with it.
func newExpectedCause(want any) (e expectedCause, problem string) {
	switch want := want.(type) {
	case harness.CauseKind:
		if want < harness.CauseUnknown || want > harness.CauseFailure {
			return e, fmt.Sprintf("want %s: there is no such cause; use one of package harness", want)
		}
		return expectedCause{kind: want}, ""
	case string:
		if want == "" {
			return e, "want is empty, which is a part of each cause; give a part that tells, such as `x: axis 0`"
		}
		return expectedCause{text: want}, ""
	}
	panic(fmt.Sprintf("tracecheck: %T is neither a cause's kind nor a string", want))
}

func (e expectedCause) String() string {
	if e.text != "" {
		return fmt.Sprintf("%q", e.text)
	}
	return fmt.Sprintf("%q", e.kind)
}

func (e expectedCause) matches(c harness.Cause) bool {
	if e.text != "" {
		return strings.Contains(c.String(), e.text)
	}
	return c.Kind == e.kind
}

// mismatch says which traces have another cause; empty if none has.
func (e expectedCause) mismatch(_ *harness.Recorder, traces []harness.Trace) string {
	if len(traces) == 0 {
		return fmt.Sprintf("want a trace for the cause %s, got none", e)
	}
	others := 0
	for _, t := range traces {
		if !e.matches(t.Cause) {
			others++
		}
	}
	if others == 0 {
		return ""
	}
	return fmt.Sprintf("want all traces for the cause %s, got %d of %d for another", e, others, len(traces))
}
