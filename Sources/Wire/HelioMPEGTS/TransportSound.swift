package import HelioBitstream

/// The sound of a program to write, with the decoder's configuration.
package enum TransportSound: Sendable, Hashable {
    /// AAC, with an ADTS header before each access unit.
    case aac(AudioSpecificConfig)
    /// Opus, of 1 or 2 channels.
    case opus(channels: Int)

    var entry: TransportProgram.Sound {
        switch self {
        case .aac: .aac
        case .opus(let channels): .opus(channels: channels)
        }
    }
}
