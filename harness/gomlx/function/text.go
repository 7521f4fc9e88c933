package function

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
)

// NewTextHandler returns a handler that writes the records of this package from
// a level on as people read them: with slog.LevelDebug also the conversion log,
//
//	INFO: converted call: (*Model).Call
//	    args: (Tensor("x:0", shape=(60, 28), dtype=float32))
//	    kwargs: {}
//
// indented by four more spaces for each call that it is nested in. It shows only
// the records of this package in full; of others, level, message and attributes.
func NewTextHandler(w io.Writer, level slog.Leveler) slog.Handler {
	return &textHandler{out: &lockedWriter{w: w}, level: level}
}

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

type textHandler struct {
	out   *lockedWriter
	level slog.Leveler
	attrs []slog.Attr
}

func (h *textHandler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= h.level.Level()
}

func (h *textHandler) Handle(_ context.Context, r slog.Record) error {
	attrs := append([]slog.Attr(nil), h.attrs...)
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	text := r.Level.String() + ": " + r.Message
	if r.Message == conversionMessage {
		text = conversionText(attrs)
	} else {
		for _, a := range attrs {
			text += " " + a.Key + "=" + a.Value.String()
		}
		text += "\n"
	}
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	_, err := io.WriteString(h.out.w, text)
	return err
}

// conversionText returns the block of one converted call. TensorFlow writes it
// at level INFO, whatever verbosity it takes to see it.
func conversionText(attrs []slog.Attr) string {
	var name string
	var args, options []string
	var depth int64
	for _, a := range attrs {
		switch a.Key {
		case nameKey:
			name = a.Value.String()
		case argsKey:
			args, _ = a.Value.Any().([]string)
		case settingsKey:
			options, _ = a.Value.Any().([]string)
		case depthKey:
			depth = a.Value.Int64()
		}
	}
	indent := strings.Repeat("    ", int(depth))
	return indent + "INFO: converted call: " + name + "\n" +
		indent + "    args: (" + strings.Join(args, ", ") + ")\n" +
		indent + "    kwargs: {" + strings.Join(options, ", ") + "}\n"
}

func (h *textHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	inner := *h
	inner.attrs = append(append([]slog.Attr(nil), h.attrs...), attrs...)
	return &inner
}

// WithGroup returns the handler: this package uses no groups.
func (h *textHandler) WithGroup(string) slog.Handler { return h }
