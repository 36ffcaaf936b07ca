package import HelioCore

/// The settings of a broadcast's own encode, within their ranges.
///
/// A broadcast is coded apart from what viewers see, so that its keyframes and its size cost them nothing; unless theirs is
/// coded by the same settings, and serves both.
package struct BroadcastEncode: Sendable, Hashable {
    /// Row 161.
    package static let defaultSize = PixelSize(width: 1280, height: 720)
    package static let defaultKeyframeInterval = Duration.seconds(2)
    package static let sides = 16...4096
    package static let framesPerSecondRange = 1...120
    package static let bitrates = Bitrate.kilobits(100)...Bitrate.megabits(100)
    package static let keyframeIntervals = Duration.milliseconds(500)...Duration.seconds(10)

    /// A setting in which the viewers' encode is another one.
    package enum Difference: String, Sendable, Hashable, CaseIterable {
        case codec
        case size
        case framesPerSecond
        case bitrate
        case chroma
        case color
        case keyframeInterval
    }

    package let codec: VideoCodec
    /// The most pixels to the right and down; of an upright screen the other way round.
    package let size: PixelSize
    package let framesPerSecond: Int
    package let bitrate: Bitrate
    package let keyframeInterval: Duration
    /// BT.709 or BT.601, limited range: what players take, and what the stream is tagged by (rows 90 to 92).
    package let color: ColorDescription

    /// Throws `invalidArgument` for what is out of range.
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

    /// The format to code a screen in: its shape within ``size``, which is turned for an upright screen. Never larger
    /// than the screen.
    package func format(of screen: PixelSize) -> VideoFormat {
        let isUpright = screen.height > screen.width
        let limit = isUpright == (size.height > size.width) ? size : PixelSize(width: size.height, height: size.width)
        return VideoFormat(
            codec: codec, size: screen.fitted(within: limit), framesPerSecond: framesPerSecond, bitrate: bitrate,
            chroma: .yuv420, color: color)
    }

    /// The settings in which the viewers' encode of a screen differs: where there are none, it serves the broadcast too.
    ///
    /// - Parameters:
    ///   - viewers: the format that is coded for viewers.
    ///   - interval: the time between its keyframes; `nil` where they come on request alone, which the broadcast's would
    ///     cost the viewers bits and time for.
    package func differences(
        from viewers: VideoFormat, keyframeInterval interval: Duration?, screen: PixelSize
    ) -> Set<Difference> {
        let own = format(of: screen)
        var found: Set<Difference> = []
        if viewers.codec != own.codec { found.insert(.codec) }
        if viewers.size != own.size { found.insert(.size) }
        if viewers.framesPerSecond != own.framesPerSecond { found.insert(.framesPerSecond) }
        if viewers.bitrate != own.bitrate { found.insert(.bitrate) }
        if viewers.chroma != own.chroma { found.insert(.chroma) }
        if viewers.color != own.color { found.insert(.color) }
        if interval != keyframeInterval { found.insert(.keyframeInterval) }
        return found
    }
}
