package library

import (
	"embed"
	"fmt"
	"go/types"
	"strings"
	"sync"
)

//go:embed data/*.txt
var data embed.FS

// A Table says what functions do. It is immutable and safe for concurrent use.
type Table struct {
	lines    map[string][]Action // by the name that the line begins with
	packages map[string]bool     // the import paths that the lines speak of
}

// Default returns the table of the standard library and of the modules that
// nearly every program shares. It is parsed once.
func Default() *Table { return defaultTable() }

var defaultTable = sync.OnceValue(func() *Table {
	table, err := loadTable()
	if err != nil {
		panic(fmt.Sprintf("library: embedded table: %v", err))
	}
	return table
})

// loadTable parses the embedded files.
func loadTable() (*Table, error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, err
	}
	table := newTable()
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		if err != nil {
			return nil, err
		}
		if err := table.read(file.Name(), string(text)); err != nil {
			return nil, err
		}
	}
	return table, nil
}

func newTable() *Table {
	// Sized for the embedded table, so that it need not grow.
	return &Table{lines: make(map[string][]Action, 4096), packages: make(map[string]bool, 256)}
}

// Lookup returns what fn does when it is called, or nil if nothing is known.
// fn may be an instance of a generic function or a method of an interface. The
// caller must not change the result.
func (t *Table) Lookup(fn *types.Func) []Action {
	pkg := fn.Pkg()
	if pkg == nil || !t.packages[pkg.Path()] { // the predeclared Error has no package
		return nil
	}
	name := withoutTypeParameters(fn.Origin().FullName())
	if actions, found := t.lines[name]; found {
		return actions
	}
	if strings.HasPrefix(name, "(") {
		if actions, found := t.lines[name[:strings.LastIndexByte(name, '.')]+".*"]; found {
			return actions
		}
	}
	return t.lines[packageKey(pkg.Path())]
}

// packageKey returns the name of the line for a whole package.
func packageKey(path string) string { return "package " + path }

// withoutTypeParameters cuts the brackets from a name such as
// (*sync/atomic.Pointer[T]).Store.
func withoutTypeParameters(name string) string {
	head, rest, found := strings.Cut(name, "[")
	if !found {
		return name
	}
	return head + rest[strings.LastIndexByte(rest, ']')+1:]
}

// Covers reports whether the table speaks for the package: it belongs to the
// standard library or has a line. The bodies of such a package are never
// analysed.
func (t *Table) Covers(path string) bool {
	return t.packages[path] || IsStd(path)
}
