package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tracelint/tracelint/internal/clip"
)

// kinds says which lists of indices a kind must have (true) or may have (false).
var kinds = map[Kind]map[string]bool{
	Wrap:         {"traced": true},
	Once:         {"traced": true},
	Test:         {"traced": true},
	Call:         {"host": false, "inputs": false, "trains": false},
	Configure:    {"cache": false},
	Release:      {},
	Attach:       {"traced": true, "host": false},
	Traced:       {},
	Decorate:     {"returns": true},
	Inline:       {"inline": true},
	HostCallback: {"host": true},
	NoReturn:     {},
	Random:       {"seed": false},
	Recover:      {"inline": true},
	RecoverType:  {"inline": true},
	Shaped:       {"like": false, "dims": false},
	Pad:          {},
	Batch:        {"size": true, "drop": true},
	Shuffle:      {},
	Yield:        {"key": false},
	Key:          {},
	Variable:     {"label": true, "traced": false},
	Scope:        {"label": true},
	Draw:         {},
	HostValue:    {},
	State:        {"host": false},
	Layer:        {},
	BuildLayer:   {},
	HostContext:  {},
}

// check reports the first thing that makes a profile meaningless.
func (p *Profile) check() error {
	if p.Engine == "" {
		return errors.New("engine: no name: give the engine's name as messages show it")
	}
	if len(p.Packages) == 0 {
		return errors.New("packages: none: map each package's name to the ends of its import paths")
	}
	for _, module := range p.Modules {
		if !cleanPath(module) {
			return fmt.Errorf("modules: %s is no import path", clip.Quote(module))
		}
	}
	for _, directory := range p.Except {
		if !cleanPath(directory) || strings.Contains(directory, "/") {
			return fmt.Errorf("except: %s is no directory directly below a module", clip.Quote(directory))
		}
	}
	if err := p.checkPackages(); err != nil {
		return err
	}
	if err := p.checkTypes(); err != nil {
		return err
	}
	if p.Cache < 0 {
		return fmt.Errorf("cache: %d: give the number of signatures that a wrapper's cache holds, 0 if it has no bound", p.Cache)
	}
	return p.checkFunctions()
}

func (p *Profile) checkPackages() error {
	owner := map[string]string{}
	for _, name := range sortedKeys(p.Packages) {
		if len(p.Packages[name]) == 0 {
			return fmt.Errorf("packages: %s: no path: give the end of its import path", name)
		}
		for _, path := range p.Packages[name] {
			if !cleanPath(path) {
				return fmt.Errorf("packages: %s: %s is no end of an import path: leave out leading and trailing slashes", name, clip.Quote(path))
			}
			if other, ok := owner[path]; ok {
				return fmt.Errorf("packages: %s: %s belongs to %s already", name, path, other)
			}
			owner[path] = name
		}
	}
	return nil
}

func (p *Profile) checkTypes() error {
	seen := map[string]string{}
	for _, list := range p.Types.lists() {
		for _, text := range list.names {
			name, ok := parseTypeName(text)
			if !ok {
				return fmt.Errorf("types: %s: %s is no type: write *graph.Node or dataset.GraphBatch", list.key, clip.Quote(text))
			}
			if err := p.known(name.pkg); err != nil {
				return fmt.Errorf("types: %s: %s: %w", list.key, text, err)
			}
			if other, ok := seen[name.key()]; ok {
				return fmt.Errorf("types: %s: %s is in %s already", list.key, text, other)
			}
			seen[name.key()] = list.key
		}
	}
	return nil
}

func (p *Profile) checkFunctions() error {
	seen := map[string]int{}
	for i, group := range p.Functions {
		if err := group.check(); err != nil {
			return fmt.Errorf("functions: group %d: %w", i+1, err)
		}
		for _, text := range group.Names {
			name, ok := parseFuncName(text)
			if !ok {
				return fmt.Errorf("functions: group %d: %s is no function: write graph.NewExec or (*graph.Exec).Call", i+1, clip.Quote(text))
			}
			if err := p.known(name.pkg); err != nil {
				return fmt.Errorf("functions: group %d: %s: %w", i+1, text, err)
			}
			if other, ok := seen[name.key()]; ok {
				return fmt.Errorf("functions: group %d: %s is in group %d already", i+1, text, other)
			}
			seen[name.key()] = i + 1
		}
	}
	return nil
}

func (group Functions) check() error {
	allowed, ok := kinds[group.Kind]
	if !ok {
		return fmt.Errorf("unknown kind %s: use one of %s", clip.Quote(string(group.Kind)), strings.Join(sortedKeys(kinds), ", "))
	}
	if len(group.Names) == 0 {
		return fmt.Errorf("kind %s: no names", group.Kind)
	}
	if group.Identity && group.Inputs == nil {
		return fmt.Errorf("kind %s: identity without inputs: say which arguments are keyed", group.Kind)
	}
	if group.Dynamic && group.Kind != Configure {
		return fmt.Errorf("kind %s takes no dynamic", group.Kind)
	}
	seen := map[int]string{}
	for _, list := range group.indices() {
		must, may := allowed[list.key]
		if must && len(list.values) == 0 {
			return fmt.Errorf("kind %s: no %s: give the index of the parameter that takes the function", group.Kind, list.key)
		}
		if !may && len(list.values) > 0 {
			return fmt.Errorf("kind %s takes no %s", group.Kind, list.key)
		}
		for _, index := range list.values {
			if index < 0 {
				return fmt.Errorf("kind %s: %s: index %d: indices count from 0", group.Kind, list.key, index)
			}
			if other, ok := seen[index]; ok {
				return fmt.Errorf("kind %s: index %d is in both %s and %s", group.Kind, index, other, list.key)
			}
			seen[index] = list.key
		}
	}
	return nil
}

type indexList struct {
	key    string
	values []int
}

func (group Functions) indices() []indexList {
	lists := []indexList{
		{"traced", group.Traced}, {"inline", group.Inline}, {"host", group.Host}, {"returns", group.Returns},
		{"trains", group.Trains}, {"like", group.Like}, {"dims", group.Dims}, {"label", group.Label},
	}
	for _, one := range []struct {
		key   string
		index *int
	}{{"seed", group.Seed}, {"inputs", group.Inputs}, {"cache", group.Cache}, {"size", group.Size}, {"drop", group.Drop}, {"key", group.Key}} {
		list := indexList{key: one.key}
		if one.index != nil {
			list.values = []int{*one.index}
		}
		lists = append(lists, list)
	}
	return lists
}

func (p *Profile) known(pkg string) error {
	if _, ok := p.Packages[pkg]; !ok {
		return fmt.Errorf("unknown package %s: list it under packages", pkg)
	}
	return nil
}

func cleanPath(path string) bool {
	return path != "" && !slices.Contains(strings.Split(path, "/"), "") && !strings.ContainsAny(path, " \\")
}
