package function

import (
	"fmt"
	"reflect"
	"sync"
)

// typeNames names types for people: as they are written, with a number after
// the second one and further ones that are written alike, since their packages
// or the functions that they are declared in have the same name.
type typeNames struct {
	mu    sync.Mutex
	names map[reflect.Type]string
	used  map[string]int
}

func (n *typeNames) name(t reflect.Type) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if name, ok := n.names[t]; ok {
		return name
	}
	if n.names == nil {
		n.names, n.used = map[reflect.Type]string{}, map[string]int{}
	}
	name := cut(t.String(), maxText)
	n.used[name]++
	if used := n.used[name]; used > 1 {
		name = fmt.Sprintf("%s#%d", name, used)
	}
	n.names[t] = name
	return name
}
