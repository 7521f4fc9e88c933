package snippet

type Model struct{ scale *function.Variable }

var spec function.Spec

//SNIPPET

func (m *Model) wrap(rt *function.Runtime) { function.New(rt, m.fun) }
