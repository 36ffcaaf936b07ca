package import CoreVideo

/// A `Sendable` wrapper of a Core Video pixel buffer, as no code writes to the buffer after the stream has delivered
/// it.
package struct PixelBuffer: @unchecked Sendable {
    package let pixels: CVPixelBuffer

    package init(_ pixels: CVPixelBuffer) { self.pixels = pixels }
}
