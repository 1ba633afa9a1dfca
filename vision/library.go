package vision

import "gocv.io/x/gocv"

// Library is the version of OpenCV that runs, as in "4.6.0".
func Library() string { return gocv.OpenCVVersion() }
