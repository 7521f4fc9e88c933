package library

import (
	"fmt"
	"go/token"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tracelint/tracelint/internal/clip"
)

// Parse reads a table in the package's format. An error names the line as
// name:line, says what is wrong with it, and what to write instead.
func Parse(name string, text []byte) (*Table, error) {
	table := newTable(0)
	for number, line := range entries(string(text)) {
		key, path, actions := splitEntry(line)
		err := check(key, path, actions)
		if _, found := table.entries[key]; err == nil && found {
			err = fmt.Errorf("%s is listed twice: keep one line", key)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		table.add(key, path, actions)
	}
	return table, nil
}

// entries yields the lines of text that say something, without comments and
// surrounding space, and their numbers.
func entries(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.Lines(text) {
			number++
			if i := strings.IndexByte(line, '#'); i >= 0 {
				line = line[:i]
			}
			if line = strings.TrimSpace(line); line != "" && !yield(number, line) {
				return
			}
		}
	}
}

// splitEntry splits a line into the key that [Table] knows it by, the import
// path in it, and its actions. It takes the line's form for granted.
func splitEntry(line string) (key, path, actions string) {
	key, actions = cutField(line)
	if key == "package" {
		path, actions = cutField(actions)
		return packageKey(path), path, actions
	}
	path = strings.TrimPrefix(strings.TrimPrefix(key, "("), "*")
	if i := strings.IndexByte(path, ')'); i >= 0 {
		path = path[:i]
	}
	return key, path[:max(0, strings.LastIndexByte(path, '.'))], actions
}

