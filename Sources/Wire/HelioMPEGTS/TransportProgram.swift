package import HelioCore

/// The codecs of the elementary streams in a transport stream's program, as listed in its tables.
package struct TransportProgram: Sendable, Hashable {
    package enum Sound: Sendable, Hashable {
        case aac
        /// Opus with 1 or 2 channels.
        case opus(channels: Int)
    }

    package var video: VideoCodec?
    package var sound: Sound?

    package init(video: VideoCodec? = nil, sound: Sound? = nil) {
        self.video = video
        self.sound = sound
    }
}
