package real

import _ "github.com/gomlx/gomlx/pkg/ml/train"
import _ "github.com/gomlx/gomlx/pkg/ml/layers/kan"
