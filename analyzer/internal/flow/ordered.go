package flow

// ordered is a map that is read in the order in which its keys came, so that what is found does not
// depend on map order.
type ordered[K comparable, V any] struct {
	keys []K
	at   map[K]V
}

func (o *ordered[K, V]) get(k K) (V, bool) {
	v, ok := o.at[k]
	return v, ok
}

func (o *ordered[K, V]) put(k K, v V) {
	if o.at == nil {
		o.at = map[K]V{}
	}
	if _, ok := o.at[k]; !ok {
		o.keys = append(o.keys, k)
	}
	o.at[k] = v
}

// all reads the entries that are there when it is called, in order.
func (o *ordered[K, V]) all(yield func(K, V) bool) {
	for _, k := range o.keys[:len(o.keys):len(o.keys)] {
		if !yield(k, o.at[k]) {
			return
		}
	}
}
