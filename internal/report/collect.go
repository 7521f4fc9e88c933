package report

import (
	"strconv"

	"github.com/tracelint/tracelint/internal/tracelog"
)

// limits bound what a report keeps of logs of any length. What comes after is
// counted, not listed.
type limits struct {
	functions, causes, groups int
	events                    int // of the timeline
	items                     int // places, for instance, of one group
	problems                  int
}

func defaultLimits() limits {
	return limits{functions: 10_000, causes: 10_000, groups: 20_000, events: 20_000, items: 20, problems: 50}
}

// A collector makes a report of traces, one at a time.
type collector struct {
	report    *Report
	functions map[digest]*function
	further   *function // stands for those beyond the limit
	groups    int
	causes    int
	process   *process
}

func newCollector(dir string, limits limits) *collector {
	return &collector{
		report:    &Report{places: newPlaces(dir), limits: limits},
		functions: map[digest]*function{},
	}
}

// begin says that the traces that follow are of a process.
func (c *collector) begin(p tracelog.Process) {
	c.finish()
	p.Program = shown(p.Program)
	if c.report.processes == 0 {
		c.report.program = p.Program
	} else if c.report.program != p.Program {
		c.report.program = ""
	}
	c.report.processes++
	c.process = newProcess(p, c.report.processes)
}

// finish says that no more traces of the process follow.
func (c *collector) finish() {
	if c.process != nil {
		c.process.records.count(c.report)
		c.process = nil
	}
}

// add adds a trace of the process. It reports whether it is a new one.
func (c *collector) add(t *tracelog.Trace) bool {
	if !c.process.isNew(t) {
		return false
	}
	f := c.function(t)
	g := c.group(f, t)
	g.place(t, c.report.places, c.report.limits.items)
	c.process.records.add(t, g, c.cause(f, t))
	c.report.timeline.add(t, f, c.process.origin, c.report)
	return true
}

// function returns the function of a trace. A name that was made up is that of
// another function in each recorder.
func (c *collector) function(t *tracelog.Trace) *function {
	texts := []string{t.Function.Package, t.Function.Name}
	f := &function{Function: tracelog.Function{Package: shown(t.Function.Package), Name: shown(t.Function.Name)}}
	if t.Function.Nameless {
		f.owner = "recorder " + strconv.Itoa(t.Recorder) + " of " + c.process.title()
		texts = append(texts, strconv.Itoa(c.process.number), strconv.Itoa(t.Recorder))
	}
	key := digestOf(texts...)
	if known := c.functions[key]; known != nil {
		return known
	}
	if len(c.functions) >= c.report.limits.functions {
		return c.furtherFunction()
	}
	c.functions[key] = f
	c.report.functions = append(c.report.functions, f)
	return f
}

func (c *collector) furtherFunction() *function {
	if c.further == nil {
		c.further = &function{Function: tracelog.Function{Name: "further functions"}, several: true}
		c.report.functions = append(c.report.functions, c.further)
	}
	return c.further
}

// cause returns the row of a retrace among those of its function; nil for first
// traces.
func (c *collector) cause(f *function, t *tracelog.Trace) *cause {
	if !t.Retrace {
		return nil
	}
	text, place := causeWithoutValues(t.Cause), c.report.places.toChange(t)
	key := digestOf(text, place)
	if known := f.byCause[key]; known != nil {
		return known
	}
	if f.several || c.causes >= c.report.limits.causes {
		if f.furtherCauses == nil {
			f.furtherCauses = &cause{function: f, text: "further causes"}
			f.causes = append(f.causes, f.furtherCauses)
		}
		return f.furtherCauses
	}
	c.causes++
	result := &cause{function: f, text: shown(text), place: place}
	f.byCause = put(f.byCause, key, result)
	f.causes = append(f.causes, result)
	return result
}

// group returns the row of a trace among those of its function.
func (c *collector) group(f *function, t *tracelog.Trace) *group {
	cause, outcome := causeWithValues(t.Cause), failure(t.Outcome)
	signature := digestOf(signatureKey(t.Args))
	key := digestOf(string(signature[:]), cause, outcome)
	g := f.byGroup[key]
	if g == nil {
		if f.several || c.groups >= c.report.limits.groups {
			return f.furtherGroup()
		}
		c.groups++
		g = &group{
			function: f, signature: signatureOf(t), key: signature,
			cause: shown(cause), outcome: shown(outcome), first: c.process.order(t),
		}
		f.byGroup = put(f.byGroup, key, g)
		f.groups = append(f.groups, g)
	}
	if first := c.process.order(t); first.compare(g.first) < 0 {
		g.first = first
	}
	return g
}

func put[V any](m map[digest]V, key digest, value V) map[digest]V {
	if m == nil {
		m = map[digest]V{}
	}
	m[key] = value
	return m
}
