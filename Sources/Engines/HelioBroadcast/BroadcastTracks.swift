package import HelioBitstream
package import HelioCore

/// What a broadcast is made of: a codec of pictures, and one of sound, or one of the two.
package struct BroadcastTracks: Sendable, Hashable {
    package enum Sound: Sendable, Hashable {
        case aac(AudioSpecificConfig)
        /// Of 1 or 2 channels, 48 kHz.
        case opus(channels: Int)

        package var codec: SoundCodec {
            switch self {
            case .aac: .aac
            case .opus: .opus
            }
        }
    }

    package var video: VideoCodec?
    package var sound: Sound?

    package init(video: VideoCodec?, sound: Sound? = nil) {
        self.video = video
        self.sound = sound
    }
}
