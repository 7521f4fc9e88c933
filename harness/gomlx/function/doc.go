// Package function is TensorFlow's tf.function for Go, on GoMLX's graphs and
// backends.
package function
