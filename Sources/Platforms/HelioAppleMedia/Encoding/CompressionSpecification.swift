package import HelioCore

/// What a compression session is made for: it can't be changed later.
package struct CompressionSpecification: Sendable, Hashable {
    /// The coder that is asked for.
    package enum Coder: Sendable, Hashable {
        /// Hardware where there is some.
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
