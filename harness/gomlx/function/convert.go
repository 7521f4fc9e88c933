package function

import (
	"context"
	"fmt"
	"log/slog"
	"reflect"
	"strconv"
	"strings"
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
	if c.trace == nil || !c.rt.logger.Enabled(ctx, slog.LevelDebug) {
		return
	}
	texts := make([]string, len(args))
	for i, arg := range args {
		texts[i] = argText(arg)
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

// argText returns an argument for people, without addresses, which change from
// run to run.
func argText(arg any) string {
	if s, ok := arg.(fmt.Stringer); ok {
		return s.String()
	}
	v := reflect.ValueOf(arg)
	switch v.Kind() {
	case reflect.String:
		return strconv.Quote(v.String())
	case reflect.Slice, reflect.Array:
		elems := make([]string, v.Len())
		for i := range elems {
			elems[i] = argText(v.Index(i).Interface())
		}
		return "[" + strings.Join(elems, ", ") + "]"
	case reflect.Struct:
		var fields []string
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fields = append(fields, f.Name+": "+argText(v.Field(i).Interface()))
			}
		}
		return v.Type().String() + "{" + strings.Join(fields, ", ") + "}"
	case reflect.Map, reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.Type().String()
	default:
		return fmt.Sprint(arg)
	}
}
