package import HelioCore

/// What a transport stream's tables tell of its one program: its streams.
package struct TransportProgram: Sendable, Hashable {
    package enum Sound: Sendable, Hashable {
        case aac
        /// Of 1 or 2 channels.
        case opus(channels: Int)
    }

    package var video: VideoCodec?
    package var sound: Sound?

    package init(video: VideoCodec? = nil, sound: Sound? = nil) {
        self.video = video
        self.sound = sound
    }
}
