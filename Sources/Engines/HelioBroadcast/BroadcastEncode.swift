package import HelioCore

/// The encoder settings of a broadcast, within their ranges.
///
/// A broadcast is encoded separately from the viewers' stream, so that its keyframes and its size don't affect viewers.
/// If the viewers' stream has the same settings and does not adapt to their paths, one encoding serves both.
package struct BroadcastEncode: Sendable, Hashable {
    /// The default size (requirement row 161).
    package static let defaultSize = PixelSize(width: 1280, height: 720)
    package static let defaultKeyframeInterval = Duration.seconds(2)
    package static let sides = 16...4096
    package static let framesPerSecondRange = 1...120
    package static let bitrates = Bitrate.kilobits(100)...Bitrate.megabits(100)
    package static let keyframeIntervals = Duration.milliseconds(500)...Duration.seconds(10)

    /// A setting in which the viewers' encoding differs from the broadcast's.
    package enum Difference: String, Sendable, Hashable, CaseIterable {
        case codec
        case size
        case framesPerSecond
        case bitrate
        case chroma
        /// The primaries, the transfer function or the range. A different matrix alone is no difference: viewers
        /// receive the matrix with the stream, so their encoding can use the broadcast's matrix.
        case color
        /// The viewers' encoding adapts to their paths.
        case adaptation
    }

    package let codec: VideoCodec
    /// The maximum width and height in pixels; they are swapped for a screen of the other orientation.
    package let size: PixelSize
    package let framesPerSecond: Int
    package let bitrate: Bitrate
    package let keyframeInterval: Duration
    /// The colours, BT.709 or BT.601 with limited range, which players support. The stream is tagged with them
    /// (requirement rows 90 to 92).
    package let color: ColorDescription

    /// Makes settings. Throws `invalidArgument` if a setting is out of its range.
    package init(
        codec: VideoCodec = .h264, size: PixelSize = defaultSize, framesPerSecond: Int = 30,
        bitrate: Bitrate = .megabits(3), keyframeInterval: Duration = defaultKeyframeInterval,
        color: ColorDescription = .bt709
    ) throws(HelioError) {
        guard Self.sides.contains(size.width), Self.sides.contains(size.height), size.width & 1 == 0,
            size.height & 1 == 0
        else {
            throw HelioError(.invalidArgument, "A broadcast's picture has sides of 16 to 4096 pixels, even numbers.")
        }
        guard Self.framesPerSecondRange.contains(framesPerSecond) else {
            throw HelioError(.invalidArgument, "A broadcast has 1 to 120 pictures a second.")
        }
        guard Self.bitrates.contains(bitrate) else {
            throw HelioError(.invalidArgument, "A broadcast's bitrate is 0.1 to 100 Mbit/s.")
        }
        guard Self.keyframeIntervals.contains(keyframeInterval) else {
            throw HelioError(.invalidArgument, "A broadcast has a keyframe every 0.5 to 10 seconds.")
        }
        guard color == .bt709 || color == .bt601 else {
            throw HelioError(.invalidArgument, "A broadcast's colours are those of BT.709 or BT.601, limited range.")
        }
        self.codec = codec
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.bitrate = bitrate
        self.keyframeInterval = keyframeInterval
        self.color = color
    }

    /// The format in which a screen is encoded.
    package func format(of screen: PixelSize) -> VideoFormat {
        VideoFormat(
            codec: codec, size: fit(screen), framesPerSecond: framesPerSecond, bitrate: bitrate, chroma: .yuv420,
            color: color)
    }

    /// The picture's size for a screen: it has the screen's aspect ratio, and fits within ``size``, swapped for a
    /// screen of the other orientation. It is never larger than the screen.
    package func fit(_ screen: PixelSize) -> PixelSize {
        let isUpright = screen.height > screen.width
        let limit = isUpright == (size.height > size.width) ? size : PixelSize(width: size.height, height: size.width)
        return screen.fitted(within: limit)
    }

    /// The settings in which the viewers' encoding of a screen differs. If there are none, that encoding also serves
    /// the broadcast in the broadcast's ``color``, and gets the broadcast's keyframe requests.
    ///
    /// - Parameters:
    ///   - viewers: the format in which the screen is encoded for viewers.
    ///   - adapts: true if the bitrate, size or frame rate of the viewers' encoding adapts to their paths.
    package func differences(from viewers: VideoFormat, adapts: Bool, screen: PixelSize) -> Set<Difference> {
        let own = format(of: screen)
        var found: Set<Difference> = []
        if viewers.codec != own.codec { found.insert(.codec) }
        if viewers.size != own.size { found.insert(.size) }
        if viewers.framesPerSecond != own.framesPerSecond { found.insert(.framesPerSecond) }
        if viewers.bitrate != own.bitrate { found.insert(.bitrate) }
        if viewers.chroma != own.chroma { found.insert(.chroma) }
        var color = viewers.color
        color.matrix = own.color.matrix
        if color != own.color { found.insert(.color) }
        if adapts { found.insert(.adaptation) }
        return found
    }
}
