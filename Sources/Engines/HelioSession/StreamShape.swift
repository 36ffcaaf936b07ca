import HelioBitstream
package import HelioCore
import HelioMedia

/// What a keyframe says of its own stream, which may have become another since the session began.
package struct StreamShape: Sendable, Hashable {
    package let codec: VideoCodec
    package let size: PixelSize

    /// `nil` where the parameter sets are missing or can't be read.
    package init?(keyframe annexB: [UInt8], codec: VideoCodec) {
        guard let size = ParameterSets(annexB: annexB, codec: codec)?.size else { return nil }
        self.codec = codec
        self.size = size
    }
}
