package tracelog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/tracelint/tracelint/internal/clip"
)

// MaxLine bounds the bytes of a line that Encode returns. A Reader takes longer
// ones, since other versions may write them.
const MaxLine = 64 << 10

// Encode returns the line with its newline. Of a line that is too long, long
// texts are cut in the middle and long lists at the end.
func (l Line) Encode() ([]byte, error) {
	l.Version = Version
	text, err := encode(l)
	for limit := 4096; err == nil && len(text) > MaxLine && limit > 0; limit /= 4 {
		text, err = encode(l.cut(limit))
	}
	return text, err
}

func encode(value any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return line.Bytes(), err
}

// A cutter cuts texts to so many bytes, lists to a quarter of that.
type cutter int

func (l Line) cut(limit int) Line {
	c := cutter(limit)
	if l.Process != nil {
		process := *l.Process
		c.texts(&process.Program, &process.Go)
		l.Process = &process
	}
	if l.Trace != nil {
		trace := *l.Trace
		c.texts(&trace.Function.Package, &trace.Function.Name, &trace.Outcome.Kind, &trace.Outcome.Text)
		if trace.Wrapper != nil {
			wrapper := *trace.Wrapper
			c.texts(&wrapper.Description, &wrapper.DynamicAxes)
			wrapper.Site = c.site(wrapper.Site)
			trace.Wrapper = &wrapper
		}
		trace.Site = c.site(trace.Site)
		trace.Args = c.args(trace.Args)
		c.cause(&trace.Cause)
		l.Trace = &trace
	}
	return l
}

func (c cutter) texts(texts ...*string) {
	for _, text := range texts {
		*text = clip.Middle(*text, int(c))
	}
}

func (c cutter) site(s *Site) *Site {
	if s == nil {
		return nil
	}
	site := *s
	c.texts(&site.Function, &site.File)
	return &site
}

// args cuts a list of arguments. What stands for those left out tells them from
// others by a key.
func (c cutter) args(args []Arg) []Arg {
	if args == nil {
		return nil
	}
	kept := make([]Arg, 0, len(args))
	for i, a := range args {
		if i >= int(c)/4 {
			return append(kept, Arg{Kind: Structure, Omitted: len(args) - i, Key: key(args[i:])})
		}
		whole := a
		a.Elems = c.args(a.Elems)
		a.Dims = a.Dims[:min(len(a.Dims), int(c))]
		c.texts(&a.Name, &a.Kind, &a.Type, &a.Value)
		if a.Type != whole.Type || a.Value != whole.Value || len(a.Dims) < len(whole.Dims) || len(a.Key) > MaxLine/256 {
			a.Key = key(whole)
		}
		kept = append(kept, a)
	}
	return kept
}

func key(whole any) string {
	text, _ := encode(whole) // texts and numbers have no errors
	sum := sha256.Sum256(text)
	return "#" + hex.EncodeToString(sum[:16])
}

func (c cutter) cause(cause *Cause) {
	c.texts(&cause.Kind, &cause.Label, &cause.Text, &cause.Wrapper, &cause.Detail)
	differences := cause.Differences[:min(len(cause.Differences), int(c)/4)]
	cause.More += len(cause.Differences) - len(differences)
	cause.Differences = nil
	for _, d := range differences {
		c.texts(&d.Arg, &d.Kind, &d.Of, &d.Type, &d.Where, &d.From, &d.To)
		cause.Differences = append(cause.Differences, d)
	}
}
