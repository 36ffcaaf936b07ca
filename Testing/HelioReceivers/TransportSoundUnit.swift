package import HelioBitstream

/// A received AAC access unit or Opus packet.
package struct TransportSoundUnit: Sendable, Hashable {
    /// The payload without the header that delimits it.
    package var bytes: [UInt8]
    /// The configuration from the ADTS header; `nil` for Opus.
    package var config: AudioSpecificConfig?
    /// The PTS in ticks of 90 kHz, widened like those of pictures.
    package var presentation: Int64
}
