package import HelioCore

/// The statistics of a sound playout since it began, and its present state.
package struct SoundStatistics: Sendable, Hashable {
    /// The codec of the last packet played.
    package var codec: SoundCodec?
    /// The target delay, from a packet's arrival on the shortest way to the output's request for its samples, in
    /// milliseconds.
    package var targetDelay = 0.0
    /// The present delay, in milliseconds.
    package var delay = 0.0
    /// The lateness of packets above the shortest way, in milliseconds, that 95 % of the last seconds' packets don't
    /// exceed.
    package var jitter = 0.0
    /// The rate at which the source's clock runs ahead of the output's, in parts per million, as estimated.
    package var drift = 0.0
    /// Packets accepted, received directly or as redundancy.
    package var packets = 0
    /// Packets recovered from redundancy or from the next packet (RFC 2198, Opus' in-band FEC).
    package var recovered = 0
    /// Packets that had not arrived when their time came.
    package var lost = 0
    /// The duration of all concealed sound, in milliseconds.
    package var concealed = 0.0
    /// Sound stretched to be longer, in milliseconds gained.
    package var lengthened = 0.0
    /// Sound stretched to be shorter, in milliseconds saved.
    package var shortened = 0.0
    /// The number of times that sound was due and none was there. Silence that the source does not send (DTX) is not
    /// counted.
    package var underruns = 0
    /// Audible interruptions: more than 20 ms without real sound where sound was due, or a jump.
    package var gaps = 0
    /// The number of restarts of the stream, as its media time jumped.
    package var restarts = 0

    package init() {}
}
