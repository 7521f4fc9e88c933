// Package real names the packages of GoMLX that are judged, so that go.sum has all that they need.
package real

import (
	_ "github.com/gomlx/gomlx/core/graph/graphtest"
	_ "github.com/gomlx/gomlx/ml/layers/bspline"
	_ "github.com/gomlx/gomlx/ml/train"
)
