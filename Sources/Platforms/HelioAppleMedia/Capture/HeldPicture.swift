package import HelioCore

/// A picture that holds the platform's buffer with the pixels, so that nothing is copied from capture to encoder.
///
/// Belongs to the media thread.
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
