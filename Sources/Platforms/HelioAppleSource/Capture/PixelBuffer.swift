package import CoreVideo

/// A picture of Core Video's in a box that may cross threads: nobody writes to it once the stream has handed it over.
package struct PixelBuffer: @unchecked Sendable {
    package let pixels: CVPixelBuffer

    package init(_ pixels: CVPixelBuffer) { self.pixels = pixels }
}
