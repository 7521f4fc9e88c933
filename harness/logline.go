package harness

import (
	"fmt"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// The names in logs of the kinds that are numbers here.
var (
	loggedArgKinds = [...]string{
		Tensor:    tracelog.Tensor,
		Literal:   tracelog.Literal,
		Object:    tracelog.Object,
		Structure: tracelog.Structure,
		Context:   tracelog.Context,
		Opaque:    tracelog.Opaque,
	}
	loggedCauseKinds = [...]string{
		CauseUnknown:       tracelog.Unknown,
		CauseFirst:         tracelog.First,
		CauseState:         tracelog.State,
		CauseNewSignature:  tracelog.NewSignature,
		CauseSameSignature: tracelog.SameSignature,
		CauseFailure:       tracelog.AfterFailure,
	}
	loggedMatches = [...]string{
		WrapperUnknown: "",
		WrapperSame:    tracelog.SameWrapper,
		WrapperOther:   tracelog.OtherWrapper,
	}
	loggedDifferenceKinds = [...]string{
		DifferentKind:      tracelog.DifferentKind,
		DifferentDType:     tracelog.DifferentDType,
		DifferentType:      tracelog.DifferentType,
		DifferentRank:      tracelog.DifferentRank,
		DifferentAxis:      tracelog.DifferentAxis,
		DifferentValue:     tracelog.DifferentValue,
		DifferentStructure: tracelog.DifferentStructure,
	}
	loggedOutcomes = [...]string{
		OutcomeRunning:  "running",
		OutcomeReturned: tracelog.Returned,
		OutcomeError:    tracelog.Error,
		OutcomePanic:    tracelog.Panic,
		OutcomeGoexit:   tracelog.Goexit,
	}
)

// nameOf returns the name of a kind, its number if an adapter made one up.
func nameOf[K ~int](names []string, kind K) string {
	if kind < 0 || int(kind) >= len(names) {
		return fmt.Sprintf("#%d", kind)
	}
	return names[kind]
}

// logged returns a trace of the recorder of that number as logs hold it.
func logged(recorder int, t Trace) *tracelog.Trace {
	return &tracelog.Trace{
		Recorder: recorder,
		ID:       t.ID,
		Parent:   t.Parent,
		Function: tracelog.Function(t.Function),
		Wrapper:  loggedWrapper(t.Wrapper),
		Args:     loggedArgs(t.Args),
		Cause:    loggedCause(t.Cause),
		Retrace:  t.Retrace,
		Site:     loggedSite(t.Site),
		Start:    t.Start.UTC(),
		Duration: t.Duration,
		Untimed:  t.Untimed,
		Outcome:  tracelog.Outcome{Kind: nameOf(loggedOutcomes[:], t.Outcome.Kind), Text: t.Outcome.Text},
	}
}

func loggedWrapper(w Wrapper) *tracelog.Wrapper {
	if w.ID == 0 {
		return nil
	}
	return &tracelog.Wrapper{ID: w.ID, Description: w.Description, Site: loggedSite(w.Site), DynamicAxes: w.DynamicAxes}
}

func loggedSite(s CallSite) *tracelog.Site {
	if !s.Known() {
		return nil
	}
	frame := s.Frame()
	return &tracelog.Site{Function: frame.Function, File: frame.File, Line: frame.Line}
}

func loggedArgs(args []Arg) []tracelog.Arg {
	if args == nil {
		return nil
	}
	result := make([]tracelog.Arg, len(args))
	for i, a := range args {
		result[i] = tracelog.Arg{
			Name:    a.Name,
			Kind:    nameOf(loggedArgKinds[:], a.Kind),
			Type:    a.Type,
			Dims:    a.Dims,
			Value:   a.Value,
			Key:     a.Key,
			Elems:   loggedArgs(a.Elems),
			Omitted: a.Omitted,
		}
	}
	return result
}

func loggedCause(c Cause) tracelog.Cause {
	result := tracelog.Cause{
		Kind:    nameOf(loggedCauseKinds[:], c.Kind),
		Label:   c.Kind.String(),
		Text:    c.String(),
		Earlier: c.Earlier,
		Among:   c.Among,
		Wrapper: nameOf(loggedMatches[:], c.Wrapper),
		More:    c.More,
		Detail:  c.Detail,
	}
	for _, d := range c.Differences {
		result.Differences = append(result.Differences, tracelog.Difference{
			Arg:   d.Arg,
			Kind:  nameOf(loggedDifferenceKinds[:], d.Kind),
			Axis:  d.Axis,
			Of:    nameOf(loggedArgKinds[:], d.Of),
			Type:  d.Type,
			Where: d.Where(),
			From:  d.From,
			To:    d.To,
		})
	}
	return result
}
