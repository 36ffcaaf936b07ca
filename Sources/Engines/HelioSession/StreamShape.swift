import HelioBitstream
package import HelioCore
import HelioMedia

/// The codec and size of the stream, from its last keyframe, which may differ from those at the start of the session.
package struct StreamShape: Sendable, Hashable {
    package let codec: VideoCodec
    package let size: PixelSize

    /// Parses a keyframe; `nil` if the parameter sets are missing or malformed.
    package init?(keyframe annexB: [UInt8], codec: VideoCodec) {
        guard let size = ParameterSets(annexB: annexB, codec: codec)?.size else { return nil }
        self.codec = codec
        self.size = size
    }
}
