internal import HelioBitstream
package import HelioCore

/// A session that decodes one sample at a time: a `VTDecompressionSession`, or its substitute in a test.
///
/// A session is made for one format, and used from one thread.
package protocol DecompressionSession<Buffer>: AnyObject {
    associatedtype Buffer: PictureBuffer

    /// True if hardware decodes; constant for a session.
    var isHardware: Bool { get }

    /// Returns true if the session can decode with the given parameter sets too.
    func accepts(_ format: DecompressionFormat) -> Bool

    /// Starts to decode a sample: NAL units, each prefixed by its length in `DecompressionFormat.lengthSize` bytes.
    ///
    /// The session copies the sample, or retains it until it has called `done` (requirements, defect 6). It calls
    /// `done` once, on any thread, before or after this method returns; it does not call it if this method returns a
    /// status other than `done`.
    func decode(
        _ sample: [UInt8], format: DecompressionFormat, done: @escaping @Sendable (DecompressionResult<Buffer>) -> Void
    ) -> SessionStatus

    /// Ends the session. Pictures that are still being decoded may or may not be delivered.
    func invalidate()
}

/// The result of decoding a sample.
package struct DecompressionResult<Buffer: PictureBuffer>: Sendable {
    package var status: SessionStatus
    /// The picture; `nil` after an error, or if the session skipped it.
    package var buffer: Buffer?

    package init(status: SessionStatus, buffer: Buffer?) {
        self.status = status
        self.buffer = buffer
    }
}

/// Makes decompression sessions: of VideoToolbox, or for tests.
package protocol DecompressionSessionMaking<Session>: Sendable {
    associatedtype Session: DecompressionSession

    /// The decoder's name, human-readable: 'VideoToolbox'.
    var name: String { get }
    /// Makes a session that delivers pictures in the layout `format.samples`. A status other than `done` is the reason
    /// why there is no session.
    func make(_ format: DecompressionFormat) -> (session: Session?, status: SessionStatus)
}

/// The format for which a decompression session is made: a stream's parameter sets, and values parsed from them
/// (requirement row 42).
package struct DecompressionFormat: Sendable, Hashable {
    /// The size of the length prefix of each NAL unit in a sample, in bytes.
    package static let lengthSize = 4

    package let codec: VideoCodec
    /// VPS (H.265 only), SPS and PPS, each without a start code: Core Media makes a format description from them.
    package let parameterSets: [[UInt8]]
    /// The pictures' chroma, colour and size after cropping, from the SPS.
    package let picture: PictureDescription
    /// The size before cropping, for which a decoder allocates memory.
    package let codedSize: PixelSize
    package let profile: UInt8
    /// The reorder depth: the maximum number of pictures that precede a picture in decoding order and follow it in
    /// presentation order.
    package let reorderedPictures: Int

    /// The layout of the samples that a session must deliver.
    package var samples: SampleFormat { SampleFormat(chroma: picture.chroma, isFullRange: picture.color.isFullRange) }

    /// The upper limit of `reorderedPictures`: the largest decoded picture buffer of H.264 and H.265 has 16 pictures.
    private static let mostReordered = 16

    /// Reads parameter sets; `nil` if one of them is missing, the SPS can't be parsed, or the samples have more than 8
    /// bits.
    package init?(codec: VideoCodec, parameterSets: [[UInt8]]) {
        func has(_ type: (UInt8) -> Bool) -> Bool { parameterSets.contains { $0.first.map(type) ?? false } }
        self.codec = codec
        self.parameterSets = parameterSets
        switch codec {
        case .h264:
            guard has({ H264NALType(header: $0) == .pps }),
                let sps = parameterSets.lazy.compactMap({ H264SequenceParameters.parse(nal: $0.span.bytes) }).first,
                let picture = sps.picture, sps.bitDepth == 8
            else { return nil }
            self.picture = picture
            codedSize = sps.codedSize
            profile = sps.profile
            // Baseline has no B pictures. If the SPS of another profile has no reorder depth, use the size of the
            // decoded picture buffer.
            let stored = sps.profile == 66 ? 0 : sps.maximumReorderedFrames ?? sps.maximumBufferedFrames ?? 4
            reorderedPictures = min(Self.mostReordered, stored)
        case .h265:
            guard has({ H265NALType(header: $0) == .vps }), has({ H265NALType(header: $0) == .pps }),
                let sps = parameterSets.lazy.compactMap({ H265SequenceParameters.parse(nal: $0.span.bytes) }).first,
                let picture = sps.picture, sps.bitDepth == 8
            else { return nil }
            self.picture = picture
            codedSize = sps.codedSize
            profile = sps.profile
            reorderedPictures = min(Self.mostReordered, sps.maximumReorderedFrames)
        }
    }

    /// Returns true if codec, size, profile and sample layout are the same. Then a session for one format may decode
    /// the other format, if it accepts the other's parameter sets (requirement row 74).
    package func resembles(_ other: Self) -> Bool {
        codec == other.codec && picture.size == other.picture.size && codedSize == other.codedSize
            && profile == other.profile && samples == other.samples
    }
}

/// A picture that a decompression session has decoded.
package struct DecompressedPicture<Buffer: PictureBuffer>: DecodedImaging {
    package let buffer: Buffer
    /// The size and the sample layout of the buffer, and the colour space that the stream declares.
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

/// The reason why an access unit gave no picture, or a picture was dropped.
package enum DecodeDrop: String, Sendable, Hashable, CaseIterable {
    /// The session did not deliver the picture in time.
    case timedOut = "decoder-timed-out"
    /// The session delivered the picture after the wait had timed out.
    case late = "decoder-late"
    /// The session skipped the picture.
    case leftOut = "decoder-left-out"
    /// The access unit arrived before any keyframe.
    case awaitingKeyframe = "awaiting-keyframe"
    /// The picture precedes, in presentation order, one that was already delivered.
    case outOfOrder = "out-of-order"
    /// VideoToolbox has invalidated the session, as happens after the app was in the background.
    case invalidSession = "invalid-session"
    /// The session could not decode the access unit, or could not be made.
    case undecodable = "undecodable"
    /// The picture has more samples than the decoder's limit.
    case tooLarge = "too-large"
}

/// A decoded picture in the platform's own memory, which is not copied before the picture is shown.
package protocol PictureBuffer: AnyObject, Sendable {
    var size: PixelSize { get }
    /// The sample layout; `nil` if it is not one that can be shown.
    var samples: SampleFormat? { get }
    /// Returns the mean luma over every `step`th row, in coded sample values.
    func meanLuma(everyRow step: Int) -> Double
}
