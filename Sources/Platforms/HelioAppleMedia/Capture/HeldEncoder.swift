package import HelioCore

/// An encoder of `HeldPicture`s that passes their buffers to the platform's encoder without copying them.
package final class HeldEncoder<Inner: VideoEncoding, Buffer: Sendable>: VideoEncoding {
    package typealias Picture = HeldPicture<Buffer>

    private let inner: Inner
    private let open: (Buffer) -> Inner.Picture

    /// - Parameter open: converts a buffer to the inner encoder's picture type.
    package init(_ inner: Inner, open: @escaping (Buffer) -> Inner.Picture) {
        self.inner = inner
        self.open = open
    }

    package var format: VideoFormat { inner.format }
    package var summary: String { inner.summary }
    package var isHardware: Bool { inner.isHardware }
    package var changesRatesInPlace: Bool { inner.changesRatesInPlace }
    package var refinementSteps: Int { inner.refinementSteps }
    package var isSharp: Bool { inner.isSharp }
    package var repairs: Bool { inner.repairs }
    package var quality: CodedQuality? { inner.quality }

    /// Encodes the picture's buffer. Throws `encoderFailed` if the picture has no buffer yet.
    package func encode(
        _ picture: HeldPicture<Buffer>, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        guard let buffer = picture.buffer else {
            throw HelioError(.encoderFailed, "There is no picture to code yet.")
        }
        try inner.encode(open(buffer), damage: damage, request: request, timing: timing, emit: emit)
    }

    package func debt(now: Instant) -> Duration { inner.debt(now: now) }
    package func reconfigure(_ format: VideoFormat) throws(HelioError) { try inner.reconfigure(format) }
}
