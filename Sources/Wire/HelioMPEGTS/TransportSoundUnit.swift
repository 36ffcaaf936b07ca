package import HelioBitstream

/// An access unit of AAC or a packet of Opus that was read.
package struct TransportSoundUnit: Sendable, Hashable {
    /// Without the header that delimits it.
    package var bytes: [UInt8]
    /// Of AAC, what its header told.
    package var config: AudioSpecificConfig?
    /// The PTS in ticks of 90 kHz, widened as those of pictures.
    package var presentation: Int64
}
