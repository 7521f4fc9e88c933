package harness

import (
	"fmt"
	"strings"
)

// A CauseKind says why an engine traced.
type CauseKind int

// The causes of a trace.
const (
	// CauseUnknown: what is known does not tell the cause.
	CauseUnknown CauseKind = iota
	// CauseFirst: the function had not been traced before.
	CauseFirst
	// CauseState: the second trace of a first call, because the first one made
	// state. Only an engine knows.
	CauseState
	// CauseNewSignature: no earlier trace had the signature.
	CauseNewSignature
	// CauseSameSignature: an earlier trace had the signature, but it belongs to
	// another wrapper, or the wrapper's cache lost it.
	CauseSameSignature
	// CauseFailure: the last trace with the signature failed.
	CauseFailure
)

// String returns the kind for people: `new signature`.
func (k CauseKind) String() string {
	switch k {
	case CauseUnknown:
		return "unknown cause"
	case CauseFirst:
		return "first trace"
	case CauseState:
		return "second trace of a first call, because state was made"
	case CauseNewSignature:
		return "new signature"
	case CauseSameSignature:
		return "same signature"
	case CauseFailure:
		return "retrace after a failure"
	}
	return fmt.Sprintf("CauseKind(%d)", int(k))
}

// A WrapperMatch says whether two traces belong to one wrapper.
type WrapperMatch int

// The matches of wrappers.
const (
	WrapperUnknown WrapperMatch = iota // the wrapper of one of them is unknown
	WrapperSame
	WrapperOther
)

// A Cause says why an engine traced.
type Cause struct {
	Kind CauseKind
	// Earlier is the ID of the trace that this one is compared with: that of the
	// nearest signature, of the same one, or the one that failed. 0 if none.
	Earlier int
	// Wrapper says whether the earlier trace belongs to the same wrapper.
	Wrapper WrapperMatch
	// Differences are those from the earlier trace's signature.
	Differences []Difference
	// Detail is what the engine or adapter knows beyond that (`variable w was
	// made at model.go:12`, `after Finalize`), or what leaves a cause unknown.
	Detail string
}

// String returns the cause for people:
// `new signature: x: axis 0: 3 -> 4 (nearest: trace 1)`.
func (c Cause) String() string {
	text := c.Kind.String()
	switch c.Kind {
	case CauseNewSignature:
		if len(c.Differences) > 0 {
			differences := make([]string, len(c.Differences))
			for i, d := range c.Differences {
				differences[i] = d.String()
			}
			text += ": " + strings.Join(differences, ", ")
		}
		text += c.earlier(" (nearest: trace %d%s)")
	case CauseSameSignature:
		text += c.earlier(" as trace %d%s")
	case CauseFailure:
		text += c.earlier(" of trace %d%s")
	}
	if c.Detail != "" {
		text += ": " + c.Detail
	}
	return text
}

// earlier names the earlier trace and whose it is, if there is one.
func (c Cause) earlier(format string) string {
	if c.Earlier == 0 {
		return ""
	}
	wrapper := ""
	switch c.Wrapper {
	case WrapperSame:
		wrapper = ", of the same wrapper"
	case WrapperOther:
		wrapper = ", of another wrapper"
	}
	return fmt.Sprintf(format, c.Earlier, wrapper)
}
