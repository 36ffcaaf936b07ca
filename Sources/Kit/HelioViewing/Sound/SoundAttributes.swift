package import HelioCore

/// The attributes of sound (row 24): codec, sample rate, channels, bits of a sample.
public struct SoundAttributes: Sendable, Hashable {
    /// A codec of sound, named by its MIME type.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Samples as they are: in a packet 16 bits each, the high byte first.
        case pcm = "audio/raw"
        /// Opus.
        case opus = "audio/opus"
        /// AAC-LC: a packet is one raw frame, without ADTS.
        case aac = "audio/mp4a-latm"

        package init(_ codec: SoundCodec) {
            self =
                switch codec {
                case .pcm: .pcm
                case .opus: .opus
                case .aac: .aac
                }
        }

        package var codec: SoundCodec {
            switch self {
            case .pcm: .pcm
            case .opus: .opus
            case .aac: .aac
            }
        }
    }

    /// The codec; its raw value is the MIME type.
    public var format: Format
    /// Samples a second of each channel.
    public var sampleRate: Int
    /// 1 or 2.
    public var channels: Int
    /// The bits of a sample, where the format has it.
    public var sampleBits: Int

    /// Makes attributes, by default 48 kHz stereo of 16 bits, as the specs have it (row 57).
    public init(format: Format = .pcm, sampleRate: Int = 48000, channels: Int = 2, sampleBits: Int = 16) {
        self.format = format
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleBits = sampleBits
    }
}
