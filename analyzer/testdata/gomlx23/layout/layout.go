// Package layout imports every package that the engine profile names, so that go.sum covers them all.
package layout

import (
	_ "github.com/gomlx/exceptions"
	_ "github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/graph"
	_ "github.com/gomlx/gomlx/graph/graphtest"
	_ "github.com/gomlx/gomlx/graph/nanlogger"
	_ "github.com/gomlx/gomlx/ml/context"
	_ "github.com/gomlx/gomlx/ml/context/ctxtest"
	_ "github.com/gomlx/gomlx/ml/data"
	_ "github.com/gomlx/gomlx/ml/layers"
	_ "github.com/gomlx/gomlx/ml/layers/batchnorm"
	_ "github.com/gomlx/gomlx/ml/layers/fnn"
	_ "github.com/gomlx/gomlx/ml/layers/kan"
	_ "github.com/gomlx/gomlx/ml/layers/lstm"
	_ "github.com/gomlx/gomlx/ml/layers/rational"
	_ "github.com/gomlx/gomlx/ml/layers/regularizers"
	_ "github.com/gomlx/gomlx/ml/layers/vnn"
	_ "github.com/gomlx/gomlx/ml/train"
	_ "github.com/gomlx/gomlx/ml/train/metrics"
	_ "github.com/gomlx/gomlx/ml/train/optimizers"
	_ "github.com/gomlx/gomlx/ml/train/optimizers/cosineschedule"
	_ "github.com/gomlx/gomlx/types/tensors"
	_ "github.com/gomlx/gomlx/types/xslices"
	_ "github.com/gomlx/gomlx/types/xsync"
)
