package same

import (
	"testing"

	"github.com/tracelint/tracelint/harness"
	"github.com/tracelint/tracelint/tracecheck"
)

func TestFirst(t *testing.T) { harness.Wrap(tracecheck.Record(t), "first", func() {})() }

func TestSecond(t *testing.T) { harness.Wrap(tracecheck.Record(t), "second", func() {})() }
