// Package layout imports every package that the engine profile names, so that go.sum covers them all.
package layout

import (
	_ "github.com/gomlx/gomlx/backends"
	_ "github.com/gomlx/gomlx/pkg/core/graph"
	_ "github.com/gomlx/gomlx/pkg/core/graph/graphtest"
	_ "github.com/gomlx/gomlx/pkg/core/graph/nanlogger"
	_ "github.com/gomlx/gomlx/pkg/core/tensors"
	_ "github.com/gomlx/gomlx/pkg/ml/context"
	_ "github.com/gomlx/gomlx/pkg/ml/context/ctxtest"
	_ "github.com/gomlx/gomlx/pkg/ml/datasets"
	_ "github.com/gomlx/gomlx/pkg/ml/layers"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/batchnorm"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/fnn"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/kan"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/lstm"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/rational"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/regularizers"
	_ "github.com/gomlx/gomlx/pkg/ml/layers/vnn"
	_ "github.com/gomlx/gomlx/pkg/ml/train"
	_ "github.com/gomlx/gomlx/pkg/ml/train/metrics"
	_ "github.com/gomlx/gomlx/pkg/ml/train/optimizers"
	_ "github.com/gomlx/gomlx/pkg/ml/train/optimizers/cosineschedule"
	_ "github.com/gomlx/gomlx/pkg/support/xslices"
	_ "github.com/gomlx/gomlx/pkg/support/xsync"
)
