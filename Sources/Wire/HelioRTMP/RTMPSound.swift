package import HelioBitstream
private import HelioCore

/// The sound of a published stream, with the decoder's configuration.
package enum RTMPSound: Sendable, Hashable {
    /// AAC, as access units without headers.
    case aac(AudioSpecificConfig)
    /// Opus with 1 or 2 channels. A decoder discards the first `preSkip` samples, counted at 48 kHz.
    case opus(channels: Int, preSkip: UInt16 = 312)

    package var codec: FLVSoundTag.Codec {
        switch self {
        case .aac: .aac
        case .opus: .opus
        }
    }

    /// The configuration message, sent before the first packet.
    package var configuration: FLVSoundTag {
        switch self {
        case .aac(let config): return .configuration(.aac, config.bytes)
        case .opus(let channels, let preSkip):
            // All fields are little-endian: version, channels, samples to skip, rate, gain, channel mapping.
            var header = [UInt8]("OpusHead".utf8) + [1, UInt8(clamping: channels)]
            header.append(littleEndian: preSkip)
            header.append(littleEndian: UInt32(48000))
            return .configuration(.opus, header + [0, 0, 0])
        }
    }
}
