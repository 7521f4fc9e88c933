package library

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a table in the package's format. An error names the line as
// name:line, says what is wrong with it, and what to write instead.
func Parse(name string, text []byte) (*Table, error) {
	table := newTable()
	if err := table.read(name, string(text)); err != nil {
		return nil, err
	}
	return table, nil
}

// read adds the lines of text to t.
func (t *Table) read(file, text string) error {
	// Most lines share their actions with others: each text is parsed once.
	known := map[string][]Action{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if err := t.readLine(line, known); err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return nil
}

// readLine adds one line, which is not empty.
func (t *Table) readLine(line string, known map[string][]Action) error {
	name, rest := cutField(line)
	scope := functionLine
	if name == "package" {
		scope = packageLine
		if name, rest = cutField(rest); name == "" {
			return fmt.Errorf("package has no path: write %q", "package PATH ACTION")
		}
	}
	path := name
	if scope == functionLine {
		var err error
		if path, scope, err = splitName(name); err != nil {
			return err
		}
	} else if !isPath(path) {
		return fmt.Errorf("%q is no import path", path)
	}
	actions, found := known[rest]
	if !found {
		var err error
		if actions, err = parseActions(rest); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		known[rest] = actions
	}
	for _, a := range actions {
		if err := scope.allows(a); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if scope == packageLine {
		name = packageKey(path)
	}
	if _, found := t.lines[name]; found {
		return fmt.Errorf("%s is listed twice: keep one line", name)
	}
	t.lines[name] = actions
	t.packages[path] = true
	return nil
}

// A scope is what a line speaks of.
type scope int

const (
	functionLine scope = iota
	methodLine
	methodsLine // all methods of a type
	packageLine
)

// allows returns an error if a names an operand that not every function in
// the scope has.
func (s scope) allows(a Action) error {
	for _, o := range []Operand{a.On, a.Into} {
		switch {
		case o == None:
		case s == functionLine && o == Recv:
			return fmt.Errorf("a function has no recv: name an argument, as in arg0")
		case s == methodsLine && o != Recv:
			return fmt.Errorf("methods differ in their arguments, so %s stands for nothing: give each a line of its own", o)
		case s == packageLine:
			return fmt.Errorf("functions differ in their arguments, so %s stands for nothing: give each a line of its own", o)
		}
	}
	return nil
}

// parseActions reads "ACTION [; ACTION ...]"; it returns nil for none.
func parseActions(text string) ([]Action, error) {
	if text == "" {
		return nil, fmt.Errorf("action is missing: write what the function does, or none")
	}
	if text == string(none) {
		return nil, nil
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
		return nil, fmt.Errorf("verb %q is unknown: %s", verb, suggestVerb(verb))
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
		return nil, fmt.Errorf("%s takes no operand: remove %q", verb, strings.Join(operands, " "))
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
		return None, fmt.Errorf("operand %q is unknown: write recv, arg0, arg1, ..., args or result", text)
	}
	return o, nil
}

// splitName returns the import path in a function's name, and whether it is a
// function's, a method's or a type's line.
func splitName(name string) (path string, _ scope, err error) {
	if strings.ContainsAny(name, "[]") {
		return "", 0, fmt.Errorf("%q has type parameters: leave the brackets out", name)
	}
	qualified, kind, ok := name, functionLine, true
	if strings.HasPrefix(name, "(") {
		var method string
		qualified, method, ok = strings.Cut(strings.TrimPrefix(name[1:], "*"), ").")
		kind = methodLine
		if method == "*" {
			kind = methodsLine
		} else {
			ok = ok && isIdentifier(method)
		}
	}
	dot := strings.LastIndexByte(qualified, '.')
	if !ok || dot < 0 || !isPath(qualified[:dot]) || !isIdentifier(qualified[dot+1:]) {
		return "", 0, fmt.Errorf("%q is no function's name: write it as in fmt.Println, (*log.Logger).Printf or (io.Writer).Write", name)
	}
	path, base := qualified[:dot], qualified[dot+1:]
	// An import path may end in ".v3", but hardly in ".Logger".
	if owner := path[strings.LastIndexAny(path, "./")+1:]; kind == functionLine && isExported(owner) && strings.HasSuffix(path, "."+owner) {
		return "", 0, fmt.Errorf("%q is a method without parentheses: write (*%s).%s or (%s).%s", name, path, base, path, base)
	}
	return path, kind, nil
}

// isExported reports whether the identifier begins with an upper-case letter.
func isExported(identifier string) bool {
	r, _ := utf8.DecodeRuneInString(identifier)
	return unicode.IsUpper(r)
}

// isPath reports whether text may be an import path.
func isPath(text string) bool {
	return text != "" && !strings.ContainsAny(text, "()*[];\"") && !strings.HasPrefix(text, ".")
}

// isIdentifier reports whether text is a Go identifier or keyword. It stands
// in for [go/token.IsIdentifier], whose keyword lookup would cost more than all
// the rest of a line.
func isIdentifier(text string) bool {
	for i, r := range text {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return text != ""
}

// cutField returns the first field of line, and what follows it.
func cutField(line string) (field, rest string) {
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimLeft(line[i:], " \t")
}

// suggestVerb says which verb was meant, or which there are.
func suggestVerb(unknown Verb) string {
	best, distance := Verb(""), 3
	var all []string
	for _, v := range Verbs() {
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
