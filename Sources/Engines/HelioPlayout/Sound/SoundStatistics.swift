package import HelioCore

/// The statistics of a sound playout: its present state, and totals since it began.
package struct SoundStatistics: Sendable, Hashable {
    /// The codec of the last packet played.
    package var codec: SoundCodec?
    /// The target delay in milliseconds: from the arrival of a packet with the minimum transit time until the audio
    /// output requests its samples.
    package var targetDelay = 0.0
    /// The present delay in milliseconds, measured like `targetDelay`.
    package var delay = 0.0
    /// The excess over the minimum transit time, in milliseconds, that 95 % of the moments (20 ms each) of the last
    /// five seconds don't exceed.
    package var jitter = 0.0
    /// The estimated rate at which the source's clock runs ahead of the output's, in parts per million.
    package var drift = 0.0
    /// The number of packets accepted, received directly or as redundancy.
    package var packets = 0
    /// The number of packets recovered by redundancy: RFC 2198, or Opus' in-band FEC in the packet after it.
    package var recovered = 0
    /// The number of packets that had not arrived when they were due.
    package var lost = 0
    /// The duration of all concealed sound, in milliseconds.
    package var concealed = 0.0
    /// The duration added by stretching, in milliseconds.
    package var lengthened = 0.0
    /// The duration removed by stretching and jumps, in milliseconds.
    package var shortened = 0.0
    /// The number of underruns: sound was due, but none was available. Silence for which the source sends no packets
    /// (DTX) does not count.
    package var underruns = 0
    /// The number of audible interruptions: more than 20 ms of concealment or silence while sound was due, or a jump.
    package var gaps = 0
    /// The number of restarts of the stream because its media time jumped.
    package var restarts = 0

    package init() {}
}
