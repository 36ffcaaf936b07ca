package import CoreVideo

/// A Core Video picture in a box that may cross threads: nobody writes to the picture once the stream has delivered it.
package struct PixelBuffer: @unchecked Sendable {
    package let pixels: CVPixelBuffer

    package init(_ pixels: CVPixelBuffer) { self.pixels = pixels }
}
