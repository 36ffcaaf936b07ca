/// A reason for which audio playout drops a packet or skips sound.
package enum SoundDrop: String, Sendable, CaseIterable, Hashable {
    /// A packet received twice, or redundancy for a packet already received.
    case duplicate
    /// A packet that arrived after its time had been played, concealed or skipped.
    case late
    /// A packet evicted, oldest first, because the buffer exceeded its limit.
    case overflow
    /// A packet whose media time is implausible: far from those of other packets that arrive at the same time.
    case implausible
    /// A packet skipped to catch up after a stall.
    case skipped
    /// A packet whose payload the decoder rejects, or for whose codec there is no decoder.
    case undecodable
    /// A packet whose payload decodes to no samples, or to more than 120 ms.
    case badLength = "bad-length"
}
