package import HelioCore

/// The attributes of sound (requirement row 24): codec, sample rate, channels, bits of a sample.
public struct SoundAttributes: Sendable, Hashable {
    /// A codec of sound, named by its MIME type.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// Raw samples; in a packet, each has 16 bits, big-endian.
        case pcm = "audio/raw"
        /// Opus (RFC 6716).
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

    /// The codec.
    public var format: Format
    /// The sample rate of each channel, in Hz.
    public var sampleRate: Int
    /// The number of channels, 1 or 2.
    public var channels: Int
    /// The number of bits per sample; only meaningful for `pcm`.
    public var sampleBits: Int

    /// Makes attributes; the defaults, 48 kHz stereo of 16 bits, are the specification's (requirement row 57).
    public init(format: Format = .pcm, sampleRate: Int = 48000, channels: Int = 2, sampleBits: Int = 16) {
        self.format = format
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleBits = sampleBits
    }
}
