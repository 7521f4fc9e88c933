package function

import (
	"context"
	"log/slog"
	"reflect"
)

// The conversion log tells what a trace passes through: one record per call of a
// traced function, layer, op, print or scope, at level Debug of the runtime's
// logger, each with these attributes.
const (
	conversionMessage = "converted call"
	kindKey           = "kind"   // function, layer, op, print or scope
	nameKey           = "name"   // its name
	argsKey           = "args"   // []string: the positional arguments
	settingsKey       = "kwargs" // []string: the settings, as name: value
	depthKey          = "depth"  // the nesting, 0 for the function that host code called
)

// converted writes a record of the conversion log.
func (c *Ctx) converted(kind, name string, args []any, settings []string) {
	ctx := context.Background()
	if c == nil || c.trace == nil || !c.rt.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = argText(reflect.ValueOf(arg))
	}
	c.rt.logger.LogAttrs(ctx, slog.LevelDebug, conversionMessage,
		slog.String(kindKey, kind),
		slog.String(nameKey, name),
		slog.Any(argsKey, texts),
		slog.Any(settingsKey, settings),
		slog.Int(depthKey, c.depth),
	)
}

// convertedOp writes the record of an op. It is apart from converted because
// most ops run with the log off, and need no copy of their operands then.
func (c *Ctx) convertedOp(name string, operands []Tensor) {
	if c.trace == nil || !c.rt.logger.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	args := make([]any, len(operands))
	for i, t := range operands {
		args[i] = t
	}
	c.converted("op", name, args, nil)
}

// convertedFunction writes the record of a call of a traced function.
func (c *Ctx) convertedFunction(f *core, values []reflect.Value) {
	if c.trace == nil || !c.rt.logger.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v.Interface()
	}
	c.converted("function", f.name, args, nil)
}
