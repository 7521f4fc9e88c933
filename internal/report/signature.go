package report

import (
	"strconv"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
	"github.com/tracelint/tracelint/internal/tracelog"
)

// A piece is a part of a signature that differs from the earlier one, or does
// not.
type piece struct {
	text    string
	differs bool
}

// signatureOf returns the arguments of a trace in pieces, those marked in which
// its cause says that they differ. Joined, they are as package harness shows a
// signature: `x float32[3], 4`.
func signatureOf(t *tracelog.Trace) []piece {
	if t.Args == nil {
		return []piece{{text: "unknown arguments"}}
	}
	if len(t.Args) == 0 {
		return []piece{{text: "no arguments"}}
	}
	w := signatureWriter{differences: map[string][]tracelog.Difference{}, room: mostText}
	for _, d := range t.Cause.Differences[:min(mostDifferences, len(t.Cause.Differences))] {
		w.differences[d.Arg] = append(w.differences[d.Arg], d)
	}
	position := 0
	for i, a := range t.Args {
		if w.full() {
			break
		}
		if i > 0 {
			w.write(", ", false)
		}
		path := a.Name
		if path == "" {
			path = "arg " + strconv.Itoa(position)
		}
		if a.Kind != tracelog.Context {
			position++
		}
		w.arg(a, path)
	}
	return w.pieces
}

// A signatureWriter collects the pieces of a signature.
type signatureWriter struct {
	differences map[string][]tracelog.Difference // by argument
	pieces      []piece
	room        int // in bytes
}

// full reports whether there is no room for more.
func (w *signatureWriter) full() bool { return w.room < 0 }

// write adds a text, to the last piece if it differs likewise. The one for which
// there is no room ends the signature.
func (w *signatureWriter) write(text string, differs bool) {
	if w.full() {
		return
	}
	w.room -= len(text)
	if w.full() {
		text = clip.Middle(text, len(text)+w.room) + " …"
	}
	text = printable(text)
	if last := len(w.pieces) - 1; last >= 0 && w.pieces[last].differs == differs {
		w.pieces[last].text += text
		return
	}
	w.pieces = append(w.pieces, piece{text, differs})
}

// arg adds an argument or element. Its path is that by which differences name it.
func (w *signatureWriter) arg(a tracelog.Arg, path string) {
	if a.Name != "" {
		w.write(a.Name+" ", false)
	}
	whole := w.differ(path, tracelog.DifferentKind) || w.differ(path, tracelog.DifferentStructure)
	switch a.Kind {
	case tracelog.Tensor:
		w.write(a.Type, whole || w.differ(path, tracelog.DifferentDType))
		w.dims(a.Dims, path, whole || w.differ(path, tracelog.DifferentRank))
		if a.Value != "" {
			w.write(" ", false)
			w.write(a.Value, whole || w.differ(path, tracelog.DifferentValue))
		}
	case tracelog.Literal, tracelog.Context:
		w.write(a.Value, whole || w.differ(path, tracelog.DifferentValue) || w.differ(path, tracelog.DifferentType))
	case tracelog.Object:
		w.write(a.Type, whole || w.differ(path, tracelog.DifferentType))
		w.write(" ", false)
		w.write(a.Value, whole || w.differ(path, tracelog.DifferentValue))
	case tracelog.Structure:
		w.write("{", whole)
		for i, e := range a.Elems {
			if w.full() {
				return
			}
			if i > 0 {
				w.write(", ", whole)
			}
			name := e.Name
			if name == "" {
				name = "[" + strconv.Itoa(i) + "]"
			}
			w.arg(e, path+name)
		}
		w.write("}", whole)
	default:
		w.write(a.Type, whole || w.differ(path, tracelog.DifferentType))
	}
}

func (w *signatureWriter) dims(dims []int, path string, all bool) {
	w.write("[", all)
	for axis, size := range dims {
		if w.full() {
			return
		}
		if axis > 0 {
			w.write(",", all)
		}
		text := strconv.Itoa(size)
		if size < 0 {
			text = "?"
		}
		w.write(text, all || w.axisDiffers(path, axis))
	}
	w.write("]", all)
}

func (w *signatureWriter) differ(path, kind string) bool {
	for _, d := range w.differences[path] {
		if d.Kind == kind {
			return true
		}
	}
	return false
}

func (w *signatureWriter) axisDiffers(path string, axis int) bool {
	for _, d := range w.differences[path] {
		if d.Kind == tracelog.DifferentAxis && d.Axis == axis {
			return true
		}
	}
	return false
}

// plain returns the pieces as one text.
func plain(pieces []piece) string {
	var text strings.Builder
	for _, p := range pieces {
		text.WriteString(p.text)
	}
	return text.String()
}

// signatureKey returns a text that is equal for equal arguments only. It is not
// for people.
func signatureKey(args []tracelog.Arg) string {
	if args == nil {
		return "unknown"
	}
	var key []byte
	for _, a := range args {
		key = appendKey(key, a)
	}
	return string(key)
}

// appendKey appends the key of an argument, whose name is part of it, since
// arguments of equal names are shown.
func appendKey(key []byte, a tracelog.Arg) []byte {
	for _, text := range []string{a.Name, a.Kind, a.Type} {
		key = strconv.AppendQuote(key, text)
	}
	for _, size := range a.Dims {
		key = append(strconv.AppendInt(key, int64(size), 10), ',')
	}
	if a.Key == "" {
		key = strconv.AppendQuote(append(key, '='), a.Value)
	} else {
		key = strconv.AppendQuote(append(key, '#'), a.Key)
	}
	key = append(key, '{')
	for _, e := range a.Elems {
		key = appendKey(key, e)
	}
	return append(key, '}')
}
