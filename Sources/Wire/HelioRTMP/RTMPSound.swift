package import HelioBitstream
private import HelioCore

/// The sound of a stream that is published, and what a decoder has to know of it.
package enum RTMPSound: Sendable, Hashable {
    /// AAC, access units without headers.
    case aac(AudioSpecificConfig)
    /// Opus, of 1 or 2 channels, of which a decoder throws so many samples of 48 kHz away at the beginning.
    case opus(channels: Int, preSkip: UInt16 = 312)

    package var codec: FLVSoundTag.Codec {
        switch self {
        case .aac: .aac
        case .opus: .opus
        }
    }

    /// What goes before the first packet.
    package var configuration: FLVSoundTag {
        switch self {
        case .aac(let config): return .configuration(.aac, config.bytes)
        case .opus(let channels, let preSkip):
            // Little-endian all of it: version, channels, samples to skip, rate, gain, mapping of channels.
            var header = [UInt8]("OpusHead".utf8) + [1, UInt8(clamping: channels)]
            header.append(littleEndian: preSkip)
            header.append(littleEndian: UInt32(48000))
            return .configuration(.opus, header + [0, 0, 0])
        }
    }
}
