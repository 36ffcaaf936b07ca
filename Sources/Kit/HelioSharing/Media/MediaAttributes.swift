package import HelioCore

/// The attributes of a stream that both ends have agreed on (requirement row 24): codec, size, frame rate and bitrate.
public struct MediaAttributes: Sendable, Hashable {
    /// A video codec, named by its MIME type.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// H.264.
        case avc = "video/avc"
        /// H.265.
        case hevc = "video/hevc"
    }

    /// The codec.
    public var format: Format
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The maximum frame rate, in frames a second.
    public var framesPerSecond: Int
    /// The maximum bitrate, in bits a second.
    public var bitrate: Int
    /// The `profile_idc` if one end requires a certain profile; otherwise `nil`.
    public var profile: UInt8?
    /// The `level_idc` if one end requires a certain level; otherwise `nil`.
    public var level: UInt8?

    /// Makes attributes; the defaults, 8 Mbit/s at 60 frames a second, are the specification's (requirement row 2).
    public init(
        format: Format, width: Int, height: Int, framesPerSecond: Int = 60, bitrate: Int = 8_000_000,
        profile: UInt8? = nil, level: UInt8? = nil
    ) {
        self.format = format
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.bitrate = bitrate
        self.profile = profile
        self.level = level
    }

    package init(_ video: VideoFormat) {
        self.init(
            format: video.codec == .h264 ? .avc : .hevc, width: video.size.width, height: video.size.height,
            framesPerSecond: video.framesPerSecond, bitrate: video.bitrate.bitsPerSecond, profile: video.profile,
            level: video.level)
    }

    /// Converts the attributes to the engine's format. Throws `invalidArgument` for values out of range.
    package func videoFormat() throws(HelioError) -> VideoFormat {
        guard (16...16384).contains(width), (16...16384).contains(height) else {
            throw HelioError(.invalidArgument, "A stream of \(width)x\(height) is not possible: 16 to 16384 pixels.")
        }
        guard (1...240).contains(framesPerSecond), (10_000...1_000_000_000).contains(bitrate) else {
            throw HelioError(
                .invalidArgument,
                "\(framesPerSecond) frames and \(bitrate) bits a second are not possible: 1 to 240, and 10 kbit/s to "
                    + "1 Gbit/s.")
        }
        return VideoFormat(
            codec: format == .avc ? .h264 : .h265, size: PixelSize(width: width, height: height),
            framesPerSecond: framesPerSecond, bitrate: Bitrate(bitsPerSecond: bitrate), profile: profile, level: level)
    }
}
