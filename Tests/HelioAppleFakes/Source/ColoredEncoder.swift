package import HelioCore

/// An encoder wrapper that overrides the caller's colour description; `nil` leaves it unchanged.
package final class ColoredEncoder<Inner: VideoEncoding>: VideoEncoding {
    package typealias Picture = Inner.Picture

    package private(set) var format: VideoFormat
    private let inner: Inner
    private let color: ColorDescription?

    init(
        _ format: VideoFormat, _ color: ColorDescription?, make: (VideoFormat) throws(HelioError) -> Inner
    ) throws(HelioError) {
        self.format = format
        self.color = color
        inner = try make(format.colored(color))
    }

    package var summary: String { inner.summary }
    package var isHardware: Bool { inner.isHardware }
    package var changesRatesInPlace: Bool { inner.changesRatesInPlace }
    package var refinementSteps: Int { inner.refinementSteps }
    package var isSharp: Bool { inner.isSharp }
    package var quality: CodedQuality? { inner.quality }

    package func encode(
        _ picture: Inner.Picture, damage: Region, request: EncodeRequest, timing: FrameTiming,
        emit: (EncodedSlice) -> Void
    ) throws(HelioError) {
        try inner.encode(picture, damage: damage, request: request, timing: timing, emit: emit)
    }

    package func reconfigure(_ format: VideoFormat) throws(HelioError) {
        try inner.reconfigure(format.colored(color))
        self.format = format
    }
}

extension VideoFormat {
    fileprivate func colored(_ color: ColorDescription?) -> VideoFormat {
        var result = self
        result.color = color ?? self.color
        return result
    }
}
