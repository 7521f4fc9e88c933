package tracelog

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// maxRead bounds the bytes of a line that a reader keeps: no trace is near it,
// other files may have no line ends at all.
const maxRead = 64 << 20

// A Reader reads the lines of a log.
type Reader struct {
	input *bufio.Reader
	line  int
}

// NewReader returns a reader of the log.
func NewReader(log io.Reader) *Reader { return &Reader{input: bufio.NewReaderSize(log, 64<<10)} }

// A LineError tells of a line that cannot be used. Reading goes on behind it.
type LineError struct {
	Line   int // from 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d %s", e.Line, e.Reason) }

// Next returns the next line, and its number with Reader.Line. The error is a
// [*LineError] if only this line is broken, io.EOF after the last one, else
// that of the input.
func (r *Reader) Next() (Line, error) {
	for {
		text, err := r.text()
		if err != nil {
			return Line{}, err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			return r.parse(text)
		}
	}
}

// Line returns the number of the line that Next returned last.
func (r *Reader) Line() int { return r.line }

// text returns the next line without its end.
func (r *Reader) text() ([]byte, error) {
	var text []byte
	length := 0
	for {
		part, err := r.input.ReadSlice('\n')
		length += len(part)
		if length <= maxRead {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || length == 0):
			return nil, err
		}
		r.line++
		if length > maxRead {
			return nil, r.broken("is longer than %d MiB", maxRead>>20)
		}
		return bytes.TrimSuffix(text, []byte("\n")), nil
	}
}

func (r *Reader) parse(text []byte) (Line, error) {
	var line Line
	err := json.Unmarshal(text, &line)
	if err != nil {
		// Another version may have any form but for its number.
		var other struct {
			V int `json:"v"`
		}
		if json.Unmarshal(text, &other) != nil || other.V == Version || other.V == 0 {
			return Line{}, r.invalid(text, err)
		}
		line.Version = other.V
	}
	if reason := line.problem(); reason != "" {
		return Line{}, r.broken("%s", reason)
	}
	return line, nil
}

// invalid says why a line cannot be decoded.
func (r *Reader) invalid(text []byte, err error) error {
	var whole json.RawMessage
	if errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&whole), io.ErrUnexpectedEOF) {
		return r.broken("is cut short: the process or the disk stopped in the middle of it")
	}
	return r.broken("is no line of a trace log: %s", reason(err))
}

// mostReason bounds the bytes of a line that an error shows.
const mostReason = 80

// reason returns what is wrong with JSON, with little of the text that is wrong.
func reason(err error) string {
	var (
		syntax   *json.SyntaxError
		mistyped *json.UnmarshalTypeError
	)
	switch {
	case errors.As(err, &syntax):
		return syntax.Error() // which has one character of the text
	case errors.As(err, &mistyped):
		kind, _, _ := strings.Cut(mistyped.Value, " ") // the value may follow
		return fmt.Sprintf("%s is not for a JSON %s", cmp.Or(mistyped.Field, "the format"), kind)
	default:
		escaped := strconv.QuoteToASCII(err.Error())
		return clip.Middle(escaped[1:len(escaped)-1], mostReason)
	}
}

func (r *Reader) broken(format string, args ...any) error {
	return &LineError{r.line, fmt.Sprintf(format, args...)}
}

// problem says what keeps a line from being used; empty if nothing.
func (l Line) problem() string {
	t := l.Trace
	switch {
	case l.Version == 0:
		return "is no line of a trace log: it has no version \"v\""
	case l.Version != Version:
		return fmt.Sprintf("is of version %d of the format, of which this tracelint knows %d: "+
			"use the tracelint that the traces were recorded with", l.Version, Version)
	case (l.Process == nil) == (t == nil):
		return "holds not exactly one of a process and a trace"
	case t == nil:
		return ""
	case t.Recorder < 1:
		return fmt.Sprintf("has recorder %d: recorders count from 1", t.Recorder)
	case t.ID < 1:
		return fmt.Sprintf("has id %d: traces count from 1", t.ID)
	case t.Parent < 0 || t.Parent >= t.ID:
		return fmt.Sprintf("has parent %d of trace %d: a parent starts before", t.Parent, t.ID)
	case t.Cause.Earlier < 0:
		return fmt.Sprintf("has earlier trace %d: traces count from 1", t.Cause.Earlier)
	case t.Function.Name == "":
		return "names no function"
	case t.Duration < 0:
		return fmt.Sprintf("has a duration of %d ns: none is negative", t.Duration)
	}
	return ""
}
