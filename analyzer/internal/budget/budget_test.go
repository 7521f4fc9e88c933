package budget_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tracelint/tracelint/analyzer/internal/budget"
)

func TestAStageEndsWithItsSteps(t *testing.T) {
	steps := budget.New(100)
	done := 0
	steps.Do(func() {
		for {
			steps.Take(1)
			done++
		}
	})
	require.Equal(t, 100, done)
	require.True(t, steps.UsedUp())

	done = 0
	steps.Do(func() {
		for {
			steps.Take(1)
			done++
		}
	})
	require.Equal(t, 10, done, "a later stage has a tenth for itself")
}

func TestStagesShareSteps(t *testing.T) {
	steps := budget.New(100)
	reached := 0
	steps.Do(func() { steps.Take(60) })
	require.False(t, steps.UsedUp())
	steps.Do(func() {
		steps.Take(40)
		reached++
		steps.Take(1)
		reached++
	})
	require.Equal(t, 1, reached)
	require.True(t, steps.UsedUp())
}

func TestRecursionIsBounded(t *testing.T) {
	steps := budget.New(1 << 40)
	depth := 0
	var down func()
	down = func() {
		steps.Down()
		defer steps.Up()
		depth++
		down()
	}
	steps.Do(down)
	require.Equal(t, 10_000, depth)
	require.True(t, steps.UsedUp())

	again := budget.New(1 << 40)
	again.Do(func() {
		for range 20_000 {
			again.Down()
			again.Up()
		}
	})
	require.False(t, again.UsedUp())
}

func TestAPanicOfTheWorkItselfPasses(t *testing.T) {
	failure := errors.New("failure")
	require.PanicsWithValue(t, failure, func() { budget.New(1).Do(func() { panic(failure) }) })
}
