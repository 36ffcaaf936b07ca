package import HelioCore

/// A picture that a decompression session has decoded.
package struct DecompressedPicture<Buffer: PictureBuffer>: DecodedImaging {
    package let buffer: Buffer
    /// The size and the samples of the buffer, and the colour space that the stream declares.
    package let description: PictureDescription
    package let damage: Region?
    /// The access unit's frame index; see `ReceivedFrame`.
    package let frameIndex: UInt64
    /// The access unit's media time at 90 kHz; see `ReceivedFrame`.
    package let mediaTime: Int64

    package init(
        buffer: Buffer, description: PictureDescription, damage: Region?, frameIndex: UInt64, mediaTime: Int64
    ) {
        self.buffer = buffer
        self.description = description
        self.damage = damage
        self.frameIndex = frameIndex
        self.mediaTime = mediaTime
    }

    package var size: PixelSize { description.size }

    package func meanLuma(everyRow step: Int) -> Double { buffer.meanLuma(everyRow: max(1, step)) }
}
