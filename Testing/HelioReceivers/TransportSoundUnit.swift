package import HelioBitstream

/// A received AAC access unit or Opus packet.
package struct TransportSoundUnit: Sendable, Hashable {
    /// The payload without its ADTS or Opus control header.
    package var bytes: [UInt8]
    /// The configuration from the ADTS header; `nil` for Opus.
    package var config: AudioSpecificConfig?
    /// The PTS in ticks of 90 kHz, widened to 64 bits, so that it does not wrap around.
    package var presentation: Int64
}
