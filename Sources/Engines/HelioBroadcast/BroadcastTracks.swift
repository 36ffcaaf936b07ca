package import HelioBitstream
package import HelioCore

/// The tracks of a broadcast: video, sound or both, each with its codec.
package struct BroadcastTracks: Sendable, Hashable {
    package enum Sound: Sendable, Hashable {
        case aac(AudioSpecificConfig)
        /// Opus with 1 or 2 channels, at 48 kHz.
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
