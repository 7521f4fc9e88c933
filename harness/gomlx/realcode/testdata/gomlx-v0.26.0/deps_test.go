package real

import _ "gonum.org/v1/plot/plotter"
import _ "github.com/gomlx/bsplines"
