/// The supported video codecs (requirement row 3).
package enum VideoCodec: String, Sendable, Hashable, CaseIterable {
    case h264
    case h265

    /// The encoding name in SDP (RFC 6184 section 8.1, RFC 7798 section 7.1).
    package var encodingName: String { self == .h264 ? "H264" : "H265" }
}

/// The chroma sampling of a picture.
package enum ChromaSampling: String, Sendable, Hashable, CaseIterable {
    /// 4:2:0, with one chroma sample for four pixels: every decoder supports it.
    case yuv420 = "420"
    /// A chroma sample for every pixel, which keeps coloured text sharp.
    case yuv444 = "444"
}

/// The colour space and range of a picture's samples, as code points of ITU-T H.273. The source writes them into the
/// VUI and the sink reads them from it; they are never assumed (requirement rows 90 and 91, defect 5).
package struct ColorDescription: Sendable, Hashable {
    /// `colour_primaries`: 1 = BT.709, 6 = SMPTE 170M (SMPTE-C), 2 = unspecified.
    package var primaries: UInt8
    /// `transfer_characteristics`: 1 = BT.709, 13 = sRGB, 2 = unspecified.
    package var transfer: UInt8
    /// `matrix_coefficients`: 1 = BT.709, 6 = BT.601, 2 = unspecified.
    package var matrix: UInt8
    /// True if samples use 0...255 and not 16...235 (16...240 for chroma).
    package var isFullRange: Bool

    package init(primaries: UInt8, transfer: UInt8, matrix: UInt8, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }

    /// BT.709, limited range: the default.
    package static let bt709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: false)
    /// BT.709 colours by the BT.601 matrix, limited range. Browsers without a graphics card convert this matrix almost
    /// exactly: libyuv's coefficient of blue is at most 2.0, which is close to BT.601's 2.02, but not to BT.709's 2.11.
    package static let bt709By601 = ColorDescription(primaries: 1, transfer: 1, matrix: 6, isFullRange: false)
    /// The colour that requirement row 91 specifies: SMPTE-C primaries, BT.709 transfer, BT.601 matrix, limited range.
    package static let bt601 = ColorDescription(primaries: 6, transfer: 1, matrix: 6, isFullRange: false)
    /// The values of a stream that signals no colour: unspecified, limited range.
    package static let unspecified = ColorDescription(primaries: 2, transfer: 2, matrix: 2, isFullRange: false)
}

/// The format that an encoder has to produce: codec, size, frame rate, bitrate, profile and level (requirement row 2),
/// with chroma and colour.
///
/// The default values are those of the requirements; the command-line tool and apps have other defaults.
package struct VideoFormat: Sendable, Hashable {
    package var codec: VideoCodec
    package var size: PixelSize
    package var framesPerSecond: Int
    /// The upper limit for rate control; a quiet screen uses far less.
    package var bitrate: Bitrate
    package var chroma: ChromaSampling
    package var color: ColorDescription
    /// The forced `profile_idc`; `nil` if codec and chroma determine it. Hardware encoders use it; x264 and x265 always
    /// follow codec and chroma.
    package var profile: UInt8?
    /// The forced `level_idc`; `nil` if size and rate determine it. x264 uses it; other encoders always follow size and
    /// rate.
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

    /// The time between frames at `framesPerSecond`.
    package var frameInterval: Duration { .nanoseconds(1_000_000_000 / Int64(max(1, framesPerSecond))) }
}
