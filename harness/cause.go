package harness

import (
	"fmt"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// A CauseKind says why an engine traced.
type CauseKind int

// The causes of a trace.
const (
	// CauseUnknown: what is known does not tell the cause.
	CauseUnknown CauseKind = iota
	// CauseFirst: the function had not been traced before, as far as its traces
	// are kept.
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

// Bounds of the text of a cause, whatever an adapter gives.
const (
	maxDetail     = 4096 // bytes
	maxCauseLines = 100
)

// A Cause says why an engine traced.
type Cause struct {
	Kind CauseKind
	// Earlier is the ID of the trace that this one is compared with: that of the
	// nearest signature, of the same one, or the one that failed. 0 if none.
	Earlier int
	// Among is 0 if no signature is nearer than that of Earlier, else the number
	// of those that were compared, the latest ones.
	Among int
	// Wrapper says whether the earlier trace belongs to the same wrapper.
	Wrapper WrapperMatch
	// Differences are those from the earlier trace's signature, the first ones if
	// there are many, and More is the number of the others.
	Differences []Difference
	More        int
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
		text += c.differences() + c.earlier(" ("+c.nearest()+": trace %d%s)")
	case CauseSameSignature:
		text += c.earlier(" as trace %d%s")
	case CauseFailure:
		text += c.earlier(" of trace %d%s")
	}
	if c.Detail != "" {
		text += ": " + clip.Middle(c.Detail, maxDetail)
	}
	return clip.Lines(text, maxCauseLines)
}

// differences returns the first differences, and how many more there are.
func (c Cause) differences() string {
	shown := min(len(c.Differences), differencesKept)
	var texts []string
	for _, d := range c.Differences[:shown] {
		texts = append(texts, clip.Middle(d.String(), 3*maxAspect))
	}
	if more := len(c.Differences) - shown + c.More; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	if len(texts) == 0 {
		return ""
	}
	return ": " + strings.Join(texts, ", ")
}

// nearest says what the earlier trace's signature is.
func (c Cause) nearest() string {
	switch c.Among {
	case 0:
		return "nearest"
	case 1:
		return "compared with the latest"
	}
	return fmt.Sprintf("nearest of the latest %d", c.Among)
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
