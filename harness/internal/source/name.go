package source

import (
	"net/url"
	"regexp"
	"strings"
)

// A name is what the symbol of a function says of it.
type name struct {
	pkg string
	// receiver is `T` or `*T` for methods.
	receiver, function string
	isLiteral          bool
}

// literalPart is what the compiler adds to the name of the function around a
// function literal.
var literalPart = regexp.MustCompile(`\.(func)?[0-9]+(\.|$|-)`)

// newName takes a symbol apart: `example.com/m.(*Model).Inference-fm`.
func newName(symbol string) name {
	slash := strings.LastIndexByte(symbol, '/') + 1
	path, rest, _ := strings.Cut(symbol[slash:], ".")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain // the linker escapes dots
	}
	n := name{pkg: symbol[:slash] + path, isLiteral: literalPart.MatchString(rest)}
	rest = strings.ReplaceAll(strings.TrimSuffix(rest, "-fm"), "[...]", "")
	dot := strings.LastIndexByte(rest, '.')
	n.function = rest[dot+1:]
	if dot > 0 {
		n.receiver = strings.Trim(rest[:dot], "()")
	}
	return n
}
