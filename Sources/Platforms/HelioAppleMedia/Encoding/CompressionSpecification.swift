package import HelioCore

/// The properties of a compression session that can't be changed later.
package struct CompressionSpecification: Sendable, Hashable {
    /// The encoder that is requested of VideoToolbox.
    package enum Coder: Sendable, Hashable {
        /// Hardware, if there is any.
        case best
        /// Hardware, or no session.
        case hardware
        case software
    }

    package var codec: VideoCodec
    package var size: PixelSize
    /// True for low-latency rate control: neither look-ahead nor reordering, and no keyframes but those asked for.
    package var isLowLatency: Bool
    package var coder: Coder

    package init(codec: VideoCodec, size: PixelSize, isLowLatency: Bool, coder: Coder) {
        self.codec = codec
        self.size = size
        self.isLowLatency = isLowLatency
        self.coder = coder
    }
}
