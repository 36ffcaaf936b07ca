package import HelioCore

/// An encoder that the system lists.
package struct ListedEncoder: Sendable, Hashable {
    package var codec: VideoCodec
    package var isHardware: Bool

    package init(codec: VideoCodec, isHardware: Bool) {
        self.codec = codec
        self.isHardware = isHardware
    }
}
