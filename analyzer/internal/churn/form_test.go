package churn

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/require"
)

// A loop's counter, the length of something and what a loop cannot change.
func numbers() (loop dep, counter, text, size value) {
	loop = dep{kind: byTurn, loop: new(ast.ForStmt)}
	counter = of(&atom{id: 1, deps: []dep{loop}, counter: true})
	text = of(&atom{id: 2, deps: []dep{loop}, text: true})
	size = of(&atom{id: 3})
	return loop, counter, text, size
}

func TestWindowsAreConstant(t *testing.T) {
	loop, i, text, size := numbers()
	require.NotNil(t, i.on(loop))
	require.NotNil(t, text.on(loop))
	require.Nil(t, size.on(loop))
	require.Nil(t, i.plus(size).minus(i).on(loop), "x[i:i+size]")
	require.Nil(t, i.plus(size).least(text).minus(i).on(loop), "x[i:min(i+size, n)]")
	require.NotNil(t, text.minus(i).on(loop), "x[i:] of a text")
	require.NotNil(t, size.minus(i).on(loop), "x[i:]")
	require.NotNil(t, text.least(size).on(loop), "cut, but not padded")
	require.Nil(t, size.least(size.minus(i)).on(loop), "batches and a last one")
}

func TestArithmetic(t *testing.T) {
	_, i, text, size := numbers()
	sum := i.plus(text).plus(constantValue(3))
	require.True(t, sum.minus(text).minus(constantValue(3)).equal(i), "forms are equal by what they add up to")
	require.True(t, sum.minus(sum).fixed())
	require.True(t, size.fixed())
	require.False(t, sum.fixed())
	require.True(t, constantValue(2).or(constantValue(4)).numbers())
	require.Len(t, constantValue(2).or(constantValue(2)), 1)
	many := value{}
	for n := range int64(2 * maxAlternatives) {
		many = many.or(constantValue(n))
	}
	require.Len(t, many, maxAlternatives)
}
