// Package statemaker makes state for the fixtures of rule state-creation.
package statemaker

import (
	"github.com/gomlx/compute/dtypes"

	"github.com/tracelint/tracelint/harness/gomlx/function"
)

// Scale makes a variable in any context that it is given.
func Scale(c *function.Ctx) *function.Variable {
	return c.Variable("scale", function.Fill(function.SpecOf(dtypes.Float32), 1))
}