// check returns what is wrong with an entry, if anything.
func check(key, path, text string) error {
	scope, err := checkKey(key, path)
	if err != nil {
		return err
	}
	actions, err := parseActions(text)
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	for _, a := range actions {
		if err := scope.allows(a); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// CheckName returns what is wrong with the name of one function or method.
func CheckName(name string) error {
	key, path, rest := splitEntry(name)
	kind, err := checkKey(key, path)
	if err == nil && (rest != "" || kind != functionEntry && kind != methodEntry) {
		err = fmt.Errorf("%s does not name one function", clip.Quote(name))
	}
	return err
}

// checkKey returns what a line speaks of.
func checkKey(key, path string) (scope, error) {
	if rest, found := strings.CutPrefix(key, packageKey("")); found {
		switch {
		case rest == "":
			return 0, fmt.Errorf("package has no path: write %q", "package PATH ACTION")
		case !isPath(rest):
			return 0, fmt.Errorf("%s is no import path", clip.Quote(rest))
		}
		return packageEntry, nil
	}
	kind, qualified, ok := functionEntry, key, true
	if strings.HasPrefix(key, "(") {
		var method string
		qualified, method, ok = strings.Cut(strings.TrimPrefix(key[1:], "*"), ").")
		kind = methodEntry
		if method == "*" {
			kind = methodsEntry
		} else if !token.IsIdentifier(method) {
			ok = false
		}
	}
	base, found := strings.CutPrefix(qualified, path+".")
	switch {
	case strings.ContainsAny(key, "[]"):
		return 0, fmt.Errorf("%s has type parameters: leave the brackets out", clip.Quote(key))
	case !ok || !found || !isPath(path) || !token.IsIdentifier(base):
		return 0, fmt.Errorf("%s is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write", clip.Quote(key))
	}
	// An import path may end in ".v3", but hardly in ".Logger".
	if i := strings.LastIndexByte(path, '.'); kind == functionEntry && i >= 0 && isExported(path[i+1:]) {
		return 0, fmt.Errorf("%s is a method without parentheses: write (*%s).%s or (%s).%s", clip.Quote(key), path, base, path, base)
	}
	return kind, nil
}

// A scope is what a line speaks of.
type scope int

const (
	functionEntry scope = iota
	methodEntry
	methodsEntry // all methods of a type
	packageEntry
)

// allows returns an error if a names an operand that not every function in
// the scope has.
func (s scope) allows(a Action) error {
	for _, o := range [...]Operand{a.On, a.Into} {
		switch {
		case o == None:
		case s == functionEntry && o == Recv:
			return fmt.Errorf("a function has no recv: name an argument, as in arg0")
		case s == methodsEntry && o != Recv:
			return fmt.Errorf("methods differ in their arguments, so %s stands for nothing: give each a line of its own", o)
		case s == packageEntry:
			return fmt.Errorf("functions differ in their arguments, so %s stands for nothing: give each a line of its own", o)
		}
	}
	return nil
}

// parseActions reads "ACTION [; ACTION ...]"; none is an empty list, not nil.
func parseActions(text string) ([]Action, error) {
	if text == "" {
		return nil, fmt.Errorf("action is missing: write what the function does, or none")
	}
	if text == string(none) {
		return []Action{}, nil
	}
	var actions []Action
	for part := range strings.SplitSeq(text, ";") {
		parsed, err := parseAction(strings.Fields(part))
		if err != nil {
			return nil, err
		}
		for _, a := range parsed {
			for _, earlier := range actions {
				if a == earlier {
					return nil, fmt.Errorf("action %q is listed twice: keep one", a)
				}
			}
			actions = append(actions, a)
		}
	}
	return actions, nil
}

// parseAction reads "VERB [OPERAND ...] [in OPERAND]", one action an operand.
func parseAction(fields []string) ([]Action, error) {
	if len(fields) == 0 {
		return nil, fmt.Errorf("action between semicolons is empty: remove a semicolon")
	}
	verb := Verb(fields[0])
	takes, needs, isVerb := verb.operands()
	if verb == none {
		return nil, fmt.Errorf("none says that nothing happens: remove it or the other actions and operands")
	}
	if !isVerb {
		return nil, fmt.Errorf("verb %s is unknown: %s", clip.Quote(string(verb)), suggestVerb(verb))
	}
	operands := fields[1:]
	into := None
	if verb == Keep {
		n := len(operands) - 2
		if n < 1 || operands[n] != "in" {
			return nil, fmt.Errorf("%s does not say where: write %q", verb, "keep arg0 in recv")
		}
		var err error
		if into, err = parseOperand(operands[n+1]); err != nil {
			return nil, err
		}
		operands = operands[:n]
	}
	switch {
	case len(operands) > 0 && !takes:
		return nil, fmt.Errorf("%s takes no operand: remove %s", verb, clip.Quote(strings.Join(operands, " ")))
	case len(operands) == 0 && needs:
		return nil, fmt.Errorf("%s needs an operand: recv, arg0, arg1, ..., args or result", verb)
	case len(operands) == 0:
		return []Action{{Verb: verb}}, nil
	}
	actions := make([]Action, len(operands))
	for i, text := range operands {
		on, err := parseOperand(text)
		if err != nil {
			return nil, err
		}
		actions[i] = Action{Verb: verb, On: on, Into: into}
	}
	return actions, nil
}

func parseOperand(text string) (Operand, error) {
	o, found := operand(text)
	if !found {
		return None, fmt.Errorf("operand %s is unknown: write recv, arg0, arg1, ..., args or result", clip.Quote(text))
	}
	return o, nil
}

// isPath reports whether text may be an import path.
func isPath(text string) bool {
	return text != "" && text[0] != '.' && !strings.ContainsAny(text, "()*[];\"")
}

// isExported reports whether text begins with an upper-case letter.
func isExported(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(r)
}

// cutField returns the first field of line, and what follows it.
func cutField(line string) (field, rest string) {
	i := 0
	for i < len(line) && line[i] != ' ' && line[i] != '\t' {
		i++
	}
	return line[:i], strings.TrimLeft(line[i:], " \t")
}

// suggestVerb says which verb was meant, or which there are.
func suggestVerb(unknown Verb) string {
	best, distance := Verb(""), 3
	var all []string
	for _, v := range verbs() {
		if d := editDistance(string(unknown), string(v)); d < distance {
			best, distance = v, d
		}
		all = append(all, string(v))
	}
	if best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return "write one of " + strings.Join(all, ", ")
}

// editDistance counts the bytes to insert, remove or replace to get from a to b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
