package tracecheck

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDurationsHaveThreeDigits(t *testing.T) {
	for want, d := range map[string]time.Duration{
		"0s":     0,
		"999ns":  999,
		"1.23µs": 1234,
		"12.3µs": 12_345,
		"123µs":  123_456,
		"1.24ms": 1_235_000,
		"2m3s":   123_456 * time.Millisecond,
	} {
		require.Equal(t, want, duration(d))
	}
}
