/// The video codecs that are carried end to end (row 3).
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
    case h264
    case h265

    /// The `encoding name` of SDP (RFC 6184 section 8.1, RFC 7798 section 7.1).
    package var encodingName: String { self == .h264 ? "H264" : "H265" }
    /// The MIME type that the specs call `format` (row 24).
    package var mimeType: String { self == .h264 ? "video/avc" : "video/hevc" }
}

/// The chroma sampling of a picture.
package enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
    /// One colour sample for four pixels: what every decoder can do.
    case yuv420 = "420"
    /// A colour sample for every pixel: coloured text stays sharp.
    case yuv444 = "444"
}

/// The meaning of a picture's samples, as code points of ITU-T H.273: written in the VUI by the source and read back by
/// the sink, never assumed (rows 90 and 91, defect 5).
package struct ColorDescription: Sendable, Hashable {
    /// `colour_primaries`: 1 = BT.709, 6 = SMPTE 170M (SMPTE-C), 2 = unspecified.
    package var primaries: UInt8
    /// `transfer_characteristics`: 1 = BT.709, 13 = sRGB, 2 = unspecified.
    package var transfer: UInt8
    /// `matrix_coefficients`: 1 = BT.709, 6 = BT.601, 2 = unspecified.
    package var matrix: UInt8
    /// True if samples use 0...255 and not 16...235 (16...240 for colour).
    package var isFullRange: Bool

    package init(primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// BT.709, limited range: what the source sends unless told otherwise.
    package static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    /// The spec's own choice (row 91): SMPTE-C primaries, BT.709 transfer, BT.601 matrix, limited range.
    package static let bt601 = ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: false)
    /// Nothing was said.
    package static let unspecified = ColorDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
}

/// The format that an encoder is to code: the spec's seven numbers (row 2), and chroma and colour.
///
/// The numbers that have a default have the spec's, but for `share` and apps, which have defaults of their own.
package struct VideoFormat: Sendable, Hashable {
    package var codec: VideoCodec
    package var size: PixelSize
    package var framesPerSecond: Int
    /// The ceiling that rate control keeps to; a quiet screen uses far less.
    package var bitrate: Bitrate
    package var chroma: ChromaSampling
    package var color: ColorDescription
    /// `profile_idc` where one is forced; `nil` lets codec and chroma decide. Hardware encoders heed it; x264 and x265
    /// go by codec and chroma alone.
    package var profile: UInt8?
    /// `level_idc` where one is forced; `nil` lets size and rate decide. x264 heeds it, the others go by size and rate.
    package var level: UInt8?

    package init(
        codec: VideoCodec, size: PixelSize, framesPerSecond: Int = 60, bitrate: Bitrate = .megabits(8),
        chroma: ChromaSampling = .yuv420, color: ColorDescription = .bt709, profile: UInt8? = nil,
        level: UInt8? = nil
    ) {
        self.codec = codec
        self.size = size
        self.framesPerSecond = framesPerSecond
        self.bitrate = bitrate
        self.chroma = chroma
        self.color = color
        self.profile = profile
        self.level = level
    }

    /// The time from one frame to the next, at the full rate.
    package var frameInterval: Duration { .nanoseconds(1_000_000_000 / Int64(max(1, framesPerSecond))) }
}
