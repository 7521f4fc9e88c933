// Package budget bounds the work on one package. It counts steps instead of time, so that a package is given up at the
// same point on every machine.
package budget

// maxDepth bounds recursion that follows calls: a stack that overflows kills the process.
const maxDepth = 10_000

// Steps is what may still be spent on a package.
type Steps struct {
	left, reserve, depth int
	usedUp               bool
}

// New gives so many steps.
func New(steps int) *Steps { return &Steps{left: steps, reserve: steps / 10} }

// exhausted unwinds the work for which no steps are left.
type exhausted struct{}

// Take spends steps. If there are too few, it unwinds the stage of [Steps.Do] that is under way.
func (s *Steps) Take(n int) {
	s.left -= n
	if s.left < 0 {
		s.usedUp = true
		panic(exhausted{})
	}
}

// Down spends a step on following a call, and bounds how many are followed at once. [Steps.Up] is its counterpart.
func (s *Steps) Down() {
	s.depth++
	if s.depth > maxDepth {
		s.left = 0
	}
	s.Take(1)
}

// Up says that a call was followed to its end.
func (s *Steps) Up() { s.depth-- }

// Do does a stage of the work as far as the steps last; what it noted until then stays. Each stage has a tenth of all steps for
// itself, so that what earlier ones found is still told.
func (s *Steps) Do(stage func()) {
	s.left, s.depth = max(s.left, s.reserve), 0
	defer func() {
		if value := recover(); value != nil && value != (exhausted{}) {
			panic(value)
		}
	}()
	stage()
}

// UsedUp reports whether there were too few steps for some stage.
func (s *Steps) UsedUp() bool { return s.usedUp }
