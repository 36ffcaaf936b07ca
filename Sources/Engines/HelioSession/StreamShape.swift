import HelioBitstream
package import HelioCore
import HelioMedia

/// The codec and size of the stream by its keyframe, which may have changed since the session began.
package struct StreamShape: Sendable, Hashable {
    package let codec: VideoCodec
    package let size: PixelSize

    /// Reads a keyframe; `nil` where the parameter sets are missing or can't be read.
    package init?(keyframe annexB: [UInt8], codec: VideoCodec) {
        guard let size = ParameterSets(annexB: annexB, codec: codec)?.size else { return nil }
        self.codec = codec
        self.size = size
    }
}
