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
	entries  map[string]string // actions by function's name, name of a type's methods, or packageKey
	packages map[string]bool   // the import paths in entries
}

func newTable(entries int) *Table {
	return &Table{entries: make(map[string]string, entries), packages: map[string]bool{}}
}

// add adds an entry whose form is right.
func (t *Table) add(key, path, actions string) {
	t.entries[key] = actions
	t.packages[path] = true
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

// loadTable reads the embedded files. It runs in every process of go vet, so
// it leaves checking the lines to the tests, and their actions to Lookup.
func loadTable() (*Table, error) {
	files, err := data.ReadDir("data")
	if err != nil {
		return nil, err
	}
	table := newTable(3000) // as many entries as there are, so that the map need not grow
	for _, file := range files {
		text, err := data.ReadFile("data/" + file.Name())
		if err != nil {
			return nil, err
		}
		for _, line := range entries(string(text)) {
			table.add(splitEntry(line))
		}
	}
	return table, nil
}

// Lookup returns what fn does when it is called: nil if nothing is known, an
// empty list if fn is known to do nothing.
// fn may be an instance of a generic function or a method of an interface.
func (t *Table) Lookup(fn *types.Func) []Action {
	pkg := fn.Pkg()
	if pkg == nil || !t.packages[pkg.Path()] { // the predeclared Error has no package
		return nil
	}
	name := Name(fn)
	text, found := t.entries[name]
	if !found && strings.HasPrefix(name, "(") {
		text, found = t.entries[name[:strings.LastIndexByte(name, '.')]+".*"]
	}
	if !found {
		text, found = t.entries[packageKey(pkg.Path())]
	}
	if !found {
		return nil
	}
	actions, err := parseActions(text)
	if err != nil {
		panic(fmt.Sprintf("library: unchecked entry of %s: %v", name, err))
	}
	return actions
}

// Name returns fn's name as tables spell it.
func Name(fn *types.Func) string { return withoutTypeParameters(fn.Origin().FullName()) }

// packageKey returns the key of a whole package's entry.
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
