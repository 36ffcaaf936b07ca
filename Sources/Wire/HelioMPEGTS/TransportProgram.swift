package import HelioCore

/// The streams of a transport stream's program, as its tables list them.
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
