// Package shape rasterises shapes and measures masks: what drawn parts cover, Gaussian
// blur, connected components, depths within an outline, and Fourier descriptors of
// contours.
package shape
