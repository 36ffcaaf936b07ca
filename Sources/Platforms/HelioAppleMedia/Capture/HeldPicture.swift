package import HelioCore

/// A picture that references the platform's pixel buffer, so that capture passes pixels to the encoder without a copy.
///
/// This type is used on the media thread only.
package final class HeldPicture<Buffer: Sendable> {
    package let size: PixelSize
    package let chroma: ChromaSampling
    package let color: ColorDescription
    /// The pixels; `nil` before the first capture.
    package var buffer: Buffer?

    package init(size: PixelSize, chroma: ChromaSampling, color: ColorDescription, buffer: Buffer? = nil) {
        self.size = size
        self.chroma = chroma
        self.color = color
        self.buffer = buffer
    }
}
